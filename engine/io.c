// SPDX-License-Identifier: GPL-2.0-only
// The hot path: io_us become commands in the slots that belong to them, completions become events.
// An I/O above what one command can carry takes several and ends once, with the worst result.
#include "engine/io.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "engine/command.h"
#include "engine/report.h"
#include "engine/status.h"
#include "engine/transport.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum {
	REPORTS_PER_STATUS = 10, /* lines per kind of error and job; the rest is counted */
	STATUS_KINDS = 32,
	PATH_WAIT_MS = 5000, /* how long a reset may take before its commands fail */
	PATH_POLL_MS = 20,
};

#define SECOND_NS 1000000000LL
#define BUSY_WAIT_NS (30 * SECOND_NS)

/* Per io_u, by its index: a cache line. The first 32 bytes are all that a plain I/O touches. */
struct io_state {
	struct nvme_uring_cmd *command; /* of the first slot */
	const void *file; /* that it is built for */
	struct io_u *io_u;
	uint32_t slot; /* the first one */
	uint32_t lba_mask; /* of file: bytes of a block - 1 */
	uint8_t lba_shift; /* of file */
	uint8_t opcode; /* of a split I/O */
	uint32_t unfinished; /* parts that have not ended; 0 for an I/O in one command */
	uint32_t unissued; /* of these, not handed to the transport yet */
	int32_t worst; /* result so far */
	void *registered; /* buffer known to the kernel, or NULL */
	int64_t retried_ns; /* when a command was last sent again, CLOCK_MONOTONIC */
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
	bool plain; /* every I/O takes one command */
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
	struct target *targets;
	uint32_t nr_targets;
	uint32_t nr_registered;
	bool write, fixed_buffers, verbose;
	struct io_failure failures[STATUS_KINDS];
	uint64_t other_failures;
	const char *job_name;
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * SECOND_NS + ts.tv_nsec;
}

/* The target of the I/O that an io_u carries. */
static const struct target *target_of(const struct io_state *s)
{
	return FIO_FIELD(FIO_FIELD(s->io_u, io_u_file, void *), file_engine_data, struct target *);
}

/* --- telling of failures ------------------------------------------------------------------- */

static void count_failure(struct io *io, uint8_t opcode, int32_t result, bool *say)
{
	*say = false;
	for (int i = 0; i < STATUS_KINDS; i++) {
		struct io_failure *f = &io->failures[i];

		if (f->count && (f->result != result || f->opcode != opcode))
			continue;
		f->result = result;
		f->opcode = opcode;
		*say = ++f->count <= REPORTS_PER_STATUS;
		return;
	}
	io->other_failures++;
}

/* One line for a failed command; one in all where the drive is gone, which fails every command. */
static void report_failure(struct io *io, const struct io_state *s, uint32_t slot, int32_t result)
{
	const struct nvme_uring_cmd *c = transport_command(io->t, slot);
	char text[192], where[96] = "";
	const char *advice = status_advice(result);
	bool say;

	count_failure(io, c->opcode, result, &say);
	if (result == -ENODEV) {
		report_error("%s: the drive is gone: it was removed, or no path to it is live "
			     "(/sys/class/nvme/*/state); the job ends",
			     target_of(s)->name);
		return;
	}
	if (!say)
		return;
	if (c->opcode != COMMAND_FLUSH)
		snprintf(where, sizeof(where), " of %" PRIu64 " blocks at LBA %" PRIu64,
			 command_blocks(c), command_slba(c));
	status_describe(result, text, sizeof(text));
	report_error("%s: %s%s failed: %s%s%s", target_of(s)->name, command_name(c->opcode), where,
		     text, *advice ? "; " : "", advice);
}

/* --- building commands -------------------------------------------------------------------- */

