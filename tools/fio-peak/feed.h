/* SPDX-License-Identifier: GPL-2.0-only */
/* Feeding: how many drives read as fast as something takes data, as reviews reckon for GPUs. */
#ifndef PEAK_FEED_H
#define PEAK_FEED_H

#include "shape.h"

/*
 * feed_drives - how many drives it takes for rules->feed, by the bandwidth of this sequential read.
 * Return: 0 where nothing was asked, the workload is none (or fio does not tell), or it failed.
 */
unsigned long feed_drives(const struct curve *c, const struct shape_rules *rules);

#endif
