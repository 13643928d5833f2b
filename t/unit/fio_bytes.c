// SPDX-License-Identifier: GPL-2.0-only
// fio's own byte counters are found in struct thread_data by what they hold, and nothing else is.
#include <stdlib.h>

#include "engine/fio_abi.h"
#include "t/unit/tap.h"

enum {
	WORDS = 512,
	ENGINE_DATA = 100, /* word of io_ops_data */
	COUNTERS = 220, /* of io_blocks */
};

static uint64_t td[WORDS];

/* fio's side, for fio_abi.c: no fio runs here. */
ssize_t log_err(const char *format, ...)
{
	return 0;
}

static const uint64_t *find(const uint64_t *ios, const uint64_t *bytes)
{
	return fio_abi_find_bytes((struct thread_data *)td, ios, bytes);
}

int main(void)
{
	const uint64_t ios[3] = { 3, 2, 0 }, bytes[3] = { 3 * 4096, 2 * 65536, 0 };

	fio_abi.td_io_ops_data = ENGINE_DATA * sizeof(td[0]);
	for (int i = 0; i < WORDS; i++)
		td[i] = i % 5;
	ok(!find(ios, bytes), "not there");
	memcpy(&td[COUNTERS], ios, sizeof(ios));
	memcpy(&td[COUNTERS + 3], ios, sizeof(ios));
	memcpy(&td[COUNTERS + 6], bytes, sizeof(bytes));
	ok(!find(ios, bytes), "three of four arrays are not enough");
	memcpy(&td[COUNTERS + 9], bytes, sizeof(bytes));
	ok(find(ios, bytes) == &td[COUNTERS + 6], "all four: io_bytes is the third");
	td[COUNTERS + 4]++;
	ok(!find(ios, bytes), "a count that differs");
	memcpy(&td[WORDS - 12], &td[COUNTERS], 12 * sizeof(td[0]));
	td[WORDS - 12 + 4]--;
	ok(!find(ios, bytes), "what lies beyond the shortest structure is not looked at");
	return done_testing();
}
