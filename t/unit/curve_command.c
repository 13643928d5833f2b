// SPDX-License-Identifier: GPL-2.0-only
/* fio-curve: fio's command line as arguments and as a shell takes it; what fio's status lines say. */
#include <math.h>
#include <stdlib.h>

#include "t/unit/tap.h"
#include "tools/fio-curve/fio.h"

static void test_command(void)
{
	struct hosts none = { 0 }, two = { .name = (char *[]){ "a", "b,1" }, .nr = 2 };
	struct command c;
	char *text;

	fio_command(&c, "/opt/my fio/fio", "it's.fio", "a&b.json", true, &none);
	is_str(c.arg[0], "/opt/my fio/fio", "arguments are not split");
	is_str(c.arg[c.nr - 1], "it's.fio", "... and not quoted");
	ok(!c.arg[c.nr], "... and end with NULL");
	text = command_text(&c);
	is_str(text,
	       "'/opt/my fio/fio' --output-format=json+ '--output=a&b.json' --eta=always "
	       "--eta-newline=1 --readonly 'it'\\''s.fio'",
	       "a shell takes it back");
	free(text);
	command_free(&c);
	fio_command(&c, "fio", "x.fio", "x.json", true, &two);
	text = command_text(&c);
	is_str(text,
	       "fio --output-format=json+ --output=x.json --eta=always --eta-newline=1 --client=a "
	       "--readonly x.fio --client=b,1 --readonly x.fio",
	       "each host has its own arguments");
	free(text);
	command_free(&c);
}

static void test_eta(void)
{
	static const struct {
		const char *line;
		double want;
	} cases[] = {
		{ "Jobs: 12 (f=12), 0-12008 IOPS: [m(12)][57.1%][r=32.6MiB/s,w=14.4MiB/s]"
		  "[r=8337,w=3677 IOPS][eta 00m:03s]",
		  12014 },
		{ "Jobs: 1 (f=1): [r(1)][50.0%][r=98.0MiB/s][r=25.1k IOPS][eta 00m:01s]", 25100 },
		{ "Jobs: 1 (f=1): [w(1)][50.0%][w=9GiB/s][w=2.5M IOPS][eta 00m:01s]", 2500000 },
		{ "Jobs: 12 (f=0): [/(12)][-.-%][eta 00m:04s]", -1 },
		{ "", -1 },
		{ " IOPS]", -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(fabs(fio_eta_iops(cases[i].line) - cases[i].want) < 0.1,
		   "IOPS of a status line, %zu", i);
}

int main(void)
{
	test_command();
	test_eta();
	return done_testing();
}
