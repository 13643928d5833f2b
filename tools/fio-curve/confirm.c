// SPDX-License-Identifier: GPL-2.0-only
/* The question before a drive is overwritten, see confirm.h. */
#include "tools/fio-curve/confirm.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"
#include "tools/fio-peak/text.h"

/* Bytes that a run of the workload writes for sure: of one that ends by itself what its jobs cover. */
static uint64_t written_at_least(const struct settings *s, const struct target *t,
				 const struct point *p)
{
	const struct workload *w = p->workload;
	uint64_t bytes = 0;

	if (!w->header.destroys || w->header.timed || (s->has_run && p->spec.kind != POINT_FILL))
		return 0;
	for (size_t i = 0; i < w->file.nr; i++) {
		const char *size = section_get(&w->file.section[i], "size");
		unsigned int percent = 100;
		struct traffic traffic;
		char *why = traffic_read(&w->file.section[i], &traffic);

		if (!why && traffic.uses[WRITES] && (!size || value_percent(size, &percent)))
			bytes += t->bytes / 100 * percent * traffic.jobs * w->header.passes;
		free(why);
	}
	return bytes;
}

void cost_say(const struct plan *p)
{
	uint64_t ms = 0, bytes = 0, timed_writes = 0;
	unsigned int nr = 0;
	bool open = false;
	char clock[24], size[16];

	for (size_t i = 0; i < p->nr; i++) {
		for (size_t k = 0; k < p->drive[i].nr; k++) {
			const struct point *point = &p->drive[i].point[k];
			uint64_t time = point_ms(p->settings, point->workload, &point->spec);

			if (!point_runs(point))
				continue;
			nr++;
			ms += time;
			open |= !time;
			timed_writes += time && point_writes(point);
			bytes += written_at_least(p->settings, &p->drive[i].target, point);
		}
	}
	printf("%u point%s on %zu drive%s, %s%s", nr, nr == 1 ? "" : "s", p->nr,
	       p->nr == 1 ? "" : "s", open ? "at least " : "", value_clock(ms, clock));
	if (bytes)
		printf(", writes at least %s", value_size_text(bytes, size));
	if (timed_writes)
		printf(bytes ? ", and what %u timed points write" : "; %u of the points write",
		       (unsigned int)timed_writes);
	putchar('\n');
	fflush(stdout);
}

/*
 * The files in a folder that a workload overwrites if they are there: one for all jobs, or one for each,
 * whose names begin alike. As a pattern, the caller's to free.
 */
static char *folder_files(const struct target *t, const struct workload *w)
{
	const char *format = section_get(&w->file.section[0], "filename_format");

	if (!w->own_files || !format)
		return alloc_string(TARGET_SHARED_FILE);
	return alloc_printf("%.*s*", (int)strcspn(format, "$"), format);
}

/* Is there a file of @below bytes or fewer? */
static bool has_files(const struct target *t, const char *pattern, uint64_t below)
{
	DIR *dir = opendir(t->path);
	const struct dirent *entry;
	bool has = false;
	struct stat st;

	while (dir && !has && (entry = readdir(dir)))
		has = *entry->d_name != '.' && !fnmatch(pattern, entry->d_name, 0) &&
		      !fstatat(dirfd(dir), entry->d_name, &st, 0) && (uint64_t)st.st_size <= below;
	if (dir)
		closedir(dir);
	return has;
}

/* Does @p overwrite something? @what: of a folder its files, the caller's to free; else NULL. */
static bool destroys(const struct drive *d, const struct point *p, char **what)
{
	const struct target *t = &d->target;
	char *pattern;
	bool has;

	*what = NULL;
	if (!point_runs(p) || point_readonly(p))
		return false;
	if (t->kind != TARGET_FOLDER)
		return t->exists && point_writes(p);
	pattern = folder_files(t, p->workload);
	/* To be read, a file that is too short is written anew. */
	has = has_files(t, pattern, point_writes(p) ? UINT64_MAX : t->bytes - 1);
	if (has)
		*what = alloc_printf("%s/%s", t->path, pattern);
	free(pattern);
	return has;
}

/* The first point of @d that overwrites something; @what as in destroys(). */
static const struct point *first_destroyer(const struct drive *d, char **what)
{
	for (size_t i = 0; i < d->nr; i++)
		if (destroys(d, &d->point[i], what))
			return &d->point[i];
	return NULL;
}

bool confirm_destroys(const struct drive *d)
{
	char *what = NULL;
	bool does = first_destroyer(d, &what);

	free(what);
	return does;
}

static void say_destroyed(FILE *out, const struct plan *p)
{
	fputs("This destroys everything on\n", out);
	for (size_t i = 0; i < p->nr; i++) {
		const struct drive *d = &p->drive[i];
		char *files = NULL, *what, *line;

		if (!first_destroyer(d, &files))
			continue;
		what = target_describe(&d->target);
		line = alloc_printf("  %s: %s  %s", d->target.label, files ? files : d->target.path,
				    what);
		text_put(out, line);
		for (size_t h = 0; h < p->settings->hosts.nr; h++)
			fprintf(out, "%s%s", h ? ", " : ", on ", p->settings->hosts.name[h]);
		fputc('\n', out);
		free(line);
		free(what);
		free(files);
	}
	fflush(out);
}

static char *ask(void)
{
	char *answer = NULL;
	size_t size = 0;
	bool yes;

	fputs("Type yes to go on: ", stderr);
	fflush(stderr);
	yes = getline(&answer, &size, stdin) > 0 && !strcmp(answer, "yes\n");
	free(answer);
	return yes ? NULL : alloc_string("not confirmed; nothing was done");
}

char *confirm_guards(const struct plan *p)
{
	char *why = NULL;

	for (size_t i = 0; !why && i < p->nr; i++)
		if (confirm_destroys(&p->drive[i]))
			why = target_guard(&p->drive[i].target);
	return why;
}

char *confirm_plan(const struct plan *p)
{
	bool any = false;

	for (size_t i = 0; i < p->nr; i++)
		any |= confirm_destroys(&p->drive[i]);
	if (!any)
		return NULL;
	if (p->settings->yes) {
		if (!p->settings->quiet)
			say_destroyed(stdout, p);
		return NULL;
	}
	if (p->settings->hosts.nr)
		return alloc_string("with --client what is overwritten cannot be looked at from "
				    "here: --yes says that it may be");
	say_destroyed(stderr, p);
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		return ask();
	return alloc_string("no terminal to ask on; --yes says that it may be destroyed");
}
