/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings: do two points have the same ones as fio understands them, whatever way they were
 * written or left to fio's defaults? Says nothing about which settings a comparison may differ in.
 */
#ifndef PEAK_SETTINGS_H
#define PEAK_SETTINGS_H

#include "point.h"

/*
 * settings_differ - the first setting in which the points differ ("rw", "bs", "iodepth", "number
 * of jobs"; static), NULL if they are alike as far as fio says.
 */
const char *settings_differ(const struct point *a, const struct point *b);

#endif
