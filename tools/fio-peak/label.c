// SPDX-License-Identifier: GPL-2.0-only
/* Naming, see label.h. */
#include "label.h"
#include "alloc.h"
#include "names.h"
#include "text.h"

#include <libgen.h>
#include <limits.h>
#include <unistd.h>
#include <sys/stat.h>

#define LISTED 8 /* names that an error lists */

static void cut_extension(char *name, const char *extension)
{
	char *dot = strrchr(name, '.');

	if (dot && dot != name && (!extension || !strcmp(dot, extension)))
		*dot = 0;
}

/* The last part of @path as the file system knows it ("." has a name too). */
static char *path_name(const char *path, bool folder)
{
	char *real = realpath(path, NULL), *s = alloc_string(real ? real : path), *name;

	name = alloc_string(basename(s));
	if (!folder) {
		cut_extension(name, ".gz");
		cut_extension(name, NULL);
	}
	free(real);
	free(s);
	return name;
}

static bool folder_has(const char *folder, const char *file)
{
	char *path = alloc_printf("%s/%s", folder, file);
	bool has = !access(path, F_OK);

	free(path);
	return has;
}

void input_init(struct input *in, const char *arg)
{
	const char *equal = strchr(arg, '=');
	struct stat st;

	*in = (struct input){ .arg = alloc_string(arg) };
	if (equal && equal != arg && access(arg, F_OK))
		in->label = alloc_check(strndup(arg, (size_t)(equal - arg)));
	in->path = alloc_string(in->label ? equal + 1 : arg);
	if (!strcmp(in->path, "-")) {
		in->name = alloc_string("stdin");
		return;
	}
	in->folder = !stat(in->path, &st) && S_ISDIR(st.st_mode);
	in->name = path_name(in->path, in->folder);
	in->drive_folder = in->folder &&
			   (folder_has(in->path, "drive.json") || folder_has(in->path, "run.json"));
}

void input_free(struct input *in)
{
	free(in->arg);
	free(in->label);
	free(in->path);
	free(in->name);
}

/* Paths below the input */

static unsigned int path_depth(const char *rel)
{
	unsigned int depth = 0;

	for (; *rel; rel++)
		depth += *rel == '/';
	return depth;
}

/* Folder number @nr of @rel, from 0; the caller's to free. */
static char *path_part(const char *rel, unsigned int nr)
{
	while (nr--)
		rel = strchr(rel, '/') + 1;
	return alloc_check(strndup(rel, strcspn(rel, "/")));
}

static bool same_folder(const struct point *a, const struct point *b)
{
	size_t n = strcspn(a->rel, "/");

	return n == strcspn(b->rel, "/") && !strncmp(a->rel, b->rel, n);
}

/* Did a job of the first folder below the input run in another as well? @beside: results lie beside them. */
static bool folders_share(const struct folded *f, size_t first, bool *beside)
{
	const struct point *base = NULL;
	struct names jobs = { 0 };
	unsigned int known = 0;
	bool shared = false;

	for (int others = 0; others < 2; others++) {
		for (size_t i = first; i < f->nr; i++) {
			const struct point *p = &f->points[i];

			if (p->own)
				continue;
			if (!path_depth(p->rel)) {
				*beside = true;
				continue;
			}
			base = base ? base : p;
			if (same_folder(base, p) == !others)
				shared |= names_number(&jobs, p->jobname) < known;
		}
		known = jobs.nr;
	}
	names_free(&jobs);
	return shared;
}

/* Are the first folders below the input drives? They share a job, and no result lies beside them. */
static bool folders_are_drives(const struct folded *f, size_t first, const struct input *in)
{
	bool beside = false, shared = folders_share(f, first, &beside);

	if (shared && beside)
		text_say("%s: results lie in it and in folders below, which are not taken for "
			 "drives; LABEL=FOLDER each makes them drives",
			 in->path);
	return shared && !beside;
}

/* "max.json", "050.json", "16-4.json": what a point of a curve or grid is called. */
static bool is_point_name(const char *file)
{
	size_t digits = strspn(file, "0123456789-x");

	return !strncmp(file, "max.", 4) || (digits && file[digits] == '.');
}

/*
 * Does a file three folders down lie in the results layout? Others have such trees, too: there its name
 * is that of a point, there is a maximum beside it, or its drive has a manifest.
 */
