/* SPDX-License-Identifier: GPL-2.0-only */
/* Explaining: what each point was made of, how it was named, and what it became. */
#ifndef PEAK_EXPLAIN_H
#define PEAK_EXPLAIN_H

#include "report.h"

/* explain_points - a line on stderr for each point, by workload, drive and load. */
void explain_points(const struct report *r);

#endif
