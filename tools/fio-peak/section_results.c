// SPDX-License-Identifier: GPL-2.0-only
/* A row for each drive and workload; the flags that occur, what they mean, whom they concern. */
#include "sections.h"
#include "alloc.h"
#include "show.h"
#include "text.h"

#define DETAILS 8 /* flagged points that are spelt out, per flag */

/* fio before 2.99 counts whole microseconds: its 0 is less than one. */
char *metric_text(const struct shape_rules *rules, const struct point *p, enum direction dir,
		  int metric)
{
	const struct figures *f = &p->dir[dir];
	double v = metric_value(f, metric);

	if (metrics[metric].pct >= 0 && v == 0 && !strcmp(p->latency_field, "clat") &&
	    show_ns(rules) == 1000)
		return alloc_string("<1");
	return show_metric(rules, metric, v, metric_worst(f, metric));
}

/* Results */

enum {
	COL_WORKLOAD,
	COL_DRIVE,
	COL_DIR,
	COL_METRICS /* and then flags, points, spread */
};

static char *flag_letters(unsigned int flags)
{
	char *s = alloc_zero(FLAG_TEXTS + 1, 1), *to = s;

	for (int i = 0; i < FLAG_TEXTS; i++)
		if (flags & flag_texts[i].flag)
			*to++ = flag_texts[i].letter;
	return s;
}

static unsigned int flags_of_curve(const struct curve *c)
{
	return c->peak->flags | (c->failed ? FLAG_FAILED : 0);
}

static void add_direction(struct table *t, const struct report *r, const struct curve *c,
			  enum direction dir, int nr)
{
	const struct point *p = c->peak;
	size_t row = table_row(t);

	table_set(t, row, COL_DIR, alloc_string(point_direction_name(p, dir)));
	for (int m = 0; m < nr; m++)
		table_set(t, row, COL_METRICS + (size_t)m, metric_text(r->rules, p, dir, m));
}

static char *spread_text(const struct curve *c)
{
	double spread = step_spread(c->peak_step);

	return isnan(spread) ? alloc_string("") : alloc_printf("%.1f%%", spread);
}

/* What the table shows of points besides the peaks. */
struct extras {
	bool points, repeats, steps;
	int metrics; /* reviews print no percentiles */
};

static struct extras extras_find(const struct curves *cs)
{
	struct extras e = { .metrics = METRIC_P50 };

	for (size_t i = 0; i < cs->nr; i++) {
		e.points |= cs->list[i].nr > 1;
		e.steps |= cs->list[i].steps_nr > 1;
		e.repeats |= cs->list[i].repeats > 1;
		if (!(cs->list[i].peak->flags & FLAG_PUBLISHED))
			e.metrics = METRIC_NR;
	}
	return e;
}

static void add_curve(struct table *t, const struct report *r, const struct curve *c, bool first,
		      struct extras extras)
{
	const struct curves *cs = r->curves;
	size_t first_row = t->rows, flags = COL_METRICS + (size_t)extras.metrics;

	for (enum direction d = 0; d < DIR_NR; d++) {
		if (d != DIR_ALL && (point_directions(c->peak) < 2 || !c->peak->dir[d].present))
			continue;
		add_direction(t, r, c, d, extras.metrics);
	}
	if (first)
		table_set(t, first_row, COL_WORKLOAD, text_safe(cs->workload_names[c->workload]));
	table_set(t, first_row, COL_DRIVE, text_safe(cs->drive_names[c->drive]));
	table_set(t, first_row, flags, flag_letters(flags_of_curve(c)));
	if (extras.points)
		table_set(t, first_row, flags + 1, alloc_printf("%u", c->nr));
	if (extras.repeats)
		table_set(t, first_row, flags + 2, spread_text(c));
}

static void print_results(struct page *pg, const struct report *r, struct extras extras)
{
	const struct curves *cs = r->curves;
	struct table *t = table_new();

	table_column(t, "WORKLOAD", 0.2, TABLE_CUT | TABLE_GROUP);
	table_column(t, "DRIVE", 0.1, TABLE_CUT | TABLE_GROUP);
	table_column(t, "DIR", 0, 0);
	for (int m = 0; m < extras.metrics; m++)
		table_column(t, show_title(r->rules, m), 0, TABLE_RIGHT);
	table_column(t, "FLAGS", 0, 0);
	if (extras.points)
		table_column(t, "POINTS", 0, TABLE_RIGHT);
	if (extras.repeats)
		table_column(t, "SPREAD", 0, TABLE_RIGHT);
	for (size_t i = 0; i < cs->nr; i++)
		add_curve(t, r, cs->shown[i],
			  !i || cs->shown[i]->workload != cs->shown[i - 1]->workload, extras);
	page_table(pg, t);
}

/* What the flags mean, and the facts of the flagged points */

/* The caller's to free. */
static char *who(const struct point *p)
{
	if (p->rel && *p->rel)
		return alloc_printf("%s on %s (%s)", p->workload, p->drive, p->rel);
	return alloc_printf("%s on %s", p->workload, p->drive);
}

