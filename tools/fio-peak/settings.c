// SPDX-License-Identifier: GPL-2.0-only
/* fio's spellings and defaults of the settings that a comparison names. */
#include "settings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number with fio's suffix of size (k, ki, kb, kib: 1024); -1: it is something else. */
static double size_value(const char *s, const char **end)
{
	static const char units[] = "kmgtp";
	const char *unit;
	double v;
	char *to;

	if (!isdigit((unsigned char)*s))
		return -1;
	v = strtod(s, &to);
	unit = *to ? strchr(units, tolower((unsigned char)*to)) : NULL;
	if (unit) {
		for (const char *u = units; u <= unit; u++)
			v *= 1024;
		to++;
		to += tolower((unsigned char)*to) == 'i';
	}
	to += tolower((unsigned char)*to) == 'b';
	*end = to;
	return v;
}

bool settings_list(const char *s, double *sizes)
{
	for (int i = 0; i < 3; i++) {
		sizes[i] = i && (!*s || *s == ',') ? sizes[i - 1] : size_value(s, &s);
		if (sizes[i] < 0 || (*s && *s != ','))
			return false;
		s += *s == ',';
	}
	return !*s;
}

static bool same_sizes(const char *a, const char *b)
{
	double x[3] = { 0 }, y[3] = { 0 };

	if (!settings_list(a, x) || !settings_list(b, y))
		return !strcasecmp(a, b);
	return !memcmp(x, y, sizeof(x));
}

static const char *or_default(const char *s, const char *fallback)
{
	return s ? s : fallback;
}

static const char *rw_name(const struct point *p)
{
	const char *rw = or_default(p->rw, "read");

	return strcmp(rw, "readwrite") ? rw : "rw";
}

unsigned long settings_copies(const struct point *p)
{
	unsigned long numjobs = strtoul(or_default(p->numjobs, "1"), NULL, 0);

	if (p->apart)
		return 1;
	return numjobs > p->jobs ? numjobs : p->jobs;
}

const char *settings_differ(const struct point *a, const struct point *b)
{
	/* Old versions of fio list no options: nothing is known. */
	bool known = a->options && b->options;

	if (known && strcmp(rw_name(a), rw_name(b)))
		return "rw";
	if (known && !same_sizes(or_default(a->bs, "4k"), or_default(b->bs, "4k")))
		return "bs";
	if (known && !same_sizes(or_default(a->iodepth, "1"), or_default(b->iodepth, "1")))
		return "iodepth";
	if (a->conditions.has_state && b->conditions.has_state &&
	    a->conditions.state != b->conditions.state)
		return "power state";
	if (a->conditions.placement && b->conditions.placement &&
	    strcmp(a->conditions.placement, b->conditions.placement))
		return "placement";
	/* A review need not tell. */
	if (!(a->numjobs || a->jobs) || !(b->numjobs || b->jobs))
		return NULL;
	return settings_copies(a) != settings_copies(b) ? "number of jobs" : NULL;
}
