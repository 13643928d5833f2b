// SPDX-License-Identifier: GPL-2.0-only
/* Files by content, not by name; folders in the order of their names. */
#include "walk.h"
#include "alloc.h"
#include "own.h"
#include "source.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <unistd.h>
#include <sys/stat.h>

#define WANTED "the output of fio --output-format=json or json+"

/* @why: what our own JSON lacks, or NULL. */
struct walk {
	struct folded *folded;
	struct origin origin;
	char *why;
};

static void on_document(void *ctx, const struct document *doc)
{
	struct walk *w = ctx;
	char *why;

	if (!doc->own) {
		fold_document(w->folded, &w->origin, doc);
		return;
	}
	why = own_fold(w->folded, &w->origin, doc);
	if (w->why)
		free(why);
	else
		w->why = why;
}

/* Why a file gave nothing; the caller's to free. */
static char *explain(const char *file, const struct read_report *r)
{
	if (r->documents && r->cut)
		return alloc_printf(
			"%s: cut off inside fio's first job, nothing to save; expected %s", file,
			WANTED " up to its last brace");
	if (r->documents)
		return alloc_printf("%s: fio ran no job (its list of jobs is empty)", file);
	if (!r->bytes)
		return alloc_printf("%s: empty file; expected %s", file, WANTED);
	if (r->binary)
		return alloc_printf("%s: binary data; expected %s", file, WANTED);
	if (r->text.errors)
		return alloc_printf("%s: no results, fio says: %s", file, r->text.first);
	if (r->foreign)
		return alloc_printf(
			"%s: JSON of another program (no \"jobs\", no \"client_stats\"); "
			"expected %s",
			file, WANTED);
	return alloc_printf("%s: no JSON object in it; expected %s", file, WANTED);
}

/* How much of a file could be read. */
enum reading {
	READ_ALL,
	READ_PART, /* told on stderr */
	READ_NONE
};

static char *explain_error(const char *file, int error)
{
	if (error == EBADMSG)
		return alloc_printf("%s: cannot be read: its compressed data is damaged", file);
	return alloc_printf("%s: cannot be read: %s", file, strerror(error));
}

/* Returns NULL when the file gave points, else why not. */
static char *walk_fd(struct folded *f, int fd, const struct origin *origin, enum reading *how)
{
	struct walk w = { .folded = f, .origin = *origin };
	struct read_report report;
	struct source *source = source_open(fd);
	size_t before = f->nr;
	bool cut;
	int ret;

	fold_file_begin(f);
	ret = read_stream(&(struct bytes_source){ source_read, source }, origin->file, on_document,
			  &w, &report);
	cut = source_cut(source);
	source_close(source);
	fold_file_end(f, &report.text);
	*how = ret ? READ_NONE : cut ? READ_PART : READ_ALL;
	if (ret) {
		fold_drop(f, before);
		free(w.why);
		return explain_error(origin->file, -ret);
	}
	if (w.why && f->nr == before) {
		*how = READ_NONE;
		return w.why;
	}
	if (w.why) {
		*how = READ_PART;
		text_say("%s", w.why);
		free(w.why);
	}
	if (cut)
		text_say("%s: its compressed data ends early; what came before is used",
			 origin->file);
	return f->nr == before ? explain(origin->file, &report) : NULL;
}

static char *walk_file(struct folded *f, const struct origin *origin, enum reading *how)
{
	int fd = open(origin->file, O_RDONLY | O_CLOEXEC);
	char *why;

	*how = READ_NONE;
	if (fd < 0)
		return alloc_printf("%s: cannot be opened: %s", origin->file, strerror(errno));
	why = walk_fd(f, fd, origin, how);
	close(fd);
	return why;
}

