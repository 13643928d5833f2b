// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sentences as reviews have them: who leads a workload, with what, how far ahead of whom, and what is
 * doubtful about it. A paragraph for each workload, then how often each drive leads.
 */
#include "render.h"
#include "alloc.h"
#include "feed.h"
#include "pairs.h"
#include "ranking.h"
#include "show.h"
#include "table.h"
#include "text.h"

/* Phrases */

static void put_drive(FILE *out, const struct report *r, const struct curve *c)
{
	text_put(out, r->curves->drive_names[c->drive]);
}

static void put_owned(FILE *out, char *s)
{
	fputs(s, out);
	free(s);
}

static void put_number(FILE *out, double v)
{
	put_owned(out, number_text(v, false));
}

/* " at 254 us", " at a p99 of at most 254 us", or nothing when it was not measured. */
static void put_latency(FILE *out, const struct report *r, const struct point *p)
{
	double ns = shape_latency(p, r->rules);

	if (isnan(ns))
		return;
	fputs(" at ", out);
	if (r->rules->pct >= 0)
		fprintf(out, "a %s of ", shape_latency_name(r->rules));
	if (shape_bound(p, r->rules))
		fputs("at most ", out);
	put_owned(out, show_latency(r->rules, ns, false));
	fprintf(out, " %s", show_time(r->rules));
}

static void put_figures(FILE *out, const struct report *r, const struct point *p, int metric)
{
	put_owned(out,
		  show_metric(r->rules, metric, metric_value(&p->dir[DIR_ALL], metric), false));
	fprintf(out, " %s", show_title(r->rules, metric));
	put_latency(out, r, p);
}

/* "gen4 with 252,452 IOPS at 4,055 us (or 251,612 IOPS at 254 us)" */
static void put_peak(FILE *out, const struct report *r, const struct curve *c, int metric,
		     const char *verb)
{
	const struct shape *s = &r->shapes[c - r->curves->list];

	put_drive(out, r, c);
	fprintf(out, " %s ", verb);
	put_figures(out, r, c->peak, metric);
	if (s->practical && s->practical != c->peak) {
		fputs(" (or ", out);
		put_figures(out, r, s->practical, metric);
		fputc(')', out);
	}
}

/* Sentences */

static void put_lead(FILE *out, const struct report *r, const struct ranking *k)
{
	double ahead = ranking_lead(k);

	if (!ranking_has_leader(k)) {
		put_peak(out, r, k->list[0], k->metric, "with");
		fputs(" and ", out);
		put_peak(out, r, k->list[1], k->metric, "with");
		fputs(" are level.", out);
		return;
	}
	put_peak(out, r, k->list[0], k->metric, "leads with");
	if (isfinite(ahead))
		fprintf(out, ahead < 99.95 ? ", %.1f%% ahead of " : ", %.0f%% ahead of ", ahead);
	else
		fputs(", ahead of ", out);
	put_peak(out, r, k->list[1], k->metric, "with");
	fputc('.', out);
}

static void put_rest(FILE *out, const struct report *r, const struct ranking *k)
{
	for (unsigned int i = 2; i < k->nr; i++) {
		fputs(i == 2	       ? k->nr > 3 ? " Then come " : " Then comes "
		      : i + 1 == k->nr ? " and "
				       : ", ",
		      out);
		put_peak(out, r, k->list[i], k->metric, "with");
	}
	if (k->nr > 2)
		fputc('.', out);
}

/* Who has the lowest latency at its peak, if it is not the leader and can be told. */
static void put_quickest(FILE *out, const struct report *r, const struct ranking *k)
{
	const struct curve *best = ranking_quickest(k, r->rules);
	double leader, least;

	if (!best || best == k->list[0])
		return;
	leader = shape_latency(k->list[0]->peak, r->rules);
	least = shape_latency(best->peak, r->rules);
	fputs(" The lowest latency there is that of ", out);
	put_drive(out, r, best);
	fprintf(out, ", %.1f%% below ", (leader - least) / leader * 100);
	put_drive(out, r, k->list[0]);
	fputc('.', out);
}

static void put_cap(FILE *out, const struct report *r, const struct curve *c, double cap_ns)
{
	struct cap_found found = shape_cap(c, r->rules, cap_ns);

	put_drive(out, r, c);
	if (found.result == CAP_NEVER_REACHED)
		fputs(" is never", out);
	else if (found.result == CAP_UNKNOWN)
		fputs(" cannot be told", out);
	else
		fputs(found.at_least ? " reaches at least " : " reaches ", out);
	if (isnan(found.iops))
		return;
	put_number(out, found.iops);
	fputs(" IOPS", out);
}

static void put_caps(FILE *out, const struct report *r, const struct ranking *k)
{
	for (unsigned int cap = 0; cap < r->rules->caps_nr; cap++) {
		bool any = false;

		for (unsigned int i = 0; i < k->nr; i++) {
			const struct curve *c = k->list[i];

			if (!shape_has_cap(c, &r->shapes[c - r->curves->list], r->rules,
					   r->rules->caps[cap]))
				continue;
			if (!any)
				fprintf(out, " Within %s ", r->rules->cap_names[cap]);
			else
				fputs(", ", out);
			any = true;
			put_cap(out, r, c, r->rules->caps[cap]);
		}
		if (any)
			fputc('.', out);
	}
}

/* Of loads of different kinds the peak says little. */
static void put_varying(FILE *out, const struct report *r, const struct ranking *k)
{
	for (unsigned int i = 0; i < k->nr + k->others; i++) {
		const char *setting = shape_varies(k->list[i]);

		if (!setting)
			continue;
		fputs(" The runs of ", out);
		put_drive(out, r, k->list[i]);
		fprintf(out, " have different settings (%s).", setting);
	}
}

