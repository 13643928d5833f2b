/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the HTML page that only it has. */
#ifndef PEAK_HTML_H
#define PEAK_HTML_H

#include "render.h"

/* The page's style sheet and script, from page.css and page.js. */
extern const char page_css[], page_js[];

/* html_text - @s made safe and escaped, also for attributes. */
void html_text(FILE *out, const char *s);

/*
 * html_chart - latency over IOPS of a workload, a line for each drive, as SVG in a figure; nothing
 * where no drive has a curve.
 */
void html_chart(FILE *out, const struct report *r, unsigned int workload);

#endif
