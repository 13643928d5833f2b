// SPDX-License-Identifier: GPL-2.0-only
/*
 * File -> bytes -> frame -> jansson -> fio documents. UTF-16 (PowerShell's redirection) becomes
 * UTF-8 on the way; a binary file is left after its first block.
 */
#include "read.h"
#include "alloc.h"
#include "frame.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#define BLOCK (1 << 16)
#define SNIFF 4096

enum encoding {
	BYTES,
	UTF16LE,
	UTF16BE
};

struct reader {
	struct frame *frame;
	struct read_report *report;
	const char *file;
	document_fn fn;
	void *ctx;
	enum encoding encoding;
	unsigned char half; /* first byte of a split UTF-16 unit */
	bool has_half;
	uint16_t high; /* first unit of a surrogate pair */
};

/* fio's text lines */

/* Client mode opens lines with "<host> ". */
static const char *line_skip_host(const char *s)
{
	const char *end = *s == '<' ? strstr(s, "> ") : NULL;

	return end ? end + 2 : s;
}

static bool line_is_error(const char *s)
{
	static const char *const words[] = { "err=",	 "error",     "fail",	   "unable",
					     "cannot",	 "could not", "loadable",  "got signal",
					     "bad ",	 "invalid",   "mismatch",  "hung",
					     "no such ", "overflow",  "not found", "refused" };
	bool ours = !strncmp(s, "fio:", 4) || !strncmp(s, "nvmept", 6) || strstr(s, "verify: ") ||
		    strstr(s, ": verify failed");

	for (size_t i = 0; ours && i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(s, words[i]))
			return true;
	return false;
}

static void on_text(void *ctx, const char *line, size_t len)
{
	struct read_text *t = &((struct reader *)ctx)->report->text;

	line = line_skip_host(line);
	if (strstr(line, "fio: terminating on signal")) {
		t->interrupted = true;
	} else if (line_is_error(line)) {
		if (!t->errors++)
			snprintf(t->first, sizeof(t->first), "%s", line);
	}
}

/* Documents */

static bool is_job(const json_t *j)
{
	return json_is_object(json_object_get(j, "read")) ||
	       json_is_object(json_object_get(j, "write")) ||
	       json_is_object(json_object_get(j, "mixed"));
}

static bool is_fio(const json_t *o)
{
	static const char *const keys[] = { "jobs", "client_stats" };

	for (int i = 0; i < 2; i++) {
		const json_t *jobs = json_object_get(o, keys[i]);

		if (!json_is_array(jobs))
			continue;
		if (json_array_size(jobs) ? is_job(json_array_get(jobs, 0))
					  : !!json_object_get(o, "fio version"))
			return true;
	}
	return false;
}

static bool is_own(const json_t *o)
{
	return json_object_get(o, OWN_KEY);
}

/* Reports every fio document at or below @j (others wrap fio's output in JSON of their own). */
static unsigned int find_documents(struct reader *r, const json_t *j, bool cut)
{
	unsigned int found = 0;
	const char *key;
	json_t *child;
	size_t i;

	if (is_fio(j) || is_own(j)) {
		struct document doc = { .root = j,
					.file = r->file,
					.index = r->report->documents++,
					.cut = cut,
					.own = is_own(j),
					.text = r->report->text };

		r->report->text = (struct read_text){ 0 };
		r->report->cut += cut;
		r->fn(r->ctx, &doc);
		return 1;
	}
	json_object_foreach((json_t *)j, key, child) found += find_documents(r, child, cut);
	json_array_foreach(j, i, child) found += find_documents(r, child, cut);
	return found;
}

static void on_document(void *ctx, const char *json, size_t len, bool cut)
{
	struct reader *r = ctx;
	json_t *root = json_loadb(json, len, 0, NULL);

	if (!find_documents(r, root, cut) && !cut)
		r->report->foreign++;
	json_decref(root);
}

/* Encodings */

