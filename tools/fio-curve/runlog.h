/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * OUT/DRIVE/run.json: every point of the plan, its command line, how it stands and why. Kept on disk
 * after each change, so that a run that is cut short can be read, and goes on.
 */
#ifndef CURVE_RUNLOG_H
#define CURVE_RUNLOG_H

#include <jansson.h>

struct runlog {
	char *path;
	json_t *root;
};

/*
 * runlog_open - what an earlier run wrote stays, as far as nothing new is said of it.
 * Return: NULL, or what is wrong with an existing file, the caller's to free.
 */
char *runlog_open(const char *path, struct runlog *log);
void runlog_close(struct runlog *log);

/* runlog_point - the entry of "FAMILY/WORKLOAD/POINT", made where there is none; borrowed. */
json_t *runlog_point(struct runlog *log, const char *name);

/* runlog_save - Return: NULL, or why not, the caller's to free. */
char *runlog_save(const struct runlog *log);

/* runlog_now - the time as UTC in ISO 8601. @text: 24 bytes. */
const char *runlog_now(char text[24]);

#endif
