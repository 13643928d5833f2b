/* SPDX-License-Identifier: GPL-2.0-only */
/* Running a plan: one fio after the other, each result kept, each step written down. */
#ifndef CURVE_RUN_H
#define CURVE_RUN_H

#include "tools/fio-curve/plan.h"

enum {
	STATUS_FINE = 0,
	STATUS_FAILED = 1, /* a point failed */
	STATUS_USAGE = 2,
	STATUS_SIGNAL = 128 /* and the signal's number */
};

/* run_plan - @version: fio's. Return: the exit status. */
int run_plan(struct plan *p, const char *version);

/* run_dry - print every job file and command line; nothing is written. Return: the exit status. */
int run_dry(struct plan *p);

#endif
