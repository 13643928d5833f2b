// SPDX-License-Identifier: GPL-2.0-only
/* Numbers, see values.h. */
#include "tools/fio-curve/values.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The number at the start of @text, without a sign, an exponent or hexadecimal digits. */
static bool leading(const char *text, long double *value, const char **end)
{
	size_t digits = strspn(text, "0123456789.");
	char *stop;

	if (!isdigit((unsigned char)*text))
		return false;
	*value = strtold(text, &stop);
	*end = text + digits;
	return stop == *end;
}

bool value_bytes(const char *text, bool fio, uint64_t *out)
{
	static const char prefixes[] = "kmgtp";
	long double value, base = 1024;
	const char *unit, *prefix;

	if (!leading(text, &value, &unit))
		return false;
	if (*unit && (prefix = strchr(prefixes, tolower((unsigned char)*unit)))) {
		unit++;
		if (*unit == 'i' || *unit == 'I') {
			unit++;
			base = fio ? 1000 : 1024;
		}
		value *= powl(base, (long double)(prefix - prefixes + 1));
	}
	if (strcasecmp(unit, "b") && *unit)
		return false;
	if (value > 0x1p62L || fabsl(value - roundl(value)) > 1e-6L)
		return false;
	*out = (uint64_t)roundl(value);
	return true;
}

bool value_number(const char *text, uint64_t *out)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return !errno && !*end;
}

bool value_percent(const char *text, unsigned int *out)
{
	char *end;
	unsigned long value;

	if (!isdigit((unsigned char)*text))
		return false;
	value = strtoul(text, &end, 10);
	if (strcmp(end, "%") || !value || value > 100)
		return false;
	*out = (unsigned int)value;
	return true;
}

bool value_ms(const char *text, uint64_t *out)
{
	static const struct {
		const char *name;
		long double ms;
	} units[] = { { "", 1e3 },   { "us", 1e-3L }, { "ms", 1 },     { "s", 1e3 },
		      { "m", 60e3 }, { "h", 3600e3 }, { "d", 86400e3 } };
	long double value;
	const char *unit;

	if (!leading(text, &value, &unit))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcasecmp(units[i].name, unit))
			continue;
		value *= units[i].ms;
		if (value > 1000 * 86400e3L)
			return false;
		*out = (uint64_t)roundl(value);
		return true;
	}
	return false;
}

const char *value_ms_text(uint64_t ms, char text[24])
{
	snprintf(text, 24, "%" PRIu64 "%s", ms % 1000 ? ms : ms / 1000, ms % 1000 ? "ms" : "");
	return text;
}

const char *value_thousands(uint64_t n, char text[28])
{
	char digits[24];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, n);
	char *to = text;

	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = 0;
	return text;
}

const char *value_size_text(uint64_t bytes, char text[16])
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	double value = (double)bytes;
	size_t i = 0;

	while (value >= 1000 && i + 1 < sizeof(units) / sizeof(units[0])) {
		value /= 1000;
		i++;
	}
	snprintf(text, 16, "%.3g %s", value, units[i]);
	return text;
}

bool value_is_plain(const char *text)
{
	for (const char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c) || strchr("$#;", *c))
			return false;
	return *text && !isspace((unsigned char)*text) &&
	       !isspace((unsigned char)text[strlen(text) - 1]);
}

const char *value_clock(uint64_t ms, char text[24])
{
	uint64_t s = (ms + 999) / 1000;

	if (s >= 3600)
		snprintf(text, 24, "%" PRIu64 ":%02u:%02u", s / 3600, (unsigned int)(s / 60 % 60),
			 (unsigned int)(s % 60));
	else
		snprintf(text, 24, "%u:%02u", (unsigned int)(s / 60), (unsigned int)(s % 60));
	return text;
}
