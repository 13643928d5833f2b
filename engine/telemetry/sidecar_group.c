// SPDX-License-Identifier: GPL-2.0-only
// One group of jobs: its snapshots, what changed between them, what its jobs did.
#include "engine/telemetry/sidecar_group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/telemetry/json_values.h"
#include "engine/telemetry/sidecar_jobs.h"
#include "engine/telemetry/sidecar_snapshot.h"
#include "engine/status.h"
#include "engine/telemetry/waf.h"

const char *sidecar_why(int32_t result, char *text)
{
	if (result == SNAPSHOT_NOT_ASKED)
		return strcpy(text, "not asked for");
	if (result == -EACCES || result == -EPERM)
		snprintf(text, SIDECAR_WHY_LEN,
			 "%s: the kernel wants CAP_SYS_ADMIN for it: run as root",
			 result == -EACCES ? "EACCES" : "EPERM");
	else
		status_describe(result, text, SIDECAR_WHY_LEN);
	return text;
}

/* --- what belongs to a group ---------------------------------------------------------------- */

bool sidecar_group_is_complete(const struct registry_device *d, uint32_t index)
{
	if (d->group[index].open || d->group[index].interrupted || !d->group[index].end.taken)
		return false;
	for (uint32_t i = 0; i < d->nr_jobs; i++)
		if (sidecar_is_in(&d->job[i], index) && d->job[i].state != JOB_DONE)
			return false;
	return true;
}

/* Where what fio counts begins. */
static const struct snapshot *window_begin(const struct registry_group *g)
{
	return g->ramp_end.taken ? &g->ramp_end : &g->begin;
}

/* Host bytes that this run did not write; negative: the drive counts fewer than it wrote. */
static int64_t others(u128 all, const struct sidecar_totals *t)
{
	int64_t more = (int64_t)(all - t->completed[FIO_WRITE]);

	/* Of a job that was killed nobody knows which of its last writes were done. */
	if (more > 0)
		return more > (int64_t)t->unsure ? more - (int64_t)t->unsure : 0;
	return more;
}

/*
 * The drive's count of host bytes against fio's. The snapshot at the ramp's end falls between writes
 * that are in flight; those at begin and end do not. So the drive's count for what fio counts is the
 * whole one less what fio has discarded, exactly.
 */
static json_t *host_bytes(const struct registry_group *g, const struct sidecar_totals *t)
{
	struct fdp_statistics first, ramp, last;
	json_t *o;
	u128 all;

	if (!sidecar_both_fdp(&g->begin, &g->end))
		return json_null();
	o = json_object();
	log_read_fdp_statistics(g->begin.fdp, &first);
	log_read_fdp_statistics(g->end.fdp, &last);
	all = last.host_bytes > first.host_bytes ? last.host_bytes - first.host_bytes : 0;
	json_put_count(o, "drive_all", all);
	json_put_count(o, "run_all", t->completed[FIO_WRITE]);
	json_put_signed(o, "others", others(all, t));
	if (!t->fio_known) {
		json_put_null(o, "drive");
		json_put_null(o, "fio");
		json_put_text(o, "why_not",
			      t->several
				      ? "a job had several devices: whose bytes fio discarded at "
					"the end of the ramp time is not known"
				      : "fio's own counters were not found");
		return o;
	}
	json_put_count(o, "drive", all - t->discarded[FIO_WRITE]);
	json_put_count(o, "fio", t->fio[FIO_WRITE]);
	json_put_count(o, "discarded_in_ramp", t->discarded[FIO_WRITE]);
	if (!sidecar_both_fdp(&g->begin, &g->ramp_end))
		return o;
	log_read_fdp_statistics(g->ramp_end.fdp, &ramp);
	json_put_signed(o, "in_flight_at_ramp_end",
			(int64_t)(ramp.host_bytes - first.host_bytes - t->discarded[FIO_WRITE]));
	return o;
}

/*
 * What fio counts is what the deltas are to cover: the count of host bytes at its ramp's end is
 * corrected by the writes that were in flight then.
 */
