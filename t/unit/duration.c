// SPDX-License-Identifier: GPL-2.0-only
// Times in options.
#include "engine/telemetry/duration.h"
#include "t/unit/tap.h"

static void is_ms(const char *text, uint32_t unit, long want)
{
	uint32_t ms = 0;

	ok(duration_read(text, unit, &ms) && ms == want, "%s (unit %u ms) is %ld ms", text, unit,
	   want);
}

int main(void)
{
	static const char *const bad[] = { "",
					   "x",
					   "-1",
					   " 1",
					   "1us",
					   "1 s",
					   "ms",
					   "1msx",
					   "4294967296",
					   "1200h",
					   "1e3",
					   "0x10",
					   "99999999999999999999" };
	uint32_t ms;

	is_ms("0", 1, 0);
	is_ms("250", 1, 250);
	is_ms("250ms", 1000, 250);
	is_ms("30", 1000, 30000);
	is_ms("2s", 1, 2000);
	is_ms("3m", 1, 180000);
	is_ms("1h", 1, 3600000);
	is_ms("4294967295", 1, 4294967295);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(!duration_read(bad[i], 1, &ms), "\"%s\" is no time", bad[i]);
	return done_testing();
}
