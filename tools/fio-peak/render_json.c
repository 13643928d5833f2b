// SPDX-License-Identifier: GPL-2.0-only
/* JSON: schema 1, see fio-peak(1). */
#include "render.h"
#include "alloc.h"

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

/* Names of files need not be UTF-8. */
static json_t *text(const char *s)
{
	json_t *j = json_string(s);
	char *ascii;

	if (j)
		return j;
	ascii = alloc_string(s);
	for (char *c = ascii; *c; c++)
		*c = *c & 0x80 ? '?' : *c;
	j = json_string(ascii);
	free(ascii);
	return j;
}

static void set(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, alloc_check(value));
}

static void set_text(json_t *o, const char *key, const char *s)
{
	if (s)
		set(o, key, text(s));
}

/* {"value": ..., "from": ...} for every metric of a direction. */
static json_t *direction(const struct point *p, enum direction dir)
{
	const struct figures *f = &p->dir[dir];
	json_t *o = json_object(), *one;

	for (int m = 0; m < METRIC_NR; m++) {
		char *from = metric_source(p, dir, m);
		double v = metric_value(f, m);

		one = json_object();
		set(one, "value", number(v));
		if (!isnan(v))
			set_text(one, "from", from);
		if (!isnan(v) && metric_worst(f, m))
			set(one, "upper_bound", json_true());
		set(o, metrics[m].key, one);
		free(from);
	}
	set(o, "stddev_us", number(f->clat.stddev / 1000));
	set(o, "max_us", number(f->clat.max / 1000));
	set(o, "ios", number(f->ios));
	set(o, "bytes", number(f->bytes));
	set(o, "runtime_ms", number(f->runtime_ms));
	return o;
}

static json_t *flags(const struct point *p)
{
	json_t *a = json_array();

	for (int i = 0; i < FLAG_TEXTS; i++)
		if (p->flags & flag_texts[i].flag)
			json_array_append_new(a, json_string(flag_texts[i].name));
	return a;
}

static json_t *settings(const struct point *p)
{
	json_t *o = json_object();

	set_text(o, "rw", p->rw);
	set_text(o, "bs", p->bs);
	set_text(o, "iodepth", p->iodepth);
	set_text(o, "numjobs", p->numjobs);
	set_text(o, "rate_iops", p->rate_iops);
	return o;
}

/* What fio was asked for; no limit is null, what is not known is left out. */
static json_t *load(const struct load *l)
{
	json_t *o = json_object();

	if (!isnan(l->asked))
		set(o, "asked_iops", number(l->asked));
	if (!isnan(l->outstanding))
		set(o, "outstanding", number(l->outstanding));
	set(o, "in_flight", number(l->in_flight));
	return o;
}

static json_t *point(const struct point *p, bool peak)
{
	json_t *o = json_object(), *dirs = json_object();

	set(o, "drive", text(p->drive));
	set(o, "workload", text(p->workload));
	set(o, "peak", json_boolean(peak));
	set(o, "settings", settings(p));
	set(o, "load", load(&p->load));
	set(o, "jobs", json_integer(p->jobs));
	set(o, "flags", flags(p));
	if (p->flags & FLAG_FAILED) {
		set(o, "error", json_integer(p->error));
		set(o, "failed_ios", number(p->total_err));
		set_text(o, "fio_says", p->error_text);
	}
	set_text(o, "fio_version", p->version);
	set(o, "file", text(p->file));
	set(o, "document", json_integer(p->document));
	for (enum direction d = 0; d < DIR_NR; d++)
		if (p->dir[d].present)
			set(dirs, d == DIR_ALL ? "all" : direction_names[d], direction(p, d));
	set(o, "directions", dirs);
	return o;
}

/* A point of a curve, and where its figures are from. */
static json_t *curve_point(const struct point *p, const struct shape_rules *rules)
{
	json_t *o = json_object();

	set(o, "iops", number(p->dir[DIR_ALL].iops));
	set(o, "latency_us", number(shape_latency(p, rules) / 1000));
	if (shape_bound(p, rules))
		set(o, "upper_bound", json_true());
	set(o, "load", load(&p->load));
	set(o, "file", text(p->file));
	set(o, "document", json_integer(p->document));
	return o;
}

