// SPDX-License-Identifier: GPL-2.0-only
/* Members that are missing or of another type are as unknown as they were when it was written. */
#include "own.h"
#include "alloc.h"
#include "compare.h"
#include "conditions_json.h"
#include "frame.h"
#include "members.h"
#include "names.h"

/* Members */

/* Nothing that we tell is below 0. */
static double number_of(const json_t *o, const char *key)
{
	const json_t *j = json_object_get(o, key);
	double v = json_is_number(j) ? json_number_value(j) : NAN;

	return v >= 0 ? v : NAN;
}

static bool is_true(const json_t *o, const char *key)
{
	return json_is_true(json_object_get(o, key));
}

/* null is no limit, absent is unknown. */
static double limit_of(const json_t *o, const char *key)
{
	return json_is_null(json_object_get(o, key)) ? INFINITY : number_of(o, key);
}

/* Figures */

static double metric_of(const json_t *direction, int metric)
{
	return number_of(json_object_get(direction, metrics[metric].key), "value");
}

static void read_latency(struct spread *s, const json_t *direction)
{
	const json_t *others = json_object_get(direction, "percentiles_us");

	s->mean = metric_of(direction, METRIC_MEAN) * 1000;
	s->stddev = number_of(direction, "stddev_us") * 1000;
	s->min = number_of(direction, "min_us") * 1000;
	s->max = number_of(direction, "max_us") * 1000;
	for (int i = 0; i < PCT_NR; i++)
		s->pct[i] = number_of(others, pct_names[i]) * 1000;
	for (int m = 0; m < METRIC_NR; m++) {
		if (metrics[m].pct < 0)
			continue;
		s->pct[metrics[m].pct] = metric_of(direction, m) * 1000;
		s->worst |= is_true(json_object_get(direction, metrics[m].key), "upper_bound");
	}
}

static void read_direction(struct figures *f, const json_t *direction)
{
	*f = (struct figures){ .present = json_is_object(direction) };
	f->from = member_count(direction, "merged");
	f->iops = metric_of(direction, METRIC_IOPS);
	f->bytes_s = metric_of(direction, METRIC_MB_S) * 1e6;
	f->ios = number_of(direction, "ios");
	f->bytes = number_of(direction, "bytes");
	f->runtime_ms = number_of(direction, "runtime_ms");
	read_latency(&f->clat, direction);
	f->lat = (struct spread){ .stddev = NAN, .min = NAN, .max = NAN };
	f->lat.mean = number_of(direction, "total_mean_us") * 1000;
	for (int i = 0; i < PCT_NR; i++)
		f->lat.pct[i] = NAN;
	f->lat.pct[P99] = number_of(direction, "total_p99_us") * 1000;
}

/* Points */

static unsigned int flags_of(const json_t *names)
{
	unsigned int flags = 0;
	const json_t *name;
	size_t n;

	json_array_foreach(names, n, name)
	{
		const char *s = json_string_value(name);

		for (int i = 0; s && i < FLAG_TEXTS; i++)
			if (!strcmp(s, flag_texts[i].name))
				flags |= flag_texts[i].flag;
	}
	return flags;
}

static void read_settings(struct point *p, const json_t *o)
{
	p->rw = member_text(o, "rw");
	p->bs = member_text(o, "bs");
	p->iodepth = member_text(o, "iodepth");
	p->numjobs = member_text(o, "numjobs");
	p->rate_iops = member_text(o, "rate_iops");
	p->rate = member_text(o, "rate");
	p->ioengine = member_text(o, "ioengine");
	p->filename = member_text(o, "filename");
}

static const char *field_of(const json_t *o)
{
	static const char *const fields[] = { "clat_ns", "clat", "lat_ns", "lat" };
	const char *s = json_string_value(json_object_get(o, "latency_field"));

	for (size_t i = 0; s && i < sizeof(fields) / sizeof(fields[0]); i++)
		if (!strcmp(s, fields[i]))
			return fields[i];
	return fields[0];
}

static void read_source(struct point *p, const json_t *o)
{
	p->jobname = member_text(o, "job");
	p->host = member_text(o, "host");
	p->rel = member_text(o, "below");
	p->entries = member_text(o, "entries");
	p->latency_field = field_of(o);
	p->own_sum = is_true(o, "own_sum");
	p->options = is_true(o, "options_listed");
	p->apart = is_true(o, "copies_apart");
	p->interim = member_count(o, "interim_documents");
	p->cut_jobs = member_count(o, "cut_jobs");
	p->error_lines = member_count(o, "fio_errors");
	p->timestamp = number_of(o, "timestamp");
	if (!p->jobname)
		p->jobname = alloc_string(p->workload);
	if (!p->entries)
		p->entries = alloc_string("jobs");
}

static void read_short(struct point *p, const json_t *o)
{
	p->short_job = (struct short_job){ .ms = number_of(o, "ran_ms"),
					   .asked_ms = number_of(o, "asked_ms"),
					   .longest_ms = number_of(o, "longest_ms") };
}

static void read_load(struct load *l, const json_t *o)
{
	l->asked = limit_of(o, "asked_iops");
	l->outstanding = number_of(o, "outstanding");
	l->in_flight = number_of(o, "in_flight");
}

static void read_published(struct point *p, const json_t *o)
{
	const json_t *within = json_object_get(o, "within");

	p->review = member_text(o, "review");
	p->note = member_text(o, "note");
	p->within_ns = number_of(within, "us") * 1000;
	p->within_iops = number_of(within, "iops");
	if (p->review)
		p->flags |= FLAG_PUBLISHED;
}

