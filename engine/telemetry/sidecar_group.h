/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the sidecar says of one group of jobs. A part of sidecar.c.
 */
#ifndef ENGINE_TELEMETRY_SIDECAR_GROUP_H
#define ENGINE_TELEMETRY_SIDECAR_GROUP_H

#include <jansson.h>

#include "engine/telemetry/registry.h"

/* The @index-th group. */
json_t *sidecar_group(const struct registry_device *d, uint32_t index);

/* Did all its jobs come to their end, and was the end read? */
bool sidecar_group_is_complete(const struct registry_device *d, uint32_t index);

/* Why a log is missing, from a result that is not 0. @text: SIDECAR_WHY_LEN bytes. Return: it. */
enum {
	SIDECAR_WHY_LEN = 192
};
const char *sidecar_why(int32_t result, char *text);

#endif
