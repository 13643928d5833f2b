/* SPDX-License-Identifier: GPL-2.0-only */
/* Grouping: workloads that are named by fio's options instead of by guesses. */
#ifndef PEAK_GROUP_H
#define PEAK_GROUP_H

#include "point.h"

#define GROUP_KEYS 8

/* The keys of a name, in its order; numbers of group.c's table. */
struct group_by {
	unsigned int keys[GROUP_KEYS], nr;
};

/* All keys, "jobname, rw, ..."; static. */
extern const char group_keys[];

/* group_add - add a key by its name. Return: false if there is none, or it was given before. */
bool group_add(struct group_by *g, const char *key);

/*
 * group_name - the name of a point's workload, such as "randread bs=4k"; what fio does not tell is
 * "?". The caller's to free.
 */
char *group_name(const struct group_by *g, const struct point *p);

#endif
