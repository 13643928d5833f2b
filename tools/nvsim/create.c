// SPDX-License-Identifier: GPL-2.0-only
// nvsim create: options and preset become a geometry, model_plan makes it whole, model_create the
// file.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "engine/model/model.h"
#include "tools/nvsim/nvsim.h"
#include "tools/nvsim/parse.h"
#include "tools/nvsim/presets.h"

enum create_option {
	OPT_PRESET = 0x100,
	OPT_OP,
	OPT_LBA,
	OPT_RUH_TYPE,
	OPT_FDP,
	OPT_POWER_STATES,
	OPT_TIMING,
	OPT_SEED,
	OPT_SERIAL,
	OPT_PREALLOCATE,
	OPT_CAPACITY, /* from here on: plain figures */
	OPT_RU_SIZE,
	OPT_UNITS,
	OPT_RESERVE,
	OPT_RUHS,
	OPT_DIES,
	OPT_CHANNELS,
	OPT_BUFFER,
	OPT_T_READ,
	OPT_T_PROGRAM,
	OPT_T_ERASE,
	OPT_T_TRANSFER,
	OPT_E_READ,
	OPT_E_PROGRAM,
	OPT_E_ERASE,
	OPT_END
};

static const char doc[] =
	"Make a model drive in FILE, which must not exist. What is not given comes from the "
	"preset, or "
	"is a default.\v"
	"Sizes take k, M, G, T (binary; KiB and so on, too); times ns, us, ms, s (a bare number is "
	"us); "
	"powers mW, W; energies nJ, uJ, mJ (nJ).\n\n"
	"  nvsim create a.nvsim --preset=gen5-read --capacity=4G\n"
	"  nvsim create b.nvsim --capacity=256M --op=7% --ru-size=256k \\\n"
	"      --ruhs=4 --ruh-type=persistently --timing=none\n"
	"  nvsim create c.nvsim --power-states=25W:idle=5W,12W:idle=5W:entry=100us";

static const struct argp_option options[] = {
	{ "preset", OPT_PRESET, "NAME", 0, "gen5-read, gen5-mixed, gen4 or nas-gen3", 1 },
	{ "capacity", OPT_CAPACITY, "SIZE", 0, "What the host sees (1G)", 2 },
	{ "lba", OPT_LBA, "512|4096", 0, "Logical block, bytes (4096)", 2 },
	{ "op", OPT_OP, "FRACTION", 0, "Over-provisioning, as 0.07 or 7% (7%)", 2 },
	{ "units", OPT_UNITS, "N", 0, "Instead of --op: reclaim units in all", 2 },
	{ "ru-size", OPT_RU_SIZE, "SIZE", 0, "Reclaim unit (1M, less in a small drive)", 2 },
	{ "reserve", OPT_RESERVE, "N", 0, "Free units below which garbage is collected (2)", 2 },
	{ "fdp", OPT_FDP, "on|off|none", 0, "FDP enabled, disabled, not supported (on)", 3 },
	{ "ruhs", OPT_RUHS, "N", 0, "Reclaim unit handles (8)", 3 },
	{ "ruh-type", OPT_RUH_TYPE, "TYPE", 0, "initially (default) or persistently isolated", 3 },
	{ "timing", OPT_TIMING, "real|none", 0, "none: every command ends at once", 4 },
	{ "dies", OPT_DIES, "N", 0, "(4)", 4 },
	{ "channels", OPT_CHANNELS, "N", 0, "(one for 4 dies)", 4 },
	{ "t-read", OPT_T_READ, "TIME", 0, "A page of 4 KiB on a die (70us)", 4 },
	{ "t-program", OPT_T_PROGRAM, "TIME", 0, "(120us)", 4 },
	{ "t-erase", OPT_T_ERASE, "TIME", 0, "A unit's part on a die (1% of filling it)", 4 },
	{ "t-transfer", OPT_T_TRANSFER, "TIME", 0, "A page over a channel (5us)", 4 },
	{ "buffer", OPT_BUFFER, "SIZE", 0, "Write buffer (64k a die)", 4 },
	{ "power-states", OPT_POWER_STATES, "LIST", 0,
	  "MAX[:idle=W][:entry=TIME][:exit=TIME][:nonop],...", 5 },
	{ "e-read", OPT_E_READ, "ENERGY", 0, "A page (at full speed 60% of state 0)", 5 },
	{ "e-program", OPT_E_PROGRAM, "ENERGY", 0, "A page (at full speed 98% of state 0)", 5 },
	{ "e-erase", OPT_E_ERASE, "ENERGY", 0, "A unit (nothing)", 5 },
	{ "preallocate", OPT_PREALLOCATE, 0, 0, "Take all space that the file may need, now", 6 },
	{ "seed", OPT_SEED, "N", 0, "Makes the serial number (random)", 6 },
	{ "serial", OPT_SERIAL, "TEXT", 0, "Serial number, up to 20 characters", 6 },
	{ 0 },
};

