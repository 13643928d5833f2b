// SPDX-License-Identifier: GPL-2.0-only
/* fio-peak's curves: order, repeats, peaks, knee, fall-off and caps, by hand-made points. */
#include <stdlib.h>

#include "t/unit/tap.h"
#include "tools/fio-peak/report.h"

/* One run; latency in microseconds. @depth 0: unknown options. @rate 0: no limit. */
struct made {
	double iops, us;
	unsigned int depth, rate;
	unsigned int flags;
	const char *bs;
};

#define POINTS 8

static const struct shape_rules mean = { .plateau = 0.01, .pct = -1 };

/* Points of one workload on one drive; their strings are released by folded_free(). */
static void make(struct folded *f, const struct made *m)
{
	*f = (struct folded){ .points = calloc(POINTS, sizeof(struct point)), .cap = POINTS };
	for (; m->iops > 0; m++) {
		struct point *p = &f->points[f->nr++];
		struct spread l = { .n = 1, .mean = m->us * 1000 };

		for (int i = 0; i < PCT_NR; i++)
			l.pct[i] = m->us * 10000;
		l.worst = m->flags & FLAG_WORST;
		*p = (struct point){ .drive = strdup("d"),
				     .workload = strdup("w"),
				     .bs = m->bs ? strdup(m->bs) : NULL,
				     .options = m->depth > 0,
				     .jobs = 1,
				     .flags = m->flags };
		p->load = (struct load){ .asked = m->rate ? m->rate : INFINITY,
					 .outstanding = m->depth ? m->depth : NAN,
					 .in_flight = m->iops * m->us / 1e6 };
		p->dir[DIR_ALL] = (struct figures){
			.present = true, .ios = m->iops, .iops = m->iops, .clat = l, .lat = l
		};
	}
}

/* A public sweep: its plain maximum costs sixteen times the latency of the point before. */
static const struct made plateau[] = { { 252452, 4055, 1024, 0, 0, NULL },
				       { 12000, 83, 1, 0, 0, NULL },
				       { 251612, 254, 64, 0, 0, NULL },
				       { 250000, 1020, 256, 0, 0, NULL },
				       { 0, 0, 0, 0, 0, NULL } };
/* Rates out of order, a failed and a cut-off one, and what has no limit at the end. */
static const struct made rated[] = { { 900, 300, 8, 0, 0, NULL },
				     { 400, 90, 8, 400, 0, NULL },
				     { 200, 110, 8, 200, 0, NULL },
				     { 1000, 200, 8, 1000, 0, NULL },
				     { 5000, 1, 8, 600, FLAG_FAILED, NULL },
				     { 6000, 1, 8, 700, FLAG_CUT, NULL },
				     { 0, 0, 0, 0, 0, NULL } };
static const struct made repeats[] = {
	{ 100, 10, 1, 0, 0, NULL }, { 130, 10, 1, 0, 0, NULL },		 { 110, 10, 1, 0, 0, NULL },
	{ 200, 20, 2, 0, 0, NULL }, { 900, 1, 2, 0, FLAG_FAILED, NULL }, { 0, 0, 0, 0, 0, NULL }
};
static const struct made sizes[] = { { 100, 10, 1, 0, 0, "4k" },
				     { 200, 20, 2, 0, 0, "8k" },
				     { 0, 0, 0, 0, 0, NULL } };
static const struct made unknown[] = { { 200, 20, 0, 0, 0, NULL },
				       { 100, 10, 0, 0, 0, NULL },
				       { 0, 0, 0, 0, 0, NULL } };
static const struct made bounds[] = { { 100, 10, 1, 0, FLAG_WORST, NULL },
				      { 200, 30, 2, 0, FLAG_WORST, NULL },
				      { 0, 0, 0, 0, 0, NULL } };

static struct folded folded;
static struct report report;
static const struct curve *curve;
static const struct shape *shape;

static void begin(const struct made *m, const struct shape_rules *rules)
{
	make(&folded, m);
	report_make(&report, &folded, rules);
	curve = &report.curves->list[0];
	shape = &report.shapes[0];
}

static void end(void)
{
	report_free(&report);
	folded_free(&folded);
}

static long iops(const struct point *p)
{
	return p ? (long)p->dir[DIR_ALL].iops : -1;
}

