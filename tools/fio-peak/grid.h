/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Grids: a workload that ran without a rate at several numbers of jobs and several depths. Says
 * which, and finds the points.
 */
#ifndef PEAK_GRID_H
#define PEAK_GRID_H

#include "shape.h"

/* A grid's axes, rising; of all drives of a workload. Zero-initialised: there is none. */
struct grid {
	unsigned int *jobs, *depths;
	size_t jobs_nr, jobs_cap, depths_nr, depths_cap;
};

/*
 * grid_make - the grid of a workload; empty where none of its drives ran at two or more of both.
 * Free with grid_free().
 */
void grid_make(struct grid *g, const struct curves *c, unsigned int workload);
void grid_free(struct grid *g);

/* grid_point - of a drive's curve at @jobs x @depth; NULL if there is none that did not fail. */
const struct point *grid_point(const struct curve *c, unsigned int jobs, unsigned int depth);

#endif
