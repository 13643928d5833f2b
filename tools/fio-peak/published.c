// SPDX-License-Identifier: GPL-2.0-only
/* A folder is a review, a file in it a drive; the names are those of the files. */
#include "published.h"
#include "alloc.h"
#include "beside.h"
#include "walk.h"

#include <glob.h>

/**
 * struct shelf - what there is, in the order of names.
 * @files: paths, @found of them. @reviews, @drives: names, parts of @text.
 * @read: in the order of the list, once each; @nr of them. @first: their points begin there.
 * @part: see published_read().
 */
struct shelf {
	glob_t files;
	char **text;
	const char **reviews, **drives;
	size_t *read, *first, nr;
	bool *taken, part;
};

/* Finding */

/* Beside an installed program, beside build/, or here; the caller's to free. NULL: nowhere. */
static char *find_folder(void)
{
	static const char *const places[] = { "../share/fio-peak/jobs/published",
					      "../jobs/published", "./jobs/published", NULL };

	return find_beside(places);
}

/* "FOLDER/REVIEW/DRIVE.json" */
static void name_file(struct shelf *s, size_t i)
{
	char *drive, *review;

	s->text[i] = alloc_string(s->files.gl_pathv[i]);
	drive = strrchr(s->text[i], '/');
	*drive++ = 0;
	drive[strlen(drive) - strlen(".json")] = 0;
	review = strrchr(s->text[i], '/') + 1;
	s->reviews[i] = review;
	s->drives[i] = drive;
}

static char *shelf_open(struct shelf *s, bool part)
{
	char *folder = find_folder(), *pattern;
	size_t nr;

	*s = (struct shelf){ .part = part };
	if (!folder)
		return alloc_string("--published: no folder jobs/published beside fio-peak; it is "
				    "installed with the jobs, or run fio-peak from its sources");
	pattern = alloc_printf("%s/*/*.json", folder);
	glob(pattern, 0, NULL, &s->files);
	nr = s->files.gl_pathc;
	s->text = alloc_zero(nr, sizeof(*s->text));
	s->reviews = alloc_zero(nr, sizeof(*s->reviews));
	s->drives = alloc_zero(nr, sizeof(*s->drives));
	s->read = alloc_zero(nr, sizeof(*s->read));
	s->first = alloc_zero(nr, sizeof(*s->first));
	s->taken = alloc_zero(nr, sizeof(*s->taken));
	for (size_t i = 0; i < nr; i++)
		name_file(s, i);
	free(pattern);
	free(folder);
	return NULL;
}

static void shelf_close(struct shelf *s)
{
	for (size_t i = 0; i < s->files.gl_pathc; i++)
		free(s->text[i]);
	globfree(&s->files);
	free(s->text);
	free(s->reviews);
	free(s->drives);
	free(s->read);
	free(s->first);
	free(s->taken);
}

/* Choosing */

static bool is_called(const struct shelf *s, size_t i, const char *label)
{
	size_t len = strlen(s->reviews[i]);

	if (!strncmp(label, s->reviews[i], len) && label[len] == '/')
		return !strcmp(label + len + 1, s->drives[i]);
	return !strcmp(label, "all") || !strcmp(label, s->reviews[i]) ||
	       !strcmp(label, s->drives[i]);
}

static bool shelf_take(struct shelf *s, const char *label)
{
	bool known = false;

	for (size_t i = 0; i < s->files.gl_pathc; i++) {
		if (!is_called(s, i, label))
			continue;
		known = true;
		if (!s->taken[i])
			s->read[s->nr++] = i;
		s->taken[i] = true;
	}
	return known;
}

/* "a, b, c" of names that may stand there repeatedly; the caller's to free. */
static char *names_text(const char *const *names, size_t nr)
{
	char *text = alloc_string("");

	for (size_t i = 0; i < nr; i++) {
		bool before = false;
		char *longer;

		for (size_t k = 0; k < i; k++)
			before |= !strcmp(names[i], names[k]);
		if (before)
			continue;
		longer = alloc_printf("%s%s%s", text, *text ? ", " : "", names[i]);
		free(text);
		text = longer;
	}
	return text;
}

static char *unknown(const struct shelf *s, const char *label)
{
	char *drives = names_text(s->drives, s->files.gl_pathc);
	char *reviews = names_text(s->reviews, s->files.gl_pathc);
	char *why = alloc_printf("--published=%s: unknown; all, a drive (%s), a review (%s), or "
				 "REVIEW/DRIVE",
				 label, drives, reviews);

	free(drives);
	free(reviews);
	return why;
}

static char *shelf_choose(struct shelf *s, const char *list)
{
	char *copy = alloc_string(list), *rest = copy, *label, *why = NULL;

	while (!why && (label = strsep(&rest, ",")))
		if (!shelf_take(s, label))
			why = unknown(s, label);
	free(copy);
	return why;
}

/* Reading */

/* Was the drive taken of another review, too, that it would stand beside? */
static bool is_ambiguous(const struct shelf *s, size_t file)
{
	for (size_t i = 0; i < s->files.gl_pathc; i++)
		if (!s->part && i != file && s->taken[i] && !strcmp(s->drives[i], s->drives[file]))
			return true;
	return false;
}

static char *read_file(struct folded *f, const struct shelf *s, size_t file, unsigned int input,
		       const struct group_by *by)
{
	char *path = s->files.gl_pathv[file], *why;
	struct input in = { .arg = path, .path = path, .name = path };
	size_t first = f->nr;
	struct walked w;

	why = walk_input(f, &in, input, false, &w);
	if (why)
		return why;
	label_points(f, first, &in, by);
	for (size_t i = first; i < f->nr; i++) {
		struct point *p = &f->points[i];

		free(p->drive);
		p->drive = is_ambiguous(s, file) ? alloc_printf("%s (published in %s)",
								s->drives[file], s->reviews[file])
						 : alloc_printf("%s (published)", s->drives[file]);
		p->drive_from = "--published";
	}
	return NULL;
}

/* After which the families need not be told apart any more. */
static void part_reviews(struct folded *f, const struct shelf *s)
{
	label_families(f);
	for (size_t i = 0; i < s->nr; i++) {
		size_t end = i + 1 < s->nr ? s->first[i + 1] : f->nr;

		for (size_t k = s->first[i]; k < end; k++) {
			struct point *p = &f->points[k];
			char *name = alloc_printf("%s:%s", s->reviews[s->read[i]], p->workload);

			free(p->workload);
			p->workload = name;
		}
	}
}

char *published_read(struct folded *f, const char *list, unsigned int input,
		     const struct group_by *by, bool part)
{
	struct shelf s;
	char *why = shelf_open(&s, part);

	if (why)
		return why;
	why = shelf_choose(&s, list);
	for (size_t i = 0; !why && i < s.nr; i++) {
		s.first[i] = f->nr;
		why = read_file(f, &s, s.read[i], input, by);
	}
	if (!why && part)
		part_reviews(f, &s);
	shelf_close(&s);
	return why;
}

bool published_all(const char *list)
{
	char *copy = alloc_string(list), *rest = copy, *label;
	bool all = false;

	while ((label = strsep(&rest, ",")))
		all |= !strcmp(label, "all");
	free(copy);
	return all;
}
