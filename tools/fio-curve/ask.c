// SPDX-License-Identifier: GPL-2.0-only
/* Short questions to fio, see fio.h: which release it is, what an engine can do. */
#include "tools/fio-curve/fio.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
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

/* What fio prints when it is run with @arg; NULL: it cannot be run, or fails. The caller's to free. */
static char *ask(const char *fio, const char *arg)
{
	int out[2], status = -1, null;
	char *text = NULL;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC))
		return NULL;
	pid = fork();
	if (!pid) {
		null = open("/dev/null", O_RDWR);
		dup2(null, STDIN_FILENO);
		dup2(null, STDERR_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execlp(fio, fio, arg, NULL);
		_exit(EXEC_FAILED);
	}
	close(out[1]);
	if (pid > 0) {
		text = read_all(out[0]);
		waitpid(pid, &status, 0);
	}
	close(out[0]);
	if (!status)
		return text;
	free(text);
	return NULL;
}

char *fio_version(const char *fio)
{
	char *text = ask(fio, "--version");

	if (text && !strncmp(text, "fio-", 4)) {
		text[strcspn(text, "\r\n")] = 0;
		return text;
	}
	free(text);
	return NULL;
}

bool fio_engine_has(const char *fio, const char *plugin, const char *option)
{
	char *arg = alloc_printf("--enghelp=%s", plugin), *text = ask(fio, arg), *at;
	size_t len = strlen(option);
	bool has = false;

	for (at = text; at && !has; at = strchr(at, '\n')) {
		at += strspn(at, "\n");
		has = !strncmp(at, option, len) && strchr(" \t:", at[len]) && at[len];
	}
	free(text);
	free(arg);
	return has;
}
