// SPDX-License-Identifier: GPL-2.0-only
/* Rates, see rates.h. */
#include "tools/fio-curve/rates.h"

#include <math.h>

#include "tools/fio-peak/alloc.h"

/* A single rate for all jobs is good enough this close to what is asked. */
#define CLOSE 0.005

uint64_t rates_target(double max, unsigned int percent)
{
	/* In hundredths, so that 10% of 33,000 is not a little above 3,300. */
	uint64_t hundredths = (uint64_t)max * percent, step = hundredths > 100000 ? 100 : 10;

	return (hundredths + 100 * step - 1) / (100 * step) * step;
}

double rates_poisson(unsigned int rate)
{
	unsigned int period = rate ? 1000000 / rate : 0;

	/* The mean of an exponential time, cut to whole microseconds. */
	return period ? 1000000 * expm1(1.0 / period) : 0;
}

/* How a job's pace comes out. @first: its first I/O, which comes at once, per second of the run. */
struct pacing {
	bool linear;
	double first;
};

static double pace(unsigned int rate, const struct pacing *p)
{
	if (p->linear || !rate)
		return rate;
	return rates_poisson(rate) + p->first;
}

/* The largest rate that does not exceed @iops; Poisson paces are at most a little faster. */
static unsigned int rate_below(double iops, const struct pacing *p)
{
	unsigned int rate = (unsigned int)iops;

	while (rate && pace(rate, p) > iops)
		rate--;
	return rate;
}

/* The next rate with another pace: several share one where a step is below a microsecond. */
static unsigned int rate_above(unsigned int low, const struct pacing *p)
{
	unsigned int rate = low + 1;

	while (pace(rate, p) <= pace(low, p))
		rate++;
	return rate;
}

/* How @jobs come to @iops together: all with one rate if that is close, else with two. */
struct steps {
	unsigned int low, above, nr_above;
};

static struct steps divide(double iops, unsigned int jobs, const struct pacing *p, bool whole)
{
	struct steps s = { .low = rate_below(iops / jobs, p) };
	double low, above, nr;

	s.above = rate_above(s.low, p);
	low = pace(s.low, p);
	above = pace(s.above, p);
	if (whole || fabs(jobs * low - iops) <= CLOSE * iops ||
	    fabs(jobs * above - iops) <= CLOSE * iops) {
		bool up = !s.low || above - iops / jobs < iops / jobs - low;

		s.nr_above = up ? jobs : 0;
		return s;
	}
	nr = round((iops - jobs * low) / (above - low));
	s.nr_above = nr < 1 && !s.low ? 1 : nr > jobs ? jobs : (unsigned int)nr;
	return s;
}

static unsigned int rate_of_job(const struct steps *s, unsigned int job, unsigned int jobs,
				enum direction d)
{
	/* Reads' surplus goes to the first jobs, writes' to the last: they spread. */
	bool above = d == READS ? job < s->nr_above : job >= jobs - s->nr_above;

	return above ? s->above : s->low;
}

static void gather(const struct steps steps[DIRECTIONS], const struct traffic *t,
		   struct rate_plan *out)
{
	struct rate_group g, *last = NULL;

	for (unsigned int job = 0; job < t->jobs; job++) {
		g = (struct rate_group){ .jobs = 1 };
		for (enum direction d = READS; d < DIRECTIONS; d++)
			if (t->uses[d] && t->share[d] > 0)
				g.rate[d] = rate_of_job(&steps[d], job, t->jobs, d);
		if (last && last->rate[READS] == g.rate[READS] &&
		    last->rate[WRITES] == g.rate[WRITES]) {
			last->jobs++;
		} else if (out->nr < RATE_GROUPS) {
			last = &out->group[out->nr++];
			*last = g;
		}
	}
}

static double total(const struct rate_plan *plan, const struct pacing *p)
{
	double iops = 0;

	for (unsigned int i = 0; i < plan->nr; i++)
		for (enum direction d = READS; d < DIRECTIONS; d++)
			iops += plan->group[i].jobs * pace(plan->group[i].rate[d], p);
	return iops;
}

/* From I/Os to bytes per second, after the totals are known. */
static void to_bytes(struct rate_plan *p, const struct traffic *t)
{
	p->bytes = true;
	for (unsigned int i = 0; i < p->nr; i++)
		for (enum direction d = READS; d < DIRECTIONS; d++)
			p->group[i].rate[d] = (unsigned int)lround(
				fmin(p->group[i].rate[d] * t->mean_bs[d], (double)UINT32_MAX));
}

void rates_plan(double iops, const struct traffic *t, double seconds, bool whole,
		struct rate_plan *out)
{
	struct steps steps[DIRECTIONS] = { 0 };
	struct pacing pacing;

	*out = (struct rate_plan){ 0 };
	for (enum direction d = READS; d < DIRECTIONS; d++)
		out->linear |= iops * t->share[d] / t->jobs > POISSON_LIMIT;
	pacing = (struct pacing){ .linear = out->linear, .first = 1 / seconds };
	for (enum direction d = READS; d < DIRECTIONS; d++)
		if (t->uses[d] && t->share[d] > 0)
			steps[d] = divide(iops * t->share[d], t->jobs, &pacing, whole);
	gather(steps, t, out);
	out->iops = total(out, &pacing);
	if (out->linear && t->min_bs != t->max_bs)
		to_bytes(out, t);
}

/* Shares */

static char *share_problem(const char *text, const char *what)
{
	return alloc_printf("shares=%s: %s; write SECTION:PERCENT for each section, 100 in all",
			    text, what);
}

/* "data:99" */
static const char *read_share(char *item, const struct jobfile *f, double *share)
{
	char *colon = strrchr(item, ':'), *end;
	const struct job_section *s;
	double percent;

	if (!colon)
		return "a percentage is missing";
	*colon = 0;
	s = jobfile_section(f, item);
	if (!s)
		return "there is no such section";
	percent = strtod(colon + 1, &end);
	if (*end || !(percent > 0) || percent > 100)
		return "a percentage is none";
	share[s - f->section] = percent / 100;
	return NULL;
}

char *rates_shares(const char *text, const struct jobfile *f, double *share)
{
	const char *what = NULL;
	char *copy, *rest, *item;
	double sum = 0;

	memset(share, 0, f->nr * sizeof(*share));
	if (!text && f->nr > 1)
		return alloc_string(
			"line 2 lacks shares=: with several sections it says each one's "
			"part of the I/Os, such as shares=data:99,log:1");
	if (!text) {
		share[0] = 1;
		return NULL;
	}
	copy = alloc_string(text);
	rest = copy;
	while (!what && (item = strsep(&rest, ",")))
		what = read_share(item, f, share);
	for (size_t i = 0; i < f->nr; i++) {
		sum += share[i];
		if (!what && !share[i])
			what = "a section of the file is missing";
	}
	if (!what && fabs(sum - 1) > 1e-9)
		what = "the sum is not 100";
	free(copy);
	return what ? share_problem(text, what) : NULL;
}