static void read_point(struct point *p, const json_t *o)
{
	const json_t *dirs = json_object_get(o, "directions");

	p->drive = member_text(o, "drive");
	p->workload = member_text(o, "workload");
	p->family = member_text(o, "family");
	read_settings(p, json_object_get(o, "settings"));
	read_load(&p->load, json_object_get(o, "load"));
	p->jobs = member_count(o, "jobs");
	p->flags = flags_of(json_object_get(o, "flags"));
	p->error = (int)member_count(o, "error");
	p->total_err = fmax(number_of(o, "failed_ios"), 0);
	p->error_text = member_text(o, "fio_says");
	p->version = member_text(o, "fio_version");
	p->document = member_count(o, "document");
	read_source(p, json_object_get(o, "source"));
	read_short(p, json_object_get(o, "short"));
	read_published(p, o);
	conditions_get(&p->conditions, o);
	for (enum direction d = 0; d < DIR_NR; d++)
		read_direction(&p->dir[d],
			       json_object_get(dirs, d == DIR_ALL ? "all" : direction_names[d]));
	p->dir[DIR_ALL].present = true;
}

static bool is_point(const json_t *o)
{
	return json_is_string(json_object_get(o, "drive")) &&
	       json_is_string(json_object_get(o, "workload")) &&
	       json_is_object(json_object_get(o, "directions")) &&
	       !json_object_get(o, FRAME_CUT_KEY);
}

static void add_point(struct folded *f, const struct origin *origin, const json_t *o)
{
	struct point *p;

	f->points = alloc_grow(f->points, f->nr, &f->cap, sizeof(*f->points));
	p = &f->points[f->nr++];
	*p = (struct point){ .input = origin->input, .own = alloc_string(origin->file) };
	read_point(p, o);
	p->file = member_text(o, "file");
	if (!p->file)
		p->file = alloc_string(origin->file);
	if (!p->rel)
		p->rel = alloc_string("");
}

char *own_fold(struct folded *f, const struct origin *origin, const struct document *doc)
{
	const json_t *schema = json_object_get(doc->root, OWN_KEY),
		     *points = json_object_get(doc->root, "points"), *o;
	json_int_t version = json_integer_value(schema);
	size_t i, before = f->nr, left_out = 0;

	if (version < 1 || version > OWN_SCHEMA) {
		char *got = json_is_integer(schema) ? alloc_printf("%" JSON_INTEGER_FORMAT, version)
						    : alloc_string("without a number");
		char *why = alloc_printf("%s: fio-peak's JSON of schema %s; this fio-peak knows "
					 "schema %d: use the newer one, or fio's own files",
					 origin->file, got, OWN_SCHEMA);

		free(got);
		return why;
	}
	json_array_foreach(points, i, o)
	{
		if (is_point(o))
			add_point(f, origin, o);
		else
			left_out++;
	}
	/* What fio said around it does not concern these. */
	fold_file_begin(f);
	if (f->nr == before)
		return alloc_printf("%s: fio-peak's JSON without points", origin->file);
	if (doc->cut)
		return alloc_printf("%s: fio-peak's JSON, cut off; the points before are used",
				    origin->file);
	return left_out ? alloc_printf("%s: %zu of its points have no drive, workload or "
				       "directions; the others are used",
				       origin->file, left_out)
			: NULL;
}

/* Repeats */

/*
 * What tells a run from others, wherever its file lies now. With @whose also what it was told of: our
 * own JSON may name drives otherwise. The caller's to free.
 */
static char *print_of(const struct point *p, bool whose)
{
	const struct figures *all = &p->dir[DIR_ALL];
	const char *name = strrchr(p->file, '/');

	return alloc_printf("%s %u %s %s %.12g %.12g %.12g %.12g %s %s", name ? name + 1 : p->file,
			    p->document, p->entries, p->jobname, p->timestamp, all->ios, all->bytes,
			    all->runtime_ms, whose ? p->drive : "",
			    whose && p->review ? p->review : "");
}

/* The two prints of each point from @first on. */
static char **prints_make(const struct folded *f, size_t first)
{
	char **prints = alloc_zero(f->nr - first, 2 * sizeof(*prints));

	for (size_t i = first; i < f->nr; i++) {
		prints[2 * (i - first)] = print_of(&f->points[i], false);
		if (f->points[i].own)
			prints[2 * (i - first) + 1] = print_of(&f->points[i], true);
	}
	return prints;
}

/* @raw: prints in @seen of what fio wrote. */
static bool is_repeated(struct names *seen, unsigned int raw, char *const *prints)
{
	unsigned int known;

	if (names_number(seen, prints[0]) < raw)
		return true;
	known = seen->nr;
	return names_number(seen, prints[1]) < known;
}

size_t own_drop_repeated(struct folded *f, size_t first)
{
	struct names seen = { 0 };
	size_t nr = f->nr - first, kept = first;
	char **prints = prints_make(f, first);
	unsigned int raw;

	for (size_t i = 0; i < nr; i++)
		if (!f->points[first + i].own)
			names_number(&seen, prints[2 * i]);
	raw = seen.nr;
	for (size_t i = 0; i < nr; i++) {
		struct point *p = &f->points[first + i];

		if (p->own && is_repeated(&seen, raw, &prints[2 * i]))
			point_free(p);
		else
			f->points[kept++] = *p;
	}
	names_free(&seen);
	for (size_t i = 0; i < 2 * nr; i++)
		free(prints[i]);
	free(prints);
	nr = f->nr - kept;
	f->nr = kept;
	return nr;
}
