/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results: one fio document -> its job entries in one set of units, whatever fio wrote it.
 * Knows every version's field names and units; merges and judges nothing.
 */
#ifndef PEAK_RESULT_H
#define PEAK_RESULT_H

#include "hist.h"
#include "read.h"

#include <math.h>
#include <stdbool.h>

/* MIXED is fio's sum of the directions (unified_rw_reporting); ALL, in the same place, is ours. */
enum direction {
	DIR_READ,
	DIR_WRITE,
	DIR_TRIM,
	DIR_MIXED,
	DIR_NR
};
#define DIR_ALL DIR_MIXED

/* "read", "write", "trim", "mixed" as fio spells them. */
extern const char *const direction_names[DIR_NR];

/* The percentiles that we keep. */
enum {
	P50,
	P90,
	P95,
	P99,
	P99_5,
	P99_9,
	P99_95,
	P99_99,
	P99_999,
	PCT_NR
};
extern const double pct_values[PCT_NR];
extern const char *const pct_names[PCT_NR]; /* "p99.9" */

/**
 * struct latency - one kind of latency in one direction; nanoseconds.
 * All NAN when fio did not measure it. @pct has NAN where fio printed none.
 * @field: fio's name of it ("clat_ns", "clat", ...), static.
 */
struct latency {
	double n, min, max, mean, stddev;
	double pct[PCT_NR];
	struct hist hist;
	const char *field;
};

/**
 * struct io - one direction of a job entry. NAN: fio did not say.
 * @ios: completed I/Os (fio before 2.1.14 does not print it: IOPS x runtime).
 */
struct io {
	bool present;
	double ios, bytes, runtime_ms, iops, bw_kib;
	bool ios_derived;
	struct latency clat, lat;
};

/**
 * struct entry - one element of "jobs" or "client_stats". Strings belong to the document.
 * @total_err: I/Os that failed under continue_on_error.
 * @runtime_asked: seconds, NAN when the job has no runtime option.
 * @clat_is_lat: fio 3.1 to 3.12 put percentiles of the total latency under clat.
 * @summary: "All clients", the sum of other entries.
 * @paced: the job was told to wait or to keep a latency (thinktime, latency_target).
 * @usr_cpu, @sys_cpu: percent of @job_runtime_ms. @ramp_asked: seconds, NAN without.
 * @size: the option "size". @steady: the criterion that fio was to wait for, NULL: none.
 * @options: fio's "job options", NULL when it listed none.
 */
struct entry {
	unsigned int index;
	const char *jobname, *host, *rw, *bs, *iodepth, *numjobs, *rate_iops, *rate, *ioengine,
		*filename;
	double groupid, port, job_start, elapsed;
	int error;
	double total_err;
	double runtime_asked, ramp_asked;
	double usr_cpu, sys_cpu, job_runtime_ms;
	const char *size, *steady;
	bool steady_attained;
	bool clat_is_lat, summary, paced;
	const json_t *options;
	struct io io[DIR_NR];
};

/**
 * struct run - one document. Free with run_free(); valid as long as its document.
 * @list: "jobs" or "client_stats".
 * @timestamp, @timestamp_ms: since the epoch, when fio printed it; NAN if unknown.
 * @options: "global options", NULL when fio listed none.
 * @cut_jobs: entries that were cut off and left out.
 */
struct run {
	const struct document *doc;
	const char *version, *list;
	double timestamp, timestamp_ms;
	const json_t *options;
	struct entry *entries;
	unsigned int nr, cut_jobs;
};

/* run_parse - never fails: what is missing is NAN, NULL or 0. */
void run_parse(struct run *run, const struct document *doc);
void run_free(struct run *run);

/* entry_has_io - did direction @dir of the entry complete anything? */
bool entry_has_io(const struct entry *e, enum direction dir);

/* entry_runtime_ms - the longest of its directions, 0 when it ran none. */
double entry_runtime_ms(const struct entry *e);

#endif