/* The registered buffer that holds exactly this part of the io_u's data, or none. */
static int buffer_of(const struct io *io, const struct io_state *s, uint32_t index,
		     const void *data, uint64_t bytes)
{
	uint64_t at, part, whole;

	if (!s->registered)
		return TRANSPORT_NO_BUFFER;
	at = (const char *)data - (const char *)s->registered;
	part = at / io->part_bytes;
	if (at % io->part_bytes || part >= io->max_parts)
		return TRANSPORT_NO_BUFFER;
	whole = io->max_bytes - at < io->part_bytes ? io->max_bytes - at : io->part_bytes;
	if (bytes > whole || (bytes < whole && !io->t->partial_buffers))
		return TRANSPORT_NO_BUFFER;
	return index * io->max_parts + part;
}

/* Make @slot carry @bytes at @data to or from @target; opcode and address come later. */
static void build_rw(struct io *io, struct io_state *s, uint32_t slot, const struct target *target,
		     void *data, uint64_t bytes)
{
	uint32_t index = s - io->states;

	io->t->ops->aim(io->t, slot, target->index, buffer_of(io, s, index, data, bytes));
	command_build_rw(transport_command(io->t, slot), target->nsid, data, bytes,
			 target->lba_shift);
}

static void push(struct io *io, uint32_t slot, uint8_t opcode)
{
	io->commands[opcode]++;
	transport_push(io->t, slot);
}

static void note_pending(struct io *io, struct io_u *io_u)
{
	*io->pending_end++ = io_u;
}

static enum fio_q_status fail_now(struct io_u *io_u, int err)
{
	FIO_FIELD(io_u, io_u_error, unsigned) = err;
	return FIO_Q_COMPLETED;
}

/* Hand out the next part of a split I/O in @slot. */
static void issue_part(struct io *io, struct io_state *s, uint32_t slot, uint32_t part)
{
	const struct target *target = target_of(s);
	uint64_t at = part * io->part_bytes;
	uint64_t offset = FIO_FIELD(s->io_u, io_u_offset, uint64_t) + at;
	uint64_t left = FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t) - at;
	char *data = FIO_FIELD(s->io_u, io_u_xfer_buf, char *) + at;

	build_rw(io, s, slot, target, data, left < io->part_bytes ? left : io->part_bytes);
	command_aim_rw(transport_command(io->t, slot), s->opcode, offset >> target->lba_shift);
	push(io, slot, s->opcode);
}

static enum fio_q_status queue_split(struct io *io, struct io_state *s, uint8_t opcode)
{
	uint64_t bytes = FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t);
	uint32_t parts = (bytes + io->part_bytes - 1) / io->part_bytes;
	uint32_t slots = 1U << io->slot_shift;
	uint32_t first = parts < slots ? parts : slots;

	s->file = NULL; /* the slot holds a part */
	s->opcode = opcode;
	s->worst = 0;
	s->unfinished = parts;
	s->unissued = parts - first;
	for (uint32_t part = 0; part < first; part++)
		issue_part(io, s, s->slot + part, part);
	note_pending(io, s->io_u);
	return FIO_Q_QUEUED;
}

static enum fio_q_status refuse_size(struct io *io, struct io_u *io_u, const struct target *target)
{
	report_error("%s: an I/O of %" PRIu64 " bytes at byte %" PRIu64 " is not made of whole "
		     "blocks; bs=, offset= and bs_unaligned must suit blocks of %u bytes",
		     target->name, FIO_FIELD(io_u, io_u_xfer_buflen, uint64_t),
		     FIO_FIELD(io_u, io_u_offset, uint64_t), 1U << target->lba_shift);
	return fail_now(io_u, EINVAL);
}

/* fio's own form of a trim's ranges (num_range= above 1, fio 3.37 and newer): in the io_u's buffer. */
struct trim_range {
	unsigned long long start, length; /* bytes */
};

static bool set_range(struct command_range *range, const struct target *target, uint64_t offset,
		      uint64_t bytes)
{
	uint64_t blocks = bytes >> target->lba_shift;

	if (blocks > UINT32_MAX) {
		report_error("%s: a deallocation of %" PRIu64 " blocks: one range holds %u; use a "
			     "smaller bs=",
			     target->name, blocks, UINT32_MAX);
		return false;
	}
	command_set_range(range, offset >> target->lba_shift, blocks);
	return true;
}

