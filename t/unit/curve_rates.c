// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio-curve's arithmetic: vdbench's rounding, whole rates per job that come to what is asked, and
 * fio's Poisson pace. Goes through many maxima, job counts, mixes and run times.
 */
#include <math.h>
#include <stdlib.h>

#include "t/unit/tap.h"
#include "tools/fio-curve/rates.h"

static void test_target(void)
{
	static const struct {
		double max;
		unsigned int percent;
		long want;
	} cases[] = {
		/* Above 1,000 to the next 100, else to the next 10; of the whole part of max. */
		{ 33000, 10, 3300 }, { 33001, 10, 3400 }, { 33000.9, 10, 3300 },
		{ 10000, 10, 1000 }, { 10001, 10, 1100 }, { 9999, 10, 1000 },
		{ 9901, 10, 1000 },  { 9900, 10, 990 },	  { 5000, 1, 50 },
		{ 5001, 1, 60 },     { 7, 10, 10 },	  { 252452, 120, 303000 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(rates_target(cases[i].max, cases[i].percent) == (uint64_t)cases[i].want,
		   "%u%% of %.1f is %ld", cases[i].percent, cases[i].max, cases[i].want);
}

/* Measured with fio 3.33's null engine over 4 s: 20,148 at 20,000, 15,221 at 15,000, 8,992 at 9,000. */
static void test_poisson(void)
{
	ok(!rates_poisson(0) && fabs(rates_poisson(1) - 1) < 1e-3, "0 and 1 are what they are");
	ok(fabs(rates_poisson(20000) - 20202) < 1, "20,000 is 1%% fast");
	ok(fabs(rates_poisson(15000) - 15267) < 1, "15,000 is 1.8%% fast");
	ok(rates_poisson(9000) > 9000 && rates_poisson(9000) < 9060, "9,000 is 0.5%% fast");
}

static struct traffic traffic(unsigned int jobs, unsigned int reads)
{
	struct traffic t = { .uses = { reads > 0, reads < 100 },
			     .share = { reads / 100.0, 1 - reads / 100.0 },
			     .mean_bs = { 4096, 4096 },
			     .min_bs = 4096,
			     .max_bs = 4096,
			     .jobs = jobs,
			     .depth = 1 };

	return t;
}

/* What the plan comes to in one direction, first I/Os included. */
static double comes_to(const struct rate_plan *p, enum direction d, double seconds)
{
	double iops = 0;

	for (unsigned int i = 0; i < p->nr; i++)
		if (p->group[i].rate[d])
			iops += p->group[i].jobs *
				(rates_poisson(p->group[i].rate[d]) + 1 / seconds);
	return iops;
}

static unsigned int jobs_of(const struct rate_plan *p)
{
	unsigned int jobs = 0;

	for (unsigned int i = 0; i < p->nr; i++)
		jobs += p->group[i].jobs;
	return jobs;
}

/* Off by at most half a percent, or half of one I/O, or what a lone job's microseconds are too coarse for. */
static bool close_to(double got, double want, unsigned int jobs)
{
	double coarse = jobs == 1 ? want / (2000000 / want) : 0;

	return fabs(got - want) <= fmax(fmax(0.0051 * want, 0.6), 1.1 * coarse);
}

static void test_sweep(void)
{
	static const unsigned int jobs[] = { 1, 2, 7, 32, 36, 128 }, reads[] = { 0, 70, 97, 100 };
	unsigned int tried = 0, off = 0, jobs_off = 0, pace_off = 0;

	for (double iops = 400; iops < 2000000; iops *= 1.37) {
		for (unsigned int i = 0; i < 6; i++) {
			for (unsigned int k = 0; k < 4; k++) {
				struct traffic t = traffic(jobs[i], reads[k]);
				double most = iops * fmax(t.share[0], t.share[1]) / t.jobs;
				struct rate_plan p;

				rates_plan(iops, &t, 30, false, &p);
				pace_off += p.linear != (most > POISSON_LIMIT);
				jobs_off += jobs_of(&p) != t.jobs;
				if (p.linear)
					continue;
				for (enum direction d = READS; d < DIRECTIONS; d++) {
					double want = iops * t.share[d];

					tried++;
					if (!close_to(comes_to(&p, d, 30), want, t.jobs)) {
						off++;
						printf("# %g IOPS, %u jobs, %u%% reads: %g of %g\n",
						       iops, t.jobs, reads[k], comes_to(&p, d, 30),
						       want);
					}
				}
			}
		}
	}
	ok(tried > 500, "%u plans were tried", tried);
	is_int(off, 0, "each comes to what is asked, in each direction, within 0.5%");
	is_int(jobs_off, 0, "none loses a job");
	is_int(pace_off, 0, "Poisson up to 20,000 IOPS per job, even above");
}

static void test_shape(void)
{
	struct traffic t = traffic(32, 97);
	struct rate_plan p;

	rates_plan(100, &t, 30, false, &p);
	ok(p.nr == 2 && !p.group[0].rate[WRITES] && p.group[1].rate[WRITES] == 1 &&
		   p.group[1].jobs == 3,
	   "where there are fewer writes than jobs, few jobs write");
	t = traffic(4, 100);
	rates_plan(4000, &t, 30, false, &p);
	ok(p.nr == 1 && p.group[0].jobs == 4, "one rate for all where that is close");
	ok(p.group[0].rate[READS] >= 997 && p.group[0].rate[READS] <= 1001,
	   "... of 1,000 less what is "
	   "too much");
	rates_plan(30, &t, 30, true, &p);
	ok(p.nr == 1 && p.group[0].rate[READS] >= 7, "whole: all jobs alike");
	rates_plan(1, &t, 30, true, &p);
	ok(p.nr == 1 && p.group[0].rate[READS] == 1 && p.iops > 1, "... at least 1 each");
	t.mean_bs[READS] = 6144;
	t.max_bs = 8192;
	rates_plan(100000, &t, 30, false, &p);
	ok(p.linear && p.bytes && p.group[0].rate[READS] == 25000 * 6144,
	   "an even pace of several sizes is in bytes");
	ok(fabs(p.iops - 100000) < 1, "... its IOPS are known all the same");
}

static void test_shares(void)
{
	static const char *const wrong[] = { "data:99",	 "data:99,log:2",  "data:99,logs:1",
					     "data,log", "data:0,log:100", "data:99,log:x" };
	struct jobfile f = { 0 };
	double share[2];
	char *why;

	jobfile_add(&f, "data");
	jobfile_add(&f, "log");
	why = rates_shares("log:1,data:99", &f, share);
	ok(!why && share[0] == 0.99 && share[1] == 0.01, "shares by name, in any order");
	free(why);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		why = rates_shares(wrong[i], &f, share);
		ok(why && strstr(why, wrong[i]), "shares=%s is refused", wrong[i]);
		free(why);
	}
	why = rates_shares(NULL, &f, share);
	ok(why != NULL, "two sections need shares");
	free(why);
	jobfile_free(&f);
}

int main(void)
{
	test_target();
	test_poisson();
	test_sweep();
	test_shape();
	test_shares();
	return done_testing();
}
