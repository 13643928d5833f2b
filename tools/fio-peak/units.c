// SPDX-License-Identifier: GPL-2.0-only
/* A number in digits, with a point or not, and what stands behind it. */
#include "units.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

double units_percent(const char *s)
{
	const char *unit;
	double v = leading_number(s, &unit);

	if (*unit && strcmp(unit, "%"))
		return NAN;
	return v <= 100 ? v / 100 : NAN;
}