/* Return: how many ranges stand in , 0 after a message. */
static uint32_t fill_ranges(const struct target *target, struct io_u *io_u,
			    struct command_range *ranges)
{
	const struct trim_range *r = FIO_FIELD(io_u, io_u_xfer_buf, struct trim_range *);
	uint32_t nr = 0;

	if (fio_abi.io_u_number_trim)
		nr = FIO_FIELD(io_u, io_u_number_trim, uint32_t);
	if (!nr)
		return set_range(ranges, target, FIO_FIELD(io_u, io_u_offset, uint64_t),
				 FIO_FIELD(io_u, io_u_xfer_buflen, uint64_t));
	if (nr > COMMAND_DSM_MAX_RANGES) {
		report_error("%s: num_range=%u: a deallocation has at most %u ranges", target->name,
			     nr, COMMAND_DSM_MAX_RANGES);
		return 0;
	}
	for (uint32_t i = 0; i < nr; i++)
		if (!set_range(&ranges[i], target, r[i].start, r[i].length))
			return 0;
	return nr;
}

static enum fio_q_status queue_deallocate(struct io *io, struct io_state *s)
{
	const struct target *target = target_of(s);
	struct command_range *ranges = &io->ranges[(size_t)(s - io->states) * io->ranges_each];
	uint32_t nr = fill_ranges(target, s->io_u, ranges);

	if (!nr)
		return fail_now(s->io_u, EINVAL);
	s->file = NULL;
	io->t->ops->aim(io->t, s->slot, target->index, TRANSPORT_NO_BUFFER);
	command_build_deallocate(s->command, target->nsid, ranges, nr);
	push(io, s->slot, COMMAND_DSM);
	note_pending(io, s->io_u);
	return FIO_Q_QUEUED;
}

/* Where a command without data must not be queued: send it and wait. */
static enum fio_q_status flush_now(struct io *io, struct io_state *s)
{
	uint32_t slot = (uint32_t)(s - io->states) << io->slot_shift;
	struct nvme_uring_cmd *c = transport_command(io->t, slot);
	int result;

	fio_gettime(&FIO_FIELD(s->io_u, io_u_issue_time, struct timespec), NULL);
	command_build_flush(c, target_of(s)->nsid);
	io->commands[COMMAND_FLUSH]++;
	result = io->t->ops->run(io->t, target_of(s)->index, c);
	if (!result)
		return FIO_Q_COMPLETED;
	report_failure(io, s, slot, result);
	return fail_now(s->io_u, status_errno(result));
}

static enum fio_q_status queue_flush(struct io *io, struct io_state *s)
{
	uint32_t slot = s->slot;

	s->file = NULL;
	if (!io->t->keeps_dataless)
		return flush_now(io, s);
	io->t->ops->aim(io->t, slot, target_of(s)->index, TRANSPORT_NO_BUFFER);
	command_build_flush(transport_command(io->t, slot), target_of(s)->nsid);
	push(io, slot, COMMAND_FLUSH);
	note_pending(io, s->io_u);
	return FIO_Q_QUEUED;
}

static bool whole_blocks(const struct target *target, struct io_u *io_u)
{
	uint64_t mask = (1ULL << target->lba_shift) - 1;
	uint64_t bytes = FIO_FIELD(io_u, io_u_xfer_buflen, uint64_t);

	return bytes && !((bytes | FIO_FIELD(io_u, io_u_offset, uint64_t)) & mask);
}

/* Queue the command that stands in the first slot. */
static inline enum fio_q_status queue_built(struct io *io, struct io_state *s, struct io_u *io_u,
					    uint8_t opcode, uint64_t slba)
{
	command_aim_rw(s->command, opcode, slba);
	push(io, s->slot, opcode);
	note_pending(io, io_u);
	return FIO_Q_QUEUED;
}

/* The slot's command is for another buffer, length or target, or a part: build it anew. */
static enum fio_q_status queue_rebuilt(struct io *io, struct io_state *s, uint8_t opcode)
{
	const struct target *target = target_of(s);

