// SPDX-License-Identifier: GPL-2.0-only
// The sidecar as a whole: the drive, what could not be read, the groups, the samples; and the file.
#include "engine/telemetry/sidecar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/fio_abi.h"
#include "engine/telemetry/interrupt.h"
#include "engine/telemetry/json_values.h"
#include "engine/telemetry/sidecar_group.h"

#define SCHEMA "nvmept-sidecar"

/* --- the drive -------------------------------------------------------------------------------- */

static void put_identity(const struct registry_device *d, json_t *o)
{
	const struct admin_identity *id = &d->identity;
	char version[32];

	if (d->identity_result)
		return;
	snprintf(version, sizeof(version), "%u.%u", id->version >> 16, id->version >> 8 & 0xff);
	json_put_text(o, "serial", id->serial);
	json_put_text(o, "model", id->model);
	json_put_text(o, "firmware", id->firmware);
	json_put_text(o, "subsystem", id->subsystem);
	json_put_count(o, "controller_id", id->controller_id);
	json_put_text(o, "nvme_version", version);
	json_put_count(o, "endurance_group", id->endurance_group);
	json_put_celsius(o, "warning_celsius", id->warning_temperature);
	json_put_celsius(o, "critical_celsius", id->critical_temperature);
	if (id->nvm_bytes)
		json_put_count(o, "nvm_bytes", id->nvm_bytes);
}

static json_t *device_object(const struct registry_device *d)
{
	json_t *o = json_object();

	json_put_text(o, "name", d->name);
	json_put_text(o, "kind", d->is_model ? "model" : "nvme");
	json_put_text(o, "node", d->is_model ? d->path : d->key);
	json_put_text(o, "controller", *d->controller ? d->controller : NULL);
	put_identity(d, o);
	json_put_count(o, "namespace", d->nsid);
	json_put_count(o, "bytes", d->bytes);
	json_put_count(o, "block_bytes", 1ULL << d->lba_shift);
	json_put_count(o, "max_transfer_bytes", d->max_transfer);
	return o;
}

static json_t *power_states(const struct registry_device *d)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < d->identity.nr_power_states; i++) {
		json_t *o = json_object();

		json_put_count(o, "state", i);
		json_put_real(o, "max_watts", d->identity.power[i].max_uw / 1e6);
		json_put_bool(o, "operational", d->identity.power[i].operational);
		json_put_count(o, "entry_us", d->identity.power[i].entry_us);
		json_put_count(o, "exit_us", d->identity.power[i].exit_us);
		json_append(all, o);
	}
	return all;
}

static json_t *handle_types(const struct fdp_configuration *c)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < c->nr_handles && i < FDP_HANDLES_MAX; i++)
		json_append(all, json_string(c->type[i] == 1   ? "initially isolated"
					     : c->type[i] == 2 ? "persistently isolated"
							       : "reserved"));
	return all;
}

static json_t *configuration_object(const struct registry_device *d)
{
	const struct fdp_configuration *c = &d->configuration;
	json_t *o;

	if (!d->asked || d->configuration_result)
		return json_null();
	o = json_object();
	json_put_count(o, "reclaim_unit_bytes", c->unit_bytes);
	json_put_count(o, "reclaim_groups", c->groups);
	json_put_count(o, "handles", c->nr_handles);
	json_put_count(o, "identifiers", c->identifiers);
	json_put_count(o, "namespaces", c->namespaces);
	json_put(o, "handle_types", handle_types(c));
	return o;
}

/* Reclaim Unit Handle Status, as the first group found it. */
static json_t *handles(const struct registry_device *d)
{
	const struct registry_group *g = &d->group[0];
	json_t *all = json_array();

	for (uint32_t i = 0; i < g->nr_handles; i++) {
		const struct placement_handle *h = &g->handle[i];
		json_t *o = json_object();

		json_put_count(o, "index", i);
		json_put_count(o, "pid", h->pid);
		json_put_count(o, "ruhid", h->ruhid);
		json_put_count(o, "ruamw_blocks", h->blocks_left);
		if (!d->configuration_result && h->ruhid < FDP_HANDLES_MAX)
			json_put_count(o, "type", d->configuration.type[h->ruhid]);
		json_append(all, o);
	}
	return all;
}

