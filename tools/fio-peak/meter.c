// SPDX-License-Identifier: GPL-2.0-only
/* See meter.h. The mean is over time: a meter need not read at equal intervals. */
#include "meter.h"
#include "alloc.h"
#include "label.h"
#include "text.h"
#include "units.h"

#include <unistd.h>

struct reading {
	double at, watts;
};

struct readings {
	struct reading *list;
	size_t nr, cap;
};

/* Ends @s where its blanks begin; returns where it begins itself. */
static char *trim(char *s)
{
	s += strspn(s, " \t\"");
	s[strcspn(s, "\"\r\n")] = 0;
	for (size_t len = strlen(s); len && strchr(" \t", s[len - 1]); len--)
		s[len - 1] = 0;
	return s;
}

static bool parse_line(char *line, struct reading *r)
{
	char *rest = line, *at = strsep(&rest, ",;\t"),
	     *watts = rest ? strsep(&rest, ",;\t") : NULL;
	char *end;

	if (!watts)
		return false;
	watts = trim(watts);
	r->at = units_date(trim(at));
	r->watts = strtod(watts, &end);
	return !isnan(r->at) && end != watts && !*end && r->watts >= 0 && r->watts < 1e6;
}

static int by_time(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Returns NULL or why not, the caller's to free. */
static char *read_lines(struct readings *r, FILE *in, const char *file)
{
	unsigned int number = 0;
	size_t room = 0;
	char *line = NULL, *why = NULL;

	while (!why && getline(&line, &room, in) > 0) {
		number++;
		if (strchr("#\r\n", line[strspn(line, " \t")]))
			continue;
		r->list = alloc_grow(r->list, r->nr, &r->cap, sizeof(*r->list));
		if (parse_line(line, &r->list[r->nr]))
			r->nr++;
		else if (number > 1)
			why = alloc_printf("--watts=%s: line %u is not TIME,WATTS, such as "
					   "2026-12-02T18:38:19Z,12.5",
					   file, number);
	}
	free(line);
	if (!why && !r->nr)
		why = alloc_printf("--watts=%s: no readings in it; expected lines of TIME,WATTS",
				   file);
	if (r->list)
		qsort(r->list, r->nr, sizeof(*r->list), by_time);
	return why;
}

/* From @begin to @end, on straight lines between readings; 0: the run does not lie within them. */
static double mean_watts(const struct readings *r, double begin, double end)
{
	double joules = 0;

	if (!r->list || !(end > begin) || r->list[0].at > begin || r->list[r->nr - 1].at < end)
		return 0;
	for (size_t i = 1; i < r->nr; i++) {
		const struct reading *a = &r->list[i - 1], *b = &r->list[i];
		double from = fmax(a->at, begin), to = fmin(b->at, end);
		double slope = (b->watts - a->watts) / (b->at - a->at);

		if (to > from)
			joules += (to - from) * (a->watts + slope * ((from + to) / 2 - a->at));
	}
	return joules / (end - begin);
}

static bool overlaps(const struct point *p, const struct point *q)
{
	const struct conditions *c = &p->conditions, *d = &q->conditions;

	return c->begin < d->end && d->begin < c->end;
}

/* Did other jobs of its file run at the same time? Their I/Os took power, too. */
static bool is_shared(const struct folded *f, size_t i)
{
	for (size_t k = i; k-- > 0 && !strcmp(f->points[k].file, f->points[i].file);)
		if (f->points[k].document == f->points[i].document &&
		    overlaps(&f->points[k], &f->points[i]))
			return true;
	for (size_t k = i + 1; k < f->nr && !strcmp(f->points[k].file, f->points[i].file); k++)
		if (f->points[k].document == f->points[i].document &&
		    overlaps(&f->points[k], &f->points[i]))
			return true;
	return false;
}

static bool is_for(const struct point *p, const char *label)
{
	return !label || !strcmp(p->drive, label);
}

static bool is_known(const struct folded *f, const char *label)
{
	for (size_t i = 0; i < f->nr; i++)
		if (is_for(&f->points[i], label))
			return true;
	return !f->nr;
}

static void give(struct folded *f, const struct readings *r, const char *label, const char *file)
{
	unsigned int outside = 0, given = 0;

	for (size_t i = 0; i < f->nr; i++) {
		struct conditions *c = &f->points[i].conditions;
		double watts = mean_watts(r, c->begin, c->end);

		if (!is_for(&f->points[i], label))
			continue;
		outside += !(watts > 0);
		given += watts > 0;
		if (!(watts > 0))
			continue;
		free(c->watts_source);
		c->watts_source = alloc_string("metered");
		c->watts = watts;
		c->watts_shared = is_shared(f, i);
	}
	if (outside)
		text_say("--watts=%s: %u of %u runs have no power by it: they do not lie within "
			 "its readings, or fio does not tell when they ran",
			 file, outside, outside + given);
}

char *meter_apply(struct folded *f, const char *spec)
{
	const char *equal = strchr(spec, '='), *file = spec;
	struct readings r = { 0 };
	char *label = NULL, *why;
	FILE *in;

	if (equal && equal != spec && access(spec, F_OK))
		file = equal + 1;
	in = fopen(file, "re");
	if (!in)
		return alloc_printf("--watts=%s: cannot be opened: %s", file, strerror(errno));
	why = read_lines(&r, in, file);
	fclose(in);
	if (file != spec)
		label = alloc_check(strndup(spec, (size_t)(equal - spec)));
	if (!why && !is_known(f, label))
		why = label_unknown(f, "watts", spec, true);
	if (!why)
		give(f, &r, label, file);
	free(label);
	free(r.list);
	return why;
}
