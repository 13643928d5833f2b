// SPDX-License-Identifier: GPL-2.0-only
// The sidecar of devices that cannot be had on every machine: counters beyond 2^53, logs that this user
// may not read, other writers in the ramp time.
#include "engine/telemetry/sidecar.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/fio_abi.h"
#include "t/unit/tap.h"

/* fio's side: no fio runs here. */
ssize_t log_err(const char *format, ...)
{
	return 0;
}

static void put(uint8_t *at, u128 value)
{
	for (int i = 0; i < 16; i++)
		at[i] = (uint8_t)(value >> (8 * i));
}

static void fill(struct snapshot *s, uint64_t at_ns, u128 host, u128 media)
{
	memset(s, 0, sizeof(*s));
	s->taken = true;
	s->at_ns = at_ns;
	s->energy_result = s->ocp_result = SNAPSHOT_NOT_ASKED;
	put(s->fdp, host);
	put(s->fdp + 16, media);
}

/* A device with one group of one job. */
static struct registry_device *device(const char *key)
{
	struct registry_device *d = registry_add(key);

	snprintf(d->file, sizeof(d->file), "/tmp/sidecar-unit-%d.json", getpid());
	d->asked = true;
	d->questions.fdp = true;
	d->ocp_result = SNAPSHOT_NOT_ASKED;
	d->identity.nr_power_states = 1;
	d->identity.power[0].max_uw = 8250000;
	d->nr_groups = 1;
	registry_add_job(d, 1, "j");
	d->job[0].state = JOB_DONE;
	d->job[0].pid = 1;
	d->job[0].meter.fio_known = 1;
	return d;
}

/* Write and read it again. */
static json_t *written(const struct registry_device *d)
{
	json_t *o;

	is_int(sidecar_write(d), 0, "it is written");
	o = json_load_file(d->file, 0, NULL);
	unlink(d->file);
	return o;
}

static json_t *group(json_t *o)
{
	return json_array_get(json_object_get(o, "groups"), 0);
}

static const char *text_of(json_t *o, const char *a, const char *b)
{
	const char *s = json_string_value(json_object_get(json_object_get(o, a), b));

	return s ? s : "(none)";
}

static long number_of(json_t *o, const char *a, const char *b)
{
	return json_integer_value(json_object_get(json_object_get(o, a), b));
}

static void test_large(void)
{
	struct registry_device *d = device("large");
	const u128 base = (u128)1 << 64;
	json_t *o, *fdp;

	d->job[0].meter.completed[FIO_WRITE] = 8192;
	fill(&d->group[0].begin, 1000000000, base - 4096, 2 * base);
	fill(&d->group[0].end, 3000000000, base + 4096, 2 * base + 16384);
	o = written(d);
	fdp = json_object_get(json_object_get(group(o), "end"), "fdp");
	is_str(json_string_value(json_object_get(fdp, "host_bytes_text")), "18446744073709555712",
	       "a count beyond 2^64 has its digits as a string");
	ok(json_is_real(json_object_get(fdp, "host_bytes")), "... and a rounded number");
	is_int(number_of(group(o), "deltas", "host_bytes"), 8192, "the difference is exact");
	ok(json_real_value(json_object_get(json_object_get(group(o), "waf"), "ratio")) == 2,
	   "WAF is");
	ok(json_is_true(json_object_get(o, "complete")), "complete");
	is_str(text_of(group(o), "power", "source"), "rated", "watts are the state's maximum");
	json_decref(o);
}

