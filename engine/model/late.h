/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much of the latency that a job sees is the host's: commands that waited for the drive's lock,
 * completions that were due but taken late.
 * Counts both distributions, the drive's own and the one that was seen, over all jobs of a run.
 */
#ifndef ENGINE_MODEL_LATE_H
#define ENGINE_MODEL_LATE_H

#include <stdbool.h>
#include <stdint.h>

/* Buckets of 1/64 of a power of two, in ns, up to 2^37 (137 s). */
enum {
	LATE_SUB_SHIFT = 6,
	LATE_BUCKETS = 2048,
};

struct late {
	uint64_t nr;
	uint64_t own_ns, late_ns; /* sums */
	uint64_t own[LATE_BUCKETS]; /* completions by the drive's own latency */
	uint64_t taken[LATE_BUCKETS]; /* by the latency with which they were taken */
};

static inline uint32_t late_bucket(uint64_t ns)
{
	uint32_t shift, bucket;

	if (ns < 2 << LATE_SUB_SHIFT)
		return ns;
	shift = 63 - __builtin_clzll(ns) - LATE_SUB_SHIFT;
	bucket = (shift << LATE_SUB_SHIFT) + (ns >> shift);
	return bucket < LATE_BUCKETS ? bucket : LATE_BUCKETS - 1;
}

/*
 * A completion: the drive's own latency, and that from submission until it was taken, ns. Costs two
 * increments and some sums.
 */
static inline void late_count(struct late *l, uint64_t own, uint64_t taken)
{
	l->nr++;
	l->own_ns += own;
	l->late_ns += taken - own;
	l->own[late_bucket(own)]++;
	l->taken[late_bucket(taken)]++;
}

/* What the counts of a run say. Times in ns. */
struct late_verdict {
	uint64_t nr;
	double own_mean, late_mean;
	bool mean_differs; /* by more than LATE_LIMIT */
	double percentile; /* from this one on they differ by more; 0: none does */
	double own, taken; /* at that percentile */
};

/* How much later than the drive's own a latency may be and still count as the drive's. */
#define LATE_LIMIT 0.05

/* late_init - make the memory where all jobs' counts meet; call it in fio's parent */
void late_init(void);

/* late_begin - counts for one job. Return: zeroed, or NULL without memory. */
struct late *late_begin(void);

/*
 * late_end - add a job's counts to the run's, and free them
 * @l: from late_begin, or NULL
 * @v: filled when this was the last of the jobs under way
 *
 * Return: true for the last one: the run's counts start anew.
 */
bool late_end(struct late *l, struct late_verdict *v);

/* The judgement alone. */
void late_judge(const struct late *l, struct late_verdict *v);

#endif
