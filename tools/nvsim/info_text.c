// SPDX-License-Identifier: GPL-2.0-only
// nvsim info for people: a heading, then lines of a name and what it is.
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/nvsim/figures.h"
#include "tools/nvsim/info.h"
#include "tools/nvsim/presets.h"

__attribute__((format(printf, 3, 4))) static void line(FILE *out, const char *name, const char *fmt,
						       ...)
{
	va_list ap;

	fprintf(out, "  %-22s ", name);
	va_start(ap, fmt);
	vfprintf(out, fmt, ap);
	va_end(ap);
	fputc('\n', out);
}

/* 1536 KiB, 1 GiB: the largest unit that leaves no fraction. Return: @buf. */
static const char *size_text(uint64_t bytes, char buf[32])
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
	unsigned int u = 0;

	while (bytes && bytes % 1024 == 0 && u < 4) {
		bytes /= 1024;
		u++;
	}
	snprintf(buf, 32, "%" PRIu64 " %s", bytes, units[u]);
	return buf;
}

static void show_geometry(const struct info *i, FILE *out)
{
	const struct model_geometry *g = i->g;
	double rho = op_effective(g);
	char a[32], b[32];

	fprintf(out, "GEOMETRY\n");
	line(out, "capacity", "%s = %" PRIu64 " pages of 4 KiB, logical blocks of %u bytes",
	     size_text(g->pages << MODEL_PAGE_SHIFT, a), g->pages, 1U << g->lba_shift);
	line(out, "reclaim units", "%u of %s", g->rus,
	     size_text((uint64_t)g->ru_pages << MODEL_PAGE_SHIFT, b));
	line(out, "over-provisioning", "%.2f%%: physical over logical capacity, minus one",
	     100 * op_counted(g));
	line(out, "... effective", "%.2f%%: k = %u units apart, %u in reserve and 1 open",
	     100 * rho, op_units_apart(g), g->reserve);
	line(out, "WAF to expect", "%.2f: uniform random 4 KiB writes, one stream, steady",
	     waf_uniform(rho));
	line(out, "file", "%.1f MiB, of which %.1f MiB take up space; maps %.2f%% of the capacity",
	     i->file_bytes / 0x1p20, i->room.taken / 0x1p20,
	     100.0 * i->map_bytes / (g->pages << MODEL_PAGE_SHIFT));
	if (!i->room.growth)
		return;
	line(out, "room", "may take %.1f MiB more, of %.1f MiB free in its file system%s",
	     i->room.growth / 0x1p20, i->room.free / 0x1p20,
	     i->room.growth > i->room.free ? ":" : "");
	if (i->room.growth > i->room.free)
		line(out, "", "TOO LITTLE: writes fail when that is used up; make room");
}

/* A field of Identify, without the blanks that fill it: for "%.*s". */
static int padded_len(const char *text, int len)
{
	while (len && text[len - 1] == ' ')
		len--;
	return len;
}

static void show_identity(const struct info *i, FILE *out)
{
	const struct model_geometry *g = i->g;
	const struct preset *p = preset_find(g->preset);

	fprintf(out, "%s: %.*s, serial %.*s\n", i->path, padded_len(g->model, sizeof(g->model)),
		g->model, padded_len(g->serial, sizeof(g->serial)), g->serial);
	if (!p)
		return;
	fprintf(out, "Proportioned like a %s", p->like);
	if (g->scale > 0)
		fprintf(out,
			",\nwith its latencies and 1/%g of its parallelism: multiply IOPS, "
			"bandwidth and outstanding I/Os\nby %g to compare with it.\n",
			g->scale, g->scale);
	else
		fprintf(out, ",\nbut with other dies or times: no factor leads back to it.\n");
}

static void show_fdp(const struct info *i, FILE *out)
{
	static const char *const states[] = { "not supported", "supported, disabled", "enabled" };
	const struct model_geometry *g = i->g;

	fprintf(out, "\nPLACEMENT\n");
	line(out, "FDP", "%s", states[g->fdp]);
	if (!g->fdp)
		return;
	line(out, "reclaim unit handles", "%u, %s isolated: relocated data %s", g->ruhs,
	     g->ruh_type == MODEL_PERSISTENTLY_ISOLATED ? "persistently" : "initially",
	     g->ruh_type == MODEL_PERSISTENTLY_ISOLATED ? "stay with their handle"
							: "of all handles mix");
	for (uint32_t r = 0; r < g->ruhs; r++)
		if (i->counters.ruh_bytes[r])
			line(out, "", "handle %u: %" PRIu64 " bytes of the host", r,
			     i->counters.ruh_bytes[r]);
	line(out, "invalid identifiers", "%" PRIu64 " writes", i->commands.bad_pids);
	line(out, "events", "%" PRIu64, i->events);
}

