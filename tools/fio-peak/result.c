// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio's field names and units through the years:
 *   io_bytes     KiB to 2.20, bytes from 2.21 (which brought io_kbytes)
 *   clat, lat    microseconds to 2.21; clat_ns, lat_ns from 2.99
 *   bins         by bucket number 2.2.12 to 2.19, by value since
 *   total_ios    from 2.1.14
 */
#include "result.h"
#include "alloc.h"
#include "frame.h"

#include <ctype.h>

const char *const direction_names[DIR_NR] = { "read", "write", "trim", "mixed" };
const double pct_values[PCT_NR] = { 50, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999 };
const char *const pct_names[PCT_NR] = { "p50",	 "p90",	   "p95",    "p99",    "p99.5",
					"p99.9", "p99.95", "p99.99", "p99.999" };

/* JSON members */

/* No figure of fio's is as large: in ns it is 31 years, in bytes an exabyte. */
#define ABSURD 1e18

/* A number that can be true: fio has printed negative and overflowed ones. NAN if not. */
static double plausible(const json_t *j)
{
	double v = json_is_number(j) ? json_number_value(j) : NAN;

	return v >= 0 && v <= ABSURD ? v : NAN;
}

static double number(const json_t *obj, const char *key)
{
	return plausible(json_object_get(obj, key));
}

static const char *string(const json_t *obj, const char *key)
{
	return json_string_value(json_object_get(obj, key));
}

/* Options */

/* Client mode with several clients: "global options" is an array, an object per client. */
static const json_t *global_options(const json_t *root, const struct entry *e)
{
	const json_t *all = json_object_get(root, "global options"), *one;
	size_t i;

	if (!json_is_array(all))
		return all;
	json_array_foreach((json_t *)all, i, one)
	{
		const char *host = string(one, "hostname");

		if (host && e->host && !strcmp(host, e->host) && number(one, "port") == e->port)
			return one;
	}
	return json_array_get(all, 0);
}

struct options {
	const json_t *job, *global;
};

/* The job's own option wins over the global one; either spelling counts. NULL: not given. */
static const char *option(const struct options *o, const char *name, const char *alias)
{
	const json_t *where[] = { o->job, o->global };
	const char *value;

	for (int i = 0; i < 2; i++) {
		value = string(where[i], name);
		if (!value && alias)
			value = string(where[i], alias);
		if (value)
			return value;
	}
	return NULL;
}

static bool option_set(const struct options *o, const char *name)
{
	const char *value = option(o, name, NULL);

	return value && *value && strcmp(value, "0");
}

/* Block sizes: a split or a range wins over one size. */
static const char *option_bs(const struct options *o)
{
	const char *split = option(o, "bssplit", NULL);
	const char *range = option(o, "bsrange", "blocksize_range");

	return split ? split : range ? range : option(o, "bs", "blocksize");
}

/* fio's time: a number and a unit, seconds when there is none. NAN when it is not that. */
static double option_seconds(const char *s)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = { { "", 1 },	{ "s", 1 },	{ "sec", 1 },	  { "ms", 1e-3 },
		      { "msec", 1e-3 }, { "us", 1e-6 }, { "usec", 1e-6 }, { "m", 60 },
		      { "min", 60 },	{ "h", 3600 },	{ "hour", 3600 }, { "d", 86400 } };
	char *end;
	double v;

	if (!s || !isdigit((unsigned char)*s))
		return NAN;
	v = strtod(s, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcasecmp(end, units[i].unit))
			return v * units[i].seconds;
	return NAN;
}

/* Latency */

static void latency_none(struct latency *l)
{
	l->n = l->min = l->max = l->mean = l->stddev = NAN;
	for (int i = 0; i < PCT_NR; i++)
		l->pct[i] = NAN;
}

static void latency_percentiles(struct latency *l, const json_t *list, double ns)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)list, key, value)
	{
		double p = strtod(key, NULL);

		for (int i = 0; i < PCT_NR; i++)
			if (fabs(p - pct_values[i]) < 1e-4)
				l->pct[i] = plausible(value) * ns;
	}
}

static void latency_bins(struct latency *l, const json_t *bins, double ns)
{
	double bits = number(bins, "FIO_IO_U_PLAT_BITS");
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)bins, key, value)
	{
		double at = strtod(key, NULL), count = plausible(value);

		if (!isdigit((unsigned char)*key) || !(count > 0) || !(at >= 0 && at < ABSURD))
			continue;
		if (bits >= 1 && bits <= 16)
			at = at < 65536 ? hist_value_of_index((unsigned int)at, (unsigned int)bits)
					: NAN;
		if (isfinite(at))
			hist_add(&l->hist, at * ns, count);
	}
	hist_order(&l->hist);
}

/*
 * fio prints zeros, not nothing, for what it was told not to measure: I/Os with a mean of 0 and
 * a maximum of 0 were not timed.
 */
static void latency_parse(struct latency *l, const json_t *dir, const char *ns_key,
			  const char *us_key, double ios)
{
	const json_t *j = json_object_get(dir, ns_key);
	double ns = 1;

	latency_none(l);
	l->field = ns_key;
	if (!json_is_object(j)) {
		j = json_object_get(dir, us_key);
		l->field = us_key;
		ns = 1000;
	}
	latency_percentiles(l, json_object_get(j, "percentile"), ns);
	latency_bins(l, json_object_get(j, "bins"), ns);
	l->min = number(j, "min") * ns;
	l->max = number(j, "max") * ns;
	l->mean = number(j, "mean") * ns;
	l->stddev = number(j, "stddev") * ns;
	l->n = number(j, "N");
	if (isnan(l->n))
		l->n = ios;
	if (!(ios > 0) || !(l->mean > 0 || l->max > 0)) {
		hist_free(&l->hist);
		latency_none(l);
	}
}

