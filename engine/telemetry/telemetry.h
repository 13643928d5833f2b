/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The drive's counters at both edges of a run and during it, and the sidecar file that tells of them
 * (nvme_telemetry=): who asks for what when. The counters are snapshot.h's, the file sidecar.h's.
 */
#ifndef ENGINE_TELEMETRY_TELEMETRY_H
#define ENGINE_TELEMETRY_TELEMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/target.h"

struct io;
struct metering;
struct placement_wishes;
struct telemetry;

/* What a job asks for: its options. */
struct telemetry_wishes {
	const char *file; /* nvme_telemetry= */
	const char *interval; /* nvme_telemetry_interval= */
	const char *settle; /* nvme_telemetry_settle= */
};

/* Make what all processes of the run share; call in fio's parent, before the jobs. */
void telemetry_init(void);

/*
 * telemetry_register - a job is going to use a target
 * @t: open
 * @number: fio's number of the job, from 1
 * @why: TARGET_WHY_LEN bytes; on failure one line
 *
 * Call it in fio's parent, for each target of each job. Does nothing without nvme_telemetry=.
 * Return: 0 or -errno.
 */
int telemetry_register(const struct telemetry_wishes *w, const struct target *t, uint32_t number,
		       const char *job_name, char *why);

/*
 * telemetry_begin - the job is about to begin
 * @targets: open; stay the caller's
 *
 * In the job's thread, before it sends a command. The first job of those that run together has the
 * drive's counters read. Return: the job's telemetry, which telemetry_close ends; NULL: none was asked
 * for, or no memory (a note says so).
 */
struct telemetry *telemetry_begin(uint32_t number, const struct target *targets, uint32_t nr);

/* What the job's I/O counts in; NULL for NULL. The telemetry's. */
struct metering *telemetry_metering(struct telemetry *t);

/* Whose metering that is; NULL for NULL. */
struct telemetry *telemetry_of(const struct metering *m);

/* Which identifiers the job's writes get; @fio_places: fio's own options say. */
void telemetry_placed(struct telemetry *t, const struct placement_wishes *w, const struct io *io,
		      bool fio_places);

/*
 * telemetry_end - the job has done its last I/O
 * @error: errno that fio has for the job, or 0
 *
 * The last job of those that run together has the counters read, and waits for what
 * nvme_telemetry_settle= asks for. NULL: nothing.
 */
void telemetry_end(struct telemetry *t, int error);

/* Write the sidecars that are due, free all. NULL: nothing. */
void telemetry_close(struct telemetry *t);

/* A job ended before telemetry_begin. */
void telemetry_refused(uint32_t number);

#endif