static json_t *fdp_object(const struct registry_device *d)
{
	json_t *o = json_object();

	json_put_bool(o, "supported", d->questions.fdp);
	json_put_bool(o, "enabled",
		      d->nr_groups && d->group[0].begin.taken && !d->group[0].begin.fdp_result);
	json_put(o, "configuration", configuration_object(d));
	json_put(o, "handles", handles(d));
	return o;
}

/* --- what could not be read -------------------------------------------------------------------- */

static void miss(json_t *all, const char *what, const char *why)
{
	json_t *o = json_object();

	json_put_text(o, "what", what);
	json_put_text(o, "why", why);
	json_append(all, o);
}

static void miss_result(json_t *all, const char *what, int32_t result)
{
	char text[SIDECAR_WHY_LEN];

	if (result && result != SNAPSHOT_NOT_ASKED)
		miss(all, what, sidecar_why(result, text));
}

static void miss_ocp(json_t *all, int32_t result)
{
	if (result == -EPROTO)
		miss(all, "OCP SMART (log C0h)", "the drive's page C0h is not OCP's");
	else
		miss_result(all, "OCP SMART (log C0h)", result);
}

static json_t *missing(const struct registry_device *d)
{
	const struct registry_group *g = &d->group[0];
	json_t *all = json_array();

	miss_result(all, "Identify", d->identity_result);
	if (!d->nr_groups)
		return all;
	if (!d->questions.fdp)
		miss(all, "FDP statistics (log 22h)",
		     "the controller has no Flexible Data Placement (CTRATT bit 19)");
	miss_result(all, "FDP configurations (log 20h)", d->configuration_result);
	miss_result(all, "FDP statistics (log 22h)", g->begin.fdp_result);
	miss_result(all, "Reclaim Unit Handle Status", g->handles_result);
	miss_result(all, "SMART (log 02h)", g->begin.smart_result);
	miss_ocp(all, d->ocp_result);
	miss_result(all, "power state (feature 02h)", g->begin.power_result);
	for (uint32_t i = 0; i < d->nr_groups; i++)
		if (!d->group[i].open && !d->group[i].end.taken)
			miss(all, "snapshot at the end", "the drive could not be opened again");
	return all;
}

/* --- samples ----------------------------------------------------------------------------------- */

static json_t *sample_object(const struct registry_device *d, const struct registry_sample *s)
{
	json_t *o = json_object();

	json_put_real(o, "seconds", (s->at_ns - d->group[0].begin.at_ns) / 1e9);
	json_put_count(o, "group", s->group);
	json_put_count(o, "read_bytes", s->completed[0]);
	json_put_count(o, "written_bytes", s->completed[1]);
	json_put_count(o, "ios", s->completed_ios);
	json_put_real(o, "in_flight", s->in_flight);
	if (s->has_fdp) {
		json_put_count(o, "host_bytes", s->host_bytes);
		json_put_count(o, "media_bytes", s->media_bytes);
	}
	if (s->temperature)
		json_put_celsius(o, "celsius", s->temperature);
	json_put_count(o, "throttle_count", s->throttle_count);
	json_put_count(o, "media_errors", s->media_errors);
	if (s->has_power_state)
		json_put_count(o, "power_state", s->power_state);
	if (s->has_interval_power)
		json_put_real(o, "watts", s->interval_power_uw / 1e6);
	if (s->has_energy)
		json_put_real(o, "energy_joules", s->energy_uj / 1e6);
	return o;
}

static json_t *samples(const struct registry_device *d)
{
	json_t *o = json_object(), *all = json_array();

	for (uint32_t i = 0; i < d->nr_samples; i++)
		json_append(all, sample_object(d, &d->sample[i]));
	json_put_count(o, "asked_every_ms", d->interval_ms);
	json_put_count(o, "kept_every_ms", d->sample_every_ms);
	json_put(o, "list", all);
	return o;
}

