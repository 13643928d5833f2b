/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages: headings, tables and lines of text, in the style of an output. Makes text safe to print;
 * the style escapes what its language wants escaped. Knows no drives.
 */
#ifndef PEAK_PAGE_H
#define PEAK_PAGE_H

#include "table.h"

#include <stdio.h>

/**
 * struct page_style - how an output writes the parts of a page. Texts are safe (text.h).
 * @width: the columns that there is room for; NULL: there is no end of it.
 * @heading: @about may be "". @table: @title is that of the heading before. @term: a word and what it means. @detail: belongs to the term before.
 * @gap: ends a run of lines or terms.
 */
struct page_style {
	unsigned int (*width)(FILE *out);
	void (*heading)(FILE *out, const char *title, const char *about);
	void (*table)(FILE *out, const struct table *t, const char *title);
	void (*line)(FILE *out, const char *text);
	void (*term)(FILE *out, const char *term, const char *text);
	void (*detail)(FILE *out, const char *text);
	void (*gap)(FILE *out);
};

struct page {
	FILE *out;
	const struct page_style *style;
	const char *title; /* the last heading */
};

/* page_width - columns; a number larger than any table where there is no end. */
unsigned int page_width(const struct page *pg);

__attribute__((format(printf, 3, 4))) void page_heading(struct page *pg, const char *title,
							const char *about, ...);
__attribute__((format(printf, 2, 3))) void page_line(struct page *pg, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void page_term(struct page *pg, const char *term,
						     const char *fmt, ...);
__attribute__((format(printf, 2, 3))) void page_detail(struct page *pg, const char *fmt, ...);
void page_gap(struct page *pg);

/* page_table - prints and frees it. */
void page_table(struct page *pg, struct table *t);

#endif
