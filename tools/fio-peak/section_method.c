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
	COL_SIZE,
	COL_ENGINE,
	COL_FIO,
	COL_CPU,
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
	table_set(t, row, COL_SIZE, safe_or_empty(p->conditions.size));
	table_set(t, row, COL_ENGINE, safe_or_empty(p->ioengine));
	table_set(t, row, COL_FIO, safe_or_empty(p->version));
	table_set(t, row, COL_CPU,
		  p->conditions.cpu_us > 0 ? number_text(p->conditions.cpu_us, false)
					   : alloc_string(""));
	table_set(t, row, COL_SECONDS, number_text(p->dir[DIR_ALL].runtime_ms / 1000, false));
	table_set(t, row, COL_ENDED, date_text(p->timestamp));
	table_set(t, row, COL_FILE, safe_or_empty(p->file));
}

/* Drives */

enum {
	DRIVE_NAME,
	DRIVE_MODEL,
	DRIVE_FIRMWARE,
	DRIVE_CAPACITY,
	DRIVE_HOST,
	DRIVE_KERNEL,
	DRIVE_PREPARED,
	DRIVE_NR
};

static bool is_described(const struct conditions *c)
{
	return c->model || c->firmware || c->capacity > 0 || c->host || c->kernel;
}

/* The drive's first point that is described; NULL: none. */
static const struct point *find_described(const struct report *r, unsigned int drive)
{
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];

		if (c->drive == drive && is_described(&c->peak->conditions))
			return c->peak;
	}
	return NULL;
}

static bool knows_drives(const struct report *r)
{
	for (unsigned int d = 0; d < r->curves->drives; d++)
		if (find_described(r, d))
			return true;
	return false;
}

/* The workloads of the family "precondition" that it ran; the caller's to free. */
static char *prepared_text(const struct report *r, unsigned int drive)
{
	char *all = alloc_string(""), *longer, *safe;

	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];

		if (c->drive != drive || !c->peak->family ||
		    strcmp(c->peak->family, "precondition"))
			continue;
		longer = alloc_printf("%s%s%s", all, *all ? ", " : "",
				      r->curves->workload_names[c->workload]);
		free(all);
		all = longer;
	}
	safe = text_safe(all);
	free(all);
	return safe;
}

static void print_drives(struct page *pg, const struct report *r)
{
	static const char *const names[DRIVE_NR] = {
		"DRIVE", "MODEL", "FIRMWARE", "CAPACITY GB", "HOST", "KERNEL", "PRECONDITIONED BY"
	};
	struct table *t = table_new();

	for (size_t i = 0; i < DRIVE_NR; i++)
		table_column(t, names[i], 0, i == DRIVE_CAPACITY ? TABLE_RIGHT : 0);
	for (unsigned int d = 0; d < r->curves->drives; d++) {
		const struct point *p = find_described(r, d);
		size_t row;

		if (!p)
			continue;
		row = table_row(t);
		table_set(t, row, DRIVE_NAME, text_safe(r->curves->drive_names[d]));
		table_set(t, row, DRIVE_MODEL, safe_or_empty(p->conditions.model));
		table_set(t, row, DRIVE_FIRMWARE, safe_or_empty(p->conditions.firmware));
		table_set(t, row, DRIVE_CAPACITY,
			  p->conditions.capacity > 0
				  ? number_text(p->conditions.capacity / 1e9, false)
				  : alloc_string(""));
		table_set(t, row, DRIVE_HOST, safe_or_empty(p->conditions.host));
		table_set(t, row, DRIVE_KERNEL, safe_or_empty(p->conditions.kernel));
		table_set(t, row, DRIVE_PREPARED, prepared_text(r, d));
	}
	page_heading(pg, "Drives", "as they and drive.json tell");
	page_table(pg, t);
}

/* Runs */

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
		[COL_SIZE] = { "SIZE", TABLE_RIGHT },
		[COL_ENGINE] = { "ENGINE", 0 },
		[COL_FIO] = { "FIO", 0 },
		[COL_CPU] = { "CPU us/IO", TABLE_RIGHT },
		[COL_SECONDS] = { "SECONDS", TABLE_RIGHT },
		[COL_ENDED] = { "ENDED (UTC)", 0 },
		[COL_FILE] = { "FILE", 0 },
	};
	struct table *t = table_new();

	page_heading(pg, "Method",
		     "the options of the runs above as fio lists them; SIZE is the working set of "
		     "a job, CPU the time that its jobs took%s",
		     knows_drives(r) ? ""
				     : "; how the drives were prepared, and on what host, fio does "
				       "not tell");
	for (size_t i = 0; i < COL_NR; i++)
		table_column(t, columns[i].name, 0, columns[i].flags);
	for (size_t i = 0; i < r->curves->nr; i++)
		add_point(t, r->curves, &r->curves->list[i]);
	page_table(pg, t);
	if (knows_drives(r))
		print_drives(pg, r);
}
