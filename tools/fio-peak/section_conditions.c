// SPDX-License-Identifier: GPL-2.0-only
/*
 * What runs were like besides their figures, where more is known than fio always tells: a row for each
 * drive and workload, with the columns that have something in them, then the doubts.
 */
#include "sections.h"
#include "alloc.h"
#include "text.h"

enum {
	COL_WORKLOAD,
	COL_DRIVE,
	COL_STEADY,
	COL_CPU,
	COL_CPU_US,
	COL_WAF,
	COL_WAF_BY,
	COL_WATTS,
	COL_WATTS_BY,
	COL_EFFICIENCY,
	COL_CELSIUS,
	COL_NR
};

static char *or_empty(const char *s)
{
	return text_safe(s ? s : "");
}

static char *known(double v)
{
	return v > 0 ? number_text(v, false) : alloc_string("");
}

static char *steady_text(const struct conditions *c)
{
	if (!c->steady_jobs)
		return alloc_string("");
	return alloc_string(c->steady_attained == c->steady_jobs ? "yes" : "NO");
}

/* The caller's to free; "" where there is nothing to tell. */
static char *cell_text(const struct point *p, int column)
{
	const struct conditions *c = &p->conditions;

	switch (column) {
	case COL_STEADY:
		return steady_text(c);
	case COL_CPU:
		return known(c->cpu_percent);
	case COL_CPU_US:
		return known(c->cpu_us);
	case COL_WAF:
		return known(c->waf);
	case COL_WAF_BY:
		return or_empty(c->waf > 0 ? c->waf_source : NULL);
	case COL_WATTS:
		return known(c->watts);
	case COL_WATTS_BY:
		return or_empty(c->watts > 0 ? c->watts_source : NULL);
	case COL_EFFICIENCY:
		return known(point_per_watt(p));
	case COL_CELSIUS:
		return known(c->celsius);
	default:
		return alloc_string("");
	}
}

/* Besides what fio always tells. */
static bool has_conditions(const struct point *p)
{
	const struct conditions *c = &p->conditions;

	return c->steady_jobs || c->waf > 0 || c->waf_why_not || c->watts > 0 || c->celsius > 0 ||
	       c->foreign;
}

/* Which columns have something in a row. */
static void find_columns(const struct report *r, bool *any)
{
	for (size_t i = 0; i < r->curves->nr; i++) {
		for (int col = COL_STEADY; col < COL_NR; col++) {
			char *text = cell_text(r->curves->list[i].peak, col);

			any[col] |= *text;
			free(text);
		}
	}
}

static struct table *conditions_table(const bool *any)
{
	static const char *const names[COL_NR] = { "WORKLOAD",	"DRIVE",  "STEADY", "CPU %",
						   "CPU us/IO", "WAF",	  "BY",	    "WATTS",
						   "BY",	"IOPS/W", "CELSIUS" };
	struct table *t = table_new();

	table_column(t, names[COL_WORKLOAD], 0.2, TABLE_CUT | TABLE_GROUP);
	table_column(t, names[COL_DRIVE], 0.1, TABLE_CUT);
	for (int col = COL_STEADY; col < COL_NR; col++)
		if (any[col])
			table_column(t, names[col], 0,
				     col == COL_STEADY || col == COL_WAF_BY || col == COL_WATTS_BY
					     ? 0
					     : TABLE_RIGHT);
	return t;
}

static void add_row(struct table *t, const struct report *r, const struct curve *c, bool first,
		    const bool *any)
{
	size_t row = table_row(t), to = COL_STEADY;

	if (first)
		table_set(t, row, COL_WORKLOAD, text_safe(r->curves->workload_names[c->workload]));
	table_set(t, row, COL_DRIVE, text_safe(r->curves->drive_names[c->drive]));
	for (int col = COL_STEADY; col < COL_NR; col++)
		if (any[col])
			table_set(t, row, to++, cell_text(c->peak, col));
}

/* Doubts */

static void put_doubts(struct page *pg, const struct point *p)
{
	const struct conditions *c = &p->conditions;

	if (c->steady_jobs && c->steady_attained < c->steady_jobs)
		page_line(pg, "%s on %s: not steady: fio waited for %s", p->workload, p->drive,
			  c->steady ? c->steady : "it");
	if (c->waf > 0 && c->waf_doubts)
		page_line(pg, "%s on %s: WAF is in doubt: %s", p->workload, p->drive,
			  c->waf_doubts);
	if (c->waf_why_not)
		page_line(pg, "%s on %s: no WAF: %s", p->workload, p->drive, c->waf_why_not);
	if (c->watts_shared)
		page_line(pg, "%s on %s: other jobs ran beside it, so its watts are theirs, too",
			  p->workload, p->drive);
	if (c->cut_short)
		page_line(pg, "%s on %s: the sidecar is not complete", p->workload, p->drive);
	if (c->foreign)
		page_line(pg,
			  "%s on %s: the sidecar beside it is of a run at another time: left out",
			  p->workload, p->drive);
}

static void put_terms(struct page *pg, const bool *any)
{
	if (any[COL_CPU])
		page_line(pg, "CPU: user and system time of fio's jobs, percent of one CPU and "
			      "microseconds per I/O.");
	if (any[COL_WAF])
		page_line(pg, "WAF: media bytes per host byte; fdp: by log 22h, ocp: by log C0h "
			      "and SMART's data units.");
	if (any[COL_WATTS])
		page_line(pg, "WATTS: measured by the drive, metered from outside, or the rated "
			      "limit of its power state, which gives no IOPS/W.");
}

void section_conditions(struct page *pg, const struct report *r)
{
	const struct curve *last = NULL;
	bool any[COL_NR] = { false };
	struct table *t;

	find_columns(r, any);
	t = conditions_table(any);
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = r->curves->shown[i];

		if (!has_conditions(c->peak))
			continue;
		add_row(t, r, c, !last || last->workload != c->workload, any);
		last = c;
	}
	if (!last) {
		table_free(t);
		return;
	}
	page_heading(pg, "Conditions", "of the runs above: steadiness, host, drive");
	page_table(pg, t);
	put_terms(pg, any);
	for (size_t i = 0; i < r->curves->nr; i++)
		put_doubts(pg, r->curves->shown[i]->peak);
	page_gap(pg);
}
