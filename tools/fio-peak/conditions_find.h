/* SPDX-License-Identifier: GPL-2.0-only */
/* Conditions that fio tells of. */
#ifndef PEAK_CONDITIONS_FIND_H
#define PEAK_CONDITIONS_FIND_H

#include "point.h"

/*
 * conditions_find - fill p->conditions from the @nr entries that became the point; its figures and
 * settings are there.
 */
void conditions_find(struct point *p, const struct run *run, const struct entry *const *entries,
		     unsigned int nr);

#endif
