// SPDX-License-Identifier: GPL-2.0-only
// Commands that end badly: what is sent again, what fails, and what the user is told.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "engine/io_state.h"
#include "engine/telemetry/meter.h"
#include "engine/model/late.h"
#include "engine/model/model.h"
#include "engine/report.h"
#include "engine/status.h"

enum {
	REPORTS_PER_STATUS = 10, /* lines per kind of error and job; the rest is counted */
	PATH_WAIT_MS = 5000, /* how long a reset may take before its commands fail */
	PATH_POLL_MS = 20,
	DRAIN_MS = 2000, /* how long a job's end waits for I/O that fio left behind */
};

#define SECOND_NS 1000000000LL
#define BUSY_WAIT_NS (30 * SECOND_NS)
#define BLAME_NS (2 * SECOND_NS)

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

/* "Read of 8 blocks at LBA 16" */
static void describe_command(const struct nvme_uring_cmd *c, char *text, size_t size)
{
	int n = snprintf(text, size, "%s", command_name(c->opcode));

	if (c->opcode != COMMAND_FLUSH && n < (int)size)
		snprintf(text + n, size - n, " of %" PRIu64 " blocks at LBA %" PRIu64,
			 command_blocks(c), command_slba(c));
}

/* A model drive has no nvme-cli and no dmesg; nearly all that fails in it nvsim fail has asked for. */
static void model_advice(const struct target *t, int32_t result, char *text, size_t size)
{
	unsigned int code = result < 0 ? 0 : STATUS_SCT(result) << 8 | STATUS_SC(result);

	if (code == 0x006 || code == 0x007)
		snprintf(text, size, "asked for by nvsim fail? see `nvsim fail %.200s --list`",
			 t->name);
	else if (code == 0x081)
		snprintf(text, size, "its file system has no room left for it: make room");
	else if (code >> 8 == 2)
		snprintf(text, size, "%ssee `nvsim log %.200s smart`",
			 code == 0x281 ? "the data is lost: " : "", t->name);
	else
		snprintf(text, size, "%s", status_advice(result));
}

static void report_gone(const struct target *t)
{
	const char *why = t->model ? model_failure(t->model) : NULL;

	if (why)
		report_error("%s: %s; the job ends", t->name, why);
	else
		report_error("%s: the drive is gone: it was removed, or no path to it is live "
			     "(/sys/class/nvme/*/state); the job ends",
			     t->name);
}

/* One line for a failed command; one in all where the drive is gone, which fails every command. */
void io_report_failure(struct io *io, const struct io_state *s, uint32_t slot, int32_t result)
{
	const struct nvme_uring_cmd *c = transport_command(io->t, slot);
	const struct target *t = io_target_of(s);
	char text[192], what[128], advice[320];
	bool say;

	count_failure(io, c->opcode, result, &say);
	if (io->metering)
		meter_failed(io, s, c->opcode, result);
	if (result == -ENODEV) {
		report_gone(t);
		return;
	}
	if (!say)
		return;
	describe_command(c, what, sizeof(what));
	status_describe(result, text, sizeof(text));
	if (t->model)
		model_advice(t, result, advice, sizeof(advice));
	else
		snprintf(advice, sizeof(advice), "%s", status_advice(result));
	report_error("%s: %s failed: %s%s%s", t->name, what, text, *advice ? "; " : "", advice);
}

/* Wait while a reset may end. Return: true when a path is live; else none came back, or it is gone. */
static bool wait_for_path(struct io *io, const struct target *target)
{
	const struct timespec pause = { .tv_nsec = PATH_POLL_MS * 1000000L };
	int live = target_live_paths(target);

	for (int ms = 0; !live && !io->pathless && ms < PATH_WAIT_MS; ms += PATH_POLL_MS) {
		nanosleep(&pause, NULL);
		live = target_live_paths(target);
	}
	io->pathless = live <= 0;
	return live > 0;
}

/*
 * Send a command again, unless this I/O has been at that for longer than @patience_ns.
 * Return: true when it is on its way.
 */
static bool send_again(struct io *io, struct io_state *s, uint32_t slot, int64_t patience_ns)
{
	int64_t now = now_ns();

	if (!s->resent_ns)
		s->resent_ns = now;
	if (now - s->resent_ns > patience_ns)
		return false;
	/* So that its end passes complete_part, which forgets this; as all ends from now on do. */
	if (!s->unfinished)
		s->unfinished = 1;
	io->plain = false;
	transport_push(io->t, slot);
	io->repushed = true;
	return true;
}

