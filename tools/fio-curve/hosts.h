/* SPDX-License-Identifier: GPL-2.0-only */
/* The hosts of --client=, as fio takes them. */
#ifndef CURVE_HOSTS_H
#define CURVE_HOSTS_H

#include <stddef.h>

/* @name: for fio's --client=: "10.0.0.1,8765", "ip6:::1,8765", "sock:/run/fio". */
struct hosts {
	char **name;
	size_t nr, cap;
};

/*
 * hosts_parse - HOST[:PORT],... or a file with one in each line. An IPv6 address stands in brackets,
 * a Unix socket is sock:PATH. Return: NULL, or what is wrong, the caller's to free.
 */
char *hosts_parse(const char *text, struct hosts *out);
void hosts_free(struct hosts *h);

#endif
