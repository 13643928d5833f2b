// SPDX-License-Identifier: GPL-2.0-only
// The hot path: io_us become commands in the slots that belong to them, completions become events.
// An I/O above what one command can carry takes several and ends once, with the worst result.
#include "engine/io.h"

#include <errno.h>
#include <inttypes.h>

#include "engine/io_state.h"
#include "engine/telemetry/meter.h"
#include "engine/report.h"
#include "engine/status.h"

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
	const struct target *target = io_target_of(s);
	uint64_t at = part * io->part_bytes;
	uint64_t offset = FIO_FIELD(s->io_u, io_u_offset, uint64_t) + at;
	uint64_t left = FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t) - at;
	char *data = FIO_FIELD(s->io_u, io_u_xfer_buf, char *) + at;

	build_rw(io, s, slot, target, data, left < io->part_bytes ? left : io->part_bytes);
	command_aim_rw(transport_command(io->t, slot), s->opcode, offset >> target->lba_shift);
	if (io->places && s->opcode == COMMAND_WRITE)
		command_place(transport_command(io->t, slot), io->dtype, s->dspec);
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
		     "blocks; bs=, offset=, blockalign=, bs_unaligned or a replayed log must "
		     "suit blocks of %u bytes",
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

/* Return: how many stand in @ranges, 0 after a message. */
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
	const struct target *target = io_target_of(s);
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
	command_build_flush(c, io_target_of(s)->nsid);
	io->commands[COMMAND_FLUSH]++;
	result = io->t->ops->run(io->t, io_target_of(s)->index, c);
	if (!result) {
		if (io->metering)
			meter_flushed(io, s);
		return FIO_Q_COMPLETED;
	}
	io_report_failure(io, s, slot, result);
	return fail_now(s->io_u, status_errno(result));
}

static enum fio_q_status queue_flush(struct io *io, struct io_state *s)
{
	uint32_t slot = s->slot;

	s->file = NULL;
	if (!io->t->keeps_dataless)
		return flush_now(io, s);
	io->t->ops->aim(io->t, slot, io_target_of(s)->index, TRANSPORT_NO_BUFFER);
	command_build_flush(transport_command(io->t, slot), io_target_of(s)->nsid);
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
	const struct target *target = io_target_of(s);

	build_rw(io, s, s->slot, target, FIO_FIELD(s->io_u, io_u_xfer_buf, void *),
		 FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t));
	s->file = FIO_FIELD(s->io_u, io_u_file, void *);
	s->lba_shift = target->lba_shift;
	s->lba_mask = (1U << target->lba_shift) - 1;
	return queue_built(io, s, s->io_u, opcode,
			   FIO_FIELD(s->io_u, io_u_offset, uint64_t) >> target->lba_shift);
}

/*
 * Where a write goes: as nvme_placement= says, or as fio wrote into the io_u. Return: false when fio
 * says nothing of this one.
 */
static inline bool choose_place(struct io *io, struct io_state *s, const struct target *target)
{
	const uint32_t *dtype;

	if (io->placement) {
		s->dspec = placement_next(&io->placement[target->index],
					  FIO_FIELD(s->io_u, io_u_offset, uint64_t));
		return true;
	}
	dtype = &FIO_FIELD(s->io_u, io_u_dtype, uint32_t); /* and dspec behind it */
	io->dtype = dtype[0];
	s->dspec = dtype[1];
	return dtype[0];
}

/* Marks a slot whose command is a placed write: no plain read or write may take it as it is. */
static inline const void *placed_mark(const void *file)
{
	return (const char *)file + 1;
}

/*
 * A write with a placement identifier. The slot keeps its command from one placed write to the next:
 * DSPEC and address are what varies.
 */
static enum fio_q_status queue_placed(struct io *io, struct io_state *s,
				      const struct target *target)
{
	const void *mark = placed_mark(FIO_FIELD(s->io_u, io_u_file, void *));
	void *data = FIO_FIELD(s->io_u, io_u_xfer_buf, void *);
	uint64_t bytes = FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t);

	if (s->file != mark || s->command->addr != (uintptr_t)data ||
	    s->command->data_len != bytes) {
		build_rw(io, s, s->slot, target, data, bytes);
		s->file = mark;
	}
	command_place(s->command, io->dtype, s->dspec);
	return queue_built(io, s, s->io_u, COMMAND_WRITE,
			   FIO_FIELD(s->io_u, io_u_offset, uint64_t) >> target->lba_shift);
}

/* All but a read, or a write of a job that may write, like the slot's last one. */
static __attribute__((noinline)) enum fio_q_status queue_other(struct io *io, struct io_state *s,
							       uint32_t ddir)
{
	const struct target *target = io_target_of(s);
	uint8_t opcode = ddir == FIO_READ ? COMMAND_READ : COMMAND_WRITE;
	bool placed;

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
	placed = io->places && ddir == FIO_WRITE && choose_place(io, s, target);
	if (FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t) > io->part_bytes)
		return queue_split(io, s, opcode);
	if (placed)
		return queue_placed(io, s, target);
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

	if (unlikely(io->metering))
		meter_issued(io);
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

/*
 * A command that failed or is one of several. Return: true when the whole I/O has ended.
 */
static __attribute__((noinline)) bool complete_part(struct io *io, struct io_state *s,
						    uint32_t slot, int32_t result)
{
	if (result && !io_part_failed(io, s, slot, result))
		return false;
	if (s->unfinished <= 1) {
		if (s->worst)
			FIO_FIELD(s->io_u, io_u_error, unsigned) = status_errno(s->worst);
		s->worst = 0;
		s->unfinished = 0;
		s->resent_ns = 0;
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
 * may be several rounds. Or telemetry counts them. Return: as io_reap.
 */
static __attribute__((noinline)) int reap_parts(struct io *io, struct thread_data *td, int n,
						uint32_t min, uint32_t max)
{
	uint32_t events = take_events(io, io->done, n);

	if (io->metering)
		meter_watch_fio(io, td);
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
	if (io->metering)
		meter_completed(io, io->done, events);
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
		return reap_parts(io, td, n, min, max);
	io->inflight -= n;
	return n;
}

struct io_u *io_event(struct io *io, int i)
{
	return io->states[io->done[i].slot >> io->slot_shift].io_u;
}
