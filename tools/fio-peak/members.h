/* SPDX-License-Identifier: GPL-2.0-only */
/* Members of JSON objects that our own programs write. */
#ifndef PEAK_MEMBERS_H
#define PEAK_MEMBERS_H

#include <jansson.h>

#include "alloc.h"

/* member_text - the caller's to free; NULL: it is no string, or not there. */
static inline char *member_text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? alloc_string(s) : NULL;
}

/* member_count - 0: it is not there, negative, or beyond 10^9. */
static inline unsigned int member_count(const json_t *o, const char *key)
{
	double v = json_number_value(json_object_get(o, key));

	return v > 0 && v <= 1e9 ? (unsigned int)v : 0;
}

#endif
