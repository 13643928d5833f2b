/* SPDX-License-Identifier: GPL-2.0-only */
/* Which points a curve has, as --points= and --grid= say it. Not their rates. */
#ifndef CURVE_POINTS_H
#define CURVE_POINTS_H

#include <stddef.h>

enum {
	POINTS_MAX_PERCENT = 999
};

/* Percentages of the maximum, ascending. The run without a rate, "max", is always made. */
struct points {
	unsigned int *percent;
	size_t nr, cap;
};

/*
 * points_parse - "10-120/10", "10,50,90", "10-50/20,95-105"; "max" alone: no rated point.
 * A range without a step counts by 10.
 * Return: NULL, or what is wrong and what would be right, the caller's to free.
 */
char *points_parse(const char *text, struct points *out);
void points_free(struct points *p);

struct grid_point {
	unsigned int jobs, depth;
};

struct grid {
	struct grid_point *point;
	size_t nr, cap;
};

/* grid_parse - "2x2,4x4": jobs x outstanding I/Os of each, in the order given. As points_parse. */
char *grid_parse(const char *text, struct grid *out);
void grid_free(struct grid *g);

#endif
