/* SPDX-License-Identifier: GPL-2.0-only */
/* What a fio run came to, from its own JSON, as far as the next point needs it. */
#ifndef CURVE_OUTCOME_H
#define CURVE_OUTCOME_H

#include <stdbool.h>

#include "tools/fio-curve/hosts.h"
#include "tools/fio-curve/traffic.h"

/**
 * struct outcome - all jobs, and all hosts, together.
 * @iops:  per second, by direction; trims are writes.
 * @mean_us: completion latency over all I/Os; 0: not measured.
 * @job_ms: how long all jobs ran, ramp left out; 0: fio before 3.8 does not say.
 * @steady: of a run that ends when it is steady: it was.
 */
struct outcome {
	double iops[DIRECTIONS], mean_us, job_ms;
	bool steady;
};

/*
 * outcome_read - Return: NULL, or why the file is no result of a run that ended well, the caller's to
 * free.
 */
char *outcome_read(const char *path, struct outcome *out);

/*
 * outcome_missing - the hosts that have no result in the file, with commas between; NULL: all have one.
 * The caller's to free.
 */
char *outcome_missing(const char *path, const struct hosts *hosts);

double outcome_iops(const struct outcome *o);

#endif