/* A plain figure: how it is written and where it goes. */
struct figure {
	enum {
		COUNT,
		PAGES,
		TIME,
		ENERGY
	} kind;
	size_t offset; /* in struct model_geometry */
	bool drive; /* with it, the preset's factor is no longer true */
};

#define FIELD(name) offsetof(struct model_geometry, name)
static const struct figure figures[OPT_END - OPT_CAPACITY] = {
	[OPT_RU_SIZE - OPT_CAPACITY] = { PAGES, FIELD(ru_pages), false },
	[OPT_UNITS - OPT_CAPACITY] = { COUNT, FIELD(rus), false },
	[OPT_RESERVE - OPT_CAPACITY] = { COUNT, FIELD(reserve), false },
	[OPT_RUHS - OPT_CAPACITY] = { COUNT, FIELD(ruhs), false },
	[OPT_DIES - OPT_CAPACITY] = { COUNT, FIELD(dies), true },
	[OPT_CHANNELS - OPT_CAPACITY] = { COUNT, FIELD(channels), true },
	[OPT_BUFFER - OPT_CAPACITY] = { PAGES, FIELD(buffer_pages), false },
	[OPT_T_READ - OPT_CAPACITY] = { TIME, FIELD(t_read), true },
	[OPT_T_PROGRAM - OPT_CAPACITY] = { TIME, FIELD(t_program), true },
	[OPT_T_ERASE - OPT_CAPACITY] = { TIME, FIELD(t_erase), true },
	[OPT_T_TRANSFER - OPT_CAPACITY] = { TIME, FIELD(t_transfer), true },
	[OPT_E_READ - OPT_CAPACITY] = { ENERGY, FIELD(e_read), false },
	[OPT_E_PROGRAM - OPT_CAPACITY] = { ENERGY, FIELD(e_program), false },
	[OPT_E_ERASE - OPT_CAPACITY] = { ENERGY, FIELD(e_erase), false },
};

/* 0 and NULL: not given. */
struct arguments {
	const char *path;
	const struct preset *preset;
	double op; /* NAN: not given */
	int fdp, timing; /* -1: not given */
	bool seed_given, preallocate;
	struct model_geometry given;
};

static const char *option_name(int key)
{
	const struct argp_option *o = options;

	while (o->key != key)
		o++;
	return o->name;
}

static uint32_t *field_of(struct model_geometry *g, const struct figure *f)
{
	return (uint32_t *)((char *)g + f->offset);
}

/* Bytes in whole pages. */
static uint64_t pages_of(struct argp_state *state, int key, const char *arg)
{
	long double bytes;
	uint64_t pages;

	if (!parse_size(arg, &bytes))
		usage_error(state, "--%s=%s: not a size; write 512M or 1.5GiB", option_name(key),
			    arg);
	if (bytes == 0)
		usage_error(state, "--%s=%s: must be above 0, a multiple of 4 KiB",
			    option_name(key), arg);
	if (bytes < MODEL_PAGE)
		usage_error(state, "--%s=%s: not a multiple of 4 KiB", option_name(key), arg);
	pages = (uint64_t)roundl(bytes / MODEL_PAGE);
	if (bytes != (long double)pages * MODEL_PAGE)
		usage_error(state, "--%s=%s: not a multiple of 4 KiB; the nearest is %juk",
			    option_name(key), arg, (uintmax_t)pages * (MODEL_PAGE / 1024));
	return pages;
}

