// SPDX-License-Identifier: GPL-2.0-only
/* fio-peak's units of the command line. */
#include <math.h>

#include "t/unit/tap.h"
#include "tools/fio-peak/units.h"

/* @want: nanoseconds, a share, or bytes per second; -1: refused. */
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
	       { "", -1 },     { "1%%", -1 },  { "nan", -1 },	  { "1 %", -1 } },
  bandwidths[] = { { "64GB/s", 64e9 },	 { "1.5MB/s", 1.5e6 }, { "2TB/s", 2e12 },
		   { "7kB/s", 7000 },	 { "1KiB/s", 1024 },   { "1MiB/s", 1048576 },
		   { "2GiB/s", 0x1p31 }, { "1TiB/s", 0x1p40 }, { "64GB", -1 },
		   { "64", -1 },	 { "64G/s", -1 },      { "64Gb/s", -1 },
		   { "64gb/s", -1 },	 { "0GB/s", -1 },      { "-1GB/s", -1 },
		   { "64 GB/s", -1 },	 { "GB/s", -1 },       { "", -1 } };

/* Seconds since 1970; -1: refused. */
static const struct {
	const char *in;
	double want;
} dates[] = { { "1796236699", 1796236699 },
	      { "1796236699.25", 1796236699.25 },
	      { "2026-12-02T18:38:19Z", 1796236699 },
	      { "2026-12-02 18:38:19", 1796236699 },
	      { "2026-12-02T18:38:19.500Z", 1796236699.5 },
	      { "2026-12-02T19:38:19+01:00", 1796236699 },
	      { "2026-12-02T13:08:19-0530", 1796236699 },
	      { "2026-12-02T20:38:19+02", 1796236699 },
	      { "2026-12-02", -1 },
	      { "18:38:19", -1 },
	      { "2026-12-02T18:38:19x", -1 },
	      { "2026-12-02T18:38:19.Z", -1 },
	      { "2026-12-02T18:38:19+1", -1 },
	      { "", -1 },
	      { "time", -1 } };

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
	for (size_t i = 0; i < sizeof(bandwidths) / sizeof(bandwidths[0]); i++)
		ok(near(units_bandwidth(bandwidths[i].in), bandwidths[i].want), "bandwidth \"%s\"",
		   bandwidths[i].in);
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++)
		ok(near(units_date(dates[i].in), dates[i].want), "date \"%s\"", dates[i].in);
	return done_testing();
}
