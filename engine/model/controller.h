/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the controller share: how a command is run, status codes, replies. Private to
 * engine/model. Fields and codes as in NVMe Base 2.x, NVM Command Set 1.x.
 */
#ifndef ENGINE_MODEL_CONTROLLER_H
#define ENGINE_MODEL_CONTROLLER_H

#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/model/image.h"
#include "engine/model/power.h"
#include "engine/status.h"

enum controller_opcode {
	OP_FLUSH = 0x00,
	OP_WRITE = 0x01,
	OP_READ = 0x02,
	OP_WRITE_ZEROES = 0x08,
	OP_DSM = 0x09, /* Dataset Management */
	OP_IO_MGMT_RECEIVE = 0x12,
	OP_IO_MGMT_SEND = 0x1d,
	/* admin */
	OP_GET_LOG_PAGE = 0x02,
	OP_IDENTIFY = 0x06,
	OP_SET_FEATURES = 0x09,
	OP_GET_FEATURES = 0x0a,
};

/* Status fields. All with Do Not Retry: the same command would be refused again. */
enum {
	SC_INVALID_OPCODE = STATUS_DNR | 0x01,
	SC_INVALID_FIELD = STATUS_DNR | 0x02,
	SC_INTERNAL_ERROR = STATUS_DNR | 0x06,
	SC_INVALID_NAMESPACE = STATUS_DNR | 0x0b, /* ... or Format */
	SC_COMMAND_SEQUENCE = STATUS_DNR | 0x0c,
	SC_DATA_LENGTH = STATUS_DNR | 0x0f, /* Data SGL Length Invalid */
	SC_FDP_DISABLED = STATUS_DNR | 0x29,
	SC_LBA_OUT_OF_RANGE = STATUS_DNR | 0x80,
	SC_CAPACITY_EXCEEDED = STATUS_DNR | 0x81, /* the file is thinly provisioned, too */
	SC_INVALID_LOG_PAGE = STATUS_DNR | 0x109,
	SC_NOT_SAVEABLE = STATUS_DNR | 0x10d, /* Feature Identifier Not Saveable */
	SC_NOT_CHANGEABLE = STATUS_DNR | 0x10e, /* Feature Not Changeable */
};

enum {
	CONTROLLER_MDTS = 9, /* as a power of two of 4 KiB */
	CONTROLLER_MAX_TRANSFER = MODEL_PAGE << CONTROLLER_MDTS,
	/* pages that such a transfer touches: it may begin and end within one */
	CONTROLLER_MAX_PAGES = (1 << CONTROLLER_MDTS) + 1,
	CONTROLLER_MAX_RANGES = 256, /* of Dataset Management */
};

#define CONTROLLER_ALL_NAMESPACES UINT32_MAX

/*
 * controller_command - run one command
 * @r: all 0; @r->due and @r->dw0 as the command has them
 *
 * Return: the status field. I/O commands take the lock themselves; admin commands are run with it.
 */
typedef uint16_t controller_command(struct model *m, const struct nvme_uring_cmd *c,
				    struct model_result *r);

controller_command blocks_flush, blocks_read, blocks_write, blocks_write_zeroes, blocks_dsm;
controller_command placement_receive, placement_send;
controller_command identify_command, logs_command, features_get, features_set;

/* The host's buffer. No more than controller_room() bytes of it may be touched. */
static inline uint8_t *controller_data(const struct nvme_uring_cmd *c)
{
	return (uint8_t *)(uintptr_t)c->addr;
}

static inline uint32_t controller_room(const struct nvme_uring_cmd *c)
{
	return c->addr ? c->data_len : 0;
}

/* A data structure for the host, which wants @want bytes: @len of it, then zeros, as room allows. */
static inline void controller_reply(const struct nvme_uring_cmd *c, const void *from, size_t len,
				    uint64_t want)
{
	size_t room = controller_room(c);

	if (want < room)
		room = want;
	if (len > room)
		len = room;
	if (!room)
		return;
	memcpy(controller_data(c), from, len);
	memset(controller_data(c) + len, 0, room - len);
}

static inline uint64_t controller_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* An I/O is taken up, under the lock. Return: the earliest time at which it can start. */
static inline uint64_t controller_take_up(struct model *m, struct model_result *r)
{
	r->taken_up = model_now(m);
	return power_wake(m, r->taken_up);
}

/* The namespace's size in logical blocks. */
static inline uint64_t controller_blocks(const struct model_geometry *g)
{
	return g->pages << (MODEL_PAGE_SHIFT - g->lba_shift);
}

#endif
