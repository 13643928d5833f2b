// SPDX-License-Identifier: GPL-2.0-only
// Values into JSON objects.
#include "engine/telemetry/json_values.h"

#include <stdio.h>
#include <string.h>

void json_put(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, value);
}

void json_append(json_t *array, json_t *value)
{
	json_array_append_new(array, value);
}

void json_put_count(json_t *o, const char *key, u128 value)
{
	char name[64], text[U128_TEXT];

	json_put(o, key,
		 value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value));
	if (value <= 1ULL << 53)
		return;
	snprintf(name, sizeof(name), "%s_text", key);
	json_put(o, name, json_string(u128_text(value, text)));
}

void json_put_signed(json_t *o, const char *key, int64_t value)
{
	json_put(o, key, json_integer(value));
}

void json_put_real(json_t *o, const char *key, double value)
{
	json_put(o, key, json_real(value));
}

void json_put_bool(json_t *o, const char *key, bool value)
{
	json_put(o, key, json_boolean(value));
}

void json_put_null(json_t *o, const char *key)
{
	json_put(o, key, json_null());
}

void json_put_text(json_t *o, const char *key, const char *text)
{
	char plain[512];
	json_t *value = text ? json_string(text) : json_null();
	size_t len = 0;

	if (!value && text) {
		for (; *text && len < sizeof(plain) - 1; text++)
			plain[len++] = (unsigned char)*text < 0x80 ? *text : '?';
		plain[len] = '\0';
		value = json_string(plain);
	}
	json_put(o, key, value);
}

void json_put_time(json_t *o, const char *key, const struct timespec *t)
{
	char date[32], text[48];
	struct tm tm;

	gmtime_r(&t->tv_sec, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text, sizeof(text), "%s.%03ldZ", date, t->tv_nsec / 1000000);
	json_put_text(o, key, text);
}

void json_put_celsius(json_t *o, const char *key, uint16_t kelvins)
{
	if (kelvins)
		json_put_signed(o, key, kelvins - 273);
	else
		json_put_null(o, key);
}
