// SPDX-License-Identifier: GPL-2.0-only
/* argp's table of options, and what their values may be. */
#include "options.h"
#include "alloc.h"
#include "text.h"
#include "units.h"

const char *argp_program_version = "fio-peak 0.1";

static const char doc[] =
	"Read fio's JSON and compare drives by IOPS, MB/s and completion latency.\v"
	"A PATH is a file with fio's JSON (or fio-peak's own), a folder of such files, or - for "
	"standard input; LABEL=PATH names the drive. Exit status: 0 fine, 1 failed runs or "
	"unreadable "
	"files in folders, 2 usage or no results. More in fio-peak(1).\n\n"
	"  fio-peak fast=a.json slow=b.json";

enum {
	KEY_PLATEAU = 256,
	KEY_GROUP_BY,
	KEY_EXPLAIN,
	KEY_SUMMARY,
	KEY_PUBLISHED,
	KEY_FEED
};

static const struct format {
	const char *name;
	void (*render)(FILE *out, const struct report *r);
} formats[] = { { "table", render_table }, { "markdown", render_markdown },
		{ "prose", render_prose }, { "html", render_html },
		{ "csv", render_csv },	   { "json", render_json } };

#define FORMATS "table, markdown, prose, html, csv, json"

static const struct argp_option options[] = {
	{ "feed", KEY_FEED, "BANDWIDTH", 0, "Drives that it takes to read so much: 64GB/s", 0 },
	{ "format", 'f', "FORMAT", 0, FORMATS, 0 },
	{ "group-by", KEY_GROUP_BY, "KEY[,...]", 0, "Name workloads by jobname, bs, rw, iodepth...",
	  0 },
	{ "explain", KEY_EXPLAIN, 0, 0, "Tell where names come from, and of each file", 0 },
	{ "latency", 'l', "NAME", 0, "Latency of curves: mean (default), p50, p99, ...", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE instead of standard output", 0 },
	{ "entries", 'e', 0, 0, "Do not merge: one point per job entry", 0 },
	{ "cap", 'c', "TIME[,...]", 0, "IOPS of curves until TIME of latency: 1ms", 0 },
	{ "plateau", KEY_PLATEAU, "PERCENT", 0, "A peak is within this of the most IOPS (1%)", 0 },
	{ "published", KEY_PUBLISHED, "LABEL[,...]", 0,
	  "Add reviews' figures: sn861, cm7-r, ...; all", 0 },
	{ "summary", KEY_SUMMARY, 0, 0, "csv: one row per drive and workload", 0 },
	{ 0 },
};

static void parse_format(struct options *o, const char *name, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(formats[i].name, name))
			continue;
		o->render = formats[i].render;
		return;
	}
	argp_error(state, "--format=%s: unknown; one of " FORMATS, text_safe(name));
}

static void parse_latency(struct options *o, const char *arg, struct argp_state *state)
{
	o->rules.pct = -1;
	if (!strcmp(arg, "mean"))
		return;
	for (int i = 0; i < PCT_NR; i++) {
		if (strcmp(arg, pct_names[i]))
			continue;
		o->rules.pct = i;
		return;
	}
	argp_error(state,
		   "--latency=%s: unknown; mean, p50, p90, p95, p99, p99.5, p99.9, p99.95, p99.99 "
		   "or p99.999",
		   text_safe(arg));
}

static void parse_plateau(struct options *o, const char *arg, struct argp_state *state)
{
	o->rules.plateau = units_percent(arg);
	if (isnan(o->rules.plateau))
		argp_error(state, "--plateau=%s: not a percentage of 0 to 100, such as 1%%",
			   text_safe(arg));
}

/* Several, with commas between them; they add up over several options. */
static void parse_caps(struct shape_rules *r, char *list, struct argp_state *state)
{
	char *cap;

	while ((cap = strsep(&list, ","))) {
		double ns = units_time(cap);

		if (isnan(ns))
			argp_error(state,
				   "--cap=%s: not a time with its unit, such as 500us or 1ms",
				   text_safe(cap));
		if (r->caps_nr == SHAPE_CAPS)
			argp_error(state, "--cap: no more than %d times", SHAPE_CAPS);
		for (unsigned int i = 0; i < r->caps_nr; i++)
			if (r->caps[i] == ns)
				argp_error(state, "--cap=%s: given twice", text_safe(cap));
		r->caps[r->caps_nr] = ns;
		r->cap_names[r->caps_nr++] = cap;
	}
}

static void parse_feed(struct shape_rules *r, const char *arg, struct argp_state *state)
{
	r->feed = units_bandwidth(arg);
	r->feed_name = arg;
	if (isnan(r->feed))
		argp_error(state,
			   "--feed=%s: not a bandwidth with its unit, such as 64GB/s or 60GiB/s",
			   text_safe(arg));
}

static void parse_group_by(struct group_by *by, char *list, struct argp_state *state)
{
	char *key;

	while ((key = strsep(&list, ",")))
		if (!group_add(by, key))
			argp_error(state, "--group-by=%s: unknown or given twice; of %s",
				   text_safe(key), group_keys);
}

static void check_summary(struct options *o, struct argp_state *state)
{
	if (!o->summary)
		return;
	if (o->render != render_csv)
		argp_error(state, "--summary: for --format=csv only; the other formats have it");
	o->render = render_summary;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'f':
		parse_format(o, arg, state);
		return 0;
	case 'o':
		if (!*arg)
			argp_error(state, "--output=: names no file");
		o->output = arg;
		return 0;
	case 'e':
		o->entries = true;
		return 0;
	case 'c':
		parse_caps(&o->rules, arg, state);
		return 0;
	case 'l':
		parse_latency(o, arg, state);
		return 0;
	case KEY_GROUP_BY:
		parse_group_by(&o->by, arg, state);
		return 0;
	case KEY_EXPLAIN:
		o->explain = true;
		return 0;
	case KEY_PLATEAU:
		parse_plateau(o, arg, state);
		return 0;
	case KEY_FEED:
		parse_feed(&o->rules, arg, state);
		return 0;
	case KEY_PUBLISHED:
		o->published = arg;
		return 0;
	case KEY_SUMMARY:
		o->summary = true;
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = o;
		return 0;
	case ARGP_KEY_ARGS:
		o->paths = state->argv + state->next;
		o->nr = (unsigned int)(state->argc - state->next);
		return 0;
	case ARGP_KEY_END:
		check_summary(o, state);
		return 0;
	case ARGP_KEY_NO_ARGS:
		if (!o->published)
			argp_error(state, "no PATH given; name a file or folder with fio's JSON");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_view, 0, 0, 0 }, { 0 } };
	static const struct argp argp = { options, parse_option, "PATH...", doc, children, 0, 0 };

	*o = (struct options){ .render = render_table, .rules = { .plateau = 0.01, .pct = -1 } };
	/* The help is to fit a screen. */
	setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
	argp_err_exit_status = STATUS_USAGE;
	argp_parse(&argp, argc, argv, 0, 0, o);
}
