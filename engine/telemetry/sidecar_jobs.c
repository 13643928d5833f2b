// SPDX-License-Identifier: GPL-2.0-only
// What the jobs of a group did, each and together, as JSON.
#include "engine/telemetry/sidecar_jobs.h"

#include <string.h>

#include "engine/command.h"
#include "engine/telemetry/json_values.h"
#include "engine/status.h"

static const char *const directions[METER_DIRECTIONS] = { "read", "write", "trim" };

bool sidecar_is_in(const struct registry_job *j, uint32_t index)
{
	return j->group == index && j->state != JOB_EXPECTED && j->pid;
}

/* From its ramp's end on where it has one. */
static void add_flight(struct sidecar_totals *t, const struct meter *m)
{
	uint64_t from = m->ramp_over ? m->ramp_end : m->first;

	if (!m->first || m->last <= from)
		return;
	t->area += m->area - (m->ramp_over ? m->area_at_ramp : 0);
	if (!t->first || from < t->first)
		t->first = from;
	if (m->last > t->last)
		t->last = m->last;
}

static void add_job(struct sidecar_totals *t, const struct registry_job *j)
{
	const struct meter *m = &j->meter;

	for (int d = 0; d < METER_DIRECTIONS; d++) {
		t->issued[d] += m->issued[d];
		t->completed[d] += m->completed[d];
		t->discarded[d] += m->discarded[d];
		t->fio[d] += meter_fio(m, d);
		t->ios += m->completed_ios[d];
	}
	for (int i = 0; i < METER_STREAMS; i++)
		t->placed[i] += m->placed[i];
	t->syncs += m->syncs;
	t->failed_otherwise += m->failed_otherwise;
	if (!m->fio_known && m->completed_ios[0] + m->completed_ios[1] + m->completed_ios[2]) {
		t->fio_known = false;
		t->several |= m->ramp_over;
	}
	t->ramp |= m->ramp_over;
	if (j->state == JOB_KILLED)
		t->unsure += m->issued[FIO_WRITE] - m->completed[FIO_WRITE];
	add_flight(t, m);
}

void sidecar_add_up(const struct registry_device *d, uint32_t index, struct sidecar_totals *t)
{
	memset(t, 0, sizeof(*t));
	t->fio_known = true;
	for (uint32_t i = 0; i < d->nr_jobs; i++)
		if (sidecar_is_in(&d->job[i], index))
			add_job(t, &d->job[i]);
}

/* --- the jobs -------------------------------------------------------------------------------- */

json_t *sidecar_bytes(const uint64_t *issued, const uint64_t *completed, const uint64_t *discarded,
		      bool fio_known)
{
	json_t *all = json_object();

	for (int d = 0; d < METER_DIRECTIONS; d++) {
		json_t *o = json_object();

		json_put_count(o, "issued", issued[d]);
		json_put_count(o, "completed", completed[d]);
		if (fio_known) {
			json_put_count(o, "discarded_in_ramp", discarded[d]);
			json_put_count(o, "fio", completed[d] - discarded[d]);
		} else {
			json_put_null(o, "discarded_in_ramp");
			json_put_null(o, "fio");
		}
		json_put(all, directions[d], o);
	}
	return all;
}

static const struct placement_handle *find_handle(const struct registry_group *g, uint16_t pid,
						  uint32_t *index)
{
	for (uint32_t i = 0; i < g->nr_handles; i++) {
		if (g->handle[i].pid != pid)
			continue;
		*index = i;
		return &g->handle[i];
	}
	return NULL;
}

static const char *handle_type(const struct registry_device *d, uint32_t ruhid)
{
	uint8_t type = d->configuration_result || ruhid >= FDP_HANDLES_MAX
			       ? 0
			       : d->configuration.type[ruhid];

	return type == 1 ? "initially isolated" : type == 2 ? "persistently isolated" : NULL;
}

static json_t *handle_object(const struct registry_device *d, const struct registry_group *g,
			     uint16_t pid)
{
	json_t *o = json_object();
	uint32_t index = 0;
	const struct placement_handle *h = find_handle(g, pid, &index);

	json_put_count(o, "pid", pid);
	if (!h)
		return o;
	json_put_count(o, "index", index);
	json_put_count(o, "ruhid", h->ruhid);
	json_put_count(o, "ruamw_blocks", h->blocks_left);
	json_put_text(o, "type", handle_type(d, h->ruhid));
	return o;
}

static json_t *job_placement(const struct registry_device *d, const struct registry_group *g,
			     const struct registry_job *j)
{
	json_t *o, *map;

	if (!j->nr_pids && !j->fio_places)
		return json_null();
	o = json_object();
	json_put_text(o, "by", j->nr_pids ? "nvme_placement" : "fio");
	if (!j->nr_pids)
		return o;
	map = json_array();
	json_put_text(o, "option", j->placement);
	json_put_text(o, "select", j->select);
	for (uint32_t i = 0; i < j->nr_pids; i++)
		json_append(map, handle_object(d, g, j->pid_list[i]));
	json_put(o, "map", map);
	return o;
}

