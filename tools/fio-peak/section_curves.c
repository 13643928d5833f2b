// SPDX-License-Identifier: GPL-2.0-only
/* The shapes of curves: one line per drive and workload that ran at several loads. */
#include "sections.h"
#include "alloc.h"
#include "load.h"
#include "show.h"
#include "text.h"

#include <string.h>

#define DETAILS 8 /* workloads that are named */

enum {
	COL_WORKLOAD,
	COL_DRIVE,
	COL_STEPS,
	COL_LOW,
	COL_MAX,
	COL_MAX_LATENCY,
	COL_PRACTICAL,
	COL_PRACTICAL_LATENCY,
	COL_KNEE,
	COL_KNEE_LATENCY,
	COL_FALL_OFF,
	COL_CAPS
};

static char *iops_text(const struct point *p)
{
	return number_text(p->dir[DIR_ALL].iops, false);
}

static char *cap_text(const struct curve *c, const struct shape_rules *rules, double cap_ns)
{
	struct cap_found found = shape_cap(c, rules, cap_ns);
	char *number, *text;

	if (found.result == CAP_NEVER_REACHED)
		return alloc_string("none");
	if (found.result == CAP_UNKNOWN)
		return alloc_string("n/a");
	number = number_text(found.iops, false);
	text = alloc_printf("%s%s", found.at_least ? ">=" : "", number);
	free(number);
	return text;
}

/* Without @shapes of the IOPS within caps alone. */
static struct table *curves_table(const struct shape_rules *rules, bool shapes)
{
	static const struct {
		const char *name;
		int flags;
	} columns[COL_CAPS] = {
		[COL_WORKLOAD] = { "WORKLOAD", TABLE_CUT | TABLE_GROUP },
		[COL_DRIVE] = { "DRIVE", TABLE_CUT },
		[COL_STEPS] = { "STEPS", TABLE_RIGHT },
		[COL_LOW] = { "LOW ", TABLE_RIGHT },
		[COL_MAX] = { "MAX", TABLE_RIGHT },
		[COL_MAX_LATENCY] = { "", TABLE_RIGHT },
		[COL_PRACTICAL] = { "PRACTICAL", TABLE_RIGHT },
		[COL_PRACTICAL_LATENCY] = { "", TABLE_RIGHT },
		[COL_KNEE] = { "KNEE", TABLE_RIGHT },
		[COL_KNEE_LATENCY] = { "", TABLE_RIGHT },
		[COL_FALL_OFF] = { "FALL-OFF", TABLE_RIGHT },
	};
	struct table *t = table_new();

	for (size_t i = 0; i < (shapes ? COL_CAPS : COL_STEPS); i++) {
		bool timed = i == COL_LOW || i == COL_MAX_LATENCY || i == COL_PRACTICAL_LATENCY ||
			     i == COL_KNEE_LATENCY;
		char *name = alloc_printf("%s%s", columns[i].name, timed ? show_time(rules) : "");

		table_column(t, name,
			     i == COL_WORKLOAD ? 0.2
			     : i == COL_DRIVE  ? 0.1
					       : 0,
			     columns[i].flags);
		free(name);
	}
	for (unsigned int i = 0; i < rules->caps_nr; i++) {
		char *name = alloc_printf("<=%s", rules->cap_names[i]);

		table_column(t, name, 0, TABLE_RIGHT);
		free(name);
	}
	return t;
}

static void add_shape(struct table *t, const struct report *r, const struct curve *c,
		      const struct shape *s, bool first, size_t caps_at)
{
	const struct shape_rules *rules = r->rules;
	size_t row = table_row(t);

	if (first)
		table_set(t, row, COL_WORKLOAD, text_safe(r->curves->workload_names[c->workload]));
	table_set(t, row, COL_DRIVE, text_safe(r->curves->drive_names[c->drive]));
	for (unsigned int i = 0; i < rules->caps_nr; i++)
		table_set(t, row, caps_at + i,
			  shape_has_cap(c, s, rules, rules->caps[i])
				  ? cap_text(c, rules, rules->caps[i])
				  : alloc_string("-"));
	if (!s->max) {
		for (size_t i = COL_STEPS; i < caps_at; i++)
			table_set(t, row, i, alloc_string("-"));
		return;
	}
	table_set(t, row, COL_STEPS, alloc_printf("%u", s->nr));
	table_set(t, row, COL_LOW, show_latency_of(rules, s->low));
	table_set(t, row, COL_MAX, iops_text(s->max));
	table_set(t, row, COL_MAX_LATENCY, show_latency_of(rules, s->max));
	table_set(t, row, COL_PRACTICAL, iops_text(s->practical));
	table_set(t, row, COL_PRACTICAL_LATENCY, show_latency_of(rules, s->practical));
	table_set(t, row, COL_KNEE, iops_text(s->knee));
	table_set(t, row, COL_KNEE_LATENCY, show_latency_of(rules, s->knee));
	table_set(t, row, COL_FALL_OFF,
		  s->after ? alloc_printf("%.1f%%", s->fall_off) : alloc_string("-"));
}

static void print_terms(struct page *pg, const struct shape_rules *rules, bool shapes)
{
	if (shapes) {
		page_line(pg,
			  "LOW: at the lowest load. MAX: the most IOPS. PRACTICAL: the lowest "
			  "latency within %g%% of that.",
			  rules->plateau * 100);
		page_line(pg,
			  "KNEE: the most IOPS per latency. FALL-OFF: IOPS lost from MAX to the "
			  "highest load.");
	}
	if (rules->caps_nr)
		page_line(
			pg,
			"<=TIME: IOPS until the latency rises above it; >= where it did not, none "
			"where it always was.");
	page_gap(pg);
}

