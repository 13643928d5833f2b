// SPDX-License-Identifier: GPL-2.0-only
/* fio-peak's load: what options ask for, by fio's rules, and the flags for what came of it. */
#include "t/unit/tap.h"
#include "tools/fio-peak/load.h"

/* Figures of one second: @n I/Os of 4 KiB, each taking @us. */
#define DONE(n, us)                                         \
	.dir[DIR_ALL] = { .present = true,                  \
			  .ios = (n),                       \
			  .iops = (n),                      \
			  .bytes = 4096.0 * (n),            \
			  .lat = { .mean = 1000.0 * (us) }, \
			  .clat = { .mean = 1000.0 * (us) } }
#define LISTED(n) .options = true, .jobs = (n)

static const struct {
	const char *name;
	struct point p;
	double asked, outstanding; /* -1: not known */
	unsigned int flags;
} cases[] = {
	{ "nothing asked", { LISTED(1), DONE(10000, 100) }, INFINITY, 1, 0 },
	{ "options unknown", { .jobs = 1, DONE(10000, 9) }, -1, -1, 0 },
	{ "reached",
	  { LISTED(1), .rate_iops = "10000", .iodepth = "32", DONE(9999, 50) },
	  10000,
	  32,
	  0 },
	{ "97% is not saturated",
	  { LISTED(1), .rate_iops = "10000", DONE(9700, 50) },
	  10000,
	  1,
	  0 },
	{ "below is",
	  { LISTED(1), .rate_iops = "10000", DONE(9690, 100) },
	  10000,
	  1,
	  FLAG_SATURATED },
	{ "a rate for each copy",
	  { LISTED(4), .rate_iops = "1000", .numjobs = "4", DONE(4000, 50) },
	  4000,
	  4,
	  0 },
	{ "copies in one entry",
	  { LISTED(1), .rate_iops = "1000", .numjobs = "4", .iodepth = "2", DONE(4000, 50) },
	  4000,
	  8,
	  0 },
	{ "k is 1024", { LISTED(1), .rate_iops = "10k", DONE(10240, 50) }, 10240, 1, 0 },
	{ "one rate for each direction",
	  { LISTED(1), .rw = "randrw", .rate_iops = "1000", DONE(2000, 50) },
	  2000,
	  1,
	  0 },
	{ "two rates",
	  { LISTED(1), .rw = "randrw", .rate_iops = "700,300", DONE(1000, 50) },
	  1000,
	  1,
	  0 },
	{ "the second is for writes",
	  { LISTED(1), .rw = "write:8", .rate_iops = "700,300", DONE(300, 50) },
	  300,
	  1,
	  0 },
	{ "writes have no limit",
	  { LISTED(1), .rw = "rw", .rate_iops = "700,0", DONE(10000, 100) },
	  INFINITY,
	  1,
	  0 },
	{ "a rate in bytes", { LISTED(2), .rate = "4m", DONE(2048, 50) }, 2048, 2, 0 },
	{ "the lower of two rates",
	  { LISTED(1), .rate = "4m", .rate_iops = "1000", DONE(1000, 50) },
	  1000,
	  1,
	  0 },
	{ "a queue that was full: 32 x 95%",
	  { LISTED(1), .iodepth = "32", DONE(10000, 3040) },
	  INFINITY,
	  32,
	  0 },
	{ "one I/O at a time whatever the depth",
	  { LISTED(1), .iodepth = "32", DONE(10000, 100) },
	  INFINITY,
	  32,
	  FLAG_IN_FLIGHT },
	{ "more than there can be",
	  { LISTED(1), .iodepth = "2", DONE(10000, 300) },
	  INFINITY,
	  2,
	  FLAG_IN_FLIGHT },
	{ "thinktime",
	  { LISTED(1), .paced = true, .iodepth = "32", DONE(10000, 100) },
	  INFINITY,
	  32,
	  0 },
	{ "too few to tell", { LISTED(1), .iodepth = "32", DONE(600, 100) }, INFINITY, 32, 0 },
	{ "not timed", { LISTED(1), .iodepth = "32", DONE(10000, NAN) }, INFINITY, 32, 0 },
	{ "failed",
	  { LISTED(1), .flags = FLAG_FAILED, .iodepth = "32", DONE(10000, 1) },
	  INFINITY,
	  32,
	  0 },
	{ "an rw that we do not know",
	  { LISTED(1), .rw = "x", .rate_iops = "1000", DONE(100, 5) },
	  -1,
	  1,
	  0 },
	{ "a rate that is none", { LISTED(1), .rate_iops = "a", DONE(100, 5) }, -1, 1, 0 },
};

static bool same(double got, double want)
{
	return want < 0 ? isnan(got) : got == want;
}

static void check_order(void)
{
	struct load few = { .asked = 1000, .outstanding = 32 };
	struct load more = { .asked = 2000, .outstanding = 32 };
	struct load shallow = { .asked = INFINITY, .outstanding = 1 };
	struct load deep = { .asked = INFINITY, .outstanding = 32 };

	ok(load_compare(&few, &more) < 0 && load_compare(&more, &few) > 0, "a lower rate is first");
	ok(load_compare(&more, &shallow) < 0, "no limit is more than any rate");
	ok(load_compare(&shallow, &deep) < 0, "then the depth");
	ok(!load_compare(&deep, &deep), "alike");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct point p = cases[i].p;
		unsigned int flags;

		load_find(&p);
		flags = load_flags(&p);
		if (!ok(same(p.load.asked, cases[i].asked) &&
				same(p.load.outstanding, cases[i].outstanding) &&
				flags == cases[i].flags,
			"%s", cases[i].name))
			printf("# asked %g, outstanding %g, flags 0x%x\n", p.load.asked,
			       p.load.outstanding, flags);
	}
	check_order();
	return done_testing();
}