	build_rw(io, s, s->slot, target, FIO_FIELD(s->io_u, io_u_xfer_buf, void *),
		 FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t));
	s->file = FIO_FIELD(s->io_u, io_u_file, void *);
	s->lba_shift = target->lba_shift;
	s->lba_mask = (1U << target->lba_shift) - 1;
	return queue_built(io, s, s->io_u, opcode,
			   FIO_FIELD(s->io_u, io_u_offset, uint64_t) >> target->lba_shift);
}

/* All but a read, or a write of a job that may write, like the slot's last one. */
static __attribute__((noinline)) enum fio_q_status queue_other(struct io *io, struct io_state *s,
							       uint32_t ddir)
{
	const struct target *target = target_of(s);
	uint8_t opcode = ddir == FIO_READ ? COMMAND_READ : COMMAND_WRITE;

	if (ddir >= FIO_SYNC)
		return queue_flush(io, s);
	if (ddir != FIO_READ && !io->write) {
		/* init looked at the job's rw=: this guards against what it could not foresee. */
		report_error("%s: a %s from a job that was opened for reading; refused",
			     target->name, ddir == FIO_TRIM ? "trim" : "write");
		return fail_now(s->io_u, EROFS);
	}
	if (!whole_blocks(target, s->io_u))
		return refuse_size(io, s->io_u, target);
	if (ddir == FIO_TRIM)
		return queue_deallocate(io, s);
	if (FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t) > io->part_bytes)
		return queue_split(io, s, opcode);
	return queue_rebuilt(io, s, opcode);
}

/*
 * The plain case costs: six loads from the io_u, three compares with what the slot holds, the
 * opcode, the address, and the push. It calls nothing, so that it saves no registers.
 */
enum fio_q_status io_queue(struct io *io, struct io_u *io_u)
{
	struct io_state *s = &io->states[FIO_FIELD(io_u, io_u_index, uint32_t)];
	uint32_t ddir = FIO_FIELD(io_u, io_u_ddir, uint32_t);
	uint64_t offset = FIO_FIELD(io_u, io_u_offset, uint64_t);
	const struct nvme_uring_cmd *c = s->command;

	if (unlikely(ddir > io->fast_ddir || s->file != FIO_FIELD(io_u, io_u_file, void *) ||
		     c->addr != (uintptr_t)FIO_FIELD(io_u, io_u_xfer_buf, void *) ||
		     c->data_len != FIO_FIELD(io_u, io_u_xfer_buflen, uint64_t) ||
		     offset & s->lba_mask))
		return queue_other(io, s, ddir);
	return queue_built(io, s, io_u, COMMAND_READ - ddir /* Write 01h */,
			   offset >> s->lba_shift);
}

/* --- submitting --------------------------------------------------------------------------- */

/* fio's accounting of what was queued: the issue time is one for all of a commit. */
static void account_pending(struct io *io, struct thread_data *td)
{
	struct io_u **end = io->pending_end;
	uint32_t nr = end - io->pending;
	size_t at = fio_abi.io_u_issue_time; /* the compiler cannot know that it stays */
	struct timespec now;

	fio_gettime(&now, NULL);
	for (struct io_u **p = io->pending; p < end; p++) {
		*(struct timespec *)((char *)*p + at) = now;
		io_u_queued(td, *p);
	}
	/* fio uses it when it replays a log. */
	if (fio_abi.td_last_issue)
		FIO_FIELD(td, td_last_issue, struct timespec) = now;
	io_u_mark_submit(td, nr);
	io->inflight += nr;
	io->pending_end = io->pending;
}

/*
 * With all io_us in flight fio can do nothing but wait, and calls getevents at once: leave the
 * submission to it, so that one system call does both. Each I/O is still submitted on its own.
 */
int io_commit(struct io *io, struct thread_data *td)
{
	if (io->pending_end != io->pending)
		account_pending(io, td);
	if (io->inflight == io->depth)
		return 0;
	return io->t->ops->commit(io->t);
}

/* --- completing --------------------------------------------------------------------------- */

