// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio-peak's view of two documents in a row: a later look at one run, or another run. The times
 * are those of fio 3.33 on a busy host, unless a case says otherwise.
 */
#include <stdlib.h>

#include "t/unit/tap.h"
#include "tools/fio-peak/interim.h"

/* One document of one job; @ms: printed, 0: no timestamp_ms; @s: timestamp, 0: none. */
struct doc {
	long ms, s, elapsed, runtime, ios, error;
	const char *options;
};

#define JOB "\"rw\":\"read\""

static const struct {
	const char *name;
	struct doc a, b;
	bool same;
} cases[] = {
	{ "the next second",
	  { 9758318, 9758, 1, 393, 7758, 0, JOB },
	  { 9758825, 9758, 2, 893, 17838, 0, JOB },
	  true },
	{ "printed late: the clock went on by 1.2 s, the job by 0.5",
	  { 9759315, 9759, 2, 1393, 27865, 0, JOB },
	  { 9760520, 9760, 3, 1895, 29426, 0, JOB },
	  true },
	{ "the end: runtime jumps, the counts stand still",
	  { 9741062, 9741, 3, 409, 6907, 0, JOB },
	  { 9741085, 9741, 3, 2361, 6907, 0, JOB },
	  true },
	{ "one document twice",
	  { 9760536, 9760, 3, 2601, 29426, 0, JOB },
	  { 9760537, 9760, 3, 2601, 29426, 0, JOB },
	  true },
	{ "jobs one after another: the longest is not the run's age",
	  { 9003000, 9003, 3, 2000, 500, 0, JOB },
	  { 9006100, 9006, 7, 2000, 900, 0, JOB },
	  true },
	{ "a longer run half a second later",
	  { 9911729, 9911, 2, 1001, 3019328, 0, JOB },
	  { 9914221, 9914, 3, 2001, 4602760, 0, JOB },
	  false },
	{ "a run that failed at once, and a good one",
	  { 9970754, 9970, 1, 0, 1, 28, JOB },
	  { 9973804, 9973, 3, 2001, 169840, 28, JOB },
	  false },
	{ "an error does not go away",
	  { 9758318, 9758, 1, 393, 7758, 5, JOB },
	  { 9758825, 9758, 2, 893, 17838, 0, JOB },
	  false },
	{ "another block size",
	  { 9758318, 9758, 1, 393, 7758, 0, JOB },
	  { 9758825, 9758, 2, 893, 17838, 0, JOB ",\"bs\":\"8k\"" },
	  false },
	{ "fewer I/Os",
	  { 9758318, 9758, 1, 393, 7758, 0, JOB },
	  { 9758825, 9758, 2, 893, 7757, 0, JOB },
	  false },
	{ "whole seconds only: the next second",
	  { 0, 8548, 2, 901, 3793907, 0, JOB },
	  { 0, 8549, 3, 1911, 8178517, 0, JOB },
	  true },
	{ "whole seconds only: the end",
	  { 0, 8551, 5, 3925, 15772183, 0, JOB },
	  { 0, 8551, 5, 4001, 16022180, 0, JOB },
	  true },
	{ "whole seconds only: another run",
	  { 0, 8551, 5, 4001, 15772183, 0, JOB },
	  { 0, 8556, 5, 4001, 16022180, 0, JOB },
	  false },
	{ "no clock: it grew",
	  { 0, 0, 1, 901, 100, 0, JOB },
	  { 0, 0, 2, 1901, 200, 0, JOB },
	  true },
	{ "no clock: it did not",
	  { 0, 0, 2, 1001, 100, 0, JOB },
	  { 0, 0, 2, 1001, 200, 0, JOB },
	  false },
};

static void look(struct look *l, const struct doc *d)
{
	char text[1024], ms[64] = "", s[64] = "";
	struct run run;
	struct document doc = { .file = "x" };
	json_t *root;

	if (d->ms)
		snprintf(ms, sizeof(ms), "\"timestamp_ms\":%ld,", d->ms);
	if (d->s)
		snprintf(s, sizeof(s), "\"timestamp\":%ld,", d->s);
	snprintf(text, sizeof(text),
		 "{%s%s\"jobs\":[{\"jobname\":\"n\",\"groupid\":0,\"error\":%ld,\"elapsed\":%ld,"
		 "\"job options\":{%s},\"read\":{\"io_bytes\":%ld,\"io_kbytes\":%ld,"
		 "\"runtime\":%ld,\"total_ios\":%ld}}]}",
		 s, ms, d->error, d->elapsed, d->options, 4096 * d->ios, 4 * d->ios, d->runtime,
		 d->ios);
	root = json_loads(text, 0, NULL);
	doc.root = root;
	run_parse(&run, &doc);
	look_make(l, &run);
	run_free(&run);
	json_decref(root);
}

int main(void)
{
	struct look none = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct look a, b;

		look(&a, &cases[i].a);
		look(&b, &cases[i].b);
		ok(a.nr == 1 && look_same_run(&a, &b) == cases[i].same, "%s: %s", cases[i].name,
		   cases[i].same ? "the same run" : "another run");
		ok(!look_same_run(&none, &b), "... and not the same as none");
		look_free(&a);
		look_free(&b);
	}
	return done_testing();
}