static json_t *caps(const struct curve *c, const struct shape_rules *rules)
{
	json_t *a = json_array();

	for (unsigned int i = 0; i < rules->caps_nr; i++) {
		struct cap_found found = shape_cap(c, rules, rules->caps[i]);
		json_t *o = json_object();

		set(o, "cap_us", number(rules->caps[i] / 1000));
		set(o, "iops", number(found.iops));
		set(o, "at_least", json_boolean(found.at_least));
		set(o, "result", json_string(cap_result_names[found.result]));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *curve(const struct report *r, const struct curve *c, const struct shape *s)
{
	json_t *o = json_object();

	set(o, "drive", text(r->curves->drive_names[c->drive]));
	set(o, "workload", text(r->curves->workload_names[c->workload]));
	set(o, "latency", json_string(shape_latency_name(r->rules)));
	set(o, "steps", json_integer(s->nr));
	set(o, "low", curve_point(s->low, r->rules));
	set(o, "max", curve_point(s->max, r->rules));
	set(o, "plateau_percent", number(r->rules->plateau * 100));
	set(o, "practical", curve_point(s->practical, r->rules));
	set(o, "knee", curve_point(s->knee, r->rules));
	set(o, "fall_off_percent", number(s->fall_off));
	set(o, "caps", caps(c, r->rules));
	return o;
}

static json_t *curves(const struct report *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->curves->nr; i++)
		if (r->shapes[i].max)
			json_array_append_new(a, curve(r, &r->curves->list[i], &r->shapes[i]));
	return a;
}

static json_t *comparison_values(const struct report *r, unsigned int workload, int what)
{
	double best = compare_best(r, workload, what);
	json_t *a = json_array(), *o;

	for (unsigned int d = 0; d < r->curves->drives; d++) {
		const struct curve *c = curves_find(r->curves, workload, d);
		struct standing s;

		if (!c)
			continue;
		s = compare_standing(r, c, what, best);
		o = json_object();
		set(o, "drive", text(r->curves->drive_names[d]));
		set(o, "value", number(s.value));
		if (s.bound)
			set(o, "upper_bound", json_true());
		if (s.at_least)
			set(o, "at_least", json_true());
		set(o, "best", json_boolean(s.best));
		set(o, "percent", number(s.percent));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *comparison(const struct report *r)
{
	json_t *a = json_array(), *o;

	for (unsigned int w = 0; w < r->curves->workloads; w++) {
		for (int what = 0; what < compare_nr(r); what++) {
			if (compare_count(r, w, what) < 2)
				continue;
			o = json_object();
			set(o, "workload", text(r->curves->workload_names[w]));
			set(o, "metric", json_string(compare_key(what)));
			if (what >= METRIC_NR)
				set(o, "latency", json_string(shape_latency_name(r->rules)));
			if (what >= COMPARE_CAPS)
				set(o, "cap_us",
				    number(r->rules->caps[what - COMPARE_CAPS] / 1000));
			set(o, "better", json_string(compare_higher(what) ? "higher" : "lower"));
			set(o, "drives", comparison_values(r, w, what));
			json_array_append_new(a, o);
		}
	}
	return a;
}

void render_json(FILE *out, const struct report *r)
{
	json_t *root = json_object(), *points = json_array();

	set(root, "fio-peak schema", json_integer(1));
	set(root, "latency", json_string("completion latency, microseconds"));
	set(root, "bandwidth", json_string("MB/s, 1000000 bytes per second"));
	for (size_t i = 0; i < r->curves->nr; i++)
		for (unsigned int k = 0; k < r->curves->list[i].nr; k++)
			json_array_append_new(points, point(r->curves->list[i].points[k],
							    r->curves->list[i].points[k] ==
								    r->curves->list[i].peak));
	set(root, "points", points);
	set(root, "curves", curves(r));
	set(root, "comparison", comparison(r));
	json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	fputc('\n', out);
	json_decref(root);
}
