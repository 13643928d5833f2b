/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rendering: one function and one file per output. A renderer prints what it is given and decides
 * nothing but the form.
 */
#ifndef PEAK_RENDER_H
#define PEAK_RENDER_H

#include "compare.h"

#include <stdio.h>

/* render_table - for people: results, what is doubtful about them, the comparison. */
void render_table(FILE *out, const struct report *r);

/* render_markdown - the same in Markdown. */
void render_markdown(FILE *out, const struct report *r);

/* render_prose - sentences about who leads. */
void render_prose(FILE *out, const struct report *r);

/* render_html - one page that needs nothing else: winners, charts, tables, method. */
void render_html(FILE *out, const struct report *r);

/* render_csv - one row per point and direction, RFC 4180, empty where there is no value. */
void render_csv(FILE *out, const struct report *r);

/* render_summary - CSV with one row per drive and workload. */
void render_summary(FILE *out, const struct report *r);

/* render_json - one object: every point with the source of its numbers, and the comparison. */
void render_json(FILE *out, const struct report *r);

#endif
