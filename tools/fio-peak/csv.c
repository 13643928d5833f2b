// SPDX-License-Identifier: GPL-2.0-only
/* Quotes where they are needed; 12 digits, which is more than fio prints. */
#include "csv.h"
#include "alloc.h"
#include "point.h"
#include "text.h"

#include <math.h>

void csv_text(FILE *out, const char *s)
{
	char *safe = text_safe(s ? s : "");
	bool quote = strpbrk(safe, ",\"");

	if (quote)
		fputc('"', out);
	for (const char *c = safe; *c; c++) {
		if (*c == '"')
			fputc('"', out);
		fputc(*c, out);
	}
	fputs(quote ? "\"," : ",", out);
	free(safe);
}

void csv_number(FILE *out, double v)
{
	if (isnan(v))
		fputc(',', out);
	else
		fprintf(out, "%.12g,", v);
}

void csv_flags(FILE *out, unsigned int flags)
{
	const char *gap = "";

	for (int i = 0; i < FLAG_TEXTS; i++) {
		if (!(flags & flag_texts[i].flag))
			continue;
		fprintf(out, "%s%s", gap, flag_texts[i].name);
		gap = " ";
	}
	fputc(',', out);
}