static json_t *deltas(const struct registry_group *g, const struct sidecar_totals *t)
{
	json_t *o, *exact, *raw;

	if (!g->end.taken)
		return json_null();
	o = sidecar_rise(window_begin(g), &g->end);
	exact = host_bytes(g, t);
	raw = json_object_get(o, "host_bytes");
	if (raw && json_is_number(json_object_get(exact, "drive"))) {
		json_object_set(o, "host_bytes_raw", raw);
		json_object_set(o, "host_bytes", json_object_get(exact, "drive"));
	}
	json_decref(exact);
	return o;
}

/* --- write amplification --------------------------------------------------------------------- */

static u128 rise_of(u128 before, u128 after)
{
	return after > before ? after - before : 0;
}

/*
 * What the run itself wrote in the window, as far as the drive's whole count shows: of other writers
 * it is known only how much they wrote from begin to end.
 */
static u128 own_bytes(u128 in_window, u128 all, u128 run, u128 unsure)
{
	u128 others;

	if (all < run)
		return in_window + (run - all);
	others = all - run > unsure ? all - run - unsure : 0;
	return in_window > others ? in_window - others : 0;
}

static void fill_window(const struct registry_device *d, const struct registry_group *g,
			const struct sidecar_totals *t, struct waf_window *w)
{
	const struct snapshot *from = window_begin(g);
	struct fdp_statistics first;
	struct smart_log smart;
	u128 run = t->completed[FIO_WRITE];

	w->unit_bytes = d->configuration_result ? 0 : d->configuration.unit_bytes;
	w->group_bytes = d->identity.nvm_bytes ? d->identity.nvm_bytes : d->bytes;
	w->has_fdp = sidecar_both_fdp(from, &g->end);
	w->has_ocp = sidecar_both_ocp(from, &g->end, &w->ocp[0], &w->ocp[1]) &&
		     !from->smart_result && !g->end.smart_result;
	if (w->has_fdp) {
		log_read_fdp_statistics(g->begin.fdp, &first);
		log_read_fdp_statistics(from->fdp, &w->fdp[0]);
		log_read_fdp_statistics(g->end.fdp, &w->fdp[1]);
		w->own_bytes =
			own_bytes(rise_of(w->fdp[0].host_bytes, w->fdp[1].host_bytes),
				  rise_of(first.host_bytes, w->fdp[1].host_bytes), run, t->unsure);
		return;
	}
	if (!w->has_ocp)
		return;
	log_read_smart(g->begin.smart, &smart);
	log_read_smart(from->smart, &w->smart[0]);
	log_read_smart(g->end.smart, &w->smart[1]);
	w->own_bytes = own_bytes(
		rise_of(w->smart[0].units_written, w->smart[1].units_written) * DATA_UNIT_BYTES,
		rise_of(smart.units_written, w->smart[1].units_written) * DATA_UNIT_BYTES, run,
		t->unsure + 2 * DATA_UNIT_BYTES);
}

static json_t *doubts(uint32_t bits)
{
	json_t *all = json_array();

	for (int i = 0; i < WAF_DOUBTS; i++)
		if (bits >> i & 1)
			json_append(all, json_string(waf_doubt_text(1U << i)));
	return all;
}

static const char *why_no_waf(const struct registry_group *g, const struct waf *waf)
{
	if (!g->end.taken)
		return "the counters were not read at the end";
	if (waf->doubts & WAF_BACKWARDS)
		return "a counter went backwards";
	if (waf->source != WAF_NONE)
		return "the drive counts no host bytes in this time";
	return "neither the FDP statistics (log 22h) nor OCP's log C0h with SMART could be read; "
	       "see \"missing\"";
}

