/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Line 2 of our job files: what a file's workload is and how to measure it.
 *   # fio-peak: mode=curve shape=mixed destroys=yes time=30+30s shares=data:99,log:1
 */
#ifndef CURVE_HEADER_H
#define CURVE_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/fio-curve/points.h"

enum mode {
	MODE_CURVE, /* the maximum, then percentages of it */
	MODE_GRID, /* numjobs and iodepth over a grid */
	MODE_RATED, /* the file's own rates, once */
	MODE_ONCE /* as it stands */
};

enum shape {
	SHAPE_STREAM,
	SHAPE_RANDOM,
	SHAPE_MIXED
};

/* What the drive goes through before: a set, in this order. */
enum precondition {
	PRECONDITION_NONE = 0,
	PRECONDITION_FILL = 1, /* one sequential pass over the whole target */
	PRECONDITION_RANDOM = 2, /* every block once in random order, after a fill */
	PRECONDITION_STEADY = 4, /* the workload itself until its IOPS are steady */
};

/**
 * struct header - what the line says.
 * @timed:  ends after @ramp_ms and @run_ms; else after one or more passes.
 * @shares: as it stands, "data:99,log:1"; NULL: none. rates.h reads it.
 */
struct header {
	enum mode mode;
	enum shape shape;
	bool destroys, timed;
	uint64_t ramp_ms, run_ms;
	unsigned int passes;
	char *shares;
	struct grid grid;
	unsigned int precondition; /* PRECONDITION_... */
};

/*
 * header_read - from the file @path. Return: NULL, or what is wrong, the caller's to free.
 */
char *header_read(const char *path, struct header *out);
void header_free(struct header *h);

/* header_parse - from the line itself; @path is for messages. */
char *header_parse(const char *line, const char *path, struct header *out);

/*
 * precondition_parse - "none", or names of the set with commas: "fill,steady". random implies fill.
 * Return: NULL, or what is wrong, the caller's to free.
 */
char *precondition_parse(const char *text, unsigned int *out);

#endif
