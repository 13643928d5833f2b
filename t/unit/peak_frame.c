// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio-peak's framing: which documents and text lines come out of which bytes, whether they arrive
 * at once or one by one.
 */
#include <stdlib.h>

#include "t/unit/tap.h"
#include "tools/fio-peak/frame.h"

/* @want: documents, "|cut" after one that was cut, "[...]" around text lines, in order. */
static const struct {
	const char *name, *in, *want;
} cases[] = {
	{ "one object", "{\"a\":1}", "{\"a\":1}" },
	{ "spaces", "{ \"a\" : [ 1 , 2 ] }", "{\"a\":[1,2]}" },
	{ "text around", "hi\n{\"a\":1}\nbye", "[hi]{\"a\":1}[bye]" },
	{ "a prompt before it", "$ x>{\"a\":1}", "[$ x>]{\"a\":1}" },
	{ "two objects", "{\"a\":1}{\"b\":2}", "{\"a\":1}{\"b\":2}" },
	{ "prose with braces", "{ not json }\n{\"a\":1}", "[{not json }]{\"a\":1}" },
	{ "missing comma", "{\"a\":1 \"b\":2}", "{\"a\":1,\"b\":2}" },
	{ "surplus commas", "{\"a\":[1,,2,],}", "{\"a\":[1,2]}" },
	{ "key without value", "{\"a\",\"b\":}", "{\"a\":null,\"b\":null}" },
	{ "nan and inf", "{\"a\":-nan,\"b\":inf,\"c\":NaN}", "{\"a\":null,\"b\":null,\"c\":null}" },
	{ "words", "{\"a\":true,\"b\":null}", "{\"a\":true,\"b\":null}" },
	{ "odd numbers", "{\"a\":01,\"b\":.5,\"c\":1e400}", "{\"a\":1.0,\"b\":0.5,\"c\":null}" },
	{ "beyond 64 bits", "{\"a\":18446744073709551615}", "{\"a\":18446744073709551615.0}" },
	{ "string cut at its line's end", "{\"a\":\"xyz\n\"b\":1}", "{\"a\":\"xyz\",\"b\":1}" },
	{ "control bytes", "{\"a\":\"x\ty\001\"}", "{\"a\":\"x\\u0009y\\u0001\"}" },
	{ "Latin-1", "{\"a\":\"\xe9\"}", "{\"a\":\"\xc3\xa9\"}" },
	{ "UTF-8", "{\"a\":\"\xc3\xa9\"}", "{\"a\":\"\xc3\xa9\"}" },
	{ "unknown escape", "{\"a\":\"\\:\"}", "{\"a\":\"\\\\:\"}" },
	{ "lone surrogate", "{\"a\":\"\\ud800x\"}", "{\"a\":\"\\ufffdx\"}" },
	{ "surrogate pair", "{\"a\":\"\\ud83d\\ude00\"}", "{\"a\":\"\\ud83d\\ude00\"}" },
	{ "broken escape", "{\"a\":\"\\u12\"}", "{\"a\":\"\\\\u12\"}" },
	{ "a log line inside", "{\"a\":1,\nfio: error\n\"b\":2}", "[fio: error]{\"a\":1,\"b\":2}" },
	{ "cut in a number", "{\"a\":1,\"b\":12", "{\"a\":1,\"fio-peak cut\":true}|cut" },
	{ "cut in a string", "{\"a\":1,\"b\":\"x", "{\"a\":1,\"fio-peak cut\":true}|cut" },
	{ "cut in a job", "{\"jobs\":[{\"n\":1},{\"n\"",
	  "{\"jobs\":[{\"n\":1},{\"fio-peak cut\":true}],\"fio-peak cut\":true}|cut" },
	{ "another document begins", "{\"a\":{\"b\":1,\n{\n\"fio version\":\"x\"}",
	  "{\"a\":{\"b\":1,\"fio-peak cut\":true},\"fio-peak cut\":true}|cut{\"fio "
	  "version\":\"x\"}" },
	{ "wrapped documents", "{\"r\":[{\"fio version\":\"x\"},{\"fio version\":\"y\"}]}",
	  "{\"r\":[],\"fio-peak cut\":true}|cut{\"fio version\":\"x\"}[,]{\"fio "
	  "version\":\"y\"}[]}]" },
	{ "closed by the wrong bracket", "{\"a\":[1}", "{\"a\":[1]}" },
	{ "nothing", "", "" },
	{ "an open brace", "{", "" },
};

struct seen {
	char text[1024];
	size_t len;
};

static void add(struct seen *s, const char *data, size_t len)
{
	if (s->len + len < sizeof(s->text)) {
		memcpy(s->text + s->len, data, len);
		s->len += len;
	}
}

static void on_document(void *ctx, const char *json, size_t len, bool cut)
{
	add(ctx, json, len);
	if (cut)
		add(ctx, "|cut", 4);
}

static void on_text(void *ctx, const char *line, size_t len)
{
	add(ctx, "[", 1);
	add(ctx, line, len);
	add(ctx, "]", 1);
}

static void run(struct seen *s, const char *in, size_t step)
{
	static const struct frame_ops ops = { .document = on_document, .text = on_text };
	struct frame *f = frame_new(&ops, s);

	*s = (struct seen){ 0 };
	for (size_t i = 0, len = strlen(in); i < len; i += step)
		frame_feed(f, in + i, len - i < step ? len - i : step);
	frame_end(f);
	frame_free(f);
}

/* Deep nesting is given up, not followed. */
static void check_depth(void)
{
	char *deep = malloc(60006), *to = deep;
	struct seen s;

	for (int i = 0; i < 10000; i++)
		to = stpcpy(to, "{\"a\":[");
	run(&s, deep, 60000);
	ok(!strstr(s.text, "{\"a\":[{\"a\":[{"), "10,000 levels are not followed");
	free(deep);
}

int main(void)
{
	struct seen whole, bytes;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run(&whole, cases[i].in, 1000);
		run(&bytes, cases[i].in, 1);
		is_str(whole.text, cases[i].want, cases[i].name);
		is_str(bytes.text, cases[i].want, "... byte by byte");
	}
	check_depth();
	return done_testing();
}
