// SPDX-License-Identifier: GPL-2.0-only
/* Formats and makes safe, then leaves it to the style. */
#include "page.h"
#include "alloc.h"
#include "text.h"

#include <limits.h>

/* The formatted text made safe, the caller's to free. */
__attribute__((format(printf, 1, 0))) static char *format(const char *fmt, va_list ap)
{
	char *text = NULL, *safe;

	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	safe = text_safe(alloc_check(text));
	free(text);
	return safe;
}

unsigned int page_width(const struct page *pg)
{
	return pg->style->width ? pg->style->width(pg->out) : UINT_MAX;
}

void page_heading(struct page *pg, const char *title, const char *about, ...)
{
	char *text;
	va_list ap;

	va_start(ap, about);
	text = format(about, ap);
	va_end(ap);
	pg->title = title;
	pg->style->heading(pg->out, title, text);
	free(text);
}

void page_line(struct page *pg, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = format(fmt, ap);
	va_end(ap);
	pg->style->line(pg->out, text);
	free(text);
}

void page_term(struct page *pg, const char *term, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = format(fmt, ap);
	va_end(ap);
	pg->style->term(pg->out, term, text);
	free(text);
}

void page_detail(struct page *pg, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = format(fmt, ap);
	va_end(ap);
	pg->style->detail(pg->out, text);
	free(text);
}

void page_gap(struct page *pg)
{
	pg->style->gap(pg->out);
}

void page_table(struct page *pg, struct table *t)
{
	pg->style->table(pg->out, t, pg->title);
	table_free(t);
}
