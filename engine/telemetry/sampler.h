/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The thread beside a job that reads the drive's counters while the job runs: at the end of fio's
 * ramp time, and every nvme_telemetry_interval=. Of all jobs on a device one's thread leads, the
 * others sleep; when its job ends or is killed another one's takes over.
 */
#ifndef ENGINE_TELEMETRY_SAMPLER_H
#define ENGINE_TELEMETRY_SAMPLER_H

#include "engine/telemetry/registry.h"

struct sampler;

/* Return: NULL: no memory, no thread. */
struct sampler *sampler_start(struct registry_device *d);

/* Ends the thread, which is done with the drive then. NULL: nothing. */
void sampler_stop(struct sampler *s);

/* A job has something to look at. Any process, any thread; wakes all samplers of the device. */
void sampler_wake(struct registry_device *d);

#endif
