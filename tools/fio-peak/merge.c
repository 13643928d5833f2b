// SPDX-License-Identifier: GPL-2.0-only
/* Merging of directions, see merge.h. */
#include "merge.h"

#include <string.h>

typedef const struct latency *(*latency_of)(const struct io *io);

static const struct latency *clat_of(const struct io *io)
{
	return &io->clat;
}

static const struct latency *lat_of(const struct io *io)
{
	return &io->lat;
}

static void spread_none(struct spread *s)
{
	*s = (struct spread){ .mean = NAN, .stddev = NAN, .min = NAN, .max = NAN };
	for (int i = 0; i < PCT_NR; i++)
		s->pct[i] = NAN;
}

static void spread_one(struct spread *s, const struct latency *l)
{
	*s = (struct spread){
		.n = l->n, .mean = l->mean, .stddev = l->stddev, .min = l->min, .max = l->max
	};
	memcpy(s->pct, l->pct, sizeof(s->pct));
}

/* Moments pool exactly: the mean by count, the variance about the common mean. */
static void spread_moments(struct spread *s, const struct io *const *from, unsigned int nr,
			   latency_of of)
{
	double sum = 0, squares = 0;

	s->min = INFINITY;
	s->max = 0;
	for (unsigned int i = 0; i < nr; i++) {
		const struct latency *l = of(from[i]);

		s->n += l->n;
		sum += l->n * l->mean;
		squares += l->n * (l->stddev * l->stddev + l->mean * l->mean);
		s->min = fmin(s->min, l->min);
		s->max = fmax(s->max, l->max);
	}
	s->mean = sum / s->n;
	s->stddev = sqrt(fmax(squares / s->n - s->mean * s->mean, 0));
}

/* A merged percentile is at most the worst of its parts. */
static double percentile_worst(const struct io *const *from, unsigned int nr, latency_of of,
			       int pct)
{
	double worst = 0;

	for (unsigned int i = 0; i < nr; i++) {
		double v = of(from[i])->pct[pct];

		if (isnan(v))
			return NAN;
		worst = fmax(worst, v);
	}
	return worst;
}

static void spread_percentiles(struct spread *s, const struct io *const *from, unsigned int nr,
			       latency_of of)
{
	struct hist all = { 0 };

	for (unsigned int i = 0; i < nr; i++) {
		s->worst |= !of(from[i])->hist.nr;
		if (!s->worst)
			hist_append(&all, &of(from[i])->hist);
	}
	hist_order(&all);
	for (int p = 0; p < PCT_NR; p++)
		s->pct[p] = s->worst ? percentile_worst(from, nr, of, p)
				     : hist_percentile(&all, pct_values[p]);
	hist_free(&all);
}

/* One direction that was not timed leaves nothing to say about all. */
static void spread_merge(struct spread *s, const struct io *const *from, unsigned int nr,
			 latency_of of)
{
	spread_none(s);
	for (unsigned int i = 0; i < nr; i++)
		if (isnan(of(from[i])->mean))
			return;
	if (nr == 1) {
		spread_one(s, of(from[0]));
	} else if (nr) {
		spread_moments(s, from, nr, of);
		spread_percentiles(s, from, nr, of);
	}
}

static double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

void figures_merge(struct figures *to, const struct io *const *from, unsigned int nr)
{
	*to = (struct figures){ .present = nr > 0, .from = nr };
	for (unsigned int i = 0; i < nr; i++) {
		to->ios += or_zero(from[i]->ios);
		to->bytes += from[i]->bytes;
		to->runtime_ms = fmax(to->runtime_ms, or_zero(from[i]->runtime_ms));
	}
	to->iops = to->runtime_ms >= 1 ? to->ios * 1000 / to->runtime_ms : 0;
	to->bytes_s = to->bytes * (to->runtime_ms >= 1 ? 1000 / to->runtime_ms : 0);
	if (nr == 1 && !isnan(from[0]->iops))
		to->iops = from[0]->iops;
	spread_merge(&to->clat, from, nr, clat_of);
	spread_merge(&to->lat, from, nr, lat_of);
}
