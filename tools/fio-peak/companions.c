// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sidecar has a group for each set of jobs that ran at once; a point's is the one that has its job. It
 * is of one run, the last one that fio wrote into the file.
 */
#include "companions.h"
#include "alloc.h"
#include "members.h"
#include "sidecar.h"

#include <unistd.h>

/* A results folder is drive/family/workload. */
#define LEVELS 3

static bool cut_end(char *path, const char *end)
{
	size_t len = strlen(path), of = strlen(end);

	if (len <= of || strcmp(path + len - of, end))
		return false;
	path[len - of] = 0;
	return true;
}

/* NULL: there cannot be one, or is none that is JSON. */
static json_t *load_sidecar(const char *file)
{
	char *stem = alloc_string(file), *path;
	json_t *root = NULL;

	cut_end(stem, ".gz");
	if (cut_end(stem, ".json")) {
		path = alloc_printf("%s.nvme.json", stem);
		root = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
		free(path);
	}
	free(stem);
	return root;
}

/* Of the points from @first on, how many are of its file. */
static size_t count_same(const struct folded *f, size_t first)
{
	size_t nr = 1;

	while (first + nr < f->nr && !f->points[first + nr].own &&
	       f->points[first + nr].input == f->points[first].input &&
	       !strcmp(f->points[first + nr].file, f->points[first].file))
		nr++;
	return nr;
}

static void read_sidecar(struct point *points, size_t nr)
{
	json_t *root = load_sidecar(points[0].file);
	unsigned int last = 0;

	for (size_t i = 0; root && i < nr; i++)
		last = points[i].document > last ? points[i].document : last;
	for (size_t i = 0; root && i < nr; i++)
		if (points[i].document == last)
			sidecar_read(&points[i].conditions, root, points[i].jobname);
	json_decref(root);
}

/* Drives */

/* The folder's own, or that of one above it; NULL: there is none. The caller's. */
static json_t *load_drive(const char *folder)
{
	char *at = alloc_string(folder), *path, *slash;
	json_t *drive = NULL;

	for (int i = 0; i <= LEVELS && !drive; i++) {
		path = alloc_printf("%s/drive.json", at);
		drive = json_load_file(path, 0, NULL);
		free(path);
		slash = strrchr(at, '/');
		if (!slash || slash == at)
			break;
		*slash = 0;
	}
	free(at);
	return drive;
}

static void take_text(char **to, const json_t *o, const char *key)
{
	char *text = member_text(o, key);

	if (!text)
		return;
	free(*to);
	*to = text;
}

static void take_drive(struct conditions *c, const json_t *drive)
{
	double bytes = json_number_value(json_object_get(drive, "capacity_bytes"));

	take_text(&c->model, drive, "model");
	take_text(&c->firmware, drive, "firmware");
	take_text(&c->host, drive, "host");
	take_text(&c->kernel, drive, "kernel");
	c->capacity = bytes > 0 ? bytes : c->capacity;
}

/* The folder that a file lies in; the caller's to free. */
static char *folder_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? alloc_check(strndup(file, (size_t)(slash - file))) : alloc_string(".");
}

void companions_read(struct folded *f)
{
	char *folder = NULL, *next;
	json_t *drive = NULL;
	size_t nr;

	for (size_t i = 0; i < f->nr; i += nr) {
		nr = 1;
		if (f->points[i].own || f->points[i].review)
			continue;
		nr = count_same(f, i);
		read_sidecar(&f->points[i], nr);
		next = folder_of(f->points[i].file);
		if (!folder || strcmp(folder, next)) {
			json_decref(drive);
			drive = load_drive(next);
		}
		free(folder);
		folder = next;
		for (size_t k = 0; drive && k < nr; k++)
			take_drive(&f->points[i + k].conditions, drive);
	}
	json_decref(drive);
	free(folder);
}