static json_t *waf_object(const struct registry_device *d, uint32_t index,
			  const struct sidecar_totals *t)
{
	static const char *const sources[] = { NULL, "fdp", "ocp" };
	const struct registry_group *g = &d->group[index];
	struct waf_window w = { .cut_short = !sidecar_group_is_complete(d, index) };
	json_t *o = json_object();
	struct waf waf;

	fill_window(d, g, t, &w);
	waf_judge(&w, &waf);
	json_put_text(o, "source", sources[waf.source]);
	json_put_text(o, "source_name", waf_source_text(waf.source));
	if (waf.known) {
		json_put_real(o, "ratio", waf.ratio);
	} else {
		json_put_null(o, "ratio");
		json_put_text(o, "why_not", why_no_waf(g, &waf));
	}
	if (waf.source == WAF_NONE)
		return o;
	json_put_count(o, "host_bytes", waf.host_bytes);
	json_put_count(o, "media_bytes", waf.media_bytes);
	json_put_count(o, "other_bytes", waf.other_bytes);
	json_put(o, "doubts", doubts(waf.doubts));
	return o;
}

/* --- power and heat ---------------------------------------------------------------------------- */

/* The mean of the samples' interval power in the window. Return: how many there are. */
static uint32_t sampled_watts(const struct registry_device *d, uint32_t index, uint64_t from,
			      double *watts)
{
	uint32_t nr = 0;

	*watts = 0;
	for (uint32_t i = 0; i < d->nr_samples; i++) {
		const struct registry_sample *s = &d->sample[i];

		if (s->group != index || !s->has_interval_power || s->at_ns < from)
			continue;
		*watts += s->interval_power_uw / 1e6;
		nr++;
	}
	if (nr)
		*watts /= nr;
	return nr;
}

static void put_watts(const struct registry_device *d, uint32_t index, json_t *o)
{
	const struct registry_group *g = &d->group[index];
	const struct snapshot *from = window_begin(g);
	double watts, seconds = (g->end.at_ns - from->at_ns) / 1e9;
	uint32_t state = g->end.power_state;

	json_put_null(o, "watts");
	json_put_null(o, "source");
	if (g->end.taken && !from->energy_result && !g->end.energy_result && seconds > 0) {
		watts = (g->end.energy_uj - from->energy_uj) / 1e6;
		json_put_real(o, "energy_joules", watts);
		json_put_real(o, "watts", watts / seconds);
		json_put_text(o, "source", "measured");
	} else if (sampled_watts(d, index, from->at_ns, &watts)) {
		json_put_real(o, "watts", watts);
		json_put_text(o, "source", "measured");
	} else if (g->end.taken && !g->end.power_result && state < d->identity.nr_power_states &&
		   d->identity.power[state].max_uw) {
		json_put_real(o, "watts", d->identity.power[state].max_uw / 1e6);
		json_put_text(o, "source", "rated");
	}
}

static void put_state(json_t *o, const char *key, const struct snapshot *s)
{
	if (s->taken && !s->power_result)
		json_put_count(o, key, s->power_state);
	else
		json_put_null(o, key);
}

/* How often the state was another one than before, at the edges and in the samples. */
static uint32_t seen_changes(const struct registry_device *d, uint32_t index)
{
	const struct registry_group *g = &d->group[index];
	uint32_t state = g->begin.power_state, changes = 0;

	for (uint32_t i = 0; i < d->nr_samples; i++) {
		const struct registry_sample *s = &d->sample[i];

		if (s->group != index || !s->has_power_state)
			continue;
		changes += s->power_state != state;
		state = s->power_state;
	}
	return changes + (g->end.taken && !g->end.power_result && g->end.power_state != state);
}

/* What nvme_power_state= did. */
static json_t *power_facts_object(const struct power_facts *f)
{
	json_t *o;

	if (!f->wanted)
		return json_null();
	o = json_object();
	json_put_signed(o, "asked", f->asked);
	json_put_signed(o, "found", f->found);
	json_put_signed(o, "in_force", f->in_force);
	json_put_signed(o, "at_end", f->at_end);
	json_put_bool(o, "set", f->set);
	json_put_bool(o, "changed", f->changed);
	json_put_bool(o, "restored", f->restored);
	json_put_bool(o, "optional", f->optional);
	json_put_count(o, "workload_hint", f->workload_hint);
	json_put_real(o, "max_watts", f->max_uw / 1e6);
	json_put_real(o, "set_ms", f->set_ns / 1e6);
	json_put_count(o, "entry_us", f->entry_us);
	json_put_count(o, "exit_us", f->exit_us);
	json_put_real(o, "first_io_us", f->first_io_ns / 1e3);
	json_put_text(o, "why_not", *f->why_not ? f->why_not : NULL);
	return o;
}

