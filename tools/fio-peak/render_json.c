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

static json_t *point(const struct point *p, bool peak)
{
	json_t *o = json_object(), *dirs = json_object();

	set(o, "drive", text(p->drive));
	set(o, "workload", text(p->workload));
	set(o, "peak", json_boolean(peak));
	set(o, "settings", settings(p));
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

static json_t *comparison_values(const struct curves *c, unsigned int workload, int metric)
{
	double best = compare_best(c, workload, metric);
	json_t *a = json_array(), *o;

	for (unsigned int d = 0; d < c->drives; d++) {
		const struct curve *curve = curves_find(c, workload, d);
		struct standing s;

		if (!curve)
			continue;
		s = compare_standing(curve, metric, best);
		o = json_object();
		set(o, "drive", text(c->drive_names[d]));
		set(o, "value", number(s.value));
		if (s.bound)
			set(o, "upper_bound", json_true());
		set(o, "best", json_boolean(s.best));
		set(o, "percent", number(s.percent));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *comparison(const struct curves *c)
{
	json_t *a = json_array(), *o;

	for (unsigned int w = 0; w < c->workloads; w++) {
		for (int m = 0; m < METRIC_NR; m++) {
			if (compare_count(c, w, m) < 2)
				continue;
			o = json_object();
			set(o, "workload", text(c->workload_names[w]));
			set(o, "metric", json_string(metrics[m].key));
			set(o, "better", json_string(metrics[m].higher ? "higher" : "lower"));
			set(o, "drives", comparison_values(c, w, m));
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
	set(root, "comparison", comparison(r->curves));
	json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	fputc('\n', out);
	json_decref(root);
}