static bool in_layout(const struct point *p, const struct input *in)
{
	size_t drive = strcspn(p->rel, "/"), folder;
	char *path;
	bool is;

	if (path_depth(p->rel) != 3)
		return false;
	folder = (size_t)(strrchr(p->rel, '/') - p->rel);
	if (is_point_name(p->rel + folder + 1))
		return true;
	path = alloc_printf("%s/%.*s", in->path, (int)folder, p->rel);
	is = folder_has(path, "max.json");
	path[strlen(in->path) + 1 + drive] = 0;
	is = is || folder_has(path, "drive.json") || folder_has(path, "run.json");
	free(path);
	return is;
}

/* Naming */

/* Our own JSON has names. */
static void name_own(struct point *p, const struct input *in, bool several,
		     const struct group_by *by)
{
	char *drive = !in->label ? NULL
		      : several	 ? alloc_printf("%s/%s", in->label, p->drive)
				 : alloc_string(in->label);

	p->drive_from = !drive	  ? "fio-peak's JSON"
			: several ? "LABEL and fio-peak's JSON"
				  : "LABEL";
	p->workload_from = by->nr ? "--group-by" : "fio-peak's JSON";
	if (drive) {
		free(p->drive);
		p->drive = drive;
	}
	if (by->nr) {
		free(p->workload);
		p->workload = group_name(by, p);
	}
}

static void name_drive(struct point *p, const struct input *in, bool by_folder, bool prefix)
{
	char *folder = by_folder ? path_part(p->rel, 0) : NULL;

	if (prefix)
		p->drive = alloc_printf("%s/%s", in->label, folder);
	else
		p->drive = alloc_string(in->label ? in->label : folder ? folder : in->name);
	p->drive_from = prefix	     ? "LABEL and its folder"
			: in->label  ? "LABEL"
			: folder     ? "its folder"
			: in->folder ? "the folder given"
				     : "the file given";
	free(folder);
}

static void name_workload(struct point *p, const char *folder, const struct group_by *by)
{
	const char *base = folder ? folder : p->jobname;

	p->workload_from = by->nr	  ? "--group-by"
			   : !folder	  ? "the job"
			   : p->names > 1 ? "its folder and the job"
					  : "its folder";
	if (by->nr) {
		p->workload = group_name(by, p);
		return;
	}
	if (folder && p->names > 1)
		p->workload = alloc_printf("%s:%s%s%s", base, p->jobname, p->host ? "@" : "",
					   p->host ? p->host : "");
	else
		p->workload =
			alloc_printf("%s%s%s", base, p->host ? "@" : "", p->host ? p->host : "");
}

static void label_own(struct folded *f, size_t first, const struct input *in,
		      const struct group_by *by)
{
	const struct point *one = NULL;
	bool several = false;

	for (size_t i = first; i < f->nr; i++) {
		const struct point *p = &f->points[i];

		several |= one && p->own && strcmp(p->drive, one->drive);
		one = p->own ? p : one;
	}
	for (size_t i = first; i < f->nr; i++)
		if (f->points[i].own)
			name_own(&f->points[i], in, several, by);
}

void label_points(struct folded *f, size_t first, const struct input *in, const struct group_by *by)
{
	bool drives, several = false;

	label_own(f, first, in, by);
	while (first < f->nr && f->points[first].own)
		first++;
	drives = in->folder && !in->drive_folder && folders_are_drives(f, first, in);
	for (size_t i = first; i < f->nr; i++)
		several |= !f->points[i].own && !same_folder(&f->points[i], &f->points[first]);
	for (size_t i = first; i < f->nr; i++) {
		struct point *p = &f->points[i];
		unsigned int depth = path_depth(p->rel);
		bool layout = in->folder && !in->drive_folder && in_layout(p, in);
		bool one = in->drive_folder && depth == 2;
		char *folder;

		if (p->own)
			continue;
		folder = layout ? path_part(p->rel, 2) : one ? path_part(p->rel, 1) : NULL;
		p->family = folder ? path_part(p->rel, layout ? 1 : 0) : NULL;
		name_drive(p, in, layout || drives, in->label && several && (layout || drives));
		name_workload(p, folder, by);
		free(folder);
	}
}

/* Families that run the same load elsewhere or on other data are one; NULL: as good as any. */
static const char *loose_family(const struct point *p)
{
	if (!p->family || !strcmp(p->family, "reduction"))
		return NULL;
	return strcmp(p->family, "nas") ? p->family : "enterprise";
}

/* The first of the families that were seen with a name; whether another one was, too. */
struct family {
	const char *first;
	bool several;
};

static void see_family(struct family *f, const char *family)
{
	f->several |= family && f->first && strcmp(family, f->first);
	f->first = f->first ? f->first : family;
}

