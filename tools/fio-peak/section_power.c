// SPDX-License-Identifier: GPL-2.0-only
/* Figures by power state: a row for each state that a drive ran a workload in. */
#include "sections.h"
#include "alloc.h"
#include "show.h"
#include "text.h"

enum {
	COL_WORKLOAD,
	COL_DRIVE,
	COL_STATE,
	COL_IOPS,
	COL_MB_S,
	COL_LATENCY,
	COL_WATTS,
	COL_BY,
	COL_IOPS_W,
	COL_MB_S_W,
	COL_NR
};

/* Does a drive have points of two states? */
static bool has_states(const struct report *r)
{
	unsigned int *state = alloc_zero(r->curves->drives, sizeof(*state));
	bool several = false;

	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];

		for (unsigned int k = 0; k < c->nr; k++) {
			const struct conditions *cond = &c->points[k]->conditions;

			if (!cond->has_state)
				continue;
			several |= state[c->drive] && state[c->drive] != cond->state + 1;
			state[c->drive] = cond->state + 1;
		}
	}
	free(state);
	return several;
}

/* The best point that the curve has in a state, failed ones aside; NULL: none. */
static const struct point *best_of(const struct curve *c, unsigned int state)
{
	const struct point *best = NULL;

	for (unsigned int k = 0; k < c->nr; k++) {
		const struct point *p = c->points[k];

		if (!p->conditions.has_state || p->conditions.state != state ||
		    p->flags & FLAG_FAILED)
			continue;
		if (!best || p->dir[DIR_ALL].iops > best->dir[DIR_ALL].iops)
			best = p;
	}
	return best;
}

static char *ratio_text(double v, double watts)
{
	return watts > 0 && !isnan(v) ? number_text(v / watts, false) : alloc_string("-");
}

static void add_row(struct table *t, const struct report *r, const struct curve *c,
		    const struct point *p, bool named)
{
	const struct conditions *cond = &p->conditions;
	double watts = conditions_watts(cond);
	size_t row = table_row(t);

	if (named)
		table_set(t, row, COL_WORKLOAD, text_safe(r->curves->workload_names[c->workload]));
	table_set(t, row, COL_DRIVE, text_safe(r->curves->drive_names[c->drive]));
	table_set(t, row, COL_STATE, alloc_printf("%u", cond->state));
	table_set(t, row, COL_IOPS, metric_text(r->rules, p, DIR_ALL, METRIC_IOPS));
	table_set(t, row, COL_MB_S, metric_text(r->rules, p, DIR_ALL, METRIC_MB_S));
	table_set(t, row, COL_LATENCY, show_latency_of(r->rules, p));
	table_set(t, row, COL_WATTS,
		  cond->watts > 0 ? number_text(cond->watts, false) : alloc_string("-"));
	table_set(t, row, COL_BY, text_safe(cond->watts > 0 ? cond->watts_source : ""));
	table_set(t, row, COL_IOPS_W, ratio_text(p->dir[DIR_ALL].iops, watts));
	table_set(t, row, COL_MB_S_W, ratio_text(p->dir[DIR_ALL].bytes_s / 1e6, watts));
}

static struct table *power_table(const struct report *r)
{
	char *latency = alloc_printf("%s %s", shape_latency_name(r->rules), show_time(r->rules));
	const char *names[COL_NR] = {
		"WORKLOAD", "DRIVE", "STATE", "IOPS",	show_title(r->rules, METRIC_MB_S),
		latency,    "WATTS", "BY",    "IOPS/W", "MB/s/W"
	};
	struct table *t = table_new();

	table_column(t, names[COL_WORKLOAD], 0.2, TABLE_CUT | TABLE_GROUP);
	table_column(t, names[COL_DRIVE], 0.1, TABLE_CUT);
	for (int col = COL_STATE; col < COL_NR; col++)
		table_column(t, names[col], 0, col == COL_BY ? 0 : TABLE_RIGHT);
	free(latency);
	return t;
}

void section_power(struct page *pg, const struct report *r)
{
	const struct curve *last = NULL;
	struct table *t;

	if (!has_states(r))
		return;
	t = power_table(r);
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = r->curves->shown[i];

		for (unsigned int state = 0; state < 32; state++) {
			const struct point *p = best_of(c, state);

			if (!p)
				continue;
			add_row(t, r, c, p, !last || last->workload != c->workload);
			last = c;
		}
	}
	page_heading(pg, "Power",
		     "by the drive's power state (0 is the fastest); watts that are "
		     "rated or shared with other jobs give no efficiency");
	page_table(pg, t);
}
