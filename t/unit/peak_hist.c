// SPDX-License-Identifier: GPL-2.0-only
/* fio-peak's histograms: order, percentiles by fio's rule, fio's table of buckets. */
#include <math.h>

#include "t/unit/tap.h"
#include "tools/fio-peak/hist.h"

static void check_percentiles(void)
{
	struct hist a = { 0 }, b = { 0 };

	ok(isnan(hist_percentile(&a, 50)), "empty: no percentile");
	hist_add(&a, 300, 1);
	hist_add(&a, 100, 90);
	hist_add(&a, 200, 4);
	hist_add(&a, 200, 5);
	hist_order(&a);
	is_int((long)a.nr, 3, "equal values are one bin");
	is_int((long)hist_count(&a), 100, "count");
	is_int((long)hist_percentile(&a, 90), 100, "the 90th of 100 is in the first bin");
	is_int((long)hist_percentile(&a, 90.1), 200, "the 91st is in the second");
	is_int((long)hist_percentile(&a, 99), 200, "the 99th");
	is_int((long)hist_percentile(&a, 99.99), 300, "the last");
	hist_add(&b, 50, 100);
	hist_append(&a, &b);
	hist_order(&a);
	is_int((long)hist_percentile(&a, 50), 50, "merged: the 100th of 200");
	is_int((long)hist_percentile(&a, 51), 100, "merged: the 102nd");
	hist_free(&a);
	hist_free(&b);
}

/* fio's table: exact to 127, then 64 buckets an octave, by their middles. */
static void check_buckets(void)
{
	is_int((long)hist_value_of_index(0, 6), 0, "bucket 0");
	is_int((long)hist_value_of_index(127, 6), 127, "bucket 127 is exact");
	is_int((long)hist_value_of_index(128, 6), 129, "bucket 128 holds 128 and 129");
	is_int((long)hist_value_of_index(191, 6), 255, "bucket 191 holds 254 and 255");
	is_int((long)hist_value_of_index(192, 6), 258, "bucket 192 holds 256 to 259");
	is_int((long)hist_value_of_index(1215, 6), 16711680, "the last of 1216");
}

int main(void)
{
	check_percentiles();
	check_buckets();
	return done_testing();
}
