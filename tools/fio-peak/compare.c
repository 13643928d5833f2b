// SPDX-License-Identifier: GPL-2.0-only
/* The table of metrics and the arithmetic of comparisons. */
#include "compare.h"
#include "alloc.h"
#include "settings.h"
#include "show.h"

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

	if (p->review)
		return alloc_string(p->review);
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

/* Comparing */

int compare_nr(const struct report *r)
{
	return COMPARE_CAPS + (int)r->rules->caps_nr;
}

bool compare_higher(int what)
{
	if (what < METRIC_NR)
		return metrics[what].higher;
	return what == COMPARE_PRACTICAL_IOPS || what >= COMPARE_CAPS;
}

const char *compare_key(int what)
{
	static const char *const keys[] = { "practical_iops", "practical_us", "low_us" };

	if (what < METRIC_NR)
		return metrics[what].key;
	return what < COMPARE_CAPS ? keys[what - METRIC_NR] : "cap_iops";
}

char *compare_title(const struct report *r, int what)
{
	const char *latency = r->rules->pct < 0 ? "" : shape_latency_name(r->rules);

	if (what < METRIC_NR)
		return alloc_printf(what < METRIC_MEAN ? "%s" : "%s %s", show_title(r->rules, what),
				    show_time(r->rules));
	if (what == COMPARE_PRACTICAL_IOPS)
		return alloc_string("PRACTICAL");
	if (what < COMPARE_CAPS)
		return alloc_printf("%s %s%s%s", what == COMPARE_LOW ? "LOW" : "PRACTICAL", latency,
				    *latency ? " " : "", show_time(r->rules));
	return alloc_printf("<=%s", r->rules->cap_names[what - COMPARE_CAPS]);
}

static bool competes(const struct point *p)
{
	return !(p->flags & (FLAG_FAILED | FLAG_CUT));
}

static void stand_by_latency(struct standing *s, const struct point *p,
			     const struct shape_rules *rules)
{
	s->value = shape_latency(p, rules) / 1000;
	s->bound = shape_bound(p, rules);
}

/* What failed is in no shape. */
static void stand_by_shape(struct standing *s, const struct report *r, const struct curve *c,
			   int what)
{
	const struct shape *shape = &r->shapes[c - r->curves->list];
	struct cap_found found;
	double cap = what < COMPARE_CAPS ? NAN : r->rules->caps[what - COMPARE_CAPS];

	s->competes = shape->max || (!isnan(cap) && shape_has_cap(c, shape, r->rules, cap));
	if (!s->competes)
		return;
	switch (what) {
	case COMPARE_PRACTICAL_IOPS:
		s->value = shape->practical->dir[DIR_ALL].iops;
		return;
	case COMPARE_PRACTICAL:
		stand_by_latency(s, shape->practical, r->rules);
		return;
	case COMPARE_LOW:
		stand_by_latency(s, shape->low, r->rules);
		return;
	default:
		found = shape_cap(c, r->rules, cap);
		s->value = found.iops;
		s->at_least = found.at_least;
	}
}

/* Value and what it is worth; value NAN: the drive does not have it. */
static struct standing stand(const struct report *r, const struct curve *c, int what)
{
	struct standing s = { .value = NAN, .percent = NAN };
	const struct figures *f;

	if (!c)
		return s;
	if (what >= METRIC_NR) {
		stand_by_shape(&s, r, c, what);
		return s;
	}
	f = &c->peak->dir[DIR_ALL];
	s.value = metric_value(f, what);
	s.bound = metric_worst(f, what);
	s.competes = competes(c->peak);
	return s;
}

unsigned int compare_count(const struct report *r, unsigned int workload, int what)
{
	unsigned int have = 0;

	if (r->curves->per_workload[workload] < 2)
		return 0;
	for (unsigned int d = 0; d < r->curves->drives; d++)
		have += !isnan(stand(r, curves_find(r->curves, workload, d), what).value);
	return have;
}

/* A lower bound is good enough to be best, but not to be behind. */
static bool is_settled(const struct report *r, unsigned int workload, int what, double best)
{
	unsigned int at_best = 0, at_least = 0;

	for (unsigned int d = 0; d < r->curves->drives; d++) {
		struct standing s = stand(r, curves_find(r->curves, workload, d), what);

		if (isnan(s.value) || !s.competes)
			continue;
		if (s.bound || (s.at_least && s.value != best))
			return false;
		at_best += s.value == best;
		at_least += s.at_least;
	}
	return !at_least || at_best == 1;
}

double compare_best(const struct report *r, unsigned int workload, int what)
{
	bool higher = compare_higher(what);
	double best = NAN;

	if (compare_count(r, workload, what) < 2)
		return NAN;
	for (unsigned int d = 0; d < r->curves->drives; d++) {
		struct standing s = stand(r, curves_find(r->curves, workload, d), what);

		if (s.competes)
			best = higher ? fmax(best, s.value) : fmin(best, s.value);
	}
	return is_settled(r, workload, what, best) ? best : NAN;
}

/* What a drive is compared with; NAN: a bound, there or here, tells nothing. */
static double baseline_value(const struct report *r, const struct curve *c, int what,
			     struct standing *own)
{
	unsigned int base = (unsigned int)r->baseline;
	struct standing s = stand(r, curves_find(r->curves, c->workload, base), what);

	own->is_baseline = c->drive == base;
	return s.bound || s.at_least || own->at_least ? NAN : s.value;
}

struct standing compare_standing(const struct report *r, const struct curve *c, int what,
				 double best)
{
	struct standing s = stand(r, c, what);

	s.best = s.competes && !s.bound && s.value == best;
	if (c && r->baseline >= 0)
		best = baseline_value(r, c, what, &s);
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
