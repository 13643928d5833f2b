// SPDX-License-Identifier: GPL-2.0-only
/* Histograms as sorted arrays: a few hundred bins each, merged a few times. */
#include "hist.h"
#include "alloc.h"

#include <math.h>

void hist_free(struct hist *h)
{
	free(h->bins);
	*h = (struct hist){ 0 };
}

void hist_add(struct hist *h, double ns, double count)
{
	h->bins = alloc_grow(h->bins, h->nr, &h->cap, sizeof(*h->bins));
	h->bins[h->nr++] = (struct bin){ .ns = ns, .count = count };
}

static int bin_compare(const void *a, const void *b)
{
	const struct bin *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

void hist_order(struct hist *h)
{
	size_t to = 0, rising = 1;

	/* fio prints them in order: most often there is nothing to do. */
	while (rising < h->nr && h->bins[rising - 1].ns < h->bins[rising].ns)
		rising++;
	if (rising >= h->nr)
		return;
	qsort(h->bins, h->nr, sizeof(*h->bins), bin_compare);
	for (size_t i = 1; i < h->nr; i++) {
		if (h->bins[i].ns == h->bins[to].ns)
			h->bins[to].count += h->bins[i].count;
		else
			h->bins[++to] = h->bins[i];
	}
	h->nr = to + 1;
}

void hist_append(struct hist *h, const struct hist *from)
{
	for (size_t i = 0; i < from->nr; i++)
		hist_add(h, from->bins[i].ns, from->bins[i].count);
}

double hist_count(const struct hist *h)
{
	double sum = 0;

	for (size_t i = 0; i < h->nr; i++)
		sum += h->bins[i].count;
	return sum;
}

double hist_percentile(const struct hist *h, double percent)
{
	long double least = (long double)percent / 100.0 * hist_count(h), sum = 0;

	for (size_t i = 0; i < h->nr; i++) {
		sum += h->bins[i].count;
		if (h->bins[i].count > 0 && sum >= least)
			return h->bins[i].ns;
	}
	return NAN;
}

double hist_value_of_index(unsigned int index, unsigned int bits)
{
	unsigned int per_group = 1U << bits, group, base;

	if (index < 2 * per_group)
		return index;
	group = (index >> bits) - 1;
	base = index & (per_group - 1);
	return ldexp(1, (int)(group + bits)) + (base + 0.5) * ldexp(1, (int)group);
}