/* Of a review there may be no more than the IOPS within a cap. */
static bool has_line(const struct report *r, size_t curve)
{
	const struct shape_rules *rules = r->rules;

	for (unsigned int i = 0; i < rules->caps_nr; i++)
		if (shape_has_cap(&r->curves->list[curve], &r->shapes[curve], rules,
				  rules->caps[i]))
			return true;
	return r->shapes[curve].max;
}

static bool has_lines(const struct report *r)
{
	for (size_t i = 0; i < r->curves->nr; i++)
		if (has_line(r, i))
			return true;
	return false;
}

static bool has_shapes(const struct report *r)
{
	for (size_t i = 0; i < r->curves->nr; i++)
		if (r->shapes[i].max)
			return true;
	return false;
}

static void print_shapes(struct page *pg, const struct report *r, bool shapes)
{
	struct table *t = curves_table(r->rules, shapes);
	const struct curve *last = NULL;

	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = r->curves->shown[i];
		size_t nr = (size_t)(c - r->curves->list);

		if (!has_line(r, nr))
			continue;
		add_shape(t, r, c, &r->shapes[nr], !last || last->workload != c->workload,
			  shapes ? COL_CAPS : COL_STEPS);
		last = c;
	}
	page_table(pg, t);
}

/* Where runs that differ in @setting stand apart. */
static const char *how_to_part(const char *setting)
{
	if (!strcmp(setting, "power state"))
		return "the table of power states has a line for each";
	if (!strcmp(setting, "placement"))
		return "LABEL=PATH each tells them apart";
	return "--group-by=jobname,rw,bs tells them apart";
}

/* What should not be one: loads of different kinds have no curve, drives no median. */
static void print_varying(struct page *pg, const struct curves *cs)
{
	unsigned int found = 0;

	for (size_t i = 0; i < cs->nr; i++) {
		const struct curve *c = &cs->list[i];
		const char *workload = cs->workload_names[c->workload];
		const char *drive = cs->drive_names[c->drive];
		const char *setting = shape_varies(c);

		if ((!setting && !shape_mixes_files(c)) || found++ >= DETAILS)
			continue;
		if (setting)
			page_line(pg,
				  "%s on %s: no curve, its runs have different settings (%s); "
				  "shown is the one with the most IOPS, %s",
				  workload, drive, setting, how_to_part(setting));
		else
			page_line(pg,
				  "%s on %s: its runs have different filenames; if they are "
				  "drives: LABEL=PATH each, or --group-by=jobname,filename",
				  workload, drive);
	}
	if (found > DETAILS)
		page_line(pg, "and %u more", found - DETAILS);
	if (found)
		page_gap(pg);
}

/* A drive that did more at another point could have done what it was asked. */
static bool fell_short(const struct curve *c, const struct point *p)
{
	return p->flags & FLAG_SATURATED &&
	       p->load.asked < LOAD_SATURATED * c->peak->dir[DIR_ALL].iops;
}

static void print_short(struct page *pg, const struct curves *cs, const struct curve *c)
{
	const struct point *worst = NULL;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < c->steps_nr; i++) {
		const struct point *p = c->steps[i].point;

		if (!fell_short(c, p))
			continue;
		if (!worst || p->dir[DIR_ALL].iops / p->load.asked <
				      worst->dir[DIR_ALL].iops / worst->load.asked)
			worst = p;
		nr++;
	}
	if (!nr)
		return;
	page_line(pg,
		  "%s on %s: %u of %u points did less than they were asked though the drive can do "
		  "more, the worst %.0f of %.0f IOPS: was the host busy?",
		  cs->workload_names[c->workload], cs->drive_names[c->drive], nr, c->steps_nr,
		  worst->dir[DIR_ALL].iops, worst->load.asked);
	page_gap(pg);
}

/* Runs of old and new releases of fio together: of the old ones it is not known what they were asked. */
static void print_unlisted(struct page *pg, const struct curves *cs, const struct curve *c)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < c->nr; i++)
		nr += !c->points[i]->options;
	if (c->known || c->nr < 2 || !nr || nr == c->nr)
		return;
	page_line(
		pg,
		"%s on %s: %u of %u runs list no options (fio before 2.3), so that repeats cannot "
		"be told from other loads; shown is the run with the most IOPS",
		cs->workload_names[c->workload], cs->drive_names[c->drive], nr, c->nr);
	page_gap(pg);
}

/* There are curves, but their points were not asked for this percentile. */
static bool lacks_latency(const struct report *r)
{
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];

		if (r->rules->pct >= 0 && c->steps_nr > 1 && c->known && !shape_varies(c))
			return true;
	}
	return false;
}

void section_curves(struct page *pg, const struct report *r)
{
	bool shapes = has_shapes(r);

	if (has_lines(r)) {
		page_heading(pg, "Curves",
			     "IOPS, and %s completion latency in %s, of all directions together",
			     shape_latency_name(r->rules), show_time_word(r->rules));
		print_shapes(pg, r, shapes);
		print_terms(pg, r->rules, shapes);
	} else if (lacks_latency(r)) {
		page_line(pg, "CURVES: none has a %s latency at two loads",
			  shape_latency_name(r->rules));
		page_gap(pg);
	}
	print_varying(pg, r->curves);
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];

		print_unlisted(pg, r->curves, c);
		if (c->known && !shape_varies(c))
			print_short(pg, r->curves, c);
	}
}
