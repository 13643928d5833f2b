/* SPDX-License-Identifier: GPL-2.0-only */
/* Before anything is written: what it costs, what it destroys, and may it? */
#ifndef CURVE_CONFIRM_H
#define CURVE_CONFIRM_H

#include "tools/fio-curve/plan.h"

/* cost_say - points, time, and bytes that will be written at least. */
void cost_say(const struct plan *p);

/* confirm_destroys - does a point that is to be run overwrite what @d holds? */
bool confirm_destroys(const struct drive *d);

/* confirm_guards - may all that is overwritten be? Return: NULL, or why not, the caller's to free. */
char *confirm_guards(const struct plan *p);

/*
 * confirm_plan - the question on the terminal; --yes answers it.
 * Return: NULL: go on; or why not, the caller's to free.
 */
char *confirm_plan(const struct plan *p);

#endif
