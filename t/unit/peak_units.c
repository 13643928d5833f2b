// SPDX-License-Identifier: GPL-2.0-only
/* fio-peak's units of the command line. */
#include <math.h>

#include "t/unit/tap.h"
#include "tools/fio-peak/units.h"

/* @want: nanoseconds, or a share; -1: refused. */
static const struct {
	const char *in;
	double want;
} times[] = { { "1ms", 1e6 },	  { "250us", 250e3 }, { "0.5s", 5e8 }, { "800ns", 800 },
	      { "1.25us", 1250 }, { "1", -1 },	      { "", -1 },      { "ms", -1 },
	      { "0ms", -1 },	  { "-1ms", -1 },     { "1 ms", -1 },  { "1e3us", -1 },
	      { "infms", -1 },	  { "nans", -1 },     { "0x1ms", -1 }, { "1.ms", -1 },
	      { ".5ms", -1 },	  { "1msx", -1 },     { "1min", -1 } },
  shares[] = { { "1%", 0.01 }, { "1", 0.01 },  { "0.5%", 0.005 }, { "0", 0 },
	       { "100%", 1 },  { "101%", -1 }, { "-1%", -1 },	  { "%", -1 },
	       { "", -1 },     { "1%%", -1 },  { "nan", -1 },	  { "1 %", -1 } };

static bool near(double got, double want)
{
	return want < 0 ? isnan(got) : fabs(got - want) <= 1e-9 * want;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		ok(near(units_time(times[i].in), times[i].want), "time \"%s\"", times[i].in);
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		ok(near(units_percent(shares[i].in), shares[i].want), "percent \"%s\"",
		   shares[i].in);
	return done_testing();
}
