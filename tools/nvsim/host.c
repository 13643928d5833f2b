// SPDX-License-Identifier: GPL-2.0-only
// A short measurement of the host's timers, and what can be believed of a model timed by them.
#include "tools/nvsim/host.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum {
	SLEEPS = 100,
	MEDIAN = SLEEPS / 2,
	P99 = SLEEPS * 99 / 100,
	SLEEP_NS = 100000,
	IOPS_PER_CORE = 30000, /* with 128 threads the mean is right to 8% so far */
};
static const double mean_tolerance = 0.08;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int64_t sleep_late(void)
{
	int64_t due = now_ns() + SLEEP_NS;
	struct timespec t = { .tv_sec = due / 1000000000, .tv_nsec = due % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	return now_ns() - due;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void host_measure(struct host *h)
{
	int64_t late[SLEEPS];
	cpu_set_t cpus;

	h->cores = sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
	/* As waiters do; the default, 50 us, is for saving power. */
	prctl(PR_SET_TIMERSLACK, 1);
	for (int i = 0; i < SLEEPS; i++)
		late[i] = sleep_late();
	qsort(late, SLEEPS, sizeof(late[0]), compare);
	h->late_us = late[MEDIAN] / 1e3;
	h->late_p99_us = late[P99] / 1e3;
	h->peak_iops = (double)IOPS_PER_CORE * h->cores;
	h->many_us = h->late_us / mean_tolerance;
}