/* What the reader should know before he believes it. A rate that was not reached is no doubt. */
static void put_doubts(FILE *out, const struct report *r, const struct ranking *k)
{
	static const struct {
		enum flag flag;
		const char *text;
	} doubts[] = { { FLAG_FAILED, "failed and is not ranked" },
		       { FLAG_CUT, "was cut off and is not ranked" },
		       { FLAG_SHORT, "ran short" },
		       { FLAG_INTERIM, "was ended before its time" },
		       { FLAG_IN_FLIGHT, "did not keep jobs x iodepth I/Os in flight" } };

	for (unsigned int i = 0; i < k->nr + k->others; i++) {
		for (size_t d = 0; d < sizeof(doubts) / sizeof(doubts[0]); d++) {
			if (!(k->list[i]->peak->flags & doubts[d].flag))
				continue;
			fputc(' ', out);
			put_drive(out, r, k->list[i]);
			fprintf(out, " %s.", doubts[d].text);
		}
	}
}

static void put_notes(FILE *out, const struct report *r, const struct ranking *k)
{
	for (unsigned int i = 0; i < k->nr + k->others; i++) {
		if (!k->list[i]->peak->note)
			continue;
		fputs(" Of ", out);
		put_drive(out, r, k->list[i]);
		fputs(": ", out);
		text_put(out, k->list[i]->peak->note);
		fputc('.', out);
	}
}

/* "x-dr on costs 12.2% of the IOPS and adds 56.2% to the latency." */
static void put_pairs(FILE *out, const struct pairs *pairs, unsigned int w)
{
	for (size_t i = 0; i < pairs->nr; i++) {
		const struct pair *p = &pairs->list[i];

		if (p->off->workload != w)
			continue;
		fputc(' ', out);
		text_put(out, p->name);
		fprintf(out, " on %s %.1f%% %s the %s", p->cost < 0 ? "adds" : "costs",
			fabs(p->cost), p->cost < 0 ? "to" : "of", metrics[p->metric].title);
		if (!isnan(p->latency_cost))
			fprintf(out, " and %s %.1f%% %s the latency",
				p->latency_cost < 0 ? "takes" : "adds", fabs(p->latency_cost),
				p->latency_cost < 0 ? "from" : "to");
		fputc('.', out);
	}
}

static void put_workload(FILE *out, const struct report *r, const struct ranking *k,
			 const struct pairs *pairs, unsigned int w)
{
	const char *setting = compare_differs(r->curves, w);

	text_put(out, r->curves->workload_names[w]);
	fputs(": ", out);
	if (k->nr > 1) {
		put_lead(out, r, k);
		put_rest(out, r, k);
		put_quickest(out, r, k);
	} else if (k->nr) {
		put_peak(out, r, k->list[0], k->metric, "reaches");
		fputc('.', out);
	} else {
		fputs("no run to rank.", out);
	}
	put_caps(out, r, k);
	put_pairs(out, pairs, w);
	if (setting)
		fprintf(out, " The drives ran it with different settings (%s).", setting);
	put_varying(out, r, k);
	put_doubts(out, r, k);
	put_notes(out, r, k);
	fputs("\n\n", out);
}

/* "To feed 64GB/s by seqread-256k takes 5 drives of sn861, 5 of pm1743, 10 of pm9a3." */
static void put_feed(FILE *out, const struct report *r, const struct ranking *k)
{
	bool any = false;

	for (unsigned int i = 0; i < k->nr; i++) {
		const struct curve *c = k->list[i];
		unsigned long needed = feed_drives(c, r->rules);

		if (!needed)
			continue;
		if (!any) {
			fprintf(out, "To feed %s by ", r->rules->feed_name);
			text_put(out, r->curves->workload_names[c->workload]);
			fprintf(out, " takes %lu drive%s of ", needed, needed > 1 ? "s" : "");
		} else {
			fprintf(out, ", %lu of ", needed);
		}
		put_drive(out, r, c);
		any = true;
	}
	if (any)
		fputs(".\n\n", out);
}

static void put_wins(FILE *out, const struct report *r, const unsigned int *wins,
		     unsigned int compared)
{
	bool any = false;

	if (compared < 2)
		return;
	fprintf(out, "Of %u workloads that several drives ran", compared);
	for (unsigned int d = 0; d < r->curves->drives; d++) {
		if (!wins[d])
			continue;
		fputs(", ", out);
		text_put(out, r->curves->drive_names[d]);
		fprintf(out, " leads in %u", wins[d]);
		any = true;
	}
	fputs(any ? ".\n" : ", none has a leader.\n", out);
}

void render_prose(FILE *out, const struct report *r)
{
	unsigned int *wins = alloc_zero(r->curves->drives, sizeof(*wins)), compared = 0, nr;
	struct pairs pairs;

	pairs_make(&pairs, r);
	for (size_t i = 0; i < r->curves->nr; i += nr) {
		const struct curve *first = &r->curves->list[i];
		struct ranking k;

		nr = r->curves->per_workload[first->workload];
		ranking_make(&k, first, nr);
		put_workload(out, r, &k, &pairs, first->workload);
		put_feed(out, r, &k);
		compared += k.nr > 1;
		if (ranking_has_leader(&k))
			wins[k.list[0]->drive]++;
		ranking_free(&k);
	}
	put_wins(out, r, wins, compared);
	pairs_free(&pairs);
	free(wins);
}
