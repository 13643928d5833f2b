// SPDX-License-Identifier: GPL-2.0-only
// The presets. Each has the latencies of the drive that it is like, and 1/64 of its parallelism:
// one factor for all, so that two presets compare as the two drives do.
#include "tools/nvsim/presets.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/nvsim/parse.h"

enum {
	SCALE = 64, /* the fastest reads 57K pages a second then; two cores time 60K */
};

/*
 * read_mbps, write_mbps: sequential figures of the reviews, 256 KiB for the first three (1 thread,
 * depth 64), 64 KiB for the last. The time of a page on a die follows from them and from the number
 * of dies; read time plus transfer is the data sheet's read latency (65 and 60 us). Random reads
 * come out at the same number of pages: data sheets give that, too (3.3M and 3.1M), the reviews'
 * host reached 2.1M.
 *
 * op: random writes are sequential ones over WAF, so it is the over-provisioning whose WAF is the
 * ratio of the two in the review: 7696 MB/s to 474K IOPS: 4.0; 4055 to 207K: 4.8; 500 to 70K: 1.7.
 * Of gen5-mixed, which no review has, that of 6.4 TB made of 8 TiB: three drive writes a day.
 *
 * Power: 25 to 12 W and 5 W idle, 100 us, as published for drives of that class.
 */
static const struct preset presets[] = {
	{
		.name = "gen5-read",
		.like = "WD Ultrastar DC SN861 7.68 TB",
		.read_mbps = 13283,
		.write_mbps = 7696,
		.op = 0.155,
		.given = { .pages = 1 << 18,
			   .dies = 3,
			   .channels = 3,
			   .t_transfer = 6000,
			   .buffer_pages = 256,
			   .fdp = 2,
			   .ruhs = 8 },
		.power_states = "25W:idle=5W:entry=100us:exit=100us,20W:idle=5W:entry=100us:"
				"exit=100us,16W:idle=5W:entry=100us:exit=100us,14W:idle=5W:"
				"entry=100us:exit=100us,12W:idle=5W:entry=100us:exit=100us",
	},
	{
		.name = "gen5-mixed",
		.like = "Solidigm D7-PS1010 with a mixed-use drive's over-provisioning",
		.read_mbps = 14848,
		.write_mbps = 7117,
		.op = 0.374,
		.given = { .pages = 1 << 18,
			   .dies = 3,
			   .channels = 3,
			   .t_transfer = 7000,
			   .buffer_pages = 256,
			   .fdp = 2,
			   .ruhs = 8 },
		.power_states = "25W:idle=5W:entry=100us:exit=100us,21W:idle=5W:entry=100us:"
				"exit=100us,18W:idle=5W:entry=100us:exit=100us,15W:idle=5W:"
				"entry=100us:exit=100us,12W:idle=5W:entry=100us:exit=100us",
	},
	{
		.name = "gen4",
		.like = "Samsung PM9A3 7.68 TB",
		.read_mbps = 6751,
		.write_mbps = 4055,
		.op = 0.125,
		.given = { .pages = 1 << 18,
			   .dies = 2,
			   .channels = 2,
			   .t_transfer = 6000,
			   .buffer_pages = 128 },
		.power_states = "13W:idle=4W:entry=100us:exit=100us,10W:idle=4W:entry=100us:"
				"exit=100us,8W:idle=4W:entry=100us:exit=100us",
	},
	{
		.name = "nas-gen3",
		.like = "WD Red SN700 4 TB",
		.read_mbps = 2850,
		.write_mbps = 500,
		.op = 0.49,
		.given = { .pages = 1 << 17,
			   .lba_shift = 9,
			   .dies = 1,
			   .channels = 1,
			   .t_transfer = 8000,
			   .buffer_pages = 64 },
		.power_states = "5.5W:idle=1W,3.5W:idle=1W,3W:idle=1W,"
				"70mW:nonop:entry=4ms:exit=10ms,10mW:nonop:entry=4ms:exit=45ms",
	},
};

const struct preset *preset_find(const char *name)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
		if (!strcmp(presets[i].name, name))
			return &presets[i];
	return NULL;
}

const char *preset_names(void)
{
	static char names[128];

	names[0] = 0;
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
			 i ? ", " : "", presets[i].name);
	return names;
}

/* ns of a page on one of @dies, when all together move @mbps / SCALE. */
static uint32_t page_time(uint32_t dies, double mbps)
{
	return (uint32_t)lround(dies * SCALE * (double)MODEL_PAGE * 1000 / mbps);
}

void preset_apply(const struct preset *p, struct model_geometry *g)
{
	char why[MODEL_WHY_LEN];

	*g = p->given;
	g->t_read = page_time(g->dies, p->read_mbps);
	g->t_program = page_time(g->dies, p->write_mbps);
	g->nr_power_states = parse_power_states(p->power_states, g->power, why);
	assert(g->nr_power_states);
	g->scale = SCALE;
	snprintf(g->preset, sizeof(g->preset), "%s", p->name);
}
