// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio-peak: fio JSON in, a table that compares drives out. Options, and the order of the work:
 * read and fold every input, name, sort into curves, render.
 */
#include "alloc.h"
#include "render.h"
#include "text.h"
#include "walk.h"

#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <unistd.h>
#include <sys/stat.h>

enum {
	STATUS_FINE = 0,
	STATUS_INCOMPLETE = 1, /* failed runs, or something was left out */
	STATUS_USAGE = 2
};

const char *argp_program_version = "fio-peak 0.1";

static const char doc[] =
	"Read fio's JSON and compare drives: IOPS, MB/s and completion latency per drive and "
	"workload.\v"
	"A PATH is a file with fio's JSON (json or json+, anything may stand around it), a folder "
	"of such files, or - for standard input. LABEL=PATH names the drive. In a folder laid out "
	"as "
	"DRIVE/FAMILY/WORKLOAD/*.json the folders give the names.\n\n"
	"Exit status: 0 fine; 1 the data holds failed runs (printed all the same), or something in "
	"a "
	"folder could not be read; 2 usage, or a PATH without results.\n\n"
	"  fio --output-format=json+ --output=a.json job.fio\n"
	"  fio-peak fast=a.json slow=b.json";

static const struct argp_option options[] = {
	{ "format", 'f', "FORMAT", 0, "table (default), csv or json", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE instead of standard output", 0 },
	{ "entries", 'e', 0, 0, "Do not merge: one point per job entry, as fio printed it", 0 },
	{ 0 },
};

static const struct format {
	const char *name;
	void (*render)(FILE *out, const struct report *r);
} formats[] = { { "table", render_table }, { "csv", render_csv }, { "json", render_json } };

struct arguments {
	const struct format *format;
	const char *output;
	bool entries;
	char **paths;
	unsigned int nr;
};

static const struct format *format_find(const char *name, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	argp_error(state, "--format=%s: unknown; one of table, csv, json", name);
	return NULL;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'f':
		a->format = format_find(arg, state);
		return 0;
	case 'o':
		a->output = arg;
		return 0;
	case 'e':
		a->entries = true;
		return 0;
	case ARGP_KEY_ARGS:
		a->paths = state->argv + state->next;
		a->nr = (unsigned int)(state->argc - state->next);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no PATH given; name a file or folder with fio's JSON");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* What reading came to: inputs that gave nothing, things in folders that could not be read. */
struct gaps {
	unsigned int empty, left_out;
};

static struct gaps read_inputs(struct folded *f, struct input *inputs, unsigned int nr)
{
	struct gaps gaps = { 0 };

	for (unsigned int i = 0; i < nr; i++) {
		size_t first = f->nr;
		struct walked w;
		char *why = walk_input(f, &inputs[i], i, &w);

		if (why)
			text_say("%s", why);
		else if (w.skipped)
			text_say("%s: skipped %u file%s without fio results (%s%s)", inputs[i].path,
				 w.skipped, w.skipped > 1 ? "s" : "", w.first,
				 w.skipped > 1 ? ", ..." : "");
		gaps.empty += !!why;
		gaps.left_out += w.left_out;
		label_points(f, first, &inputs[i]);
		free(why);
		free(w.first);
	}
	return gaps;
}

static bool same_file(const struct stat *a, const char *path)
{
	struct stat b;

	if (strcmp(path, "-") ? stat(path, &b) : fstat(STDIN_FILENO, &b))
		return false;
	return S_ISREG(b.st_mode) && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* The input, or the file in one that gave points, that writing to @output would destroy; or NULL. */
static const char *output_destroys(const char *output, const struct folded *f,
				   const struct input *inputs, unsigned int nr)
{
	struct stat st;

	if (!output || stat(output, &st))
		return NULL;
	for (unsigned int i = 0; i < nr; i++)
		if (same_file(&st, inputs[i].path))
			return inputs[i].path;
	for (size_t i = 0; i < f->nr; i++)
		if (same_file(&st, f->points[i].file))
			return f->points[i].file;
	return NULL;
}

static int render(const struct arguments *a, const struct folded *f)
{
	FILE *out = a->output ? fopen(a->output, "w") : stdout;
	const char *name = a->output ? a->output : "standard output";
	struct curves curves;
	bool failed;

	if (!out) {
		text_say("%s: cannot be written: %s", name, strerror(errno));
		return STATUS_USAGE;
	}
	curves_make(&curves, f);
	a->format->render(out, &(struct report){ .folded = f, .curves = &curves });
	curves_free(&curves);
	failed = ferror(out);
	failed |= a->output ? fclose(out) : fflush(out);
	if (failed) {
		text_say("%s: cannot be written: %s", name, strerror(errno));
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < f->nr; i++)
		if (f->points[i].flags & FLAG_FAILED)
			return STATUS_INCOMPLETE;
	return STATUS_FINE;
}

static int run(const struct arguments *a)
{
	struct input *inputs = alloc_zero(a->nr, sizeof(*inputs));
	struct folded folded = { .unmerged = a->entries };
	int status = STATUS_USAGE;
	const char *destroyed;
	struct gaps gaps;
	char *conflict;

	for (unsigned int i = 0; i < a->nr; i++)
		input_init(&inputs[i], a->paths[i]);
	gaps = read_inputs(&folded, inputs, a->nr);
	conflict = label_conflict(&folded, inputs);
	destroyed = output_destroys(a->output, &folded, inputs, a->nr);
	if (conflict)
		text_say("%s", conflict);
	else if (destroyed)
		text_say("--output=%s: is the input %s; name another file", a->output, destroyed);
	else if (folded.nr)
		status = render(a, &folded);
	if (status == STATUS_FINE && gaps.left_out)
		status = STATUS_INCOMPLETE;
	if (gaps.empty)
		status = STATUS_USAGE;
	free(conflict);
	folded_free(&folded);
	for (unsigned int i = 0; i < a->nr; i++)
		input_free(&inputs[i]);
	free(inputs);
	return status;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { options, parse_option, "PATH...", doc, 0, 0, 0 };
	struct arguments a = { .format = &formats[0] };

	/* For the width of characters; numbers keep their point. */
	setlocale(LC_CTYPE, "");
	argp_err_exit_status = STATUS_USAGE;
	argp_parse(&argp, argc, argv, 0, 0, &a);
	return run(&a);
}
