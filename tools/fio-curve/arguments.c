// SPDX-License-Identifier: GPL-2.0-only
/* The command line, see arguments.h. */
#include "tools/fio-curve/arguments.h"

#include <argp.h>

#include "tools/fio-curve/header.h"
#include "tools/fio-curve/reserved.h"
#include "tools/fio-curve/run.h"
#include "tools/fio-curve/say.h"
#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"
#include "tools/fio-peak/beside.h"

const char *argp_program_version = "fio-curve " CURVE_VERSION;

static const char doc[] =
	"Measure drives as reviews do: for each workload the maximum, then a run at each "
	"percentage "
	"of it; or whatever the job file's second line asks for.\v"
	"A WORKLOAD is a job file, a family (folder) of the job library, or all. A TARGET is "
	"/dev/ngXnY, any block device, a model drive, a file, a folder. Results go to "
	"DIR/LABEL/FAMILY/WORKLOAD/, for fio-peak; the same command again goes on where it was "
	"stopped. What is overwritten is listed and asked for.\n\n"
	"Exit status: 0 fine; 1 a point failed; 2 bad input, or not confirmed; 130 stopped by "
	"Ctrl-C.\n\n"
	"  nvsim create a.nvsim --preset=gen5-read\n"
	"  fio-curve --drive=a=a.nvsim --runtime=10 --ramp=2 vdbench/randread-4k\n"
	"  fio-peak results/a";

enum {
	OPT_IOENGINE = 0x100,
	OPT_POINTS,
	OPT_GRID,
	OPT_RUNTIME,
	OPT_RAMP,
	OPT_WORKING_SET,
	OPT_FILE_SIZE,
	OPT_PRECONDITION,
	OPT_SET,
	OPT_CLIENT,
	OPT_JOBS,
	OPT_FIO,
	OPT_DRY_RUN,
	OPT_RESTORE,
};

static const struct argp_option options[] = {
	{ "drive", 'd', "LABEL=TARGET", 0, "A drive; once for each", 1 },
	{ "ioengine", OPT_IOENGINE, "ENGINE", 0, "nvmept for NVMe and model drives, else io_uring",
	  1 },
	{ "set", OPT_SET, "NAME=VALUE", 0, "A fio option for every point, such as nvme_poll=1", 1 },
	{ "points", OPT_POINTS, "LIST", 0, "Percentages of the maximum (10-120/10)", 2 },
	{ "grid", OPT_GRID, "LIST", 0, "JOBSxDEPTH,... instead of the job file's", 2 },
	{ "runtime", OPT_RUNTIME, "TIME", 0, "Of each point (the job file's)", 2 },
	{ "ramp", OPT_RAMP, "TIME", 0, "Before it, not counted (the job file's)", 2 },
	{ "working-set", OPT_WORKING_SET, "PART", 0,
	  "Percentage or size of the target that is used (curves 25%, else all)", 2 },
	{ "file-size", OPT_FILE_SIZE, "SIZE", 0, "Of files that are made in a folder", 2 },
	{ "precondition", OPT_PRECONDITION, "LIST", 0,
	  "none, or of fill, random, steady (the job file's)", 2 },
	{ "client", OPT_CLIENT, "HOSTS", 0, "Run there: HOST[:PORT],... or a file of them", 3 },
	{ "out", 'o', "DIR", 0, "Results (results)", 4 },
	{ "jobs", OPT_JOBS, "DIR", 0, "The job library", 4 },
	{ "fio", OPT_FIO, "PATH", 0, "fio itself (fio)", 4 },
	{ "yes", 'y', 0, 0, "Overwrite without asking", 5 },
	{ "dry-run", OPT_DRY_RUN, 0, 0, "Print job files and commands, run nothing", 5 },
	{ "restore", OPT_RESTORE, 0, 0,
	  "Put power states back that killed runs have left, on all drives; nothing else", 5 },
	{ "quiet", 'q', 0, 0, "Print nothing but errors", 5 },
	{ 0 },
};

__attribute__((noreturn, format(printf, 1, 2))) static void usage(const char *fmt, ...)
{
	char *line = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = NULL;
	va_end(ap);
	say("%s", line ? line : "out of memory");
	free(line);
	exit(STATUS_USAGE);
}

/* A parser that gives a message or NULL. */
static void must(const char *option, const char *arg, char *why)
{
	if (why)
		usage("--%s=%s: %s", option, arg, why);
}

static void parse_ms(const char *option, const char *arg, uint64_t least, uint64_t *out)
{
	if (!value_ms(arg, out) || *out < least)
		usage("--%s=%s: not a time; write 30, 0.5, 500ms, 10m", option, arg);
}

static void parse_working_set(const char *arg, struct settings *s)
{
	s->has_working_set = true;
	s->working_set = (struct extent){ 0 };
	if (value_percent(arg, &s->working_set.percent))
		return;
	if (!value_bytes(arg, false, &s->working_set.bytes) || !s->working_set.bytes)
		usage("--working-set=%s: not a part of a target; write 25%% or 10G", arg);
}