/* Wait while a reset may end. Return: >0 paths are live, 0 none came back, -ENODEV gone. */
static int wait_for_path(const struct target *target)
{
	const struct timespec pause = { .tv_nsec = PATH_POLL_MS * 1000000L };
	int live = target_live_paths(target);

	for (int ms = 0; !live && ms < PATH_WAIT_MS; ms += PATH_POLL_MS) {
		nanosleep(&pause, NULL);
		live = target_live_paths(target);
	}
	return live;
}

static void send_again(struct io *io, uint32_t slot)
{
	transport_push(io->t, slot);
	io->repushed = true;
}

/*
 * A multipath namespace answers -EINVAL while no path is live, just as for a wrong argument. Send
 * such a command again when a path is there; what fails on a live path twice within a second is to
 * blame.
 * Return: the result to go on with, or 0 when the command is on its way again.
 */
static int retry_without_path(struct io *io, struct io_state *s, uint32_t slot)
{
	int64_t now = now_ns();
	int live;

	if (now - s->retried_ns < SECOND_NS && target_live_paths(target_of(s)) > 0)
		return -EINVAL;
	live = io->pathless ? target_live_paths(target_of(s)) : wait_for_path(target_of(s));
	io->pathless = live <= 0;
	if (io->pathless)
		return -ENODEV;
	s->retried_ns = now_ns();
	send_again(io, slot);
	return 0;
}

/* The kernel was short of something (tags, memory). Return: true when the command was sent again. */
static bool retry_busy(struct io *io, struct io_state *s, uint32_t slot)
{
	int64_t now = now_ns();

	if (now - s->retried_ns > 2 * BUSY_WAIT_NS)
		s->retried_ns = now;
	if (now - s->retried_ns > BUSY_WAIT_NS)
		return false;
	send_again(io, slot);
	return true;
}

/* Could it be that the drive is no more? SCT 3h is path related. */
static bool smells_of_removal(int32_t result)
{
	return result < 0 || STATUS_SCT(result) == 3;
}

/* A command ended badly. Return: false when it was sent again. */
static bool part_failed(struct io *io, struct io_state *s, uint32_t slot, int32_t result)
{
	if (result == -EAGAIN && retry_busy(io, s, slot))
		return false;
	if (result == -EINVAL) {
		result = retry_without_path(io, s, slot);
		if (!result)
			return false;
	}
	/* Whatever the kernel calls it: ENODEV ends the job, also under continue_on_error. */
	if (smells_of_removal(result) && target_live_paths(target_of(s)) == -ENODEV)
		result = -ENODEV;
	report_failure(io, s, slot, result);
	s->worst = status_worse(s->worst, result);
	/* The rest of a split I/O that has failed is not sent. */
	s->unfinished -= s->unissued;
	s->unissued = 0;
	return true;
}

/*
 * A command that failed or is one of several. Return: true when the whole I/O has ended.
 */
static __attribute__((noinline)) bool complete_part(struct io *io, struct io_state *s,
						    uint32_t slot, int32_t result)
{
	if (result && !part_failed(io, s, slot, result))
		return false;
	if (s->unfinished <= 1) {
		if (s->worst)
			FIO_FIELD(s->io_u, io_u_error, unsigned) = status_errno(s->worst);
		s->worst = 0;
		s->unfinished = 0;
		return true;
	}
	s->unfinished--;
	if (s->unissued) {
		uint64_t bytes = FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t);
		uint32_t parts = (bytes + io->part_bytes - 1) / io->part_bytes;

		issue_part(io, s, slot, parts - s->unissued);
		s->unissued--;
		io->repushed = true;
	}
	return false;
}

/* Of @n completions keep the @done of I/Os that have ended. Return: how many. */
static uint32_t take_events(struct io *io, struct completion *done, uint32_t n)
{
	uint32_t events = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct io_state *s = &io->states[done[i].slot >> io->slot_shift];

		if (unlikely(done[i].result | s->unfinished))
			if (!complete_part(io, s, done[i].slot, done[i].result))
				continue;
		done[events++] = done[i];
	}
	return events;
}

