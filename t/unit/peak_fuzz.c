// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio-peak against damaged input: peak_fuzz [FILE...] reads, folds, names and renders
 * mutations of the files (t/data/fio-json) in one process, for FUZZ_SECONDS (6) of processor time. The sanitizers see what goes wrong inside; this program
 * checks that what comes out holds together. Deterministic, but for where the time runs out.
 */
#include <glob.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>

#include "t/unit/tap.h"
#include "tools/fio-peak/label.h"
#include "tools/fio-peak/own.h"
#include "tools/fio-peak/render.h"

#define FILE_LIMIT (1 << 20)

struct bytes {
	unsigned char *data;
	size_t len;
};

static uint64_t random_state = 88172645463325252ULL;
static unsigned long runs, points_seen;

static size_t random_below(size_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return n ? random_state % n : 0;
}

static void on_document(void *ctx, const struct document *doc)
{
	static const struct origin origin = { .file = "x", .rel = "" };

	if (doc->own)
		free(own_fold(ctx, &origin, doc));
	else
		fold_document(ctx, &origin, doc);
}

/* What may never come out, whatever went in. */
static bool sound(const struct folded *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		const struct point *p = &f->points[i];

		if (!p->workload || !p->drive || !p->entries || !p->dir[DIR_ALL].present)
			return false;
		/* What our own JSON does not have is unknown. */
		for (int d = 0; d < DIR_NR; d++)
			if (p->dir[d].clat.mean < 0 || p->dir[d].iops < 0 || p->dir[d].ios < 0 ||
			    (!p->own && p->dir[d].present && isnan(p->dir[d].iops)) ||
			    (!p->own && isnan(p->dir[d].ios)))
				return false;
	}
	return true;
}

static bool renders(const struct folded *f)
{
	static const struct shape_rules rules = {
		.plateau = 0.01, .pct = P99, .caps_nr = 1, .caps = { 1e6 }, .cap_names = { "1ms" }
	};
	struct report report;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	json_t *json;

	report_make(&report, f, &rules);
	render_json(out, &report);
	fclose(out);
	json = json_loadb(text, len, 0, NULL);
	free(text);
	out = fopen("/dev/null", "w");
	render_table(out, &report);
	render_csv(out, &report);
	render_summary(out, &report);
	render_markdown(out, &report);
	render_prose(out, &report);
	render_html(out, &report);
	fclose(out);
	report_free(&report);
	json_decref(json);
	return json;
}

static bool survive(const unsigned char *data, size_t len)
{
	int fd = memfd_create("fuzz", 0);
	struct folded f = { .unmerged = random_below(2) };
	struct read_report report;
	struct input in;
	bool fine;

	if (fd < 0 || write(fd, data, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET))
		return false;
	input_init(&in, "drive=-");
	fold_file_begin(&f);
	fine = !read_documents(fd, "x", on_document, &f, &report);
	fold_file_end(&f, &report.text);
	label_points(&f, 0, &in, &(struct group_by){ .nr = 0 });
	label_families(&f);
	fine = fine && sound(&f) && renders(&f);
	runs++;
	points_seen += f.nr;
	folded_free(&f);
	input_free(&in);
	close(fd);
	return fine;
}

static bool in_time(clock_t end)
{
	return clock() < end;
}

/* One to eight changes: a byte, a bit, a hole, a repeated or a foreign piece. */
static size_t mutate(unsigned char *to, const struct bytes *from, const struct bytes *other)
{
	static const char tokens[] = "{}[]\",:\\\n\r0-enu<. ";
	size_t len = from->len;

	memcpy(to, from->data, len);
	for (size_t n = 1 + random_below(8); n && len > 16; n--) {
		size_t at = random_below(len),
		       piece = random_below(len - at < 200 ? len - at : 200);
		size_t room = 2 * FILE_LIMIT - len;

		switch (random_below(5)) {
		case 0:
			to[at] ^= (unsigned char)(1 << random_below(8));
			break;
		case 1:
			to[at] = (unsigned char)tokens[random_below(sizeof(tokens) - 1)];
			break;
		case 2:
			memmove(to + at, to + at + piece, len - at - piece);
			len -= piece;
			break;
		case 3:
			if (piece > room)
				break;
			memmove(to + at + piece, to + at, len - at);
			len += piece;
			break;
		default:
			if (piece > other->len)
				break;
			memcpy(to + at, other->data + random_below(other->len - piece), piece);
		}
	}
	return len;
}

static struct bytes load(const char *path)
{
	struct bytes b = { .data = malloc(FILE_LIMIT) };
	FILE *in = fopen(path, "r");

	if (in) {
		b.len = fread(b.data, 1, FILE_LIMIT, in);
		fclose(in);
	}
	return b;
}

int main(int argc, char **argv)
{
	const char *asked = getenv("FUZZ_SECONDS");
	double seconds = asked ? atof(asked) : 6;
	clock_t start = clock(), half = start + (clock_t)(seconds / 2 * CLOCKS_PER_SEC);
	clock_t end = start + (clock_t)(seconds * CLOCKS_PER_SEC);
	glob_t cases = { 0 };
	char **paths = argv + 1;
	size_t nr = (size_t)argc - 1;
	struct bytes *files;
	unsigned char *to = malloc(2 * FILE_LIMIT);
	bool fine;

	/* Of fio, and our own. */
	if (!nr && !glob("t/data/fio-json/v*", 0, NULL, &cases) &&
	    !glob("t/data/fio-peak/*.json", GLOB_APPEND, NULL, &cases)) {
		paths = cases.gl_pathv;
		nr = cases.gl_pathc;
	}
	fine = nr > 0;
	files = calloc(nr + 1, sizeof(*files));

	for (size_t i = 0; i < nr; i++) {
		files[i] = load(paths[i]);
		fine = fine && files[i].len && survive(files[i].data, files[i].len);
	}
	ok(fine, "%zu files as they are", nr);
	/* The smallest steps first, wider ones if the time would not do for each byte. */
	for (size_t cut = 0; fine && in_time(half); cut++)
		for (size_t i = 0; fine && i < nr; i++)
			fine = survive(files[i].data, (cut * 7919) % (files[i].len + 1));
	ok(fine, "cut off anywhere");
	while (fine && in_time(end)) {
		const struct bytes *file = &files[random_below(nr)];

		fine = survive(to, mutate(to, file, &files[random_below(nr)]));
	}
	ok(fine, "bytes changed, lost, repeated and mixed");
	printf("# %lu inputs, %lu points\n", runs, points_seen);
	ok(points_seen > runs / 10, "enough of them held results for this to mean something");
	for (size_t i = 0; i < nr; i++)
		free(files[i].data);
	globfree(&cases);
	free(files);
	free(to);
	return done_testing();
}