/*
 * A reset takes back what is in flight: the kernel cancels it (-EINTR), the drive aborts it as it
 * deletes the queue, or the status is Host Pathing Error or Command Aborted By Host. Such an I/O has
 * failed, and fio is told so: sent again in silence, it would be a latency that no drive has. (The
 * block layer does that.) continue_on_error= goes on over it.
 */
static bool ended_by_reset(int32_t result)
{
	unsigned code;

	if (result < 0 || result & STATUS_DNR)
		return result == -EINTR;
	code = STATUS_SCT(result) << 8 | STATUS_SC(result);
	return code == 0x008 || code == 0x370 || code == 0x371;
}

/*
 * What has not reached the drive: the kernel was short of something (-EAGAIN), no path was live.
 * A multipath namespace answers -EINVAL while no path is live, just as for a wrong argument: what
 * keeps failing like that on a live path is to blame. Return: true when it was sent again.
 */
static bool retry(struct io *io, struct io_state *s, uint32_t slot, int32_t *result)
{
	if (*result == -EAGAIN)
		return send_again(io, s, slot, BUSY_WAIT_NS);
	if (*result != -EINVAL)
		return false;
	if (wait_for_path(io, io_target_of(s)))
		return send_again(io, s, slot, BLAME_NS);
	*result = -ENODEV;
	return false;
}

/* Could it be that the drive is no more? SCT 3h is path related. */
static bool smells_of_removal(int32_t result)
{
	return result < 0 || STATUS_SCT(result) == 3 || ended_by_reset(result);
}

/* A command ended badly. Return: false when it was sent again. */
bool io_part_failed(struct io *io, struct io_state *s, uint32_t slot, int32_t result)
{
	bool say;

	if (retry(io, s, slot, &result))
		return false;
	/* Whatever the kernel calls it: ENODEV ends the job, also under continue_on_error. */
	if (smells_of_removal(result) && target_live_paths(io_target_of(s)) == -ENODEV)
		result = -ENODEV;
	/* Parts of one I/O fail together: one line for them. */
	if (s->worst && result != -ENODEV)
		count_failure(io, transport_command(io->t, slot)->opcode, result, &say);
	else
		io_report_failure(io, s, slot, result);
	s->worst = status_worse(s->worst, result);
	/* The rest of a split I/O that has failed is not sent. */
	s->unfinished -= s->unissued;
	s->unissued = 0;
	return true;
}

static void report_left(struct io *io, const struct completion *end)
{
	const struct nvme_uring_cmd *c = transport_command(io->t, end->slot);
	char what[128], text[192];
	bool say;

	count_failure(io, c->opcode, end->result, &say);
	if (!say)
		return;
	describe_command(c, what, sizeof(what));
	status_describe(end->result, text, sizeof(text));
	report_error("job %s: %s failed: %s; fio had ended without waiting for it, so its figures "
		     "count it as done",
		     io->job_name, what, text);
}

/*
 * Replaying a log fio ends with I/Os in flight that it never asks about: what became of them is said
 * here, else nobody would hear that one failed. fio's files are gone by now, and the buffers: what was
 * never submitted stays so.
 */
int32_t io_drain(struct io *io)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int32_t worst = 0;

	if (io->t->queue_head != io->t->queue_tail)
		return 0;
	for (int ms = 0; io->inflight && ms < DRAIN_MS; ms++) {
		int n = io->t->ops->reap(io->t, io->done, 0, io->inflight);

		for (int i = 0; i < n; i++) {
			worst = status_worse(worst, io->done[i].result);
			if (io->done[i].result)
				report_left(io, &io->done[i]);
		}
		if (n < 0)
			break;
		io->inflight -= (uint32_t)n < io->inflight ? (uint32_t)n : io->inflight;
		if (!n)
			nanosleep(&pause, NULL);
	}
	return worst;
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

void io_report_lateness(const struct io *io)
{
	struct late_verdict v;

	if (!late_end(io->t->late, &v) || !v.nr)
		return;
	if (v.percentile)
		report_note("job %s: model drive: this host added %.1f us to a latency on average; "
			    "%spercentiles from the %gth on are its, not the drive's: "
			    "%.1f us there, the drive's own %.1f us",
			    io->job_name, v.late_mean / 1000,
			    v.mean_differs ? "the mean and the " : "", v.percentile, v.taken / 1000,
			    v.own / 1000);
	else if (v.mean_differs)
		report_note("job %s: model drive: this host added %.1f us to a latency on average; "
			    "the mean is its, not the drive's own %.1f us",
			    io->job_name, v.late_mean / 1000, v.own_mean / 1000);
	else if (io->verbose)
		report_note("job %s: model drive: this host added %.1f us to a latency on average; "
			    "the latencies are the drive's",
			    io->job_name, v.late_mean / 1000);
}