/* Files that our own tools put beside the results. */
static bool is_companion(const char *name)
{
	size_t len = strlen(name);

	return !strcmp(name, "drive.json") || !strcmp(name, "run.json") ||
	       (len > 4 && !strcmp(name + len - 4, ".fio")) ||
	       (len > 10 && !strcmp(name + len - 10, ".nvme.json"));
}

static void walk_entry(struct folded *f, const FTSENT *ent, const struct input *in, unsigned int nr,
		       struct walked *w)
{
	const char *rel = ent->fts_path + strlen(in->path);
	enum reading how;
	char *why;

	while (*rel == '/')
		rel++;
	why = walk_file(f, &(struct origin){ .file = ent->fts_path, .rel = rel, .input = nr },
			&how);
	w->files += !why;
	if (how == READ_NONE)
		text_say("%s; left out", why);
	w->left_out += how != READ_ALL;
	if (why && how != READ_NONE && !is_companion(ent->fts_name)) {
		if (w->tell)
			text_say("%s; skipped", why);
		if (!w->skipped++)
			w->first = alloc_string(ent->fts_path);
	}
	free(why);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Says so of what could not be looked at; folders and special files are none of that. */
static void leave_out(const FTSENT *ent, struct walked *w)
{
	if (ent->fts_info == FTS_SLNONE)
		text_say("%s: link to nothing; left out", ent->fts_path);
	else if (ent->fts_info == FTS_DNR || ent->fts_info == FTS_ERR || ent->fts_info == FTS_NS)
		text_say("%s: cannot be read: %s; left out", ent->fts_path,
			 strerror(ent->fts_errno));
	else
		return;
	w->left_out++;
}

static void walk_folder(struct folded *f, const struct input *in, unsigned int nr, struct walked *w)
{
	FTS *fts = fts_open((char *[]){ in->path, NULL }, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	FTSENT *ent;

	alloc_check(fts);
	while (errno = 0, (ent = fts_read(fts))) {
		bool hidden = ent->fts_level > 0 && *ent->fts_name == '.';

		if (ent->fts_info == FTS_D && hidden)
			fts_set(fts, ent, FTS_SKIP);
		else if (ent->fts_info == FTS_F && !hidden)
			walk_entry(f, ent, in, nr, w);
		else if (!hidden)
			leave_out(ent, w);
	}
	/* Where the tree is too deep fts ends for good. */
	if (errno) {
		text_say("%s: cannot be read to the end: %s; the rest is left out", in->path,
			 strerror(errno));
		w->left_out++;
	}
	fts_close(fts);
}

static char *explain_folder(const char *path, const struct walked *w)
{
	if (w->skipped)
		return alloc_printf("%s: none of its %u files holds fio results; expected %s", path,
				    w->skipped, WANTED);
	if (w->left_out)
		return alloc_printf("%s: no results besides what was left out; expected %s", path,
				    WANTED);
	return alloc_printf("%s: no files in this folder; expected %s", path, WANTED);
}

char *walk_input(struct folded *f, const struct input *in, unsigned int nr, bool tell,
		 struct walked *w)
{
	struct origin origin = { .file = in->path, .rel = "", .input = nr };
	enum reading how;
	size_t first = f->nr, repeated;
	char *why;

	*w = (struct walked){ .tell = tell };
	if (!*in->path)
		return alloc_printf("\"%s\" names no file or folder", in->arg);
	if (!strcmp(in->path, "-")) {
		origin.file = "(stdin)";
		why = walk_fd(f, STDIN_FILENO, &origin, &how);
	} else if (!in->folder) {
		why = walk_file(f, &origin, &how);
	} else {
		walk_folder(f, in, nr, w);
		repeated = own_drop_repeated(f, first);
		if (repeated && tell)
			text_say("%s: %zu points of fio-peak's JSON left out: fio's own files of "
				 "their runs are there",
				 in->path, repeated);
		if (w->files)
			return NULL;
		return explain_folder(in->path, w);
	}
	w->files = !why;
	w->left_out = how == READ_PART;
	return why;
}
