// SPDX-License-Identifier: GPL-2.0-only
/* One line: file, document, entries; names and their sources; load; its part in the curve. */
#include "explain.h"
#include "alloc.h"
#include "table.h"
#include "text.h"

/* The caller's to free. */
static char *load_text(const struct load *l)
{
	char *number, *text;

	if (isnan(l->asked) || isnan(l->outstanding))
		return alloc_string("load unknown");
	if (isinf(l->asked))
		return alloc_printf("no rate, jobs x iodepth %.0f", l->outstanding);
	number = number_text(l->asked, false);
	text = alloc_printf("%s IOPS asked for", number);
	free(number);
	return text;
}

static const char *part_text(const struct curve *c, const struct step *s, const struct point *p)
{
	if (p->flags & FLAG_FAILED && p != c->peak)
		return "failed";
	if (p == c->peak)
		return s->good > 1 ? "shown (the median of its repeats)" : "shown";
	if (p != s->point)
		return "a repeat, not the median";
	return "not shown";
}

static void explain_point(const struct curve *c, unsigned int step, const struct point *p)
{
	char *load = load_text(&p->load), *merged = NULL, *interim = NULL;

	if (p->jobs > 1)
		merged = alloc_printf(", %u entries merged", p->jobs);
	if (p->interim)
		interim = alloc_printf(", replaces %u interim document%s", p->interim,
				       p->interim > 1 ? "s" : "");
	text_say("%s, document %u, %s: drive \"%s\" by %s, workload \"%s\" by %s%s%s; step %u of "
		 "%u, "
		 "%s; %s",
		 p->file, p->document, p->entries, p->drive, p->drive_from, p->workload,
		 p->workload_from, merged ? merged : "", interim ? interim : "", step + 1,
		 c->steps_nr, load, part_text(c, &c->steps[step], p));
	free(load);
	free(merged);
	free(interim);
}

void explain_points(const struct report *r)
{
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];

		for (unsigned int s = 0; s < c->steps_nr; s++)
			for (unsigned int k = 0; k < c->steps[s].nr; k++)
				explain_point(c, s, c->steps[s].points[k]);
	}
}
