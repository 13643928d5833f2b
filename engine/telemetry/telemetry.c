// SPDX-License-Identifier: GPL-2.0-only
// Jobs come and go; the first and the last of those that run together have the counters read.
#include "engine/telemetry/telemetry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/telemetry/duration.h"
#include "engine/guardian.h"
#include "engine/telemetry/interrupt.h"
#include "engine/io.h"
#include "engine/option.h"
#include "engine/report.h"
#include "engine/telemetry/sampler.h"
#include "engine/telemetry/sidecar.h"
#include "engine/telemetry/source.h"

enum {
	LEAST_INTERVAL_MS = 10,
	ANY_GROUP = 1, /* where a namespace does not tell its endurance group */
};

struct telemetry {
	uint32_t nr;
	struct metering metering;
	struct part {
		struct registry_device *d;
		struct registry_job *job;
		struct sampler *sampler;
		bool last; /* it was the last job that ran: the file is due */
	} part[];
};

void telemetry_init(void)
{
	registry_init();
}

/* --- in fio's parent ----------------------------------------------------------------------- */

/* @file with its %d replaced, and absolute: a guardian works in another folder. */
static int name_file(struct registry_device *d, const char *file, char *why)
{
	const char *at = strstr(file, "%d");
	char text[PATH_MAX], *cwd = NULL;
	int len, err;

	if (at)
		len = snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - file), file, d->label,
			       at + 2);
	else
		len = snprintf(text, sizeof(text), "%s", file);
	if (*text != '/')
		cwd = getcwd(NULL, 0);
	if (len < (int)sizeof(text))
		len = snprintf(d->file, sizeof(d->file), "%s%s%s", cwd ? cwd : "", cwd ? "/" : "",
			       text);
	free(cwd);
	if (len >= (int)sizeof(text) - 32) {
		snprintf(why, TARGET_WHY_LEN, "nvme_telemetry=%.200s...: the name is too long",
			 file);
		return -ENAMETOOLONG;
	}
	if (!sidecar_may_replace(d->file)) {
		snprintf(why, TARGET_WHY_LEN,
			 "nvme_telemetry=%.200s: exists and is not a sidecar, which alone is "
			 "replaced, and not by a link; give another name, or remove it",
			 file);
		return -EEXIST;
	}
	err = -sidecar_try(d->file);
	if (!err)
		return 0;
	snprintf(why, TARGET_WHY_LEN, "nvme_telemetry=%.200s: cannot be written: %s", file,
		 strerror(err));
	return err == ENOENT ? -EINVAL : -err; /* fio takes ENOENT for its own */
}

/* Two devices cannot share a file. */
static int check_file_is_own(const struct registry_device *d, const char *file, char *why)
{
	const struct registry_device *other;

	for (uint32_t i = 0; (other = registry_device(i)); i++) {
		if (other == d || strcmp(other->file, d->file) != 0)
			continue;
		snprintf(why, TARGET_WHY_LEN,
			 strstr(file, "%d")
				 ? "nvme_telemetry=%.150s: %.120s and %.120s would share a file: "
				   "their names are alike; give each job a file of its own"
				 : "nvme_telemetry=%.150s: %.120s and %.120s need a file each: "
				   "write "
				   "%%d where the device's name belongs",
			 file, other->name, d->name);
		return -EINVAL;
	}
	return 0;
}

static void describe_device(struct registry_device *d, const struct target *t)
{
	char copy[sizeof(t->name)];

	memcpy(copy, t->name, sizeof(copy));
	snprintf(d->name, sizeof(d->name), "%s", t->name);
	snprintf(d->label, sizeof(d->label), "%.63s", t->model ? basename(copy) : t->node);
	source_locate(d, t, t->name);
	d->nsid = t->nsid;
	d->lba_shift = t->lba_shift;
	d->bytes = t->bytes;
	d->max_transfer = t->max_transfer;
	d->identity_result = admin_identity(t->model, t->fd, &d->identity);
	d->questions.fdp = !d->identity_result && d->identity.fdp;
	d->questions.endurance_group =
		d->identity.endurance_group ? d->identity.endurance_group : ANY_GROUP;
	memset(d->stream, METER_OTHER, sizeof(d->stream));
}

static int add_device(const struct target *t, const char *file, struct registry_device **out,
		      char *why)
{
	struct registry_device *d = registry_add(t->node);
	int ret;

	*out = d;
	if (!d) {
		snprintf(why, TARGET_WHY_LEN, "nvme_telemetry=: no memory for %.200s", t->name);
		return -ENOMEM;
	}
	describe_device(d, t);
	snprintf(d->wished, sizeof(d->wished), "%s", file);
	ret = name_file(d, file, why);
	return ret ? ret : check_file_is_own(d, file, why);
}

