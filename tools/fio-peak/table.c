// SPDX-License-Identifier: GPL-2.0-only
/* One array of cells, row by row. */
#include "table.h"
#include "alloc.h"
#include "text.h"

#include <math.h>

struct table *table_new(void)
{
	return alloc_zero(1, sizeof(struct table));
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->columns_nr; i++)
		free(t->columns[i].name);
	for (size_t i = 0; i < t->rows * t->columns_nr; i++)
		free(t->cells[i]);
	free(t->columns);
	free(t->cells);
	free(t);
}

void table_column(struct table *t, const char *name, double share, int flags)
{
	t->columns = alloc_grow(t->columns, t->columns_nr, &t->columns_cap, sizeof(*t->columns));
	t->columns[t->columns_nr++] =
		(struct column){ .name = text_safe(name), .share = share, .flags = flags };
}

size_t table_row(struct table *t)
{
	size_t first = t->rows * t->columns_nr;

	for (size_t i = 0; i < t->columns_nr; i++) {
		t->cells = alloc_grow(t->cells, first + i, &t->cap, sizeof(*t->cells));
		t->cells[first + i] = NULL;
	}
	return t->rows++;
}

void table_set(struct table *t, size_t row, size_t column, char *owned)
{
	char **cell = &t->cells[row * t->columns_nr + column];

	free(*cell);
	*cell = owned;
}

const char *table_get(const struct table *t, size_t row, size_t column)
{
	const char *text = t->cells[row * t->columns_nr + column];

	return text ? text : "";
}

char *number_text(double v, bool bound)
{
	char digits[400], *out, *to;
	size_t whole;

	if (isnan(v))
		return alloc_string("n/a");
	snprintf(digits, sizeof(digits), "%.*f", v < 9.995 ? 2 : v < 999.95 ? 1 : 0, v);
	whole = strcspn(digits, ".");
	out = to = alloc_zero(2, sizeof(digits));
	if (bound)
		to = stpcpy(to, "<=");
	for (size_t i = 0; digits[i]; i++) {
		if (i && i < whole && (whole - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	return out;
}
