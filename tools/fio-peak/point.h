/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Points: what is kept of a run once its document is gone. One point is one workload at one
 * setting on one drive; the unit that curves are made of. Data only.
 */
#ifndef PEAK_POINT_H
#define PEAK_POINT_H

#include "conditions.h"
#include "result.h"

/* What makes a point doubtful; the texts are in point.c. */
enum flag {
	FLAG_FAILED = 1 << 0,
	FLAG_SHORT = 1 << 1,
	FLAG_CUT = 1 << 2,
	FLAG_INTERIM = 1 << 3,
	FLAG_WORST = 1 << 4,
	FLAG_FEW = 1 << 5,
	FLAG_TOTAL = 1 << 6,
	FLAG_SATURATED = 1 << 7,
	FLAG_IN_FLIGHT = 1 << 8,
	FLAG_PUBLISHED = 1 << 9,
};

/* The p99.99 of fewer I/Os than this is the slowest I/O. */
#define POINT_FEW 10000

struct flag_text {
	enum flag flag;
	char letter;
	const char *name; /* one word, for csv and json */
	const char *meaning; /* a line of the table's legend */
};

#define FLAG_TEXTS 10
extern const struct flag_text flag_texts[FLAG_TEXTS];

/**
 * struct spread - a latency over several I/Os; nanoseconds, NAN when not measured.
 * @n: samples. @worst: percentiles are the worst of the merged entries, an upper bound.
 */
struct spread {
	double n, mean, stddev, min, max;
	double pct[PCT_NR];
	bool worst;
};

/**
 * struct figures - one direction of a point.
 * @from: entries x directions that were merged into it.
 * @iops: as fio printed it when nothing was merged, else I/Os over the longest runtime.
 * @bytes, @bytes_s: (over the longest runtime) NAN when fio did not say it of all entries.
 */
struct figures {
	bool present;
	unsigned int from;
	double ios, bytes, runtime_ms, iops, bytes_s;
	struct spread clat, lat;
};

/**
 * struct short_job - the shortest of the jobs that FLAG_SHORT is for.
 * @asked_ms: its runtime option, NAN without. @longest_ms: of all that were merged.
 */
struct short_job {
	double ms, asked_ms, longest_ms;
};

/**
 * struct load - what a point was asked to do, see load.h. NAN: not known.
 * @asked: I/Os per second, INFINITY without a limit. @outstanding: I/Os that jobs x iodepth keep in
 * flight. @in_flight: that were, by Little's law: IOPS x mean total latency.
 */
struct load {
	double asked, outstanding, in_flight;
};

/**
 * struct point - see above. Strings are its own; any may be NULL where fio did not say.
 * @drive, @workload: set by label.c; before that the job's name.
 * @family: the folder above the workload's in the results layout.
 * @drive_from, @workload_from: what they were named by, in words; static.
 * @options: fio listed the job's options: what is NULL has fio's default.
 * @rel: the file's path below what the user named ("" for a file).
 * @input: which argument it came from.
 * @own_sum: DIR_ALL is fio's own sum ("mixed").
 * @own: our own JSON (own.h) that it was read from, or NULL; @file is still the run's.
 * @review, @note: where it was published, and what to know about it. Figures of a review that it did not
 * print are NAN.
 * @within_ns, @within_iops: the review says up to how many IOPS the latency stays below that; 0: it does
 * not.
 * @apart: one of several copies of its job that are points of their own: numjobs is of all of them.
 * @paced: the job was told to wait between I/Os, or to keep a latency.
 * @latency_field: fio's name of the completion latency, static.
 * @dir: DIR_ALL is always present; the others where there were I/Os.
 */
struct point {
	char *drive, *workload, *family, *jobname, *host;
	char *file, *rel, *entries, *version;
	char *rw, *bs, *iodepth, *numjobs, *rate_iops, *rate, *ioengine, *filename;
	char *error_text;
	char *review, *note, *own;
	const char *latency_field;
	const char *drive_from, *workload_from;
	bool own_sum, options, paced, apart;
	unsigned int input, document, jobs, names, interim, cut_jobs, error_lines, flags;
	int error;
	double total_err, timestamp, within_ns, within_iops;
	struct short_job short_job;
	struct load load;
	struct conditions conditions;
	struct figures dir[DIR_NR];
};

/* point_directions - number of read, write and trim that are present. */
unsigned int point_directions(const struct point *p);

/*
 * point_direction_name - "read", "write", "trim", and for DIR_ALL the only direction there is,
 * or "all".
 */
const char *point_direction_name(const struct point *p, enum direction dir);

/* point_per_watt - IOPS per watt, 0: unknown, see conditions_watts(). */
double point_per_watt(const struct point *p);

/* point_free - release its strings. */
void point_free(struct point *p);

#endif
