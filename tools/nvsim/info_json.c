// SPDX-License-Identifier: GPL-2.0-only
// nvsim info for programs: one JSON object. Names carry their unit; integers are exact.
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "tools/nvsim/figures.h"
#include "tools/nvsim/info.h"

static void set_int(json_t *o, const char *key, uint64_t value)
{
	json_object_set_new(o, key, json_integer((json_int_t)value));
}

/* What is not a number, or without bound, is null. */
static void set_real(json_t *o, const char *key, double value)
{
	json_object_set_new(o, key, isfinite(value) ? json_real(value) : json_null());
}

/* A field of Identify, without the blanks that fill it. */
static void set_padded(json_t *o, const char *key, const char *text, size_t len)
{
	while (len && text[len - 1] == ' ')
		len--;
	json_object_set_new(o, key, json_stringn(text, len));
}

static json_t *geometry(const struct model_geometry *g)
{
	json_t *o = json_object();
	double rho = op_effective(g);

	set_int(o, "capacity_bytes", g->pages << MODEL_PAGE_SHIFT);
	set_int(o, "pages", g->pages);
	set_int(o, "block_bytes", 1ULL << g->lba_shift);
	set_int(o, "units", g->rus);
	set_int(o, "unit_pages", g->ru_pages);
	set_int(o, "reserve_units", g->reserve);
	set_int(o, "units_apart", op_units_apart(g));
	set_real(o, "over_provisioning", op_counted(g));
	set_real(o, "effective_over_provisioning", rho);
	set_real(o, "waf_uniform_random", waf_uniform(rho));
	return o;
}

static json_t *placement(const struct info *i)
{
	static const char *const states[] = { "none", "off", "on" };
	json_t *o = json_object(), *handles = json_array();

	json_object_set_new(o, "fdp", json_string(states[i->g->fdp]));
	json_object_set_new(o, "isolation",
			    json_string(i->g->ruh_type == MODEL_PERSISTENTLY_ISOLATED
						? "persistently"
						: "initially"));
	for (uint32_t r = 0; r < i->g->ruhs; r++) {
		json_t *handle = json_object();

		set_int(handle, "host_bytes", i->counters.ruh_bytes[r]);
		set_int(handle, "identifier_bytes", i->commands.pid_bytes[r]);
		json_array_append_new(handles, handle);
	}
	json_object_set_new(o, "handles", handles);
	set_int(o, "default_bytes", i->commands.default_bytes);
	set_int(o, "invalid_identifiers", i->commands.bad_pids);
	set_int(o, "events", i->events);
	return o;
}

static json_t *timing(const struct info *i)
{
	const struct model_geometry *g = i->g;
	json_t *o = json_object();
	double programs = peak_programs(g, i->power_state);

	json_object_set_new(o, "timing", json_string(g->timing ? "real" : "none"));
	set_int(o, "dies", g->dies);
	set_int(o, "channels", g->channels);
	set_int(o, "buffer_bytes", (uint64_t)g->buffer_pages << MODEL_PAGE_SHIFT);
	set_int(o, "read_ns", g->t_read);
	set_int(o, "program_ns", g->t_program);
	set_int(o, "erase_ns", g->t_erase);
	set_int(o, "transfer_ns", g->t_transfer);
	set_real(o, "read_iops", peak_reads(g, i->power_state));
	set_real(o, "program_bytes_per_second", programs * MODEL_PAGE);
	set_real(o, "random_write_iops", programs / waf_uniform(op_effective(g)));
	return o;
}

static json_t *power_states(const struct model_geometry *g)
{
	json_t *states = json_array();

	for (uint32_t s = 0; s < g->nr_power_states; s++) {
		const struct model_power_state *ps = &g->power[s];
		json_t *o = json_object();

		set_int(o, "max_mw", ps->max_mw);
		set_int(o, "idle_mw", ps->idle_mw);
		set_int(o, "entry_us", ps->entry_us);
		set_int(o, "exit_us", ps->exit_us);
		json_object_set_new(o, "operational", json_boolean(ps->operational));
		set_real(o, "read_iops", peak_reads(g, s));
		set_real(o, "program_bytes_per_second", peak_programs(g, s) * MODEL_PAGE);
		json_array_append_new(states, o);
	}
	return states;
}