/*
 * Some of the @n completions in io->done failed or are parts: these are not all events, so there
 * may be several rounds. Return: as io_reap.
 */
static __attribute__((noinline)) int reap_parts(struct io *io, int n, uint32_t min, uint32_t max)
{
	uint32_t events = take_events(io, io->done, n);

	for (;;) {
		if (io->repushed) {
			io->repushed = false;
			n = io->t->ops->commit(io->t);
			if (n)
				return n;
		}
		if (events >= min)
			break;
		n = io->t->ops->reap(io->t, io->done + events, min - events, max - events);
		if (n < 0)
			return n;
		events += take_events(io, io->done + events, n);
	}
	io->inflight -= events;
	return events;
}

/* Return: the number of events, at least @min, or -errno. */
int io_reap(struct io *io, struct thread_data *td, uint32_t min, uint32_t max)
{
	int n;

	/* fio commits before it waits, but not before it only looks (min 0). */
	if (unlikely(io->pending_end != io->pending))
		account_pending(io, td);
	n = io->t->ops->reap(io->t, io->done, min, max);
	if (unlikely(n < 0))
		return n;
	if (unlikely(io->t->failed || !io->plain))
		return reap_parts(io, n, min, max);
	io->inflight -= n;
	return n;
}

struct io_u *io_event(struct io *io, int i)
{
	return io->states[io->done[i].slot >> io->slot_shift].io_u;
}

/* --- opening and closing ------------------------------------------------------------------ */

/* Round a split's parts so that they are alike and start on pages and blocks. */
static void plan_parts(struct io *io, uint64_t limit)
{
	uint64_t unit = 4096, parts;

	for (uint32_t i = 0; i < io->nr_targets; i++)
		if (1ULL << io->targets[i].lba_shift > unit)
			unit = 1ULL << io->targets[i].lba_shift;
	parts = (io->max_bytes + limit - 1) / limit;
	io->part_bytes = limit;
	if (parts > 1)
		io->part_bytes = ((io->max_bytes + parts - 1) / parts + unit - 1) / unit * unit;
	io->max_parts = parts ? (io->max_bytes + io->part_bytes - 1) / io->part_bytes : 1;
}

static uint64_t smallest_limit(const struct io *io, const struct target **which)
{
	*which = &io->targets[0];
	for (uint32_t i = 1; i < io->nr_targets; i++)
		if (io->targets[i].max_transfer < (*which)->max_transfer)
			*which = &io->targets[i];
	return (*which)->max_transfer;
}

/* How I/Os become commands. Return: 0 or -errno. */
static int plan(struct io *io, bool split, char *why)
{
	const struct target *which;
	uint64_t limit = smallest_limit(io, &which);

	plan_parts(io, limit);
	io->plain = io->max_parts == 1;
	if (io->plain)
		return 0;
	if (!split) {
		snprintf(why, TARGET_WHY_LEN,
			 "%s: bs of %" PRIu64 " bytes is above what one command carries, %" PRIu64
			 " bytes, and nvme_split=0 forbids to split; use bs=%" PRIu64 "k or less",
			 which->name, io->max_bytes, limit, limit / 1024);
		return -EINVAL;
	}
	report_note("%s: one command carries %" PRIu64 " KiB; an I/O of %" PRIu64
		    " KiB takes %u commands (nvme_split=0 refuses instead)",
		    which->name, limit / 1024, io->max_bytes / 1024, io->max_parts);
	while ((2ULL << io->slot_shift) <= TRANSPORT_MAX_SLOTS / io->depth &&
	       (1U << io->slot_shift) < io->max_parts)
		io->slot_shift++;
	return 0;
}

