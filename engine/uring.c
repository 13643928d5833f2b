// SPDX-License-Identifier: GPL-2.0-only
// The kernel transport: NVMe passthrough commands on an io_uring of 128-byte entries.
// A slot is an SQE that keeps its place: what does not change between commands is written once.
#include "engine/transport.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Kernel 6.1's and liburing 2.3's headers have all of these but what newer kernels added. */
enum {
	SQE_SIZE = 128,
	SQE_COMMAND = 48, /* offset of sqe->cmd */
	CQE_SHIFT = 1, /* a CQE is two of struct io_uring_cqe */
};

struct uring {
	struct transport t;
	/* The hot words. */
	unsigned *sq_ktail;
	unsigned *cq_khead, *cq_ktail;
	unsigned cq_mask;
	struct io_uring_cqe *cqes;
	int enter_fd;
	unsigned enter_flags;
	/* The cold ones. */
	struct io_uring ring;
	bool fixed_files;
	int *fds;
};

static struct io_uring_sqe *slot_sqe(struct uring *u, uint32_t slot)
{
	return (struct io_uring_sqe *)((char *)u->ring.sq.sqes + (size_t)slot * SQE_SIZE);
}

static void uring_aim(struct transport *t, uint32_t slot, uint32_t device, int buffer)
{
	struct uring *u = (struct uring *)t;
	struct io_uring_sqe *sqe = slot_sqe(u, slot);

	memset(sqe, 0, SQE_COMMAND);
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->flags = u->fixed_files ? IOSQE_FIXED_FILE : 0;
	sqe->fd = u->fixed_files ? (int)device : u->fds[device];
	sqe->cmd_op = NVME_URING_CMD_IO;
	sqe->user_data = slot;
	if (buffer != TRANSPORT_NO_BUFFER) {
		sqe->uring_cmd_flags = IORING_URING_CMD_FIXED;
		sqe->buf_index = buffer;
	}
}

static uint32_t unsubmitted(const struct uring *u)
{
	return u->t.queue_tail - u->t.queue_head;
}

/*
 * The kernel reads the tail only in io_uring_enter, called by this same thread.
 * Return: 0 or -errno. Interrupted or short of memory counts as done: the caller looks again.
 */
static inline int uring_enter(struct uring *u, unsigned wait)
{
	int ret;

	__atomic_store_n(u->sq_ktail, u->t.queue_tail, __ATOMIC_RELEASE);
	ret = io_uring_enter(u->enter_fd, unsubmitted(u), wait, u->enter_flags, NULL);
	if (ret >= 0) {
		u->t.queue_head += ret;
		return 0;
	}
	return ret == -EINTR || ret == -EAGAIN || ret == -EBUSY ? 0 : ret;
}

static int uring_commit(struct transport *t)
{
	struct uring *u = (struct uring *)t;
	int ret = 0;

	while (unsubmitted(u) && !ret)
		ret = uring_enter(u, 0);
	return ret;
}

/* Take what has ended: one acquire load, one release store however many. */
static inline uint32_t uring_drain(struct uring *u, struct completion *done, uint32_t max)
{
	unsigned head = *u->cq_khead;
	unsigned ready = __atomic_load_n(u->cq_ktail, __ATOMIC_ACQUIRE) - head;
	uint32_t n = ready < max ? ready : max;
	int32_t failed = u->t.failed;

	for (uint32_t i = 0; i < n; i++, head++) {
		const struct io_uring_cqe *cqe = &u->cqes[(size_t)(head & u->cq_mask) << CQE_SHIFT];

		done[i].slot = cqe->user_data;
		done[i].result = cqe->res;
		failed |= cqe->res;
	}
	u->t.failed = failed;
	__atomic_store_n(u->cq_khead, head, __ATOMIC_RELEASE);
	return n;
}

/*
 * What was pushed goes out in the same system call that waits. Without something to submit, look
 * first: an earlier enter may have brought completions. With
 * none there the kernel must be entered even for min == 0: deferred task work and polled queues
 * yield nothing otherwise.
 */
static int uring_reap(struct transport *t, struct completion *done, uint32_t min, uint32_t max)
{
	struct uring *u = (struct uring *)t;
	uint32_t n = 0;
	int ret;

	t->failed = 0;
	if (!unsubmitted(u)) {
		n = uring_drain(u, done, max);
		if (n && n >= min)
			return n;
	}
	do {
		ret = uring_enter(u, n < min ? min - n : 0);
		if (ret)
			return ret;
		n += uring_drain(u, done + n, max - n);
	} while (n < min || unsubmitted(u));
	return n;
}

/* Is the running kernel @major.@minor or newer? Not knowing counts as no. */
static bool kernel_is(int major, int minor)
{
	struct utsname name;
	int a = 0, b = 0;

	if (uname(&name) || sscanf(name.release, "%d.%d", &a, &b) != 2)
		return false;
	return a > major || (a == major && b >= minor);
}

