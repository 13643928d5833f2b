/* SPDX-License-Identifier: GPL-2.0-only */
/* Units of the command line: times and percentages. */
#ifndef PEAK_UNITS_H
#define PEAK_UNITS_H

/*
 * units_time - "250us", "1ms", "0.5s", "800ns" -> nanoseconds. A unit has to be there.
 * Return: NAN when it is anything else, or not above 0.
 */
double units_time(const char *s);

/*
 * units_bandwidth - "64GB/s", "61.5GiB/s" -> bytes per second. kB, MB, GB and TB are decimal, KiB to TiB
 * binary; the unit has to be there.
 * Return: NAN when it is anything else, or not above 0.
 */
double units_bandwidth(const char *s);

/*
 * units_date - "2026-12-02T18:38:19.5Z", "2026-12-02 19:38:19+01:00", or seconds since 1970 -> the latter.
 * Without a zone it is UTC. Return: NAN when it is anything else.
 */
double units_date(const char *s);

/* units_percent - "1%", "0.5%" or without the sign -> a share, 0.01. NAN: not 0 to 100. */
double units_percent(const char *s);

#endif
