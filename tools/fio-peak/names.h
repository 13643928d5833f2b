/* SPDX-License-Identifier: GPL-2.0-only */
/* Names: strings -> small numbers, in the order of their first appearance. Copies nothing. */
#ifndef PEAK_NAMES_H
#define PEAK_NAMES_H

#include <stddef.h>

/* Zero-initialise; free with names_free(). The strings must outlive it. */
struct names {
	const char **list;
	unsigned int nr;
	unsigned int *slots; /* number + 1, or 0: empty; a power of two of them */
	unsigned int mask;
	size_t cap;
};

/* names_number - the number of @name, added if it is new. */
unsigned int names_number(struct names *n, const char *name);
void names_free(struct names *n);

#endif
