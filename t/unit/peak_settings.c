// SPDX-License-Identifier: GPL-2.0-only
/* fio-peak's settings: which are the same to fio, whatever way they were written. */
#include "t/unit/tap.h"
#include "tools/fio-peak/settings.h"

#define LISTED(n) .options = true, .jobs = (n)

static const struct {
	const char *name;
	struct point a, b;
	const char *want;
} cases[] = {
	{ "all left out, all given",
	  { LISTED(1) },
	  { LISTED(1), .rw = "read", .bs = "4k", .iodepth = "1", .numjobs = "1" },
	  "-" },
	{ "rw", { LISTED(1), .rw = "randread" }, { LISTED(1) }, "rw" },
	{ "rw, readwrite", { LISTED(1), .rw = "rw" }, { LISTED(1), .rw = "readwrite" }, "-" },
	{ "bs left out", { LISTED(1) }, { LISTED(1), .bs = "16k" }, "bs" },
	{ "4k, 4096", { LISTED(1), .bs = "4k" }, { LISTED(1), .bs = "4096" }, "-" },
	{ "1M, 1024KiB", { LISTED(1), .bs = "1M" }, { LISTED(1), .bs = "1024KiB" }, "-" },
	{ "one size, three", { LISTED(1), .bs = "8k" }, { LISTED(1), .bs = "8k,8192,8k" }, "-" },
	{ "another for writes", { LISTED(1), .bs = "8k" }, { LISTED(1), .bs = "8k,4k" }, "bs" },
	{ "a range", { LISTED(1), .bs = "4k" }, { LISTED(1), .bs = "4k-16k" }, "bs" },
	{ "iodepth left out", { LISTED(1) }, { LISTED(1), .iodepth = "32" }, "iodepth" },
	{ "numjobs with group_reporting and without",
	  { LISTED(2), .numjobs = "2" },
	  { LISTED(1), .numjobs = "2" },
	  "-" },
	{ "two jobs, one", { LISTED(2), .numjobs = "2" }, { LISTED(1) }, "number of jobs" },
	{ "options unknown", { .jobs = 1 }, { LISTED(1), .bs = "16k" }, "-" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *there = settings_differ(&cases[i].a, &cases[i].b);
		const char *back = settings_differ(&cases[i].b, &cases[i].a);

		is_str(there ? there : "-", cases[i].want, cases[i].name);
		is_str(back ? back : "-", cases[i].want, "... the other way round");
	}
	return done_testing();
}
