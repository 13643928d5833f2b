/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pairs: the same drive or array with something off and on, such as data reduction, and what that costs.
 * They are told by their names: "array-dr-off" and "array-dr-on".
 */
#ifndef PEAK_PAIRS_H
#define PEAK_PAIRS_H

#include "compare.h"

/**
 * struct pair - a workload that both ran; neither failed.
 * @name: without the "off", the pair's own. @metric: METRIC_IOPS, or METRIC_MB_S where only that is known.
 * @cost: of that, percent of @off; @latency_cost: what is added to the latency. NAN: not known.
 */
struct pair {
	const struct curve *off, *on;
	char *name;
	int metric;
	double cost, latency_cost;
};

struct pairs {
	struct pair *list;
	size_t nr;
};

/* pairs_make - in the order of curves. Free with pairs_free(). */
void pairs_make(struct pairs *p, const struct report *r);
void pairs_free(struct pairs *p);

#endif
