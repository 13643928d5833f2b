// SPDX-License-Identifier: GPL-2.0-only
/* See view.h. The order of metrics is that of the peaks, the best first. */
#include "view.h"
#include "alloc.h"
#include "compare.h"
#include "label.h"
#include "ranking.h"
#include "show.h"
#include "text.h"

#include <fnmatch.h>

/* Selecting */

static bool matches(const char *patterns, const char *name)
{
	char *list = alloc_string(patterns), *rest = list, *pattern;
	bool found = false;

	while ((pattern = strsep(&rest, ",")))
		found |= !fnmatch(pattern, name, 0);
	free(list);
	return found;
}

/* A pattern that matches nothing is told of: it may be a slip, or a workload that did not run. */
static size_t count_matches(const struct folded *f, const char *patterns)
{
	char *list = alloc_string(patterns), *rest = list, *pattern;
	size_t all = 0, nr;
	char *why;

	for (size_t i = 0; i < f->nr; i++)
		all += matches(patterns, f->points[i].workload);
	while (all && (pattern = strsep(&rest, ","))) {
		nr = 0;
		for (size_t i = 0; i < f->nr; i++)
			nr += matches(pattern, f->points[i].workload);
		why = nr ? NULL : label_unknown(f, "workloads", pattern, false);
		if (why)
			text_say("%s", why);
		free(why);
	}
	free(list);
	return all;
}

static char *select_workloads(struct folded *f, const char *patterns)
{
	size_t kept = 0;

	if (!count_matches(f, patterns))
		return label_unknown(f, "workloads", patterns, false);
	for (size_t i = 0; i < f->nr; i++) {
		if (matches(patterns, f->points[i].workload))
			f->points[kept++] = f->points[i];
		else
			point_free(&f->points[i]);
	}
	f->nr = kept;
	return NULL;
}

/* 4k is before 16k. */
static int by_name(const void *a, const void *b)
{
	const struct point *p = *(const struct point *const *)a;
	const struct point *q = *(const struct point *const *)b;
	int order = strverscmp(p->workload, q->workload);

	if (!order)
		order = strverscmp(p->drive, q->drive);
	return order ? order : (p > q) - (p < q);
}

static void sort_points(struct folded *f)
{
	const struct point **order = alloc_zero(f->nr, sizeof(const struct point *));
	struct point *sorted = alloc_zero(f->nr, sizeof(*sorted));

	for (size_t i = 0; i < f->nr; i++)
		order[i] = &f->points[i];
	qsort(order, f->nr, sizeof(*order), by_name);
	for (size_t i = 0; i < f->nr; i++)
		sorted[i] = *order[i];
	free(f->points);
	free(order);
	f->points = sorted;
	f->cap = f->nr;
}

static bool has_drive(const struct folded *f, const char *drive)
{
	for (size_t i = 0; i < f->nr; i++)
		if (!strcmp(f->points[i].drive, drive))
			return true;
	return false;
}

static bool is_alone(const struct folded *f)
{
	for (size_t i = 1; i < f->nr; i++)
		if (strcmp(f->points[i].drive, f->points[0].drive))
			return false;
	return true;
}

char *view_select(struct folded *f, const struct view *v)
{
	char *why = v->workloads && f->nr ? select_workloads(f, v->workloads) : NULL;

	if (why || !f->nr)
		return why;
	if (v->baseline && !has_drive(f, v->baseline))
		return label_unknown(f, "baseline", v->baseline, true);
	if (!isnan(v->fail_below) && is_alone(f))
		return alloc_printf("--fail-below: no drive but %s, the --baseline: nothing to "
				    "compare; give another drive's PATH",
				    v->baseline);
	if (v->sort == SORT_NAME)
		sort_points(f);
	return NULL;
}

/* Applying */

