// SPDX-License-Identifier: GPL-2.0-only
/* The grammar of --points= and --grid=, see points.h. */
#include "tools/fio-curve/points.h"

#include <ctype.h>
#include <stdbool.h>

#include "tools/fio-peak/alloc.h"

enum {
	GRID_MAX = 65535
};

/* A number at *@text from 1 to @max, which *@text is moved past. */
static bool take_number(const char **text, unsigned int max, unsigned int *out)
{
	unsigned long value;
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	value = strtoul(*text, &end, 10);
	*text = end;
	*out = (unsigned int)value;
	return value && value <= max;
}

static void add(struct points *p, unsigned int percent)
{
	size_t at = 0;

	while (at < p->nr && p->percent[at] < percent)
		at++;
	if (at < p->nr && p->percent[at] == percent)
		return;
	p->percent = alloc_grow(p->percent, p->nr, &p->cap, sizeof(*p->percent));
	memmove(&p->percent[at + 1], &p->percent[at], (p->nr - at) * sizeof(*p->percent));
	p->percent[at] = percent;
	p->nr++;
}

/* Return: whether @item is N, FROM-TO or FROM-TO/STEP. */
static bool add_item(const char *item, struct points *p)
{
	unsigned int from, to, step = 10;

	if (!take_number(&item, POINTS_MAX_PERCENT, &from))
		return false;
	to = from;
	if (*item == '-') {
		item++;
		if (!take_number(&item, POINTS_MAX_PERCENT, &to) || to < from)
			return false;
		if (*item == '/' && (item++, !take_number(&item, POINTS_MAX_PERCENT, &step)))
			return false;
	}
	if (*item)
		return false;
	for (unsigned int percent = from; percent <= to; percent += step)
		add(p, percent);
	return true;
}

char *points_parse(const char *text, struct points *out)
{
	char *copy = alloc_string(text), *rest = copy, *item, *why = NULL;

	*out = (struct points){ 0 };
	if (strcmp(text, "max"))
		while (!why && (item = strsep(&rest, ",")))
			if (!add_item(item, out))
				why = alloc_printf("\"%s\" is no percentage of the maximum (1 to "
						   "%d) and no range of them; write 10-120/10, "
						   "or 10,50,90, or max for that run alone",
						   item, POINTS_MAX_PERCENT);
	free(copy);
	if (why)
		points_free(out);
	return why;
}

void points_free(struct points *p)
{
	free(p->percent);
	*p = (struct points){ 0 };
}

char *grid_parse(const char *text, struct grid *out)
{
	char *copy = alloc_string(text), *rest = copy, *item, *why = NULL;

	*out = (struct grid){ 0 };
	while (!why && (item = strsep(&rest, ","))) {
		const char *at = item;
		struct grid_point g;

		if (!take_number(&at, GRID_MAX, &g.jobs) || *at++ != 'x' ||
		    !take_number(&at, GRID_MAX, &g.depth) || *at) {
			why = alloc_printf("\"%s\" is not JOBSxDEPTH; write 2x2,4x4,16x16", item);
			break;
		}
		out->point = alloc_grow(out->point, out->nr, &out->cap, sizeof(g));
		out->point[out->nr++] = g;
	}
	free(copy);
	if (why)
		grid_free(out);
	return why;
}

void grid_free(struct grid *g)
{
	free(g->point);
	*g = (struct grid){ 0 };
}
