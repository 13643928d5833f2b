// SPDX-License-Identifier: GPL-2.0-only
// Snapshots of the drive's counters, and what changed between two of them, as JSON.
#include "engine/telemetry/sidecar_snapshot.h"

#include "engine/telemetry/json_values.h"

/* --- snapshots ------------------------------------------------------------------------------ */

static json_t *fdp_object(const struct snapshot *s)
{
	struct fdp_statistics fdp;
	json_t *o;

	if (s->fdp_result)
		return json_null();
	o = json_object();
	log_read_fdp_statistics(s->fdp, &fdp);
	json_put_count(o, "host_bytes", fdp.host_bytes);
	json_put_count(o, "media_bytes", fdp.media_bytes);
	json_put_count(o, "erased_bytes", fdp.erased_bytes);
	return o;
}

static json_t *sensors(const struct smart_log *smart)
{
	json_t *all = json_array();

	for (int i = 0; i < 8; i++)
		if (smart->sensor[i])
			json_append(all, json_integer(smart->sensor[i] - 273));
	return all;
}

static json_t *smart_object(const struct snapshot *s)
{
	struct smart_log smart;
	json_t *o;

	if (s->smart_result)
		return json_null();
	o = json_object();
	log_read_smart(s->smart, &smart);
	json_put_count(o, "critical_warning", smart.critical_warning);
	json_put_celsius(o, "celsius", smart.temperature);
	json_put(o, "sensors_celsius", sensors(&smart));
	json_put_count(o, "spare_percent", smart.spare);
	json_put_count(o, "used_percent", smart.used);
	json_put_count(o, "data_units_read", smart.units_read);
	json_put_count(o, "data_units_written", smart.units_written);
	json_put_count(o, "host_reads", smart.host_reads);
	json_put_count(o, "host_writes", smart.host_writes);
	json_put_count(o, "power_on_hours", smart.power_on_hours);
	json_put_count(o, "unsafe_shutdowns", smart.unsafe_shutdowns);
	json_put_count(o, "media_errors", smart.media_errors);
	json_put_count(o, "error_log_entries", smart.error_entries);
	json_put_count(o, "warning_temperature_minutes", smart.warning_minutes);
	json_put_count(o, "critical_temperature_minutes", smart.critical_minutes);
	json_put_count(o, "throttle_1_count", smart.throttle_count[0]);
	json_put_count(o, "throttle_2_count", smart.throttle_count[1]);
	json_put_count(o, "throttle_1_seconds", smart.throttle_seconds[0]);
	json_put_count(o, "throttle_2_seconds", smart.throttle_seconds[1]);
	if (smart.has_interval_power)
		json_put_real(o, "interval_watts", smart.interval_power_uw / 1e6);
	return o;
}

static json_t *ocp_object(const struct snapshot *s)
{
	struct ocp_log ocp;
	json_t *o;

	if (s->ocp_result || !log_read_ocp(s->ocp, &ocp))
		return json_null();
	o = json_object();
	json_put_count(o, "media_bytes_written", ocp.media_written);
	json_put_count(o, "media_bytes_read", ocp.media_read);
	json_put_count(o, "uncorrectable_reads", ocp.uncorrectable_reads);
	json_put_count(o, "throttle_count", ocp.throttle_count);
	json_put_count(o, "throttle_status", ocp.throttle_status);
	json_put_count(o, "free_blocks_percent", ocp.free_blocks);
	json_put_count(o, "power_state_changes", ocp.power_state_changes);
	return o;
}

json_t *sidecar_snapshot(const struct registry_device *d, const struct snapshot *s)
{
	json_t *o;

	if (!s->taken)
		return json_null();
	o = json_object();
	json_put_time(o, "time", &s->wall);
	json_put_real(o, "seconds", (s->at_ns - d->group[0].begin.at_ns) / 1e9);
	json_put_real(o, "took_ms", s->took_ns / 1e6);
	json_put(o, "fdp", fdp_object(s));
	json_put(o, "smart", smart_object(s));
	json_put(o, "ocp", ocp_object(s));
	json_put(o, "power_state", s->power_result ? json_null() : json_integer(s->power_state));
	if (!s->energy_result)
		json_put_real(o, "energy_joules", s->energy_uj / 1e6);
	return o;
}