static void parse_set(const char *arg, struct settings *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	const char *equal = strchr(arg, '='), *instead;
	char *name;

	if (!equal || equal == arg || strspn(arg, letters) != (size_t)(equal - arg) ||
	    strpbrk(arg, "\n\r$;#"))
		usage("--set=%s: write NAME=VALUE, an option of fio or of the engine", arg);
	name = alloc_check(strndup(arg, (size_t)(equal - arg)));
	section_set(&s->extra, name, equal + 1);
	free(name);
	/* by the name that fio and we know it by */
	name = s->extra.option[s->extra.nr - 1].name;
	instead = reserved_in_set(name);
	if (instead)
		usage("--set=%s: %s is not for --set to give: %s does", arg, name, instead);
}

static void push(const char ***list, size_t *nr, size_t *cap, const char *arg)
{
	*list = alloc_grow(*list, *nr, cap, sizeof(**list));
	(*list)[(*nr)++] = arg;
}

/* What is to be measured, and how. Return: whether @key is one of these. */
static bool parse_measure(int key, const char *arg, struct settings *s)
{
	switch (key) {
	case OPT_POINTS:
		points_free(&s->points);
		must("points", arg, points_parse(arg, &s->points));
		return s->has_points = true;
	case OPT_GRID:
		grid_free(&s->grid);
		must("grid", arg, grid_parse(arg, &s->grid));
		return true;
	case OPT_RUNTIME:
		parse_ms("runtime", arg, 1, &s->run_ms);
		return s->has_run = true;
	case OPT_RAMP:
		parse_ms("ramp", arg, 0, &s->ramp_ms);
		return s->has_ramp = true;
	case OPT_WORKING_SET:
		parse_working_set(arg, s);
		return true;
	case OPT_FILE_SIZE:
		if (!value_bytes(arg, false, &s->file_size) || !s->file_size)
			usage("--file-size=%s: not a size; write 512M or 10G", arg);
		return true;
	case OPT_PRECONDITION:
		must("precondition", arg, precondition_parse(arg, &s->precondition));
		return s->has_precondition = true;
	case OPT_SET:
		parse_set(arg, s);
		return true;
	default:
		return false;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	struct settings *s = &a->settings;

	switch (key) {
	case 'd':
		push(&a->drives, &a->nr_drives, &a->cap_drives, arg);
		return 0;
	case 'o':
		s->out = arg;
		return 0;
	case 'y':
		s->yes = true;
		return 0;
	case 'q':
		s->quiet = true;
		return 0;
	case OPT_IOENGINE:
		s->ioengine = arg;
		return 0;
	case OPT_CLIENT:
		hosts_free(&s->hosts);
		must("client", arg, hosts_parse(arg, &s->hosts));
		return 0;
	case OPT_JOBS:
		free(s->jobs);
		s->jobs = realpath(arg, NULL);
		if (!s->jobs)
			usage("--jobs=%s: no such folder", arg);
		return 0;
	case OPT_FIO:
		s->fio = arg;
		return 0;
	case OPT_DRY_RUN:
		s->dry_run = true;
		return 0;
	case OPT_RESTORE:
		a->restore = true;
		return 0;
	case ARGP_KEY_ARG:
		push(&a->names, &a->nr_names, &a->cap_names, arg);
		return 0;
	default:
		return parse_measure(key, arg, s) ? 0 : ARGP_ERR_UNKNOWN;
	}
}

/* Beside the program as it was built, or as it was installed. */
static void find_parts(struct settings *s)
{
	static const char *const plugin[] = { "nvmept.so", "../lib/fio-peak/nvmept.so", NULL };
	static const char *const jobs[] = { "../share/fio-peak/jobs", "../jobs", "./jobs", NULL };

	s->plugin = find_beside(plugin);
	if (!s->jobs)
		s->jobs = find_beside(jobs);
}

void arguments_parse(int argc, char **argv, struct arguments *out)
{
	static const struct argp argp = {
		options, parse_option, "--drive=LABEL=TARGET WORKLOAD...", doc, 0, 0, 0
	};

	*out = (struct arguments){ .settings = { .fio = "fio", .out = "results" } };
	argp_err_exit_status = STATUS_USAGE;
	argp_parse(&argp, argc, argv, 0, 0, out);
	if (out->restore) {
		if (out->nr_drives || out->nr_names)
			usage("--restore stands alone; it concerns all drives");
		find_parts(&out->settings);
		return;
	}
	if (!out->nr_drives)
		usage("no drive given; --drive=LABEL=TARGET, such as --drive=a=/dev/ng0n1");
	if (!out->nr_names)
		usage("no WORKLOAD given; a job file, a family such as vdbench, or all");
	if (!value_is_plain(out->settings.out))
		usage("--out=%s: " VALUE_NOT_PLAIN, out->settings.out);
	find_parts(&out->settings);
}

void arguments_free(struct arguments *a)
{
	struct settings *s = &a->settings;

	points_free(&s->points);
	grid_free(&s->grid);
	hosts_free(&s->hosts);
	section_clear(&s->extra);
	free(s->jobs);
	free(s->plugin);
	free(a->drives);
	free(a->names);
}