static int open_transport(struct io *io, bool poll, char *why)
{
	struct transport_params p = {
		.slots = io->depth << io->slot_shift,
		.nr_fds = io->nr_targets,
		.poll = poll,
	};
	int *fds = calloc(io->nr_targets, sizeof(*fds));
	int ret = -ENOMEM;

	if (fds) {
		for (uint32_t i = 0; i < io->nr_targets; i++)
			fds[i] = io->targets[i].fd;
		p.fds = fds;
		ret = uring_open(&p, &io->t);
		free(fds);
	}
	if (ret == -ENOMEM)
		snprintf(why, TARGET_WHY_LEN,
			 "io_uring needs locked memory for %u entries and the limit does not allow "
			 "it; raise it (ulimit -l) or lower iodepth=",
			 p.slots);
	else if (ret == -EMFILE || ret == -ENFILE)
		snprintf(why, TARGET_WHY_LEN,
			 "too many open files for an io_uring; raise the limit (ulimit -n)");
	else if (ret == -ENOSYS || ret == -EPERM)
		snprintf(why, TARGET_WHY_LEN,
			 "io_uring is switched off here (kernel.io_uring_disabled, a container's "
			 "seccomp filter, or a kernel before 5.1)");
	else if (ret)
		snprintf(why, TARGET_WHY_LEN,
			 "cannot set up io_uring with 128-byte entries: %s; NVMe passthrough needs "
			 "kernel 5.19 or newer",
			 strerror(-ret));
	return ret;
}

static int allocate(struct io *io)
{
	io->states = calloc(io->depth, sizeof(*io->states));
	io->pending = calloc(io->depth, sizeof(struct io_u *));
	io->done = calloc((size_t)io->depth << io->slot_shift, sizeof(*io->done));
	io->ranges = calloc((size_t)io->depth * io->ranges_each, sizeof(*io->ranges));
	if (!io->states || !io->pending || !io->done || !io->ranges)
		return -ENOMEM;
	io->pending_end = io->pending;
	/* So that a first -EINVAL is looked into however young the machine is. */
	for (uint32_t i = 0; i < io->depth; i++)
		io->states[i].retried_ns = INT64_MIN / 2;
	return 0;
}

