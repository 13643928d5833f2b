// SPDX-License-Identifier: GPL-2.0-only
/* A table of keys; fio's defaults stand where fio lists the options and this one is not among them. */
#include "group.h"
#include "alloc.h"

#include <stddef.h>

/* @field: of struct point. @label: before the value, "" where that says enough. @standard: fio's. */
static const struct key {
	const char *name;
	size_t field;
	const char *label, *standard;
} keys[GROUP_KEYS] = {
	{ "jobname", offsetof(struct point, jobname), "", NULL },
	{ "bs", offsetof(struct point, bs), "bs=", "4k" },
	{ "rw", offsetof(struct point, rw), "", "read" },
	{ "iodepth", offsetof(struct point, iodepth), "iodepth=", "1" },
	{ "numjobs", offsetof(struct point, numjobs), "numjobs=", "1" },
	{ "rate_iops", offsetof(struct point, rate_iops), "rate_iops=", "none" },
	{ "filename", offsetof(struct point, filename), "filename=", "none" },
	{ "hostname", offsetof(struct point, host), "@", "" },
};

const char group_keys[] = "jobname, bs, rw, iodepth, numjobs, rate_iops, filename, hostname";

bool group_add(struct group_by *g, const char *key)
{
	unsigned int k = 0;

	while (k < GROUP_KEYS && strcmp(keys[k].name, key))
		k++;
	for (unsigned int i = 0; i < g->nr; i++)
		if (g->keys[i] == k)
			return false;
	if (k == GROUP_KEYS)
		return false;
	g->keys[g->nr++] = k;
	return true;
}

static const char *value_of(const struct key *key, const struct point *p)
{
	const char *value = *(char *const *)((const char *)p + key->field);

	if (value)
		return value;
	/* A host is named where there are several. */
	return p->options || key->field == offsetof(struct point, host) ? key->standard : "?";
}

char *group_name(const struct group_by *g, const struct point *p)
{
	char *name = alloc_string(""), *longer;

	for (unsigned int i = 0; i < g->nr; i++) {
		const struct key *key = &keys[g->keys[i]];
		const char *value = value_of(key, p);

		if (!*value)
			continue;
		longer = alloc_printf("%s%s%s%s", name, *name ? " " : "", key->label, value);
		free(name);
		name = longer;
	}
	if (*name)
		return name;
	free(name);
	return alloc_string("all");
}
