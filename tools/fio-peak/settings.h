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
 * of jobs", "power state", "placement"; static), NULL if they are alike as far as fio says.
 */
const char *settings_differ(const struct point *a, const struct point *b);

/*
 * settings_list - the sizes or rates of read, write and trim in "4k", "4k,8k" or "1000,,500"; what is
 * not given is as the one before it. A number may have fio's suffix: k is 1024.
 * Return: false if it is something else; @values then holds nothing.
 */
bool settings_list(const char *s, double *values);

/*
 * settings_copies - how many copies of its job a point is of. With group_reporting they are one
 * entry, and numjobs says how many there were; a copy that is a point of its own is one.
 */
unsigned long settings_copies(const struct point *p);

#endif
