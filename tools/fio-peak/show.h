/* SPDX-License-Identifier: GPL-2.0-only */
/* Figures and the words for them, in the units that were asked for; of what people read only. */
#ifndef PEAK_SHOW_H
#define PEAK_SHOW_H

#include "compare.h"

/*
 * show_unit - set the unit of latencies (ns, us, ms, s) or of bandwidths (MB/s, GB/s, MiB/s, GiB/s).
 * Return: false when @name is none of them.
 */
bool show_unit(struct shape_rules *rules, const char *name);

/* The names of all units, for a message. */
#define SHOW_UNITS "us, ns, ms, s; MB/s, GB/s, MiB/s, GiB/s"

/* show_latency - of nanoseconds; @bound puts "<=" before it. The caller's to free. */
char *show_latency(const struct shape_rules *rules, double ns, bool bound);

/* show_latency_of - what the rules' latency of a point is. The caller's to free. */
char *show_latency_of(const struct shape_rules *rules, const struct point *p);

/* show_metric - @v is what metric_value() says. The caller's to free. */
char *show_metric(const struct shape_rules *rules, int metric, double v, bool bound);

/* show_title - of a metric, "GB/s" where bandwidth is in those. */
const char *show_title(const struct shape_rules *rules, int metric);

/* show_time - "us". show_time_word - "microseconds". show_ns - how many are one of them. */
const char *show_time(const struct shape_rules *rules);
const char *show_time_word(const struct shape_rules *rules);
double show_ns(const struct shape_rules *rules);

/* show_bandwidth_words - "MB/s are 10^6 bytes/s". */
const char *show_bandwidth_words(const struct shape_rules *rules);

#endif
