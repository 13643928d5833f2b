// SPDX-License-Identifier: GPL-2.0-only
/* The settings and the sources of the points that the results show. */
#include "sections.h"
#include "alloc.h"
#include "settings.h"
#include "text.h"

#include <time.h>

enum {
	COL_WORKLOAD,
	COL_DRIVE,
	COL_RW,
	COL_BS,
	COL_DEPTH,
	COL_JOBS,
	COL_ENGINE,
	COL_FIO,
	COL_SECONDS,
	COL_ENDED,
	COL_FILE,
	COL_NR
};

static char *safe_or_empty(const char *s)
{
	return text_safe(s ? s : "");
}

/* When fio printed it, UTC; empty when it did not say. */
static char *date_text(double timestamp)
{
	time_t t = timestamp > 0 && timestamp < 1e11 ? (time_t)timestamp : 0;
	struct tm tm;
	char text[64];

	if (!t || !gmtime_r(&t, &tm) || !strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm))
		return alloc_string("");
	return alloc_string(text);
}

static void add_point(struct table *t, const struct curves *cs, const struct curve *c)
{
	const struct point *p = c->peak;
	size_t row = table_row(t);

	table_set(t, row, COL_WORKLOAD, text_safe(cs->workload_names[c->workload]));
	table_set(t, row, COL_DRIVE, text_safe(cs->drive_names[c->drive]));
	table_set(t, row, COL_RW, safe_or_empty(p->rw));
	table_set(t, row, COL_BS, safe_or_empty(p->bs));
	table_set(t, row, COL_DEPTH, safe_or_empty(p->iodepth));
	table_set(t, row, COL_JOBS, alloc_printf("%lu", settings_copies(p)));
	table_set(t, row, COL_ENGINE, safe_or_empty(p->ioengine));
	table_set(t, row, COL_FIO, safe_or_empty(p->version));
	table_set(t, row, COL_SECONDS, number_text(p->dir[DIR_ALL].runtime_ms / 1000, false));
	table_set(t, row, COL_ENDED, date_text(p->timestamp));
	table_set(t, row, COL_FILE, safe_or_empty(p->file));
}

void section_method(struct page *pg, const struct report *r)
{
	static const struct {
		const char *name;
		int flags;
	} columns[COL_NR] = {
		[COL_WORKLOAD] = { "WORKLOAD", TABLE_CUT },
		[COL_DRIVE] = { "DRIVE", TABLE_CUT },
		[COL_RW] = { "RW", 0 },
		[COL_BS] = { "BS", 0 },
		[COL_DEPTH] = { "IODEPTH", TABLE_RIGHT },
		[COL_JOBS] = { "JOBS", TABLE_RIGHT },
		[COL_ENGINE] = { "ENGINE", 0 },
		[COL_FIO] = { "FIO", 0 },
		[COL_SECONDS] = { "SECONDS", TABLE_RIGHT },
		[COL_ENDED] = { "ENDED (UTC)", 0 },
		[COL_FILE] = { "FILE", 0 },
	};
	struct table *t = table_new();

	page_heading(
		pg, "Method",
		"the options of the runs above as fio lists them; how the drives were prepared, "
		"and on what host, fio does not tell");
	for (size_t i = 0; i < COL_NR; i++)
		table_column(t, columns[i].name, 0, columns[i].flags);
	for (size_t i = 0; i < r->curves->nr; i++)
		add_point(t, r->curves, &r->curves->list[i]);
	page_table(pg, t);
}
