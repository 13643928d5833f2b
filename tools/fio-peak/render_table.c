// SPDX-License-Identifier: GPL-2.0-only
/*
 * For people at a terminal: libsmartcols draws the tables. Fits 100 columns with two drives, more
 * are printed in blocks.
 */
#include "alloc.h"
#include "sections.h"

#include <ctype.h>
#include <libsmartcols.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH 100

static unsigned int terminal_width(FILE *out)
{
	struct winsize ws;

	if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &ws) || ws.ws_col < 40)
		return WIDTH;
	return ws.ws_col;
}

/* On a terminal that has some, unless NO_COLOR is set (no-color.org). */
static bool wants_colour(FILE *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(out)) && !(no && *no) && term && strcmp(term, "dumb");
}

static void put_heading(FILE *out, const char *title, const char *about)
{
	bool bold = wants_colour(out);

	fputs(bold ? "\033[1m" : "", out);
	for (; *title; title++)
		fputc(toupper((unsigned char)*title), out);
	fprintf(out, "%s: %s\n\n", bold ? "\033[0m" : "", about);
}

/* What leads, and what is not to be believed; NULL: nothing of that. */
static const char *colour_of(const struct column *c, const char *text)
{
	if (!strcmp(text, "best"))
		return "green";
	if (!strcmp(c->name, "FLAGS") && *text)
		return strpbrk(text, "EC") ? "red" : "brown";
	return *text && text[strlen(text) - 1] == '!' ? "red" : NULL;
}

static void colour_line(struct libscols_line *line, const struct table *t, size_t row)
{
	for (size_t i = 0; i < t->columns_nr; i++) {
		const char *colour = colour_of(&t->columns[i], table_get(t, row, i));

		if (colour)
			scols_cell_set_color(scols_line_get_cell(line, i), colour);
	}
}

/*
 * In a locale that does not know UTF-8 libsmartcols 2.38 never ends on it: there what is not ASCII is
 * written \xNN. The caller's to free.
 */
static char *for_locale(const char *s)
{
	char *ascii, *to;

	if (mbstowcs(NULL, s, 0) != (size_t)-1)
		return alloc_string(s);
	ascii = to = alloc_zero(4 * strlen(s) + 1, 1);
	for (; *s; s++)
		to += sprintf(to, (unsigned char)*s < 0x80 ? "%c" : "\\x%02x", (unsigned char)*s);
	return ascii;
}

static void set_cell(struct libscols_line *line, size_t column, const char *text)
{
	char *known = for_locale(text);

	if (scols_line_set_data(line, column, known))
		alloc_check(NULL);
	free(known);
}

static void add_columns(struct libscols_table *s, const struct table *t)
{
	for (size_t i = 0; i < t->columns_nr; i++) {
		const struct column *c = &t->columns[i];
		int flags = (c->flags & TABLE_RIGHT ? SCOLS_FL_RIGHT : 0) |
			    (c->flags & TABLE_CUT ? SCOLS_FL_TRUNC : 0);
		char *name = for_locale(c->name);

		alloc_check(scols_table_new_column(s, name, c->share, flags));
		free(name);
	}
}

static void put_table(FILE *out, const struct table *t, const char *title)
{
	struct libscols_table *s = alloc_check(scols_new_table());
	bool colours = wants_colour(out);

	scols_table_set_stream(s, out);
	scols_table_enable_minout(s, 1);
	scols_table_enable_colors(s, colours);
	/* The text is safe, also what libsmartcols would let pass. */
	scols_table_enable_noencoding(s, 1);
	add_columns(s, t);
	for (size_t row = 0; row < t->rows; row++) {
		struct libscols_line *line = alloc_check(scols_table_new_line(s, NULL));

		for (size_t i = 0; i < t->columns_nr; i++)
			set_cell(line, i, table_get(t, row, i));
		if (colours)
			colour_line(line, t, row);
	}
	scols_print_table(s);
	scols_unref_table(s);
	fputc('\n', out);
}

static void put_line(FILE *out, const char *text)
{
	fprintf(out, "%s\n", text);
}

static void put_term(FILE *out, const char *term, const char *text)
{
	fprintf(out, "%s  %s\n", term, text);
}

static void put_detail(FILE *out, const char *text)
{
	fprintf(out, "     %s\n", text);
}

static void put_gap(FILE *out)
{
	fputc('\n', out);
}

void render_table(FILE *out, const struct report *r)
{
	static const struct page_style plain = { .width = terminal_width,
						 .heading = put_heading,
						 .table = put_table,
						 .line = put_line,
						 .term = put_term,
						 .detail = put_detail,
						 .gap = put_gap };

	sections(&plain, out, r);
}