static void is_cap(double us, enum cap_result result, long want, bool at_least, const char *name)
{
	struct cap_found found = shape_cap(curve, report.rules, us * 1000);

	ok(found.result == result && found.at_least == at_least, "%s: what became of the cap",
	   name);
	is_int(isnan(found.iops) ? -1 : lround(found.iops), want, name);
}

static void check_plateau(void)
{
	static const struct shape_rules strict = { .plateau = 0.001, .pct = -1 };

	begin(plateau, &mean);
	is_int(shape->nr, 4, "four steps");
	is_int(iops(shape->low), 12000, "the lowest load is the least depth");
	is_int(iops(shape->max), 252452, "the most IOPS");
	is_int(iops(shape->practical), 251612, "the lowest latency within 1% of it");
	is_int(iops(shape->knee), 251612, "the most IOPS per latency");
	ok(!shape->after && isnan(shape->fall_off), "no higher load: no fall-off");
	/* 12,000 at 83 us, 251,612 at 254: 12,000 + 239,612 x (150 - 83) / (254 - 83) */
	is_cap(150, CAP_CROSSED, 105883, false, "between two steps");
	/* The line falls to 250,042 at 1 ms; the step before had more. */
	is_cap(1000, CAP_CROSSED, 251612, false, "not less than a step below the cap");
	is_cap(82, CAP_NEVER_REACHED, -1, false, "below all");
	is_cap(4055, CAP_NEVER_LEFT, 252452, true, "above all");
	end();
	begin(plateau, &strict);
	is_int(iops(shape->practical), 252452, "a plateau of 0.1% has the maximum only");
	end();
}

static void check_rated(void)
{
	begin(rated, &mean);
	is_int(shape->nr, 4, "what failed or was cut off does not count");
	is_int(iops(shape->low), 200, "the lowest rate");
	is_int(iops(shape->max), 1000, "the run without a limit need not be the highest");
	is_int(iops(shape->practical), 1000, "nothing near it");
	is_int(iops(shape->knee), 1000, "the knee: 5 of 1.8, 4.4, 5 and 3 IOPS/us");
	is_int(iops(shape->after), 900, "no limit is the highest load");
	is_int(lround(shape->fall_off), 10, "10% are lost there");
	/* 400 at 90 us, 1,000 at 200: 400 + 600 x 10 / 110 */
	is_cap(100, CAP_CROSSED, 455, false, "slow at the lowest load already");
	end();
}

static void check_steps(void)
{
	begin(repeats, &mean);
	is_int(curve->steps_nr, 2, "two depths are two steps");
	is_int(iops(curve->steps[0].point), 110, "three repeats: the median");
	is_int(lround(10 * step_spread(&curve->steps[0])), 273,
	       "their spread is (130 - 100) / 110");
	is_int(iops(curve->peak), 200, "a failed repeat does not stand for its step");
	is_int(curve->failed, 1, "it is counted");
	ok(isnan(step_spread(&curve->steps[1])), "one good run has no spread");
	end();
}

static void check_no_shape(void)
{
	begin(sizes, &mean);
	is_str(shape_varies(curve), "bs", "block sizes vary");
	ok(!shape->max, "they are no curve");
	end();
	begin(unknown, &mean);
	ok(!shape->max && !shape_varies(curve), "loads unknown: no curve");
	is_int(iops(curve->steps[0].point), 100, "... by I/Os in flight");
	end();
	begin(&unknown[1], &mean);
	ok(!shape->max, "one step is no curve");
	end();
}

static void check_bounds(void)
{
	static const struct shape_rules p99 = { .plateau = 0.01, .pct = P99 };

	begin(bounds, &p99);
	is_int((long)shape_latency(shape->max, &p99), 300000, "the latency is the percentile");
	ok(shape_bound(shape->max, &p99) && !shape_bound(shape->max, &mean), "which is a bound");
	is_cap(200, CAP_CROSSED, 150, true, "crossed by bounds: at least");
	is_cap(50, CAP_UNKNOWN, -1, false, "bounds above the cap tell nothing");
	is_cap(500, CAP_NEVER_LEFT, 200, true, "bounds below it do");
	end();
}

int main(void)
{
	check_plateau();
	check_rated();
	check_steps();
	check_no_shape();
	check_bounds();
	return done_testing();
}
