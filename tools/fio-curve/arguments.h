/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line. Ends the program with status 2 on a mistake. */
#ifndef CURVE_ARGUMENTS_H
#define CURVE_ARGUMENTS_H

#include "tools/fio-curve/settings.h"

/**
 * struct arguments - @drives: of --drive, as given; @names: the workloads. They point into argv.
 */
struct arguments {
	struct settings settings;
	const char **drives, **names;
	size_t nr_drives, cap_drives, nr_names, cap_names;
	bool restore; /* nothing but that */
};

void arguments_parse(int argc, char **argv, struct arguments *out);
void arguments_free(struct arguments *a);

#endif
