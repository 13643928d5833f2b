/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shape: what a curve of latency over IOPS says. Maximum and practical peak, knee, fall-off, the
 * latency at low load, IOPS under a cap. Arithmetic only; options and words are others'.
 */
#ifndef PEAK_SHAPE_H
#define PEAK_SHAPE_H

#include "curve.h"

/* More caps than this would not fit a table. */
#define SHAPE_CAPS 8

/**
 * struct shape_rules - how to judge.
 * @plateau: the practical peak is within this share of the most IOPS, 0.01 is 1%.
 * @pct: the latency is this percentile (index), or the mean when it is -1.
 * @time_unit, @bandwidth_unit: in which figures are shown, see show.h; 0: us, MB/s.
 * @feed: bytes per second that drives are to feed, 0: none; @feed_name: as it is shown ("64GB/s").
 * @caps: in nanoseconds, @cap_names: as they are shown ("1ms"); @caps_nr of them.
 */
struct shape_rules {
	double plateau, feed;
	unsigned int time_unit, bandwidth_unit;
	const char *feed_name;
	int pct;
	unsigned int caps_nr;
	double caps[SHAPE_CAPS];
	const char *cap_names[SHAPE_CAPS];
};

/* What became of a cap. */
enum cap_result {
	CAP_CROSSED, /* the IOPS are where the latency first rises above it */
	CAP_NEVER_REACHED, /* the latency was above it all the time: there are no such IOPS */
	CAP_NEVER_LEFT, /* it was below it to the end */
	CAP_UNKNOWN /* upper bounds of the latency do not tell */
};

/* In words: "crossed", "never reached", "never left", "unknown". */
extern const char *const cap_result_names[];

/* @iops: NAN if there are none. @at_least: there may be more. */
struct cap_found {
	enum cap_result result;
	double iops;
	bool at_least;
};

/**
 * struct shape - the points are those of steps, none that failed or was cut off.
 * @nr: steps that count; with less than two there is no shape and the rest is empty.
 * @low: at the lowest load. @max: the most IOPS. @practical: of those within the plateau of @max the
 * lowest latency. @knee: the most IOPS / latency (Kleinrock's power).
 * @after: at the highest load, NULL if that is @max.
 * @fall_off: IOPS lost from @max to @after, percent; NAN when there was no higher load.
 */
struct shape {
	unsigned int nr;
	const struct point *low, *max, *practical, *knee, *after;
	double fall_off;
};

/* shape_latency - of all directions of a point, nanoseconds; NAN: not measured. */
double shape_latency(const struct point *p, const struct shape_rules *rules);

/* shape_bound - is that an upper bound (see struct spread)? */
bool shape_bound(const struct point *p, const struct shape_rules *rules);

/* shape_latency_name - of the rules' latency: "mean", "p99". */
const char *shape_latency_name(const struct shape_rules *rules);

/*
 * shape_varies - the setting that differs between the steps though a curve has one of it ("rw",
 * "bs", "power state", "placement"), NULL if none does.
 */
const char *shape_varies(const struct curve *c);

/* shape_mixes_files - do its points name different files (or drives) that they ran on? */
bool shape_mixes_files(const struct curve *c);

/* shape_find - the shape of a curve; one whose settings vary or are unknown has none. */
void shape_find(struct shape *s, const struct curve *c, const struct shape_rules *rules);

/* shape_point - the step's point when it counts in a shape, else NULL. */
const struct point *shape_point(const struct step *s, const struct shape_rules *rules);

/* shapes_make - an array with the shape of each curve, in their order. The caller's to free. */
struct shape *shapes_make(const struct curves *c, const struct shape_rules *rules);

/*
 * shape_has_cap - can shape_cap() tell? Of a curve with a shape it can, and where a review printed the
 * IOPS within that cap.
 */
bool shape_has_cap(const struct curve *c, const struct shape *s, const struct shape_rules *rules,
		   double cap_ns);

/*
 * shape_cap - the IOPS of a curve, see shape_has_cap(), while its latency is at most @cap_ns: the most
 * that a step had before the latency first rises above it, or what the line to the next step has
 * there, whichever is more.
 */
struct cap_found shape_cap(const struct curve *c, const struct shape_rules *rules, double cap_ns);

#endif