static json_t *power(const struct info *i)
{
	json_t *o = json_object();

	json_object_set_new(o, "states", power_states(i->g));
	set_int(o, "state", i->power_state);
	set_int(o, "changes", i->commands.power_state_changes);
	set_int(o, "read_nj", i->g->e_read);
	set_int(o, "program_nj", i->g->e_program);
	set_int(o, "erase_nj", i->g->e_erase);
	set_int(o, "average_mw", i->power.average_mw);
	set_int(o, "interval_mw", i->power.interval_mw);
	set_int(o, "max_interval_mw", i->power.max_interval_mw);
	set_int(o, "on_ms", i->power.on_ns / 1000000);
	set_int(o, "energy_mj", i->power.energy_mj);
	set_int(o, "life_energy_mj", i->power.life_energy_mj);
	return o;
}

static json_t *counters(const struct info *i)
{
	const struct model_counters *c = &i->counters;
	const struct model_command_counts *n = &i->commands;
	json_t *o = json_object();

	set_int(o, "host_bytes", c->host_bytes);
	set_int(o, "host_pages", c->host_pages);
	set_int(o, "relocated_pages", c->relocated_pages);
	set_int(o, "media_bytes", (c->host_pages + c->relocated_pages) * MODEL_PAGE);
	set_int(o, "erased_bytes", c->erased_pages * MODEL_PAGE);
	set_int(o, "erased_units", c->erased_units);
	set_real(o, "waf", waf_measured(c));
	set_int(o, "mapped_pages", i->mapped_pages);
	set_int(o, "free_units", i->free_units);
	set_int(o, "reads", n->reads);
	set_int(o, "writes", n->writes);
	set_int(o, "read_blocks", n->read_blocks);
	set_int(o, "written_blocks", n->written_blocks);
	set_int(o, "zeroed_blocks", n->zeroed_blocks);
	set_int(o, "deallocated_pages", n->deallocated_pages);
	set_int(o, "flushes", n->flushes);
	set_int(o, "deallocates", n->deallocates);
	set_int(o, "media_errors", n->media_errors);
	set_int(o, "faults", i->faults);
	set_int(o, "power_ons", i->power_ons);
	set_int(o, "killed_in_step", i->unsafe);
	set_int(o, "repairs", i->recoveries);
	return o;
}

static json_t *host(const struct info *i)
{
	json_t *o = json_object();

	set_int(o, "cores", i->host.cores);
	set_real(o, "sleep_late_us", i->host.late_us);
	set_real(o, "sleep_late_p99_us", i->host.late_p99_us);
	set_real(o, "believable_iops", i->host.peak_iops);
	set_real(o, "believable_mean_us", i->host.many_us);
	if (i->g->timing)
		json_object_set_new(o, "drive_within",
				    json_boolean(peak_reads(i->g, 0) <= i->host.peak_iops));
	return o;
}

bool info_json(const struct info *i, FILE *out)
{
	json_t *o = json_object(), *path = json_string(i->path);
	int ret;

	set_int(o, "nvsim schema", 1);
	/* The name of a file need not be UTF-8. */
	json_object_set_new(o, "file", path ? path : json_null());
	json_object_set_new(o, "preset", *i->g->preset ? json_string(i->g->preset) : json_null());
	set_real(o, "factor", i->g->scale > 0 ? i->g->scale : NAN);
	set_padded(o, "model", i->g->model, sizeof(i->g->model));
	set_padded(o, "serial", i->g->serial, sizeof(i->g->serial));
	set_padded(o, "firmware", i->g->firmware, sizeof(i->g->firmware));
	set_int(o, "seed", i->g->seed);
	set_int(o, "created", i->g->created);
	set_int(o, "file_bytes", i->file_bytes);
	set_int(o, "map_bytes", i->map_bytes);
	set_int(o, "disk_bytes", i->room.taken);
	set_int(o, "growth_bytes", i->room.growth);
	set_int(o, "free_bytes", i->room.free);
	json_object_set_new(o, "geometry", geometry(i->g));
	json_object_set_new(o, "placement", placement(i));
	json_object_set_new(o, "timing", timing(i));
	json_object_set_new(o, "power", power(i));
	json_object_set_new(o, "counters", counters(i));
	json_object_set_new(o, "host", host(i));
	ret = json_dumpf(o, out, JSON_INDENT(1));
	json_decref(o);
	return !ret && fputc('\n', out) != EOF;
}
