/* SPDX-License-Identifier: GPL-2.0-only */
/* Fields of CSV (RFC 4180), each with the comma behind it; safe to print. */
#ifndef PEAK_CSV_H
#define PEAK_CSV_H

#include <stdio.h>

/* csv_text - NULL is empty. */
void csv_text(FILE *out, const char *s);

/* csv_number - NAN is empty. */
void csv_number(FILE *out, double v);

/* csv_flags - the words for the flags of a point, with a space between them. */
void csv_flags(FILE *out, unsigned int flags);

#endif
