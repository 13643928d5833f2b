/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the plugin tells the user: one line each, once a run however many jobs have the same to say.
 */
#ifndef ENGINE_REPORT_H
#define ENGINE_REPORT_H

#include <stddef.h>

/* The longest line, with its end. */
enum {
	REPORT_LEN = 1024
};

/*
 * report_init - make the memory that all jobs of the run share; call in fio's parent.
 * Without it (no memory) every job speaks for itself.
 */
void report_init(void);

/* An error: to fio's log (stderr, the --output file, or the client), "nvmept: " put before. */
void report_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A remark that must not spoil fio's output: to stderr only, once a run. */
void report_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
