/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line -> what is wanted. Ends the program itself for --help and usage errors. */
#ifndef PEAK_OPTIONS_H
#define PEAK_OPTIONS_H

#include "group.h"
#include "render.h"
#include "view.h"

#include <argp.h>

/* Exit statuses. */
enum {
	STATUS_FINE = 0,
	STATUS_INCOMPLETE = 1, /* failed runs, or something was left out */
	STATUS_USAGE = 2
};

/**
 * struct options - strings are those of argv.
 * @output: a file, or NULL for standard output.
 * @published: labels of reviews' figures, or NULL.
 * @entries: merge nothing.
 * @summary: was given; @render is then render_summary().
 * @explain: tell on stderr how points were named and what became of files.
 * @paths: @nr of them, at least one or @published.
 */
struct options {
	void (*render)(FILE *out, const struct report *r);
	const char *output, *published;
	bool entries, summary, explain;
	struct group_by by;
	struct shape_rules rules;
	struct view view;
	char **paths;
	unsigned int nr;
};

/* Those that change no figure; its input is a struct options, too. */
extern const struct argp options_view;

void options_parse(struct options *o, int argc, char **argv);

#endif
