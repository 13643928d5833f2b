/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How commands reach a drive: slots that hold one command each, a doorbell, completions.
 * Above this line nothing knows whether silicon or a model answers; below it nothing knows fio.
 */
#ifndef ENGINE_TRANSPORT_H
#define ENGINE_TRANSPORT_H

#include <linux/nvme_ioctl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

struct transport;
struct model;
struct late;

/* One command's end: 0, or >0 an NVMe status (SCT/SC, CRD, More, DNR), or <0 -errno. */
struct completion {
	uint32_t slot;
	int32_t result;
};

enum {
	TRANSPORT_NO_BUFFER = -1
};

struct transport_ops {
	/*
	 * Aim a slot: the device its command goes to (its index in transport_params) and the
	 * registered buffer that holds its data, or TRANSPORT_NO_BUFFER. Holds until changed.
	 */
	void (*aim)(struct transport *t, uint32_t slot, uint32_t device, int buffer);

	/* Submit all that was pushed. Return: 0 or -errno. */
	int (*commit)(struct transport *t);

	/*
	 * Submit all that was pushed, wait until @min commands have ended, take up to @max.
	 * Return: how many stand in @done (fewer than @min never), or -errno.
	 */
	int (*reap)(struct transport *t, struct completion *done, uint32_t min, uint32_t max);

	/*
	 * Register data buffers for the transport's life. Return: 0 or -errno (I/O works without).
	 */
	int (*register_buffers)(struct transport *t, const struct iovec *iov, uint32_t nr);

	/*
	 * Run one command that moves no data, by itself, and wait for its end. For what must not go
	 * through the ring; see keeps_dataless. Return: as completion.result.
	 */
	int (*run)(struct transport *t, uint32_t device, const struct nvme_uring_cmd *c);

	void (*close)(struct transport *t);
};

/* Embedded at the start of each transport. */
struct transport {
	const struct transport_ops *ops;
	uint32_t *queue; /* a ring: slots in the order of their submission */
	uint32_t queue_mask, queue_tail;
	uint32_t queue_head; /* what stands from here to the tail has not been submitted */
	int32_t failed; /* not 0 when a command that the last reap took has failed */
	unsigned char *commands; /* slot 0's command; see transport_command() */
	uint32_t command_stride; /* bytes from one slot's command to the next one's */
	bool partial_buffers; /* a command may use a part of a registered buffer */
	bool keeps_dataless; /* commands without data may be pushed; else use run */
	struct late
		*late; /* how late completions are taken, or NULL: not known; the owner ends it */
};

struct transport_params {
	uint32_t slots; /* commands in flight at the most */
	/* One a device, and only one of the two kinds; they stay the caller's. */
	const int *fds;
	struct model *const *models;
	uint32_t nr_devices;
	bool poll; /* busy-poll for completions */
};

/* The most slots that a transport can have (IORING_MAX_ENTRIES). */
enum {
	TRANSPORT_MAX_SLOTS = 32768,
	TRANSPORT_MAX_BUFFERS = 16384
};

/* The slot's command, zeroed at the start; fill it before push, leave it alone until it ended. */
static inline struct nvme_uring_cmd *transport_command(struct transport *t, uint32_t slot)
{
	return (struct nvme_uring_cmd *)(t->commands + (uint64_t)slot * t->command_stride);
}

/* Queue the slot's command. The device sees it at commit or reap. Never fails. */
static inline void transport_push(struct transport *t, uint32_t slot)
{
	t->queue[t->queue_tail++ & t->queue_mask] = slot;
}

/*
 * uring_open - a transport through the kernel: io_uring passthrough to /dev/ngXnY
 * @out: the transport; end it with ops->close
 *
 * Call it in the thread that will submit. Return: 0 or -errno; -ENOSYS: no io_uring here.
 */
int uring_open(const struct transport_params *p, struct transport **out);

/*
 * model_transport_open - a transport to model drives, in this process (engine/model)
 * @out: the transport; end it with ops->close
 *
 * Call it in the thread that will submit. Return: 0 or -errno.
 */
int model_transport_open(const struct transport_params *p, struct transport **out);

#endif
