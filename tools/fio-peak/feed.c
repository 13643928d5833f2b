// SPDX-License-Identifier: GPL-2.0-only
/* By the peak, as the tables show it. */
#include "feed.h"

#include <string.h>

static bool is_sequential_read(const struct point *p)
{
	/* fio's default. "read:4k" has an offset behind it. */
	const char *rw = p->rw ? p->rw : p->options ? "read" : "";

	return !strncmp(rw, "read", 4) && (!rw[4] || rw[4] == ':');
}

unsigned long feed_drives(const struct curve *c, const struct shape_rules *rules)
{
	const struct point *p = c->peak;
	double bytes_s = p->dir[DIR_ALL].bytes_s;

	if (!(rules->feed > 0) || !(bytes_s > 0) || !is_sequential_read(p) ||
	    p->flags & (FLAG_FAILED | FLAG_CUT))
		return 0;
	return (unsigned long)ceil(fmin(rules->feed / bytes_s, 1e15));
}
