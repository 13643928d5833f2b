// SPDX-License-Identifier: GPL-2.0-only
// Which fio the plugin takes: a process plays fio of some release, as far as fio_abi.c looks.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/fio_abi.h"
#include "t/unit/tap.h"

/* fio's side. The string must be visible to dlsym: units are linked with -rdynamic. */
extern char fio_version_string[64];
char fio_version_string[64];
static char said[1024];

ssize_t log_err(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	return 0;
}

static const struct fio_hooks hooks = { .name = "nvmept", .option_struct_size = 8 };

/* Play @version in a child: the plugin's choice holds for a process. Return: its exit status. */
static int play(const char *version, int (*child)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		snprintf(fio_version_string, sizeof(fio_version_string), "%s", version);
		_exit(child());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static int is_taken(void)
{
	void *ops = fio_abi_ops(&hooks);

	return ops && ops == fio_abi_ops(&hooks) && !*said;
}

static int is_refused_by_name(void)
{
	return !fio_abi_ops(&hooks) && strstr(said, fio_version_string + 4) &&
	       strstr(said, "3.28") && strstr(said, "3.42") && strstr(said, "ci/fio-layout");
}

/* A thread_data whose io_ops stand where @release has them, or nowhere. */
static int binds(const char *release)
{
	const struct fio_layout *rows;
	size_t nr = fio_abi_rows(&rows);
	char *td = calloc(1, 300000);
	void *ops = fio_abi_ops(&hooks);

	for (size_t i = 0; release && i < nr; i++)
		if (!strcmp(rows[i].release, release))
			memcpy(td + rows[i].td_io_ops, &ops, sizeof(ops));
	return !fio_abi_bind((struct thread_data *)td);
}

static int binds_333(void)
{
	return binds("3.33");
}

static int binds_342(void)
{
	return binds("3.42") && fio_abi.td_io_ops > 189000;
}

static int foreign_structures(void)
{
	return !binds(NULL) && strstr(said, "are not those of that release");
}

int main(void)
{
	ok(play("fio-3.33", is_taken), "3.33 is taken, twice with the same pointer");
	ok(play("fio-3.28", is_taken), "so is 3.28");
	ok(play("fio-3.42-135-gf5344384", is_taken), "so is a git build after 3.42");
	ok(play("fio-3.43", is_refused_by_name),
	   "3.43 is refused with both versions and what to do");
	ok(play("fio-4.0", is_refused_by_name), "so is 4.0");
	ok(play("fio-3.3", is_refused_by_name), "3.3 is not 3.33");
	ok(play("fio-3.33", binds_333), "the self-check finds the ops");
	ok(play("fio-3.42-135-gf5344384", binds_342),
	   "and, of two rows of 3.42, the one that fits");
	ok(play("fio-3.33", foreign_structures), "structures of another release are refused");
	return done_testing();
}
