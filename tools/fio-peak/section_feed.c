// SPDX-License-Identifier: GPL-2.0-only
/* The drives that --feed takes, a row for each sequential read. */
#include "sections.h"
#include "alloc.h"
#include "feed.h"
#include "show.h"
#include "text.h"

enum {
	COL_WORKLOAD,
	COL_DRIVE,
	COL_MB_S,
	COL_NEEDED
};

static void add_row(struct table *t, const struct report *r, const struct curve *c,
		    unsigned long needed, bool first)
{
	size_t row = table_row(t);

	if (first)
		table_set(t, row, COL_WORKLOAD, text_safe(r->curves->workload_names[c->workload]));
	table_set(t, row, COL_DRIVE, text_safe(r->curves->drive_names[c->drive]));
	table_set(t, row, COL_MB_S, metric_text(r->rules, c->peak, DIR_ALL, METRIC_MB_S));
	table_set(t, row, COL_NEEDED, alloc_printf("%lu", needed));
}

static struct table *feed_table(const struct report *r)
{
	struct table *t = table_new();

	table_column(t, "WORKLOAD", 0.3, TABLE_CUT | TABLE_GROUP);
	table_column(t, "DRIVE", 0.2, TABLE_CUT);
	table_column(t, show_title(r->rules, METRIC_MB_S), 0, TABLE_RIGHT);
	table_column(t, "DRIVES", 0, TABLE_RIGHT);
	return t;
}

void section_feed(struct page *pg, const struct report *r)
{
	const struct curve *last = NULL;
	struct table *t;

	if (!(r->rules->feed > 0))
		return;
	t = feed_table(r);
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];
		unsigned long needed = feed_drives(c, r->rules);

		if (!needed)
			continue;
		add_row(t, r, c, needed, !last || last->workload != c->workload);
		last = c;
	}
	if (last) {
		page_heading(pg, "Feed", "drives that it takes to read %s sequentially",
			     r->rules->feed_name);
		page_table(pg, t);
		return;
	}
	table_free(t);
	page_line(
		pg,
		"No workload is a sequential read with a bandwidth: how many drives feed %s cannot "
		"be told.",
		r->rules->feed_name);
	page_gap(pg);
}
