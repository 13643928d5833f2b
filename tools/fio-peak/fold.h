/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folding: the job entries of a document -> points. Merges the numjobs copies of a job, drops the
 * interim documents of a run, flags what is doubtful. Documents are folded as they are read, so
 * no document or histogram outlives its turn. Names drives and workloads not: label.h does.
 */
#ifndef PEAK_FOLD_H
#define PEAK_FOLD_H

#include "interim.h"
#include "point.h"

/* The document before, to tell the interim documents of a run (status-interval) from new runs. */
struct previous {
	struct look look;
	size_t first; /* of its points */
	unsigned int interim; /* documents of the run that came before */
	struct read_text text;
};

/**
 * struct folded - all points so far; zero-initialise, free with folded_free().
 * @unmerged: one point for each job entry, interim documents kept.
 */
struct folded {
	struct point *points;
	size_t nr, cap;
	bool unmerged;
	struct previous previous;
};

/* Where the document that is being folded lies; see struct point. */
struct origin {
	const char *file, *rel;
	unsigned int input;
};

/* fold_file_begin - the next documents come from another file. */
void fold_file_begin(struct folded *f);

/* fold_document - append the document's points. */
void fold_document(struct folded *f, const struct origin *origin, const struct document *doc);

/* fold_file_end - fio's lines after the last document belong to that document's points. */
void fold_file_end(struct folded *f, const struct read_text *text);

/* fold_drop - forget the points from @first on; the document before is none of them. */
void fold_drop(struct folded *f, size_t first);

void folded_free(struct folded *f);

#endif