static void parse_figure(struct argp_state *state, struct model_geometry *g, int key,
			 const char *arg)
{
	const struct figure *f = &figures[key - OPT_CAPACITY];
	uint64_t value = 0;

	if (f->kind == PAGES)
		value = pages_of(state, key, arg);
	else if (f->kind == COUNT && !parse_number(arg, &value))
		usage_error(state, "--%s=%s: not a number", option_name(key), arg);
	else if (f->kind == TIME && !parse_time(arg, &value))
		usage_error(state, "--%s=%s: not a time; write 70us or 1.5ms", option_name(key),
			    arg);
	else if (f->kind == ENERGY && !parse_energy(arg, &value))
		usage_error(state, "--%s=%s: not an energy; write 700uJ or 3mJ", option_name(key),
			    arg);
	if (!value)
		usage_error(state, "--%s=%s: must be above 0", option_name(key), arg);
	if (f->kind == ENERGY && value > UINT32_MAX)
		usage_error(state, "--%s=%s: too much; up to %umJ", option_name(key), arg,
			    UINT32_MAX / 1000000);
	/* model_plan knows what is too large of the others, and says what would be right. */
	*field_of(g, f) = value < UINT32_MAX ? value : UINT32_MAX;
}

/* A word out of a few. Return: its place; ends the program on another word. */
static int choose(struct argp_state *state, int key, const char *arg, const char *const *words)
{
	char known[64] = "";

	for (int i = 0; words[i]; i++) {
		if (!strcmp(arg, words[i]))
			return i;
		snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s",
			 i ? ", " : "", words[i]);
	}
	usage_error(state, "--%s=%s: unknown; one of %s", option_name(key), arg, known);
}

static void parse_words(struct argp_state *state, struct arguments *a, int key, const char *arg)
{
	static const char *const lbas[] = { "512", "4096", NULL };
	static const char *const types[] = { "initially", "persistently", NULL };
	static const char *const fdps[] = { "none", "off", "on", NULL };
	static const char *const timings[] = { "none", "real", NULL };

	if (key == OPT_LBA)
		a->given.lba_shift = choose(state, key, arg, lbas) ? 12 : 9;
	else if (key == OPT_RUH_TYPE)
		a->given.ruh_type = choose(state, key, arg, types) + MODEL_INITIALLY_ISOLATED;
	else if (key == OPT_FDP)
		a->fdp = choose(state, key, arg, fdps);
	else
		a->timing = choose(state, key, arg, timings);
}

static void parse_identity(struct argp_state *state, struct arguments *a, int key, const char *arg)
{
	size_t len = strlen(arg);

	if (key == OPT_SEED) {
		if (!parse_number(arg, &a->given.seed))
			usage_error(state,
				    "--seed=%s: not a number up to 2^64 - 1; write 42 or 0x2a",
				    arg);
		a->seed_given = true;
		return;
	}
	if (!len || len > sizeof(a->given.serial))
		usage_error(state, "--serial=%s: 1 to %zu characters", arg,
			    sizeof(a->given.serial));
	memset(a->given.serial, 0, sizeof(a->given.serial));
	memcpy(a->given.serial, arg, len);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	char why[MODEL_WHY_LEN];

	switch (key) {
	case OPT_PRESET:
		a->preset = preset_find(arg);
		if (!a->preset)
			usage_error(state, "--preset=%s: unknown; one of %s", arg, preset_names());
		return 0;
	case OPT_OP:
		if (!parse_fraction(arg, &a->op) || a->op > 100)
			usage_error(state, "--op=%s: not an over-provisioning; write 0.07 or 7%%",
				    arg);
		return 0;
	case OPT_LBA:
	case OPT_RUH_TYPE:
	case OPT_FDP:
	case OPT_TIMING:
		parse_words(state, a, key, arg);
		return 0;
	case OPT_POWER_STATES:
		a->given.nr_power_states = parse_power_states(arg, a->given.power, why);
		if (!a->given.nr_power_states)
			usage_error(state, "--power-states: %s", why);
		return 0;
	case OPT_PREALLOCATE:
		a->preallocate = true;
		return 0;
	case OPT_SEED:
	case OPT_SERIAL:
		parse_identity(state, a, key, arg);
		return 0;
	case OPT_CAPACITY:
		a->given.pages = pages_of(state, key, arg);
		return 0;
	case ARGP_KEY_ARG:
		return parse_file(key, arg, state, &a->path);
	case ARGP_KEY_END:
		parse_file(key, arg, state, &a->path);
		if (a->given.rus && !isnan(a->op))
			usage_error(state, "--units and --op both give the over-provisioning");
		return 0;
	default:
		if (key < OPT_RU_SIZE || key >= OPT_END)
			return ARGP_ERR_UNKNOWN;
		parse_figure(state, &a->given, key, arg);
		return 0;
	}
}

