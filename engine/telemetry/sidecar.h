/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sidecar: what is known of a run on one device, as one JSON object in a file. Its schema stands
 * in nvmept-sidecar(5).
 */
#ifndef ENGINE_TELEMETRY_SIDECAR_H
#define ENGINE_TELEMETRY_SIDECAR_H

#include <stdbool.h>

#include "engine/telemetry/registry.h"

enum {
	SIDECAR_VERSION = 1
};

/*
 * sidecar_may_replace - is there nothing at @path, or a sidecar of an earlier run?
 *
 * All else is somebody's: a model drive, fio's output (empty while it runs), a device node, a link.
 */
bool sidecar_may_replace(const char *path);

/* sidecar_try - can @path be written? Leaves nothing. Return: 0 or -errno. */
int sidecar_try(const char *path);

/*
 * sidecar_write - write or replace the device's file, whole or not at all
 *
 * The caller holds the device's lock. Return: 0 or -errno, -ENOMEM included.
 */
int sidecar_write(const struct registry_device *d);

#endif
