// SPDX-License-Identifier: GPL-2.0-only
/* A table for each workload that is a grid: jobs down, depth across, one figure after another. */
#include "sections.h"
#include "alloc.h"
#include "show.h"
#include "grid.h"
#include "ranking.h"
#include "text.h"

enum {
	COL_WORKLOAD,
	COL_METRIC,
	COL_DRIVE,
	COL_JOBS,
	COL_DEPTHS
};

/* What is told of each point of the grid. */
struct figure {
	const char *title;
	int metric; /* its unit is that of this one's */
	double (*of)(const struct point *p, const struct shape_rules *rules);
};

static double iops(const struct point *p, const struct shape_rules *rules)
{
	return p->dir[DIR_ALL].iops;
}

static double mb_s(const struct point *p, const struct shape_rules *rules)
{
	return metric_value(&p->dir[DIR_ALL], METRIC_MB_S);
}

static double latency(const struct point *p, const struct shape_rules *rules)
{
	return shape_latency(p, rules) / 1000;
}

static double most(const struct point *p, const struct shape_rules *rules)
{
	return p->dir[DIR_ALL].clat.max / 1000;
}

static double deviation(const struct point *p, const struct shape_rules *rules)
{
	return p->dir[DIR_ALL].clat.stddev / 1000;
}

static char *cell_text(const struct point *p, const struct figure *f,
		       const struct shape_rules *rules)
{
	bool bound = f->of == latency && p && shape_bound(p, rules);

	return p ? show_metric(rules, f->metric, f->of(p, rules), bound) : alloc_string("-");
}

/* The rows of one drive and figure. */
static void add_drive(struct table *t, const struct report *r, const struct grid *g,
		      const struct curve *c, const struct figure *f, bool first)
{
	for (size_t j = 0; j < g->jobs_nr; j++) {
		size_t row = table_row(t);

		if (!row)
			table_set(t, row, COL_WORKLOAD,
				  text_safe(r->curves->workload_names[c->workload]));
		if (first && !j)
			table_set(t, row, COL_METRIC, alloc_string(f->title));
		if (!j)
			table_set(t, row, COL_DRIVE, text_safe(r->curves->drive_names[c->drive]));
		table_set(t, row, COL_JOBS, alloc_printf("%u", g->jobs[j]));
		for (size_t d = 0; d < g->depths_nr; d++)
			table_set(t, row, COL_DEPTHS + d,
				  cell_text(grid_point(c, g->jobs[j], g->depths[d]), f, r->rules));
	}
}

static struct table *grid_table(const struct grid *g)
{
	struct table *t = table_new();

	table_column(t, "WORKLOAD", 0.2, TABLE_CUT | TABLE_GROUP);
	table_column(t, "METRIC", 0, TABLE_GROUP);
	table_column(t, "DRIVE", 0.1, TABLE_CUT | TABLE_GROUP);
	table_column(t, "JOBS", 0, TABLE_RIGHT);
	for (size_t d = 0; d < g->depths_nr; d++) {
		char *name = alloc_printf("DEPTH %u", g->depths[d]);

		table_column(t, name, 0, TABLE_RIGHT);
		free(name);
	}
	return t;
}

static void print_grid(struct page *pg, const struct report *r, const struct grid *g,
		       unsigned int w)
{
	char *title = alloc_printf("%s %s", shape_latency_name(r->rules), show_time(r->rules));
	char *most_title = alloc_printf("max %s", show_time(r->rules));
	char *deviation_title = alloc_printf("stddev %s", show_time(r->rules));
	struct figure figures[] = { { "IOPS", METRIC_IOPS, iops },
				    { title, METRIC_MEAN, latency },
				    { most_title, METRIC_MEAN, most },
				    { deviation_title, METRIC_MEAN, deviation } };
	struct table *t = grid_table(g);

	for (size_t f = 0; f < sizeof(figures) / sizeof(figures[0]); f++) {
		bool first = true;

		for (unsigned int d = 0; d < r->curves->drives; d++) {
			const struct curve *c = curves_find(r->curves, w, d);

			if (!c)
				continue;
			if (!f && first && ranking_is_large(c->peak))
				figures[f] = (struct figure){ show_title(r->rules, METRIC_MB_S),
							      METRIC_MB_S, mb_s };
			add_drive(t, r, g, c, &figures[f], first);
			first = false;
		}
	}
	page_table(pg, t);
	free(title);
	free(most_title);
	free(deviation_title);
}

void section_grids(struct page *pg, const struct report *r)
{
	bool any = false;

	for (unsigned int w = 0; w < r->curves->workloads; w++) {
		struct grid g;

		grid_make(&g, r->curves, w);
		if (g.jobs_nr && !any)
			page_heading(pg, "Grids",
				     "by number of jobs and iodepth, all directions together; "
				     "completion latency in %s",
				     show_time_word(r->rules));
		if (g.jobs_nr)
			print_grid(pg, r, &g, w);
		any |= g.jobs_nr > 0;
		grid_free(&g);
	}
}
