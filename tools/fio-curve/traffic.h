/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a job section sends to the drive: directions, mix, sizes, concurrency. As fio understands the
 * options, defaults included. Trims count as writes: they destroy, too.
 */
#ifndef CURVE_TRAFFIC_H
#define CURVE_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/fio-curve/jobfile.h"

enum direction {
	READS,
	WRITES,
	DIRECTIONS
};

/**
 * struct traffic - of one section.
 * @uses:     has it I/Os of the direction?
 * @share:    of all its I/Os, 0 to 1; the two make 1.
 * @trims:    what counts as writes are trims.
 * @random:   are the offsets?
 * @mean_bs:  bytes of an I/O of the direction, on average.
 * @min_bs, @max_bs: over the directions in use.
 */
struct traffic {
	bool uses[DIRECTIONS], trims, random;
	double share[DIRECTIONS];
	double mean_bs[DIRECTIONS];
	uint64_t min_bs, max_bs;
	unsigned int jobs, depth;
};

/* traffic_read - Return: NULL, or what cannot be understood, the caller's to free. */
char *traffic_read(const struct job_section *s, struct traffic *out);

#endif
