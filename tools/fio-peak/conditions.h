/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions: what is known of a run besides its figures. Whether it was steady, what it cost the host;
 * what the drive told (the engine's sidecar, nvmept-sidecar(5)), what a meter read, which drive it was.
 */
#ifndef PEAK_CONDITIONS_H
#define PEAK_CONDITIONS_H

#include <stdbool.h>

/**
 * struct conditions - 0 or NULL is unknown; strings are its own.
 * @cpu_percent: of one CPU, user and system time of fio's jobs. @cpu_us: of that per I/O.
 * @steady: what fio was to wait for, "iops:10%"; @steady_jobs entries were, @steady_attained of them did.
 * @begin, @end: when it ran, seconds since 1970.
 * @size: the working set, fio's option.
 * @waf: media bytes per host byte; @waf_source: of which counters; @waf_doubts: why it may mislead; where
 * there is none, @waf_why_not.
 * @watts, @watts_source: "measured" by the drive, "metered" by a meter, "rated": its power state's limit.
 * @watts_shared: other jobs ran beside it; their I/Os took power, too.
 * @celsius: the most. @state: power state, if @has_state.
 * @placement: the identifiers that it asked to write with and how it chose, "none", "fio".
 * @model ... @kernel: as drive.json or the sidecar says. @cut_short: the sidecar is not complete.
 * @foreign: there is one, of a run at another time, and nothing is taken from it.
 */
struct conditions {
	double cpu_percent, cpu_us, begin, end, waf, watts, celsius, capacity;
	unsigned int steady_jobs, steady_attained, state;
	bool has_state, watts_shared, cut_short, foreign;
	char *steady, *size, *waf_source, *waf_doubts, *waf_why_not, *watts_source;
	char *placement, *model, *firmware, *host, *kernel;
};

/* conditions_watts - those that efficiency can be reckoned with: not rated, not shared; else 0. */
double conditions_watts(const struct conditions *c);

void conditions_free(struct conditions *c);

#endif
