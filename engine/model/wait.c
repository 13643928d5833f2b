// SPDX-License-Identifier: GPL-2.0-only
// Sleeping costs tens of microseconds of lateness, spinning costs a core: so both, in that order.
#include "engine/model/wait.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	MOST_MARGIN_NS = 80000, /* nearly all sleepers of an idle machine wake up in so much less */
	LEAST_MARGIN_NS = 5000,
	REFUSALS = 256, /* after so many in a row, a look whether those that spin are alive */
};

static uint32_t cores(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return CPU_COUNT(&set);
}

void wait_init(struct wait *w, int32_t *spinner, uint32_t places, bool always)
{
	uint32_t nr = cores();

	w->spinner = spinner;
	w->places = nr < places ? nr : places;
	w->tid = gettid();
	w->always = always;
	w->refusals = 0;
	w->margin = MOST_MARGIN_NS;
	prctl(PR_SET_TIMERSLACK, 1UL);
}

static bool replace(int32_t *place, int32_t is, int32_t becomes)
{
	return __atomic_compare_exchange_n(place, &is, becomes, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED);
}

/* Give the places of threads that died while they spun back. */
static void bury(struct wait *w)
{
	for (uint32_t i = 0; i < w->places; i++) {
		int32_t tid = __atomic_load_n(&w->spinner[i], __ATOMIC_RELAXED);

		if (tid && syscall(SYS_tkill, tid, 0) && errno == ESRCH)
			replace(&w->spinner[i], tid, 0);
	}
}

/* Return: a place to spin at, or NULL. */
static int32_t *claim(struct wait *w)
{
	for (uint32_t i = 0; i < w->places; i++)
		if (!__atomic_load_n(&w->spinner[i], __ATOMIC_RELAXED) &&
		    replace(&w->spinner[i], 0, w->tid))
			return &w->spinner[i];
	if (++w->refusals == REFUSALS) {
		w->refusals = 0;
		bury(w);
	}
	return NULL;
}

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

static uint64_t spin(uint64_t due)
{
	uint64_t now = wait_now();

	while (now < due) {
		relax();
		now = wait_now();
	}
	return now;
}

/* Return: the time on waking up. A signal does not end it. */
static uint64_t sleep_until(uint64_t time)
{
	const struct timespec t = {
		.tv_sec = time / 1000000000,
		.tv_nsec = time % 1000000000,
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
	return wait_now();
}

/*
 * Where many wait they take turns on the cores, and whoever spins keeps another from its turn: so the
 * margin shrinks when there was no place to spin, and comes back when there is.
 */
static void shrink_margin(struct wait *w)
{
	w->margin /= 2;
	if (w->margin < LEAST_MARGIN_NS)
		w->margin = LEAST_MARGIN_NS;
}

static void stretch_margin(struct wait *w)
{
	w->margin += w->margin / 16;
	if (w->margin > MOST_MARGIN_NS)
		w->margin = MOST_MARGIN_NS;
}

uint64_t wait_until(struct wait *w, uint64_t due)
{
	uint64_t now = wait_now();
	int32_t *place;

	if (now >= due || w->always)
		return spin(due);
	if (due - now > w->margin) {
		now = sleep_until(due - w->margin);
		if (now >= due)
			return now;
	}
	place = claim(w);
	if (!place) {
		shrink_margin(w);
		return sleep_until(due);
	}
	stretch_margin(w);
	now = spin(due);
	/* Someone may have thought us dead, in another PID namespace. */
	replace(place, w->tid, 0);
	return now;
}
