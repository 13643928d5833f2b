/* SPDX-License-Identifier: GPL-2.0-only */
/* Small files, whole: read, write so that a reader never sees half of one. */
#ifndef CURVE_FILES_H
#define CURVE_FILES_H

#include <jansson.h>
#include <stdbool.h>

/* file_read - the text of a file, the caller's to free; NULL: it cannot be read. */
char *file_read(const char *path);

/*
 * file_write - make @path hold @text: a temporary file beside it, then a rename.
 * Return: NULL, or why not, the caller's to free.
 */
char *file_write(const char *path, const char *text);

/* file_write_json - the same with a JSON value, indented. */
char *file_write_json(const char *path, const json_t *json);

/* folder_make - with all above it. Return: NULL, or why not, the caller's to free. */
char *folder_make(const char *path);

#endif
