/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a job counts of its own I/O on one device while telemetry is on: bytes, commands in flight,
 * bytes of each placement identifier. A part of the hot path; without telemetry it costs nothing
 * but one test a commit.
 */
#ifndef ENGINE_TELEMETRY_METER_H
#define ENGINE_TELEMETRY_METER_H

#include <stdbool.h>
#include <stdint.h>

struct completion;
struct io;
struct io_state;
struct thread_data;

enum {
	METER_DIRECTIONS = 3, /* FIO_READ, FIO_WRITE, FIO_TRIM */
	METER_IDENTIFIERS = 128,
	METER_NO_IDENTIFIER = METER_IDENTIFIERS, /* the place of plain writes */
	METER_OTHER, /* identifiers that Reclaim Unit Handle Status does not list */
	METER_STREAMS,
	METER_STATUSES = 24, /* kinds of failure that are told apart */
};

/* How often commands of one kind ended with one result (completion.result). */
struct meter_status {
	int32_t result;
	uint32_t opcode;
	uint64_t count;
};

/* In memory that all processes of the run see. The job's thread alone writes; others may look. */
struct meter {
	uint64_t issued[METER_DIRECTIONS]; /* bytes that went out */
	uint64_t completed[METER_DIRECTIONS]; /* bytes of I/Os that ended well, as fio was told */
	uint64_t issued_ios[METER_DIRECTIONS];
	uint64_t completed_ios[METER_DIRECTIONS];
	uint64_t area; /* sum of (I/Os in flight x ticks) */
	uint64_t first, last; /* ticks: of the first I/O, of the last change */
	uint32_t inflight;
	uint32_t ramp_over; /* fio's ramp time has ended: these hold then */
	uint64_t discarded[METER_DIRECTIONS]; /* completed bytes that fio does not count */
	uint64_t area_at_ramp, ramp_end; /* area and ticks then */
	uint32_t fio_known; /* fio's own counters were found: it counts completed - discarded */
	uint64_t placed[METER_STREAMS]; /* bytes of writes, ramp time included */
	uint64_t syncs; /* that ended well */
	struct meter_status failed[METER_STATUSES];
	uint64_t failed_otherwise; /* beyond these kinds */
};

/* What an io has for it. */
struct metering {
	struct meter **meter; /* one a target */
	const uint8_t *
		*stream; /* one a target: of each of the 65536 identifiers its place in placed */
	struct meter **own; /* those of meter, each once: a target may be named twice */
	uint32_t nr_own;
	const uint64_t *fio_bytes; /* td's own counters, or NULL: not found (yet) */
	uint32_t looks; /* how often they were looked for */
	uint32_t *offset; /* where they are in struct thread_data; 0: no job has found them yet */
	void (*ramp_ended)(void *arg); /* called once */
	void *arg;
};

/* All that is pending in @io is being submitted. */
void meter_issued(struct io *io);

/* @n events go to fio. */
void meter_completed(struct io *io, const struct completion *done, uint32_t n);

/* A command failed. */
void meter_failed(struct io *io, const struct io_state *s, uint8_t opcode, int32_t result);

/* A sync ended that went past commit and reap. */
void meter_flushed(struct io *io, const struct io_state *s);

/*
 * meter_watch_fio - has fio's ramp time ended?
 *
 * Call it when fio has taken in all that it was given, before more is counted.
 */
void meter_watch_fio(struct io *io, struct thread_data *td);

/* The job is over: are fio's counters what they were taken for? */
void meter_check_fio(struct io *io);

/* Bytes that fio counts; only where m->fio_known. */
static inline uint64_t meter_fio(const struct meter *m, int direction)
{
	return m->completed[direction] - m->discarded[direction];
}

/* A clock that only ratios are made of: cheap, monotonic, the same on all processors. */
#if defined(__x86_64__)
static inline uint64_t meter_ticks(void)
{
	return __builtin_ia32_rdtsc();
}
#else
#include <time.h>

static inline uint64_t meter_ticks(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}
#endif

#endif