/* The shortest interval that is asked for, the longest settling. */
static int take_times(struct registry_device *d, const struct telemetry_wishes *w, char *why)
{
	uint32_t interval = 0, settle = 0;

	if (w->interval && *w->interval &&
	    (!duration_read(w->interval, 1, &interval) ||
	     (interval && interval < LEAST_INTERVAL_MS))) {
		snprintf(why, TARGET_WHY_LEN,
			 "nvme_telemetry_interval=%.100s: a time of at least %d ms is wanted: 250, "
			 "250ms, 1s; 0 takes no samples",
			 w->interval, LEAST_INTERVAL_MS);
		return -EINVAL;
	}
	if (w->settle && *w->settle && !duration_read(w->settle, 1000, &settle)) {
		snprintf(why, TARGET_WHY_LEN,
			 "nvme_telemetry_settle=%.100s: a time is wanted: 30, 30s, 2m", w->settle);
		return -EINVAL;
	}
	if (interval && (!d->interval_ms || interval < d->interval_ms))
		d->interval_ms = interval;
	d->sample_every_ms = d->interval_ms;
	if (settle > d->settle_ms)
		d->settle_ms = settle;
	return 0;
}

static bool is_time(const char *text)
{
	return option_given(text) && strcmp(text, "0") != 0;
}

/* Other jobs of the run may well have a sidecar, so that this is no error. */
static void note_times_in_vain(const struct telemetry_wishes *w)
{
	if (is_time(w->interval))
		report_note("nvme_telemetry_interval=%.100s without nvme_telemetry=: no samples "
			    "are taken; give nvme_telemetry=FILE, too",
			    w->interval);
	if (is_time(w->settle))
		report_note("nvme_telemetry_settle=%.100s without nvme_telemetry=: nobody waits; "
			    "give nvme_telemetry=FILE, too",
			    w->settle);
}

int telemetry_register(const struct telemetry_wishes *w, const struct target *t, uint32_t number,
		       const char *job_name, char *why)
{
	struct registry_device *d = registry_find(t->node);
	int ret = 0;

	if (!option_given(w->file)) {
		note_times_in_vain(w);
		return 0;
	}
	if (!registry_in_parent()) {
		snprintf(why, TARGET_WHY_LEN,
			 "nvme_telemetry= needs create_serialize=1 (fio's default): the jobs must "
			 "know of each other");
		return -EINVAL;
	}
	guardian_init();
	interrupt_watch();
	if (!d)
		ret = add_device(t, w->file, &d, why);
	else if (strcmp(d->wished, w->file) != 0) {
		snprintf(why, TARGET_WHY_LEN,
			 "nvme_telemetry=%.150s: an earlier job on %.100s has %.150s; a device has "
			 "one file a run",
			 w->file, t->name, d->wished);
		ret = -EINVAL;
	}
	if (!ret)
		ret = take_times(d, w, why);
	if (ret || registry_find_job(d, number))
		return ret;
	if (registry_add_job(d, number, job_name))
		return 0;
	snprintf(why, TARGET_WHY_LEN, "nvme_telemetry=: more than %d jobs on %.200s", REGISTRY_JOBS,
		 t->name);
	return -ENOSPC;
}

/* --- a job begins -------------------------------------------------------------------------- */

/* What is asked once: the FDP configuration, and whether C0h is OCP's. Under the lock. */
static void ask_once(struct registry_device *d, const struct drive_source *s)
{
	uint8_t page[FDP_CONFIGURATIONS_BYTES], ocp[OCP_BYTES];
	struct ocp_log log;

	d->asked = true;
	d->configuration_result = SNAPSHOT_NOT_ASKED;
	if (d->questions.fdp) {
		d->configuration_result =
			admin_get_log(s->model, s->fd, LOG_FDP_CONFIGURATIONS, 0,
				      d->questions.endurance_group, page, sizeof(page));
		if (!d->configuration_result &&
		    !log_read_fdp_configuration(page, sizeof(page), 0, &d->configuration))
			d->configuration_result = -EPROTO;
	}
	d->ocp_result =
		admin_get_log(s->model, s->fd, LOG_OCP_SMART, 0xffffffff, 0, ocp, sizeof(ocp));
	if (!d->ocp_result && !log_read_ocp(ocp, &log))
		d->ocp_result = -EPROTO;
	d->questions.ocp = !d->ocp_result;
}

/* Reclaim Unit Handle Status, and the place of each identifier in meters. Under the lock. */
static void ask_handles(struct registry_device *d, struct registry_group *g, const struct target *t)
{
	g->handles_result = SNAPSHOT_NOT_ASKED;
	if (!d->questions.fdp)
		return;
	g->nr_handles = FDP_HANDLES_MAX;
	g->handles_result = admin_ruh_status(t->model, t->fd, t->nsid, g->handle, &g->nr_handles);
	if (g->handles_result)
		g->nr_handles = 0;
	if (g->nr_handles > FDP_HANDLES_MAX)
		g->nr_handles = FDP_HANDLES_MAX;
	for (uint32_t i = 0; i < g->nr_handles; i++)
		d->stream[g->handle[i].pid] = i;
}

