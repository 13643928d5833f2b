// SPDX-License-Identifier: GPL-2.0-only
/* gnuplot's commands; no text in them can be more than text: names are made safe and quoted. */
#include "plot.h"
#include "alloc.h"
#include "show.h"
#include "text.h"

/* Pixels of a panel; with the styles below what 5 drives need. */
#define WIDTH 760
#define HEIGHT 480

/* Colours that also those can tell apart who see few of them (Okabe and Ito). */
static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
				       "#56b4e9", "#e69f00", "#000000", "#999999" };
static const int points[] = { 7, 5, 9, 13, 11, 15, 2, 1 };
#define STYLES (sizeof(colours) / sizeof(colours[0]))

struct panel {
	FILE *out;
	const struct report *r;
	unsigned int workload;
	bool log, bound;
	double iops, least, most; /* the range of the data */
};

const char *plot_terminal(const char *file)
{
	const char *dot = strrchr(file, '.');

	if (dot && !strcmp(dot, ".svg"))
		return "svg dynamic background rgb 'white'";
	return dot && !strcmp(dot, ".png") ? "pngcairo" : NULL;
}

/* The drive's curve, NULL if it has none. */
static const struct curve *curve_of(const struct report *r, unsigned int workload,
				    unsigned int drive)
{
	const struct curve *c = curves_find(r->curves, workload, drive);

	return c && r->shapes[c - r->curves->list].max ? c : NULL;
}

static bool has_curve(const struct report *r, unsigned int workload)
{
	for (unsigned int d = 0; d < r->curves->drives; d++)
		if (curve_of(r, workload, d))
			return true;
	return false;
}

unsigned int plot_panels(const struct report *r)
{
	unsigned int nr = 0;

	for (unsigned int w = 0; w < r->curves->workloads; w++)
		nr += has_curve(r, w);
	return nr;
}

/* In single quotes gnuplot replaces nothing; a quote in them is written twice. */
static void put_quoted(FILE *out, const char *s)
{
	char *safe = text_safe(s);

	fputc('\'', out);
	for (const char *c = safe; *c; c++)
		fprintf(out, *c == '\'' ? "''" : "%c", *c);
	fputc('\'', out);
	free(safe);
}

static double latency_of(const struct panel *n, const struct point *p)
{
	double ns = shape_latency(p, n->r->rules);

	/* fio of old counts whole microseconds: on a logarithmic axis 0 has no place. */
	return (n->log ? fmax(ns, 10) : ns) / show_ns(n->r->rules);
}

static void put_data(struct panel *n, const struct curve *c)
{
	fprintf(n->out, "$w%u_d%u << EOD\n", n->workload, c->drive);
	for (unsigned int i = 0; i < c->steps_nr; i++) {
		const struct point *p = shape_point(&c->steps[i], n->r->rules);
		double value;

		if (!p)
			continue;
		value = latency_of(n, p);
		fprintf(n->out, "%.9g %.9g\n", p->dir[DIR_ALL].iops, value);
		n->bound |= shape_bound(p, n->r->rules);
		n->iops = fmax(n->iops, p->dir[DIR_ALL].iops);
		n->least = fmin(n->least, value);
		n->most = fmax(n->most, value);
	}
	fputs("EOD\n", n->out);
}

/* Figures that reviews print as 250K or 1.5M: the axis has the 250, its label the thousands. */
static double unit_of(double iops, const char **name)
{
	*name = iops >= 2e6 ? "million IOPS" : iops >= 1e4 ? "thousand IOPS" : "IOPS";
	return iops >= 2e6 ? 1e6 : iops >= 1e4 ? 1e3 : 1;
}

/* 1, 2 and 5 of each decade: gnuplot's own marks are the decades alone. */
static void put_log_axis(const struct panel *n)
{
	static const int marks[] = { 1, 2, 5 };
	double least = n->least / 1.5, most = n->most * 1.5;
	const char *gap = "";

	fprintf(n->out, "set yrange [%.3g:%.3g]\nset ytics (", least, most);
	for (int e = (int)floor(log10(least)); pow(10, e) <= most; e++) {
		for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
			double value = marks[i] * pow(10, e);

			if (value < least || value > most)
				continue;
			fprintf(n->out, "%s%.9g", gap, value);
			gap = ", ";
		}
	}
	fputs(")\n", n->out);
}

