// SPDX-License-Identifier: GPL-2.0-only
// nvsim: model drives are made, looked at, emptied and broken. Finds the command; the rest is its.
#include "tools/nvsim/nvsim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/model/mapping.h"
#include "engine/model/model.h"

const char *argp_program_version = "nvsim 0.1";

static const char doc[] =
	"Make and inspect model drives: an NVMe controller in software, in one file, that fio "
	"drives "
	"with the nvmept ioengine and --filename=FILE.\v"
	"Commands:\n"
	"  create FILE [OPTION...]      make a drive\n"
	"  info FILE [--json]           show it, and what this host can time\n"
	"  log FILE PAGE                an NVMe log page, decoded\n"
	"  reset FILE                   empty the drive, counters to 0\n"
	"  fail FILE KIND [OPTION...]   make commands fail, hang or last\n"
	"  serve FILE [OPTION...]       make it a controller for Linux' NVMe driver (NVMe over "
	"TCP)\n\n"
	"nvsim COMMAND --help has each command's options, nvsim(1) the rest.\n"
	"Exit status: 0 fine; 1 the system or the drive refused; 2 wrong usage, or a FILE that is "
	"not\nthere, or no sound model drive.\n\n"
	"  nvsim create drive.nvsim --preset=gen5-read\n"
	"  nvsim info drive.nvsim";

static const struct command {
	const char *name;
	int (*main)(int argc, char **argv);
} commands[] = {
	{ "create", create_main }, { "info", info_main }, { "log", log_main },
	{ "reset", reset_main },   { "fail", fail_main }, { "serve", serve_main },
};

void usage_error(const struct argp_state *state, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", state ? state->name : "nvsim");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(STATUS_USAGE);
}

error_t parse_file(int key, char *arg, const struct argp_state *state, const char **path)
{
	switch (key) {
	case ARGP_KEY_ARG:
		if (*path)
			usage_error(state, "%s: one FILE at a time", arg);
		*path = arg;
		return 0;
	case ARGP_KEY_END:
		if (!*path)
			usage_error(state, "no FILE given");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void parse_arguments(const struct argp *argp, int argc, char **argv, void *input)
{
	argp_err_exit_status = STATUS_USAGE;
	argp_parse(argp, argc, argv, 0, 0, input);
}

/* The name is wrong, or what stands there; all else the system refuses, permission included. */
int report_failure(int err, const char *why)
{
	fprintf(stderr, "nvsim: %s\n", why);
	switch (err) {
	case -EINVAL:
	case -ENOENT:
	case -ENODEV: /* for ENOENT, see model_open */
	case -ENXIO:
	case -ENOTDIR:
	case -EISDIR:
	case -EEXIST:
	case -ELOOP:
	case -ENAMETOOLONG:
		return STATUS_USAGE;
	default:
		return STATUS_FAILED;
	}
}

int flush_output(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return STATUS_FINE;
	fprintf(stderr, "nvsim: standard output: cannot be written\n");
	return STATUS_FAILED;
}

int with_drive(const char *path, bool look, int (*body)(struct model *m, void *arg), void *arg)
{
	char why[MODEL_WHY_LEN];
	struct model *m;
	int ret = look ? model_look(path, &m, why) : model_open(path, &m, why);

	if (ret)
		return report_failure(ret, why);
	ret = mapping_run(m, body, arg);
	if (m->failed) {
		fprintf(stderr, "nvsim: %s: %s\n", path, model_failure(m));
		ret = STATUS_FAILED;
	}
	model_close(m);
	return ret;
}

uint16_t admin(struct model *m, uint8_t opcode, uint32_t nsid, uint32_t cdw10, uint32_t cdw11,
	       void *data, uint32_t len)
{
	struct nvme_uring_cmd c = {
		.opcode = opcode,
		.nsid = nsid,
		.addr = (uintptr_t)data,
		.data_len = len,
		.cdw10 = cdw10,
		.cdw11 = cdw11,
	};
	struct model_result r = { 0 };

	model_admin(m, &c, &r);
	return r.status;
}

struct arguments {
	const struct command *command;
	int argc;
	char **argv;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
			if (!strcmp(arg, commands[i].name))
				a->command = &commands[i];
		if (!a->command)
			usage_error(state,
				    "%s: unknown; one of create, info, log, reset, fail, serve",
				    arg);
		a->argv = state->argv + state->next - 1;
		a->argc = state->argc - state->next + 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		usage_error(state,
			    "no command given; one of create, info, log, reset, fail, serve");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/*
 * Where standard output or error is closed, the drive would be opened as that, and be written over with
 * what is printed. Not for writing: what is printed to nowhere still fails.
 */
static void fill_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	static const struct argp argp = { NULL, parse_option, "COMMAND FILE", doc, 0, 0, 0 };
	struct arguments a = { 0 };
	char name[32];

	argv[0] = strcpy(name, "nvsim");
	argp_err_exit_status = STATUS_USAGE;
	signal(SIGXFSZ, SIG_IGN); /* a file too large is an error like others */
	fill_standard_files();
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, 0, &a);
	snprintf(name, sizeof(name), "nvsim %s", a.command->name);
	a.argv[0] = name;
	return a.command->main(a.argc, a.argv);
}
