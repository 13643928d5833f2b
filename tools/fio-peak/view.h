/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Views: which workloads are shown, in what order, against which drive, and what is drawn. Options
 * that change no figure.
 */
#ifndef PEAK_VIEW_H
#define PEAK_VIEW_H

#include "plot.h"

/* A key of --sort that is no metric. */
enum {
	SORT_GIVEN = -2,
	SORT_NAME = -1 /* 0 and up: a metric, see compare.h */
};

#define VIEW_METERS 16

/**
 * struct view - strings are those of argv.
 * @baseline: the drive that the others are compared with, NULL: with the best.
 * @fail_below: a share, 0.05 is 5%; NAN: not asked for.
 * @meters: readings of watts, "[LABEL=]FILE", see meter.h.
 * @workloads: patterns of fnmatch(3) with commas between them, NULL: all.
 */
struct view {
	struct plot plot;
	const char *baseline;
	double fail_below;
	const char *workloads;
	const char *meters[VIEW_METERS];
	unsigned int meters_nr;
	int sort;
};

/*
 * view_select - forget the points of other workloads, put the rest in order of their names if that is
 * asked for. Points have their names.
 * Return: NULL, or one line that says what is wrong with the view (the caller's to free).
 */
char *view_select(struct folded *f, const struct view *v);

/* view_apply - put the report's drives in order and set its baseline. */
void view_apply(struct report *r, const struct view *v);

/*
 * view_fallen - workloads whose IOPS (or MB/s where I/Os are large) fell below the baseline's by more
 * than was asked for, or are not there; a line each on stderr. Return: how many.
 */
unsigned int view_fallen(const struct report *r, const struct view *v);

#endif
