/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Load: what a point was asked to do, by its options: I/Os per second, I/Os in flight. And whether
 * it did. Knows fio's rules for rates; orders no points.
 */
#ifndef PEAK_LOAD_H
#define PEAK_LOAD_H

#include "point.h"

/* A rated point that achieved less than this share of what was asked is saturated. */
#define LOAD_SATURATED 0.97

/* Little's law: how far I/Os in flight may be from jobs x depth. */
#define LOAD_LITTLE 0.10

/*
 * load_find - fill p->load from the point's options and figures.
 * Where fio lists no options nothing is known.
 */
void load_find(struct point *p);

/* load_flags - FLAG_SATURATED, FLAG_IN_FLIGHT as they hold for a point whose load is known. */
unsigned int load_flags(const struct point *p);

/* load_compare - order by offered load, lower first, for qsort; unlimited points by depth. */
int load_compare(const struct load *a, const struct load *b);

#endif
