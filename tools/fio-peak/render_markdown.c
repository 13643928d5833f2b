// SPDX-License-Identifier: GPL-2.0-only
/* Markdown with GitHub's tables, for issues and wikis. */
#include "sections.h"

#include <ctype.h>
#include <string.h>

/* A backslash before what could mean something; it is allowed before any punctuation. */
static void put_escaped(FILE *out, const char *s)
{
	for (; *s; s++) {
		if (strchr("\\`*_[]<>|~&#$", *s))
			fputc('\\', out);
		fputc(*s, out);
	}
}

static void put_heading(FILE *out, const char *title, const char *about)
{
	fprintf(out, "## %s\n\n%c", title, toupper((unsigned char)*about));
	put_escaped(out, about + 1);
	fputs(".\n\n", out);
}

static void put_table(FILE *out, const struct table *t, const char *title)
{
	for (size_t i = 0; i < t->columns_nr; i++) {
		fputs("| ", out);
		put_escaped(out, t->columns[i].name);
		fputc(' ', out);
	}
	fputs("|\n", out);
	for (size_t i = 0; i < t->columns_nr; i++)
		fputs(t->columns[i].flags & TABLE_RIGHT ? "| ---: " : "| --- ", out);
	fputs("|\n", out);
	for (size_t row = 0; row < t->rows; row++) {
		for (size_t i = 0; i < t->columns_nr; i++) {
			fputs("| ", out);
			put_escaped(out, table_get(t, row, i));
			fputc(' ', out);
		}
		fputs("|\n", out);
	}
	fputc('\n', out);
}

static void put_line(FILE *out, const char *text)
{
	fputs("- ", out);
	put_escaped(out, text);
	fputc('\n', out);
}

static void put_term(FILE *out, const char *term, const char *text)
{
	fprintf(out, "- **%s** ", term);
	put_escaped(out, text);
	fputc('\n', out);
}

static void put_detail(FILE *out, const char *text)
{
	fputs("  - ", out);
	put_escaped(out, text);
	fputc('\n', out);
}

static void put_gap(FILE *out)
{
	fputc('\n', out);
}

void render_markdown(FILE *out, const struct report *r)
{
	static const struct page_style markdown = { .heading = put_heading,
						    .table = put_table,
						    .line = put_line,
						    .term = put_term,
						    .detail = put_detail,
						    .gap = put_gap };

	sections(&markdown, out, r);
}