/* Nobody runs: what is there of the last group was killed. Under the lock. */
static struct registry_group *open_group(struct registry_device *d, const struct target *t)
{
	const struct drive_source s = { .model = t->model, .fd = t->fd };
	struct registry_group *last = d->nr_groups ? &d->group[d->nr_groups - 1] : NULL, *g;

	if (!d->asked)
		ask_once(d, &s);
	if (last && last->open) {
		snapshot_take(&s, &d->questions, &last->end);
		last->open = false;
	}
	if (last && d->nr_groups == REGISTRY_GROUPS) {
		last->open = true;
		return last;
	}
	power_facts_forget(t);
	g = &d->group[d->nr_groups];
	ask_handles(d, g, t);
	snapshot_take(&s, &d->questions, &g->begin);
	g->open = true;
	d->nr_groups++;
	return g;
}

/* The last of the group's jobs has ended. Under the lock. */
static void close_group(struct registry_device *d, struct registry_group *g, struct snapshot *shot)
{
	struct drive_source s;

	g->open = false;
	g->interrupted |= interrupt_seen();
	if (source_open(d, &s))
		return;
	snapshot_take(&s, &d->questions, shot);
	source_close(&s);
}

/* The job's power state, if it asked for one. Under the lock. */
static void take_power_facts(const struct registry_device *d, struct registry_group *g)
{
	struct target t = { .fd = -1 };

	memcpy(t.node, d->key, sizeof(t.node));
	if (!power_facts(&t, &g->power))
		memset(&g->power, 0, sizeof(g->power));
}

/* What is left to do when all of fio's processes are gone, however that came about. */
static void finish_after_all(void *context)
{
	struct registry_device *d;

	for (uint32_t i = 0; (d = registry_device(i)); i++) {
		struct registry_group *g;

		registry_lock(d);
		g = d->nr_groups ? &d->group[d->nr_groups - 1] : NULL;
		registry_all_gone(d);
		if (g && g->open) {
			close_group(d, g, &g->end);
			take_power_facts(d, g);
			sidecar_write(d);
		}
		registry_unlock(d);
	}
}

static void write_file(struct registry_device *d)
{
	int ret = sidecar_write(d);

	if (ret)
		report_error("nvme_telemetry=%.200s: cannot write %.300s: %s", d->wished, d->file,
			     strerror(-ret));
}

static void begin_part(struct part *p, const struct target *t)
{
	struct registry_device *d = p->d;

	registry_lock(d);
	if (!registry_running(d)) {
		open_group(d, t);
		p->job->group = d->nr_groups - 1;
		p->job->pid = getpid();
		p->job->state = JOB_RUNNING;
		/* So that something is there whatever happens now. */
		write_file(d);
	}
	p->job->group = d->nr_groups - 1;
	p->job->pid = getpid();
	p->job->state = JOB_RUNNING;
	registry_unlock(d);
	p->sampler = sampler_start(d);
}

static void wake_samplers(void *arg)
{
	struct telemetry *t = arg;

	for (uint32_t i = 0; i < t->nr; i++)
		sampler_wake(t->part[i].d);
}

static bool make_metering(struct metering *m, uint32_t nr)
{
	m->meter = calloc(nr, sizeof(struct meter *));
	m->own = calloc(nr, sizeof(struct meter *));
	m->stream = calloc(nr, sizeof(uint8_t *));
	return m->meter && m->own && m->stream;
}

static void free_telemetry(struct telemetry *t)
{
	if (t) {
		free(t->metering.meter);
		free(t->metering.own);
		free(t->metering.stream);
	}
	free(t);
}

/* The job's @i-th target is on @d; a device that is named twice is one part. */
static void take_part(struct telemetry *t, uint32_t i, struct registry_device *d,
		      struct registry_job *job)
{
	bool known = t->nr && t->part[t->nr - 1].d == d;

	for (uint32_t k = 0; k < t->nr && !known; k++)
		known = t->part[k].d == d;
	t->metering.meter[i] = &job->meter;
	t->metering.stream[i] = d->stream;
	if (known)
		return;
	t->metering.own[t->metering.nr_own++] = &job->meter;
	t->part[t->nr].d = d;
	t->part[t->nr++].job = job;
}

static const struct target *find_target(const struct target *targets, uint32_t nr,
					const struct registry_device *d)
{
	for (uint32_t i = 1; i < nr; i++)
		if (!strcmp(targets[i].node, d->key))
			return &targets[i];
	return &targets[0];
}

