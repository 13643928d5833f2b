/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When an operation ends, computed when it is asked for: dies, channels, write buffer, the time
 * that garbage collection takes from the dies. No thread, no queue of events: each resource knows
 * until when it is busy. All times CLOCK_MONOTONIC, ns. The caller holds the lock.
 */
#ifndef ENGINE_MODEL_TIMING_H
#define ENGINE_MODEL_TIMING_H

#include <stdint.h>

#include "engine/model/image.h"

/* A page is read from the media. Return: when its data have reached the host. */
uint64_t timing_read(struct model *m, uint64_t now, uint32_t ppn);

/* A page that is in no die: unmapped. Return: as timing_read. */
uint64_t timing_read_nothing(struct model *m, uint64_t now, uint32_t lpn);

/* A host page goes through the write buffer to its die. Return: when the host hears of it. */
uint64_t timing_write(struct model *m, uint64_t now, uint32_t ppn);

/* Garbage collection: @relocated pages programmed, one unit erased; @gained pages are free now. */
void timing_collect(struct model *m, uint32_t relocated, uint32_t gained);

/* When all that was written so far is on the media. */
uint64_t timing_flush(struct model *m, uint64_t now);

/* The drive is idle: after power-on, after a repair. */
void timing_reset(struct model *m);

#endif
