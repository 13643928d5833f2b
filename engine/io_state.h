/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the hot path share: a job's state. Not for anyone else; io.h is.
 */
#ifndef ENGINE_IO_STATE_H
#define ENGINE_IO_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/command.h"
#include "engine/fio_abi.h"
#include "engine/io.h"
#include "engine/placement.h"
#include "engine/target.h"
#include "engine/transport.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum {
	IO_STATUS_KINDS = 32
};

/* Per io_u, by its index: a cache line. The first 32 bytes are all that a plain I/O touches. */
struct io_state {
	struct nvme_uring_cmd *command; /* of the first slot */
	const void *file; /* that it is built for */
	struct io_u *io_u;
	uint32_t slot; /* the first one */
	uint32_t lba_mask; /* of file: bytes of a block - 1 */
	uint8_t lba_shift; /* of file */
	uint8_t opcode; /* of a split I/O */
	uint16_t dspec; /* of a placed write */
	uint32_t unfinished; /* parts that have not ended; 0 for an I/O in one command */
	uint32_t unissued; /* of these, not handed to the transport yet */
	int32_t worst; /* result so far */
	void *registered; /* buffer known to the kernel, or NULL */
	int64_t resent_ns; /* when this I/O was first sent again, CLOCK_MONOTONIC; 0: was not */
};

/* How often a job met one kind of error. */
struct io_failure {
	int32_t result;
	uint8_t opcode;
	uint64_t count;
};

struct io {
	/* The hot words. */
	struct transport *t;
	struct io_state *states;
	struct io_u **pending, **pending_end; /* queued since the last commit */
	uint32_t inflight, depth;
	uint32_t slot_shift; /* log2 of the slots an io_u has */
	uint32_t fast_ddir; /* FIO_READ or FIO_WRITE: the highest direction without questions */
	bool plain; /* every I/O takes one command, and none was sent again */
	bool places; /* writes may carry a placement identifier */
	uint8_t dtype; /* theirs: CDW12 DTYPE */
	struct completion *done; /* what the last reap returned: fio's events */
	uint64_t commands[COMMAND_OPCODES];
	/* The cold ones. */
	bool repushed; /* a command was sent again while reaping */
	bool pathless; /* waited for a path in vain: the other commands need not wait as well */
	uint64_t part_bytes; /* what one command carries at the most */
	uint64_t max_bytes;
	uint32_t max_parts;
	struct command_range *ranges; /* of deallocations, ranges_each for each io_u */
	uint32_t ranges_each;
	struct placement *placement; /* one for each target; NULL: none, or fio's own options */
	struct metering *metering; /* telemetry's; NULL: off */
	struct power *power; /* or NULL */
	struct target *targets;
	uint32_t nr_targets;
	uint32_t nr_registered;
	bool write, fixed_buffers, verbose;
	struct io_failure failures[IO_STATUS_KINDS];
	uint64_t other_failures;
	const char *job_name;
};

/* The target of the I/O that an io_u carries. */
static inline const struct target *io_target_of(const struct io_state *s)
{
	return FIO_FIELD(FIO_FIELD(s->io_u, io_u_file, void *), file_engine_data, struct target *);
}

/* Tell of a failed command, and count it. @result: as completion.result, not 0. */
void io_report_failure(struct io *io, const struct io_state *s, uint32_t slot, int32_t result);

/*
 * io_part_failed - what to do about a command that ended badly
 *
 * Return: false when it was sent again; true when it has failed: s->worst then says so, and parts
 * not sent yet are not going to be.
 */
bool io_part_failed(struct io *io, struct io_state *s, uint32_t slot, int32_t result);

/* Wait for what fio left in flight, say what failed. Return: the worst result. */
int32_t io_drain(struct io *io);

/* At the job's end: what was said once for many errors, and what nvme_verbose asks for. */
void io_report_totals(const struct io *io);

/* At the end of the last job on model drives: which latencies are this host's, not the drive's. */
void io_report_lateness(const struct io *io);

#endif