static size_t utf8_write(char *to, uint32_t cp)
{
	if (cp < 0x80) {
		to[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		to[0] = (char)(0xc0 | cp >> 6);
		to[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		to[0] = (char)(0xe0 | cp >> 12);
		to[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		to[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | cp >> 18);
	to[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	to[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	to[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

/* One UTF-16 unit in; returns the code point that it completes, or 0 when more is to come. */
static uint32_t utf16_unit(struct reader *r, uint16_t unit)
{
	uint16_t high = r->high;

	r->high = 0;
	if (unit >= 0xd800 && unit < 0xdc00) {
		r->high = unit;
		return 0;
	}
	if (unit < 0xdc00 || unit >= 0xe000)
		return unit;
	return high ? 0x10000 + ((uint32_t)(high - 0xd800) << 10) + (unit - 0xdc00) : 0xfffd;
}

static void feed_utf16(struct reader *r, const unsigned char *data, size_t len)
{
	char utf8[BLOCK];
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		uint32_t cp;

		if (!r->has_half) {
			r->half = data[i];
			r->has_half = true;
			continue;
		}
		r->has_half = false;
		cp = utf16_unit(r, r->encoding == UTF16LE ? (uint16_t)(r->half | data[i] << 8)
							  : (uint16_t)(r->half << 8 | data[i]));
		if (cp)
			used += utf8_write(utf8 + used, cp);
		if (used > sizeof(utf8) - 4) {
			frame_feed(r->frame, utf8, used);
			used = 0;
		}
	}
	frame_feed(r->frame, utf8, used);
}

/* Looks at the file's first block; false: this is no text of any kind. */
static bool sniff(struct reader *r, const unsigned char *d, size_t len)
{
	size_t look = len < SNIFF ? len : SNIFF, nul[2] = { 0 };

	for (size_t i = 0; i < look; i++)
		nul[i & 1] += !d[i];
	if (len >= 2 && ((d[0] == 0xff && d[1] == 0xfe) || (!nul[0] && nul[1] > look / 4)))
		r->encoding = UTF16LE;
	else if (len >= 2 && ((d[0] == 0xfe && d[1] == 0xff) || (!nul[1] && nul[0] > look / 4)))
		r->encoding = UTF16BE;
	else if (nul[0] + nul[1])
		return false;
	return true;
}

/* What nobody here asks for is not parsed: a sixth of the time. */
static bool is_useless(const char *name, size_t len)
{
	static const char *const names[] = { "iodepth_level", "iodepth_submit", "iodepth_complete",
					     "latency_ns",    "latency_us",	"latency_ms",
					     "slat_ns",	      "slat",		"disk_util",
					     "prios" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (len == strlen(names[i]) && !memcmp(name, names[i], len))
			return true;
	return false;
}

/* Fills the block, so that what sniff() sees does not depend on how a pipe was written. */
static ssize_t fill_block(const struct bytes_source *from, unsigned char *block)
{
	size_t len = 0;

	while (len < BLOCK) {
		ssize_t n = from->get(from->ctx, block + len, BLOCK - len);

		if (n == -EINTR)
			continue;
		if (n < 0)
			return n;
		if (!n)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

static int read_all(struct reader *r, const struct bytes_source *from)
{
	unsigned char *block = alloc_check(malloc(BLOCK));
	ssize_t n;

	while ((n = fill_block(from, block)) > 0) {
		if (!r->report->bytes && !sniff(r, block, (size_t)n)) {
			r->report->binary = true;
			r->report->bytes = (unsigned long long)n;
			break;
		}
		r->report->bytes += (unsigned long long)n;
		if (r->encoding == BYTES)
			frame_feed(r->frame, (char *)block, (size_t)n);
		else
			feed_utf16(r, block, (size_t)n);
	}
	free(block);
	return n < 0 ? (int)n : 0;
}

int read_stream(const struct bytes_source *from, const char *file, document_fn fn, void *ctx,
		struct read_report *report)
{
	static const struct frame_ops ops = { .document = on_document,
					      .skip = is_useless,
					      .text = on_text };
	struct reader r = { .report = report, .file = file, .fn = fn, .ctx = ctx };
	int ret;

	*report = (struct read_report){ 0 };
	r.frame = frame_new(&ops, &r);
	ret = read_all(&r, from);
	frame_end(r.frame);
	frame_free(r.frame);
	return ret;
}

static ssize_t get_plain(void *ctx, unsigned char *to, size_t len)
{
	ssize_t n = read(*(int *)ctx, to, len);

	return n < 0 ? -errno : n;
}

int read_documents(int fd, const char *file, document_fn fn, void *ctx, struct read_report *report)
{
	return read_stream(&(struct bytes_source){ get_plain, &fd }, file, fn, ctx, report);
}
