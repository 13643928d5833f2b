// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio-peak: fio JSON in, a table that compares drives out. The order of the work: read and fold
 * every input, name, sort into curves, render.
 */
#include "alloc.h"
#include "companions.h"
#include "explain.h"
#include "meter.h"
#include "options.h"
#include "published.h"
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

	if (!output || !strcmp(output, "-") || stat(output, &st))
		return NULL;
	for (unsigned int i = 0; i < nr; i++)
		if (same_file(&st, inputs[i].path))
			return inputs[i].path;
	for (size_t i = 0; i < f->nr; i++) {
		const struct point *p = &f->points[i];

		if (same_file(&st, p->own ? p->own : p->file))
			return p->own ? p->own : p->file;
	}
	return NULL;
}

/* "-" is standard output, as for PATH it is standard input. */
static int render(const struct options *o, const struct report *r)
{
	const char *file = o->output && strcmp(o->output, "-") ? o->output : NULL;
	FILE *out = file ? fopen(file, "w") : stdout;
	const char *name = file ? file : "standard output";
	bool failed;

	if (!out) {
		text_say("%s: cannot be written: %s", name, strerror(errno));
		return STATUS_USAGE;
	}
	o->render(out, r);
	failed = ferror(out);
	failed |= file ? fclose(out) : fflush(out);
	if (failed) {
		text_say("%s: cannot be written: %s", name, strerror(errno));
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < r->folded->nr; i++)
		if (r->folded->points[i].flags & FLAG_FAILED)
			return STATUS_INCOMPLETE;
	return STATUS_FINE;
}

static int report(const struct options *o, const struct folded *f)
{
	struct report r;
	char *why;
	int status;

	report_make(&r, f, &o->rules);
	view_apply(&r, &o->view);
	status = render(o, &r);
	if (o->explain)
		explain_points(&r);
	why = o->view.plot.file ? plot_draw(&r, &o->view.plot) : NULL;
	if (why)
		text_say("%s", why);
	if (view_fallen(&r, &o->view) && status == STATUS_FINE)
		status = STATUS_INCOMPLETE;
	report_free(&r);
	status = why ? STATUS_USAGE : status;
	free(why);
	return status;
}

/* "--output=FILE: is the input ..."; NULL: it is none. The caller's to free. */
static char *output_objection(const char *option, const char *file, const struct folded *f,
			      const struct input *inputs, unsigned int nr)
{
	const char *destroyed = output_destroys(file, f, inputs, nr);

	return destroyed ? alloc_printf("--%s=%s: is the input %s; name another file", option, file,
					destroyed)
			 : NULL;
}

/* One would be written over the other. */
static char *output_plotted(const struct options *o)
{
	const char *plot = o->view.plot.file;
	struct stat st;

	if (!o->output || !plot)
		return NULL;
	if (strcmp(o->output, plot) && (stat(o->output, &st) || !same_file(&st, plot)))
		return NULL;
	return alloc_printf("--plot=%s: is the --output; name another file", plot);
}

/* Why there will be no report; NULL: there will. The caller's to free. */
static char *prepare(struct folded *f, const struct input *inputs, const struct options *o)
{
	char *why = NULL;

	if (o->published)
		why = published_read(f, o->published, o->nr, &o->by,
				     !o->nr && published_all(o->published));
	companions_read(f);
	label_families(f);
	if (!why)
		why = label_conflict(f, inputs, o->nr);
	if (!why)
		why = output_objection("output", o->output, f, inputs, o->nr);
	if (!why)
		why = output_objection("plot", o->view.plot.file, f, inputs, o->nr);
	if (!why)
		why = output_plotted(o);
	for (unsigned int i = 0; !why && i < o->view.meters_nr; i++)
		why = meter_apply(f, o->view.meters[i]);
	return why ? why : view_select(f, &o->view);
}

static int run(const struct options *o)
{
	/* One more, without a name that could be in conflict, for what is published. */
	struct input *inputs = alloc_zero(o->nr + 1, sizeof(*inputs));
	struct folded folded = { .unmerged = o->entries };
	int status = STATUS_USAGE;
	struct gaps gaps;
	char *why;

	for (unsigned int i = 0; i < o->nr; i++)
		input_init(&inputs[i], o->paths[i]);
	gaps = read_inputs(&folded, inputs, o);
	why = prepare(&folded, inputs, o);
	if (why)
		text_say("%s", why);
	else if (folded.nr)
		status = report(o, &folded);
	if (status == STATUS_FINE && gaps.left_out)
		status = STATUS_INCOMPLETE;
	if (gaps.empty)
		status = STATUS_USAGE;
	free(why);
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
