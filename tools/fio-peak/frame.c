// SPDX-License-Identifier: GPL-2.0-only
/*
 * One pass over the bytes: a tokenizer that writes the strict form of what it reads. Commas are
 * written by the writer, never copied, so missing and surplus ones mend themselves; a string ends
 * at its line's end (fio before 2.21 cut every print at 1024 bytes); control bytes, broken UTF-8
 * and escapes are escaped; nan and inf become null; stray words give up the rest of their line.
 *
 * A document that was cut off is found by the next one: a key "fio version" below the top level
 * means that a new document began at the brace before it.
 */
#include "frame.h"
#include "alloc.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>

#define FRAME_DEPTH 64
#define FRAME_LIMIT ((size_t)1 << 30)
#define LINE_LIMIT 1024

enum state {
	TEXT,
	BRACE,
	GAP,
	STRING,
	ESCAPE,
	TOKEN,
	JUNK
};
enum want {
	KEY,
	COLON,
	VALUE
};

struct level {
	size_t start; /* of its bracket in out */
	size_t end; /* of its last complete member in out */
	size_t members;
	enum want want;
	char kind; /* '{' or '[' */
	bool skip; /* the member that is being read is of no use */
	bool bogus; /* stands where no value may: dropped when it closes */
};

struct frame {
	const struct frame_ops *ops;
	void *ctx;
	enum state state;
	char *out;
	size_t len, cap;
	struct level stack[FRAME_DEPTH];
	unsigned int depth;
	size_t string; /* where the open string began in out */
	bool repair; /* ... and that it holds bytes to look at again */
	char line[LINE_LIMIT];
	size_t line_len;
	char token[72];
	size_t token_len;
};

static void put(struct frame *f, const char *s, size_t len)
{
	while (f->cap - f->len < len) {
		f->cap = f->cap ? 2 * f->cap : 1 << 16;
		f->out = alloc_check(realloc(f->out, f->cap));
	}
	memcpy(f->out + f->len, s, len);
	f->len += len;
}

static void put_str(struct frame *f, const char *s)
{
	put(f, s, strlen(s));
}

static struct level *top(struct frame *f)
{
	return &f->stack[f->depth - 1];
}

/* Text outside of documents */

static void line_add(struct frame *f, char c)
{
	if (f->line_len < sizeof(f->line) - 1)
		f->line[f->line_len++] = c;
}

static void line_flush(struct frame *f)
{
	f->line[f->line_len] = 0;
	if (f->line_len)
		f->ops->text(f->ctx, f->line, f->line_len);
	f->line_len = 0;
}

/* Structure */

static void member_done(struct frame *f)
{
	struct level *l = top(f);

	l->want = KEY;
	if (l->skip) {
		l->skip = false;
		f->len = l->end;
		return;
	}
	l->members++;
	l->end = f->len;
}

/* A key that never got its value gets null. */
static void key_settle(struct frame *f)
{
	struct level *l = top(f);

	if (l->kind != '{' || l->want == KEY)
		return;
	put_str(f, l->want == COLON ? ":null" : "null");
	member_done(f);
}

/* May a value that is not a string begin here? Writes the comma before it. */
static bool value_begin(struct frame *f)
{
	struct level *l = top(f);

	if (l->kind == '{')
		return l->want == VALUE;
	if (l->members)
		put(f, ",", 1);
	return true;
}

static void frame_reset(struct frame *f)
{
	f->state = TEXT;
	f->depth = 0;
	f->len = 0;
}

static void level_open(struct frame *f, char kind)
{
	bool bogus = f->depth && !value_begin(f);

	if (f->depth == FRAME_DEPTH || f->len > FRAME_LIMIT) {
		frame_reset(f);
		return;
	}
	f->stack[f->depth++] =
		(struct level){ .start = f->len, .end = f->len + 1, .kind = kind, .bogus = bogus };
	put(f, &kind, 1);
	f->state = GAP;
}

