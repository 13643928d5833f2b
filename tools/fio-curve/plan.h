/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is to be run: every point of every workload on every drive, in order, and how each of them
 * stands. Runs nothing and writes nothing.
 */
#ifndef CURVE_PLAN_H
#define CURVE_PLAN_H

#include "tools/fio-curve/generate.h"
#include "tools/fio-curve/outcome.h"
#include "tools/fio-curve/settings.h"
#include "tools/fio-curve/target.h"
#include "tools/fio-curve/workload.h"

enum point_state {
	POINT_TO_RUN,
	POINT_CHANGED, /* finished under another plan: to be run again */
	POINT_DONE,
	POINT_FAILED,
	POINT_SKIPPED, /* what it builds on failed */
};

/**
 * struct point - one fio run.
 * @name:   "vdbench/randread-4k/010", in messages and in run.json.
 * @stem:   its files without their suffix: OUT/DRIVE/FAMILY/WORKLOAD/010.
 * @folder: where they lie.
 * @sidecar: file for the engine's telemetry; NULL: none.
 * @change: of POINT_CHANGED: what differs, or NULL.
 * @outcome: of POINT_DONE.
 */
struct point {
	const struct workload *workload;
	struct point_spec spec;
	char *name, *stem, *folder, *change, *sidecar;
	enum point_state state;
	struct outcome outcome;
};

/* All points of one drive, in the order in which they run. @folder: OUT/DRIVE. */
struct drive {
	struct target target;
	char *folder;
	struct point *point;
	size_t nr, cap;
};

struct plan {
	const struct settings *settings;
	struct drive *drive;
	size_t nr, cap;
	struct workloads workloads, fills;
};

/* plan_add_drive - the target becomes the plan's, also on failure. Return: NULL, or why not. */
char *plan_add_drive(struct plan *p, struct target *t);

/* plan_make - the points, once drives and workloads are there. Return: NULL, or why not. */
char *plan_make(struct plan *p);

/* plan_survey - look at what earlier runs left; sets the states. */
void plan_survey(struct plan *p);

/*
 * plan_leftovers - results in the workloads' folders that are of no point of the plan: how many, and the
 * path of one in @first, the caller's to free.
 */
size_t plan_leftovers(const struct drive *d, char **first);
void plan_free(struct plan *p);

/* What earlier points of a workload came to: 0, not known. */
struct known {
	const struct workload *workload;
	double calibrated, max;
};

/*
 * point_resolve - put what is known into @p's spec. Points of a drive are to be asked in their order.
 * Return: false: the point that it builds on has no result.
 */
bool point_resolve(struct point *p, struct known *k);

/* Where no maximum is known yet, a rehearsal has this one. */
#define PLAN_ASSUMED_IOPS 100000

/**
 * plan_rehearse - make the job file of every point, and run none.
 * @visit: called with each; @assumed: its rates are for PLAN_ASSUMED_IOPS. NULL: it is enough that it can
 *         be made.
 * Return: NULL, or why one cannot be, the caller's to free.
 */
char *plan_rehearse(struct plan *p, void (*visit)(const struct plan *p, const struct point *point,
						  const struct generated *g, bool assumed));

/* point_learn - a point is done: keep what later ones need. */
void point_learn(const struct point *p, struct known *k);

/* point_path - STEM and a suffix, the caller's to free. */
char *point_path(const struct point *p, const char *suffix);

/* Is it to be run? Does it write? */
bool point_runs(const struct point *p);
bool point_writes(const struct point *p);

/* point_readonly - may fio be told to refuse writes? Not where it has to make its files first. */
bool point_readonly(const struct point *p);

#endif
