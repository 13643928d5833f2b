/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command's way: its data come or room for them is found, it is run, and it ends when it is due.
 * Which commands there are is fabrics.c's, admin.c's and the model's.
 */
#ifndef TOOLS_NVSIM_TCP_COMMAND_H
#define TOOLS_NVSIM_TCP_COMMAND_H

#include <linux/nvme_ioctl.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/bytes.h"
#include "tools/nvsim/tcp/queue.h"

/* Offsets in a submission queue entry (NVMe Base 2.x, "Common Command Format"). */
enum {
	SQE_OPCODE = 0,
	SQE_FLAGS = 1,
	SQE_CID = 2,
	SQE_NSID = 4,
	SQE_FCTYPE = 4, /* of a Fabrics command */
	SQE_SGL = 24,
	SQE_CDW10 = 40,
};

enum {
	OP_FABRICS = 0x7f,
};

static inline uint16_t command_cid(const struct request *r)
{
	return bytes_get16(r->sqe + SQE_CID);
}

/* Command dword 10 to 15. */
static inline uint32_t command_cdw(const struct request *r, uint32_t number)
{
	return bytes_get32(r->sqe + SQE_CDW10 + (number - 10) * 4);
}

/* Do data go to the host? */
bool command_returns_data(const struct request *r);

/* A capsule has arrived. */
void command_begin(struct request *r);
/* ... with the data in it. Asks for the others, or runs the command, now or later. */
void command_start(struct request *r);
/* All data are there. */
void command_run(struct request *r);

/* Commands that waited for memory go on as far as there is some. Return: whether any did. */
bool command_resume(struct queue *q);

/* As the model has commands. */
struct nvme_uring_cmd command_for_model(const struct request *r);

/* The command ends now. @status: the status field, 0: success */
void command_complete(struct request *r, uint16_t status, uint64_t result);

/* The command ends at @due, CLOCK_MONOTONIC, ns; 0: now; MODEL_NEVER: never. */
void command_complete_at(struct request *r, uint16_t status, uint64_t result, uint64_t due);

/* What is due @now ends. */
void command_end_due(struct server *s, uint64_t now);

#endif
