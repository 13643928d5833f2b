/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waiting for a point in time, precisely: a waiter sleeps until shortly before it, then spins, but
 * only while fewer threads spin than there are cores. Knows nothing of commands.
 */
#ifndef ENGINE_MODEL_WAIT_H
#define ENGINE_MODEL_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* One thread's. */
struct wait {
	int32_t *spinner; /* ids of the threads that spin, 0: free; all waiters' */
	uint32_t places; /* of these that are in use */
	int32_t tid;
	bool always; /* spin from the start */
	uint32_t refusals; /* since the last look for dead spinners */
	uint64_t margin; /* ns that it wakes up before the time */
};

/* CLOCK_MONOTONIC, ns. */
static inline uint64_t wait_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/*
 * wait_init - make ready to wait, in the thread that is going to
 * @spinner: @places ids, shared by all that wait on one machine; 0 at first
 * @always: never sleep
 *
 * Takes the thread's timer slack away.
 */
void wait_init(struct wait *w, int32_t *spinner, uint32_t places, bool always);

/* Wait. Return: the time afterwards, @due or later. */
uint64_t wait_until(struct wait *w, uint64_t due);

#endif
