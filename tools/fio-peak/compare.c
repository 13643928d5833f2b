// SPDX-License-Identifier: GPL-2.0-only
/* The table of metrics and the arithmetic of comparisons. */
#include "compare.h"
#include "alloc.h"

const struct metric metrics[METRIC_NR] = {
	[METRIC_IOPS] = { "IOPS", "iops", true, -1 },
	[METRIC_MB_S] = { "MB/s", "mb_s", true, -1 },
	[METRIC_MEAN] = { "mean", "mean_us", false, -1 },
	[METRIC_P50] = { "p50", "p50_us", false, P50 },
	[METRIC_P99] = { "p99", "p99_us", false, P99 },
	[METRIC_P99_9] = { "p99.9", "p99_9_us", false, P99_9 },
	[METRIC_P99_99] = { "p99.99", "p99_99_us", false, P99_99 },
};

double metric_value(const struct figures *f, int metric)
{
	if (!f->present)
		return NAN;
	if (metric == METRIC_IOPS)
		return f->iops;
	if (metric == METRIC_MB_S)
		return f->bytes_s / 1e6;
	if (metric == METRIC_MEAN)
		return f->clat.mean / 1000;
	return f->clat.pct[metrics[metric].pct] / 1000;
}

bool metric_worst(const struct figures *f, int metric)
{
	return metrics[metric].pct >= 0 && f->clat.worst;
}

static const char *source_directions(const struct point *p, enum direction dir)
{
	return dir == DIR_ALL && !p->own_sum
		       ? point_directions(p) > 1 ? "*" : point_direction_name(p, dir)
		       : direction_names[dir];
}

char *metric_source(const struct point *p, enum direction dir, int metric)
{
	const struct figures *f = &p->dir[dir];
	const char *name = source_directions(p, dir), *e = p->entries;
	bool many = f->from > 1;

	if (metric == METRIC_IOPS && many)
		return alloc_printf("sum(%s.%s.total_ios)*1000/max(%s.%s.runtime)", e, name, e,
				    name);
	if (metric == METRIC_IOPS)
		return alloc_printf("%s.%s.iops", e, name);
	if (metric == METRIC_MB_S)
		return many ? alloc_printf("sum(%s.%s.io_bytes)*1000/max(%s.%s.runtime)", e, name,
					   e, name)
			    : alloc_printf("%s.%s.io_bytes*1000/runtime", e, name);
	if (metric == METRIC_MEAN)
		return alloc_printf(many ? "mean by count of %s.%s.%s.mean" : "%s.%s.%s.mean", e,
				    name, p->latency_field);
	if (f->clat.worst)
		return alloc_printf("max(%s.%s.%s.percentile)", e, name, p->latency_field);
	return alloc_printf(many ? "merged %s.%s.%s.bins" : "%s.%s.%s.percentile", e, name,
			    p->latency_field);
}

bool compare_competes(const struct point *p)
{
	return !(p->flags & (FLAG_FAILED | FLAG_CUT));
}

double compare_best(const struct curves *c, unsigned int workload, int metric)
{
	unsigned int have = 0;
	double best = NAN;

	if (c->per_workload[workload] < 2)
		return NAN;
	for (unsigned int d = 0; d < c->drives; d++) {
		const struct curve *curve = curves_find(c, workload, d);
		double v = curve ? metric_value(&curve->peak->dir[DIR_ALL], metric) : NAN;

		have += !isnan(v);
		if (!curve || isnan(v) || !compare_competes(curve->peak))
			continue;
		best = metrics[metric].higher ? fmax(best, v) : fmin(best, v);
	}
	return have > 1 ? best : NAN;
}

double compare_percent(double value, double best)
{
	return best > 0 ? (value - best) / best * 100 : NAN;
}

static bool differs(const char *a, const char *b)
{
	return a && b && strcasecmp(a, b);
}

const char *compare_differs(const struct curves *c, unsigned int workload)
{
	const struct point *first = NULL;

	if (c->per_workload[workload] < 2)
		return NULL;
	for (unsigned int d = 0; d < c->drives; d++) {
		const struct curve *curve = curves_find(c, workload, d);
		const struct point *p = curve ? curve->peak : NULL;

		if (!p)
			continue;
		if (!first)
			first = p;
		if (differs(p->rw, first->rw))
			return "rw";
		if (differs(p->bs, first->bs))
			return "bs";
		if (differs(p->iodepth, first->iodepth))
			return "iodepth";
		if (differs(p->numjobs, first->numjobs) || p->jobs != first->jobs)
			return "number of jobs";
	}
	return NULL;
}
