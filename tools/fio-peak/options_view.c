// SPDX-License-Identifier: GPL-2.0-only
/* argp's table of the options that change no figure. */
#include "options.h"
#include "alloc.h"
#include "show.h"
#include "text.h"
#include "units.h"

enum {
	KEY_PLOT = 512,
	KEY_PLOT_SCALE,
	KEY_BASELINE,
	KEY_FAIL_BELOW,
	KEY_SORT,
	KEY_WORKLOADS,
	KEY_UNITS,
	KEY_WATTS
};

static const struct argp_option options[] = {
	{ "plot", KEY_PLOT, "FILE", 0, "Draw curves with gnuplot: FILE.svg or FILE.png", 0 },
	{ "plot-scale", KEY_PLOT_SCALE, "SCALE", 0, "Of latency: linear (default), log", 0 },
	{ "baseline", KEY_BASELINE, "LABEL", 0, "Compare with this drive, not with the best", 0 },
	{ "fail-below", KEY_FAIL_BELOW, "PERCENT", 0,
	  "Status 1 where a drive is so far below it: 5%", 0 },
	{ "sort", KEY_SORT, "KEY", 0, "name, iops, mb_s, mean, p50, p99, p99.9, p99.99", 0 },
	{ "workloads", KEY_WORKLOADS, "PATTERN[,...]", 0, "Only these: 'rand*'", 0 },
	{ "units", KEY_UNITS, "UNIT[,...]", 0, "Show these: " SHOW_UNITS, 0 },
	{ "watts", KEY_WATTS, "[LABEL=]FILE", 0, "A meter's readings: CSV of time, watts", 0 },
	{ 0 },
};

static void parse_plot(struct view *v, const char *file, struct argp_state *state)
{
	if (!plot_terminal(file))
		argp_error(state, "--plot=%s: not a name that ends in .svg or .png",
			   text_safe(file));
	v->plot.file = file;
}

static void parse_scale(struct view *v, const char *scale, struct argp_state *state)
{
	v->plot.log = !strcmp(scale, "log");
	if (!v->plot.log && strcmp(scale, "linear"))
		argp_error(state, "--plot-scale=%s: unknown; linear or log", text_safe(scale));
}

static void parse_fail_below(struct view *v, const char *arg, struct argp_state *state)
{
	v->fail_below = units_percent(arg);
	if (isnan(v->fail_below))
		argp_error(state, "--fail-below=%s: not a percentage of 0 to 100, such as 5%%",
			   text_safe(arg));
}

static void parse_sort(struct view *v, const char *key, struct argp_state *state)
{
	v->sort = !strcmp(key, "name") ? SORT_NAME : SORT_GIVEN;
	for (int m = 0; m < METRIC_NR; m++)
		if (!strcmp(key, m < METRIC_MEAN ? metrics[m].key : metrics[m].title))
			v->sort = m;
	if (v->sort == SORT_GIVEN)
		argp_error(state,
			   "--sort=%s: unknown; name, iops, mb_s, mean, p50, p99, p99.9 or "
			   "p99.99",
			   text_safe(key));
}

static void parse_units(struct shape_rules *rules, char *list, struct argp_state *state)
{
	char *unit;

	while ((unit = strsep(&list, ",")))
		if (!show_unit(rules, unit))
			argp_error(state, "--units=%s: unknown; of " SHOW_UNITS, text_safe(unit));
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	struct view *v = &o->view;

	switch (key) {
	case KEY_PLOT:
		parse_plot(v, arg, state);
		return 0;
	case KEY_PLOT_SCALE:
		parse_scale(v, arg, state);
		return 0;
	case KEY_BASELINE:
		v->baseline = arg;
		return 0;
	case KEY_FAIL_BELOW:
		parse_fail_below(v, arg, state);
		return 0;
	case KEY_SORT:
		parse_sort(v, arg, state);
		return 0;
	case KEY_WORKLOADS:
		v->workloads = arg;
		return 0;
	case KEY_UNITS:
		parse_units(&o->rules, arg, state);
		return 0;
	case KEY_WATTS:
		if (v->meters_nr == VIEW_METERS)
			argp_error(state, "--watts: no more than %d files", VIEW_METERS);
		v->meters[v->meters_nr++] = arg;
		return 0;
	case ARGP_KEY_INIT:
		v->fail_below = NAN;
		v->sort = SORT_GIVEN;
		return 0;
	case ARGP_KEY_END:
		if (!isnan(v->fail_below) && !v->baseline)
			argp_error(state, "--fail-below: below what? Add --baseline=LABEL");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_view = { options, parse_option, 0, 0, 0, 0, 0 };
