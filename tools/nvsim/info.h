/* SPDX-License-Identifier: GPL-2.0-only */
/* What nvsim info knows of a drive, and its two renderers. */
#ifndef TOOLS_NVSIM_INFO_H
#define TOOLS_NVSIM_INFO_H

#include <stdio.h>

#include "engine/model/image.h"
#include "engine/model/power.h"
#include "tools/nvsim/host.h"

/* One moment of a drive: taken under its lock. */
struct info {
	const char *path;
	const struct model_geometry *g; /* the open drive's */
	struct model_counters counters;
	struct model_command_counts commands;
	struct power_reading power;
	uint32_t power_state, free_units, faults;
	uint64_t mapped_pages, events, recoveries, power_ons, unsafe;
	uint64_t file_bytes, map_bytes; /* map: both directions */
	struct model_room room;
	struct host host;
};

/* Each figure under its heading, for people. */
void info_text(const struct info *i, FILE *out);

/* One object; nvsim(1) has its fields. Return: false: could not be written. */
bool info_json(const struct info *i, FILE *out);

#endif
