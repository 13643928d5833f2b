// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio's usr_cpu and sys_cpu are percent of the time that its job ran, of all its copies where
 * group_reporting made them one entry; job_runtime (from 3.8) is that time.
 */
#include "conditions_find.h"
#include "alloc.h"
#include "settings.h"

/* Processor time of an entry, milliseconds; NAN where its copies' time is not known. */
static double cpu_ms(const struct point *p, const struct entry *e)
{
	double ms = e->job_runtime_ms;

	/* Before 3.8: each copy an entry, or all of them one. */
	if (!(ms > 0) && p->options)
		ms = entry_runtime_ms(e) * (p->jobs == 1 ? (double)settings_copies(p) : 1);
	return (e->usr_cpu + e->sys_cpu) / 100 * ms;
}

static void find_cpu(struct point *p, const struct entry *const *entries, unsigned int nr)
{
	const struct figures *all = &p->dir[DIR_ALL];
	double ms = 0;

	for (unsigned int i = 0; i < nr; i++)
		ms += cpu_ms(p, entries[i]);
	if (!(ms > 0) || !(all->runtime_ms > 0) || !(all->ios > 0))
		return;
	p->conditions.cpu_percent = ms / all->runtime_ms * 100;
	p->conditions.cpu_us = ms * 1000 / all->ios;
}

/* When what fio counts began and ended. */
static void find_interval(struct point *p, const struct run *run, const struct entry *e)
{
	struct conditions *c = &p->conditions;
	double ramp = isnan(e->ramp_asked) ? 0 : e->ramp_asked;
	double seconds = p->dir[DIR_ALL].runtime_ms / 1000;

	if (!(seconds > 0))
		return;
	if (e->job_start > 0)
		c->begin = e->job_start / 1000 + ramp;
	else if (run->nr == p->jobs && run->timestamp > seconds)
		/* fio prints when all have ended. */
		c->begin = run->timestamp - seconds;
	else
		return;
	c->end = c->begin + seconds;
}

void conditions_find(struct point *p, const struct run *run, const struct entry *const *entries,
		     unsigned int nr)
{
	struct conditions *c = &p->conditions;

	find_cpu(p, entries, nr);
	find_interval(p, run, entries[0]);
	if (entries[0]->size)
		c->size = alloc_string(entries[0]->size);
	for (unsigned int i = 0; i < nr; i++) {
		if (!entries[i]->steady)
			continue;
		if (!c->steady)
			c->steady = alloc_string(entries[i]->steady);
		c->steady_jobs++;
		c->steady_attained += entries[i]->steady_attained;
	}
}