static void level_pop(struct frame *f)
{
	struct level *l = top(f);

	key_settle(f);
	put(f, l->kind == '{' ? "}" : "]", 1);
	f->depth--;
	if (l->bogus)
		f->len = l->start;
	else if (f->depth)
		member_done(f);
}

static void document_done(struct frame *f, bool cut)
{
	if (f->len > 2)
		f->ops->document(f->ctx, f->out, f->len, cut);
	frame_reset(f);
}

static void level_close(struct frame *f, char kind)
{
	unsigned int match = f->depth;

	while (match && f->stack[match - 1].kind != kind)
		match--;
	if (!match)
		return;
	while (f->depth >= match)
		level_pop(f);
	if (!f->depth)
		document_done(f, false);
}

/* Close every open level after its last complete member, mark it, and hand the document over. */
static void document_salvage(struct frame *f)
{
	while (f->depth) {
		struct level *l = top(f);

		f->len = l->end;
		l->want = KEY;
		if (l->kind == '{') {
			if (l->members)
				put(f, ",", 1);
			put_str(f, "\"" FRAME_CUT_KEY "\":true");
		}
		level_pop(f);
	}
	document_done(f, true);
}

/* The innermost object is a document of its own: what surrounds it was cut off. */
static void document_restart(struct frame *f)
{
	struct level l = *top(f);
	size_t len = f->len - l.start;
	char *tail = alloc_check(malloc(len));

	memcpy(tail, f->out + l.start, len);
	f->depth--;
	document_salvage(f);
	put(f, tail, len);
	free(tail);
	l.end -= l.start;
	l.start = 0;
	l.bogus = false;
	f->stack[0] = l;
	f->depth = 1;
	f->state = GAP;
}

/* Strings */

static void string_begin(struct frame *f)
{
	struct level *l = top(f);

	if (l->kind == '{' && l->want == COLON)
		key_settle(f);
	if ((l->kind == '[' || l->want == KEY) && l->members)
		put(f, ",", 1);
	put(f, "\"", 1);
	f->string = f->len;
	f->repair = false;
	f->state = STRING;
}

/* Length of the well-formed UTF-8 sequence at @s, 0 if it is none. */
static size_t utf8_length(const unsigned char *s, size_t left)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = *s < 0x80 ? 1 : *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc0 ? 2 : 0;
	uint32_t cp = *s & (0x7f >> len);

	if (len < 2 || *s > 0xf4)
		return *s < 0x80;
	if (len > left)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		cp = cp << 6 | (s[i] & 0x3f);
	}
	if (cp < least[len] || cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
		return 0;
	return len;
}

/* The code unit of a "\uXXXX" at @s; -1 if it is none. */
static int escape_unit(const char *s, size_t left)
{
	char hex[5] = "";

	if (left < 6 || s[0] != '\\' || s[1] != 'u')
		return -1;
	for (int i = 0; i < 4; i++)
		if (!isxdigit((unsigned char)s[2 + i]))
			return -1;
	memcpy(hex, s + 2, 4);
	return (int)strtol(hex, NULL, 16);
}

/* Writes the repaired form of one "\u..." and returns how much of @s it used. */
static size_t repair_escape(struct frame *f, const char *s, size_t left)
{
	int unit = escape_unit(s, left);
	int next = left > 6 ? escape_unit(s + 6, left - 6) : -1;

	if (unit < 0) {
		put_str(f, "\\\\u");
		return 2;
	}
	if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
		put(f, s, 12);
		return 12;
	}
	if (unit == 0 || (unit >= 0xd800 && unit < 0xe000))
		put_str(f, "\\ufffd");
	else
		put(f, s, 6);
	return 6;
}

