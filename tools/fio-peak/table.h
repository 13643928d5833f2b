/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables: names of columns, rows of text. How they are printed is for a page's style. */
#ifndef PEAK_TABLE_H
#define PEAK_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* A column's flags. */
#define TABLE_RIGHT 1 /* numbers */
#define TABLE_CUT 2 /* may be cut where there is no room for it */
#define TABLE_GROUP 4 /* empty is as above */

/* @share: of the room, 0.2 is a fifth; 0: what it needs. */
struct column {
	char *name;
	double share;
	int flags;
};

/* @cells: row by row, NULL is empty. Text is safe to print (text.h). */
struct table {
	struct column *columns;
	size_t columns_nr, columns_cap;
	char **cells;
	size_t rows, cap;
};

/* table_new - an empty table, to be freed with table_free(). */
struct table *table_new(void);
void table_free(struct table *t);

/* table_column - add one; before the first row. */
void table_column(struct table *t, const char *name, double share, int flags);

/* table_row - begin another one. Return: its number. */
size_t table_row(struct table *t);

/* table_set - @owned becomes the table's. */
void table_set(struct table *t, size_t row, size_t column, char *owned);

/* table_get - a cell's text, "" when it is empty. */
const char *table_get(const struct table *t, size_t row, size_t column);

/*
 * number_text - thousands separators and as many digits as matter: "252,452", "720.2", "4.06",
 * "n/a"; @bound puts "<=" before it. The caller's to free.
 */
char *number_text(double v, bool bound);

#endif
