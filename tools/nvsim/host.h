/* SPDX-License-Identifier: GPL-2.0-only */
/* What this machine can time: its cores, and how late it wakes a sleeper. */
#ifndef TOOLS_NVSIM_HOST_H
#define TOOLS_NVSIM_HOST_H

#include <stdint.h>

struct host {
	uint32_t cores; /* that this process may use */
	double late_us,
		late_p99_us; /* after the end of a sleep of 100 us: median, 99th percentile */
	double peak_iops; /* completions a second of which the means are right */
	double many_us; /* mean latency from which that holds with more waiters than cores */
};

/* Sleeps for some 15 ms. */
void host_measure(struct host *h);

#endif
