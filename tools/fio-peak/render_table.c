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

static void put_heading(FILE *out, const char *title, const char *about)
{
	for (; *title; title++)
		fputc(toupper((unsigned char)*title), out);
	fprintf(out, ": %s\n\n", about);
}

static void add_columns(struct libscols_table *s, const struct table *t)
{
	for (size_t i = 0; i < t->columns_nr; i++) {
		const struct column *c = &t->columns[i];
		int flags = (c->flags & TABLE_RIGHT ? SCOLS_FL_RIGHT : 0) |
			    (c->flags & TABLE_CUT ? SCOLS_FL_TRUNC : 0);

		alloc_check(scols_table_new_column(s, c->name, c->share, flags));
	}
}

static void put_table(FILE *out, const struct table *t, const char *title)
{
	struct libscols_table *s = alloc_check(scols_new_table());

	scols_table_set_stream(s, out);
	scols_table_enable_minout(s, 1);
	/* The text is safe, also what libsmartcols would let pass. */
	scols_table_enable_noencoding(s, 1);
	add_columns(s, t);
	for (size_t row = 0; row < t->rows; row++) {
		struct libscols_line *line = alloc_check(scols_table_new_line(s, NULL));

		for (size_t i = 0; i < t->columns_nr; i++)
			if (scols_line_set_data(line, i, table_get(t, row, i)))
				alloc_check(NULL);
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
