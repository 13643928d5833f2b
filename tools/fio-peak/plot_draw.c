// SPDX-License-Identifier: GPL-2.0-only
/*
 * gnuplot as a child: its commands on standard input, the picture on standard output. Its start-up
 * files are not read.
 */
#include "plot.h"
#include "alloc.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define LINE 200

/* The last line that gnuplot said: what comes before is the command, and a mark in it. */
static void last_line(FILE *said, char *line)
{
	char next[LINE];

	*line = 0;
	rewind(said);
	while (fgets(next, sizeof(next), said)) {
		next[strcspn(next, "\n")] = 0;
		if (next[strspn(next, " ")])
			strcpy(line, next + strspn(next, " "));
	}
}

static int spawn(FILE *script, FILE *picture, FILE *said, pid_t *pid)
{
	char *argv[] = { "gnuplot", "--default-settings", "-", NULL };
	posix_spawn_file_actions_t files;
	int ret;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, fileno(picture), STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, fileno(said), STDERR_FILENO);
	ret = posix_spawnp(pid, "gnuplot", &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return ret;
}

static char *run(FILE *script, FILE *picture, FILE *said, const char *file)
{
	char line[LINE];
	int ret, status;
	pid_t pid;

	ret = spawn(script, picture, said, &pid);
	if (ret == ENOENT)
		return alloc_printf("--plot=%s: needs gnuplot, which is not installed (Debian's "
				    "package gnuplot-nox)",
				    file);
	if (ret)
		return alloc_printf("--plot=%s: gnuplot cannot be run: %s", file, strerror(ret));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return alloc_printf("--plot=%s: gnuplot is lost: %s", file,
					    strerror(errno));
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return NULL;
	last_line(said, line);
	return alloc_printf("--plot=%s: gnuplot failed: %s", file,
			    *line ? line : "it says nothing");
}

char *plot_draw(const struct report *r, const struct plot *p)
{
	FILE *script, *said, *picture;
	char *why;

	if (!plot_panels(r))
		return alloc_printf("--plot=%s: no workload ran at two loads or more, so there is "
				    "no curve to draw",
				    p->file);
	picture = fopen(p->file, "we");
	if (!picture)
		return alloc_printf("--plot=%s: cannot be written: %s", p->file, strerror(errno));
	script = alloc_check(tmpfile());
	said = alloc_check(tmpfile());
	plot_script(script, r, p);
	fflush(script);
	rewind(script);
	why = run(script, picture, said, p->file);
	fclose(script);
	fclose(said);
	fclose(picture);
	if (why)
		unlink(p->file);
	return why;
}