/* What was not measured is last, and what failed behind all others. */
static int by_metric(const void *a, const void *b, void *metric)
{
	const struct curve *x = *(const struct curve *const *)a;
	const struct curve *y = *(const struct curve *const *)b;
	int m = *(const int *)metric, sign = metrics[m].higher ? -1 : 1;
	double v = metric_value(&x->peak->dir[DIR_ALL], m);
	double w = metric_value(&y->peak->dir[DIR_ALL], m);
	bool failed = x->peak->flags & FLAG_FAILED, other = y->peak->flags & FLAG_FAILED;

	if (failed != other)
		return failed - other;
	if (isnan(v) || isnan(w))
		return isnan(v) != isnan(w) ? isnan(v) - isnan(w) : (x > y) - (x < y);
	return v != w ? sign * ((v > w) - (v < w)) : (x > y) - (x < y);
}

void view_apply(struct report *r, const struct view *v)
{
	struct curves *cs = r->curves;
	int metric = v->sort;
	unsigned int nr;

	for (unsigned int d = 0; v->baseline && d < cs->drives; d++)
		if (!strcmp(cs->drive_names[d], v->baseline))
			r->baseline = (int)d;
	for (size_t i = 0; metric >= 0 && i < cs->nr; i += nr) {
		nr = cs->per_workload[cs->shown[i]->workload];
		qsort_r(&cs->shown[i], nr, sizeof(*cs->shown), by_metric, &metric);
	}
}

/* Judging */

/* One line when @c, which may be NULL, is too far below @base. */
static bool has_fallen(const struct report *r, const struct view *v, const struct curve *base,
		       const struct curve *c, unsigned int drive)
{
	int metric = ranking_is_large(base->peak) ? METRIC_MB_S : METRIC_IOPS;
	const char *workload = r->curves->workload_names[base->workload];
	const char *name = r->curves->drive_names[drive];
	double was = metric_value(&base->peak->dir[DIR_ALL], metric);
	double is = c ? metric_value(&c->peak->dir[DIR_ALL], metric) : NAN;
	char *was_text, *is_text;

	/* A baseline that measured nothing is nothing to fall below. */
	if (!(was > 0) || is >= was * (1 - v->fail_below))
		return false;
	if (!c || isnan(is)) {
		text_say("%s on %s: no %s; %s has it (--fail-below)", workload, name,
			 c ? show_title(r->rules, metric) : "run", v->baseline);
		return true;
	}
	is_text = show_metric(r->rules, metric, is, false);
	was_text = show_metric(r->rules, metric, was, false);
	text_say("%s on %s, %s: %s %s, %.1f%% below %s's %s (--fail-below=%g%%)", workload, name,
		 point_direction_name(c->peak, DIR_ALL), is_text, show_title(r->rules, metric),
		 (was - is) / was * 100, v->baseline, was_text, v->fail_below * 100);
	free(is_text);
	free(was_text);
	return true;
}

/* The gate sees one run of a workload only. */
static void tell_varying(const struct report *r, const struct curve *c)
{
	const char *setting = shape_varies(c);

	if (setting)
		text_say("%s on %s: its runs have different settings (%s): --fail-below judges "
			 "only the one with the most IOPS; --group-by=jobname,rw,bs tells them "
			 "apart",
			 r->curves->workload_names[c->workload], r->curves->drive_names[c->drive],
			 setting);
}

unsigned int view_fallen(const struct report *r, const struct view *v)
{
	unsigned int fallen = 0;

	if (isnan(v->fail_below))
		return 0;
	for (size_t i = 0; i < r->curves->nr; i++)
		tell_varying(r, &r->curves->list[i]);
	for (unsigned int w = 0; w < r->curves->workloads; w++) {
		const struct curve *base = curves_find(r->curves, w, (unsigned int)r->baseline);

		for (unsigned int d = 0; base && d < r->curves->drives; d++)
			fallen += has_fallen(r, v, base, curves_find(r->curves, w, d), d);
	}
	return fallen;
}
