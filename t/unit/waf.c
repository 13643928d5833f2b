// SPDX-License-Identifier: GPL-2.0-only
// Write amplification between two readings, and each reason to doubt it.
#include "engine/telemetry/waf.h"
#include "t/unit/tap.h"

#define GIB ((u128)1 << 30)

/* A window without any doubt: 100 GiB by the host, 150 GiB on the media, units of 1 GiB. */
static struct waf_window good_fdp(void)
{
	const u128 begin = (u128)1 << 70;

	return (struct waf_window){
		.has_fdp = true,
		.fdp = { { begin, begin * 2, 5 }, { begin + 100 * GIB, begin * 2 + 150 * GIB, 9 } },
		.own_bytes = 100 * GIB,
		.unit_bytes = 1ULL << 30,
		.group_bytes = 1ULL << 40,
	};
}

static struct waf_window good_ocp(void)
{
	return (struct waf_window){
		.has_ocp = true,
		.smart = { { .units_written = 1000 }, { .units_written = 1000 + 200000 } },
		.ocp = { { .media_written = 7 },
			 { .media_written = 7 + (u128)300000 * DATA_UNIT_BYTES } },
		.own_bytes = (u128)200000 * DATA_UNIT_BYTES - 1000,
		.group_bytes = 1ULL << 40,
	};
}

static void doubts(struct waf_window w, uint32_t want, const char *name)
{
	struct waf waf;

	waf_judge(&w, &waf);
	if (!ok(waf.doubts == want, "%s", name))
		printf("# got %x, want %x\n", waf.doubts, want);
}

static void test_sources(void)
{
	struct waf_window w = good_fdp();
	struct waf waf;

	waf_judge(&w, &waf);
	ok(waf.source == WAF_FDP && waf.known && waf.ratio == 1.5 && !waf.doubts,
	   "FDP statistics beyond 2^70: 1.5, without a doubt");
	w = good_ocp();
	waf_judge(&w, &waf);
	ok(waf.source == WAF_OCP && waf.known && waf.ratio == 1.5 && !waf.doubts,
	   "OCP over SMART: 1.5, without a doubt");
	w.has_fdp = true;
	w.fdp[1].host_bytes = w.fdp[1].media_bytes = GIB;
	waf_judge(&w, &waf);
	ok(waf.source == WAF_FDP, "both: FDP statistics are taken");
	memset(&w, 0, sizeof(w));
	waf_judge(&w, &waf);
	ok(waf.source == WAF_NONE && !waf.known, "neither: none");
}

static void test_doubts(void)
{
	struct waf_window w = good_fdp();

	w.unit_bytes = 26ULL << 30;
	doubts(w, WAF_FEW_UNITS, "less than 4 units");
	w = good_fdp();
	w.group_bytes = 10001ULL << 30;
	doubts(w, WAF_SMALL_PART, "less than 1% of the group");
	w = good_fdp();
	w.fdp[1].media_bytes = w.fdp[0].media_bytes + 99 * GIB;
	doubts(w, WAF_MEDIA_BELOW_HOST, "media below host");
	w = good_fdp();
	w.own_bytes -= 4096;
	doubts(w, WAF_OTHER_WRITERS, "other writers, one block");
	w = good_fdp();
	w.own_bytes += 4096;
	doubts(w, WAF_FEWER, "the drive counts fewer bytes");
	w = good_fdp();
	w.fdp[1].media_bytes = w.fdp[0].media_bytes;
	doubts(w, WAF_STUCK | WAF_MEDIA_BELOW_HOST, "media bytes did not move");
	w = good_fdp();
	w.fdp[1] = w.fdp[0];
	doubts(w, WAF_STUCK | WAF_FEWER, "nothing moved");
	w = good_fdp();
	w.fdp[1].media_bytes = 0;
	doubts(w, WAF_BACKWARDS | WAF_STUCK | WAF_MEDIA_BELOW_HOST, "a counter went backwards");
	w = good_fdp();
	w.cut_short = true;
	doubts(w, WAF_CUT_SHORT, "cut short");
	w = good_ocp();
	w.smart[1].units_written = 1000 + 90;
	w.own_bytes = 90 * DATA_UNIT_BYTES;
	doubts(w, WAF_COARSE | WAF_SMALL_PART, "too little for SMART's units");
	w = good_ocp();
	w.own_bytes -= 3 * DATA_UNIT_BYTES;
	doubts(w, WAF_OTHER_WRITERS, "OCP: other writers, beyond the units' rounding");
}

static void test_edges(void)
{
	struct waf_window w = good_fdp();
	struct waf waf;

	w.own_bytes = 98 * GIB;
	waf_judge(&w, &waf);
	ok(waf.other_bytes == 2 * GIB, "how much others wrote");
	w.fdp[1] = w.fdp[0];
	w.own_bytes = 0;
	waf_judge(&w, &waf);
	ok(!waf.known && !waf.doubts, "nobody wrote: no ratio, and nothing to doubt");
	for (int i = 0; i < WAF_DOUBTS; i++)
		ok(*waf_doubt_text(1U << i), "doubt %d has a text", i);
	is_str(waf_doubt_text(1U << WAF_DOUBTS), "", "there is no further one");
}

int main(void)
{
	test_sources();
	test_doubts();
	test_edges();
	return done_testing();
}
