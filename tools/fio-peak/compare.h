/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparing: the metrics that we print, which way each is good, and how drives stand against the
 * best of them in a workload.
 */
#ifndef PEAK_COMPARE_H
#define PEAK_COMPARE_H

#include "report.h"

enum {
	METRIC_IOPS,
	METRIC_MB_S,
	METRIC_MEAN,
	METRIC_P50,
	METRIC_P99,
	METRIC_P99_9,
	METRIC_P99_99,
	METRIC_NR
};

/**
 * struct metric - one number of a direction.
 * @title: for people; @key: for csv and json.
 * @higher: more is better.
 * @pct: index of the percentile, or -1.
 */
struct metric {
	const char *title, *key;
	bool higher;
	int pct;
};

extern const struct metric metrics[METRIC_NR];

/*
 * metric_value - IOPS, MB/s (10^6 bytes) or microseconds of completion latency; NAN: not
 * measured.
 */
double metric_value(const struct figures *f, int metric);

/* metric_worst - is the value an upper bound (see struct spread)? */
bool metric_worst(const struct figures *f, int metric);

/*
 * metric_source - where the value comes from, in fio's own names, e.g.
 * "jobs[0].read.clat_ns.percentile", or the review that printed it. The caller's to free.
 */
char *metric_source(const struct point *p, enum direction dir, int metric);

/* What drives are compared by: the metrics of their peaks, and of their curves as they have them. */
enum {
	COMPARE_PRACTICAL_IOPS = METRIC_NR,
	COMPARE_PRACTICAL,
	COMPARE_LOW,
	COMPARE_CAPS /* and one for each further cap */
};

/* compare_nr - how many there are, from 0. */
int compare_nr(const struct report *r);

/* compare_title - for people, "p99 us"; the caller's to free. */
char *compare_title(const struct report *r, int what);

/* compare_key - for json; of caps "cap_iops". */
const char *compare_key(int what);
bool compare_higher(int what);

/* compare_count - how many drives have it in a workload. */
unsigned int compare_count(const struct report *r, unsigned int workload, int what);

/**
 * compare_best - the best value among the drives in a workload; failed and cut-off peaks do not
 * compete.
 * Return: NAN when fewer than two drives have it, none competes, or one that does is known by a
 * bound only, so that it may be better than all or worse.
 */
double compare_best(const struct report *r, unsigned int workload, int what);

/**
 * struct standing - how a drive stands.
 * @competes: it may be best. @bound: @value is an upper bound, and not compared. @at_least: it is a
 * lower one.
 * @percent: against the best, or the baseline if there is one; +25 is a quarter more; NAN: nothing to say.
 */
struct standing {
	double value, percent;
	bool competes, bound, at_least, best, is_baseline;
};

/* compare_standing - @best is what compare_best() says. */
struct standing compare_standing(const struct report *r, const struct curve *c, int what,
				 double best);

/*
 * compare_differs - the first setting in which the drives' peaks of a workload differ ("bs",
 * "iodepth", ...), NULL if they are alike as far as fio says.
 */
const char *compare_differs(const struct curves *c, unsigned int workload);

#endif
