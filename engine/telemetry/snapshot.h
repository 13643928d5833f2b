/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A drive's counters at one moment: the log pages as they came, and when. Plain data, so that it may
 * lie in memory that processes share.
 */
#ifndef ENGINE_TELEMETRY_SNAPSHOT_H
#define ENGINE_TELEMETRY_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "engine/telemetry/log_pages.h"

struct model;

/* Whom to ask. Of the thread that opened it. */
struct drive_source {
	struct model *model; /* NULL: a device, then */
	int fd; /* of its controller or generic node */
};

/* What to ask for. */
struct drive_questions {
	uint16_t endurance_group;
	bool fdp; /* log 22h */
	bool ocp; /* log C0h: other vendors' drives log an error for it, so it is asked once at first */
};

enum {
	SNAPSHOT_NOT_ASKED = -1000 /* a result that is neither an errno nor a status */
};

/* One log: how asking for it ended (0, -errno, an NVMe status, SNAPSHOT_NOT_ASKED), and its bytes. */
struct snapshot {
	bool taken;
	struct timespec wall; /* CLOCK_REALTIME, when the first log was asked for */
	uint64_t at_ns; /* CLOCK_MONOTONIC */
	uint32_t took_ns; /* until the last one was there */
	int32_t fdp_result, smart_result, ocp_result, power_result, energy_result;
	uint8_t fdp[FDP_STATISTICS_BYTES];
	uint8_t smart[SMART_BYTES];
	uint8_t ocp[OCP_BYTES];
	uint32_t power_state; /* feature 02h */
	uint64_t energy_uj; /* microjoules over the drive's life, where it counts them */
};

/*
 * snapshot_take - ask for all of @q now
 *
 * Never fails as a whole: each part has its result.
 */
void snapshot_take(const struct drive_source *source, const struct drive_questions *q,
		   struct snapshot *out);

/* CLOCK_MONOTONIC in ns. */
uint64_t snapshot_now(void);

#endif