static void show_timing(const struct info *i, FILE *out)
{
	const struct model_geometry *g = i->g;
	double programs = peak_programs(g, i->power_state);
	char buf[32];

	fprintf(out, "\nTIMING\n");
	if (!g->timing) {
		line(out, "none", "every command ends at once");
		return;
	}
	line(out, "dies, channels", "%u, %u", g->dies, g->channels);
	line(out, "a page", "read %.1f us, program %.1f us, transfer %.1f us", g->t_read / 1e3,
	     g->t_program / 1e3, g->t_transfer / 1e3);
	line(out, "a unit", "erase %.1f us on each die", g->t_erase / 1e3);
	line(out, "write buffer", "%s", size_text((uint64_t)g->buffer_pages << 12, buf));
	line(out, "at most, state now", "reads %.0f IOPS, %.1f MB/s; programs %.1f MB/s",
	     peak_reads(g, i->power_state), peak_reads(g, i->power_state) * MODEL_PAGE / 1e6,
	     programs * MODEL_PAGE / 1e6);
	line(out, "random writes", "%.0f IOPS at the WAF to expect",
	     programs / waf_uniform(op_effective(g)));
}

static void show_power(const struct info *i, FILE *out)
{
	const struct model_geometry *g = i->g;

	fprintf(out, "\nPOWER\n");
	fprintf(out, "    STATE   MAX W  IDLE W  ENTRY us  EXIT us  READ IOPS  PROGRAM MB/s\n");
	for (uint32_t s = 0; s < g->nr_power_states; s++) {
		const struct model_power_state *ps = &g->power[s];

		fprintf(out, "  %c %5u %7.2f %7.2f %9u %8u", s == i->power_state ? '*' : ' ', s,
			ps->max_mw / 1e3, ps->idle_mw / 1e3, ps->entry_us, ps->exit_us);
		if (!ps->operational)
			fprintf(out, "  not operational\n");
		else if (!g->timing)
			fprintf(out, "          -             -\n");
		else
			fprintf(out, " %10.0f %13.1f\n", peak_reads(g, s),
				peak_programs(g, s) * MODEL_PAGE / 1e6);
	}
	line(out, "* in force", "state %u, after %" PRIu64 " changes", i->power_state,
	     i->commands.power_state_changes);
	line(out, "energy", "page read %.1f uJ, page programmed %.1f uJ, unit erased %.1f uJ",
	     g->e_read / 1e3, g->e_program / 1e3, g->e_erase / 1e3);
	if (!g->timing)
		return;
	line(out, "last second", "%.2f W; the most so far %.2f W", i->power.interval_mw / 1e3,
	     i->power.max_interval_mw / 1e3);
	line(out, "since power-on", "%.2f W over %.0f s; %.1f J, in its life %.1f J",
	     i->power.average_mw / 1e3, i->power.on_ns / 1e9, i->power.energy_mj / 1e3,
	     i->power.life_energy_mj / 1e3);
}

static void show_counters(const struct info *i, FILE *out)
{
	const struct model_counters *c = &i->counters;
	double waf = waf_measured(c);

	fprintf(out, "\nCOUNTERS since creation\n");
	line(out, "host wrote", "%" PRIu64 " bytes, %" PRIu64 " pages", c->host_bytes,
	     c->host_pages);
	line(out, "media took", "%" PRIu64 " bytes: these and %" PRIu64 " relocated pages",
	     (c->host_pages + c->relocated_pages) * MODEL_PAGE, c->relocated_pages);
	if (isnan(waf))
		line(out, "WAF", "-: nothing was written");
	else
		line(out, "WAF", "%.3f, the filling of the drive included", waf);
	line(out, "erased", "%" PRIu64 " bytes, %" PRIu64 " units; %u units are free",
	     c->erased_pages * MODEL_PAGE, c->erased_units, i->free_units);
	line(out, "mapped", "%" PRIu64 " pages, %.1f%%", i->mapped_pages,
	     100.0 * i->mapped_pages / i->g->pages);
	line(out, "commands",
	     "%" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64 " flushes, %" PRIu64 " deallocates",
	     i->commands.reads, i->commands.writes, i->commands.flushes, i->commands.deallocates);
	line(out, "media errors", "%" PRIu64 ", all asked for; %u faults are set (nvsim fail)",
	     i->commands.media_errors, i->faults);
	line(out, "power-ons",
	     "%" PRIu64 "; processes killed within a step %" PRIu64
	     "; others repaired while in use %" PRIu64,
	     i->power_ons, i->unsafe, i->recoveries);
}

static void show_host(const struct info *i, FILE *out)
{
	const struct host *h = &i->host;
	double peak = peak_reads(i->g, 0);

	fprintf(out, "\nTHIS HOST\n");
	line(out, "cores", "%u", h->cores);
	line(out, "timers", "a sleep ends %.0f us late, 1 of 100 more than %.0f us", h->late_us,
	     h->late_p99_us);
	if (!i->g->timing)
		return;
	line(out, "can be believed", "up to %u waiters: latencies, to about 5 us, spinning",
	     h->cores);
	line(out, "", "more: means above %.0f us, up to %.0f IOPS, to 8%%", h->many_us,
	     h->peak_iops);
	line(out, "", "the ioengine says which percentiles are the host's, not the drive's");
	line(out, "this drive", "%.0f IOPS at most: %s", peak,
	     peak <= h->peak_iops ? "within that"
				  : "more than this host can time; make one with fewer --dies");
}

void info_text(const struct info *i, FILE *out)
{
	show_identity(i, out);
	fputc('\n', out);
	show_geometry(i, out);
	show_fdp(i, out);
	show_timing(i, out);
	show_power(i, out);
	show_counters(i, out);
	show_host(i, out);
}