static int check_poll(const struct io *io, char *why)
{
	for (uint32_t i = 0; i < io->nr_targets; i++) {
		if (io->targets[i].has_poll_queues)
			continue;
		snprintf(why, TARGET_WHY_LEN,
			 "%s: nvme_poll=1, but the device has no poll queues; load the driver with "
			 "nvme.poll_queues=N (kernel command line or modprobe option)",
			 io->targets[i].name);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int open_parts(struct io *io, const struct io_params *p, char *why)
{
	int ret = 0;

	if (!p->depth || p->depth > TRANSPORT_MAX_SLOTS) {
		snprintf(why, TARGET_WHY_LEN, "iodepth=%u: io_uring takes 1 to %d", p->depth,
			 TRANSPORT_MAX_SLOTS);
		return -EINVAL;
	}
	if (p->poll)
		ret = check_poll(io, why);
	if (!ret)
		ret = plan(io, p->split, why);
	if (!ret) {
		ret = allocate(io);
		if (ret)
			snprintf(why, TARGET_WHY_LEN, "out of memory for iodepth=%u", p->depth);
	}
	if (!ret)
		ret = open_transport(io, p->poll, why);
	return ret;
}

struct io *io_open(const struct io_params *p, char *why, int *err)
{
	struct io *io = calloc(1, sizeof(*io));

	if (!io) {
		snprintf(why, TARGET_WHY_LEN, "out of memory");
		for (uint32_t i = 0; i < p->nr_targets; i++)
			target_close(&p->targets[i]);
		free(p->targets);
		*err = -ENOMEM;
		return NULL;
	}
	io->targets = p->targets;
	io->nr_targets = p->nr_targets;
	io->depth = p->depth;
	io->max_bytes = p->max_bytes;
	io->write = p->write;
	io->fast_ddir = p->write ? FIO_WRITE : FIO_READ;
	io->fixed_buffers = p->fixed_buffers && p->data;
	io->job_name = p->job_name;
	io->ranges_each = p->trim && fio_abi.io_u_number_trim ? COMMAND_DSM_MAX_RANGES : 1;
	*err = open_parts(io, p, why);
	if (*err) {
		io_close(io);
		return NULL;
	}
	io->verbose = p->verbose;
	return io;
}

struct target *io_target(struct io *io, uint32_t index)
{
	return &io->targets[index];
}

void io_add(struct io *io, struct io_u *io_u)
{
	uint32_t index = FIO_FIELD(io_u, io_u_index, uint32_t);
	struct io_state *s = &io->states[index];

	s->io_u = io_u;
	s->slot = index << io->slot_shift;
	s->command = transport_command(io->t, s->slot);
}

static void report_registration(const struct io *io, uint64_t bytes, int ret)
{
	struct rlimit limit = { 0 };

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (ret == -ENOMEM)
		report_note("going on without fixed buffers: %" PRIu64 " KiB of locked memory "
			    "needed, the limit is %" PRIu64 " KiB; raise it (ulimit -l)",
			    bytes / 1024, (uint64_t)limit.rlim_cur / 1024);
	else
		report_note("going on without fixed buffers: the kernel refuses them: %s",
			    strerror(-ret));
}

/* One registration per part of each io_u's buffer: kernel 6.1 maps a registration as a whole. */
static struct iovec *describe_buffers(const struct io *io, uint32_t *nr)
{
	struct iovec *iov = calloc((size_t)io->depth * io->max_parts, sizeof(*iov));

	*nr = 0;
	for (uint32_t i = 0; iov && i < io->depth; i++) {
		char *buf = FIO_FIELD(io->states[i].io_u, io_u_buf, char *);

		for (uint64_t at = 0; at < io->max_bytes; at += io->part_bytes) {
			uint64_t left = io->max_bytes - at;

			iov[*nr].iov_base = buf + at;
			iov[(*nr)++].iov_len = left < io->part_bytes ? left : io->part_bytes;
		}
	}
	return iov;
}

void io_start(struct io *io)
{
	uint64_t nr = (uint64_t)io->depth * io->max_parts;
	struct iovec *iov;
	uint32_t described;
	int ret;

	if (!io->fixed_buffers)
		return;
	if (nr > TRANSPORT_MAX_BUFFERS) {
		report_note("going on without fixed buffers: %" PRIu64 " needed, the kernel "
			    "registers %u",
			    nr, TRANSPORT_MAX_BUFFERS);
		return;
	}
	iov = describe_buffers(io, &described);
	ret = iov ? io->t->ops->register_buffers(io->t, iov, described) : -ENOMEM;
	free(iov);
	if (ret) {
		report_registration(io, io->depth * io->max_bytes, ret);
		return;
	}
	io->nr_registered = described;
	for (uint32_t i = 0; i < io->depth; i++)
		io->states[i].registered = FIO_FIELD(io->states[i].io_u, io_u_buf, void *);
}

/* What was said once for many errors, and what nvme_verbose asks for. */
static void report_totals(const struct io *io)
{
	uint64_t failed = io->other_failures;

	for (int i = 0; i < STATUS_KINDS && io->failures[i].count; i++) {
		const struct io_failure *f = &io->failures[i];
		char text[192];

		failed += f->count;
		if (f->count <= REPORTS_PER_STATUS || f->result == -ENODEV)
			continue;
		status_describe(f->result, text, sizeof(text));
		report_error("job %s (%d): %" PRIu64 " %s commands failed with %s", io->job_name,
			     gettid(), f->count, command_name(f->opcode), text);
	}
	if (!io->verbose)
		return;
	report_note("job %s (%d): commands: %" PRIu64 " Read, %" PRIu64 " Write, %" PRIu64
		    " Flush, %" PRIu64 " Dataset Management; %" PRIu64 " failed; %u fixed buffers",
		    io->job_name, gettid(), io->commands[COMMAND_READ], io->commands[COMMAND_WRITE],
		    io->commands[COMMAND_FLUSH], io->commands[COMMAND_DSM], failed,
		    io->nr_registered);
}

void io_close(struct io *io)
{
	report_totals(io);
	if (io->t)
		io->t->ops->close(io->t);
	for (uint32_t i = 0; i < io->nr_targets; i++)
		target_close(&io->targets[i]);
	free(io->targets);
	free(io->states);
	free(io->pending);
	free(io->done);
	free(io->ranges);
	free(io);
}
