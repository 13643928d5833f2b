// SPDX-License-Identifier: GPL-2.0-only
/*
 * One HTML file that fetches nothing. It is well-formed XML too, so that a test can tell. Without its
 * script all is there but the sorting.
 */
#include "html.h"
#include "alloc.h"
#include "ranking.h"
#include "sections.h"
#include "show.h"
#include "text.h"

#include <ctype.h>

/* Safe text: only what HTML has a meaning for is left to escape. */
static void put_escaped(FILE *out, const char *s)
{
	static const char *const names[] = {
		['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\''] = "&#39;"
	};

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c < sizeof(names) / sizeof(names[0]) && names[c])
			fputs(names[c], out);
		else
			fputc(c, out);
	}
}

void html_text(FILE *out, const char *s)
{
	char *safe = text_safe(s);

	put_escaped(out, safe);
	free(safe);
}

/* The style of the sections */

static void put_heading(FILE *out, const char *title, const char *about)
{
	fprintf(out, "<h2>%s</h2>\n<p>%c", title, toupper((unsigned char)*about));
	put_escaped(out, about + 1);
	fputs(".</p>\n", out);
}

static void put_head(FILE *out, const struct table *t)
{
	fputs("<thead><tr>", out);
	for (size_t i = 0; i < t->columns_nr; i++) {
		const struct column *c = &t->columns[i];

		if (!*c->name) {
			fputs("<td></td>", out);
			continue;
		}
		fprintf(out, "<th scope=\"col\"%s>", c->flags & TABLE_RIGHT ? " class=\"n\"" : "");
		put_escaped(out, c->name);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n", out);
}

/* Rows may be sorted, so each has all of its names. */
static const char *group_text(const struct table *t, size_t row, size_t column)
{
	while (row && !*table_get(t, row, column))
		row--;
	return table_get(t, row, column);
}

static void put_cell(FILE *out, const struct table *t, size_t row, size_t column)
{
	const char *text = table_get(t, row, column), *name = "";
	int flags = t->columns[column].flags;

	if (flags & TABLE_GROUP && !*text) {
		name = "same";
		text = group_text(t, row, column);
	} else if (flags & TABLE_RIGHT) {
		name = "n";
	} else if (!strcmp(text, "best")) {
		name = "best";
	}
	fprintf(out, *name ? "<td class=\"%s\">" : "<td>", name);
	put_escaped(out, text);
	fputs("</td>", out);
}

/* What does not fit can be scrolled, by keyboard, too. */
static void put_table(FILE *out, const struct table *t, const char *title)
{
	fprintf(out,
		"<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>\n",
		title);
	put_head(out, t);
	fputs("<tbody>\n", out);
	for (size_t row = 0; row < t->rows; row++) {
		fputs("<tr>", out);
		for (size_t i = 0; i < t->columns_nr; i++)
			put_cell(out, t, row, i);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void put_line(FILE *out, const char *text)
{
	fputs("<p>", out);
	put_escaped(out, text);
	fputs("</p>\n", out);
}

static void put_term(FILE *out, const char *term, const char *text)
{
	fprintf(out, "<p class=\"term\"><b>%s</b> ", term);
	put_escaped(out, text);
	fputs("</p>\n", out);
}

static void put_detail(FILE *out, const char *text)
{
	fputs("<p class=\"detail\">", out);
	put_escaped(out, text);
	fputs("</p>\n", out);
}

static void put_gap(FILE *out)
{
	fputc('\n', out);
}

static const struct page_style html_style = { .heading = put_heading,
					      .table = put_table,
					      .line = put_line,
					      .term = put_term,
					      .detail = put_detail,
					      .gap = put_gap };

/* Winners */

enum {
	WIN_WORKLOAD,
	WIN_BEST,
	WIN_VALUE,
	WIN_UNIT,
	WIN_LEAD,
	WIN_SECOND,
	WIN_QUICKEST,
	WIN_NR
};

static void add_winner(struct table *t, const struct report *r, const struct ranking *k,
		       unsigned int w)
{
	const struct curve *quickest = ranking_quickest(k, r->rules);
	const char *const *drives = r->curves->drive_names;
	double lead = ranking_lead(k);
	size_t row = table_row(t);

	table_set(t, row, WIN_WORKLOAD, text_safe(r->curves->workload_names[w]));
	table_set(t, row, WIN_BEST,
		  ranking_has_leader(k) ? text_safe(drives[k->list[0]->drive])
					: alloc_string("(level)"));
	table_set(t, row, WIN_VALUE,
		  show_metric(r->rules, k->metric, ranking_value(k, k->list[0]), false));
	table_set(t, row, WIN_UNIT, alloc_string(show_title(r->rules, k->metric)));
	table_set(t, row, WIN_LEAD,
		  isfinite(lead) ? alloc_printf("%+.1f%%", lead) : alloc_string(""));
	table_set(t, row, WIN_SECOND, text_safe(drives[k->list[1]->drive]));
	table_set(t, row, WIN_QUICKEST,
		  quickest ? text_safe(drives[quickest->drive]) : alloc_string(""));
}

static void put_winners(struct page *pg, const struct report *r)
{
	static const char *const names[WIN_NR] = { "WORKLOAD", "FIRST",	 "WITH",	  "UNIT",
						   "AHEAD BY", "SECOND", "LOWEST LATENCY" };
	struct table *t = table_new();
	unsigned int nr;

	for (size_t i = 0; i < WIN_NR; i++)
		table_column(t, names[i], 0, i == WIN_VALUE || i == WIN_LEAD ? TABLE_RIGHT : 0);
	for (size_t i = 0; i < r->curves->nr; i += nr) {
		const struct curve *first = &r->curves->list[i];
		struct ranking k;

		nr = r->curves->per_workload[first->workload];
		ranking_make(&k, first, nr);
		if (k.nr > 1)
			add_winner(t, r, &k, first->workload);
		ranking_free(&k);
	}
	if (!t->rows) {
		table_free(t);
		return;
	}
	page_heading(
		pg, "Winners",
		"by IOPS, or bandwidth where I/Os are large; the lowest latency is that of the "
		"%s at each drive's peak",
		shape_latency_name(r->rules));
	page_table(pg, t);
}

static void put_charts(FILE *out, const struct report *r)
{
	bool any = false;

	for (size_t i = 0; i < r->curves->nr; i++)
		any |= !!r->shapes[i].max;
	if (!any)
		return;
	put_heading(out, "Charts", "latency over IOPS, from the lowest load to the highest");
	for (unsigned int w = 0; w < r->curves->workloads; w++)
		html_chart(out, r, w);
}

static void put_title(FILE *out, const struct report *r)
{
	for (unsigned int d = 0; d < r->curves->drives; d++) {
		fputs(!d ? "" : d + 1 == r->curves->drives ? " and " : ", ", out);
		html_text(out, r->curves->drive_names[d]);
	}
}

void render_html(FILE *out, const struct report *r)
{
	struct page pg = { .out = out, .style = &html_style, .title = "" };

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n<title>fio-peak: ",
	      out);
	put_title(out, r);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", page_css);
	put_title(out, r);
	fputs("</h1>\n", out);
	put_winners(&pg, r);
	put_charts(out, r);
	sections(&html_style, out, r);
	section_method(&pg, r);
	fprintf(out, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", page_js);
}