/* Bytes that are not UTF-8 are taken for Latin-1; escapes that mean nothing become text. */
static void string_repair(struct frame *f)
{
	size_t len = f->len - f->string, i = 0;
	char *s = alloc_check(malloc(len + 1));

	memcpy(s, f->out + f->string, len);
	s[len] = 0;
	f->len = f->string;
	while (i < len) {
		size_t n = utf8_length((unsigned char *)s + i, len - i);
		unsigned char c = (unsigned char)s[i];

		if (!n) {
			put(f, (char[]){ (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) }, 2);
			i++;
		} else if (c == '\\' && s[i + 1] == 'u') {
			i += repair_escape(f, s + i, len - i);
		} else {
			n = c == '\\' ? 2 : n; /* an escape was written whole */
			put(f, s + i, n);
			i += n;
		}
	}
	free(s);
}

static void string_end(struct frame *f)
{
	static const char version[] = "fio version";
	struct level *l = top(f);

	if (f->repair)
		string_repair(f);
	put(f, "\"", 1);
	f->state = GAP;
	if (l->kind == '[' || l->want == VALUE) {
		member_done(f);
		return;
	}
	l->want = COLON;
	l->skip = f->ops->skip && f->ops->skip(f->out + f->string, f->len - f->string - 1);
	if (f->depth > 1 && f->len - f->string == sizeof(version) &&
	    !memcmp(f->out + f->string, version, sizeof(version) - 1))
		document_restart(f);
}

/* Takes plain bytes of a string in one go; returns how many of @data it used. */
static size_t string_run(struct frame *f, const char *data, size_t len)
{
	size_t i = 0;

	while (i < len && data[i] != '"' && data[i] != '\\' && (unsigned char)data[i] >= ' ') {
		f->repair |= (unsigned char)data[i] >= 0x80;
		i++;
	}
	put(f, data, i);
	return i;
}

static void string_special(struct frame *f, char c)
{
	char escaped[8];

	if (c == '"' || c == '\n') {
		string_end(f);
	} else if (c == '\\') {
		f->state = ESCAPE;
	} else if (c != '\r') {
		snprintf(escaped, sizeof(escaped), "\\u%04x", c ? (unsigned char)c : 0xfffd);
		put_str(f, escaped);
	}
}

static void escape_char(struct frame *f, char c)
{
	f->state = STRING;
	if (c && strchr("\"\\/bfnrtu", c)) {
		put(f, (char[]){ '\\', c }, 2);
		f->repair |= c == 'u';
		return;
	}
	put_str(f, "\\\\");
	if ((unsigned char)c < ' ') {
		string_special(f, c);
	} else {
		f->repair |= (unsigned char)c >= 0x80;
		put(f, &c, 1);
	}
}

/* Numbers and words */

static bool number_is_strict(const char *s)
{
	s += *s == '-';
	if (*s == '0')
		s++;
	else if (isdigit((unsigned char)*s))
		s += strspn(s, "0123456789");
	else
		return false;
	if (*s == '.') {
		if (!isdigit((unsigned char)*++s))
			return false;
		s += strspn(s, "0123456789");
	}
	return !*s;
}

static void number_write(struct frame *f)
{
	char wide[40];
	double v;

	if (number_is_strict(f->token) && f->token_len < 40) {
		put(f, f->token, f->token_len);
		/* Beyond 64 bits a JSON integer is an error to jansson; a real is not. */
		if (f->token_len > 18 && !strchr(f->token, '.'))
			put_str(f, ".0");
		return;
	}
	v = strtod(f->token, NULL);
	snprintf(wide, sizeof(wide), "%.17g", v);
	if (isfinite(v))
		put_str(f, strpbrk(wide, ".e") ? wide : strcat(wide, ".0"));
	else
		put_str(f, "null");
}

static bool word_is_missing(const char *s)
{
	static const char *const words[] = {
		"nan", "inf", "infinity", "null", "none", "undefined"
	};

	s += *s == '-' || *s == '+';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(s, words[i]))
			return true;
	return false;
}

static bool word_is_number(const char *s)
{
	char *end;

	if (!isdigit((unsigned char)s[strspn(s, "+-.")]))
		return false;
	strtod(s, &end);
	return !*end;
}

