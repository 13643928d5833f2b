// SPDX-License-Identifier: GPL-2.0-only
// Commands that end badly: what is sent again, what fails, and what the user is told.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "engine/io_state.h"
#include "engine/report.h"
#include "engine/status.h"

enum {
	REPORTS_PER_STATUS = 10, /* lines per kind of error and job; the rest is counted */
	PATH_WAIT_MS = 5000, /* how long a reset may take before its commands fail */
	PATH_POLL_MS = 20,
};

#define SECOND_NS 1000000000LL
#define BUSY_WAIT_NS (30 * SECOND_NS)

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * SECOND_NS + ts.tv_nsec;
}

static void count_failure(struct io *io, uint8_t opcode, int32_t result, bool *say)
{
	*say = false;
	for (int i = 0; i < IO_STATUS_KINDS; i++) {
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
void io_report_failure(struct io *io, const struct io_state *s, uint32_t slot, int32_t result)
{
	const struct nvme_uring_cmd *c = transport_command(io->t, slot);
	char text[192], where[96] = "";
	const char *advice = status_advice(result);
	bool say;

	count_failure(io, c->opcode, result, &say);
	if (result == -ENODEV) {
		report_error("%s: the drive is gone: it was removed, or no path to it is live "
			     "(/sys/class/nvme/*/state); the job ends",
			     io_target_of(s)->name);
		return;
	}
	if (!say)
		return;
	if (c->opcode != COMMAND_FLUSH)
		snprintf(where, sizeof(where), " of %" PRIu64 " blocks at LBA %" PRIu64,
			 command_blocks(c), command_slba(c));
	status_describe(result, text, sizeof(text));
	report_error("%s: %s%s failed: %s%s%s", io_target_of(s)->name, command_name(c->opcode),
		     where, text, *advice ? "; " : "", advice);
}

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

	if (now - s->retried_ns < SECOND_NS && target_live_paths(io_target_of(s)) > 0)
		return -EINVAL;
	live = io->pathless ? target_live_paths(io_target_of(s)) : wait_for_path(io_target_of(s));
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
bool io_part_failed(struct io *io, struct io_state *s, uint32_t slot, int32_t result)
{
	if (result == -EAGAIN && retry_busy(io, s, slot))
		return false;
	if (result == -EINVAL) {
		result = retry_without_path(io, s, slot);
		if (!result)
			return false;
	}
	/* Whatever the kernel calls it: ENODEV ends the job, also under continue_on_error. */
	if (smells_of_removal(result) && target_live_paths(io_target_of(s)) == -ENODEV)
		result = -ENODEV;
	io_report_failure(io, s, slot, result);
	s->worst = status_worse(s->worst, result);
	/* The rest of a split I/O that has failed is not sent. */
	s->unfinished -= s->unissued;
	s->unissued = 0;
	return true;
}
/* What was said once for many errors, and what nvme_verbose asks for. */
void io_report_totals(const struct io *io)
{
	uint64_t failed = io->other_failures;

	for (int i = 0; i < IO_STATUS_KINDS && io->failures[i].count; i++) {
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
