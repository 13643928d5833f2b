// SPDX-License-Identifier: GPL-2.0-only
/* Points -> curves. Practical peaks, knees and caps belong here when they come. */
#include "curve.h"
#include "alloc.h"
#include "names.h"

struct place {
	unsigned int workload, drive;
	const struct point *point;
};

static int place_compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->workload != y->workload)
		return x->workload < y->workload ? -1 : 1;
	if (x->drive != y->drive)
		return x->drive < y->drive ? -1 : 1;
	return (x->point > y->point) - (x->point < y->point);
}

static struct place *places_make(struct curves *c, const struct folded *f)
{
	struct names drives = { 0 }, workloads = { 0 };
	struct place *places = alloc_zero(f->nr, sizeof(*places));

	for (size_t i = 0; i < f->nr; i++) {
		places[i].workload = names_number(&workloads, f->points[i].workload);
		places[i].drive = names_number(&drives, f->points[i].drive);
		places[i].point = &f->points[i];
	}
	qsort(places, f->nr, sizeof(*places), place_compare);
	c->drive_names = drives.list;
	c->drives = drives.nr;
	c->workload_names = workloads.list;
	c->workloads = workloads.nr;
	free(drives.slots);
	free(workloads.slots);
	return places;
}

static bool better_peak(const struct point *p, const struct point *than)
{
	bool failed = p->flags & FLAG_FAILED, than_failed = than->flags & FLAG_FAILED;

	if (failed != than_failed)
		return !failed;
	return p->dir[DIR_ALL].iops > than->dir[DIR_ALL].iops;
}

static void curve_add(struct curve *c, const struct point *p)
{
	c->points[c->nr++] = p;
	c->failed += !!(p->flags & FLAG_FAILED);
	if (!c->peak || better_peak(p, c->peak))
		c->peak = p;
}

void curves_make(struct curves *c, const struct folded *f)
{
	struct place *places;
	struct curve *last = NULL;

	*c = (struct curves){ 0 };
	places = places_make(c, f);
	c->list = alloc_zero(f->nr, sizeof(*c->list));
	c->points = alloc_zero(f->nr, sizeof(*c->points));
	c->per_workload = alloc_zero(c->workloads, sizeof(*c->per_workload));
	for (size_t i = 0; i < f->nr; i++) {
		const struct place *p = &places[i];

		if (!last || last->workload != p->workload || last->drive != p->drive) {
			last = &c->list[c->nr++];
			c->per_workload[p->workload]++;
			*last = (struct curve){ .workload = p->workload,
						.drive = p->drive,
						.points = &c->points[i] };
		}
		curve_add(last, p->point);
	}
	free(places);
}

void curves_free(struct curves *c)
{
	free(c->list);
	free(c->points);
	free(c->per_workload);
	free(c->drive_names);
	free(c->workload_names);
}

static int curve_compare(const void *a, const void *b)
{
	const struct curve *x = a, *y = b;

	if (x->workload != y->workload)
		return x->workload < y->workload ? -1 : 1;
	return (x->drive > y->drive) - (x->drive < y->drive);
}

const struct curve *curves_find(const struct curves *c, unsigned int workload, unsigned int drive)
{
	struct curve key = { .workload = workload, .drive = drive };

	return bsearch(&key, c->list, c->nr, sizeof(*c->list), curve_compare);
}
