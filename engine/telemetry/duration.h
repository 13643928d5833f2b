/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times as users write them in options.
 */
#ifndef ENGINE_TELEMETRY_DURATION_H
#define ENGINE_TELEMETRY_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * duration_read - "250", "250ms", "2s", "1m", "1h" in milliseconds
 * @unit_ms: what a number without a unit counts
 *
 * Return: false: it is no time, or too long.
 */
bool duration_read(const char *text, uint32_t unit_ms, uint32_t *ms);

#endif