static json_t *job_object(const struct registry_device *d, const struct registry_group *g,
			  const struct registry_job *j)
{
	static const char *const states[] = { "expected", "running", "done", "failed", "killed" };
	const struct meter *m = &j->meter;
	struct sidecar_totals t = { 0 };
	json_t *o = json_object();

	json_put_text(o, "name", j->name);
	json_put_count(o, "number", j->number);
	json_put_count(o, "pid", j->pid);
	json_put_text(o, "state", states[j->state]);
	json_put_count(o, "error", j->error);
	json_put(o, "placement", job_placement(d, g, j));
	json_put(o, "bytes", sidecar_bytes(m->issued, m->completed, m->discarded, m->fio_known));
	json_put_bool(o, "ramp", m->ramp_over);
	add_flight(&t, m);
	json_put_real(o, "in_flight_mean",
		      t.last ? (double)t.area / (double)(t.last - t.first) : 0);
	return o;
}

json_t *sidecar_jobs(const struct registry_device *d, uint32_t index)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < d->nr_jobs; i++)
		if (sidecar_is_in(&d->job[i], index))
			json_append(all, job_object(d, &d->group[index], &d->job[i]));
	return all;
}

/* --- streams and statuses ---------------------------------------------------------------------- */

static void append_stream(json_t *all, json_t *o, uint64_t bytes)
{
	json_put_count(o, "bytes", bytes);
	json_append(all, o);
}

json_t *sidecar_streams(const struct registry_device *d, const struct registry_group *g,
			const struct sidecar_totals *t)
{
	json_t *all = json_array(), *o;

	for (uint32_t i = 0; i < g->nr_handles && i < FDP_HANDLES_MAX; i++)
		append_stream(all, handle_object(d, g, g->handle[i].pid), t->placed[i]);
	if (t->placed[METER_NO_IDENTIFIER]) {
		o = json_object();
		json_put_null(o, "pid"); /* the drive's default */
		append_stream(all, o, t->placed[METER_NO_IDENTIFIER]);
	}
	if (t->placed[METER_OTHER]) {
		o = json_object();
		json_put_text(o, "pid", "unlisted");
		append_stream(all, o, t->placed[METER_OTHER]);
	}
	return all;
}

static void append_status(json_t *all, const struct meter_status *s)
{
	json_t *o = json_object();
	char text[192];

	if (s->result > 0)
		json_put_text(o, "name", status_find(s->result)->name);
	else
		json_put_text(o, "name",
			      s->result ? strerror(-s->result) : "Successful Completion");
	status_describe(s->result, text, sizeof(text));
	json_put_text(o, "text", text);
	json_put_text(o, "command", s->result ? command_name(s->opcode) : NULL);
	if (s->result >= 0) {
		json_put_count(o, "sct", STATUS_SCT(s->result));
		json_put_count(o, "sc", STATUS_SC(s->result));
		json_put_bool(o, "dnr", s->result & STATUS_DNR);
	} else {
		json_put_count(o, "errno", -s->result);
	}
	json_put_count(o, "count", s->count);
	json_append(all, o);
}

/* The kinds of failure of all jobs, alike ones added up. Return: how many stand in @sum. */
static uint32_t add_statuses(const struct registry_device *d, uint32_t index,
			     struct meter_status *sum, uint32_t room)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < d->nr_jobs; i++) {
		const struct meter_status *f = d->job[i].meter.failed;

		for (int k = 0;
		     sidecar_is_in(&d->job[i], index) && k < METER_STATUSES && f[k].count; k++) {
			uint32_t at = 0;

			while (at < nr &&
			       (sum[at].result != f[k].result || sum[at].opcode != f[k].opcode))
				at++;
			if (at == room)
				continue;
			if (at == nr)
				sum[nr++] = (struct meter_status){ .result = f[k].result,
								   .opcode = f[k].opcode };
			sum[at].count += f[k].count;
		}
	}
	return nr;
}

json_t *sidecar_statuses(const struct registry_device *d, uint32_t index,
			 const struct sidecar_totals *t)
{
	const struct meter_status good = { .count = t->ios + t->syncs };
	struct meter_status sum[METER_STATUSES * 4];
	uint32_t nr = add_statuses(d, index, sum, sizeof(sum) / sizeof(sum[0]));
	json_t *all = json_array();

	append_status(all, &good);
	for (uint32_t i = 0; i < nr; i++)
		append_status(all, &sum[i]);
	return all;
}
