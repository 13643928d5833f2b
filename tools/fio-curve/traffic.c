// SPDX-License-Identifier: GPL-2.0-only
/* From a section's options to its I/O, see traffic.h. Source: fio's HOWTO, rw=, bs=, bssplit=. */
#include "tools/fio-curve/traffic.h"

#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

enum {
	DEFAULT_BS = 4096,
	DEFAULT_MIX = 50
};

static const struct pattern {
	const char *name;
	bool reads, writes, trims, random;
} patterns[] = {
	{ .name = "read", .reads = true },
	{ .name = "write", .writes = true },
	{ .name = "trim", .writes = true, .trims = true },
	{ .name = "randread", .reads = true, .random = true },
	{ .name = "randwrite", .writes = true, .random = true },
	{ .name = "randtrim", .writes = true, .trims = true, .random = true },
	{ .name = "rw", .reads = true, .writes = true },
	{ .name = "readwrite", .reads = true, .writes = true },
	{ .name = "randrw", .reads = true, .writes = true, .random = true },
	{ .name = "trimwrite", .writes = true },
	{ .name = "randtrimwrite", .writes = true, .random = true },
};

static char *not_understood(const struct job_section *s, const char *name)
{
	return alloc_printf("[%s] %s=%s is not understood", s->name, name, section_get(s, name));
}

/* rw=PATTERN[:SKIP] */
static char *read_pattern(const struct job_section *s, struct traffic *t)
{
	const char *rw = section_get(s, "rw");
	size_t len;

	if (!rw)
		rw = "read";
	len = strcspn(rw, ":");
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		const struct pattern *p = &patterns[i];

		if (strlen(p->name) != len || strncmp(p->name, rw, len))
			continue;
		t->uses[READS] = p->reads;
		t->uses[WRITES] = p->writes;
		t->trims = p->trims;
		t->random = p->random;
		return NULL;
	}
	return not_understood(s, "rw");
}

static char *read_mix(const struct job_section *s, struct traffic *t)
{
	const char *reads = section_get(s, "rwmixread"), *writes = section_get(s, "rwmixwrite");
	uint64_t percent = DEFAULT_MIX;

	if (!t->uses[READS] || !t->uses[WRITES]) {
		t->share[t->uses[READS] ? READS : WRITES] = 1;
		return NULL;
	}
	if (reads && (!value_number(reads, &percent) || percent > 100))
		return not_understood(s, "rwmixread");
	if (!reads && writes) {
		if (!value_number(writes, &percent) || percent > 100)
			return not_understood(s, "rwmixwrite");
		percent = 100 - percent;
	}
	t->share[READS] = (double)percent / 100;
	t->share[WRITES] = 1 - t->share[READS];
	return NULL;
}

/* The part of a list with commas that is the direction's: fewer parts, the last one counts. */
static char *part(const char *list, unsigned int nr)
{
	while (nr-- && strchr(list, ','))
		list = strchr(list, ',') + 1;
	return alloc_check(strndup(list, strcspn(list, ",")));
}

static void widen(struct traffic *t, uint64_t low, uint64_t high)
{
	if (!t->min_bs || low < t->min_bs)
		t->min_bs = low;
	if (high > t->max_bs)
		t->max_bs = high;
}

/* "4k", of bs; "4k-16k", of bsrange, where the middle is close enough. */
static bool read_size(char *text, enum direction d, struct traffic *t)
{
	char *dash = strchr(text, '-');
	uint64_t low, high;

	if (dash)
		*dash++ = 0;
	if (!value_bytes(text, true, &low) || !low)
		return false;
	high = low;
	if (dash && (!value_bytes(dash, true, &high) || high < low))
		return false;
	t->mean_bs[d] = ((double)low + (double)high) / 2;
	widen(t, low, high);
	return true;
}

/* One entry SIZE[/PERCENT]; without a percentage it shares in what is left. */
struct split_entry {
	uint64_t bytes;
	unsigned long percent;
	bool open;
};

static bool read_entry(char *text, struct split_entry *e)
{
	char *slash = strchr(text, '/'), *end = text;

	if (slash)
		*slash++ = 0;
	*e = (struct split_entry){ .open = !slash || !*slash };
	if (!e->open)
		e->percent = strtoul(slash, &end, 10);
	if (!e->open && *end)
		return false;
	return value_bytes(text, true, &e->bytes) && e->bytes && e->percent <= 100;
}

/* "4k/25:8k/75" */
static bool read_split(char *text, enum direction d, struct traffic *t)
{
	struct split_entry entry[64];
	unsigned int nr = 0, open = 0;
	unsigned long given = 0;
	char *item;

	while ((item = strsep(&text, ":"))) {
		if (nr == sizeof(entry) / sizeof(entry[0]) || !read_entry(item, &entry[nr]))
			return false;
		given += entry[nr].percent;
		open += entry[nr].open;
		widen(t, entry[nr].bytes, entry[nr].bytes);
		nr++;
	}
	if (given > 100 || (!open && given != 100))
		return false;
	t->mean_bs[d] = 0;
	for (unsigned int i = 0; i < nr; i++)
		t->mean_bs[d] +=
			(double)entry[i].bytes / 100 *
			(entry[i].open ? (double)(100 - given) / open : (double)entry[i].percent);
	return true;
}

static char *read_sizes(const struct job_section *s, struct traffic *t)
{
	static const char *const names[] = { "bssplit", "bsrange", "bs" };
	const char *list = NULL, *name = NULL;

	for (size_t i = 0; !list && i < sizeof(names) / sizeof(names[0]); i++) {
		name = names[i];
		list = section_get(s, name);
	}
	for (enum direction d = READS; d < DIRECTIONS; d++) {
		char *text;
		bool fine;

		if (!t->uses[d])
			continue;
		text = part(list ? list : "4k", t->trims ? 2 : d);
		if (!*text) {
			widen(t, DEFAULT_BS, DEFAULT_BS);
			t->mean_bs[d] = DEFAULT_BS;
			fine = true;
		} else {
			fine = strcmp(name, "bssplit") ? read_size(text, d, t)
						       : read_split(text, d, t);
		}
		free(text);
		if (!fine)
			return not_understood(s, name);
	}
	return NULL;
}

static char *read_count(const struct job_section *s, const char *name, unsigned int *out)
{
	const char *text = section_get(s, name);
	uint64_t value = 1;

	if (text && (!value_number(text, &value) || !value || value > 65535))
		return not_understood(s, name);
	*out = (unsigned int)value;
	return NULL;
}

char *traffic_read(const struct job_section *s, struct traffic *out)
{
	char *why;

	*out = (struct traffic){ 0 };
	why = read_pattern(s, out);
	if (!why)
		why = read_mix(s, out);
	if (!why)
		why = read_sizes(s, out);
	if (!why)
		why = read_count(s, "numjobs", &out->jobs);
	if (!why)
		why = read_count(s, "iodepth", &out->depth);
	return why;
}
