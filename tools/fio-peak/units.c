// SPDX-License-Identifier: GPL-2.0-only
/* A number in digits, with a point or not, and what stands behind it. */
#include "units.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* NAN when @s does not begin with one; strtod() alone would take "inf", "0x1" and "1e9". */
static double leading_number(const char *s, const char **unit)
{
	size_t whole = strspn(s, "0123456789"), part = 0;

	if (s[whole] == '.')
		part = 1 + strspn(s + whole + 1, "0123456789");
	*unit = s + whole + part;
	return whole && part != 1 ? strtod(s, NULL) : NAN;
}

double units_time(const char *s)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	const char *unit;
	double v = leading_number(s, &unit);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(unit, units[i].name))
			return v > 0 ? v * units[i].ns : NAN;
	return NAN;
}

double units_bandwidth(const char *s)
{
	static const struct {
		const char *name;
		double bytes;
	} units[] = { { "kB/s", 1e3 },
		      { "MB/s", 1e6 },
		      { "GB/s", 1e9 },
		      { "TB/s", 1e12 },
		      { "KiB/s", 1024 },
		      { "MiB/s", 1024 * 1024 },
		      { "GiB/s", 1024.0 * 1024 * 1024 },
		      { "TiB/s", 1024.0 * 1024 * 1024 * 1024 } };
	const char *unit;
	double v = leading_number(s, &unit);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(unit, units[i].name))
			return v > 0 ? v * units[i].bytes : NAN;
	return NAN;
}

/* -1: there are none. */
static int two_digits(const char **s)
{
	int v = -1;

	if (isdigit((unsigned char)(*s)[0]) && isdigit((unsigned char)(*s)[1])) {
		v = ((*s)[0] - '0') * 10 + (*s)[1] - '0';
		*s += 2;
	}
	return v;
}

/* "", "Z", "+01:00", "+0100", "+01" -> seconds; NAN: something else. */
static double zone_seconds(const char *s)
{
	int sign = *s == '-' ? -1 : 1, hours, minutes = 0;

	if (!*s || !strcmp(s, "Z"))
		return 0;
	if (*s != '+' && *s != '-')
		return NAN;
	s++;
	hours = two_digits(&s);
	s += *s == ':';
	if (*s)
		minutes = two_digits(&s);
	return hours < 0 || minutes < 0 || *s ? NAN : sign * 60.0 * (hours * 60 + minutes);
}

double units_date(const char *s)
{
	const char *rest;
	struct tm tm = { 0 };
	double v = leading_number(s, &rest), zone;

	if (!*rest)
		return v;
	rest = strptime(s, "%Y-%m-%d", &tm);
	if (!rest || (*rest != 'T' && *rest != ' '))
		return NAN;
	rest = strptime(rest + 1, "%H:%M:%S", &tm);
	if (!rest)
		return NAN;
	v = 0;
	if (*rest == '.') {
		size_t digits = strspn(rest + 1, "0123456789");

		v = digits ? strtod(rest, NULL) : NAN;
		rest += 1 + digits;
	}
	zone = zone_seconds(rest);
	return (double)timegm(&tm) + v - zone;
}

double units_percent(const char *s)
{
	const char *unit;
	double v = leading_number(s, &unit);

	if (*unit && strcmp(unit, "%"))
		return NAN;
	return v <= 100 ? v / 100 : NAN;
}
