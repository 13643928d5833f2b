/* SPDX-License-Identifier: GPL-2.0-only */
/* The workloads of a run: job files with their headers, found by what the user calls them. */
#ifndef CURVE_WORKLOAD_H
#define CURVE_WORKLOAD_H

#include <stdbool.h>

#include "tools/fio-curve/header.h"
#include "tools/fio-curve/jobfile.h"

/**
 * struct workload - one job file.
 * @family: the folder's name; below the job library the way to it, with - for /.
 * @name:   the file's without .fio.
 * @own_files: each job makes a file of its own (filename_format=): for folders.
 * @share:  of each section of @file, in curves; 0 to 1.
 */
struct workload {
	char *path, *family, *name;
	struct header header;
	struct jobfile file;
	bool own_files;
	double *share;
};

struct workloads {
	struct workload *workload;
	size_t nr, cap;
};

/*
 * workload_read - one file. Refuses a header that belies the file: one that says destroys=no and
 * writes. Return: NULL, or what is wrong, the caller's to free.
 */
char *workload_read(const char *path, const char *jobs, struct workload *out);
void workload_free(struct workload *w);

/**
 * workloads_find - add what @name means.
 * @name: a path to a job file or a folder of them; one below @jobs, with or without .fio; or "all":
 *        everything below @jobs but precondition/ and the folders called published.
 * @jobs: the job library; NULL: there is none.
 *
 * A folder's files come in the order in which they leave a drive as the next one needs it: streams
 * first, writes before reads, random writes last. Return: NULL, or what is wrong.
 */
char *workloads_find(const char *name, const char *jobs, struct workloads *list);
void workloads_free(struct workloads *list);

#endif
