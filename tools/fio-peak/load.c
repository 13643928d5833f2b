// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio's rules: rate_iops and rate hold for each copy of a job and each direction; one value for
 * all directions or one each; 0 or nothing is no limit. (fio's HOWTO, "rate" and "rate_iops".)
 */
#include "load.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>

/* In the order of fio's lists. */
enum {
	READ = 1 << DIR_READ,
	WRITE = 1 << DIR_WRITE,
	TRIM = 1 << DIR_TRIM
};

/* The directions that fio's option rw asks for; 0: it is none that we know. */
static unsigned int directions_of(const char *rw)
{
	static const struct {
		const char *name;
		unsigned int dirs;
	} names[] = { { "read", READ },
		      { "write", WRITE },
		      { "trim", TRIM },
		      { "rw", READ | WRITE },
		      { "trimwrite", TRIM | WRITE } };

	if (!rw)
		return READ;
	if (!strcmp(rw, "readwrite"))
		return READ | WRITE;
	if (!strncmp(rw, "rand", 4))
		rw += 4;
	/* "rw:8" and "rw=randread:64k" have an offset behind the name. */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i].name);

		if (!strncmp(rw, names[i].name, len) && (!rw[len] || rw[len] == ':'))
			return names[i].dirs;
	}
	return 0;
}

/* The sum of a rate over the directions asked for; INFINITY: one of them has no limit. */
static double rate_sum(const char *rate, unsigned int dirs)
{
	double rates[3], sum = 0;

	if (!rate)
		return INFINITY;
	if (!dirs || !settings_list(rate, rates))
		return NAN;
	for (int d = 0; d < 3; d++)
		if (dirs & 1U << d)
			sum += rates[d] > 0 ? rates[d] : INFINITY;
	return sum;
}

/* A rate in bytes is one of I/Os by the size that they had. */
static double asked_iops(const struct point *p)
{
	unsigned int dirs = directions_of(p->rw);
	const struct figures *all = &p->dir[DIR_ALL];
	double iops = rate_sum(p->rate_iops, dirs), bytes = rate_sum(p->rate, dirs);

	if (bytes != INFINITY)
		bytes /= all->ios > 0 ? all->bytes / all->ios : NAN;
	if (isnan(iops) || isnan(bytes))
		return NAN;
	return fmin(iops, bytes) * (double)settings_copies(p);
}

void load_find(struct point *p)
{
	const struct figures *all = &p->dir[DIR_ALL];
	double depth[3] = { 1 }, latency = isnan(all->lat.mean) ? all->clat.mean : all->lat.mean;

	p->load = (struct load){ .asked = NAN, .outstanding = NAN };
	p->load.in_flight = all->iops * latency / 1e9;
	if (!p->options)
		return;
	p->load.asked = asked_iops(p);
	if (!p->iodepth || settings_list(p->iodepth, depth))
		p->load.outstanding = depth[0] * (double)settings_copies(p);
}

/* A queue fills and empties once: of few I/Os that is a part that counts. */
static bool is_steady(const struct point *p)
{
	return p->dir[DIR_ALL].ios >= 20 * p->load.outstanding &&
	       !(p->flags & (FLAG_FAILED | FLAG_SHORT | FLAG_CUT));
}

unsigned int load_flags(const struct point *p)
{
	const struct load *l = &p->load;
	bool rated = isfinite(l->asked);
	/* What was cut off may lack copies of the job. */
	bool saturated =
		rated && !(p->flags & FLAG_CUT) && p->dir[DIR_ALL].iops < LOAD_SATURATED * l->asked;
	unsigned int flags = saturated ? FLAG_SATURATED : 0;

	/* Below saturation a rate, not the queue, keeps I/Os from being in flight. */
	if (p->paced || (rated && !saturated) || isnan(l->asked) || !is_steady(p))
		return flags;
	if (fabs(l->in_flight - l->outstanding) > LOAD_LITTLE * l->outstanding)
		flags |= FLAG_IN_FLIGHT;
	return flags;
}

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

int load_compare(const struct load *a, const struct load *b)
{
	int order = compare(a->asked, b->asked);

	return order ? order : compare(a->outstanding, b->outstanding);
}
