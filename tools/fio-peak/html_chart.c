// SPDX-License-Identifier: GPL-2.0-only
/* Charts as reviews draw them: the latency over IOPS, by SVG that takes its colours from page.css. */
#include "html.h"
#include "alloc.h"
#include "show.h"
#include "table.h"

#define WIDTH 720
#define HEIGHT 400
#define LEFT 80
#define RIGHT 20
#define TOP 15
#define BOTTOM 50
#define STYLES 8 /* colours in page.css */

/* Above this ratio of latencies the axis is logarithmic. */
#define LOG_FROM 10

struct axis {
	double min, max;
	bool log;
};

struct chart {
	FILE *out;
	const struct report *r;
	unsigned int workload;
	struct axis iops, us;
};

/* What lies where */

/* 0 at the axis' begin to 1 at its end. */
static double share(const struct axis *a, double v)
{
	if (a->log)
		return log(v / a->min) / log(a->max / a->min);
	return (v - a->min) / (a->max - a->min);
}

static double x_of(const struct chart *c, double iops)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * share(&c->iops, iops);
}

static double y_of(const struct chart *c, double us)
{
	return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share(&c->us, us);
}

/* The drive's curve, or what a review printed of it; NULL if there is none. */
static const struct curve *curve_of(const struct chart *c, unsigned int drive)
{
	const struct curve *curve = curves_find(c->r->curves, c->workload, drive);

	if (!curve || c->r->shapes[curve - c->r->curves->list].max)
		return curve;
	return curve->peak->review && shape_point(&curve->steps[0], c->r->rules) ? curve : NULL;
}

/* What reviews printed is drawn beside curves, not alone. */
static bool has_curve(const struct chart *c)
{
	for (unsigned int d = 0; d < c->r->curves->drives; d++) {
		const struct curve *curve = curves_find(c->r->curves, c->workload, d);

		if (curve && c->r->shapes[curve - c->r->curves->list].max)
			return true;
	}
	return false;
}

static double latency(const struct chart *c, const struct point *p)
{
	/* fio of old counts whole microseconds: on a logarithmic axis 0 has no place. */
	return fmax(shape_latency(p, c->r->rules), 10) / show_ns(c->r->rules);
}

static double step_of(double range)
{
	double step = pow(10, floor(log10(range / 2)));

	return range / step > 10 ? 5 * step : range / step > 5 ? 2 * step : step;
}

static void find_range(struct chart *c)
{
	c->iops = (struct axis){ .max = 0 };
	c->us = (struct axis){ .min = INFINITY };
	for (unsigned int d = 0; d < c->r->curves->drives; d++) {
		const struct curve *curve = curve_of(c, d);

		for (unsigned int i = 0; curve && i < curve->steps_nr; i++) {
			const struct point *p = shape_point(&curve->steps[i], c->r->rules);

			if (!p)
				continue;
			c->iops.max = fmax(c->iops.max, p->dir[DIR_ALL].iops);
			c->us.max = fmax(c->us.max, latency(c, p));
			c->us.min = fmin(c->us.min, latency(c, p));
		}
	}
	c->iops.max *= 1.03;
	c->us.log = c->us.max / c->us.min > LOG_FROM;
	c->us.min = c->us.log ? c->us.min / 1.2 : 0;
	c->us.max *= c->us.log ? 1.2 : 1.05;
}

/* Axes */

/* "250K", "1.5M" */
static void put_short(FILE *out, double v)
{
	if (v >= 1e6)
		fprintf(out, "%.12gM", v / 1e6);
	else if (v >= 1e4)
		fprintf(out, "%.12gK", v / 1e3);
	else
		fprintf(out, "%.12g", v);
}

static void put_x_tick(const struct chart *c, double iops)
{
	double x = x_of(c, iops);

	fprintf(c->out,
		"<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
		"<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
		x, x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18);
	put_short(c->out, iops);
	fputs("</text>\n", c->out);
}

static void put_y_tick(const struct chart *c, double us)
{
	double y = y_of(c, us);

	fprintf(c->out,
		"<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
		"<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
		LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4);
	put_short(c->out, us);
	fputs("</text>\n", c->out);
}

static void put_log_ticks(const struct chart *c)
{
	static const int marks[] = { 1, 2, 5 };
	int first = (int)floor(log10(c->us.min));

	for (int e = first; pow(10, e) <= c->us.max; e++)
		for (int i = 0; i < 3; i++)
			if (marks[i] * pow(10, e) >= c->us.min &&
			    marks[i] * pow(10, e) <= c->us.max)
				put_y_tick(c, marks[i] * pow(10, e));
}

