/* SPDX-License-Identifier: GPL-2.0-only */
/* Meters: watts that were read outside of the drive, in a CSV file of times and watts. */
#ifndef PEAK_METER_H
#define PEAK_METER_H

#include "fold.h"

/*
 * meter_apply - give points, whose drives have their names, the mean power while they ran.
 * @spec: "LABEL=FILE" for one drive, "FILE" for all. A line of the file: a time (units_date()), a comma,
 * watts; what follows does not count, nor does a first line of names.
 * Return: NULL, or one line that says what is wrong (the caller's to free).
 */
char *meter_apply(struct folded *f, const char *spec);

#endif
