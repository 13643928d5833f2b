/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a device's logs are read from: its controller's node, so that the I/O path is left alone, or
 * the model drive's file. Open only while it is asked.
 */
#ifndef ENGINE_TELEMETRY_SOURCE_H
#define ENGINE_TELEMETRY_SOURCE_H

#include "engine/telemetry/registry.h"
#include "engine/telemetry/snapshot.h"

/* @d->path, @d->controller, @d->is_model from an open target. @name: as the user gave it. */
void source_locate(struct registry_device *d, const struct target *t, const char *name);

/* Open the device's source for the calling thread. Return: 0, or -errno. */
int source_open(const struct registry_device *d, struct drive_source *out);
void source_close(struct drive_source *s);

#endif
