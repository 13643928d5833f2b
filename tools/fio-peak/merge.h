/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merging: figures of several job entries or directions -> figures of all of them. By count, and
 * for percentiles by histogram; never an average of averages.
 */
#ifndef PEAK_MERGE_H
#define PEAK_MERGE_H

#include "point.h"

/* figures_merge - the sum of @nr directions of job entries; with nr 1 fio's own figures. */
void figures_merge(struct figures *to, const struct io *const *from, unsigned int nr);

#endif
