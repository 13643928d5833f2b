// SPDX-License-Identifier: GPL-2.0-only
/* The order of the sections. */
#include "sections.h"

void sections(const struct page_style *style, FILE *out, const struct report *r)
{
	struct page pg = { .out = out, .style = style, .title = "" };

	section_results(&pg, r);
	section_curves(&pg, r);
	section_grids(&pg, r);
	section_power(&pg, r);
	section_comparison(&pg, r);
	section_pairs(&pg, r);
	section_feed(&pg, r);
	section_conditions(&pg, r);
}
