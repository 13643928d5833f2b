/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said to the user: one line each, whatever is in the names. */
#ifndef CURVE_SAY_H
#define CURVE_SAY_H

/* say - one line on stderr, made safe to print, after the program's name. */
__attribute__((format(printf, 1, 2))) void say(const char *fmt, ...);

#endif
