/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots of the drive's counters, and what changed between two of them, as JSON. A part of
 * sidecar.c.
 */
#ifndef ENGINE_TELEMETRY_SIDECAR_SNAPSHOT_H
#define ENGINE_TELEMETRY_SIDECAR_SNAPSHOT_H

#include <jansson.h>
#include <stdbool.h>

#include "engine/telemetry/log_pages.h"
#include "engine/telemetry/registry.h"
#include "engine/telemetry/snapshot.h"

/* One that was not taken is null. */
json_t *sidecar_snapshot(const struct registry_device *d, const struct snapshot *s);

/* From @a to @b; a counter that fell is null, one that either lacks is left out. */
json_t *sidecar_rise(const struct snapshot *a, const struct snapshot *b);

/* Do both have log 22h? */
bool sidecar_both_fdp(const struct snapshot *a, const struct snapshot *b);

/* Do both have OCP's log C0h? Then it is in @before and @after. */
bool sidecar_both_ocp(const struct snapshot *a, const struct snapshot *b, struct ocp_log *before,
		      struct ocp_log *after);

#endif