static void put_axes(const struct chart *c)
{
	double step = step_of(c->iops.max);

	for (int i = 0; i * step <= c->iops.max; i++)
		put_x_tick(c, i * step);
	step = step_of(c->us.max);
	if (c->us.log)
		put_log_ticks(c);
	else
		for (int i = 0; i * step <= c->us.max; i++)
			put_y_tick(c, i * step);
	fprintf(c->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">IOPS</text>\n",
		(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
	fprintf(c->out,
		"<text x=\"%d\" y=\"%d\" transform=\"rotate(-90 18 %d)\" text-anchor=\"middle\">"
		"%s latency, %s</text>\n",
		18, HEIGHT / 2, HEIGHT / 2, shape_latency_name(c->r->rules),
		show_time_word(c->r->rules));
}

static void put_caps(const struct chart *c)
{
	const struct shape_rules *rules = c->r->rules;

	for (unsigned int i = 0; i < rules->caps_nr; i++) {
		double us = rules->caps[i] / show_ns(rules), y;

		if (us < c->us.min || us > c->us.max)
			continue;
		y = y_of(c, us);
		fprintf(c->out,
			"<line class=\"cap\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
			"<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
			LEFT, WIDTH - RIGHT, y, y, WIDTH - RIGHT - 4, y - 4, rules->cap_names[i]);
	}
}

/* Curves */

static void put_point(const struct chart *c, const struct curve *curve, const struct point *p)
{
	const struct shape *s = &c->r->shapes[curve - c->r->curves->list];
	char *iops = number_text(p->dir[DIR_ALL].iops, false);
	char *us = show_latency_of(c->r->rules, p);
	double x = x_of(c, p->dir[DIR_ALL].iops), y = y_of(c, latency(c, p));

	if (p == s->practical)
		fprintf(c->out, "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"7\"/>", x, y);
	fprintf(c->out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>", x, y);
	html_text(c->out, c->r->curves->drive_names[curve->drive]);
	fprintf(c->out, ": %s IOPS, ", iops);
	html_text(c->out, us);
	fprintf(c->out, " %s</title></circle>\n", show_time(c->r->rules));
	free(iops);
	free(us);
}

static void put_curve(const struct chart *c, const struct curve *curve)
{
	const char *gap = "";

	fprintf(c->out, "<g class=\"s%u\"><polyline class=\"curve\" points=\"",
		curve->drive % STYLES);
	for (unsigned int i = 0; i < curve->steps_nr; i++) {
		const struct point *p = shape_point(&curve->steps[i], c->r->rules);

		if (!p)
			continue;
		fprintf(c->out, "%s%.1f,%.1f", gap, x_of(c, p->dir[DIR_ALL].iops),
			y_of(c, latency(c, p)));
		gap = " ";
	}
	fputs("\"/>\n", c->out);
	for (unsigned int i = 0; i < curve->steps_nr; i++) {
		const struct point *p = shape_point(&curve->steps[i], c->r->rules);

		if (p)
			put_point(c, curve, p);
	}
	fputs("</g>\n", c->out);
}

static void put_legend(const struct chart *c)
{
	fputs("<figcaption><ul class=\"legend\">\n", c->out);
	for (unsigned int d = 0; d < c->r->curves->drives; d++) {
		if (!curve_of(c, d))
			continue;
		fprintf(c->out,
			"<li class=\"s%u\"><svg viewBox=\"0 0 36 12\" aria-hidden=\"true\">"
			"<path class=\"curve\" d=\"M0 6H36\"/>"
			"<circle class=\"dot\" cx=\"18\" cy=\"6\" r=\"3.5\"/></svg>",
			d % STYLES);
		html_text(c->out, c->r->curves->drive_names[d]);
		fputs("</li>\n", c->out);
	}
	fputs("</ul>\nA ring is around the practical peak.</figcaption>\n", c->out);
}

void html_chart(FILE *out, const struct report *r, unsigned int workload)
{
	struct chart c = { .out = out, .r = r, .workload = workload };

	if (!has_curve(&c))
		return;
	find_range(&c);
	fputs("<h3>", out);
	html_text(out, r->curves->workload_names[workload]);
	fprintf(out,
		"</h3>\n<figure><svg viewBox=\"0 0 %d %d\" "
		"role=\"img\" aria-label=\"Latency over IOPS of ",
		WIDTH, HEIGHT);
	html_text(out, r->curves->workload_names[workload]);
	fputs("; the figures are in the table of curves\">\n", out);
	put_axes(&c);
	put_caps(&c);
	for (unsigned int d = 0; d < r->curves->drives; d++)
		if (curve_of(&c, d))
			put_curve(&c, curve_of(&c, d));
	fputs("</svg>\n", out);
	put_legend(&c);
	fputs("</figure>\n", out);
}