struct telemetry *telemetry_begin(uint32_t number, const struct target *targets, uint32_t nr)
{
	struct registry_device *d = registry_find(targets[0].node);
	struct telemetry *t;

	if (!d || !registry_find_job(d, number))
		return NULL;
	t = calloc(1, sizeof(*t) + nr * sizeof(t->part[0]));
	if (!t || !make_metering(&t->metering, nr)) {
		free_telemetry(t);
		report_note("no telemetry of a job: out of memory");
		return NULL;
	}
	for (uint32_t i = 0; i < nr; i++) {
		d = registry_find(targets[i].node);
		take_part(t, i, d, registry_find_job(d, number));
	}
	for (uint32_t i = 0; i < t->nr; i++)
		begin_part(&t->part[i], find_target(targets, nr, t->part[i].d));
	t->metering.offset = &t->part[0].d->fio_bytes;
	t->metering.ramp_ended = wake_samplers;
	t->metering.arg = t;
	if (guardian_at_end(finish_after_all, NULL))
		report_note("telemetry: no guardian: a run that is killed leaves its file without "
			    "the end");
	return t;
}

struct metering *telemetry_metering(struct telemetry *t)
{
	return t ? &t->metering : NULL;
}

struct telemetry *telemetry_of(const struct metering *m)
{
	return m ? m->arg : NULL;
}

/* A target of the part whose job this is. */
static uint32_t place_of(const struct telemetry *t, const struct registry_job *j)
{
	uint32_t i = 0;

	while (t->metering.meter[i] != &j->meter)
		i++;
	return i;
}

void telemetry_placed(struct telemetry *t, const struct placement_wishes *w, const struct io *io,
		      bool fio_places)
{
	for (uint32_t i = 0; t && i < t->nr; i++) {
		struct registry_job *j = t->part[i].job;
		const struct placement *p = io_placement(io, place_of(t, j));

		j->fio_places = fio_places;
		if (!p || p->kind == PLACEMENT_NONE)
			continue;
		snprintf(j->placement, sizeof(j->placement), "%s", w->ids);
		snprintf(j->select, sizeof(j->select), "%s", w->select ? w->select : "roundrobin");
		for (uint32_t n = 0; n < p->nr && j->nr_pids < PLACEMENT_MAX; n++) {
			bool known = false;

			for (uint32_t k = 0; k < j->nr_pids && !known; k++)
				known = j->pid_list[k] == p->pid[n];
			if (!known)
				j->pid_list[j->nr_pids++] = p->pid[n];
		}
	}
}

/* --- a job ends ---------------------------------------------------------------------------- */

/* Wait, then read the counters once more: what the drive still did by itself shows. */
static void settle(struct telemetry *t)
{
	uint32_t ms = 0;
	struct timespec pause;

	for (uint32_t i = 0; i < t->nr; i++)
		if (t->part[i].last && t->part[i].d->settle_ms > ms)
			ms = t->part[i].d->settle_ms;
	if (!ms)
		return;
	pause.tv_sec = ms / 1000;
	pause.tv_nsec = ms % 1000 * 1000000L;
	nanosleep(&pause, NULL);
	for (uint32_t i = 0; i < t->nr; i++) {
		struct part *p = &t->part[i];

		if (!p->last || !p->d->settle_ms)
			continue;
		registry_lock(p->d);
		close_group(p->d, &p->d->group[p->job->group], &p->d->group[p->job->group].settle);
		registry_unlock(p->d);
	}
}

static void end_part(struct part *p, int error)
{
	struct registry_device *d = p->d;
	struct registry_group *g = &d->group[p->job->group];

	sampler_stop(p->sampler);
	p->sampler = NULL;
	registry_lock(d);
	p->job->error = error;
	p->job->state = error ? JOB_FAILED : JOB_DONE;
	p->last = !registry_running(d);
	if (p->last)
		close_group(d, g, &g->end);
	registry_unlock(d);
}

void telemetry_end(struct telemetry *t, int error)
{
	for (uint32_t i = 0; t && i < t->nr; i++)
		end_part(&t->part[i], error);
	if (t && !error && !interrupt_seen())
		settle(t);
}

void telemetry_close(struct telemetry *t)
{
	for (uint32_t i = 0; t && i < t->nr; i++) {
		struct part *p = &t->part[i];

		if (!p->last)
			continue;
		registry_lock(p->d);
		take_power_facts(p->d, &p->d->group[p->job->group]);
		write_file(p->d);
		registry_unlock(p->d);
	}
	free_telemetry(t);
}

void telemetry_refused(uint32_t number)
{
	struct registry_device *d;

	for (uint32_t i = 0; (d = registry_device(i)); i++) {
		struct registry_job *j = registry_find_job(d, number);

		if (j && j->state == JOB_EXPECTED)
			j->state = JOB_FAILED;
	}
}
