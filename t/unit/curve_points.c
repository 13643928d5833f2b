// SPDX-License-Identifier: GPL-2.0-only
/* fio-curve: --points=, --grid=, sizes and times, hosts: what is taken, and as what. */
#include <stdlib.h>

#include "t/unit/tap.h"
#include "tools/fio-curve/hosts.h"
#include "tools/fio-curve/points.h"
#include "tools/fio-curve/values.h"

static const struct {
	const char *text, *want; /* "": refused */
} point_cases[] = {
	{ "10-120/10", "10 20 30 40 50 60 70 80 90 100 110 120" },
	{ "10-30", "10 20 30" },
	{ "50", "50" },
	{ "90,10,50", "10 50 90" },
	{ "10,10,10-20/5", "10 15 20" },
	{ "10-25/10", "10 20" },
	{ "999", "999" },
	{ "", "" },
	{ "0", "" },
	{ "1000", "" },
	{ "-5", "" },
	{ "10-", "" },
	{ "20-10", "" },
	{ "10-20/0", "" },
	{ "10-20/", "" },
	{ "10,", "" },
	{ "10%", "" },
	{ "ten", "" },
	{ "4294967306", "" },
};

static void test_points(void)
{
	struct points p;
	char got[256], *why;

	for (size_t i = 0; i < sizeof(point_cases) / sizeof(point_cases[0]); i++) {
		size_t len = 0;

		got[0] = 0;
		why = points_parse(point_cases[i].text, &p);
		for (size_t k = 0; !why && k < p.nr; k++)
			len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%u", k ? " " : "",
						p.percent[k]);
		is_str(got, point_cases[i].want, point_cases[i].text);
		ok(!!why == !*point_cases[i].want, "... %s", why ? "says why" : "is taken");
		free(why);
		points_free(&p);
	}
	why = points_parse("max", &p);
	ok(!why && !p.nr, "max: no rated point");
	free(why);
}

static void test_grid(void)
{
	static const char *const wrong[] = { "",    "2",    "2x",  "x2",    "0x2",
					     "2x0", "2x2,", "2X2", "2x2x2", "70000x1" };
	struct grid g;
	char *why = grid_parse("2x4,16x16", &g);

	ok(!why && g.nr == 2 && g.point[0].jobs == 2 && g.point[0].depth == 4 &&
		   g.point[1].jobs == 16 && g.point[1].depth == 16,
	   "a grid keeps its order");
	grid_free(&g);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		why = grid_parse(wrong[i], &g);
		ok(why != NULL, "grid \"%s\" is refused", wrong[i]);
		free(why);
	}
}

static void test_values(void)
{
	static const struct {
		const char *text;
		bool fio;
		long want; /* -1: refused */
	} sizes[] = {
		{ "4k", true, 4096 },	 { "4K", true, 4096 },	  { "4kb", true, 4096 },
		{ "4KiB", true, 4000 },	 { "4KiB", false, 4096 }, { "1m", true, 1 << 20 },
		{ "1.5k", false, 1536 }, { "512", true, 512 },	  { "0.3", true, -1 },
		{ "4x", true, -1 },	 { "-4k", true, -1 },	  { "", true, -1 },
		{ "0x10", true, -1 },	 { "4 k", true, -1 },	  { "nan", true, -1 },
	};
	static const struct {
		const char *text, *want;
	} times[] = {
		{ "30", "30" },	  { "0.5", "500ms" },	{ "500ms", "500ms" }, { "2m", "120" },
		{ "1h", "3600" }, { "1.25", "1250ms" }, { "-1", "" },	      { "x", "" },
		{ "1e3", "" },	  { "9999d", "" },
	};
	uint64_t value;
	char text[28];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		is_int(value_bytes(sizes[i].text, sizes[i].fio, &value) ? (long)value : -1,
		       sizes[i].want, sizes[i].text);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		is_str(value_ms(times[i].text, &value) ? value_ms_text(value, text) : "",
		       times[i].want, times[i].text);
	is_str(value_thousands(1234567, text), "1,234,567", "thousands");
	is_str(value_thousands(999, text), "999", "... none");
	is_str(value_clock(59001, text), "1:00", "a clock rounds up");
	is_str(value_clock(7200000, text), "2:00:00", "... with hours");
}

static void test_hosts(void)
{
	static const struct {
		const char *text, *want; /* NULL: refused */
	} cases[] = {
		{ "a", "a" },
		{ "10.0.0.1:8801", "10.0.0.1,8801" },
		{ "[::1]", "ip6:::1" },
		{ "[::1]:8801", "ip6:::1,8801" },
		{ "sock:/run/fio", "sock:/run/fio" },
		{ "a:0", NULL },
		{ "a:65536", NULL },
		{ "a b", NULL },
		{ "-x", NULL },
		{ "", NULL },
		{ "a,a", NULL },
		{ "[::1", NULL },
		{ "a;b", NULL },
	};
	struct hosts h;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *why = hosts_parse(cases[i].text, &h);

		if (cases[i].want)
			is_str(why ? why : h.name[0], cases[i].want, cases[i].text);
		else
			ok(why != NULL, "host \"%s\" is refused", cases[i].text);
		free(why);
		hosts_free(&h);
	}
}

int main(void)
{
	test_points();
	test_grid();
	test_values();
	test_hosts();
	return done_testing();
}
