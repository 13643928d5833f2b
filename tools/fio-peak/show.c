// SPDX-License-Identifier: GPL-2.0-only
/* See show.h. The first of each table is what fio-peak shows when nothing was asked for. */
#include "show.h"
#include "alloc.h"
#include "table.h"

static const struct {
	const char *name, *word;
	double ns;
} times[] = { { "us", "microseconds", 1e3 },
	      { "ns", "nanoseconds", 1 },
	      { "ms", "milliseconds", 1e6 },
	      { "s", "seconds", 1e9 } };

static const struct {
	const char *name, *words;
	double bytes;
} bandwidths[] = { { "MB/s", "MB/s are 10^6 bytes/s", 1e6 },
		   { "GB/s", "GB/s are 10^9 bytes/s", 1e9 },
		   { "MiB/s", "MiB/s are 2^20 bytes/s", 1 << 20 },
		   { "GiB/s", "GiB/s are 2^30 bytes/s", 1 << 30 } };

bool show_unit(struct shape_rules *rules, const char *name)
{
	for (unsigned int i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (strcmp(name, times[i].name))
			continue;
		rules->time_unit = i;
		return true;
	}
	for (unsigned int i = 0; i < sizeof(bandwidths) / sizeof(bandwidths[0]); i++) {
		if (strcmp(name, bandwidths[i].name))
			continue;
		rules->bandwidth_unit = i;
		return true;
	}
	return false;
}

/* In a large unit there is much below 1: three digits of it, where number_text() has two places. */
static char *scaled_text(double v, bool large, bool bound)
{
	if (!large || !(v > 0 && v < 0.995))
		return number_text(v, bound);
	return alloc_printf("%s%.*f", bound ? "<=" : "", (int)fmin(9, 2 - floor(log10(v))), v);
}

char *show_latency(const struct shape_rules *rules, double ns, bool bound)
{
	double one = show_ns(rules);

	return scaled_text(ns / one, one > 1e3, bound);
}

char *show_latency_of(const struct shape_rules *rules, const struct point *p)
{
	return show_latency(rules, shape_latency(p, rules), shape_bound(p, rules));
}

char *show_metric(const struct shape_rules *rules, int metric, double v, bool bound)
{
	double bytes = bandwidths[rules->bandwidth_unit].bytes;

	if (metric == METRIC_IOPS)
		return number_text(v, bound);
	if (metric == METRIC_MB_S)
		return scaled_text(v * 1e6 / bytes, bytes > 1e8, bound);
	return show_latency(rules, v * 1000, bound);
}

const char *show_title(const struct shape_rules *rules, int metric)
{
	return metric == METRIC_MB_S ? bandwidths[rules->bandwidth_unit].name
				     : metrics[metric].title;
}

const char *show_time(const struct shape_rules *rules)
{
	return times[rules->time_unit].name;
}

const char *show_time_word(const struct shape_rules *rules)
{
	return times[rules->time_unit].word;
}

double show_ns(const struct shape_rules *rules)
{
	return times[rules->time_unit].ns;
}

const char *show_bandwidth_words(const struct shape_rules *rules)
{
	return bandwidths[rules->bandwidth_unit].words;
}
