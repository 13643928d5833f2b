/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interim documents: tells the documents that fio prints while it runs (status-interval) from
 * those of new runs appended to the same file. Decides only that; fold.h acts upon it.
 */
#ifndef PEAK_INTERIM_H
#define PEAK_INTERIM_H

#include "result.h"

/* What is remembered of one job entry. */
struct look_entry {
	double ios, bytes, runtime_ms, total_err;
	int error;
};

/**
 * struct look - what is remembered of a document. Zero-initialised: of none.
 * @jobs: a hash of the entries' names, hosts, groups and options.
 * @printed_ms: since the epoch, NAN if unknown; in whole seconds unless @exact.
 * @age_ms: the run is at least as old.
 * @job_start: of the first job, as fio 3.36 prints it, NAN or 0 if unknown.
 */
struct look {
	unsigned long jobs;
	unsigned int nr;
	bool exact;
	double printed_ms, age_ms, job_start;
	struct look_entry *entries;
};

/* look_make - remember @run. Free with look_free(). */
void look_make(struct look *l, const struct run *run);
void look_free(struct look *l);

/* look_same_run - is @b, read after @a, a later document of the run that @a shows? */
bool look_same_run(const struct look *a, const struct look *b);

#endif
