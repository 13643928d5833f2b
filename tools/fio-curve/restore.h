/* SPDX-License-Identifier: GPL-2.0-only */
/* Power states that killed runs have left, see POWER STATES in nvmept(7). */
#ifndef CURVE_RESTORE_H
#define CURVE_RESTORE_H

#include "tools/fio-curve/settings.h"

/*
 * restore_all - have the engine put back what every journal of this user says
 *
 * One short fio run for each drive: the engine knows which state is whose, and that runs still going
 * are to be left alone. Says what became of each. Return: 0; 1: a state could not be put back.
 */
int restore_all(const struct settings *s);

#endif
