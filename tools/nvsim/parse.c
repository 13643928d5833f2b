// SPDX-License-Identifier: GPL-2.0-only
// Sizes, times, powers, energies, ranges and lists of power states, from text.
#include "tools/nvsim/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
	const char *name;
	long double factor;
};

static const struct unit size_units[] = {
	{ "", 1 },	    { "k", 0x1p10L },
	{ "M", 0x1p20L },   { "G", 0x1p30L },
	{ "T", 0x1p40L },   { "KiB", 0x1p10L },
	{ "MiB", 0x1p20L }, { "GiB", 0x1p30L },
	{ "TiB", 0x1p40L }, { 0 },
};

/* Case tells milli from mega. */
static const struct unit time_units[] = {
	{ "", 1e3 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { 0 },
};
static const struct unit power_units[] = { { "", 1e3 }, { "mW", 1 }, { "W", 1e3 }, { 0 } };
static const struct unit energy_units[] = {
	{ "", 1 }, { "nJ", 1 }, { "uJ", 1e3 }, { "mJ", 1e6 }, { 0 },
};

static bool parse_fine(const char *text, const struct unit *units,
		       int (*compare)(const char *, const char *), long double *out)
{
	size_t digits = strspn(text, "0123456789.");
	long double value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	value = strtold(text, &end);
	if (end != text + digits)
		return false;
	while (units->name && compare(units->name, end))
		units++;
	if (!units->name)
		return false;
	value *= units->factor;
	if (value > 0x1p62L)
		return false;
	*out = value;
	return true;
}

/* What is whole. */
static bool parse_scaled(const char *text, const struct unit *units,
			 int (*compare)(const char *, const char *), uint64_t *out)
{
	long double value;

	if (!parse_fine(text, units, compare, &value) || fabsl(value - roundl(value)) > 1e-6L)
		return false;
	*out = (uint64_t)roundl(value);
	return true;
}

bool parse_size(const char *text, long double *out)
{
	return parse_fine(text, size_units, strcasecmp, out);
}

bool parse_time(const char *text, uint64_t *out)
{
	return parse_scaled(text, time_units, strcmp, out);
}

bool parse_power(const char *text, uint64_t *out)
{
	return parse_scaled(text, power_units, strcmp, out);
}

bool parse_energy(const char *text, uint64_t *out)
{
	return parse_scaled(text, energy_units, strcmp, out);
}

/* The number at the start of @text. Return: what follows it; NULL without one. */
static const char *number_end(const char *text, uint64_t *out)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;

	if (!(hex ? isxdigit((unsigned char)text[2]) : isdigit((unsigned char)text[0])))
		return NULL;
	errno = 0;
	*out = strtoull(text, &end, hex ? 16 : 10);
	return errno ? NULL : end;
}

bool parse_number(const char *text, uint64_t *out)
{
	uint64_t value;
	const char *end = number_end(text, &value);

	if (!end || *end)
		return false;
	*out = value;
	return true;
}

bool parse_range(const char *text, uint64_t *first, uint64_t *last)
{
	uint64_t from, to;
	const char *end = number_end(text, &from);

	if (!end)
		return false;
	to = from;
	if (*end == '-')
		end = number_end(end + 1, &to);
	if (!end || *end || to < from)
		return false;
	*first = from;
	*last = to;
	return true;
}

bool parse_fraction(const char *text, double *out)
{
	size_t digits = strspn(text, "0123456789.");
	char *end;
	double value;

	if (!isdigit((unsigned char)*text))
		return false;
	value = strtod(text, &end);
	if (end != text + digits || (strcmp(end, "") && strcmp(end, "%")))
		return false;
	*out = *end ? value / 100 : value;
	return true;
}

enum attribute {
	NONOP,
	IDLE,
	ENTRY,
	EXIT,
	ATTRIBUTES
};

static const char *const attributes[ATTRIBUTES] = { "nonop", "idle=", "entry=", "exit=" };

static enum attribute find_attribute(const char *word)
{
	enum attribute a = NONOP;

	while (a < ATTRIBUTES && strncmp(word, attributes[a], strlen(attributes[a])) != 0)
		a++;
	return a == NONOP && strcmp(word, "nonop") ? ATTRIBUTES : a;
}

/* One word of a state after its power; @given: a bit for each that was there. Return: NULL or what is wrong. */
static const char *parse_attribute(const char *word, struct model_power_state *ps,
				   unsigned int *given)
{
	enum attribute a = find_attribute(word);
	uint64_t value = 0;

	if (a == ATTRIBUTES)
		return "is unknown; idle=POWER, entry=TIME, exit=TIME or nonop";
	if (*given & 1U << a)
		return "is given twice";
	*given |= 1U << a;
	if (a == NONOP) {
		ps->operational = 0;
		return NULL;
	}
	word += strlen(attributes[a]);
	if (a == IDLE) {
		if (!parse_power(word, &value) || !value || value > UINT32_MAX)
			return "is not a power above 0; write idle=5W or idle=500mW";
		ps->idle_mw = value;
		return NULL;
	}
	if (!parse_time(word, &value) || value % 1000 || value / 1000 > UINT32_MAX)
		return "is not a time in whole microseconds; write 100us or 1.5ms";
	*(a == ENTRY ? &ps->entry_us : &ps->exit_us) = value / 1000;
	return NULL;
}

/* Takes @state to pieces. Return: NULL, or what is wrong with the word that @word is then. */
static const char *parse_state(char *state, struct model_power_state *ps, char **word)
{
	unsigned int given = 0;
	const char *wrong = NULL;
	uint64_t mw;

	*ps = (struct model_power_state){ .operational = 1 };
	*word = strsep(&state, ":");
	if (!parse_power(*word, &mw) || !mw || mw > UINT32_MAX)
		return "is not a power above 0; write 25W:idle=5W:entry=100us:exit=100us,12W,"
		       "3W:nonop";
	ps->max_mw = mw;
	while (!wrong && state) {
		*word = strsep(&state, ":");
		wrong = parse_attribute(*word, ps, &given);
	}
	return wrong;
}

unsigned int parse_power_states(const char *text, struct model_power_state *ps, char *why)
{
	char *copy = strdup(text), *rest = copy, *state, *word;
	unsigned int nr = 0;

	if (!copy)
		return 0;
	while ((state = strsep(&rest, ","))) {
		const char *wrong = "and what follows: more than 32 states";

		word = state;
		if (nr < MODEL_MAX_POWER_STATES)
			wrong = parse_state(state, &ps[nr], &word);
		nr++;
		if (!wrong)
			continue;
		snprintf(why, MODEL_WHY_LEN, "state %u: \"%.100s\" %s", nr - 1, word, wrong);
		nr = 0;
		break;
	}
	free(copy);
	return nr;
}
