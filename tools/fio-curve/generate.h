/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The job file of one point: a workload's sections with target, engine, region, times and rates
 * written in, since options on fio's command line lose to those of a file. The same input always
 * gives the same text: that is how a finished point is known.
 */
#ifndef CURVE_GENERATE_H
#define CURVE_GENERATE_H

#include "tools/fio-curve/region.h"

enum point_kind {
	POINT_FILL, /* a file of precondition/ as it stands, before everything */
	POINT_STEADY, /* the workload until it is steady */
	POINT_CALIBRATE, /* of several sections the one with the largest share, alone */
	POINT_MAX, /* without a rate */
	POINT_PERCENT, /* of that */
	POINT_GRID,
	POINT_RATED, /* with the file's own rates */
	POINT_ONCE, /* as it stands */
};

/**
 * struct point_spec - what the point is.
 * @percent, @max: of POINT_PERCENT: part of these IOPS.
 * @calibrated: of POINT_MAX of several sections: IOPS of POINT_CALIBRATE.
 * @sidecar: where the engine shall write its telemetry; NULL: nowhere.
 * @grid: of POINT_GRID, and of POINT_STEADY where @grid.jobs is not 0.
 */
struct point_spec {
	enum point_kind kind;
	unsigned int percent;
	double max, calibrated;
	const char *sidecar;
	struct grid_point grid;
};

/**
 * struct generated - @asked: IOPS that the point is about, all hosts together; 0: as many as it can.
 * @rated: what the rates in the file come to; differs from @asked by rounding.
 * @job_ms: how long all jobs run, ramp left out; 0: nobody can say.
 * @pace:  "none", "poisson", "linear", "file".
 * @note:  what the user should know of it, or NULL; the caller's to free.
 */
struct generated {
	struct jobfile file;
	uint64_t asked;
	double rated, job_ms;
	const char *pace;
	char *note;
};

/* generate - Return: NULL, or why there can be no such point, the caller's to free. */
char *generate(const struct settings *s, const struct target *t, const struct workload *w,
	       const struct point_spec *spec, struct generated *out);
void generated_free(struct generated *g);

/* point_stem - the point's name: "max", "010", "4x16", "rated"; hidden ones begin with a dot. */
const char *point_stem(const struct point_spec *spec, char stem[24]);

/*
 * point_ms - how long fio will take for it, in ms, without its own overhead; of one that ends by
 * itself 0, of one that ends when it is steady the longest.
 */
uint64_t point_ms(const struct settings *s, const struct workload *w,
		  const struct point_spec *spec);

/* The engine for a target: what the user said, or ours for NVMe and model drives, or io_uring. */
char *engine_choose(const struct settings *s, const struct target *t, char **engine);

#endif
