// SPDX-License-Identifier: GPL-2.0-only
/* The table of metrics and the arithmetic of comparisons. */
#include "compare.h"
#include "alloc.h"
#include "settings.h"

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

static bool competes(const struct point *p)
{
	return !(p->flags & (FLAG_FAILED | FLAG_CUT));
}

/* The figures that a drive is compared by, NULL when it has not this metric. */
static const struct figures *figures_of(const struct curve *c, int metric)
{
	const struct figures *f = c ? &c->peak->dir[DIR_ALL] : NULL;

	return f && !isnan(metric_value(f, metric)) ? f : NULL;
}

unsigned int compare_count(const struct curves *c, unsigned int workload, int metric)
{
	unsigned int have = 0;

	if (c->per_workload[workload] < 2)
		return 0;
	for (unsigned int d = 0; d < c->drives; d++)
		have += !!figures_of(curves_find(c, workload, d), metric);
	return have;
}

double compare_best(const struct curves *c, unsigned int workload, int metric)
{
	double best = NAN;

	if (compare_count(c, workload, metric) < 2)
		return NAN;
	for (unsigned int d = 0; d < c->drives; d++) {
		const struct curve *curve = curves_find(c, workload, d);
		const struct figures *f = figures_of(curve, metric);

		if (!f || !competes(curve->peak))
			continue;
		if (metric_worst(f, metric))
			return NAN;
		best = metrics[metric].higher ? fmax(best, metric_value(f, metric))
					      : fmin(best, metric_value(f, metric));
	}
	return best;
}

struct standing compare_standing(const struct curve *c, int metric, double best)
{
	const struct figures *f = figures_of(c, metric);
	struct standing s = { .value = NAN, .percent = NAN };

	if (!f)
		return s;
	s.value = metric_value(f, metric);
	s.bound = metric_worst(f, metric);
	s.competes = competes(c->peak);
	s.best = s.competes && !s.bound && s.value == best;
	if (!s.bound && best > 0)
		s.percent = (s.value - best) / best * 100;
	return s;
}

const char *compare_differs(const struct curves *c, unsigned int workload)
{
	const struct point *first = NULL;
	const char *setting = NULL;

	if (c->per_workload[workload] < 2)
		return NULL;
	for (unsigned int d = 0; d < c->drives && !setting; d++) {
		const struct curve *curve = curves_find(c, workload, d);

		if (!curve)
			continue;
		if (!first)
			first = curve->peak;
		setting = settings_differ(first, curve->peak);
	}
	return setting;
}
