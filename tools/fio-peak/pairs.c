// SPDX-License-Identifier: GPL-2.0-only
/* "off" is a word of its own at the end, or before a remark: "x-dr-off", "x off (published)". */
#include "pairs.h"
#include "alloc.h"

/* Where the word is in @name, after what parts it from the others; NULL: it is not there. */
static const char *find_off(const char *name)
{
	for (const char *s = name; (s = strstr(s, "off")); s++)
		if (s > name + 1 && strchr("-_. ", s[-1]) && (!s[3] || !strncmp(s + 3, " (", 2)))
			return s;
	return NULL;
}

/* @name with @word instead of the "off" at @at, and up to what is before it; the caller's to free. */
static char *replace_off(const char *name, const char *at, const char *word)
{
	return alloc_printf("%.*s%s%s", (int)(at - name), name, word, at + 3);
}

static char *name_without(const char *name, const char *at)
{
	return alloc_printf("%.*s%s", (int)(at - name - 1), name, at + 3);
}

/* The curve of the workload on the drive that is @off with "on"; NULL if there is none. */
static const struct curve *find_on(const struct curves *cs, const struct curve *off, const char *at)
{
	char *name = replace_off(cs->drive_names[off->drive], at, "on");
	const struct curve *on = NULL;

	for (unsigned int d = 0; d < cs->drives && !on; d++)
		if (!strcmp(cs->drive_names[d], name))
			on = curves_find(cs, off->workload, d);
	free(name);
	return on;
}

static double percent(double from, double to)
{
	return from > 0 ? (to - from) / from * 100 : NAN;
}

static bool pair_judge(struct pair *p, const struct shape_rules *rules)
{
	const struct point *off = p->off->peak, *on = p->on->peak;
	const struct figures *a = &off->dir[DIR_ALL], *b = &on->dir[DIR_ALL];

	if ((off->flags | on->flags) & (FLAG_FAILED | FLAG_CUT))
		return false;
	p->metric = isnan(a->iops) || isnan(b->iops) ? METRIC_MB_S : METRIC_IOPS;
	p->cost = -percent(metric_value(a, p->metric), metric_value(b, p->metric));
	p->latency_cost = shape_bound(off, rules) || shape_bound(on, rules)
				  ? NAN
				  : percent(shape_latency(off, rules), shape_latency(on, rules));
	return !isnan(p->cost);
}

void pairs_make(struct pairs *p, const struct report *r)
{
	const struct curves *cs = r->curves;

	*p = (struct pairs){ .list = alloc_zero(cs->nr, sizeof(*p->list)) };
	for (size_t i = 0; i < cs->nr; i++) {
		const char *name = cs->drive_names[cs->list[i].drive], *at = find_off(name);
		struct pair pair = { .off = &cs->list[i] };

		if (at)
			pair.on = find_on(cs, pair.off, at);
		if (!pair.on || !pair_judge(&pair, r->rules))
			continue;
		pair.name = name_without(name, at);
		p->list[p->nr++] = pair;
	}
}

void pairs_free(struct pairs *p)
{
	for (size_t i = 0; i < p->nr; i++)
		free(p->list[i].name);
	free(p->list);
}
