// SPDX-License-Identifier: GPL-2.0-only
/* Axes are short: they are searched and kept in order as they grow. */
#include "grid.h"
#include "alloc.h"
#include "settings.h"

static unsigned int jobs_of(const struct point *p)
{
	return (unsigned int)settings_copies(p);
}

static unsigned int depth_of(const struct point *p)
{
	return (unsigned int)lround(p->load.outstanding / (double)settings_copies(p));
}

static unsigned int *axis_add(unsigned int *axis, size_t *nr, size_t *cap, unsigned int value)
{
	size_t at = 0;

	while (at < *nr && axis[at] < value)
		at++;
	if (at < *nr && axis[at] == value)
		return axis;
	axis = alloc_grow(axis, *nr, cap, sizeof(*axis));
	memmove(&axis[at + 1], &axis[at], (*nr - at) * sizeof(*axis));
	axis[at] = value;
	++*nr;
	return axis;
}

static void grid_add(struct grid *g, const struct curve *c)
{
	for (unsigned int i = 0; i < c->steps_nr; i++) {
		const struct point *p = c->steps[i].point;

		g->jobs = axis_add(g->jobs, &g->jobs_nr, &g->jobs_cap, jobs_of(p));
		g->depths = axis_add(g->depths, &g->depths_nr, &g->depths_cap, depth_of(p));
	}
}

static bool is_grid(const struct curve *c)
{
	struct grid own = { 0 };
	bool is;

	if (!c->known || c->steps_nr < 4 || shape_varies(c))
		return false;
	for (unsigned int i = 0; i < c->steps_nr; i++)
		if (isfinite(c->steps[i].point->load.asked))
			return false;
	grid_add(&own, c);
	is = own.jobs_nr > 1 && own.depths_nr > 1;
	grid_free(&own);
	return is;
}

void grid_make(struct grid *g, const struct curves *c, unsigned int workload)
{
	*g = (struct grid){ 0 };
	for (unsigned int d = 0; d < c->drives; d++) {
		const struct curve *curve = curves_find(c, workload, d);

		if (curve && is_grid(curve))
			grid_add(g, curve);
	}
}

void grid_free(struct grid *g)
{
	free(g->jobs);
	free(g->depths);
}

const struct point *grid_point(const struct curve *c, unsigned int jobs, unsigned int depth)
{
	for (unsigned int i = 0; i < c->steps_nr; i++) {
		const struct point *p = c->steps[i].point;

		if (!c->known || isfinite(p->load.asked) || p->flags & (FLAG_FAILED | FLAG_CUT))
			continue;
		if (jobs_of(p) == jobs && depth_of(p) == depth)
			return p;
	}
	return NULL;
}