/* Some lists lack a percentile that the bins know. */
static void latency_fill(struct latency *l)
{
	for (int i = 0; i < PCT_NR; i++)
		if (isnan(l->pct[i]))
			l->pct[i] = hist_percentile(&l->hist, pct_values[i]);
}

/* Job entries */

static void io_parse(struct io *io, const json_t *dir)
{
	bool bytes = json_object_get(dir, "io_kbytes");

	io->present = json_is_object(dir);
	io->runtime_ms = number(dir, "runtime");
	io->iops = number(dir, "iops");
	io->bw_kib = number(dir, "bw");
	io->bytes = number(dir, "io_bytes") * (bytes ? 1 : 1024);
	io->ios = number(dir, "total_ios");
	if (isnan(io->ios)) {
		io->ios = io->iops * io->runtime_ms / 1000;
		io->ios_derived = true;
	}
	latency_parse(&io->clat, dir, "clat_ns", "clat", io->ios);
	latency_parse(&io->lat, dir, "lat_ns", "lat", io->ios);
	latency_fill(&io->clat);
	latency_fill(&io->lat);
}

/* fio 3.1 to 3.12 with lat_percentiles=1; see the header. */
static bool clat_holds_lat(const char *version, const char *lat_percentiles)
{
	unsigned int major = 0, minor = 0;

	if (!lat_percentiles || *lat_percentiles == '0')
		return false;
	if (sscanf(version ? version : "", "fio-%u.%u", &major, &minor) != 2)
		return false;
	return major == 3 && minor >= 1 && minor <= 12;
}

/* fio prints "steadystate" where it was asked for; "data" only since it measures. */
static void steady_parse(struct entry *e, const json_t *j)
{
	const json_t *steady = json_object_get(j, "steadystate");

	e->steady = string(steady, "ss");
	e->steady_attained = number(steady, "attained") > 0;
}

static void cost_parse(struct entry *e, const json_t *j)
{
	e->usr_cpu = number(j, "usr_cpu");
	e->sys_cpu = number(j, "sys_cpu");
	e->job_runtime_ms = number(j, "job_runtime");
}

static void entry_parse(struct entry *e, const struct run *run, const json_t *j)
{
	struct options o = { .job = json_object_get(j, "job options") };
	double error = number(j, "error");

	e->jobname = string(j, "jobname");
	if (!e->jobname || !*e->jobname)
		e->jobname = "(no name)";
	e->host = string(j, "hostname");
	e->port = number(j, "port");
	o.global = global_options(run->doc->root, e);
	e->groupid = number(j, "groupid");
	e->job_start = number(j, "job_start");
	e->elapsed = number(j, "elapsed");
	e->error = error > 0 && error < 1e6 ? (int)error : 0;
	e->total_err = number(j, "total_err");
	e->rw = option(&o, "rw", "readwrite");
	e->bs = option_bs(&o);
	e->iodepth = option(&o, "iodepth", NULL);
	e->numjobs = option(&o, "numjobs", NULL);
	e->rate_iops = option(&o, "rate_iops", NULL);
	e->rate = option(&o, "rate", NULL);
	e->ioengine = option(&o, "ioengine", NULL);
	e->filename = option(&o, "filename", NULL);
	e->paced = option_set(&o, "thinktime") || option_set(&o, "latency_target");
	e->runtime_asked = option_seconds(option(&o, "runtime", "timeout"));
	e->ramp_asked = option_seconds(option(&o, "ramp_time", NULL));
	e->size = option(&o, "size", "filesize");
	cost_parse(e, j);
	steady_parse(e, j);
	e->clat_is_lat = clat_holds_lat(run->version, option(&o, "lat_percentiles", NULL));
	e->options = o.job;
	e->summary = e->host && !strcmp(e->jobname, "All clients");
	for (int d = 0; d < DIR_NR; d++)
		io_parse(&e->io[d], json_object_get(j, direction_names[d]));
}

bool entry_has_io(const struct entry *e, enum direction dir)
{
	return e->io[dir].present && (e->io[dir].ios > 0 || e->io[dir].bytes > 0);
}

double entry_runtime_ms(const struct entry *e)
{
	double longest = 0;

	for (int d = 0; d < DIR_NR; d++)
		longest = fmax(longest, e->io[d].runtime_ms);
	return longest;
}

void run_parse(struct run *run, const struct document *doc)
{
	const json_t *jobs, *j;
	size_t i;

	*run = (struct run){ .doc = doc, .list = "jobs" };
	jobs = json_object_get(doc->root, "jobs");
	if (!json_is_array(jobs)) {
		run->list = "client_stats";
		jobs = json_object_get(doc->root, "client_stats");
	}
	run->version = string(doc->root, "fio version");
	run->timestamp = number(doc->root, "timestamp");
	run->timestamp_ms = number(doc->root, "timestamp_ms");
	run->options = json_object_get(doc->root, "global options");
	run->entries = alloc_zero(json_array_size(jobs), sizeof(*run->entries));
	json_array_foreach((json_t *)jobs, i, j)
	{
		if (json_object_get(j, FRAME_CUT_KEY)) {
			run->cut_jobs++;
			continue;
		}
		if (!json_is_object(j))
			continue;
		run->entries[run->nr].index = (unsigned int)i;
		entry_parse(&run->entries[run->nr++], run, j);
	}
}

void run_free(struct run *run)
{
	for (unsigned int i = 0; i < run->nr; i++) {
		for (int d = 0; d < DIR_NR; d++) {
			hist_free(&run->entries[i].io[d].clat.hist);
			hist_free(&run->entries[i].io[d].lat.hist);
		}
	}
	free(run->entries);
}