/* --- what changed between two of them -------------------------------------------------------- */

static void put_rise(json_t *o, const char *key, u128 before, u128 after)
{
	if (after >= before)
		json_put_count(o, key, after - before);
	else
		json_put_null(o, key); /* it went backwards: reset */
}

bool sidecar_both_fdp(const struct snapshot *a, const struct snapshot *b)
{
	return a->taken && b->taken && !a->fdp_result && !b->fdp_result;
}

static void put_fdp_rise(json_t *o, const struct snapshot *a, const struct snapshot *b)
{
	struct fdp_statistics before, after;

	if (!sidecar_both_fdp(a, b))
		return;
	log_read_fdp_statistics(a->fdp, &before);
	log_read_fdp_statistics(b->fdp, &after);
	put_rise(o, "host_bytes", before.host_bytes, after.host_bytes);
	put_rise(o, "media_bytes", before.media_bytes, after.media_bytes);
	put_rise(o, "erased_bytes", before.erased_bytes, after.erased_bytes);
}

static void put_smart_rise(json_t *o, const struct snapshot *a, const struct snapshot *b)
{
	struct smart_log before, after;

	if (!a->taken || !b->taken || a->smart_result || b->smart_result)
		return;
	log_read_smart(a->smart, &before);
	log_read_smart(b->smart, &after);
	put_rise(o, "data_units_read", before.units_read, after.units_read);
	put_rise(o, "data_units_written", before.units_written, after.units_written);
	put_rise(o, "host_reads", before.host_reads, after.host_reads);
	put_rise(o, "host_writes", before.host_writes, after.host_writes);
	put_rise(o, "media_errors", before.media_errors, after.media_errors);
	put_rise(o, "error_log_entries", before.error_entries, after.error_entries);
	put_rise(o, "throttle_1_count", before.throttle_count[0], after.throttle_count[0]);
	put_rise(o, "throttle_2_count", before.throttle_count[1], after.throttle_count[1]);
	put_rise(o, "throttle_1_seconds", before.throttle_seconds[0], after.throttle_seconds[0]);
	put_rise(o, "throttle_2_seconds", before.throttle_seconds[1], after.throttle_seconds[1]);
	put_rise(o, "warning_temperature_minutes", before.warning_minutes, after.warning_minutes);
	put_rise(o, "critical_temperature_minutes", before.critical_minutes,
		 after.critical_minutes);
}

bool sidecar_both_ocp(const struct snapshot *a, const struct snapshot *b, struct ocp_log *before,
		      struct ocp_log *after)
{
	return a->taken && b->taken && !a->ocp_result && !b->ocp_result &&
	       log_read_ocp(a->ocp, before) && log_read_ocp(b->ocp, after);
}

static void put_ocp_rise(json_t *o, const struct snapshot *a, const struct snapshot *b)
{
	struct ocp_log before, after;

	if (!sidecar_both_ocp(a, b, &before, &after))
		return;
	put_rise(o, "ocp_media_bytes_written", before.media_written, after.media_written);
	put_rise(o, "ocp_media_bytes_read", before.media_read, after.media_read);
	put_rise(o, "ocp_throttle_count", before.throttle_count, after.throttle_count);
	put_rise(o, "ocp_power_state_changes", before.power_state_changes,
		 after.power_state_changes);
}

json_t *sidecar_rise(const struct snapshot *a, const struct snapshot *b)
{
	json_t *o = json_object();

	json_put_real(o, "seconds", (b->at_ns - a->at_ns) / 1e9);
	put_fdp_rise(o, a, b);
	put_smart_rise(o, a, b);
	put_ocp_rise(o, a, b);
	return o;
}
