// SPDX-License-Identifier: GPL-2.0-only
/* The words for a point's flags and directions. */
#include "point.h"

#include <stdlib.h>
#include <string.h>

const struct flag_text flag_texts[FLAG_TEXTS] = {
	{ FLAG_FAILED, 'E', "failed", "failed: fio reported errors; never marked best" },
	{ FLAG_SHORT, 'S', "short",
	  "short: a job ran under 1 s or less than asked, or (with nothing asked) ended early" },
	{ FLAG_CUT, 'C', "cut-off",
	  "cut off: the file ends inside the document; jobs are missing; never marked best" },
	{ FLAG_INTERIM, 'I', "interim",
	  "interim: not the run's last word (interrupted, or more followed)" },
	{ FLAG_WORST, 'W', "worst",
	  "<= upper bound (worst percentile of the merged jobs or directions), not compared; use "
	  "json+" },
	{ FLAG_FEW, 'F', "few-ios", "few: under 10,000 I/Os, so p99.99 is the slowest I/O" },
	{ FLAG_TOTAL, 'L', "total-latency",
	  "fio kept percentiles of total latency only (lat_percentiles=1)" },
	{ FLAG_SATURATED, 'R', "saturated", "rate: under 97% of the IOPS that were asked for" },
	{ FLAG_IN_FLIGHT, 'Q', "in-flight",
	  "queue: IOPS x latency is over 10% off jobs x iodepth; not only the drive set the pace" },
	{ FLAG_PUBLISHED, 'P', "published",
	  "published: as a review printed it; not measured here" },
};

unsigned int point_directions(const struct point *p)
{
	return p->dir[DIR_READ].present + p->dir[DIR_WRITE].present + p->dir[DIR_TRIM].present;
}

const char *point_direction_name(const struct point *p, enum direction dir)
{
	if (dir != DIR_ALL)
		return direction_names[dir];
	for (int d = 0; d < DIR_ALL && point_directions(p) == 1; d++)
		if (p->dir[d].present)
			return direction_names[d];
	/* Nothing was done: what was asked for. */
	for (int d = 0; d < DIR_ALL && !(p->dir[DIR_ALL].ios > 0); d++)
		if (p->rw &&
		    (!strcmp(p->rw, direction_names[d]) ||
		     (!strncmp(p->rw, "rand", 4) && !strcmp(p->rw + 4, direction_names[d]))))
			return direction_names[d];
	return "all";
}

double point_per_watt(const struct point *p)
{
	double watts = conditions_watts(&p->conditions);

	return watts > 0 ? p->dir[DIR_ALL].iops / watts : 0;
}

void point_free(struct point *p)
{
	char *strings[] = { p->drive,	 p->family,   p->workload,   p->jobname,   p->host,
			    p->file,	 p->rel,      p->entries,    p->version,   p->rw,
			    p->bs,	 p->iodepth,  p->numjobs,    p->rate_iops, p->rate,
			    p->ioengine, p->filename, p->error_text, p->review,	   p->own,
			    p->note };

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
		free(strings[i]);
	conditions_free(&p->conditions);
}