static void test_no_rights(void)
{
	struct registry_device *d = device("locked");
	struct snapshot *s[] = { &d->group[0].begin, &d->group[0].end };
	json_t *o, *missing;

	for (int i = 0; i < 2; i++) {
		fill(s[i], 1000000000 * (i + 1), 0, 0);
		s[i]->fdp_result = s[i]->smart_result = s[i]->power_result = -EACCES;
	}
	d->configuration_result = d->ocp_result = -EACCES;
	o = written(d);
	missing = json_object_get(o, "missing");
	is_int(json_array_size(missing), 5, "no right to read logs: five things are missing");
	is_str(json_string_value(json_object_get(json_array_get(missing, 1), "what")),
	       "FDP statistics (log 22h)", "... what");
	ok(strstr(json_string_value(json_object_get(json_array_get(missing, 1), "why")),
		  "CAP_SYS_ADMIN for it: run as root") != NULL,
	   "... why, and what would be right");
	ok(json_is_true(json_object_get(o, "complete")), "... the run is complete all the same");
	ok(json_is_null(json_object_get(json_object_get(group(o), "waf"), "ratio")), "... no WAF");
	is_str(text_of(group(o), "waf", "why_not"),
	       "neither the FDP statistics (log 22h) nor OCP's log C0h with SMART could be read; "
	       "see \"missing\"",
	       "... and why");
	json_decref(o);
}

/* 1000 blocks in the ramp time, 8 of them in flight at its end; another 500 after it. */
static void test_ramp(void)
{
	struct registry_device *d = device("ramp");
	struct meter *m = &d->job[0].meter;
	json_t *o;

	m->ramp_over = 1;
	m->completed[FIO_WRITE] = 1500 * 4096;
	m->discarded[FIO_WRITE] = 992 * 4096;
	fill(&d->group[0].begin, 1000000000, 0, 0);
	fill(&d->group[0].ramp_end, 2000000000, 1000 * 4096, 1000 * 4096);
	fill(&d->group[0].end, 3000000000, 1500 * 4096, 2000 * 4096);
	o = written(d);
	is_int(number_of(group(o), "deltas", "host_bytes"), 508 * 4096,
	       "ramp time: the drive's count covers what fio counts");
	is_int(number_of(group(o), "deltas", "host_bytes_raw"), 500 * 4096, "... the readings");
	is_int(number_of(group(o), "host_bytes", "in_flight_at_ramp_end"), 8 * 4096,
	       "... what was in flight between");
	is_int(number_of(group(o), "host_bytes", "others"), 0, "... nobody else wrote");
	ok(json_real_value(json_object_get(json_object_get(group(o), "waf"), "ratio")) == 2,
	   "... WAF is that of the two readings");
	json_decref(o);
}

static void test_killed(void)
{
	struct registry_device *d = device("killed");
	struct meter *m = &d->job[0].meter;
	json_t *o;

	d->job[0].state = JOB_KILLED;
	m->issued[FIO_WRITE] = 10 * 4096;
	m->completed[FIO_WRITE] = 6 * 4096;
	fill(&d->group[0].begin, 1000000000, 0, 0);
	fill(&d->group[0].end, 2000000000, 8 * 4096, 8 * 4096);
	o = written(d);
	is_int(number_of(group(o), "host_bytes", "others"), 0,
	       "killed: what was in flight is nobody else's");
	ok(json_is_false(json_object_get(o, "complete")), "... not complete");
	is_str(json_string_value(json_array_get(json_object_get(o, "why_incomplete"), 0)),
	       "job j (1) was killed", "... and why");
	json_decref(o);
}

static void test_samples(void)
{
	struct registry_device *d = device("samples");
	struct registry_sample s = { 0 };

	d->interval_ms = d->sample_every_ms = 10;
	for (uint32_t i = 0; i < REGISTRY_SAMPLES + 1; i++) {
		s.at_ns = i;
		registry_add_sample(d, &s);
	}
	is_int(d->nr_samples, REGISTRY_SAMPLES / 2 + 1, "too many samples: every other one goes");
	is_int(d->sample_every_ms, 20, "... and half as many come");
	is_int(d->sample[0].at_ns, 1, "... the first that is left");
	is_int(d->sample[d->nr_samples - 1].at_ns, REGISTRY_SAMPLES, "... the last");
}

static void test_no_place(void)
{
	struct registry_device *d = device("nowhere");

	snprintf(d->file, sizeof(d->file), "/nowhere/x.json");
	is_int(sidecar_write(d), -ENOENT, "a folder that is not there");
}

int main(void)
{
	registry_init();
	test_large();
	test_no_rights();
	test_ramp();
	test_killed();
	test_samples();
	test_no_place();
	return done_testing();
}
