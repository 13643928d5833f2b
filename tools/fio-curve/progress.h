/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the user sees while a plan runs: on a terminal one line that changes, with the point, the
 * figure so far and the time left; everywhere a line for each finished point; with --quiet nothing.
 */
#ifndef CURVE_PROGRESS_H
#define CURVE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/fio-curve/plan.h"

/**
 * struct progress - @total, @done: points to run; @left_ms: of those after the one that runs.
 * @open: some of these end by themselves, so more time may be left.
 * @overhead_ms: that a point has taken beyond its own time, on average.
 */
struct progress {
	bool quiet, terminal, open, stopping;
	unsigned int total, done;
	uint64_t left_ms, overhead_ms, point_ms, began_ms;
	const struct drive *drive;
	const struct point *point;
};

void progress_init(struct progress *p, const struct plan *plan);

/* A point begins. */
void progress_begin(struct progress *p, const struct plan *plan, const struct drive *d,
		    const struct point *point);

/* progress_tick - @iops: now; -1: not known. For struct fio_watch; @ctx: the progress. */
void progress_tick(void *ctx, double iops);

/* progress_stopping - a signal has been passed on. For struct fio_watch. */
void progress_stopping(void *ctx);

/* The point has ended: its line, or nothing where it failed. @asked: IOPS, 0: none. */
void progress_end(struct progress *p, uint64_t asked);

/* progress_clear - take the changing line away, before anything else is said. */
void progress_clear(const struct progress *p);

#endif
