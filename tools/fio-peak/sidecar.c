// SPDX-License-Identifier: GPL-2.0-only
/* Members that are missing, null or of another type are unknown. */
#include "sidecar.h"
#include "alloc.h"
#include "members.h"
#include "units.h"

#include <math.h>

/* Seconds: fio has whole ones in places, and settling is not in its interval. */
#define CLOCKS_APART 5

static double number(const json_t *o, const char *key)
{
	const json_t *j = json_object_get(o, key);
	double v = json_is_number(j) ? json_number_value(j) : 0;

	return v > 0 && v < 1e18 ? v : 0;
}

/* The last group that has the job, and @job; @shared: and others with it. */
static const json_t *find_group(const json_t *root, const char *name, const json_t **job,
				bool *shared)
{
	const json_t *groups = json_object_get(root, "groups"), *g, *j, *found = NULL;
	size_t i, k;

	json_array_foreach((json_t *)groups, i, g)
	{
		const json_t *jobs = json_object_get(g, "jobs");
		size_t same = 0;

		json_array_foreach((json_t *)jobs, k, j)
		{
			const char *of = json_string_value(json_object_get(j, "name"));

			if (!of || strcmp(of, name))
				continue;
			same++;
			*job = j;
		}
		if (!same)
			continue;
		found = g;
		*shared = same != json_array_size(jobs);
	}
	return found;
}

/* "one; another"; NULL: there is none. The caller's to free. */
static char *join(const json_t *list)
{
	char *all = NULL, *longer;
	const json_t *j;
	size_t i;

	json_array_foreach((json_t *)list, i, j)
	{
		if (!json_is_string(j))
			continue;
		longer = alloc_printf("%s%s%s", all ? all : "", all ? "; " : "",
				      json_string_value(j));
		free(all);
		all = longer;
	}
	return all;
}

static void read_waf(struct conditions *c, const json_t *waf)
{
	c->waf = number(waf, "ratio");
	c->waf_source = member_text(waf, "source");
	c->waf_doubts = join(json_object_get(waf, "doubts"));
	c->waf_why_not = c->waf > 0 ? NULL : member_text(waf, "why_not");
}

static void read_power(struct conditions *c, const json_t *power, bool shared)
{
	const json_t *asked = json_object_get(json_object_get(power, "option"), "in_force");
	const json_t *end = json_object_get(power, "state_end");
	const json_t *state = json_is_integer(asked) ? asked : end;

	c->watts_source = member_text(power, "source");
	c->watts = c->watts_source ? number(power, "watts") : 0;
	c->watts_shared = c->watts > 0 && shared;
	c->has_state = json_is_integer(state) && json_integer_value(state) >= 0 &&
		       json_integer_value(state) < 32;
	c->state = c->has_state ? (unsigned int)json_integer_value(state) : 0;
}

/* The window of what fio counts, by the snapshots at its edges. Return: false: not known. */
static bool find_interval(const json_t *g, double *first, double *last)
{
	const char *from = json_string_value(json_object_get(json_object_get(g, "window"), "from"));
	const char *begin =
		json_string_value(json_object_get(json_object_get(g, from ? from : ""), "time"));
	const char *end = json_string_value(json_object_get(json_object_get(g, "end"), "time"));

	*first = begin ? units_date(begin) : NAN;
	*last = end ? units_date(end) : NAN;
	return *last > *first;
}

/* Better than fio's own seconds. */
static void read_interval(struct conditions *c, const json_t *g)
{
	double first, last;

	if (!find_interval(g, &first, &last))
		return;
	c->begin = first;
	c->end = last;
}

/* A run without telemetry that wrote over an earlier one's JSON leaves that one's sidecar. */
static bool is_foreign(const struct conditions *c, const json_t *g)
{
	double first, last;

	return c->end > c->begin && find_interval(g, &first, &last) &&
	       (last + CLOCKS_APART < c->begin || first - CLOCKS_APART > c->end);
}

static void read_device(struct conditions *c, const json_t *device)
{
	c->model = member_text(device, "model");
	c->firmware = member_text(device, "firmware");
	c->capacity = number(device, "bytes");
}

/* A sidecar from before there was placement says nothing, one of a job without it null. */
static void read_placement(struct conditions *c, const json_t *placement)
{
	const char *option = json_string_value(json_object_get(placement, "option"));
	const char *select = json_string_value(json_object_get(placement, "select"));
	const char *by = json_string_value(json_object_get(placement, "by"));

	if (option)
		c->placement = alloc_printf("%s%s%s", option, select && *select ? " " : "",
					    select ? select : "");
	else if (by || json_is_null(placement))
		c->placement = alloc_string(by ? by : "none");
}

void sidecar_read(struct conditions *c, const json_t *root, const char *name)
{
	bool shared = false;
	const json_t *job = NULL, *g = find_group(root, name, &job, &shared);

	if (!g)
		return;
	c->foreign = is_foreign(c, g);
	if (c->foreign)
		return;
	read_waf(c, json_object_get(g, "waf"));
	read_power(c, json_object_get(g, "power"), shared);
	read_placement(c, json_object_get(job, "placement"));
	c->celsius = number(json_object_get(g, "temperature"), "max_celsius");
	c->cut_short = json_is_false(json_object_get(g, "complete"));
	read_interval(c, g);
	read_device(c, json_object_get(root, "device"));
}
