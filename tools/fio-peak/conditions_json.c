// SPDX-License-Identifier: GPL-2.0-only
/* See conditions_json.h. An object that would be empty is left out. */
#include "conditions_json.h"
#include "alloc.h"
#include "members.h"

#include <math.h>

/* Putting */

static void put(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, alloc_check(value));
}

static void put_number(json_t *o, const char *key, double v)
{
	if (v > 0 && isfinite(v))
		put(o, key, json_real(v));
}

/* Names from elsewhere need not be UTF-8. */
static void put_text(json_t *o, const char *key, const char *s)
{
	json_t *j = s ? json_string(s) : NULL;

	if (j)
		put(o, key, j);
}

static void put_true(json_t *o, const char *key, bool v)
{
	if (v)
		put(o, key, json_true());
}

static void put_object(json_t *o, const char *key, json_t *part)
{
	if (json_object_size(part))
		put(o, key, part);
	else
		json_decref(part);
}

static json_t *steady(const struct conditions *c)
{
	json_t *o = json_object();

	if (!c->steady_jobs)
		return o;
	put_text(o, "criterion", c->steady);
	put(o, "entries", json_integer(c->steady_jobs));
	put(o, "attained", json_integer(c->steady_attained));
	return o;
}

static json_t *power(const struct conditions *c)
{
	json_t *o = json_object();

	put_number(o, "watts", c->watts);
	put_text(o, "watts_source", c->watts_source);
	put_true(o, "watts_shared", c->watts_shared);
	if (c->has_state)
		put(o, "state", json_integer(c->state));
	return o;
}

static json_t *amplification(const struct conditions *c)
{
	json_t *o = json_object();

	put_number(o, "ratio", c->waf);
	put_text(o, "waf_source", c->waf_source);
	put_text(o, "doubts", c->waf_doubts);
	put_text(o, "why_not", c->waf_why_not);
	return o;
}

static json_t *device(const struct conditions *c)
{
	json_t *o = json_object();

	put_text(o, "model", c->model);
	put_text(o, "firmware", c->firmware);
	put_number(o, "capacity_bytes", c->capacity);
	put_text(o, "test_host", c->host);
	put_text(o, "kernel", c->kernel);
	return o;
}

void conditions_put(json_t *o, const struct conditions *c)
{
	json_t *cpu = json_object(), *interval = json_object();

	put_number(cpu, "cpu_percent", c->cpu_percent);
	put_number(cpu, "us_per_io", c->cpu_us);
	put_object(o, "cpu", cpu);
	put_number(interval, "begin", c->begin);
	put_number(interval, "end", c->end);
	put_object(o, "interval", interval);
	put_object(o, "steady_state", steady(c));
	put_object(o, "write_amplification", amplification(c));
	put_object(o, "power", power(c));
	put_number(o, "celsius_max", c->celsius);
	put_true(o, "sidecar_incomplete", c->cut_short);
	put_true(o, "sidecar_foreign", c->foreign);
	put_object(o, "device", device(c));
	put_text(o, "placement", c->placement);
	put_text(o, "size", c->size);
}

/* Getting */

static double number(const json_t *o, const char *key)
{
	double v = json_number_value(json_object_get(o, key));

	return v > 0 ? v : 0;
}

static void get_power(struct conditions *c, const json_t *o)
{
	c->watts = number(o, "watts");
	c->watts_source = member_text(o, "watts_source");
	c->watts_shared = json_is_true(json_object_get(o, "watts_shared"));
	c->has_state = json_is_integer(json_object_get(o, "state"));
	c->state = member_count(o, "state");
}

static void get_amplification(struct conditions *c, const json_t *o)
{
	c->waf = number(o, "ratio");
	c->waf_source = member_text(o, "waf_source");
	c->waf_doubts = member_text(o, "doubts");
	c->waf_why_not = member_text(o, "why_not");
}

static void get_device(struct conditions *c, const json_t *o)
{
	c->model = member_text(o, "model");
	c->firmware = member_text(o, "firmware");
	c->capacity = number(o, "capacity_bytes");
	c->host = member_text(o, "test_host");
	c->kernel = member_text(o, "kernel");
}

void conditions_get(struct conditions *c, const json_t *o)
{
	const json_t *state = json_object_get(o, "steady_state");

	c->cpu_percent = number(json_object_get(o, "cpu"), "cpu_percent");
	c->cpu_us = number(json_object_get(o, "cpu"), "us_per_io");
	c->begin = number(json_object_get(o, "interval"), "begin");
	c->end = number(json_object_get(o, "interval"), "end");
	c->steady = member_text(state, "criterion");
	c->steady_jobs = member_count(state, "entries");
	c->steady_attained = member_count(state, "attained");
	get_amplification(c, json_object_get(o, "write_amplification"));
	get_power(c, json_object_get(o, "power"));
	c->celsius = number(o, "celsius_max");
	c->placement = member_text(o, "placement");
	c->cut_short = json_is_true(json_object_get(o, "sidecar_incomplete"));
	c->foreign = json_is_true(json_object_get(o, "sidecar_foreign"));
	get_device(c, json_object_get(o, "device"));
	c->size = member_text(o, "size");
}
