// SPDX-License-Identifier: GPL-2.0-only
/* Points -> curves, and within a curve points -> steps. */
#include "curve.h"
#include "alloc.h"
#include "load.h"
#include "names.h"
#include "settings.h"

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

/* Steps */

static bool load_known(const struct point *p)
{
	return !isnan(p->load.asked) && !isnan(p->load.outstanding);
}

static bool loads_known(const struct curve *c)
{
	for (unsigned int i = 0; i < c->nr; i++)
		if (!load_known(c->points[i]))
			return false;
	return true;
}

/* By place in memory: the order in which they were read. */
static int in_order(const struct point *a, const struct point *b)
{
	return (a > b) - (a < b);
}

static int by_load(const void *a, const void *b)
{
	const struct point *x = *(const struct point *const *)a,
			   *y = *(const struct point *const *)b;
	int order = load_compare(&x->load, &y->load);

	return order ? order : in_order(x, y);
}

/* What was not timed is last. */
static int by_in_flight(const void *a, const void *b)
{
	const struct point *x = *(const struct point *const *)a,
			   *y = *(const struct point *const *)b;
	double l = isnan(x->load.in_flight) ? INFINITY : x->load.in_flight;
	double m = isnan(y->load.in_flight) ? INFINITY : y->load.in_flight;

	return l != m ? (l > m) - (l < m) : in_order(x, y);
}

static int by_iops(const void *a, const void *b)
{
	const struct point *x = *(const struct point *const *)a,
			   *y = *(const struct point *const *)b;
	bool failed = x->flags & FLAG_FAILED, other = y->flags & FLAG_FAILED;
	double l = x->dir[DIR_ALL].iops, m = y->dir[DIR_ALL].iops;

	if (failed != other)
		return failed - other;
	return l != m ? (l > m) - (l < m) : in_order(x, y);
}

/*
 * Makes a step of the points from @from on that have the load and settings of the first. They are
 * brought together; those of the same load but other settings come after them.
 */
static void step_gather(struct step *s, const struct point **from, unsigned int left, bool known)
{
	*s = (struct step){ .points = from, .nr = 1 };
	for (unsigned int i = 1; known && i < left; i++) {
		const struct point *p = from[i];

		if (load_compare(&p->load, &from[0]->load))
			break;
		if (settings_differ(p, from[0]))
			continue;
		from[i] = from[s->nr];
		from[s->nr++] = p;
	}
}

static void step_judge(struct step *s)
{
	qsort(s->points, s->nr, sizeof(*s->points), by_iops);
	while (s->good < s->nr && !(s->points[s->good]->flags & FLAG_FAILED))
		s->good++;
	s->point = s->points[s->good ? (s->good - 1) / 2 : 0];
	s->lowest = s->points[0]->dir[DIR_ALL].iops;
	s->highest = s->points[s->good ? s->good - 1 : 0]->dir[DIR_ALL].iops;
}

double step_spread(const struct step *s)
{
	double median = s->point->dir[DIR_ALL].iops;

	return s->good > 1 && median > 0 ? (s->highest - s->lowest) / median * 100 : NAN;
}

static bool better_peak(const struct point *p, const struct point *than)
{
	bool failed = p->flags & FLAG_FAILED, than_failed = than->flags & FLAG_FAILED;

	if (failed != than_failed)
		return !failed;
	return p->dir[DIR_ALL].iops > than->dir[DIR_ALL].iops;
}

static void curve_steps(struct curve *c)
{
	if (!c->nr)
		return;
	c->known = loads_known(c);
	qsort(c->points, c->nr, sizeof(*c->points), c->known ? by_load : by_in_flight);
	for (unsigned int i = 0; i < c->nr; i += c->steps[c->steps_nr++].nr) {
		struct step *s = &c->steps[c->steps_nr];

		step_gather(s, &c->points[i], c->nr - i, c->known);
		step_judge(s);
		c->failed += s->nr - s->good;
		c->repeats = s->nr > c->repeats ? s->nr : c->repeats;
		if (!c->peak || better_peak(s->point, c->peak)) {
			c->peak = s->point;
			c->peak_step = s;
		}
	}
}

/* Curves */

void curves_make(struct curves *c, const struct folded *f)
{
	struct place *places;
	struct curve *last = NULL;

	*c = (struct curves){ 0 };
	places = places_make(c, f);
	c->list = alloc_zero(f->nr, sizeof(*c->list));
	c->points = alloc_zero(f->nr, sizeof(*c->points));
	c->steps = alloc_zero(f->nr, sizeof(*c->steps));
	c->per_workload = alloc_zero(c->workloads, sizeof(*c->per_workload));
	for (size_t i = 0; i < f->nr; i++) {
		const struct place *p = &places[i];

		if (!last || last->workload != p->workload || last->drive != p->drive) {
			last = &c->list[c->nr++];
			c->per_workload[p->workload]++;
			*last = (struct curve){ .workload = p->workload,
						.drive = p->drive,
						.points = &c->points[i],
						.steps = &c->steps[i] };
		}
		last->points[last->nr++] = p->point;
	}
	c->shown = alloc_zero(c->nr, sizeof(*c->shown));
	free(places);
	for (size_t i = 0; i < c->nr; i++) {
		curve_steps(&c->list[i]);
		c->shown[i] = &c->list[i];
	}
}

void curves_free(struct curves *c)
{
	free(c->shown);
	free(c->list);
	free(c->points);
	free(c->steps);
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