static json_t *power_object(const struct registry_device *d, uint32_t index)
{
	const struct registry_group *g = &d->group[index];
	json_t *o = json_object();

	put_state(o, "state_begin", &g->begin);
	put_state(o, "state_end", &g->end);
	json_put_count(o, "changes_seen", seen_changes(d, index));
	put_watts(d, index, o);
	json_put(o, "option", power_facts_object(&g->power));
	return o;
}

static uint16_t temperature_of(const struct snapshot *s)
{
	struct smart_log smart;

	if (!s->taken || s->smart_result)
		return 0;
	log_read_smart(s->smart, &smart);
	return smart.temperature;
}

static json_t *temperature_object(const struct registry_device *d, uint32_t index)
{
	const struct registry_group *g = &d->group[index];
	uint16_t begin = temperature_of(&g->begin), end = temperature_of(&g->end);
	uint16_t max = begin > end ? begin : end;
	json_t *o = json_object();

	for (uint32_t i = 0; i < d->nr_samples; i++)
		if (d->sample[i].group == index && d->sample[i].temperature > max)
			max = d->sample[i].temperature;
	json_put_celsius(o, "begin_celsius", begin);
	json_put_celsius(o, "end_celsius", end);
	json_put_celsius(o, "max_celsius", max);
	return o;
}

/* --- the whole --------------------------------------------------------------------------------- */

static void put_window(const struct registry_group *g, bool ramp, json_t *o)
{
	const struct snapshot *from = window_begin(g);
	json_t *w = json_object();

	json_put_text(w, "from", from == &g->begin ? "begin" : "ramp_end");
	json_put_text(w, "to", "end");
	json_put_real(w, "seconds", g->end.taken ? (g->end.at_ns - from->at_ns) / 1e9 : 0);
	if (ramp && from == &g->begin)
		json_put_text(w, "remark", "the counters were not read when fio's ramp time ended");
	json_put(o, "window", w);
}

static void put_snapshots(const struct registry_device *d, const struct registry_group *g,
			  json_t *o)
{
	json_put(o, "begin", sidecar_snapshot(d, &g->begin));
	json_put(o, "ramp_end", sidecar_snapshot(d, &g->ramp_end));
	json_put(o, "end", sidecar_snapshot(d, &g->end));
	json_put(o, "settle", sidecar_snapshot(d, &g->settle));
}

json_t *sidecar_group(const struct registry_device *d, uint32_t index)
{
	const struct registry_group *g = &d->group[index];
	json_t *o = json_object();
	struct sidecar_totals t;

	sidecar_add_up(d, index, &t);
	json_put_count(o, "group", index);
	json_put_bool(o, "complete", sidecar_group_is_complete(d, index));
	json_put(o, "jobs", sidecar_jobs(d, index));
	put_window(g, t.ramp, o);
	json_put(o, "host_bytes", host_bytes(g, &t));
	json_put(o, "waf", waf_object(d, index, &t));
	json_put(o, "deltas", deltas(g, &t));
	json_put(o, "settled", g->settle.taken ? sidecar_rise(&g->end, &g->settle) : json_null());
	json_put(o, "bytes", sidecar_bytes(t.issued, t.completed, t.discarded, t.fio_known));
	json_put_real(o, "in_flight_mean",
		      t.last ? (double)t.area / (double)(t.last - t.first) : 0);
	json_put(o, "placement", sidecar_streams(d, g, &t));
	json_put(o, "statuses", sidecar_statuses(d, index, &t));
	json_put_count(o, "other_failures", t.failed_otherwise);
	json_put(o, "temperature", temperature_object(d, index));
	json_put(o, "power", power_object(d, index));
	put_snapshots(d, g, o);
	return o;
}