static void put_family(struct point *p, const char *family)
{
	char *name;

	if (!family)
		return;
	name = alloc_printf("%s/%s", family, p->workload);
	free(p->workload);
	p->workload = name;
}

/* Where one drive has a workload of two families, whichever; by the workloads' numbers. */
static void see_clashes(const struct folded *f, const unsigned int *workloads, bool *clash)
{
	struct family *on_drive = alloc_zero(f->nr, sizeof(*on_drive));
	char **keys = alloc_zero(f->nr, sizeof(*keys));
	struct names runs = { 0 };

	for (size_t i = 0; i < f->nr; i++) {
		const struct point *p = &f->points[i];
		unsigned int run;

		keys[i] = alloc_printf("%s\n%s", p->drive, p->workload);
		run = names_number(&runs, keys[i]);
		see_family(&on_drive[run], p->family);
		clash[workloads[i]] |= on_drive[run].several;
	}
	names_free(&runs);
	for (size_t i = 0; i < f->nr; i++)
		free(keys[i]);
	free(keys);
	free(on_drive);
}

void label_families(struct folded *f)
{
	unsigned int *workloads = alloc_zero(f->nr, sizeof(*workloads));
	struct family *loose = alloc_zero(f->nr, sizeof(*loose));
	bool *clash = alloc_zero(f->nr, sizeof(*clash));
	struct names names = { 0 };

	for (size_t i = 0; i < f->nr; i++) {
		workloads[i] = names_number(&names, f->points[i].workload);
		see_family(&loose[workloads[i]], loose_family(&f->points[i]));
	}
	see_clashes(f, workloads, clash);
	names_free(&names);
	for (size_t i = 0; i < f->nr; i++) {
		struct point *p = &f->points[i];

		if (clash[workloads[i]])
			put_family(p, p->family);
		else if (loose[workloads[i]].several)
			put_family(p, loose_family(p));
	}
	free(workloads);
	free(loose);
	free(clash);
}

/* "a, b, c, ..."; the caller's to free. */
static char *list_names(const struct folded *f, bool drives)
{
	struct names names = { 0 };
	char *list = alloc_string(""), *longer;

	for (size_t i = 0; i < f->nr; i++)
		names_number(&names, drives ? f->points[i].drive : f->points[i].workload);
	for (unsigned int i = 0; i < names.nr && i <= LISTED; i++) {
		longer = alloc_printf("%s%s%s", list, i ? ", " : "",
				      i == LISTED ? "..." : names.list[i]);
		free(list);
		list = longer;
	}
	names_free(&names);
	return list;
}

char *label_unknown(const struct folded *f, const char *option, const char *value, bool drives)
{
	char *list = list_names(f, drives);
	char *why = alloc_printf("--%s=%s: no such %s; there %s %s", option, value,
				 drives ? "drive" : "workload", strstr(list, ", ") ? "are" : "is",
				 list);

	free(list);
	return why;
}

static bool same_place(const char *a, const char *b)
{
	char *x = realpath(a, NULL), *y = realpath(b, NULL);
	bool same = x && y && !strcmp(x, y);

	free(x);
	free(y);
	return same;
}

/* Its runs would count twice. */
static char *given_twice(const struct input *inputs, unsigned int nr)
{
	for (unsigned int i = 1; i < nr; i++)
		for (unsigned int k = 0; k < i; k++)
			if (inputs[i].label && inputs[k].label &&
			    !strcmp(inputs[i].label, inputs[k].label) &&
			    same_place(inputs[i].path, inputs[k].path))
				return alloc_printf("%s and %s are the same; give it once",
						    inputs[k].arg, inputs[i].arg);
	return NULL;
}

static char *conflict(const struct input *a, const struct input *b, const char *drive)
{
	return alloc_printf("%s and %s would both be drive \"%s\"; name them: LABEL=%s LABEL=%s",
			    a->arg, b->arg, drive, a->path, b->path);
}

char *label_conflict(const struct folded *f, const struct input *inputs, unsigned int nr)
{
	struct names drives = { 0 };
	unsigned int *owner = alloc_zero(f->nr, sizeof(*owner));
	char *message = given_twice(inputs, nr);

	for (size_t i = 0; i < f->nr && !message; i++) {
		const struct point *p = &f->points[i];
		unsigned int known = drives.nr, d = names_number(&drives, p->drive);
		const struct input *a, *b = &inputs[p->input];

		if (d == known)
			owner[d] = p->input;
		a = &inputs[owner[d]];
		if (a != b && !(a->label && b->label))
			message = conflict(a, b, p->drive);
	}
	names_free(&drives);
	free(owner);
	return message;
}
