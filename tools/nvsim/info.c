// SPDX-License-Identifier: GPL-2.0-only
// nvsim info: takes a moment of the drive and has it rendered. Changes nothing.
#include "tools/nvsim/info.h"

#include <stdio.h>
#include <string.h>

#include "engine/model/model.h"
#include "tools/nvsim/nvsim.h"

static const char doc[] =
	"Show a drive: geometry, over-provisioning, the WAF that theory expects and the one that "
	"it "
	"has, FDP, power, counters, and what this host can time.\v"
	"The drive may be in use. Takes a fraction of a second to measure the host's timers.\n\n"
	"  nvsim info drive.nvsim";

static const struct argp_option options[] = {
	{ "json", 'j', 0, 0, "One JSON object", 0 },
	{ 0 },
};

struct arguments {
	const char *path;
	bool json;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'j':
		a->json = true;
		return 0;
	default:
		return parse_file(key, arg, state, &a->path);
	}
}

static void collect(struct model *m, struct info *i)
{
	const struct model_header *h = m->header;

	i->g = m->g;
	model_lock(m);
	i->counters = m->s->counters;
	i->commands = m->s->commands;
	i->power_state = m->s->power.state;
	i->free_units = m->s->free_units;
	i->mapped_pages = m->s->mapped_pages;
	i->faults = m->s->nr_faults;
	i->events = m->s->nr_events;
	i->recoveries = m->s->recoveries;
	i->power_ons = m->s->power_ons;
	i->unsafe = m->s->unsafe;
	power_read(m, model_now(m), &i->power);
	model_unlock(m);
	i->file_bytes = h->file_bytes;
	i->map_bytes = h->buffer - h->units;
	model_room(m, &i->room);
}

static int show(struct model *m, void *arg)
{
	const struct arguments *a = arg;
	struct info i = { .path = a->path };
	bool written = true;

	collect(m, &i);
	host_measure(&i.host);
	if (a->json)
		written = info_json(&i, stdout);
	else
		info_text(&i, stdout);
	if (written && !fflush(stdout) && !ferror(stdout))
		return STATUS_FINE;
	fprintf(stderr, "nvsim: standard output: cannot be written\n");
	return STATUS_FAILED;
}

int info_main(int argc, char **argv)
{
	static const struct argp argp = { options, parse_option, "FILE", doc, 0, 0, 0 };
	struct arguments a = { 0 };

	parse_arguments(&argp, argc, argv, &a);
	return with_drive(a.path, true, show, &a);
}
