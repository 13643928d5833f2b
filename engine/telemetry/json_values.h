/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How values of the sidecar become JSON. Without memory a key is left out.
 */
#ifndef ENGINE_TELEMETRY_JSON_VALUES_H
#define ENGINE_TELEMETRY_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "engine/telemetry/log_pages.h"

/*
 * A count. Beyond 2^53, where many readers lose digits, "KEY_text" has it as a string too; beyond 2^63
 * the number itself is rounded.
 */
void json_put_count(json_t *o, const char *key, u128 value);

/* A difference that may be negative. */
void json_put_signed(json_t *o, const char *key, int64_t value);

void json_put_real(json_t *o, const char *key, double value);
void json_put_bool(json_t *o, const char *key, bool value);

/* NULL is null; what is no UTF-8 loses its bytes. */
void json_put_text(json_t *o, const char *key, const char *text);
void json_put_null(json_t *o, const char *key);

/* @value is taken over. */
void json_put(json_t *o, const char *key, json_t *value);

/* Add to an array; @value is taken over. */
void json_append(json_t *array, json_t *value);

/* "2026-11-30T12:00:00.123Z" */
void json_put_time(json_t *o, const char *key, const struct timespec *t);

/* Kelvins as degrees Celsius; 0 is null. */
void json_put_celsius(json_t *o, const char *key, uint16_t kelvins);

#endif
