// SPDX-License-Identifier: GPL-2.0-only
/*
 * A document's entries are grouped by job name, host, group and settings; each group becomes one
 * point. What makes a document interim, a point failed or short is decided here.
 */
#include "fold.h"
#include "alloc.h"
#include "conditions_find.h"
#include "load.h"
#include "merge.h"

/* Interim documents */

void fold_drop(struct folded *f, size_t first)
{
	while (f->nr > first)
		point_free(&f->points[--f->nr]);
}

/* Returns the number of interim documents that this one replaces. */
static unsigned int replace_interim(struct folded *f, const struct run *run)
{
	struct previous now = { .first = f->nr }, *before = &f->previous;

	look_make(&now.look, run);
	if (look_same_run(&before->look, &now.look)) {
		now.interim = before->interim + 1;
		now.text = before->text;
		if (f->unmerged) {
			for (size_t i = before->first; i < f->nr; i++)
				f->points[i].flags |= FLAG_INTERIM;
		} else {
			fold_drop(f, before->first);
			now.first = before->first;
		}
	}
	look_free(&before->look);
	*before = now;
	return now.interim;
}

/* Flags */

/* Jobs that ran as long as they were asked to need not have ended together. */
static bool ran_short(const struct short_job *s)
{
	double least = isnan(s->asked_ms) ? 0.9 * s->longest_ms : 0.98 * s->asked_ms;

	/* A run of "1 s" may count 990 ms. */
	return s->ms < 980 || s->ms < least;
}

static void point_short(struct point *p, const struct entry *e, double longest_ms)
{
	struct short_job s = { .ms = entry_runtime_ms(e),
			       .asked_ms = e->runtime_asked * 1000,
			       .longest_ms = longest_ms };

	if (e->error || !ran_short(&s))
		return;
	if (!(p->flags & FLAG_SHORT) || s.ms < p->short_job.ms)
		p->short_job = s;
	p->flags |= FLAG_SHORT;
}

static unsigned int flags_of_entry(const struct entry *e)
{
	bool failed = e->error || e->total_err > 0;
	unsigned int flags = failed ? FLAG_FAILED : 0;

	if (e->clat_is_lat)
		flags |= FLAG_TOTAL;
	for (int d = 0; d < DIR_NR; d++)
		if (isnan(e->io[d].clat.pct[P99]) && !isnan(e->io[d].lat.pct[P99]))
			flags |= FLAG_TOTAL;
	return flags;
}

static bool shows_worst(const struct figures *fig)
{
	return fig->present && fig->clat.worst && !isnan(fig->clat.pct[P50]);
}

static unsigned int flags_of_point(const struct point *p)
{
	unsigned int flags = 0;

	for (int d = 0; d < DIR_NR; d++)
		if (shows_worst(&p->dir[d]))
			flags |= FLAG_WORST;
	if (p->dir[DIR_ALL].ios < POINT_FEW && p->dir[DIR_ALL].ios > 0)
		flags |= FLAG_FEW;
	return flags;
}

/* Groups */

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_group(const struct entry *a, const struct entry *b)
{
	return same_string(a->jobname, b->jobname) && same_string(a->host, b->host) &&
	       (a->groupid == b->groupid || isnan(a->groupid)) && same_string(a->rw, b->rw) &&
	       same_string(a->bs, b->bs) && same_string(a->iodepth, b->iodepth) &&
	       same_string(a->rate_iops, b->rate_iops) && same_string(a->rate, b->rate);
}

/* @apart: the job's other copies are groups of their own. */
struct group {
	const struct entry **entries;
	unsigned int nr;
	bool apart;
};

/* An entry stands in the sum of all by fio's own sum if it has one, else by its directions. */
static bool stands_for(const struct entry *e, enum direction d, enum direction dir)
{
	bool own = entry_has_io(e, DIR_MIXED);

	if (!entry_has_io(e, d))
		return false;
	return dir == DIR_ALL ? own == (d == DIR_MIXED) : d == dir;
}

