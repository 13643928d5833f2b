/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Allocation that does not fail: a tool that runs out of memory has nothing better to do than
 * say so and stop. Not for the engine, which must survive.
 */
#ifndef PEAK_ALLOC_H
#define PEAK_ALLOC_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* alloc_check - return @p, or end the program with status 2 when it is NULL. */
static inline void *alloc_check(void *p)
{
	if (!p) {
		fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
		exit(2);
	}
	return p;
}

static inline void *alloc_zero(size_t nr, size_t size)
{
	return alloc_check(calloc(nr ? nr : 1, size));
}

/*
 * alloc_grow - make room for one more element in an array that doubles.
 * @array: the array, NULL at first; @nr: elements in use; @cap: elements allocated.
 * Return: the array, perhaps moved; @cap updated.
 */
static inline void *alloc_grow(void *array, size_t nr, size_t *cap, size_t size)
{
	if (nr < *cap)
		return array;
	*cap = *cap ? 2 * *cap : 8;
	return alloc_check(reallocarray(array, *cap, size));
}

static inline char *alloc_string(const char *s)
{
	return alloc_check(strdup(s ? s : ""));
}

/* alloc_printf - the formatted string, owned by the caller. */
__attribute__((format(printf, 1, 2))) static inline char *alloc_printf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	return alloc_check(s);
}

#endif
