// SPDX-License-Identifier: GPL-2.0-only
/* Finding and reading job files, see workload.h. */
#include "tools/fio-curve/workload.h"

#include <errno.h>
#include <fts.h>
#include <libgen.h>
#include <unistd.h>
#include <sys/stat.h>

#include "tools/fio-curve/rates.h"
#include "tools/fio-curve/reserved.h"
#include "tools/fio-curve/traffic.h"
#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

#define SUFFIX ".fio"

static bool has_suffix(const char *path)
{
	size_t len = strlen(path);

	return len > strlen(SUFFIX) && !strcmp(path + len - strlen(SUFFIX), SUFFIX);
}

/* "database-pure" for JOBS/database/pure/x.fio; elsewhere the name of the folder. */
static char *family_of(const char *path, const char *jobs)
{
	char *real = realpath(path, NULL), *library = jobs ? realpath(jobs, NULL) : NULL;
	char *folder = dirname(alloc_check(real)), *family;
	size_t len = library ? strlen(library) : 0;

	if (len && !strncmp(folder, library, len) && folder[len] == '/')
		family = alloc_string(folder + len + 1);
	else
		family = alloc_string(strcmp(folder, "/") ? basename(folder) : "root");
	for (char *c = family; *c; c++)
		if (*c == '/')
			*c = '-';
	free(real);
	free(library);
	return family;
}

static char *name_of(const char *path)
{
	char *copy = alloc_string(path), *name = alloc_string(basename(copy));

	name[strlen(name) - strlen(SUFFIX)] = 0;
	free(copy);
	return name;
}

/* Does the header say what the sections do? It decides what may be run without a question. */
static char *check(struct workload *w)
{
	for (size_t i = 0; i < w->file.nr; i++) {
		const struct job_section *s = &w->file.section[i];
		struct traffic t;
		char *why = traffic_read(s, &t), *whole;

		if (why) {
			whole = alloc_printf("%s: %s", w->path, why);
			free(why);
			return whole;
		}
		if (t.uses[WRITES] && !w->header.destroys)
			return alloc_printf("%s:2: says destroys=no, but [%s] writes (rw=%s)",
					    w->path, s->name, section_get(s, "rw"));
		if (reserved_in_job(s))
			return alloc_printf("%s: [%s] %s=: would lead fio away from --drive's "
					    "target, or delete it; take the line out",
					    w->path, s->name, reserved_in_job(s));
		w->own_files |= !!section_get(s, "filename_format");
	}
	if (!w->header.timed && (w->header.mode == MODE_CURVE || w->header.mode == MODE_GRID))
		return alloc_printf("%s:2: a curve or grid needs a time such as time=30+30s",
				    w->path);
	if (w->header.mode == MODE_GRID && !w->header.grid.nr)
		return alloc_printf("%s:2: mode=grid needs grid=, such as grid=2x2,16x16", w->path);
	return NULL;
}

static char *read_shares(struct workload *w)
{
	char *why, *whole;

	w->share = alloc_zero(w->file.nr, sizeof(*w->share));
	if (w->header.mode != MODE_CURVE)
		return NULL;
	why = rates_shares(w->header.shares, &w->file, w->share);
	if (!why)
		return NULL;
	whole = alloc_printf("%s: %s", w->path, why);
	free(why);
	return whole;
}

/* Results lie in FAMILY/NAME, and the engine is told that path. */
static char *check_name(const struct workload *w)
{
	if (*w->family == '.' || *w->name == '.')
		return alloc_printf("%s: is hidden, and so would be its results in %s/%s; rename "
				    "the file or its folder",
				    w->path, w->family, w->name);
	if (!value_is_plain(w->family) || !value_is_plain(w->name))
		return alloc_printf("%s: " VALUE_NOT_PLAIN, w->path);
	return NULL;
}

char *workload_read(const char *path, const char *jobs, struct workload *out)
{
	char *why;

	*out = (struct workload){ .path = alloc_string(path) };
	if (!has_suffix(path))
		why = alloc_printf("%s: is no job file; its name must end with " SUFFIX, path);
	else
		why = jobfile_read(path, &out->file);
	if (!why)
		why = header_read(path, &out->header);
	if (!why)
		why = check(out);
	if (!why)
		why = read_shares(out);
	if (why) {
		workload_free(out);
		return why;
	}
	out->family = family_of(path, jobs);
	out->name = name_of(path);
	why = check_name(out);
	if (why)
		workload_free(out);
	return why;
}

void workload_free(struct workload *w)
{
	free(w->path);
	free(w->family);
	free(w->name);
	free(w->share);
	header_free(&w->header);
	jobfile_free(&w->file);
	*w = (struct workload){ 0 };
}

