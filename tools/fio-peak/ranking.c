// SPDX-License-Identifier: GPL-2.0-only
/* By the peaks' bandwidth or IOPS. */
#include "ranking.h"
#include "alloc.h"
#include "settings.h"

bool ranking_is_large(const struct point *p)
{
	const struct figures *f = &p->dir[DIR_ALL];
	double sizes[3];

	if (f->ios > 0)
		return f->bytes / f->ios >= RANKING_LARGE;
	/* Of a review there are rates at most, or what the workload is. */
	if (!p->review)
		return false;
	if (isnan(f->iops) || isnan(f->bytes_s))
		return isnan(f->iops)
			       ? !isnan(f->bytes_s)
			       : p->bs && settings_list(p->bs, sizes) && sizes[0] >= RANKING_LARGE;
	return f->bytes_s / f->iops >= RANKING_LARGE;
}

/* Do all that a review or fio tells of have it? */
static bool all_have(const struct curve *first, unsigned int nr, int metric)
{
	for (unsigned int i = 0; i < nr; i++)
		if (isnan(metric_value(&first[i].peak->dir[DIR_ALL], metric)))
			return false;
	return true;
}

/* What the first one's I/Os ask for, unless all can be ranked by the other only. */
static int choose_metric(const struct curve *first, unsigned int nr)
{
	int wanted = ranking_is_large(first->peak) ? METRIC_MB_S : METRIC_IOPS;
	int other = wanted == METRIC_IOPS ? METRIC_MB_S : METRIC_IOPS;

	return !all_have(first, nr, wanted) && all_have(first, nr, other) ? other : wanted;
}

static bool has_failed(const struct curve *c)
{
	return c->peak->flags & (FLAG_FAILED | FLAG_CUT);
}

double ranking_value(const struct ranking *k, const struct curve *c)
{
	return metric_value(&c->peak->dir[DIR_ALL], k->metric);
}

static int ranks(const void *a, const void *b, void *ranking)
{
	const struct curve *x = *(const struct curve *const *)a;
	const struct curve *y = *(const struct curve *const *)b;
	double v = ranking_value(ranking, x), w = ranking_value(ranking, y);

	/* What was not told is last. */
	v = isnan(v) ? -1 : v;
	w = isnan(w) ? -1 : w;
	if (has_failed(x) != has_failed(y))
		return has_failed(x) - has_failed(y);
	return v != w ? (v < w) - (v > w) : (x > y) - (x < y);
}

void ranking_make(struct ranking *k, const struct curve *first, unsigned int nr)
{
	*k = (struct ranking){ .list = alloc_zero(nr, sizeof(*k->list)),
			       .metric = choose_metric(first, nr) };
	for (unsigned int i = 0; i < nr; i++) {
		k->list[i] = &first[i];
		k->nr += !has_failed(&first[i]) && !isnan(ranking_value(k, &first[i]));
	}
	k->others = nr - k->nr;
	qsort_r(k->list, nr, sizeof(*k->list), ranks, k);
}

void ranking_free(struct ranking *k)
{
	free(k->list);
}

double ranking_lead(const struct ranking *k)
{
	double second = ranking_value(k, k->list[1]);

	return (ranking_value(k, k->list[0]) - second) / second * 100;
}

bool ranking_has_leader(const struct ranking *k)
{
	return k->nr > 1 && ranking_lead(k) >= RANKING_LEVEL;
}

const struct curve *ranking_quickest(const struct ranking *k, const struct shape_rules *rules)
{
	const struct curve *best = NULL;
	double least = INFINITY;

	for (unsigned int i = 0; i < k->nr; i++) {
		double v = shape_latency(k->list[i]->peak, rules);

		if (isnan(v) || shape_bound(k->list[i]->peak, rules))
			return NULL;
		if (v < least) {
			least = v;
			best = k->list[i];
		}
	}
	return best;
}
