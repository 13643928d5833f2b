/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text from elsewhere, made safe to print: names of files and jobs, and fio's own lines, may hold
 * anything. Nothing in them may move the cursor, change the order of letters or break a row.
 */
#ifndef PEAK_TEXT_H
#define PEAK_TEXT_H

#include <stdio.h>

/*
 * text_safe - a copy of @s, the caller's to free: control characters (C0, DEL, C1), characters that
 * turn the direction of writing, line separators, and bytes that are not UTF-8 are written \xNN.
 */
char *text_safe(const char *s);

/* text_put - print @s made safe. */
void text_put(FILE *out, const char *s);

/* text_say - one line on stderr, made safe, after the program's name. */
__attribute__((format(printf, 1, 2))) void text_say(const char *fmt, ...);

#endif
