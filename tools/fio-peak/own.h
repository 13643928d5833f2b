/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Our own JSON (render_json.c, fio-peak(1)) -> the points it was made of, with all figures; curves
 * and comparisons are made again. Published figures are such files, too.
 */
#ifndef PEAK_OWN_H
#define PEAK_OWN_H

#include "fold.h"

/* The schema that we write, and the latest that we read. */
#define OWN_SCHEMA 1

/*
 * own_fold - append the points of @doc, which is our own.
 * Return: NULL, or why there are none or not all (the caller's to free).
 */
char *own_fold(struct folded *f, const struct origin *origin, const struct document *doc);

/*
 * own_drop_repeated - of the points from @first on forget those of our own JSON whose runs are there
 * as fio wrote them. Return: how many.
 */
size_t own_drop_repeated(struct folded *f, size_t first);

#endif
