// SPDX-License-Identifier: GPL-2.0-only
/* Points -> curves -> shapes. */
#include "report.h"
#include "alloc.h"

void report_make(struct report *r, const struct folded *f, const struct shape_rules *rules)
{
	*r = (struct report){ .folded = f, .rules = rules, .baseline = -1 };
	r->curves = alloc_zero(1, sizeof(*r->curves));
	curves_make(r->curves, f);
	r->shapes = shapes_make(r->curves, rules);
}

void report_free(struct report *r)
{
	curves_free(r->curves);
	free(r->curves);
	free(r->shapes);
}
