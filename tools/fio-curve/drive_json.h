/* SPDX-License-Identifier: GPL-2.0-only */
/* OUT/DRIVE/drive.json: whose results these are. */
#ifndef CURVE_DRIVE_JSON_H
#define CURVE_DRIVE_JSON_H

#include "tools/fio-curve/settings.h"
#include "tools/fio-curve/target.h"

/*
 * drive_check - do results that lie at @path belong to another drive? A drive is known by model,
 * serial and size; a file or a folder, and what is on other hosts, by its name.
 * Return: NULL, or whose they are, the caller's to free. No file there is fine.
 */
char *drive_check(const char *path, const struct target *t);

/*
 * drive_write - unless it is there. Says so where fio or the kernel are not those of the first run.
 * @fio: its version. Return: NULL, or why not, the caller's to free.
 */
char *drive_write(const char *path, const struct settings *s, const struct target *t,
		  const char *fio);

#endif