static bool token_write(struct frame *f)
{
	const char *s = f->token;
	bool number = number_is_strict(s) || word_is_number(s);
	bool missing = !number && word_is_missing(s);
	bool known = number || missing || !strcmp(s, "true") || !strcmp(s, "false");

	if (!known || f->token_len + 1 >= sizeof(f->token) || !value_begin(f))
		return false;
	if (number)
		number_write(f);
	else
		put_str(f, missing ? "null" : s);
	member_done(f);
	return true;
}

static void token_end(struct frame *f)
{
	f->token[f->token_len] = 0;
	if (token_write(f)) {
		f->state = GAP;
		return;
	}
	for (size_t i = 0; i < f->token_len; i++)
		line_add(f, f->token[i]);
	f->state = JUNK;
}

static bool token_char(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '+' || c == '.' || c == '_';
}

/* The states; each takes one byte, except where it says so */

static void text_char(struct frame *f, char c)
{
	if (c == '\n' || c == '\r') {
		line_flush(f);
		if (f->state == JUNK)
			f->state = GAP;
	} else if (c == '{') {
		f->state = BRACE;
	} else {
		line_add(f, c);
	}
}

/* After a brace: a document begins with a key; anything else is prose. */
static bool brace_char(struct frame *f, char c)
{
	if (isspace((unsigned char)c))
		return true;
	if (c == '"') {
		line_flush(f);
		level_open(f, '{');
	} else {
		f->state = f->depth ? JUNK : TEXT;
		line_add(f, '{');
	}
	return false;
}

static void gap_char(struct frame *f, char c)
{
	if (isspace((unsigned char)c))
		return;
	if (c == '"') {
		string_begin(f);
	} else if (c == '{' || c == '[') {
		level_open(f, c);
	} else if (c == '}' || c == ']') {
		level_close(f, c == '}' ? '{' : '[');
	} else if (c == ',') {
		key_settle(f);
	} else if (c == ':') {
		if (top(f)->kind == '{' && top(f)->want == COLON) {
			put(f, ":", 1);
			top(f)->want = VALUE;
		}
	} else if (token_char(c)) {
		f->token[0] = c;
		f->token_len = 1;
		f->state = TOKEN;
	} else {
		f->state = JUNK;
		line_add(f, c);
	}
}

/* Returns false when @c ends the token and is still to be read. */
static bool token_more(struct frame *f, char c)
{
	if (!token_char(c)) {
		token_end(f);
		return false;
	}
	if (f->token_len < sizeof(f->token) - 1)
		f->token[f->token_len++] = c;
	return true;
}

void frame_feed(struct frame *f, const char *data, size_t len)
{
	if (f->len > FRAME_LIMIT)
		frame_reset(f);
	for (size_t i = 0; i < len;) {
		bool used = true;

		switch (f->state) {
		case TEXT:
		case JUNK:
			text_char(f, data[i]);
			break;
		case BRACE:
			used = brace_char(f, data[i]);
			break;
		case GAP:
			while (i < len && data[i] == ' ')
				i++;
			if (i == len)
				return;
			gap_char(f, data[i]);
			break;
		case STRING:
			i += string_run(f, data + i, len - i);
			if (i == len)
				return;
			string_special(f, data[i]);
			break;
		case ESCAPE:
			escape_char(f, data[i]);
			break;
		case TOKEN:
			used = token_more(f, data[i]);
			break;
		}
		i += used;
	}
}

void frame_end(struct frame *f)
{
	if (f->depth)
		document_salvage(f);
	line_flush(f);
	frame_reset(f);
}

struct frame *frame_new(const struct frame_ops *ops, void *ctx)
{
	struct frame *f = alloc_zero(1, sizeof(*f));

	f->ops = ops;
	f->ctx = ctx;
	return f;
}

void frame_free(struct frame *f)
{
	free(f->out);
	free(f);
}
