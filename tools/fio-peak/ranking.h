/* SPDX-License-Identifier: GPL-2.0-only */
/* Rankings: the drives of a workload, best first, as reviews tell them. */
#ifndef PEAK_RANKING_H
#define PEAK_RANKING_H

#include "compare.h"

/* Where I/Os are this large on average, bytes, bandwidth is told, not IOPS. */
#define RANKING_LARGE 65536

/* Closer than this, in percent, is no lead. */
#define RANKING_LEVEL 0.05

/**
 * struct ranking - curves of one workload.
 * @list: @nr by the metric, then @others that are not ranked: they failed, were cut off, or it is not known.
 * @metric: METRIC_IOPS or METRIC_MB_S.
 */
struct ranking {
	const struct curve **list;
	unsigned int nr, others;
	int metric;
};

/*
 * ranking_make - @first: of the workload's curves, which stand together; @nr of them. Free with
 * ranking_free().
 */
void ranking_make(struct ranking *k, const struct curve *first, unsigned int nr);
void ranking_free(struct ranking *k);

/* ranking_is_large - are the point's I/Os that large? */
bool ranking_is_large(const struct point *p);

/* ranking_value - what a drive is ranked by; NAN if fio did not tell it. */
double ranking_value(const struct ranking *k, const struct curve *c);

/* ranking_lead - by how many percent the first is ahead of the second, of two or more. */
double ranking_lead(const struct ranking *k);

/* ranking_has_leader - is the first ahead by more than RANKING_LEVEL? */
bool ranking_has_leader(const struct ranking *k);

/*
 * ranking_quickest - the drive with the lowest latency at its peak; NULL where latencies were not
 * measured or are bounds.
 */
const struct curve *ranking_quickest(const struct ranking *k, const struct shape_rules *rules);

#endif
