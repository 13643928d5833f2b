/* SPDX-License-Identifier: GPL-2.0-only */
/* The report: all that renderers print, computed once. */
#ifndef PEAK_REPORT_H
#define PEAK_REPORT_H

#include "shape.h"

/**
 * struct report - what all renderers get.
 * @shapes: one for each curve, in their order.
 * @baseline: the drive that the others are compared with, -1: the best.
 */
struct report {
	const struct folded *folded;
	const struct shape_rules *rules;
	struct curves *curves;
	struct shape *shapes;
	int baseline;
};

/* report_make - of named points; @f and @rules must outlive it. Free with report_free(). */
void report_make(struct report *r, const struct folded *f, const struct shape_rules *rules);
void report_free(struct report *r);

#endif
