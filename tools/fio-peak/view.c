// SPDX-License-Identifier: GPL-2.0-only
/* See view.h. The order of metrics is that of the peaks, the best first. */
#include "view.h"
#include "alloc.h"
#include "compare.h"
#include "names.h"
#include "ranking.h"
#include "show.h"
#include "text.h"

#include <fnmatch.h>

#define LISTED 8 /* names that an error lists */

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

/* "a, b, c, ..."; the caller's to free. */
static char *list_names(const struct folded *f, bool drives)
{
	struct names names = { 0 };
	char *list = alloc_string(""), *longer;

	for (size_t i = 0; i < f->nr; i++)
		names_number(&names, drives ? f->points[i].drive : f->points[i].workload);
	for (unsigned int i = 0; i < names.nr && i <= LISTED; i++) {
		longer = alloc_printf("%s%s%s", list, i ? ", " : "",
				      i == LISTED ? "..." : names.list[i]);
		free(list);
		list = longer;
	}
	names_free(&names);
	return list;
}

static char *unknown(const struct folded *f, const char *option, const char *value, bool drives)
{
	char *list = list_names(f, drives);
	char *why = alloc_printf("--%s=%s: no such %s; there %s %s", option, value,
				 drives ? "drive" : "workload", strstr(list, ", ") ? "are" : "is",
				 list);

	free(list);
	return why;
}

static char *select_workloads(struct folded *f, const char *patterns)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->nr; i++)
		kept += matches(patterns, f->points[i].workload);
	if (!kept)
		return unknown(f, "workloads", patterns, false);
	kept = 0;
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

char *view_select(struct folded *f, const struct view *v)
{
	char *why = v->workloads && f->nr ? select_workloads(f, v->workloads) : NULL;

	if (why || !f->nr)
		return why;
	if (v->baseline && !has_drive(f, v->baseline))
		return unknown(f, "baseline", v->baseline, true);
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

unsigned int view_fallen(const struct report *r, const struct view *v)
{
	unsigned int fallen = 0;

	if (isnan(v->fail_below))
		return 0;
	for (unsigned int w = 0; w < r->curves->workloads; w++) {
		const struct curve *base = curves_find(r->curves, w, (unsigned int)r->baseline);

		for (unsigned int d = 0; base && d < r->curves->drives; d++)
			fallen += has_fallen(r, v, base, curves_find(r->curves, w, d), d);
	}
	return fallen;
}