static char *seconds(double s)
{
	return alloc_printf(s < 1000 ? "%.3g s" : "%.0f s", s);
}

static void detail_failure(struct page *pg, const struct point *p, const char *name)
{
	char *error = NULL, *ios = NULL, *lines = NULL;

	if (p->error)
		error = alloc_printf("error %d (%s)", p->error, strerror(p->error));
	if (p->total_err > 0)
		ios = alloc_printf("%s%.0f I/Os failed", error ? ", " : "", p->total_err);
	if (p->error_lines)
		lines = alloc_printf("%s%u error line%s: %s", error || ios ? ", " : "",
				     p->error_lines, p->error_lines > 1 ? "s" : "", p->error_text);
	page_detail(pg, "%s: %s%s%s", name, error ? error : "", ios ? ios : "", lines ? lines : "");
	free(error);
	free(ios);
	free(lines);
}

static void detail_short(struct page *pg, const struct point *p, const char *name)
{
	const struct short_job *s = &p->short_job;
	bool asked = !isnan(s->asked_ms), compared = asked || p->jobs > 1;
	char *ran = seconds(s->ms / 1000);
	char *other = seconds((asked ? s->asked_ms : s->longest_ms) / 1000);

	page_detail(pg, "%s: %s %s%s%s", name, p->jobs > 1 ? "a job ran" : "ran", ran,
		    !compared ? ""
		    : asked   ? ", asked for "
			      : ", the longest ",
		    compared ? other : "");
	free(ran);
	free(other);
}

static void detail_rate(struct page *pg, const struct point *p, const char *name)
{
	char *got = number_text(p->dir[DIR_ALL].iops, false);
	char *asked = number_text(p->load.asked, false);

	page_detail(pg, "%s: %s IOPS, asked for %s", name, got, asked);
	free(got);
	free(asked);
}

static void detail_queue(struct page *pg, const struct point *p, const char *name)
{
	char *is = number_text(p->load.in_flight, false);
	char *asked = number_text(p->load.outstanding, false);

	page_detail(pg, "%s: %s I/Os in flight, jobs x iodepth %s", name, is, asked);
	free(is);
	free(asked);
}

static void detail_published(struct page *pg, const struct point *p, const char *name)
{
	page_detail(pg, "%s: %s", name, p->note);
}

typedef void (*detail_fn)(struct page *pg, const struct point *p, const char *name);

/* The flags whose points are spelt out. */
static detail_fn detail_of(enum flag flag)
{
	switch (flag) {
	case FLAG_FAILED:
		return detail_failure;
	case FLAG_SHORT:
		return detail_short;
	case FLAG_SATURATED:
		return detail_rate;
	case FLAG_IN_FLIGHT:
		return detail_queue;
	case FLAG_PUBLISHED:
		return detail_published;
	default:
		return NULL;
	}
}

static void print_details(struct page *pg, const struct curves *cs, enum flag flag)
{
	unsigned int shown = 0, more = 0;
	detail_fn print = detail_of(flag);
	char *name;

	for (size_t i = 0; print && i < cs->nr; i++) {
		for (unsigned int k = 0; k < cs->list[i].nr; k++) {
			const struct point *p = cs->list[i].points[k];
			bool show = p == cs->list[i].peak || flag == FLAG_FAILED;

			if (flag == FLAG_PUBLISHED && !p->note)
				continue;
			if (!show || !(p->flags & flag))
				continue;
			if (shown++ >= DETAILS && flag != FLAG_PUBLISHED) {
				more++;
				continue;
			}
			name = who(p);
			print(pg, p, name);
			free(name);
		}
	}
	if (more)
		page_detail(pg, "and %u more; --format=csv lists all", more);
}

static void print_legend(struct page *pg, const struct curves *cs, struct extras extras)
{
	unsigned int flags = 0;

	for (size_t i = 0; i < cs->nr; i++)
		flags |= flags_of_curve(&cs->list[i]);
	if (extras.steps)
		page_line(pg,
			  "POINTS: runs of this workload; shown is the one with the most IOPS.");
	if (extras.repeats)
		page_line(pg,
			  "SPREAD: of the IOPS of repeated runs, of which the median is shown.");
	for (int i = 0; i < FLAG_TEXTS; i++) {
		if (!(flags & flag_texts[i].flag))
			continue;
		page_term(pg, (char[]){ flag_texts[i].letter, 0 }, "%s", flag_texts[i].meaning);
		print_details(pg, cs, flag_texts[i].flag);
	}
	if (flags || extras.points)
		page_gap(pg);
}

void section_results(struct page *pg, const struct report *r)
{
	struct extras extras = extras_find(r->curves);

	page_heading(pg, "Results", "mean and percentiles are completion latency in %s; %s",
		     show_time_word(r->rules), show_bandwidth_words(r->rules));
	print_results(pg, r, extras);
	print_legend(pg, r->curves, extras);
}
