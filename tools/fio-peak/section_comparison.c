// SPDX-License-Identifier: GPL-2.0-only
/* Drives side by side; more than fit are printed in blocks. */
#include "sections.h"
#include "alloc.h"
#include "show.h"
#include "text.h"

enum {
	CMP_WORKLOAD,
	CMP_METRIC,
	CMP_BETTER,
	CMP_DRIVES
};

static char *percent_text(double percent, const char *mark)
{
	if (isnan(percent))
		return alloc_string(mark);
	return alloc_printf(fabs(percent) < 99.95 ? "%+.1f%%%s" : "%+.0f%%%s", percent, mark);
}

/* Against the best, or the baseline, whatever stands beside. */
static char *standing_text(const struct standing *s, double best, bool baseline)
{
	if (s->is_baseline && !isnan(s->value))
		return alloc_string("base");
	if (s->bound || isnan(s->value) || isnan(baseline ? s->percent : best))
		return alloc_string("");
	if (baseline)
		return percent_text(s->percent, s->competes ? "" : "!");
	if (s->best)
		return alloc_string("best");
	return percent_text(s->percent, s->competes ? "" : "!");
}

/* The metrics of peaks as the results have them. */
static char *value_text(const struct report *r, const struct curve *c, int what,
			const struct standing *s)
{
	char *number, *text;

	if (what < METRIC_NR)
		return metric_text(r->rules, c->peak, DIR_ALL, what);
	if (isnan(s->value))
		return alloc_string(what >= COMPARE_CAPS && s->competes ? "none" : "-");
	if (what == COMPARE_LOW || what == COMPARE_PRACTICAL)
		return show_latency(r->rules, s->value * 1000, s->bound);
	number = number_text(s->value, s->bound);
	text = alloc_printf("%s%s", s->at_least ? ">=" : "", number);
	free(number);
	return text;
}

static void add_drive(struct table *t, size_t row, size_t column, const struct report *r,
		      const struct curve *c, int what, double best)
{
	struct standing s = compare_standing(r, c, what, best);

	table_set(t, row, column, c ? value_text(r, c, what, &s) : alloc_string("-"));
	table_set(t, row, column + 1, standing_text(&s, best, r->baseline >= 0));
}

static void add_comparison(struct table *t, const struct report *r, unsigned int w, int what,
			   const unsigned int *drives, unsigned int nr, bool first)
{
	size_t row = table_row(t);
	double best = compare_best(r, w, what);

	if (first)
		table_set(t, row, CMP_WORKLOAD, text_safe(r->curves->workload_names[w]));
	table_set(t, row, CMP_METRIC, compare_title(r, what));
	table_set(t, row, CMP_BETTER, alloc_string(compare_higher(what) ? "higher" : "lower"));
	for (unsigned int i = 0; i < nr; i++)
		add_drive(t, row, CMP_DRIVES + 2 * (size_t)i, r,
			  curves_find(r->curves, w, drives[i]), what, best);
}

static bool has_two(const struct curves *cs, unsigned int w)
{
	return cs->per_workload[w] > 1;
}

static void add_workload(struct table *t, const struct report *r, unsigned int w,
			 const unsigned int *drives, unsigned int nr)
{
	bool first = true;

	for (int what = 0; what < compare_nr(r); what++) {
		if (compare_count(r, w, what) < (what < METRIC_NR ? 1 : 2))
			continue;
		add_comparison(t, r, w, what, drives, nr, first);
		first = false;
	}
}

/* Does one of the drives have it? */
static bool is_in(const struct curves *cs, unsigned int w, const unsigned int *drives,
		  unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (curves_find(cs, w, drives[i]))
			return true;
	return false;
}

static void print_block(struct page *pg, const struct report *r, const unsigned int *drives,
			unsigned int nr)
{
	const struct curves *cs = r->curves;
	struct table *t = table_new();

	table_column(t, "WORKLOAD", 0.3, TABLE_CUT | TABLE_GROUP);
	table_column(t, "METRIC", 0, 0);
	table_column(t, "BETTER", 0, 0);
	for (unsigned int i = 0; i < nr; i++) {
		table_column(t, cs->drive_names[drives[i]], 0, TABLE_RIGHT);
		table_column(t, "", 0, 0);
	}
	for (unsigned int w = 0; w < cs->workloads; w++)
		if (has_two(cs, w) && is_in(cs, w, drives, nr))
			add_workload(t, r, w, drives, nr);
	page_table(pg, t);
}

/* How many of the drives fit side by side: a value or the name, and its standing. */
static unsigned int count_fitting(const struct curves *cs, const unsigned int *drives,
				  unsigned int nr, size_t width)
{
	size_t used = 40;

	for (unsigned int i = 0; i < nr; i++) {
		size_t name = strlen(cs->drive_names[drives[i]]);

		used += (name > 12 ? name : 12) + 8;
		if (i && used > width)
			return i;
	}
	return nr;
}

static void print_blocks(struct page *pg, const struct report *r)
{
	const struct curves *cs = r->curves;
	unsigned int *drives = alloc_zero(cs->drives, sizeof(*drives)), nr = 0, end;
	bool *shares = alloc_zero(cs->drives, sizeof(*shares));

	for (size_t i = 0; i < cs->nr; i++)
		shares[cs->list[i].drive] |= has_two(cs, cs->list[i].workload);
	for (unsigned int d = 0; d < cs->drives; d++)
		if (shares[d])
			drives[nr++] = d;
	free(shares);
	for (unsigned int i = 0; i < nr; i = end) {
		end = i + count_fitting(cs, drives + i, nr - i, page_width(pg));
		print_block(pg, r, drives + i, end - i);
	}
	free(drives);
}

/* The mark beside percentages, see standing_text(). */
static void print_mark(struct page *pg, const struct curves *cs)
{
	bool marked = false;

	for (size_t i = 0; i < cs->nr; i++)
		marked |= has_two(cs, cs->list[i].workload) &&
			  cs->list[i].peak->flags & (FLAG_FAILED | FLAG_CUT);
	if (marked)
		page_term(pg, "!", "a run that failed or was cut off (E, C): never best");
}

static void print_differences(struct page *pg, const struct curves *cs)
{
	for (unsigned int w = 0; w < cs->workloads; w++) {
		const char *setting = compare_differs(cs, w);

		if (!setting)
			continue;
		page_line(pg, "%s: the drives ran it with different settings (%s)",
			  cs->workload_names[w], setting);
	}
}

void section_comparison(struct page *pg, const struct report *r)
{
	const struct curves *cs = r->curves;
	bool shared = false;

	for (unsigned int w = 0; w < cs->workloads && !shared; w++)
		shared = has_two(cs, w);
	if (shared) {
		page_heading(pg, "Comparison", "percent against %s (all directions together)",
			     r->baseline < 0 ? "the best drive of the workload"
					     : cs->drive_names[r->baseline]);
		print_blocks(pg, r);
		print_mark(pg, cs);
		print_differences(pg, cs);
	} else if (cs->drives > 1) {
		page_line(pg, "No workload ran on two drives: nothing to compare.");
	}
}
