// SPDX-License-Identifier: GPL-2.0-only
// A drive's geometry before there is a drive: defaults for what is left open, and the one place
// that says which figures make sense together. Opens no file.
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engine/model/image.h"

enum {
	DEFAULT_CAPACITY = 1 << 30,
	MAX_UNIT_PAGES = 1 << 20,
	MAX_RESERVE = 1024,
	MAX_TIME_NS = 1000000000,
	MAX_LATENCY_US = 10000000,
	MAX_BUFFER_PAGES = 1 << 20,
	BUFFER_PAGES_PER_DIE = 16,
	MAX_MW = 655350, /* what 16 bits of 0.01 W hold: Identify, power state descriptor, MP */
};

static const char *const ruh_types[] = {
	[MODEL_INITIALLY_ISOLATED] = "initially isolated",
	[MODEL_PERSISTENTLY_ISOLATED] = "persistently isolated",
};

__attribute__((format(printf, 2, 3))) static int refuse(char *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, MODEL_WHY_LEN, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

static void set_default(uint32_t *field, uint64_t value)
{
	if (!*field)
		*field = value < UINT32_MAX ? value : UINT32_MAX;
}

/* One of a row of figures that have a range each. */
struct range {
	const char *name, *option; /* of nvsim create */
	uint64_t value, min, max;
	enum {
		NUMBER,
		PAGES, /* of 4 KiB */
		NANOSECONDS,
		MICROSECONDS,
	} unit;
};

/* As nvsim create takes it: the largest unit in which it is whole. Return: @text. */
static const char *figure_text(const struct range *r, uint64_t value, char text[32])
{
	static const char *const units[][5] = {
		[NUMBER] = { "" },
		[PAGES] = { "k", "M", "G", "T" },
		[NANOSECONDS] = { "ns", "us", "ms", "s" },
		[MICROSECONDS] = { "us", "ms", "s" },
	};
	const char *const *unit = units[r->unit];
	uint32_t step = r->unit == PAGES ? 1024 : 1000;

	if (r->unit == PAGES)
		value *= MODEL_PAGE / 1024;
	for (; unit[1] && value && value % step == 0; unit++)
		value /= step;
	snprintf(text, 32, "%ju%s", (uintmax_t)value, value ? *unit : "");
	return text;
}

static int check_ranges(const struct range *r, size_t nr, char *why)
{
	char value[32], min[32], max[32];

	for (; nr--; r++)
		if (r->value < r->min || r->value > r->max)
			return refuse(why, "%s of %s is out of range; %s to %s (%s)", r->name,
				      figure_text(r, r->value, value), figure_text(r, r->min, min),
				      figure_text(r, r->max, max), r->option);
	return 0;
}
#define CHECK_RANGES(r, why) check_ranges(r, sizeof(r) / sizeof((r)[0]), why)

/* At least 256 units, where that leaves 16 pages in each; pages of a unit are a power of two. */
static uint32_t default_unit(uint64_t pages)
{
	uint32_t unit = 256;

	while (unit > 16 && pages / unit < 256)
		unit /= 2;
	return unit;
}

static int plan_capacity(struct model_geometry *g, char *why)
{
	if (!g->pages)
		g->pages = DEFAULT_CAPACITY / MODEL_PAGE;
	set_default(&g->lba_shift, MODEL_PAGE_SHIFT);
	set_default(&g->ru_pages, default_unit(g->pages));
	if (g->lba_shift != 9 && g->lba_shift != 12)
		return refuse(why, "logical blocks of 2^%u bytes; 512 and 4096 are supported",
			      g->lba_shift);
	/* Physical pages are numbered in 32 bits, too. */
	return CHECK_RANGES(
		((const struct range[]){
			{ "a capacity", "--capacity", g->pages, 256, (1U << 31) - 256, PAGES },
			{ "a reclaim unit", "--ru-size", g->ru_pages, 4, MAX_UNIT_PAGES, PAGES },
		}),
		why);
}

static int plan_placement(struct model_geometry *g, char *why)
{
	if (g->fdp > 2)
		return refuse(why, "FDP %u: 0 is not supported, 1 disabled, 2 enabled", g->fdp);
	set_default(&g->ruhs, g->fdp ? 8 : 1);
	set_default(&g->ruh_type, MODEL_INITIALLY_ISOLATED);
	set_default(&g->reserve, 2);
	if (g->ruh_type > MODEL_PERSISTENTLY_ISOLATED)
		return refuse(why, "reclaim unit handles of type %u: 1 is %s, 2 %s", g->ruh_type,
			      ruh_types[1], ruh_types[2]);
	if (!g->fdp && g->ruhs != 1)
		return refuse(why, "%u reclaim unit handles need FDP; a drive without has 1",
			      g->ruhs);
	return CHECK_RANGES(
		((const struct range[]){
			{ "a number of reclaim unit handles", "--ruhs", g->ruhs, 1, MODEL_MAX_RUHS,
			  NUMBER },
			{ "a reserve", "--reserve", g->reserve, 1, MAX_RESERVE, NUMBER },
		}),
		why);
}

/*
 * A victim of garbage collection is there as long as the closed units hold less than they could:
 * garbage is collected when no more than the reserve and one are free, and then the others that are not
 * open must be one more than the capacity fills.
 */
static int plan_units(struct model_geometry *g, char *why)
{
	uint64_t data = divide_up(g->pages, g->ru_pages), physical;
	uint32_t gc = g->ruh_type == MODEL_PERSISTENTLY_ISOLATED ? g->ruhs : 1;
	uint64_t least = data + g->ruhs + gc + g->reserve + 2;

	if (!g->rus) {
		physical = divide_up(g->pages * 107 / 100, g->ru_pages);
		set_default(&g->rus, physical > least ? physical : least);
	}
	if (g->rus < least)
		return refuse(
			why,
			"too little over-provisioning: of %u reclaim units %ju hold the capacity, "
			"%u + %u are open for the host and for garbage collection, %u are reserve; "
			"at least %ju units, %.2f%%, or smaller units",
			g->rus, (uintmax_t)data, g->ruhs, gc, g->reserve, (uintmax_t)least,
			ceil(10000 * ((double)(least * g->ru_pages) / g->pages - 1)) / 100);
	physical = (uint64_t)g->rus * g->ru_pages;
	if (physical >= MODEL_NONE)
		return refuse(why,
			      "%u reclaim units of %u pages are too much flash: below 2^32 pages "
			      "of 4 KiB",
			      g->rus, g->ru_pages);
	return 0;
}

/* 1% of the time that filling the unit took: an erase must not disturb the balance. */
static uint64_t erase_time(const struct model_geometry *g)
{
	uint64_t time = divide_up((uint64_t)g->ru_pages * g->t_program, 100ULL * g->dies);

	return time < MAX_TIME_NS ? time : MAX_TIME_NS;
}

static int plan_timing(struct model_geometry *g, char *why)
{
	if (g->timing > 1)
		return refuse(why, "timing %u: 0 is none, 1 real", g->timing);
	set_default(&g->dies, 4);
	set_default(&g->channels, divide_up(g->dies, 4) < MODEL_MAX_CHANNELS ? divide_up(g->dies, 4)
									     : MODEL_MAX_CHANNELS);
	set_default(&g->t_read, 70000);
	set_default(&g->t_program, 120000);
	set_default(&g->t_transfer, 5000);
	set_default(&g->buffer_pages, (uint64_t)BUFFER_PAGES_PER_DIE * g->dies);
	set_default(&g->t_erase, erase_time(g));
	if (g->dies > g->ru_pages)
		return refuse(why,
			      "%u dies, but a reclaim unit of %u pages of 4 KiB: it spans all "
			      "dies, so one "
			      "has no more dies than pages; fewer --dies, or a larger --ru-size",
			      g->dies, g->ru_pages);
	return CHECK_RANGES(
		((const struct range[]){
			{ "a number of dies", "--dies", g->dies, 1, MODEL_MAX_DIES, NUMBER },
			{ "a number of channels", "--channels; dies at most", g->channels, 1,
			  g->dies < MODEL_MAX_CHANNELS ? g->dies : MODEL_MAX_CHANNELS, NUMBER },
			{ "a read time", "--t-read", g->t_read, 1, MAX_TIME_NS, NANOSECONDS },
			{ "a program time", "--t-program", g->t_program, 1, MAX_TIME_NS,
			  NANOSECONDS },
			{ "an erase time", "--t-erase", g->t_erase, 1, MAX_TIME_NS, NANOSECONDS },
			{ "a transfer time", "--t-transfer", g->t_transfer, 1, MAX_TIME_NS,
			  NANOSECONDS },
			{ "a write buffer", "--buffer; 16k a die at least", g->buffer_pages,
			  4ULL * g->dies, MAX_BUFFER_PAGES, PAGES },
		}),
		why);
}

/* The states that a drive has when none are given. */
static void default_states(struct model_geometry *g)
{
	static const uint32_t watts[] = { 25, 20, 16, 12 };

	g->nr_power_states = sizeof(watts) / sizeof(watts[0]);
	for (uint32_t i = 0; i < g->nr_power_states; i++)
		g->power[i] = (struct model_power_state){ .max_mw = watts[i] * 1000,
							  .idle_mw = 5000,
							  .entry_us = 100,
							  .exit_us = 100,
							  .operational = 1 };
}

static int check_state(const struct model_geometry *g, uint32_t i, char *why)
{
	const struct model_power_state *ps = &g->power[i];

	if (ps->operational > 1 || (!i && !ps->operational))
		return refuse(why, "power state 0 is not operational; the first must be");
	if (!ps->max_mw || ps->max_mw > MAX_MW || ps->max_mw % 10)
		return refuse(why,
			      "power state %u: %u mW is not possible; 0.01 W to %.2f W in steps of "
			      "0.01 W (--power-states)",
			      i, ps->max_mw, MAX_MW / 1000.0);
	if (i && ps->max_mw > g->power[i - 1].max_mw)
		return refuse(why,
			      "power state %u has more power than state %u; give the highest first",
			      i, i - 1);
	if (ps->operational && ps->idle_mw >= ps->max_mw)
		return refuse(why,
			      "power state %u: %u mW idle leave nothing of %u mW for operations", i,
			      ps->idle_mw, ps->max_mw);
	if (ps->idle_mw > ps->max_mw)
		return refuse(why, "power state %u: %u mW idle are more than its %u mW", i,
			      ps->idle_mw, ps->max_mw);
	return CHECK_RANGES(((const struct range[]){
				    { "a power state's entry latency", "--power-states",
				      ps->entry_us, 0, MAX_LATENCY_US, MICROSECONDS },
				    { "a power state's exit latency", "--power-states", ps->exit_us,
				      0, MAX_LATENCY_US, MICROSECONDS },
			    }),
			    why);
}

/* Energy of one operation, nJ, when all dies do nothing else and draw that much. mW x ns = pJ. */
static double energy(const struct model_geometry *g, double share, uint32_t time)
{
	double dynamic_mw = (double)g->power[0].max_mw - g->power[0].idle_mw;

	return share * dynamic_mw * time / g->dies / 1000;
}

/* Full program bandwidth just fits into state 0; reads take about 60% of it; an erase nothing. */
static int plan_power(struct model_geometry *g, char *why)
{
	int ret;

	if (!g->nr_power_states)
		default_states(g);
	if (g->nr_power_states > MODEL_MAX_POWER_STATES)
		return refuse(why, "%u power states; 1 to %d", g->nr_power_states,
			      MODEL_MAX_POWER_STATES);
	for (uint32_t i = 0; i < g->nr_power_states; i++) {
		struct model_power_state *ps = &g->power[i];

		set_default(&ps->idle_mw, ps->operational ? ps->max_mw / 5 : ps->max_mw);
		ret = check_state(g, i, why);
		if (ret)
			return ret;
	}
	set_default(&g->e_program, (uint64_t)fmin(energy(g, 0.98, g->t_program), UINT32_MAX));
	set_default(&g->e_read, (uint64_t)fmin(energy(g, 0.60, g->t_read), UINT32_MAX));
	return 0;
}

/* ASCII without control characters, padded with spaces: Identify, SN, MN and FR. */
static int plan_text(char *text, size_t len, const char *name, char *why)
{
	bool end = false;

	for (size_t i = 0; i < len; i++) {
		end |= !text[i];
		if (end)
			text[i] = ' ';
		else if (text[i] < ' ' || text[i] > '~')
			return refuse(why, "the %s has a character that is not printable ASCII",
				      name);
	}
	return 0;
}

static int plan_identity(struct model_geometry *g, char *why)
{
	char text[64];
	int ret;

	if (!memchr(g->preset, 0, sizeof(g->preset)))
		return refuse(why, "the preset's name has no end");
	if (!isfinite(g->scale) || g->scale < 0)
		return refuse(why, "the preset's factor is not a positive number");
	if (!g->serial[0]) {
		snprintf(text, sizeof(text), "SIM%016jX", (uintmax_t)g->seed);
		memcpy(g->serial, text, strlen(text));
	}
	if (!g->model[0]) {
		snprintf(text, sizeof(text), "nvsim%s%s", g->preset[0] ? " " : "", g->preset);
		memcpy(g->model, text, strlen(text));
	}
	if (!g->firmware[0])
		memcpy(g->firmware, "1.0", 3);
	if (!g->created)
		g->created = time(NULL);
	ret = plan_text(g->serial, sizeof(g->serial), "serial number", why);
	if (!ret)
		ret = plan_text(g->model, sizeof(g->model), "model number", why);
	if (!ret)
		ret = plan_text(g->firmware, sizeof(g->firmware), "firmware revision", why);
	return ret;
}

int model_plan(struct model_geometry *g, char *why)
{
	static int (*const steps[])(struct model_geometry *, char *) = {
		plan_capacity, plan_placement, plan_units, plan_timing, plan_power, plan_identity,
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		int ret = steps[i](g, why);

		if (ret)
			return ret;
	}
	return 0;
}
