/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Latency histograms as fio's json+ prints them ("bins"): the only sound way to a percentile of
 * several jobs. Knows values and counts, not where they came from.
 */
#ifndef PEAK_HIST_H
#define PEAK_HIST_H

#include <stddef.h>

struct bin {
	double ns; /* the bucket's value as fio prints it: its middle */
	double count;
};

/* Ordered by value, one bin a value. Zero-initialised is empty; free with hist_free(). */
struct hist {
	struct bin *bins;
	size_t nr, cap;
};

void hist_free(struct hist *h);

/* hist_add - append a bin; call hist_order() before any other function when done. */
void hist_add(struct hist *h, double ns, double count);

/* hist_order - sort, and join bins of one value. */
void hist_order(struct hist *h);

/* hist_append - append all of @from; hist_order() as above. */
void hist_append(struct hist *h, const struct hist *from);

/* hist_count - number of samples. */
double hist_count(const struct hist *h);

/*
 * hist_percentile - value (ns) below or at which @percent of the samples lie, by fio's rule: the
 * first bucket at which the running sum reaches percent/100 of all (fio's stat.c,
 * calc_clat_percentiles). NAN when empty.
 */
double hist_percentile(const struct hist *h, double percent);

/*
 * hist_value_of_index - the value of bucket @index in fio's table (its stat.c,
 * plat_idx_to_val with FIO_IO_U_PLAT_BITS = @bits): what fio 2.2.12 to 2.19 print instead of it.
 */
double hist_value_of_index(unsigned int index, unsigned int bits);

#endif
