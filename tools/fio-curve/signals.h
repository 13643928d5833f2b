/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals as events: while a plan runs they are read, never delivered, so nothing is cut off in the
 * middle. Also takes in the orphans of a fio that was killed.
 */
#ifndef CURVE_SIGNALS_H
#define CURVE_SIGNALS_H

#include <stdbool.h>

/*
 * signals_open - from now on SIGINT, SIGTERM, SIGHUP and SIGCHLD come through the descriptor that is
 * returned; it is non-blocking. -1: errno says why.
 */
int signals_open(void);
void signals_close(int fd);

/* signals_next - one that has come, 0: none. */
int signals_next(int fd);

/* signals_restore - in a child, before exec: as they were. */
void signals_restore(void);

#endif
