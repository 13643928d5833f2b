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

static bool parse_scaled(const char *text, const struct unit *units,
			 int (*compare)(const char *, const char *), uint64_t *out)
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
	if (value > 0x1p62L || fabsl(value - roundl(value)) > 1e-6L)
		return false;
	*out = (uint64_t)roundl(value);
	return true;
}

bool parse_size(const char *text, uint64_t *out)
{
	return parse_scaled(text, size_units, strcasecmp, out);
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

/* One word of a state after its power. */
static bool parse_attribute(const char *word, struct model_power_state *ps)
{
	uint64_t value;

	if (!strcmp(word, "nonop")) {
		ps->operational = 0;
		return true;
	}
	if (!strncmp(word, "idle=", 5)) {
		if (!parse_power(word + 5, &value) || !value || value > UINT32_MAX)
			return false;
		ps->idle_mw = value;
		return true;
	}
	if (strncmp(word, "entry=", 6) && strncmp(word, "exit=", 5))
		return false;
	if (!parse_time(strchr(word, '=') + 1, &value) || value % 1000 || value / 1000 > UINT32_MAX)
		return false;
	*(word[1] == 'n' ? &ps->entry_us : &ps->exit_us) = value / 1000;
	return true;
}

/* Takes @state to pieces. Return: the word that is wrong, NULL: none. */
static const char *parse_state(char *state, struct model_power_state *ps)
{
	char *word = strsep(&state, ":");
	uint64_t mw;

	*ps = (struct model_power_state){ .operational = 1 };
	if (!parse_power(word, &mw) || mw > UINT32_MAX)
		return word;
	ps->max_mw = mw;
	while ((word = strsep(&state, ":")))
		if (!parse_attribute(word, ps))
			return word;
	return NULL;
}

unsigned int parse_power_states(const char *text, struct model_power_state *ps, char *why)
{
	char *copy = strdup(text), *rest = copy, *state;
	unsigned int nr = 0;

	if (!copy)
		return 0;
	while ((state = strsep(&rest, ","))) {
		const char *wrong = "more than 32 states";

		if (nr < MODEL_MAX_POWER_STATES)
			wrong = parse_state(state, &ps[nr++]);
		if (!wrong)
			continue;
		snprintf(why, MODEL_WHY_LEN,
			 "\"%s\"; write 25W:idle=5W:entry=100us:exit=100us,12W,3W:nonop", wrong);
		nr = 0;
		break;
	}
	free(copy);
	return nr;
}
