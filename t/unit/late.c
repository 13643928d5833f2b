// SPDX-License-Identifier: GPL-2.0-only
// engine/model/late.h: buckets, the judgement, and jobs whose counts meet.
#include "engine/model/late.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t/unit/tap.h"

static void test_buckets(void)
{
	uint32_t last = 0;
	bool ordered = true, fine = true;

	for (uint64_t ns = 1; ns < 1ULL << 36; ns += ns / 50 + 1) {
		uint32_t bucket = late_bucket(ns);

		ordered = ordered && bucket >= last;
		/* What is 2% more lies in another bucket. */
		fine = fine && (ns < 64 || late_bucket(ns + ns / 50 + 1) > bucket);
		last = bucket;
	}
	ok(ordered, "buckets are in order");
	ok(fine, "... and 2%% fine");
	is_int(late_bucket(0), 0, "0 has the first");
	is_int(late_bucket(UINT64_MAX), LATE_BUCKETS - 1, "the longest has the last");
}

/* @nr completions of 100 us, each late by @late ns. */
static void count(struct late *l, uint64_t nr, uint64_t late)
{
	for (uint64_t i = 0; i < nr; i++)
		late_count(l, 100000, 100000 + late);
}

static struct late_verdict judge(uint64_t nr, uint64_t late, uint64_t nr2, uint64_t late2)
{
	struct late *l = calloc(1, sizeof(*l));
	struct late_verdict v;

	count(l, nr, late);
	count(l, nr2, late2);
	late_judge(l, &v);
	free(l);
	return v;
}

static void test_judgement(void)
{
	struct late_verdict v = judge(0, 0, 0, 0);

	ok(!v.nr && !v.percentile && !v.mean_differs, "nothing counted, nothing said");
	v = judge(100000, 1000, 0, 0);
	ok(!v.percentile && !v.mean_differs, "1 us late at 100 us is the drive's");
	ok(v.own_mean == 100000 && v.late_mean == 1000, "... the means are exact");
	v = judge(100000, 20000, 0, 0);
	ok(v.percentile == 50 && v.mean_differs, "20 us late at 100 us: all is the host's");
	ok(v.own > 98000 && v.own < 102000 && v.taken > 118000 && v.taken < 122000,
	   "... and how much that is");
	v = judge(98500, 500, 1500, 40000);
	ok(v.percentile == 99 && !v.mean_differs, "the last 1.5%% late: from the 99th on");
	v = judge(99950, 500, 50, 400000);
	ok(v.percentile == 99.99 && !v.mean_differs, "the last 0.05%% late: from the 99.99th on");
	v = judge(495, 500, 5, 400000);
	ok(!v.percentile, "five of 500 late: too few to say");
}

/* Jobs are processes: the last of them to end gets all counts. */
static void test_jobs(void)
{
	struct late_verdict v = { 0 };
	struct late *l;
	int status = -1;
	pid_t pid;

	late_init();
	late_init();
	l = late_begin();
	pid = fork();
	if (!pid) {
		struct late *mine = late_begin();

		count(mine, 1000, 0);
		_exit(late_end(mine, &v));
	}
	waitpid(pid, &status, 0);
	ok(WIFEXITED(status) && !WEXITSTATUS(status), "a job that is not the last hears nothing");
	count(l, 500, 3000);
	ok(late_end(l, &v), "the last one does");
	ok(v.nr == 1500 && v.late_mean == 1000, "... of all completions");
	ok(late_end(late_begin(), &v) && !v.nr, "after that the counts start anew");
	ok(!late_end(NULL, &v), "a job without counts has no verdict");
}

int main(void)
{
	test_buckets();
	test_judgement();
	test_jobs();
	return done_testing();
}
