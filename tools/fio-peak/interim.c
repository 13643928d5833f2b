// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same run: the same jobs with the same options, in which nothing shrank (fio's numbers are
 * cumulative), and which had begun before the first document was printed.
 */
#include "interim.h"
#include "alloc.h"

/* How much fio's clocks may disagree; between two processes lie their start and end. */
#define TOLERANCE_MS 100

/* Remembering */

static unsigned long hash_string(unsigned long h, const char *s)
{
	for (s = s ? s : ""; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3UL;
	return (h ^ 0xff) * 0x100000001b3UL;
}

static unsigned long hash_json(unsigned long h, const json_t *j)
{
	char *text = j ? json_dumps(j, JSON_COMPACT | JSON_SORT_KEYS) : NULL;

	h = hash_string(h, text);
	free(text);
	return h;
}

static unsigned long hash_entry(unsigned long h, const struct entry *e)
{
	h = hash_string(hash_string(h, e->jobname), e->host);
	h = (h ^ (unsigned long)(fmax(e->port, 0) * 64 + fmax(e->groupid, 0))) * 0x100000001b3UL;
	return hash_json(h, e->options);
}

static struct look_entry look_at(const struct entry *e)
{
	struct look_entry l = { .error = e->error, .total_err = fmax(e->total_err, 0) };

	for (int d = 0; d < DIR_NR; d++) {
		l.ios += fmax(e->io[d].ios, 0);
		l.bytes += fmax(e->io[d].bytes, 0);
	}
	l.runtime_ms = entry_runtime_ms(e);
	return l;
}

void look_make(struct look *l, const struct run *run)
{
	*l = (struct look){ .jobs = 0xcbf29ce484222325UL, .nr = run->nr };
	l->exact = !isnan(run->timestamp_ms);
	l->printed_ms = l->exact ? run->timestamp_ms : run->timestamp * 1000;
	l->job_start = run->nr ? run->entries[0].job_start : NAN;
	l->entries = alloc_zero(run->nr, sizeof(*l->entries));
	l->jobs = hash_json(l->jobs, run->options);
	for (unsigned int i = 0; i < run->nr; i++) {
		const struct entry *e = &run->entries[i];

		l->jobs = hash_entry(l->jobs, e);
		l->entries[i] = look_at(e);
		/* elapsed is rounded up; it counts the jobs that ran before this one, too. */
		l->age_ms = fmax(l->age_ms, l->entries[i].runtime_ms);
		l->age_ms = fmax(l->age_ms, (e->elapsed - 1) * 1000);
	}
}

void look_free(struct look *l)
{
	free(l->entries);
	*l = (struct look){ 0 };
}

/* Comparing */

static bool shrank(const struct look_entry *a, const struct look_entry *b)
{
	return b->ios < a->ios || b->bytes < a->bytes || b->runtime_ms < a->runtime_ms ||
	       b->total_err < a->total_err || (a->error && !b->error);
}

/*
 * Had @b begun when @a was printed? Whole seconds do not tell to within one; then it is asked
 * whether b's begin is nearer to a's begin than to its end.
 */
static bool had_begun(const struct look *a, const struct look *b)
{
	double begin = b->printed_ms - b->age_ms;

	if (a->job_start > 0 && b->job_start > 0)
		return a->job_start == b->job_start;
	/* fio before 2.2.5 has no clock: growth must do. */
	if (isnan(begin) || isnan(a->printed_ms))
		return b->age_ms > a->age_ms;
	if (a->exact && b->exact)
		return begin < a->printed_ms + TOLERANCE_MS;
	return begin < a->printed_ms - a->age_ms / 2;
}

bool look_same_run(const struct look *a, const struct look *b)
{
	if (!a->nr || a->nr != b->nr || a->jobs != b->jobs)
		return false;
	for (unsigned int i = 0; i < a->nr; i++)
		if (shrank(&a->entries[i], &b->entries[i]))
			return false;
	return had_begun(a, b);
}
