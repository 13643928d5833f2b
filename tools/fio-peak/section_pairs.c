// SPDX-License-Identifier: GPL-2.0-only
/* What being on costs: a row for each workload that ran with it off and on. */
#include "sections.h"
#include "alloc.h"
#include "pairs.h"
#include "show.h"
#include "text.h"

enum {
	COL_WORKLOAD,
	COL_PAIR,
	COL_UNIT,
	COL_OFF,
	COL_ON,
	COL_COST,
	COL_OFF_US,
	COL_ON_US,
	COL_COST_US,
	COL_NR
};

static char *percent_text(double percent)
{
	if (isnan(percent))
		return alloc_string("n/a");
	return alloc_printf(fabs(percent) < 99.95 ? "%.1f%%" : "%.0f%%", percent);
}

static void add_pair(struct table *t, const struct report *r, const struct pair *p)
{
	size_t row = table_row(t);

	table_set(t, row, COL_WORKLOAD, text_safe(r->curves->workload_names[p->off->workload]));
	table_set(t, row, COL_PAIR, text_safe(p->name));
	table_set(t, row, COL_UNIT, alloc_string(show_title(r->rules, p->metric)));
	table_set(t, row, COL_OFF, metric_text(r->rules, p->off->peak, DIR_ALL, p->metric));
	table_set(t, row, COL_ON, metric_text(r->rules, p->on->peak, DIR_ALL, p->metric));
	table_set(t, row, COL_COST, percent_text(p->cost));
	table_set(t, row, COL_OFF_US, show_latency_of(r->rules, p->off->peak));
	table_set(t, row, COL_ON_US, show_latency_of(r->rules, p->on->peak));
	table_set(t, row, COL_COST_US, percent_text(p->latency_cost));
}

static struct table *pairs_table(const struct report *r)
{
	static const char *const names[COL_NR] = { "WORKLOAD", "DRIVE", "UNIT", "OFF",	"ON",
						   "COST",     "OFF ",	"ON ",	"ADDED" };
	struct table *t = table_new();

	for (size_t i = 0; i < COL_NR; i++) {
		bool timed = i == COL_OFF_US || i == COL_ON_US;
		char *name = alloc_printf("%s%s", names[i], timed ? show_time(r->rules) : "");

		table_column(t, name, 0,
			     i == COL_WORKLOAD || i == COL_PAIR ? TABLE_CUT
			     : i == COL_UNIT			? 0
								: TABLE_RIGHT);
		free(name);
	}
	return t;
}

void section_pairs(struct page *pg, const struct report *r)
{
	struct pairs pairs;
	struct table *t;

	pairs_make(&pairs, r);
	if (pairs.nr) {
		t = pairs_table(r);
		for (size_t i = 0; i < pairs.nr; i++)
			add_pair(t, r, &pairs.list[i]);
		page_heading(pg, "Off and on",
			     "peaks of drives that are named so, and the cost of on: what it takes "
			     "from the first and adds to the %s latency",
			     shape_latency_name(r->rules));
		page_table(pg, t);
	}
	pairs_free(&pairs);
}
