/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Was the run interrupted (SIGINT, SIGTERM)? fio then ends its jobs as if they were done, and tells
 * no engine.
 */
#ifndef ENGINE_TELEMETRY_INTERRUPT_H
#define ENGINE_TELEMETRY_INTERRUPT_H

#include <stdbool.h>

/* Look at these signals before fio does, in it and in the jobs to come. Call it in fio's parent. */
void interrupt_watch(void);

/* Has any process of the run met one? */
bool interrupt_seen(void);

#endif
