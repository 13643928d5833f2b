// SPDX-License-Identifier: GPL-2.0-only
/* Regions, see region.h. */
#include "tools/fio-curve/region.h"

#include <inttypes.h>

#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

enum {
	ALIGN = 1 << 16 /* of a working set */
};

static uint64_t part_of(uint64_t bytes, unsigned long percent)
{
	return (uint64_t)((unsigned __int128)bytes * percent / 100);
}

char *region_choose(const struct settings *s, const struct target *t, const struct workload *w,
		    struct region *out)
{
	struct extent e = { .percent = CURVE_PERCENT };

	*out = (struct region){ .end = t->bytes };
	if (s->has_working_set)
		e = s->working_set;
	else if (w->header.mode != MODE_CURVE)
		e.percent = 100;
	/* A file that fio is to make has no percentages yet. */
	out->whole = !s->has_working_set && w->header.mode != MODE_CURVE && !w->own_files &&
		     t->kind != TARGET_FOLDER && t->kind != TARGET_FILE;
	if (w->own_files && !t->bytes)
		return alloc_string("say with --file-size=SIZE how large each job's file shall be");
	if (!e.percent) {
		if (t->bytes && e.bytes > t->bytes)
			return alloc_printf("--working-set=%" PRIu64 ": %s has only %" PRIu64
					    " bytes",
					    e.bytes, t->path, t->bytes);
		out->bytes = e.bytes;
		return NULL;
	}
	out->percent = e.percent;
	out->bytes = part_of(t->bytes, e.percent);
	if (e.percent < 100 && out->bytes >= ALIGN)
		out->bytes -= out->bytes % ALIGN;
	return NULL;
}

static char *too_small(const struct job_section *s, const struct traffic *t, const char *name)
{
	return alloc_printf(
		"[%s] %s=%s: less than a block of %" PRIu64 " bytes; use a larger --working-set",
		s->name, name, section_get(s, name) ? section_get(s, name) : "", t->max_bs);
}

/* Bytes that an option stands for, a percentage being of the region. Return: false: not given. */
static bool scaled(const struct region *r, const struct job_section *s, const char *name,
		   uint64_t align, uint64_t *out)
{
	const char *text = section_get(s, name);
	char *end;
	unsigned long percent;

	*out = 0;
	if (!text)
		return false;
	percent = strtoul(text, &end, 10);
	if (end != text && !strcmp(end, "%"))
		*out = part_of(r->bytes, percent);
	else if (!value_bytes(text, true, out))
		return false;
	*out -= *out % align;
	return true;
}

/* Only percentages of percentages are left, and fio takes whole ones. */
static char *place_percent(const struct region *r, struct job_section *s)
{
	static const char *const names[] = { "size", "offset", "offset_increment" };

	if (!section_get(s, "size"))
		section_set(s, "size", "100%");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = section_get(s, names[i]);
		char *end;
		unsigned long percent;

		if (!text)
			continue;
		percent = strtoul(text, &end, 10) * r->percent;
		if (strcmp(end, "%"))
			continue;
		if (percent % 100)
			return alloc_printf("[%s] %s=%s of %u%% is no whole percentage, which is "
					    "all that fio takes: give the targets' size with "
					    "--file-size, or another --working-set",
					    s->name, names[i], text, r->percent);
		section_setf(s, names[i], "%lu%%", percent / 100);
	}
	return NULL;
}

/* Where fio would find nothing to do, or fail, hours later. */
static char *beyond(const struct region *r, const struct traffic *t, const struct job_section *s)
{
	uint64_t offset, apart, last;

	scaled(r, s, "offset", 1, &offset);
	scaled(r, s, "offset_increment", 1, &apart);
	last = offset + apart * (t->jobs - 1);
	if (!r->end || last < r->end)
		return NULL;
	return alloc_printf("[%s] offset=%" PRIu64 "%s: the target has only %" PRIu64 " bytes",
			    s->name, last, apart ? " (of the last job)" : "", r->end);
}

char *region_place(const struct region *r, const struct traffic *t, struct job_section *s)
{
	char *why = beyond(r, t, s);
	uint64_t size, offset, apart, used;
	/* Whole blocks; of threads that take turns in one stream, the same number for each. */
	uint64_t block = t->min_bs == t->max_bs ? t->max_bs : t->min_bs, turn = block;
	const char *rw = section_get(s, "rw");

	if (why || r->whole)
		return why;
	if (!r->bytes)
		return place_percent(r, s);
	if (rw && strchr(rw, ':') && !t->random)
		turn = block * t->jobs;
	if (scaled(r, s, "offset", block, &offset))
		section_setf(s, "offset", "%" PRIu64, offset);
	if (scaled(r, s, "offset_increment", block, &apart))
		section_setf(s, "offset_increment", "%" PRIu64, apart);
	if (!scaled(r, s, "size", block, &size)) {
		used = offset + apart * (t->jobs - 1);
		size = used < r->bytes ? r->bytes - used : 0;
	}
	size -= size % turn;
	if (size < t->max_bs)
		return too_small(s, t, "size");
	section_setf(s, "size", "%" PRIu64, size);
	return NULL;
}
