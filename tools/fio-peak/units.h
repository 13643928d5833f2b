/* SPDX-License-Identifier: GPL-2.0-only */
/* Units of the command line: times and percentages. */
#ifndef PEAK_UNITS_H
#define PEAK_UNITS_H

/*
 * units_time - "250us", "1ms", "0.5s", "800ns" -> nanoseconds. A unit has to be there.
 * Return: NAN when it is anything else, or not above 0.
 */
double units_time(const char *s);

/* units_percent - "1%", "0.5%" or without the sign -> a share, 0.01. NAN: not 0 to 100. */
double units_percent(const char *s);

#endif
