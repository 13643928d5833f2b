// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio-peak: fio JSON in, a table that compares drives out. The order of the work: read and fold
 * every input, name, sort into curves, render.
 */
#include "alloc.h"
#include "explain.h"
#include "options.h"
#include "text.h"
#include "walk.h"

#include <errno.h>
#include <locale.h>
#include <unistd.h>
#include <sys/stat.h>

/* What reading came to: inputs that gave nothing, things in folders that could not be read. */
struct gaps {
	unsigned int empty, left_out;
};

static struct gaps read_inputs(struct folded *f, struct input *inputs, const struct options *o)
{
	struct gaps gaps = { 0 };

	for (unsigned int i = 0; i < o->nr; i++) {
		size_t first = f->nr;
		struct walked w;
		char *why = walk_input(f, &inputs[i], i, o->explain, &w);

		if (why)
			text_say("%s", why);
		else if (w.skipped && !o->explain)
			text_say("%s: skipped %u file%s without fio results (%s%s)", inputs[i].path,
				 w.skipped, w.skipped > 1 ? "s" : "", w.first,
				 w.skipped > 1 ? ", ..." : "");
		gaps.empty += !!why;
		gaps.left_out += w.left_out;
		label_points(f, first, &inputs[i], &o->by);
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

static int render(const struct options *o, const struct folded *f)
{
	FILE *out = o->output ? fopen(o->output, "w") : stdout;
	const char *name = o->output ? o->output : "standard output";
	struct report report;
	bool failed;

	if (!out) {
		text_say("%s: cannot be written: %s", name, strerror(errno));
		return STATUS_USAGE;
	}
	report_make(&report, f, &o->rules);
	o->render(out, &report);
	if (o->explain)
		explain_points(&report);
	report_free(&report);
	failed = ferror(out);
	failed |= o->output ? fclose(out) : fflush(out);
	if (failed) {
		text_say("%s: cannot be written: %s", name, strerror(errno));
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < f->nr; i++)
		if (f->points[i].flags & FLAG_FAILED)
			return STATUS_INCOMPLETE;
	return STATUS_FINE;
}

static int run(const struct options *o)
{
	struct input *inputs = alloc_zero(o->nr, sizeof(*inputs));
	struct folded folded = { .unmerged = o->entries };
	int status = STATUS_USAGE;
	const char *destroyed;
	struct gaps gaps;
	char *conflict;

	for (unsigned int i = 0; i < o->nr; i++)
		input_init(&inputs[i], o->paths[i]);
	gaps = read_inputs(&folded, inputs, o);
	conflict = label_conflict(&folded, inputs);
	destroyed = output_destroys(o->output, &folded, inputs, o->nr);
	if (conflict)
		text_say("%s", conflict);
	else if (destroyed)
		text_say("--output=%s: is the input %s; name another file", o->output, destroyed);
	else if (folded.nr)
		status = render(o, &folded);
	if (status == STATUS_FINE && gaps.left_out)
		status = STATUS_INCOMPLETE;
	if (gaps.empty)
		status = STATUS_USAGE;
	free(conflict);
	folded_free(&folded);
	for (unsigned int i = 0; i < o->nr; i++)
		input_free(&inputs[i]);
	free(inputs);
	return status;
}

int main(int argc, char **argv)
{
	struct options o;

	/* For the width of characters; numbers keep their point. */
	setlocale(LC_CTYPE, "");
	options_parse(&o, argc, argv);
	return run(&o);
}
