/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of what people read, each in its file; the same in every style of page. */
#ifndef PEAK_SECTIONS_H
#define PEAK_SECTIONS_H

#include "page.h"
#include "render.h"

/*
 * metric_text - a metric of a point's direction as it is shown, "n/a" without a value. The caller's
 * to free.
 */
char *metric_text(const struct shape_rules *rules, const struct point *p, enum direction dir,
		  int metric);

/* section_results - a row for each drive and workload, and what is doubtful about it. */
void section_results(struct page *pg, const struct report *r);

/* section_curves - the shapes of curves; nothing when there are none. */
void section_curves(struct page *pg, const struct report *r);

/* section_grids - figures by jobs and depth; nothing when no workload is a grid. */
void section_grids(struct page *pg, const struct report *r);

/* section_comparison - drives side by side, or that there is nothing to compare. */
void section_comparison(struct page *pg, const struct report *r);

/* section_pairs - what being on costs; nothing when there are no pairs (pairs.h). */
void section_pairs(struct page *pg, const struct report *r);

/* section_feed - the drives that --feed takes; nothing when it was not asked for. */
void section_feed(struct page *pg, const struct report *r);

/* section_power - figures by power state; nothing where no drive has two. */
void section_power(struct page *pg, const struct report *r);

/* section_conditions - steadiness, host, drive; nothing where no more is known than fio's figures. */
void section_conditions(struct page *pg, const struct report *r);

/* section_method - how the shown points were measured, as far as fio tells. */
void section_method(struct page *pg, const struct report *r);

/* sections - results, curves, grids, comparison, pairs and feed. */
void sections(const struct page_style *style, FILE *out, const struct report *r);

#endif
