// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table for people: results, the meaning of the flags that occur, then drives side by side.
 * Fits 100 columns with two drives; more drives are printed in blocks.
 */
#include "render.h"
#include "alloc.h"
#include "text.h"

#include <libsmartcols.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH 100
#define DETAILS 8 /* flagged points that are spelt out, per flag */

/* Numbers */

/* Thousands separators and as many digits as matter: "252,452", "720.2", "4.06", "n/a". */
static char *number_text(double v, bool bound)
{
	char digits[400], *out, *to;
	size_t whole;

	if (isnan(v))
		return alloc_string("n/a");
	snprintf(digits, sizeof(digits), "%.*f", v < 9.995 ? 2 : v < 999.95 ? 1 : 0, v);
	whole = strcspn(digits, ".");
	out = to = alloc_zero(2, sizeof(digits));
	if (bound)
		to = stpcpy(to, "<=");
	for (size_t i = 0; digits[i]; i++) {
		if (i && i < whole && (whole - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	return out;
}

/* fio before 2.99 counts whole microseconds: its 0 is less than one. */
static char *metric_text(const struct point *p, enum direction dir, int metric)
{
	const struct figures *f = &p->dir[dir];
	double v = metric_value(f, metric);

	if (metrics[metric].pct >= 0 && v == 0 && !strcmp(p->latency_field, "clat"))
		return alloc_string("<1");
	return number_text(v, metric_worst(f, metric));
}

static void set_cell(struct libscols_line *line, size_t column, char *owned)
{
	alloc_check(owned);
	if (scols_line_refer_data(line, column, owned))
		alloc_check(NULL);
}

static unsigned int width_of(FILE *out)
{
	struct winsize ws;

	if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &ws) || ws.ws_col < 40)
		return WIDTH;
	return ws.ws_col;
}

static struct libscols_table *table_new(FILE *out)
{
	struct libscols_table *t = alloc_check(scols_new_table());

	scols_table_set_stream(t, out);
	scols_table_enable_minout(t, 1);
	/* text_safe() has done it, also for what libsmartcols lets pass. */
	scols_table_enable_noencoding(t, 1);
	return t;
}

static void add_column(struct libscols_table *t, const char *name, double width, int flags)
{
	alloc_check(scols_table_new_column(t, name, width, flags));
}

static void table_print(struct libscols_table *t, FILE *out)
{
	scols_print_table(t);
	scols_unref_table(t);
	fputc('\n', out);
}

/* Results */

enum {
	COL_WORKLOAD,
	COL_DRIVE,
	COL_DIR,
	COL_METRICS,
	COL_FLAGS = COL_METRICS + METRIC_NR,
	COL_PTS
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

static struct libscols_line *add_direction(struct libscols_table *t, const struct curve *c,
					   enum direction dir)
{
	struct libscols_line *line = alloc_check(scols_table_new_line(t, NULL));
	const struct point *p = c->peak;

	set_cell(line, COL_DIR, alloc_string(point_direction_name(p, dir)));
	for (int m = 0; m < METRIC_NR; m++)
		set_cell(line, COL_METRICS + (size_t)m, metric_text(p, dir, m));
	return line;
}

static void add_curve(struct libscols_table *t, const struct curves *cs, const struct curve *c,
		      bool first, bool pts)
{
	struct libscols_line *line = NULL, *added;

	for (enum direction d = 0; d < DIR_NR; d++) {
		if (d != DIR_ALL && (point_directions(c->peak) < 2 || !c->peak->dir[d].present))
			continue;
		added = add_direction(t, c, d);
		line = line ? line : added;
	}
	if (first)
		set_cell(line, COL_WORKLOAD, text_safe(cs->workload_names[c->workload]));
	set_cell(line, COL_DRIVE, text_safe(cs->drive_names[c->drive]));
	set_cell(line, COL_FLAGS, flag_letters(flags_of_curve(c)));
	if (pts)
		set_cell(line, COL_PTS, alloc_printf("%u", c->nr));
}

static void print_results(FILE *out, const struct curves *cs, bool pts)
{
	struct libscols_table *t = table_new(out);

	add_column(t, "WORKLOAD", 0.2, SCOLS_FL_TRUNC);
	add_column(t, "DRIVE", 0.1, SCOLS_FL_TRUNC);
	add_column(t, "DIR", 0, 0);
	for (int m = 0; m < METRIC_NR; m++)
		add_column(t, metrics[m].title, 0, SCOLS_FL_RIGHT);
	add_column(t, "FLAGS", 0, 0);
	if (pts)
		add_column(t, "POINTS", 0, SCOLS_FL_RIGHT);
	for (size_t i = 0; i < cs->nr; i++)
		add_curve(t, cs, &cs->list[i],
			  !i || cs->list[i].workload != cs->list[i - 1].workload, pts);
	table_print(t, out);
}

/* What the flags mean, and the facts of the flagged points */

static void print_who(FILE *out, const struct point *p)
{
	fputs("     ", out);
	text_put(out, p->workload);
	fputs(" on ", out);
	text_put(out, p->drive);
	if (p->rel && *p->rel) {
		fputs(" (", out);
		text_put(out, p->rel);
		fputc(')', out);
	}
	fputs(": ", out);
}

static void print_failure(FILE *out, const struct point *p)
{
	const char *gap = "";

	print_who(out, p);
	if (p->error) {
		fprintf(out, "error %d (%s)", p->error, strerror(p->error));
		gap = ", ";
	}
	if (p->total_err > 0) {
		fprintf(out, "%s%.0f I/Os failed", gap, p->total_err);
		gap = ", ";
	}
	if (p->error_lines) {
		fprintf(out, "%s%u error line%s: ", gap, p->error_lines,
			p->error_lines > 1 ? "s" : "");
		text_put(out, p->error_text);
	}
	fputc('\n', out);
}

static void print_seconds(FILE *out, const char *before, double s)
{
	fprintf(out, s < 1000 ? "%s %.3g s" : "%s %.0f s", before, s);
}

static void print_short(FILE *out, const struct point *p)
{
	print_who(out, p);
	print_seconds(out, p->jobs > 1 ? "a job ran" : "ran", p->short_job.ms / 1000);
	if (!isnan(p->short_job.asked_ms))
		print_seconds(out, ", asked for", p->short_job.asked_ms / 1000);
	else if (p->jobs > 1)
		print_seconds(out, ", the longest", p->short_job.longest_ms / 1000);
	fputc('\n', out);
}

static void print_details(FILE *out, const struct curves *cs, enum flag flag)
{
	unsigned int shown = 0, more = 0;

	for (size_t i = 0; i < cs->nr; i++) {
		for (unsigned int k = 0; k < cs->list[i].nr; k++) {
			const struct point *p = cs->list[i].points[k];
			bool show = p == cs->list[i].peak || flag == FLAG_FAILED;

			if (!show || !(p->flags & flag))
				continue;
			if (shown++ >= DETAILS)
				more++;
			else if (flag == FLAG_FAILED)
				print_failure(out, p);
			else
				print_short(out, p);
		}
	}
	if (more)
		fprintf(out, "     and %u more; --format=csv lists all\n", more);
}

static void print_legend(FILE *out, const struct curves *cs, bool pts)
{
	unsigned int flags = 0;

	for (size_t i = 0; i < cs->nr; i++)
		flags |= flags_of_curve(&cs->list[i]);
	if (pts)
		fputs("POINTS: runs of this workload; shown is the one with the most IOPS.\n", out);
	for (int i = 0; i < FLAG_TEXTS; i++) {
		if (!(flags & flag_texts[i].flag))
			continue;
		fprintf(out, "%c  %s\n", flag_texts[i].letter, flag_texts[i].meaning);
		if (flag_texts[i].flag & (FLAG_FAILED | FLAG_SHORT))
			print_details(out, cs, flag_texts[i].flag);
	}
	if (flags || pts)
		fputc('\n', out);
}

/* Comparison */

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

static char *standing_text(const struct curve *c, int metric, double best)
{
	struct standing s = compare_standing(c, metric, best);

	if (s.bound || isnan(s.value) || isnan(best))
		return alloc_string("");
	if (s.best)
		return alloc_string("best");
	return percent_text(s.percent, s.competes ? "" : "!");
}

static void add_comparison(struct libscols_table *t, const struct curves *cs, unsigned int w, int m,
			   const unsigned int *drives, unsigned int nr)
{
	struct libscols_line *line = alloc_check(scols_table_new_line(t, NULL));
	double best = compare_best(cs, w, m);

	if (!m)
		set_cell(line, CMP_WORKLOAD, text_safe(cs->workload_names[w]));
	set_cell(line, CMP_METRIC,
		 alloc_printf("%s%s", metrics[m].title, m >= METRIC_MEAN ? " us" : ""));
	set_cell(line, CMP_BETTER, alloc_string(metrics[m].higher ? "higher" : "lower"));
	for (unsigned int i = 0; i < nr; i++) {
		const struct curve *c = curves_find(cs, w, drives[i]);
		size_t at = CMP_DRIVES + 2 * (size_t)i;

		set_cell(line, at, c ? metric_text(c->peak, DIR_ALL, m) : alloc_string("-"));
		set_cell(line, at + 1, standing_text(c, m, best));
	}
}

static bool has_two(const struct curves *cs, unsigned int w)
{
	return cs->per_workload[w] > 1;
}

static void print_block(FILE *out, const struct curves *cs, const unsigned int *drives,
			unsigned int nr)
{
	struct libscols_table *t = table_new(out);

	add_column(t, "WORKLOAD", 0.3, SCOLS_FL_TRUNC);
	add_column(t, "METRIC", 0, 0);
	add_column(t, "BETTER", 0, 0);
	for (unsigned int i = 0; i < nr; i++) {
		char *name = text_safe(cs->drive_names[drives[i]]);

		add_column(t, name, 0, SCOLS_FL_RIGHT);
		free(name);
		add_column(t, "", 0, 0);
	}
	for (unsigned int w = 0; w < cs->workloads; w++)
		for (int m = 0; m < METRIC_NR && has_two(cs, w); m++)
			add_comparison(t, cs, w, m, drives, nr);
	table_print(t, out);
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

static void print_blocks(FILE *out, const struct curves *cs)
{
	unsigned int *drives = alloc_zero(cs->drives, sizeof(*drives)), nr = 0, end;
	bool *shares = alloc_zero(cs->drives, sizeof(*shares));

	for (size_t i = 0; i < cs->nr; i++)
		shares[cs->list[i].drive] |= has_two(cs, cs->list[i].workload);
	for (unsigned int d = 0; d < cs->drives; d++)
		if (shares[d])
			drives[nr++] = d;
	free(shares);
	for (unsigned int i = 0; i < nr; i = end) {
		end = i + count_fitting(cs, drives + i, nr - i, width_of(out));
		print_block(out, cs, drives + i, end - i);
	}
	free(drives);
}

/* The mark beside percentages, see standing_text(). */
static void print_mark(FILE *out, const struct curves *cs)
{
	bool marked = false;

	for (size_t i = 0; i < cs->nr; i++)
		marked |= has_two(cs, cs->list[i].workload) &&
			  cs->list[i].peak->flags & (FLAG_FAILED | FLAG_CUT);
	if (marked)
		fputs("!  a run that failed or was cut off (E, C): never best\n", out);
}

static void print_differences(FILE *out, const struct curves *cs)
{
	for (unsigned int w = 0; w < cs->workloads; w++) {
		const char *setting = compare_differs(cs, w);

		if (!setting)
			continue;
		text_put(out, cs->workload_names[w]);
		fprintf(out, ": the drives ran it with different settings (%s)\n", setting);
	}
}

static void print_comparison(FILE *out, const struct curves *cs)
{
	bool shared = false;

	for (unsigned int w = 0; w < cs->workloads && !shared; w++)
		shared = has_two(cs, w);
	if (shared) {
		fputs("COMPARISON: percent against the best drive of the workload (all directions "
		      "together)\n\n",
		      out);
		print_blocks(out, cs);
		print_mark(out, cs);
		print_differences(out, cs);
	} else if (cs->drives > 1) {
		fputs("No workload ran on two drives: nothing to compare.\n", out);
	}
}

void render_table(FILE *out, const struct report *r)
{
	bool pts = false;

	for (size_t i = 0; i < r->curves->nr; i++)
		pts |= r->curves->list[i].nr > 1;
	fputs("RESULTS: mean and percentiles are completion latency in microseconds; "
	      "MB/s are 10^6 bytes/s\n\n",
	      out);
	print_results(out, r->curves, pts);
	print_legend(out, r->curves, pts);
	print_comparison(out, r->curves);
}