/* The workload of the list whose results lie where those of @w would; NULL: there is none. */
static const struct workload *find_rival(const struct workloads *list, const struct workload *w)
{
	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(list->workload[i].family, w->family) &&
		    !strcmp(list->workload[i].name, w->name))
			return &list->workload[i];
	return NULL;
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static char *add(const char *path, const char *jobs, struct workloads *list)
{
	const struct workload *rival;
	struct workload w;
	char *why = workload_read(path, jobs, &w);

	if (why)
		return why;
	rival = find_rival(list, &w);
	if (rival) {
		if (!is_same_file(rival->path, path))
			why = alloc_printf("%s: its results would lie where those of %s do, in "
					   "%s/%s; rename one, or give each an --out of its own",
					   path, rival->path, w.family, w.name);
		workload_free(&w);
		return why;
	}
	list->workload = alloc_grow(list->workload, list->nr, &list->cap, sizeof(w));
	list->workload[list->nr++] = w;
	return NULL;
}

/* Folders */

static unsigned int rank(const struct workload *w)
{
	bool writes = w->header.destroys;

	switch (w->header.shape) {
	case SHAPE_STREAM:
		return writes ? 0 : 1;
	case SHAPE_RANDOM:
		return writes ? 4 : 2;
	default:
		return 3;
	}
}

static int in_order(const void *a, const void *b)
{
	const struct workload *x = a, *y = b;
	int families = strcmp(x->family, y->family);

	if (families)
		return families;
	if (rank(x) != rank(y))
		return rank(x) < rank(y) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Folders of the library that "all" leaves out: what prepares, what wants a set-up of its own. */
static bool is_left_out(const FTSENT *ent)
{
	return !strcmp(ent->fts_name, "published") ||
	       (ent->fts_level == 1 &&
		(!strcmp(ent->fts_name, "precondition") || !strcmp(ent->fts_name, "fdp") ||
		 !strcmp(ent->fts_name, "power")));
}

static char *add_folder(char *folder, bool below, const char *jobs, struct workloads *list)
{
	FTS *fts = fts_open((char *[]){ folder, NULL }, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	size_t first = list->nr;
	bool found = false;
	char *why = NULL;
	FTSENT *ent;

	alloc_check(fts);
	while (!why && (ent = fts_read(fts))) {
		if (ent->fts_info == FTS_D && ent->fts_level && (!below || is_left_out(ent)))
			fts_set(fts, ent, FTS_SKIP);
		else if (ent->fts_info == FTS_F && has_suffix(ent->fts_name) &&
			 *ent->fts_name != '.') {
			found = true;
			why = add(ent->fts_path, jobs, list);
		}
	}
	fts_close(fts);
	if (!why && !found)
		why = alloc_printf("%s: no job file in this folder", folder);
	if (!why)
		qsort(&list->workload[first], list->nr - first, sizeof(*list->workload), in_order);
	return why;
}

/* Return: 'f' a file, 'd' a folder, 0 neither. */
static char kind_of(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return 0;
	return S_ISDIR(st.st_mode) ? 'd' : S_ISREG(st.st_mode) ? 'f' : 0;
}

/*
 * The path that @name means: as it is, or below the library; NULL: there is none. A bare word is the
 * library's first, whatever the current folder has.
 */
static char *locate(const char *name, const char *jobs, char *kind)
{
	bool word = !strchr(name, '/');

	for (int i = 0; i < 4; i++) {
		const char *suffix = i & 1 ? SUFFIX : "";
		bool library = word == (i < 2);
		char *path;

		if (library && !jobs)
			continue;
		path = library ? alloc_printf("%s/%s%s", jobs, name, suffix)
			       : alloc_printf("%s%s", name, suffix);
		*kind = kind_of(path);
		if (*kind)
			return path;
		free(path);
	}
	return NULL;
}

char *workloads_find(const char *name, const char *jobs, struct workloads *list)
{
	char *path, *why, *library, kind = 0;

	if (!strcmp(name, "all")) {
		if (!jobs)
			return alloc_string("all: the job library was not found; --jobs=FOLDER "
					    "names it");
		library = alloc_string(jobs);
		why = add_folder(library, true, jobs, list);
		free(library);
		return why;
	}
	path = locate(name, jobs, &kind);
	if (!path)
		return alloc_printf("%s: no such job file or family; a path, or one of those in %s",
				    name, jobs ? jobs : "--jobs=FOLDER");
	why = kind == 'd' ? add_folder(path, false, jobs, list) : add(path, jobs, list);
	free(path);
	return why;
}

void workloads_free(struct workloads *list)
{
	while (list->nr)
		workload_free(&list->workload[--list->nr]);
	free(list->workload);
	*list = (struct workloads){ 0 };
}