static int uring_register_buffers(struct transport *t, const struct iovec *iov, uint32_t nr)
{
	struct uring *u = (struct uring *)t;

	/* Kernels before 6.1 take the registration but refuse each command that uses it. */
	if (!kernel_is(6, 1))
		return -EOPNOTSUPP;
	return io_uring_register_buffers(&u->ring, iov, nr);
}

/* The old way, by ioctl: its structure is the same but for the result at the end. */
static int uring_run(struct transport *t, uint32_t device, const struct nvme_uring_cmd *c)
{
	struct uring *u = (struct uring *)t;
	struct nvme_passthru_cmd cmd;
	int ret;

	memcpy(&cmd, c, sizeof(cmd));
	ret = ioctl(u->fds[device], NVME_IOCTL_IO_CMD, &cmd);
	return ret < 0 ? -errno : ret;
}

static void uring_close(struct transport *t)
{
	struct uring *u = (struct uring *)t;

	io_uring_queue_exit(&u->ring);
	free(u->fds);
	free(u);
}

static const struct transport_ops uring_ops = {
	.aim = uring_aim,
	.commit = uring_commit,
	.reap = uring_reap,
	.register_buffers = uring_register_buffers,
	.run = uring_run,
	.close = uring_close,
};

/* From the best set-up to the plainest: each flag came with another kernel (5.19, 6.0, 6.1). */
static int create_ring(struct uring *u, const struct transport_params *p)
{
	static const unsigned steps[] = {
		IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
		IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER,
		IORING_SETUP_COOP_TASKRUN,
		0,
	};
	int ret = -EINVAL;

	for (unsigned i = 0; ret == -EINVAL && i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct io_uring_params params = { 0 };

		params.flags = IORING_SETUP_SQE128 | IORING_SETUP_CQE32 | steps[i];
		if (p->poll)
			params.flags |= IORING_SETUP_IOPOLL;
		ret = io_uring_queue_init_params(p->slots, &u->ring, &params);
	}
	return ret;
}

/* Both registrations only save time: the ring works without. */
static int register_descriptors(struct uring *u, const struct transport_params *p)
{
	u->fds = malloc(p->nr_devices * sizeof(*u->fds));
	if (!u->fds)
		return -ENOMEM;
	memcpy(u->fds, p->fds, p->nr_devices * sizeof(*u->fds));
	u->fixed_files = !io_uring_register_files(&u->ring, p->fds, p->nr_devices);
	u->enter_fd = u->ring.ring_fd;
	u->enter_flags = IORING_ENTER_GETEVENTS;
	if (io_uring_register_ring_fd(&u->ring) == 1) {
		u->enter_fd = u->ring.enter_ring_fd;
		u->enter_flags |= IORING_ENTER_REGISTERED_RING;
	}
	return 0;
}

static void map_rings(struct uring *u, bool poll)
{
	u->sq_ktail = u->ring.sq.ktail;
	u->t.queue_head = *u->ring.sq.ktail;
	u->t.queue = u->ring.sq.array;
	u->t.queue_mask = *u->ring.sq.kring_mask;
	u->t.queue_tail = u->t.queue_head;
	u->cq_khead = u->ring.cq.khead;
	u->cq_ktail = u->ring.cq.ktail;
	u->cq_mask = *u->ring.cq.kring_mask;
	u->cqes = u->ring.cq.cqes;
	u->t.ops = &uring_ops;
	u->t.commands = (unsigned char *)u->ring.sq.sqes + SQE_COMMAND;
	u->t.command_stride = SQE_SIZE;
	/*
	 * Before, the kernel maps the whole registered buffer whatever the command's length, and
	 * refuses the command where the two differ (blk_rq_map_user_bvec).
	 */
	u->t.partial_buffers = kernel_is(6, 12);
	/*
	 * Polling for a command without data makes kernel 6.1 follow a pointer that it never set
	 * (bio_poll, from nvme_ns_head_chr_uring_cmd_iopoll): the machine dies.
	 */
	u->t.keeps_dataless = !poll;
}

int uring_open(const struct transport_params *p, struct transport **out)
{
	struct uring *u = calloc(1, sizeof(*u));
	int ret;

	if (!u)
		return -ENOMEM;
	ret = create_ring(u, p);
	if (ret) {
		free(u);
		return ret;
	}
	ret = register_descriptors(u, p);
	if (ret) {
		io_uring_queue_exit(&u->ring);
		free(u);
		return ret;
	}
	map_rings(u, p->poll);
	for (uint32_t slot = 0; slot < p->slots; slot++)
		memset(slot_sqe(u, slot), 0, SQE_SIZE);
	*out = &u->t;
	return 0;
}
