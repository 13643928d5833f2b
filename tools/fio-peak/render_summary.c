// SPDX-License-Identifier: GPL-2.0-only
/* CSV with a row for each drive and workload: its peak, and the shape of its curve. */
#include "render.h"
#include "alloc.h"
#include "csv.h"
#include "feed.h"

static void put_header(FILE *out, const struct shape_rules *rules)
{
	fputs("drive,workload,", out);
	for (int m = 0; m < METRIC_NR; m++)
		csv_text(out, metrics[m].key);
	fputs("flags,points,spread_percent,latency,steps,low_iops,low_us,max_iops,max_us,"
	      "practical_iops,practical_us,knee_iops,knee_us,",
	      out);
	for (unsigned int i = 0; i < rules->caps_nr; i++)
		fprintf(out, "cap_%s_iops,cap_%s_result,", rules->cap_names[i],
			rules->cap_names[i]);
	fprintf(out, "%sfall_off_percent\n", rules->feed > 0 ? "feed_drives," : "");
}

static void put_point(FILE *out, const struct point *p, const struct shape_rules *rules)
{
	csv_number(out, p ? p->dir[DIR_ALL].iops : NAN);
	csv_number(out, p ? shape_latency(p, rules) / 1000 : NAN);
}

static void put_caps(FILE *out, const struct curve *c, const struct shape *s,
		     const struct shape_rules *rules)
{
	for (unsigned int i = 0; i < rules->caps_nr; i++) {
		struct cap_found found = { .iops = NAN };

		bool has = shape_has_cap(c, s, rules, rules->caps[i]);

		if (has)
			found = shape_cap(c, rules, rules->caps[i]);
		csv_number(out, found.iops);
		csv_text(out, has ? cap_result_names[found.result] : NULL);
	}
}

static void put_curve(FILE *out, const struct report *r, const struct curve *c,
		      const struct shape *s)
{
	unsigned long needed = feed_drives(c, r->rules);

	csv_text(out, r->curves->drive_names[c->drive]);
	csv_text(out, r->curves->workload_names[c->workload]);
	for (int m = 0; m < METRIC_NR; m++)
		csv_number(out, metric_value(&c->peak->dir[DIR_ALL], m));
	csv_flags(out, c->peak->flags | (c->failed ? FLAG_FAILED : 0));
	fprintf(out, "%u,", c->nr);
	csv_number(out, step_spread(c->peak_step));
	csv_text(out, s->max ? shape_latency_name(r->rules) : NULL);
	csv_number(out, s->max ? s->nr : NAN);
	put_point(out, s->low, r->rules);
	put_point(out, s->max, r->rules);
	put_point(out, s->practical, r->rules);
	put_point(out, s->knee, r->rules);
	put_caps(out, c, s, r->rules);
	if (r->rules->feed > 0)
		csv_number(out, needed ? (double)needed : NAN);
	if (!isnan(s->fall_off))
		fprintf(out, "%.12g", s->fall_off);
	fputc('\n', out);
}

void render_summary(FILE *out, const struct report *r)
{
	put_header(out, r->rules);
	for (size_t i = 0; i < r->curves->nr; i++)
		put_curve(out, r, r->curves->shown[i],
			  &r->shapes[r->curves->shown[i] - r->curves->list]);
}
