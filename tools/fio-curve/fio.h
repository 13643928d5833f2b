/* SPDX-License-Identifier: GPL-2.0-only */
/* fio as a child: its command line, its run, its end. Knows no plan. */
#ifndef CURVE_FIO_H
#define CURVE_FIO_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/fio-curve/hosts.h"

/* A command line, NULL at its end. */
struct command {
	char **arg;
	size_t nr, cap;
};

/*
 * fio_command - fio on one job file.
 * @readonly: fio refuses whatever would write. @hosts: empty: here.
 */
void fio_command(struct command *c, const char *fio, const char *job, const char *output,
		 bool readonly, const struct hosts *hosts);
void command_free(struct command *c);

/* command_text - as a shell would take it; the caller's to free. */
char *command_text(const struct command *c);

/**
 * struct fio_watch - what a run tells while it lasts.
 * @signals: of signals_open().
 * @tick: called about every second, with the IOPS that fio says it does now; -1: it does not say.
 * @stopping: called when a signal has been passed on to fio.
 */
struct fio_watch {
	int signals;
	void (*tick)(void *ctx, double iops);
	void (*stopping)(void *ctx);
	void *ctx;
};

/**
 * struct fio_end - how it ended.
 * @status: exit status; -1: could not be started, or killed by @killed.
 * @signal: that stopped us; 0: none.
 * @said: the first line that fio wrote to stderr, or why it could not be started; "" none.
 */
struct fio_end {
	int status, killed, signal;
	char said[256];
};

/*
 * fio_run - run it to its end. A first SIGINT, SIGTERM or SIGHUP goes on to fio, which ends cleanly;
 * a second kills it and all its jobs.
 */
void fio_run(const struct command *c, const struct fio_watch *w, struct fio_end *end);

/* fio_version - "fio-3.33", the caller's to free; NULL: it cannot be run. */
char *fio_version(const char *fio);

/* fio_engine_has - does the external engine in the file @plugin have an option of that name? */
bool fio_engine_has(const char *fio, const char *plugin, const char *option);

/*
 * fio_refuses - has the text of a job file an option that fio does not know, or not with that value?
 * Nothing is run. Return: NULL, or fio's words in a line, the caller's to free.
 */
char *fio_refuses(const char *fio, const char *job);

/* fio_eta_iops - from one of fio's status lines; -1: there are none in it. */
double fio_eta_iops(const char *line);

#endif
