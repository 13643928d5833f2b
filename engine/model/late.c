// SPDX-License-Identifier: GPL-2.0-only
// The jobs' counts meet in memory that fio's parent made; the last job to end takes them out.
#include "engine/model/late.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A percentile is judged by at least so many completions beyond it. */
enum {
	LATE_BEYOND = 10
};

struct late_run {
	uint32_t jobs; /* that count now */
	struct late all;
};

static struct late_run *run;

void late_init(void)
{
	void *p;

	if (run)
		return;
	p = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	run = p == MAP_FAILED ? NULL : p;
}

struct late *late_begin(void)
{
	struct late *l = calloc(1, sizeof(*l));

	if (l && run)
		__atomic_add_fetch(&run->jobs, 1, __ATOMIC_ACQ_REL);
	return l;
}

/* The structure is nothing but counts: they are added, and taken, word by word. */
_Static_assert(sizeof(struct late) % sizeof(uint64_t) == 0, "struct late is uint64_t throughout");

static void add(struct late *to, const struct late *from)
{
	const uint64_t *in = (const uint64_t *)from;
	uint64_t *out = (uint64_t *)to;

	for (size_t i = 0; i < sizeof(*from) / sizeof(*in); i++)
		if (in[i])
			__atomic_add_fetch(&out[i], in[i], __ATOMIC_RELAXED);
}

static void take(struct late *to, struct late *from)
{
	uint64_t *in = (uint64_t *)from, *out = (uint64_t *)to;

	for (size_t i = 0; i < sizeof(*from) / sizeof(*in); i++)
		out[i] = in[i] ? __atomic_exchange_n(&in[i], 0, __ATOMIC_RELAXED) : 0;
}

bool late_end(struct late *l, struct late_verdict *v)
{
	bool last = true;

	if (!l)
		return false;
	if (run) {
		add(&run->all, l);
		last = !__atomic_sub_fetch(&run->jobs, 1, __ATOMIC_ACQ_REL);
		if (last)
			take(l, &run->all);
	}
	if (last)
		late_judge(l, v);
	free(l);
	return last;
}

/* The middle of a bucket, ns. */
static double middle(uint32_t bucket)
{
	uint32_t shift = bucket >> LATE_SUB_SHIFT;
	uint64_t low;

	if (shift < 2)
		return bucket;
	shift--;
	low = (uint64_t)(bucket - (shift << LATE_SUB_SHIFT)) << shift;
	return low + ((1ULL << shift) - 1) / 2.0;
}

/* The latency that @rank of the counted ones do not exceed, 1 up. */
static double quantile(const uint64_t *counts, uint64_t rank)
{
	uint64_t seen = 0;

	for (uint32_t i = 0; i < LATE_BUCKETS; i++) {
		seen += counts[i];
		if (seen >= rank)
			return middle(i);
	}
	return middle(LATE_BUCKETS - 1);
}

void late_judge(const struct late *l, struct late_verdict *v)
{
	static const double percentiles[] = { 50, 90, 95, 99, 99.9, 99.99, 99.999 };

	memset(v, 0, sizeof(*v));
	v->nr = l->nr;
	if (!l->nr)
		return;
	v->own_mean = (double)l->own_ns / l->nr;
	v->late_mean = (double)l->late_ns / l->nr;
	v->mean_differs = v->late_mean > LATE_LIMIT * v->own_mean;
	for (size_t i = 0; i < sizeof(percentiles) / sizeof(*percentiles); i++) {
		uint64_t beyond = (100 - percentiles[i]) / 100 * l->nr;

		if (beyond < LATE_BEYOND)
			return;
		v->own = quantile(l->own, l->nr - beyond);
		v->taken = quantile(l->taken, l->nr - beyond);
		if (v->taken <= (1 + LATE_LIMIT) * v->own)
			continue;
		v->percentile = percentiles[i];
		return;
	}
}
