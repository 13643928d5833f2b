// SPDX-License-Identifier: GPL-2.0-only
// A job's I/O is made ready and taken down: limits, splitting, the transport, registered buffers.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "engine/io_state.h"
#include "engine/option.h"
#include "engine/power/power.h"
#include "engine/report.h"
#include "engine/status.h"

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
	io->plain = io->max_parts == 1 && !io->metering; /* its ends are looked at */
	if (io->max_parts == 1)
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

static void say_why_no_ring(int err, uint32_t slots, char *why)
{
	if (err == -ENOMEM)
		snprintf(why, TARGET_WHY_LEN,
			 "io_uring needs locked memory for %u entries and the limit does not allow "
			 "it; raise it (ulimit -l) or lower iodepth=",
			 slots);
	else if (err == -EMFILE || err == -ENFILE)
		snprintf(why, TARGET_WHY_LEN,
			 "too many open files for an io_uring; raise the limit (ulimit -n)");
	else if (err == -ENOSYS || err == -EPERM)
		snprintf(why, TARGET_WHY_LEN,
			 "io_uring is switched off here (kernel.io_uring_disabled, a container's "
			 "seccomp filter, or a kernel before 5.1)");
	else
		snprintf(why, TARGET_WHY_LEN,
			 "cannot set up io_uring with 128-byte entries: %s; NVMe passthrough needs "
			 "kernel 5.19 or newer",
			 strerror(-err));
}

static int open_ring(struct io *io, struct transport_params *p, char *why)
{
	int *fds = calloc(io->nr_targets, sizeof(*fds));
	int ret = -ENOMEM;

	if (fds) {
		for (uint32_t i = 0; i < io->nr_targets; i++)
			fds[i] = io->targets[i].fd;
		p->fds = fds;
		ret = uring_open(p, &io->t);
		free(fds);
	}
	if (ret)
		say_why_no_ring(ret, p->slots, why);
	return ret;
}

static int open_model(struct io *io, struct transport_params *p, char *why)
{
	struct model **models = calloc(io->nr_targets, sizeof(struct model *));
	int ret = -ENOMEM;

	if (models) {
		for (uint32_t i = 0; i < io->nr_targets; i++)
			models[i] = io->targets[i].model;
		p->models = models;
		ret = model_transport_open(p, &io->t);
		free(models);
	}
	if (ret)
		snprintf(why, TARGET_WHY_LEN, "out of memory for iodepth=%u", io->depth);
	return ret;
}

/* A transport leads to devices or to model drives. */
static int check_kinds(const struct io *io, char *why)
{
	const struct target *first = &io->targets[0];

	for (uint32_t i = 1; i < io->nr_targets; i++) {
		const struct target *t = &io->targets[i];

		if (!t->model == !first->model)
			continue;
		snprintf(why, TARGET_WHY_LEN,
			 "%.180s is a model drive and %.180s a device: one job has only the one or "
			 "the "
			 "other; give each kind a job of its own",
			 t->model ? t->name : first->name, t->model ? first->name : t->name);
		return -EINVAL;
	}
	return 0;
}

static int open_transport(struct io *io, bool poll, char *why)
{
	struct transport_params p = {
		.slots = io->depth << io->slot_shift,
		.nr_devices = io->nr_targets,
		.poll = poll,
	};

	return io->targets[0].model ? open_model(io, &p, why) : open_ring(io, &p, why);
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

/* Writes may carry an identifier: they leave the fast path. */
static void take_writes_apart(struct io *io)
{
	io->places = true;
	io->fast_ddir = FIO_READ;
}

/* Return: 0 or -errno. */
static int open_placement(struct io *io, const struct io_params *p, char *why)
{
	int ret = p->write ? placement_check(p->placement, why) : 0;

	if (ret || !p->write || !option_given(p->placement->ids))
		return ret;
	io->placement = calloc(io->nr_targets, sizeof(*io->placement));
	if (!io->placement) {
		snprintf(why, TARGET_WHY_LEN, "out of memory");
		return -ENOMEM;
	}
	for (uint32_t i = 0; !ret && i < io->nr_targets; i++)
		ret = placement_open(&io->placement[i], &io->targets[i], p->placement, p->verbose,
				     why);
	io->dtype = PLACEMENT_DTYPE;
	take_writes_apart(io);
	return ret;
}

void io_place_as_fio(struct io *io)
{
	take_writes_apart(io);
}

static int open_parts(struct io *io, const struct io_params *p, char *why)
{
	int ret;

	if (!p->depth || p->depth > TRANSPORT_MAX_SLOTS) {
		snprintf(why, TARGET_WHY_LEN, "iodepth=%u: io_uring takes 1 to %d", p->depth,
			 TRANSPORT_MAX_SLOTS);
		return -EINVAL;
	}
	ret = check_kinds(io, why);
	if (!ret && p->poll)
		ret = check_poll(io, why);
	if (!ret)
		ret = plan(io, p->split, why);
	if (!ret) {
		ret = allocate(io);
		if (ret)
			snprintf(why, TARGET_WHY_LEN, "out of memory for iodepth=%u", p->depth);
	}
	if (!ret)
		ret = open_placement(io, p, why);
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
	/* fio gives a job that only trims a block size for data, too. */
	io->max_bytes = p->data ? p->max_bytes : 0;
	io->write = p->write;
	io->fast_ddir = p->write ? FIO_WRITE : FIO_READ;
	io->fixed_buffers = p->fixed_buffers && p->data;
	io->job_name = p->job_name;
	io->metering = p->metering;
	io->ranges_each = p->trim && fio_abi.io_u_number_trim ? COMMAND_DSM_MAX_RANGES : 1;
	*err = open_parts(io, p, why);
	if (*err) {
		io_close(io);
		return NULL;
	}
	if (p->fio_places && !io->placement)
		io_place_as_fio(io);
	io->verbose = p->verbose;
	return io;
}

struct target *io_target(struct io *io, uint32_t index)
{
	return &io->targets[index];
}

const struct placement *io_placement(const struct io *io, uint32_t index)
{
	return io->placement ? &io->placement[index] : NULL;
}

struct metering *io_metering(struct io *io)
{
	return io->metering;
}

void io_take_power(struct io *io, struct power *power)
{
	io->power = power;
	power_watch(power, io->t);
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

int io_close(struct io *io)
{
	int32_t worst = io->t ? io_drain(io) : 0;

	io_report_totals(io);
	if (io->t) {
		io_report_lateness(io);
		io->t->ops->close(io->t);
	}
	power_close(io->power);
	for (uint32_t i = 0; i < io->nr_targets; i++)
		target_close(&io->targets[i]);
	free(io->targets);
	free(io->states);
	free(io->pending);
	free(io->done);
	free(io->ranges);
	free(io->placement);
	free(io);
	return status_errno(worst);
}