/* --- the whole --------------------------------------------------------------------------------- */

/* Reasons, as far as they show. An empty list: complete. */
static json_t *why_incomplete(const struct registry_device *d)
{
	json_t *all = json_array();
	char text[160];

	if (interrupt_seen())
		json_append(all, json_string("the run was interrupted by a signal"));
	for (uint32_t i = 0; i < d->nr_jobs; i++) {
		const struct registry_job *j = &d->job[i];

		*text = '\0';
		if (j->state == JOB_EXPECTED)
			snprintf(text, sizeof(text), "job %s (%u) has not begun", j->name,
				 j->number);
		else if (j->state == JOB_RUNNING)
			snprintf(text, sizeof(text), "job %s (%u) has not ended", j->name,
				 j->number);
		else if (j->state == JOB_FAILED && !j->pid)
			snprintf(text, sizeof(text), "job %s (%u) was refused", j->name, j->number);
		else if (j->state == JOB_FAILED)
			snprintf(text, sizeof(text), "job %s (%u) failed: %s", j->name, j->number,
				 strerror(j->error));
		else if (j->state == JOB_KILLED)
			snprintf(text, sizeof(text), "job %s (%u) was killed", j->name, j->number);
		if (*text)
			json_append(all, json_string(text));
	}
	for (uint32_t i = 0; i < d->nr_groups; i++)
		if (!d->group[i].open && !d->group[i].end.taken)
			json_append(all, json_string("the counters were not read at an end"));
	return all;
}

static json_t *groups(const struct registry_device *d)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < d->nr_groups; i++)
		json_append(all, sidecar_group(d, i));
	return all;
}

static json_t *make(const struct registry_device *d)
{
	json_t *o = json_object(), *why = why_incomplete(d);
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	json_put_text(o, "schema", SCHEMA);
	json_put_count(o, "version", SIDECAR_VERSION);
	json_put_bool(o, "complete", !json_array_size(why));
	json_put(o, "why_incomplete", why);
	json_put_text(o, "fio", fio_abi.release);
	json_put_time(o, "written", &now);
	json_put(o, "device", device_object(d));
	json_put(o, "power_states", power_states(d));
	json_put(o, "fdp", fdp_object(d));
	json_put(o, "missing", missing(d));
	json_put(o, "groups", groups(d));
	json_put(o, "samples", samples(d));
	return o;
}

/* Return: 0 or -errno. */
static int write_text(const char *path, const json_t *o)
{
	const size_t flags = JSON_INDENT(1) | JSON_REAL_PRECISION(12);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int ret = 0;

	if (fd < 0)
		return -errno;
	errno = ENOSPC; /* what a short write without an errno means */
	if (json_dumpfd(o, fd, flags) || write(fd, "\n", 1) != 1)
		ret = -errno;
	if (close(fd) && !ret)
		ret = -errno;
	return ret;
}

/* @path while it is not whole. */
static void name_part(const char *path, char part[PATH_MAX + 32])
{
	snprintf(part, PATH_MAX + 32, "%s.%d.part", path, getpid());
}

int sidecar_try(const char *path)
{
	char part[PATH_MAX + 32];
	int fd;

	name_part(path, part);
	fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	close(fd);
	unlink(part);
	return 0;
}

bool sidecar_may_replace(const char *path)
{
	char head[64] = "";
	struct stat st;
	ssize_t len;
	int fd;

	if (lstat(path, &st))
		return true; /* or it cannot be written, which shows */
	if (!S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, head, sizeof(head) - 1);
	close(fd);
	return len > 0 && *head == '{' && strstr(head, SCHEMA);
}

int sidecar_write(const struct registry_device *d)
{
	char path[PATH_MAX + 32];
	json_t *o = make(d);
	int ret = -ENOMEM;

	name_part(d->file, path);
	if (o)
		ret = write_text(path, o);
	if (!ret && rename(path, d->file))
		ret = -errno;
	if (ret)
		unlink(path);
	json_decref(o);
	return ret;
}