/* What is given replaces what the preset has. */
static void merge_figures(struct model_geometry *g, struct arguments *a)
{
	for (size_t i = 1; i < sizeof(figures) / sizeof(figures[0]); i++) {
		uint32_t value = *field_of(&a->given, &figures[i]);

		if (!value)
			continue;
		*field_of(g, &figures[i]) = value;
		if (figures[i].drive)
			g->scale = 0;
	}
}

static void merge(struct model_geometry *g, struct arguments *a)
{
	const struct model_geometry *given = &a->given;

	merge_figures(g, a);
	if (given->pages)
		g->pages = given->pages;
	if (given->lba_shift)
		g->lba_shift = given->lba_shift;
	if (given->ruh_type)
		g->ruh_type = given->ruh_type;
	if (given->nr_power_states) {
		g->nr_power_states = given->nr_power_states;
		memcpy(g->power, given->power, sizeof(g->power));
	}
	memcpy(g->serial, given->serial, sizeof(g->serial));
	g->seed = given->seed;
	if (a->fdp >= 0)
		g->fdp = a->fdp;
	else if (given->ruhs || given->ruh_type)
		g->fdp = 2;
	if (!g->fdp && !given->ruhs)
		g->ruhs = 1;
	g->timing = a->timing != 0;
}

/* A model that is given an over-provisioning leaves the number of units to it. */
static int plan(struct arguments *a, struct model_geometry *g, char *why)
{
	struct model_geometry sized;
	double op = a->op;
	int ret;

	memset(g, 0, sizeof(*g));
	g->fdp = 2;
	if (a->preset)
		preset_apply(a->preset, g);
	merge(g, a);
	if (!a->seed_given && getrandom(&g->seed, sizeof(g->seed), 0) != sizeof(g->seed))
		g->seed = time(NULL);
	if (isnan(op) && a->preset)
		op = a->preset->op;
	if (isnan(op) || g->rus)
		return model_plan(g, why);
	/* The default unit depends on the capacity: ask for it, then count. */
	sized = *g;
	ret = model_plan(&sized, why);
	if (ret)
		return ret;
	g->rus = (uint32_t)fmin(ceil((double)sized.pages * (1 + op) / sized.ru_pages - 1e-9),
				UINT32_MAX);
	return model_plan(g, why);
}

static int preallocate(struct model *m, void *arg)
{
	const struct arguments *a = arg;
	char why[MODEL_WHY_LEN];
	int ret = model_preallocate(m, why);

	if (!ret)
		return STATUS_FINE;
	fprintf(stderr, "nvsim: %s: %s\n", a->path, why);
	return STATUS_FAILED;
}

/* The drive fits, but hardly anything else does. */
static int note_room(struct model *m, void *arg)
{
	const struct arguments *a = arg;
	struct model_room room;

	if (!model_room(m, &room) && room.growth > room.free / 10 * 9)
		fprintf(stderr,
			"nvsim: note: %s: takes up to %ju MiB more as it is written, of %ju MiB "
			"free "
			"in its file system; once these are used up writes fail (--preallocate "
			"takes "
			"them now)\n",
			a->path, (uintmax_t)room.growth >> 20, (uintmax_t)room.free >> 20);
	return STATUS_FINE;
}

int create_main(int argc, char **argv)
{
	static const struct argp argp = { options, parse_option, "FILE", doc, 0, 0, 0 };
	struct arguments a = { .op = NAN, .fdp = -1, .timing = -1 };
	struct model_geometry g;
	char why[MODEL_WHY_LEN];
	int ret;

	parse_arguments(&argp, argc, argv, &a);
	if (plan(&a, &g, why)) {
		fprintf(stderr, "nvsim: %s: %s\n", a.path, why);
		return STATUS_USAGE;
	}
	ret = model_create(a.path, &g, why);
	if (ret)
		return report_failure(ret, why);
	ret = with_drive(a.path, !a.preallocate, a.preallocate ? preallocate : note_room, &a);
	if (ret)
		unlink(a.path);
	return ret;
}
