// SPDX-License-Identifier: GPL-2.0-only
/* Short questions to fio, see fio.h: which release it is, what an engine can do, what it thinks of a file. */
#include "tools/fio-curve/fio.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tools/fio-peak/alloc.h"

enum {
	EXEC_FAILED = 127
};

static char *read_all(int fd)
{
	char *text = NULL, buffer[4096];
	size_t size;
	FILE *out = alloc_check(open_memstream(&text, &size));
	ssize_t got;

	while ((got = read(fd, buffer, sizeof(buffer))) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			fwrite(buffer, 1, (size_t)got, out);
	fclose(out);
	return alloc_check(text);
}

/*
 * Runs fio with @arg and @file, which may be NULL. @in: its stdin; -1: empty. @stream: the one of its
 * outputs that is read.
 * Return: its wait status, or -1; @text: what it printed there, the caller's to free.
 */
static int ask(const char *fio, const char *arg, const char *file, int in, int stream, char **text)
{
	int out[2], status = -1, null;
	pid_t pid;

	*text = NULL;
	if (pipe2(out, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		null = open("/dev/null", O_RDWR);
		dup2(in < 0 ? null : in, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		dup2(out[1], stream);
		execlp(fio, fio, arg, file, NULL);
		_exit(EXEC_FAILED);
	}
	close(out[1]);
	if (pid > 0) {
		*text = read_all(out[0]);
		waitpid(pid, &status, 0);
	}
	close(out[0]);
	return status;
}

char *fio_version(const char *fio)
{
	char *text;

	if (!ask(fio, "--version", NULL, -1, STDOUT_FILENO, &text) && !strncmp(text, "fio-", 4)) {
		text[strcspn(text, "\r\n")] = 0;
		return text;
	}
	free(text);
	return NULL;
}

bool fio_engine_has(const char *fio, const char *plugin, const char *option)
{
	char *arg = alloc_printf("--enghelp=%s", plugin), *text, *at;
	bool has = false, known = !ask(fio, arg, NULL, -1, STDOUT_FILENO, &text);
	size_t len = strlen(option);

	for (at = known ? text : NULL; at && !has; at = strchr(at, '\n')) {
		at += strspn(at, "\n");
		has = !strncmp(at, option, len) && strchr(" \t:", at[len]) && at[len];
	}
	free(text);
	free(arg);
	return has;
}

char *fio_refuses(const char *fio, const char *job)
{
	int in = memfd_create("job", MFD_CLOEXEC);
	char *said = NULL, *why = NULL;

	if (in >= 0 && write(in, job, strlen(job)) == (ssize_t)strlen(job) &&
	    !lseek(in, 0, SEEK_SET) &&
	    ask(fio, "--parse-only", "-", in, STDERR_FILENO, &said) > 0) {
		said[strcspn(said, "\r\n")] = 0;
		why = alloc_printf("fio refuses the job file%s%s", *said ? ": " : "", said);
	}
	if (in >= 0)
		close(in);
	free(said);
	return why;
}
