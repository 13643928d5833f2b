// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON, see fio-peak(1). own.c reads the points back: what a renderer shows of a point has to be here,
 * to 15 digits, of which a double keeps every one. What is made of points is not read back, and has
 * fewer digits, so that it comes out the same again.
 */
#include "render.h"
#include "alloc.h"
#include "conditions_json.h"
#include "feed.h"
#include "own.h"
#include "pairs.h"

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

/* Made of other numbers. */
static json_t *derived(double v)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.9g", v);
	return number(strtod(digits, NULL));
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

static void set_number(json_t *o, const char *key, double v)
{
	if (!isnan(v))
		set(o, key, number(v));
}

static void set_count(json_t *o, const char *key, unsigned int n)
{
	if (n)
		set(o, key, json_integer(n));
}

/* Those that are no metric. */
static json_t *percentiles(const struct spread *s)
{
	json_t *o = json_object();

	for (int i = 0; i < PCT_NR; i++) {
		bool is_metric = false;

		for (int m = 0; m < METRIC_NR; m++)
			is_metric |= metrics[m].pct == i;
		if (!is_metric)
			set_number(o, pct_names[i], s->pct[i] / 1000);
	}
	return o;
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
	set(o, "percentiles_us", percentiles(&f->clat));
	set(o, "stddev_us", number(f->clat.stddev / 1000));
	set(o, "min_us", number(f->clat.min / 1000));
	set(o, "max_us", number(f->clat.max / 1000));
	set_number(o, "total_mean_us", f->lat.mean / 1000);
	set_number(o, "total_p99_us", f->lat.pct[P99] / 1000);
	set(o, "ios", number(f->ios));
	set(o, "bytes", number(f->bytes));
	set(o, "runtime_ms", number(f->runtime_ms));
	set(o, "merged", json_integer(f->from));
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
	set_text(o, "rate", p->rate);
	set_text(o, "ioengine", p->ioengine);
	set_text(o, "filename", p->filename);
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

/* Where in the file, and in which, its figures were. */
static json_t *source(const struct point *p)
{
	json_t *o = json_object();

	set_text(o, "job", p->jobname);
	set_text(o, "host", p->host);
	if (*p->rel)
		set_text(o, "below", p->rel);
	set_text(o, "entries", p->entries);
	set_text(o, "latency_field", p->latency_field);
	set(o, "own_sum", json_boolean(p->own_sum));
	set(o, "options_listed", json_boolean(p->options));
	if (p->apart)
		set(o, "copies_apart", json_true());
	set_count(o, "interim_documents", p->interim);
	set_count(o, "cut_jobs", p->cut_jobs);
	set_count(o, "fio_errors", p->error_lines);
	set_number(o, "timestamp", p->timestamp);
	return o;
}

static json_t *short_job(const struct short_job *s)
{
	json_t *o = json_object();

	set_number(o, "ran_ms", s->ms);
	set_number(o, "asked_ms", s->asked_ms);
	set_number(o, "longest_ms", s->longest_ms);
	return o;
}

static void set_published(json_t *o, const struct point *p)
{
	json_t *within;

	set_text(o, "review", p->review);
	set_text(o, "note", p->note);
	if (!(p->within_ns > 0))
		return;
	within = json_object();
	set(within, "us", number(p->within_ns / 1000));
	set(within, "iops", number(p->within_iops));
	set(o, "within", within);
}

/* What a point is in its curve. */
struct role {
	unsigned int step; /* from 1 */
	bool peak;
};

static json_t *point(const struct point *p, const struct role *role)
{
	json_t *o = json_object(), *dirs = json_object();

	set(o, "drive", text(p->drive));
	set(o, "workload", text(p->workload));
	set_text(o, "family", p->family);
	set(o, "peak", json_boolean(role->peak));
	set(o, "step", json_integer(role->step));
	set_published(o, p);
	set(o, "settings", settings(p));
	set(o, "load", load(&p->load));
	set(o, "jobs", json_integer(p->jobs));
	set(o, "flags", flags(p));
	if (p->flags & FLAG_SHORT)
		set(o, "short", short_job(&p->short_job));
	if (p->flags & FLAG_FAILED) {
		set(o, "error", json_integer(p->error));
		set(o, "failed_ios", number(p->total_err));
		set_text(o, "fio_says", p->error_text);
	}
	set_text(o, "fio_version", p->version);
	set(o, "file", text(p->file));
	set(o, "document", json_integer(p->document));
	set(o, "source", source(p));
	for (enum direction d = 0; d < DIR_NR; d++)
		if (p->dir[d].present)
			set(dirs, d == DIR_ALL ? "all" : direction_names[d], direction(p, d));
	set(o, "directions", dirs);
	conditions_put(o, &p->conditions);
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
		set(o, "iops", derived(found.iops));
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
	set(o, "fall_off_percent", derived(s->fall_off));
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
		set(o, "value", what < COMPARE_CAPS ? number(s.value) : derived(s.value));
		if (s.bound)
			set(o, "upper_bound", json_true());
		if (s.at_least)
			set(o, "at_least", json_true());
		set(o, "best", json_boolean(s.best));
		set(o, "percent", derived(s.percent));
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

static json_t *pairs(const struct report *r)
{
	json_t *a = json_array(), *o;
	struct pairs pairs;

	pairs_make(&pairs, r);
	for (size_t i = 0; i < pairs.nr; i++) {
		const struct pair *p = &pairs.list[i];

		o = json_object();
		set(o, "workload", text(r->curves->workload_names[p->off->workload]));
		set(o, "off", text(r->curves->drive_names[p->off->drive]));
		set(o, "on", text(r->curves->drive_names[p->on->drive]));
		set(o, "metric", json_string(metrics[p->metric].key));
		set(o, "cost_percent", derived(p->cost));
		set(o, "latency", json_string(shape_latency_name(r->rules)));
		set(o, "latency_cost_percent", derived(p->latency_cost));
		json_array_append_new(a, o);
	}
	pairs_free(&pairs);
	return a;
}

static json_t *feed(const struct report *r)
{
	json_t *o = json_object(), *a = json_array(), *one;

	set(o, "mb_s", number(r->rules->feed / 1e6));
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];
		unsigned long needed = feed_drives(c, r->rules);

		if (!needed)
			continue;
		one = json_object();
		set(one, "drive", text(r->curves->drive_names[c->drive]));
		set(one, "workload", text(r->curves->workload_names[c->workload]));
		set(one, "mb_s", number(metric_value(&c->peak->dir[DIR_ALL], METRIC_MB_S)));
		set(one, "needed", json_integer((json_int_t)needed));
		json_array_append_new(a, one);
	}
	set(o, "drives", a);
	return o;
}

