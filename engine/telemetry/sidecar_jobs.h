/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the jobs of a group did, each and together, as JSON. A part of sidecar.c.
 */
#ifndef ENGINE_TELEMETRY_SIDECAR_JOBS_H
#define ENGINE_TELEMETRY_SIDECAR_JOBS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/fio_abi.h"
#include "engine/telemetry/meter.h"
#include "engine/telemetry/registry.h"

/* The group's jobs taken together. */
struct sidecar_totals {
	uint64_t issued[METER_DIRECTIONS], completed[METER_DIRECTIONS];
	uint64_t discarded[METER_DIRECTIONS], fio[METER_DIRECTIONS];
	uint64_t ios, syncs, failed_otherwise;
	uint64_t placed[METER_STREAMS];
	bool several; /* a job of several devices had ramp time: whose bytes fio discarded is not known */
	bool fio_known; /* of all jobs that did I/O */
	bool ramp; /* a job's ramp time ended */
	uint64_t unsure; /* bytes written by jobs that were killed: issued, not known to be done */
	uint64_t area, first, last; /* of what is in flight, in the window */
};

/* Is the job one of the @index-th group? */
bool sidecar_is_in(const struct registry_job *j, uint32_t index);

/* Add the group's jobs up. */
void sidecar_add_up(const struct registry_device *d, uint32_t index, struct sidecar_totals *t);

json_t *sidecar_jobs(const struct registry_device *d, uint32_t index);

/* Bytes by direction. */
json_t *sidecar_bytes(const uint64_t *issued, const uint64_t *completed, const uint64_t *discarded,
		      bool fio_known);

/* Bytes written with each placement identifier. */
json_t *sidecar_streams(const struct registry_device *d, const struct registry_group *g,
			const struct sidecar_totals *t);

/* How commands ended: a histogram by the statuses' names. */
json_t *sidecar_statuses(const struct registry_device *d, uint32_t index,
			 const struct sidecar_totals *t);

#endif
