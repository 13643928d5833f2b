// SPDX-License-Identifier: GPL-2.0-only
// Sleeps on a futex in the shared registry. Only the leader wakes up by the clock.
#include "engine/telemetry/sampler.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/telemetry/source.h"

#define SECOND_NS 1000000000ULL
#define MS_NS 1000000ULL

struct sampler {
	struct registry_device *d;
	pthread_t thread;
	uint32_t stop;
	bool leads;
	struct drive_source source;
	bool open;
	uint64_t next_ns; /* when the next sample is due */
	uint64_t area, ticks; /* at the last one */
};

static void futex_wait(uint32_t *word, uint32_t seen, uint64_t ns)
{
	const struct timespec t = { .tv_sec = ns / SECOND_NS, .tv_nsec = ns % SECOND_NS };

	syscall(SYS_futex, word, FUTEX_WAIT, seen, &t, NULL, 0);
}

void sampler_wake(struct registry_device *d)
{
	__atomic_fetch_add(&d->wake, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &d->wake, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* The group that runs now, or NULL. Under the lock. */
static struct registry_group *open_group(struct registry_device *d)
{
	struct registry_group *g = d->nr_groups ? &d->group[d->nr_groups - 1] : NULL;

	return g && g->open ? g : NULL;
}

/*
 * How many of the group's jobs have their ramp time behind them; @all: every one that runs. A job
 * without ramp time never has. Under the lock.
 */
static uint32_t ramps_over(const struct registry_device *d, bool *all)
{
	uint32_t nr = 0;

	*all = true;
	for (uint32_t i = 0; i < d->nr_jobs; i++) {
		const struct registry_job *j = &d->job[i];

		if (j->state == JOB_EXPECTED || j->group != d->nr_groups - 1)
			continue;
		if (__atomic_load_n(&j->meter.ramp_over, __ATOMIC_ACQUIRE))
			nr++;
		else if (j->state == JOB_RUNNING)
			*all = false;
	}
	return nr;
}

/*
 * The window begins when the ramp time of the last job is over. Which one is the last nobody knows
 * beforehand: each one's end is taken for it, until it is over for all that run.
 */
static void look_at_ramp(struct sampler *s)
{
	struct registry_group *g;
	uint32_t over;
	bool all;

	registry_lock(s->d);
	g = open_group(s->d);
	over = g && !g->ramp_is_over ? ramps_over(s->d, &all) : 0;
	if (over) {
		if (over > g->ramps_over)
			snapshot_take(&s->source, &s->d->questions, &g->ramp_end);
		g->ramps_over = over;
		g->ramp_is_over = all;
	}
	registry_unlock(s->d);
}

/* --- samples ------------------------------------------------------------------------------- */

static void read_logs(const struct snapshot *shot, struct registry_sample *out)
{
	struct fdp_statistics fdp;
	struct smart_log smart;

	if (!shot->fdp_result) {
		log_read_fdp_statistics(shot->fdp, &fdp);
		out->has_fdp = true;
		out->host_bytes = fdp.host_bytes;
		out->media_bytes = fdp.media_bytes;
	}
	if (!shot->smart_result) {
		log_read_smart(shot->smart, &smart);
		out->temperature = smart.temperature;
		out->media_errors = smart.media_errors;
		out->throttle_count = smart.throttle_count[0] + smart.throttle_count[1];
		out->has_interval_power = smart.has_interval_power;
		out->interval_power_uw = smart.interval_power_uw;
	}
	out->has_power_state = !shot->power_result;
	out->power_state = shot->power_state;
	out->has_energy = !shot->energy_result;
	out->energy_uj = shot->energy_uj;
}

/* What the jobs have done so far. They go on meanwhile. */
static void read_meters(struct sampler *s, struct registry_sample *out)
{
	uint64_t area = 0, now = meter_ticks();

	for (uint32_t i = 0; i < s->d->nr_jobs; i++) {
		const struct meter *m = &s->d->job[i].meter;

		for (int dir = 0; dir < METER_DIRECTIONS; dir++) {
			out->completed[dir] += m->completed[dir];
			out->completed_ios += m->completed_ios[dir];
		}
		area += __atomic_load_n(&m->area, __ATOMIC_RELAXED);
	}
	if (s->ticks && now > s->ticks && area >= s->area)
		out->in_flight = (double)(area - s->area) / (double)(now - s->ticks);
	s->area = area;
	s->ticks = now;
}

static void take_sample(struct sampler *s)
{
	struct registry_sample sample = { 0 };
	struct snapshot shot;
	/* OCP's log changes slowly and is long: at the edges only. */
	struct drive_questions q = s->d->questions;

	q.ocp = false;
	snapshot_take(&s->source, &q, &shot);
	sample.at_ns = shot.at_ns;
	read_logs(&shot, &sample);
	registry_lock(s->d);
	if (open_group(s->d)) {
		sample.group = s->d->nr_groups - 1;
		read_meters(s, &sample);
		registry_add_sample(s->d, &sample);
	}
	registry_unlock(s->d);
}

/* Return: ns until there is something to do again. */
static uint64_t lead(struct sampler *s)
{
	uint64_t every = s->d->sample_every_ms * MS_NS, now = snapshot_now();

	if (!s->open) {
		if (source_open(s->d, &s->source))
			return SECOND_NS;
		s->open = true;
	}
	look_at_ramp(s);
	if (!every)
		return 3600 * SECOND_NS;
	if (now >= s->next_ns) {
		take_sample(s);
		/* In step, but what was missed is not made up for. */
		s->next_ns =
			s->next_ns && now < s->next_ns + every ? s->next_ns + every : now + every;
	}
	now = snapshot_now();
	return s->next_ns > now ? s->next_ns - now : 1;
}

/* --- the thread ---------------------------------------------------------------------------- */

static void *run(void *arg)
{
	struct sampler *s = arg;

	while (!__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE)) {
		uint32_t seen = __atomic_load_n(&s->d->wake, __ATOMIC_ACQUIRE);
		uint64_t pause = SECOND_NS; /* then see whether the leader still lives */

		if (!s->leads)
			s->leads = registry_try_lead(s->d);
		if (s->leads)
			pause = lead(s);
		if (!__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE))
			futex_wait(&s->d->wake, seen, pause);
	}
	if (s->open)
		source_close(&s->source);
	if (s->leads)
		registry_leave_lead(s->d);
	return NULL;
}

/* fio's signals are for fio's threads; and the job's processors are the job's (cpus_allowed=). */
static int start_thread(struct sampler *s)
{
	sigset_t all, before;
	cpu_set_t cpus;
	int ret;

	sigfillset(&all);
	sigdelset(&all, SIGBUS); /* the model drive handles its own */
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&s->thread, NULL, run, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret)
		return ret;
	pthread_setname_np(s->thread, "nvmept-sampler");
	memset(&cpus, 0xff, sizeof(cpus));
	pthread_setaffinity_np(s->thread, sizeof(cpus), &cpus);
	return 0;
}

struct sampler *sampler_start(struct registry_device *d)
{
	struct sampler *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->d = d;
	s->source.fd = -1;
	if (!start_thread(s))
		return s;
	free(s);
	return NULL;
}

void sampler_stop(struct sampler *s)
{
	if (!s)
		return;
	__atomic_store_n(&s->stop, 1, __ATOMIC_RELEASE);
	sampler_wake(s->d);
	pthread_join(s->thread, NULL);
	sampler_wake(s->d); /* the lead is free now */
	free(s);
}