/* In the order in which they were read, which is that of drives and workloads. */
static json_t *points(const struct report *r)
{
	struct role *roles = alloc_zero(r->folded->nr, sizeof(*roles));
	json_t *a = json_array();

	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];

		for (unsigned int s = 0; s < c->steps_nr; s++)
			for (unsigned int k = 0; k < c->steps[s].nr; k++) {
				const struct point *p = c->steps[s].points[k];

				roles[p - r->folded->points] =
					(struct role){ .step = s + 1, .peak = p == c->peak };
			}
	}
	for (size_t i = 0; i < r->folded->nr; i++)
		json_array_append_new(a, point(&r->folded->points[i], &roles[i]));
	free(roles);
	return a;
}

void render_json(FILE *out, const struct report *r)
{
	json_t *root = json_object();

	set(root, OWN_KEY, json_integer(OWN_SCHEMA));
	set(root, "latency", json_string("completion latency, microseconds"));
	set(root, "bandwidth", json_string("MB/s, 1000000 bytes per second"));
	set(root, "points", points(r));
	set(root, "curves", curves(r));
	if (r->baseline >= 0)
		set(root, "baseline", text(r->curves->drive_names[r->baseline]));
	set(root, "comparison", comparison(r));
	set(root, "pairs", pairs(r));
	if (r->rules->feed > 0)
		set(root, "feed", feed(r));
	json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	fputc('\n', out);
	json_decref(root);
}
