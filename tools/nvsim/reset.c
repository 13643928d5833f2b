// SPDX-License-Identifier: GPL-2.0-only
// nvsim reset: the drive as it was made, or only without the faults that nvsim fail set.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "engine/model/ftl.h"
#include "engine/model/model.h"
#include "engine/model/power.h"
#include "engine/model/timing.h"
#include "tools/nvsim/fail.h"
#include "tools/nvsim/nvsim.h"

static const char doc[] =
	"Empty a drive: no data, counters and energy 0, no faults, power state 0. Nobody may use "
	"it.\v"
	"What nvsim create decided stays. The space that the data took is given back, but for a\n"
	"drive made with --preallocate.\n\n"
	"  nvsim reset drive.nvsim";

static const struct argp_option options[] = {
	{ "faults", 'f', 0, 0, "Only take the faults away; the drive may be in use", 0 },
	{ 0 },
};

struct arguments {
	const char *path;
	bool faults;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'f':
		a->faults = true;
		return 0;
	default:
		return parse_file(key, arg, state, &a->path);
	}
}

/* All that is not fixed at creation. What stands before the step is the lock, which we hold. */
static void forget(struct model *m)
{
	struct model_state *s = m->s;
	size_t kept = offsetof(struct model_state, step);
	char boot_id[sizeof(s->boot_id)];

	memcpy(boot_id, s->boot_id, sizeof(boot_id));
	memset((char *)s + kept, 0, sizeof(*s) - kept);
	memcpy(s->boot_id, boot_id, sizeof(boot_id));
	ftl_reset(m);
	timing_reset(m);
	power_on(m, model_now(m));
	s->power_ons = 1;
}

/* A drive without mapped pages reads as zeros whatever lies there: on failure only space is lost. */
static void give_back(struct model *m)
{
	if (m->s->preallocated)
		return;
	fallocate(m->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)m->header->data,
		  (off_t)(m->header->file_bytes - m->header->data));
}

static int reset(struct model *m, void *arg)
{
	const struct arguments *a = arg;

	if (a->faults) {
		fail_clear(m);
		return STATUS_FINE;
	}
	if (model_claim(m)) {
		fprintf(stderr,
			"nvsim: %s: is in use; end the processes that have it open (fuser -v %s)\n",
			a->path, a->path);
		return STATUS_FAILED;
	}
	model_lock(m);
	forget(m);
	model_unlock(m);
	give_back(m);
	return STATUS_FINE;
}

int reset_main(int argc, char **argv)
{
	static const struct argp argp = { options, parse_option, "FILE", doc, 0, 0, 0 };
	struct arguments a = { 0 };

	parse_arguments(&argp, argc, argv, &a);
	return with_drive(a.path, false, reset, &a);
}
