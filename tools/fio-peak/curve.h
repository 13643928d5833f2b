/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Curves: the points of one workload on one drive, in steps of rising load. Says which point
 * stands for repeated runs, and which for the whole. The shape of a curve is shape.h's.
 */
#ifndef PEAK_CURVE_H
#define PEAK_CURVE_H

#include "fold.h"

/**
 * struct step - the points of one load; more than one are repeated runs.
 * @point: the one that stands for it: the median by IOPS (of an even number the lower one) of
 * those that did not fail, if there is any.
 * @good: how many did not fail. @lowest, @highest: their IOPS.
 */
struct step {
	const struct point **points;
	const struct point *point;
	unsigned int nr, good;
	double lowest, highest;
};

/**
 * struct curve - points of one drive and workload.
 * @points: by step. @steps: by offered load; where fio does not list the options of all points,
 * each is a step of its own, by the I/Os that it had in flight.
 * @peak: the step's point with the most IOPS (of those that did not fail, if there is any).
 * @peak_step: its step.
 * @known: fio lists the options of all points, so their loads are known.
 * @failed: how many points failed.
 * @repeats: points of the step that has the most.
 */
struct curve {
	unsigned int workload, drive;
	const struct point **points;
	struct step *steps;
	unsigned int nr, steps_nr, failed, repeats;
	bool known;
	const struct point *peak;
	const struct step *peak_step;
};

/**
 * struct curves - all of them, by workload and then drive, both in order of appearance.
 * @per_workload: how many drives have it.
 * @shown: those of the list in the order in which they are to be shown, workload by workload.
 * Names and points belong to the struct folded.
 */
struct curves {
	const char **drive_names, **workload_names;
	unsigned int drives, workloads;
	unsigned int *per_workload;
	const struct point **points;
	struct step *steps;
	struct curve *list;
	const struct curve **shown;
	size_t nr;
};

/* curves_make - sort the points into curves. Free with curves_free(). */
void curves_make(struct curves *c, const struct folded *f);
void curves_free(struct curves *c);

/* curves_find - the curve of a workload on a drive, NULL if the drive lacks it. */
const struct curve *curves_find(const struct curves *c, unsigned int workload, unsigned int drive);

/* step_spread - (highest - lowest) / median of repeated runs in percent; NAN where there are none. */
double step_spread(const struct step *s);

#endif
