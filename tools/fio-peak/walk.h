/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walking: an argument -> the files to read, read and folded. Says what could not be read and
 * why; exit statuses are main.c's.
 */
#ifndef PEAK_WALK_H
#define PEAK_WALK_H

#include "label.h"

/**
 * struct walked - what came of it.
 * @tell: see walk_input().
 * @files: files that gave points. @left_out: what could not be read, or not to its end, told on stderr,
 * a line each. @skipped: files of a folder that held no fio result (the
 * folder's own drive.json, run.json and *.nvme.json do not count). @first: one of those.
 */
struct walked {
	unsigned int files, left_out, skipped;
	bool tell;
	char *first;
};

/**
 * walk_input - read everything that @in names and append it to @f.
 * @nr: which argument it is.
 * @tell: say on stderr of each file of a folder why it gave nothing.
 * Return: NULL, or one line that says why there is nothing (the caller's to free).
 */
char *walk_input(struct folded *f, const struct input *in, unsigned int nr, bool tell,
		 struct walked *w);

#endif