static void figures_of_group(struct figures *to, const struct group *g, enum direction dir)
{
	const struct io **io = alloc_zero(g->nr, DIR_NR * sizeof(*io));
	unsigned int nr = 0;

	for (unsigned int i = 0; i < g->nr; i++)
		for (enum direction d = 0; d < DIR_NR; d++)
			if (stands_for(g->entries[i], d, dir))
				io[nr++] = &g->entries[i]->io[d];
	figures_merge(to, io, nr);
	free(io);
}

/* "jobs[0..3]", or "jobs[0,2]" when they do not stand together. */
static char *entries_name(const struct group *g, const char *list)
{
	/* A group has at least one entry. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	unsigned int first = g->entries[0]->index, last = g->entries[g->nr - 1]->index;
	char *s, *longer;

	if (g->nr == 1)
		return alloc_printf("%s[%u]", list, first);
	if (last - first == g->nr - 1)
		return alloc_printf("%s[%u..%u]", list, first, last);
	s = alloc_printf("%s[%u", list, first);
	for (unsigned int i = 1; i < g->nr; i++) {
		longer = alloc_printf("%s,%u", s, g->entries[i]->index);
		free(s);
		s = longer;
	}
	longer = alloc_printf("%s]", s);
	free(s);
	return longer;
}

static char *copy(const char *s)
{
	return s ? alloc_string(s) : NULL;
}

static void point_settings(struct point *p, const struct entry *e)
{
	p->jobname = copy(e->jobname);
	p->host = copy(e->host);
	p->rw = copy(e->rw);
	p->bs = copy(e->bs);
	p->iodepth = copy(e->iodepth);
	p->numjobs = copy(e->numjobs);
	p->rate_iops = copy(e->rate_iops);
	p->rate = copy(e->rate);
	p->ioengine = copy(e->ioengine);
	p->filename = copy(e->filename);
	p->paced = e->paced;
	p->options = e->options;
}

static void point_errors(struct point *p, const struct group *g)
{
	double longest = 0;

	for (unsigned int i = 0; i < g->nr; i++)
		longest = fmax(longest, entry_runtime_ms(g->entries[i]));
	for (unsigned int i = 0; i < g->nr; i++) {
		p->flags |= flags_of_entry(g->entries[i]);
		point_short(p, g->entries[i], longest);
		if (!p->error)
			p->error = g->entries[i]->error;
		p->total_err += fmax(g->entries[i]->total_err, 0);
	}
}

/* fio kept its percentiles for the total latency: they are not the completion latency's. */
static void percentiles_move(struct point *p, const struct group *g)
{
	if (!g->entries[0]->clat_is_lat)
		return;
	for (int d = 0; d < DIR_NR; d++) {
		struct figures *f = &p->dir[d];

		memcpy(f->lat.pct, f->clat.pct, sizeof(f->lat.pct));
		for (int i = 0; i < PCT_NR; i++)
			f->clat.pct[i] = NAN;
	}
}

static void point_add(struct folded *f, const struct origin *o, const struct run *run,
		      const struct group *g)
{
	struct point *p;

	f->points = alloc_grow(f->points, f->nr, &f->cap, sizeof(*f->points));
	p = &f->points[f->nr++];
	*p = (struct point){ .input = o->input,
			     .document = run->doc->index,
			     .jobs = g->nr,
			     .apart = g->apart,
			     .cut_jobs = run->cut_jobs,
			     .timestamp = run->timestamp };
	p->file = alloc_string(o->file);
	p->rel = alloc_string(o->rel);
	p->version = copy(run->version);
	p->entries = entries_name(g, run->list);
	point_settings(p, g->entries[0]);
	point_errors(p, g);
	for (int d = 0; d < DIR_NR; d++)
		figures_of_group(&p->dir[d], g, d);
	p->dir[DIR_ALL].present = true;
	p->own_sum = entry_has_io(g->entries[0], DIR_MIXED);
	p->latency_field = g->entries[0]->io[p->own_sum ? DIR_MIXED : DIR_READ].clat.field;
	percentiles_move(p, g);
	p->flags |= flags_of_point(p);
	if (run->doc->cut)
		p->flags |= FLAG_CUT;
	conditions_find(p, run, g->entries, g->nr);
	load_find(p);
	p->flags |= load_flags(p);
}

static bool several_hosts(const struct run *run)
{
	bool several = false;

	for (unsigned int i = 0; i < run->nr; i++)
		several |= !same_string(run->entries[i].host, run->entries[0].host);
	return several;
}

static unsigned int count_names(const struct run *run)
{
	unsigned int names = 1;

	for (unsigned int i = 1; i < run->nr; i++)
		names += !run->entries[i].summary &&
			 !same_string(run->entries[i].jobname, run->entries[0].jobname);
	return names;
}

/* Takes what merges with entry @i. */
static void group_gather(struct group *g, const struct run *run, unsigned int i, bool *used,
			 bool unmerged)
{
	g->nr = 0;
	g->apart = false;
	for (unsigned int j = unmerged ? 0 : i; j < run->nr; j++) {
		if (!same_group(&run->entries[i], &run->entries[j]))
			continue;
		if (unmerged && j != i) {
			g->apart = true;
		} else if (!used[j]) {
			g->entries[g->nr++] = &run->entries[j];
			used[j] = true;
		}
	}
}

static void fold_groups(struct folded *f, const struct origin *o, const struct run *run)
{
	bool *used = alloc_zero(run->nr, sizeof(*used));
	struct group g = { .entries = alloc_zero(run->nr, sizeof(*g.entries)) };

	for (unsigned int i = 0; i < run->nr; i++) {
		if (used[i] || (run->entries[i].summary && !f->unmerged))
			continue;
		group_gather(&g, run, i, used, f->unmerged);
		point_add(f, o, run, &g);
	}
	free(g.entries);
	free(used);
}

/* fio's error lines explain the failed jobs of the document; with none, they concern all. */
static void points_text(struct folded *f, size_t first, const struct read_text *text)
{
	bool explained = false;

	for (size_t i = first; i < f->nr; i++)
		explained |= f->points[i].flags & FLAG_FAILED;
	for (size_t i = first; i < f->nr; i++) {
		struct point *p = &f->points[i];

		if (text->interrupted)
			p->flags |= FLAG_INTERIM;
		if (!text->errors || (explained && !(p->flags & FLAG_FAILED)))
			continue;
		p->flags |= FLAG_FAILED;
		p->error_lines += text->errors;
		if (!p->error_text)
			p->error_text = alloc_string(text->first);
	}
}

/* What fio said before an interim document still holds for the one that replaces it. */
static void text_add(struct read_text *to, const struct read_text *text)
{
	if (!to->errors)
		memcpy(to->first, text->first, sizeof(to->first));
	to->errors += text->errors;
	to->interrupted |= text->interrupted;
}

void fold_document(struct folded *f, const struct origin *o, const struct document *doc)
{
	unsigned int interim, names;
	bool hosts;
	struct run run;

	run_parse(&run, doc);
	interim = replace_interim(f, &run);
	hosts = several_hosts(&run);
	names = count_names(&run);
	fold_groups(f, o, &run);
	for (size_t i = f->previous.first; i < f->nr; i++) {
		f->points[i].interim = interim;
		f->points[i].names = names;
		if (!hosts) {
			free(f->points[i].host);
			f->points[i].host = NULL;
		}
	}
	text_add(&f->previous.text, &doc->text);
	points_text(f, f->previous.first, &f->previous.text);
	run_free(&run);
}

void fold_file_begin(struct folded *f)
{
	look_free(&f->previous.look);
	f->previous = (struct previous){ .first = f->nr };
}

void fold_file_end(struct folded *f, const struct read_text *text)
{
	points_text(f, f->previous.first, text);
}

void folded_free(struct folded *f)
{
	fold_drop(f, 0);
	free(f->points);
	look_free(&f->previous.look);
}
