/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which part of a target a workload uses. A job file says it in percent of the target; a working set
 * is smaller, so the percentages become bytes of that.
 */
#ifndef CURVE_REGION_H
#define CURVE_REGION_H

#include "tools/fio-curve/settings.h"
#include "tools/fio-curve/target.h"
#include "tools/fio-curve/traffic.h"
#include "tools/fio-curve/workload.h"

enum {
	CURVE_PERCENT = 25 /* of the target, where nothing else is said, for curves */
};

/**
 * struct region - from the target's beginning.
 * @whole:   as the file says it; nothing is to be changed.
 * @bytes:   how large; 0: known as a percentage only.
 * @end:     where the target ends; 0: not known here.
 * @percent: of a target whose size is not known here.
 */
struct region {
	bool whole;
	uint64_t bytes, end;
	unsigned int percent;
};

/* region_choose - for a workload on a target. Return: NULL, or why there is none. */
char *region_choose(const struct settings *s, const struct target *t, const struct workload *w,
		    struct region *out);

/*
 * region_place - put a section into it: its size, offset and offset_increment in bytes, in whole
 * blocks. Many jobs that are set apart by offset_increment end inside of it, too.
 * @t: the section's traffic, with the number of jobs that it gets.
 * Return: NULL, or why it has no room there.
 */
char *region_place(const struct region *r, const struct traffic *t, struct job_section *s);

#endif
