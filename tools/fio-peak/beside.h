/* SPDX-License-Identifier: GPL-2.0-only */
/* What is installed with a program, or stands beside it in its sources. */
#ifndef PEAK_BESIDE_H
#define PEAK_BESIDE_H

/**
 * find_beside - the first of several places that can be read
 * @places: below the program's folder, or where they begin with "./" below the current one; ends
 *	with NULL
 *
 * Return: its whole path, the caller's to free, or NULL: there is none.
 */
char *find_beside(const char *const *places);

#endif
