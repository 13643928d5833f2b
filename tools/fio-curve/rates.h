/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a point of the curve to what fio is asked for: vdbench's rounding of targets, whole rates per
 * job, and what fio's Poisson arithmetic makes of them. Pure arithmetic.
 */
#ifndef CURVE_RATES_H
#define CURVE_RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/fio-curve/traffic.h"

enum {
	/*
	 * IOPS of one job and direction above which fio's Poisson pace is not to be trusted: it waits
	 * whole microseconds. At 20,000 it is 1% fast, at 70,000 5%, at 300,000 32%.
	 */
	POISSON_LIMIT = 20000,
	RATE_GROUPS = 3,
};

/*
 * rates_target - IOPS that a point asks for, as vdbench counts: @percent of the whole number of
 * @max, rounded up to the next 100 above 1,000 IOPS, else to the next 10.
 */
uint64_t rates_target(double max, unsigned int percent);

/*
 * rates_poisson - IOPS that a job with rate_iops=@rate and rate_process=poisson comes to: fio draws
 * intervals with a mean of 1,000,000 / @rate whole microseconds and cuts off what is below one
 * (usec_for_io() in its backend.c, 3.33 to 3.42). 0 for 0.
 */
double rates_poisson(unsigned int rate);

/* Jobs with the same rates. 0 in a direction: they do not go there. */
struct rate_group {
	unsigned int jobs;
	unsigned int rate[DIRECTIONS];
};

/**
 * struct rate_plan - a section's jobs and their rates.
 * @linear:  above POISSON_LIMIT: an even pace instead.
 * @bytes:   with @linear: rates are bytes per second, since fio before 3.42 takes an even rate_iops for
 *           one of the smallest block.
 * @iops:    what it comes to, both directions together.
 */
struct rate_plan {
	struct rate_group group[RATE_GROUPS];
	unsigned int nr;
	bool linear, bytes;
	double iops;
};

/**
 * rates_plan - divide @iops among a section's jobs.
 * @t:     its traffic; the mix is kept.
 * @seconds: how long fio measures: each job's first I/O comes at once and is one too many.
 * @whole: all jobs must have the same rates, however far that is from @iops.
 */
void rates_plan(double iops, const struct traffic *t, double seconds, bool whole,
		struct rate_plan *out);

/*
 * rates_shares - read "data:99,log:1" for the sections of @f: @share[i] is section i's, 0 to 1.
 * @text NULL: one section has all. Return: NULL, or what is wrong, the caller's to free.
 */
char *rates_shares(const char *text, const struct jobfile *f, double *share);

#endif
