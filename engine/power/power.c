// SPDX-License-Identifier: GPL-2.0-only
// What a job asks for, a share in each controller that it uses, and the first I/O's latency.
#include "engine/power/power.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/option.h"
#include "engine/power/record.h"
#include "engine/power/seat.h"
#include "engine/report.h"
#include "engine/target.h"
#include "engine/transport.h"

enum {
	MAX_STATE = 31,
};

/* Stands in for the transport's own operations until the first I/O has ended. */
struct watch {
	struct transport_ops ops;
	const struct transport_ops *real;
	struct power *power;
	uint64_t begin; /* ns; 0: nothing submitted yet */
};

struct power {
	struct power_plan plan;
	struct watch watch;
	uint32_t nr;
	struct power_seat seat[];
};

/* @asked: the number, or POWER_NO_STATE. Return: 0 or -EINVAL. */
static int parse_state(const char *text, int *asked, char *why)
{
	char *end;
	unsigned long value;

	*asked = POWER_NO_STATE;
	if (!option_given(text))
		return 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || value > MAX_STATE)
		return power_refuse(why, -EINVAL,
				    "nvme_power_state=%.100s: give the number of a power state, 0 "
				    "to %d, or none",
				    text, MAX_STATE);
	*asked = value;
	return 0;
}

static void give_back(struct power *p)
{
	for (uint32_t i = 0; i < p->nr; i++)
		power_seat_leave(&p->seat[i], &p->plan);
	if (p->plan.folder >= 0)
		close(p->plan.folder);
	free(p);
}

static int open_seat(struct power *p, const struct target *t, char *why)
{
	struct power_seat *s = &p->seat[p->nr];
	int found = POWER_UNKNOWN;
	int ret = power_state_identify(&s->c, t, why);

	s->lock.fd = -1;
	if (!ret)
		ret = power_seat_take(s, &p->plan, &found, why);
	if (ret && p->plan.optional && ret != -EBUSY) {
		power_seat_go_without(s, &p->plan, found, why);
		ret = 0;
	}
	if (!ret)
		p->nr++;
	return ret;
}

static struct power *make(const struct power_wishes *w, uint32_t nr, char *why)
{
	struct power *p = calloc(1, sizeof(*p) + nr * sizeof(p->seat[0]));

	if (!p) {
		power_refuse(why, -ENOMEM, "out of memory");
		return NULL;
	}
	p->plan = (struct power_plan){
		.force = w->force,
		.optional = w->optional,
		.verbose = w->verbose,
		.asked = POWER_NO_STATE,
		.folder = -1,
	};
	return p;
}

/* A job that asks for no state: put right what others left, and let nothing of it stop the job. */
static void repair(struct power *p, const struct target *targets, uint32_t nr)
{
	struct power_seat *s = &p->seat[0];
	char why[TARGET_WHY_LEN];
	struct journal j;
	int found;

	p->plan.folder = journal_folder(false, p->plan.folder_path, why);
	if (p->plan.folder < 0 || journal_each(p->plan.folder, NULL, NULL) <= 0)
		return;
	for (uint32_t i = 0; i < nr; i++) {
		if (power_state_identify(&s->c, &targets[i], why) ||
		    journal_read(p->plan.folder, s->c.name, &j) == -ENOENT)
			continue;
		if (power_seat_take(s, &p->plan, &found, why))
			report_note("%s", why);
	}
}

static void note_in_vain(const struct power_wishes *w)
{
	if (w->force || w->optional)
		report_note("nvme_power_%s=1 without nvme_power_state=: does nothing",
			    w->force ? "force" : "optional");
}

/* Where locks and journals are. Return: 0 or -errno. */
static int open_folder(struct power_plan *p, char *why)
{
	char reason[JOURNAL_WHY_LEN];

	p->folder = journal_folder(true, p->folder_path, reason);
	if (p->folder >= 0)
		return 0;
	return power_refuse(why, p->folder, "nvme_power_state=%d: no place for the journal: %s",
			    p->asked, reason);
}

int power_open(const struct power_wishes *w, const struct target *targets, uint32_t nr,
	       struct power **out, char *why)
{
	struct power *p = make(w, nr, why);
	int ret;

	*out = NULL;
	if (!p)
		return -ENOMEM;
	ret = parse_state(w->state, &p->plan.asked, why);
	if (!ret && p->plan.asked == POWER_NO_STATE) {
		note_in_vain(w);
		repair(p, targets, nr);
		give_back(p);
		return 0;
	}
	if (!ret)
		ret = open_folder(&p->plan, why);
	for (uint32_t i = 0; !ret && i < nr; i++)
		ret = open_seat(p, &targets[i], why);
	if (ret) {
		give_back(p);
		return ret;
	}
	*out = p;
	return 0;
}

void power_close(struct power *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nr; i++)
		power_seat_look(&p->seat[i], &p->plan);
	give_back(p);
}

/* --- the first I/O -------------------------------------------------------------------------------- */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static struct watch *watch_of(const struct transport *t)
{
	return (struct watch *)((const char *)t->ops - offsetof(struct watch, ops));
}

static void note_begin(struct watch *w, const struct transport *t)
{
	if (!w->begin && t->queue_head != t->queue_tail)
		w->begin = now_ns();
}

static void note_end(struct watch *w, uint64_t ns)
{
	struct power *p = w->power;

	for (uint32_t i = 0; i < p->nr; i++) {
		uint64_t none = 0;

		if (p->seat[i].record)
			__atomic_compare_exchange_n(&p->seat[i].record->facts.first_io_ns, &none,
						    ns, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

static int watched_commit(struct transport *t)
{
	struct watch *w = watch_of(t);

	note_begin(w, t);
	return w->real->commit(t);
}

static int watched_reap(struct transport *t, struct completion *done, uint32_t min, uint32_t max)
{
	struct watch *w = watch_of(t);
	int n;

	note_begin(w, t);
	n = w->real->reap(t, done, min, max);
	if (n > 0 && w->begin) {
		note_end(w, now_ns() - w->begin);
		t->ops = w->real;
	}
	return n;
}

void power_watch(struct power *p, struct transport *t)
{
	if (!p)
		return;
	p->watch.power = p;
	p->watch.real = t->ops;
	p->watch.ops = *t->ops;
	p->watch.ops.commit = watched_commit;
	p->watch.ops.reap = watched_reap;
	t->ops = &p->watch.ops;
}
