/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Curves: the points of one workload on one drive. Says which point stands for it.
 */
#ifndef PEAK_CURVE_H
#define PEAK_CURVE_H

#include "fold.h"

/**
 * struct curve - points of one drive and workload, in the order in which they were read.
 * @peak: the one with the most IOPS (of those that did not fail, if there is any).
 * @failed: how many failed.
 */
struct curve {
	unsigned int workload, drive;
	const struct point **points;
	unsigned int nr, failed;
	const struct point *peak;
};

/**
 * struct curves - all of them, by workload and then drive, both in order of appearance.
 * @per_workload: how many drives have it.
 * Names and points belong to the struct folded.
 */
struct curves {
	const char **drive_names, **workload_names;
	unsigned int drives, workloads;
	unsigned int *per_workload;
	const struct point **points;
	struct curve *list;
	size_t nr;
};

/* curves_make - sort the points into curves. Free with curves_free(). */
void curves_make(struct curves *c, const struct folded *f);
void curves_free(struct curves *c);

/* curves_find - the curve of a workload on a drive, NULL if the drive lacks it. */
const struct curve *curves_find(const struct curves *c, unsigned int workload, unsigned int drive);

#endif