static void put_axes(const struct panel *n, const char *unit)
{
	fputs("set title ", n->out);
	put_quoted(n->out, n->r->curves->workload_names[n->workload]);
	fprintf(n->out, "\nset xlabel '%s'\nset ylabel '%s%s latency, %s'\n", unit,
		n->bound ? "upper bounds of " : "", shape_latency_name(n->r->rules),
		show_time_word(n->r->rules));
	if (n->log)
		put_log_axis(n);
}

static void put_curve(const struct panel *n, const struct curve *c, double unit)
{
	size_t style = c->drive % STYLES;

	fprintf(n->out,
		"$w%u_d%u using ($1/%.9g):2 with linespoints lc rgb '%s' lw 2 pt %d ps 0.7 title ",
		n->workload, c->drive, unit, colours[style], points[style]);
	put_quoted(n->out, n->r->curves->drive_names[c->drive]);
}

/* A ring around the practical peak, without a name of its own. */
static void put_ring(const struct panel *n, const struct curve *c, double unit)
{
	const struct point *p = n->r->shapes[c - n->r->curves->list].practical;

	fprintf(n->out,
		", \\\n  '+' using (%.9g):(%.9g) every ::::0 with points lc rgb '%s' "
		"pt 6 ps 1.8 notitle",
		p->dir[DIR_ALL].iops / unit, latency_of(n, p), colours[c->drive % STYLES]);
}

/* Those that lie in the picture: one far above it would press the curves together. */
static void put_caps(const struct panel *n)
{
	const struct shape_rules *rules = n->r->rules;

	for (unsigned int i = 0; i < rules->caps_nr; i++) {
		double value = rules->caps[i] / show_ns(rules);

		if (value > n->most * 1.1 || (n->log && value < n->least))
			continue;
		fprintf(n->out, ", \\\n  %.9g with lines lc rgb '#505050' lw 1.5 dt 2 title '%s'",
			value, rules->cap_names[i]);
	}
}

static void put_panel(struct panel *n)
{
	const struct report *r = n->r;
	const char *gap = "plot ", *name;
	double unit;

	for (unsigned int d = 0; d < r->curves->drives; d++)
		if (curve_of(r, n->workload, d))
			put_data(n, curve_of(r, n->workload, d));
	unit = unit_of(n->iops, &name);
	put_axes(n, name);
	for (unsigned int d = 0; d < r->curves->drives; d++) {
		const struct curve *c = curve_of(r, n->workload, d);

		if (!c)
			continue;
		fputs(gap, n->out);
		put_curve(n, c, unit);
		put_ring(n, c, unit);
		gap = ", \\\n  ";
	}
	put_caps(n);
	fputc('\n', n->out);
}

void plot_script(FILE *out, const struct report *r, const struct plot *p)
{
	unsigned int nr = plot_panels(r), across = nr > 1 ? 2 : 1,
		     down = (nr + across - 1) / across;

	fprintf(out, "set encoding utf8\nset terminal %s noenhanced size %u,%u\n",
		plot_terminal(p->file), across * WIDTH, down * HEIGHT);
	fputs("set grid lc rgb '#d0d0d0' lt 1\nset border 3\nset tics nomirror\n"
	      "set key above\nset format '%.9g'\nset xrange [0:*]\n"
	      "set offsets 0, graph 0.03, graph 0.03, 0\n",
	      out);
	fputs(p->log ? "set logscale y\n" : "set yrange [0:*]\n", out);
	fprintf(out, "set multiplot layout %u,%u\n", down, across);
	for (unsigned int w = 0; w < r->curves->workloads; w++) {
		struct panel n = {
			.out = out, .r = r, .workload = w, .log = p->log, .least = INFINITY
		};

		if (has_curve(r, w))
			put_panel(&n);
	}
	fputs("unset multiplot\n", out);
}
