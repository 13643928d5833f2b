// SPDX-License-Identifier: GPL-2.0-only
// From the capsule to the response, for all commands alike.
#include "tools/nvsim/tcp/command.h"

#include "engine/model/controller.h"
#include "engine/model/faults.h"
#include "engine/model/mapping.h"
#include "engine/model/model.h"
#include "tools/nvsim/tcp/admin.h"
#include "tools/nvsim/tcp/association.h"
#include "tools/nvsim/tcp/fabrics.h"
#include "tools/nvsim/tcp/send.h"
#include "tools/nvsim/tcp/server.h"

enum {
	DIRECTION = 3, /* the low bits of an opcode or a Fabrics command type */
	TO_CONTROLLER = 1,
	TO_HOST = 2,
	PSDT_SHIFT = 6, /* flags: what SGL is */
	PSDT_PRP = 0,
	SGL_LENGTH = SQE_SGL + 8,
	SGL_TYPE = SQE_SGL + 15,
	SGL_IN_CAPSULE = 0x01, /* data block, offset */
	SGL_TRANSPORT = 0x5a, /* transport data block */
	SC_SGL_TYPE_INVALID = STATUS_DNR | 0x11,
	SC_SGL_OFFSET_INVALID = STATUS_DNR | 0x16,
	UNCONNECTED_MAX = PDU_MAX_CAPSULE_DATA, /* bytes that Connect may have */
};

static uint32_t direction(const struct request *r)
{
	uint8_t opcode = r->sqe[SQE_OPCODE];

	return (opcode == OP_FABRICS ? r->sqe[SQE_FCTYPE] : opcode) & DIRECTION;
}

bool command_returns_data(const struct request *r)
{
	return direction(r) == TO_HOST;
}

void command_begin(struct request *r)
{
	struct queue *q = r->queue;

	if (q->entries)
		q->sqhd = (q->sqhd + 1) % q->entries;
	if (q->state == QUEUE_CONNECTED)
		q->server->controller.heard = server_now();
}

/* The one SGL descriptor of a command, against the data that came with it. */
static uint16_t check_transfer(const struct request *r, uint32_t *length)
{
	uint32_t limit =
		r->queue->state == QUEUE_CONNECTED ? CONTROLLER_MAX_TRANSFER : UNCONNECTED_MAX;
	uint8_t type = r->sqe[SGL_TYPE];

	*length = 0;
	if (r->sqe[SQE_FLAGS] >> PSDT_SHIFT == PSDT_PRP)
		return SC_INVALID_FIELD;
	if (!r->capsule && !direction(r))
		return 0;
	*length = bytes_get32(r->sqe + SGL_LENGTH);
	if (!r->capsule && type != SGL_TRANSPORT)
		return SC_SGL_TYPE_INVALID;
	if (!r->capsule)
		return *length > limit ? SC_INVALID_FIELD : 0;
	if (type != SGL_IN_CAPSULE || direction(r) != TO_CONTROLLER)
		return SC_SGL_TYPE_INVALID;
	if (bytes_get64(r->sqe + SQE_SGL))
		return SC_SGL_OFFSET_INVALID;
	return *length == r->capsule ? 0 : SC_DATA_LENGTH;
}

/* There is room for the data: the host is asked for them, or the command is run. */
static void transfer(struct request *r)
{
	if (!request_hold(r, r->length))
		command_complete(r, SC_INTERNAL_ERROR & ~STATUS_DNR, 0);
	else if (direction(r) == TO_CONTROLLER)
		send_r2t(r);
	else
		command_run(r);
}

static bool fits(const struct request *r)
{
	return r->queue->held + r->length <= QUEUE_MAX_HELD;
}

void command_start(struct request *r)
{
	uint32_t length;
	uint16_t status = check_transfer(r, &length);

	if (status) {
		command_complete(r, status, 0);
		return;
	}
	if (r->capsule || !length) {
		command_run(r);
		return;
	}
	r->length = length;
	if (!r->queue->waiting.first && fits(r)) {
		transfer(r);
		return;
	}
	r->state = REQUEST_WAITING;
	request_append(&r->queue->waiting, r);
}

bool command_resume(struct queue *q)
{
	bool any = false;
	struct request *r;

	while ((r = q->waiting.first) && fits(r) && q->state < QUEUE_ENDING) {
		q->waiting.first = r->next;
		if (!r->next)
			q->waiting.last = NULL;
		transfer(r);
		any = true;
	}
	return any;
}

struct nvme_uring_cmd command_for_model(const struct request *r)
{
	return (struct nvme_uring_cmd){
		.opcode = r->sqe[SQE_OPCODE],
		.flags = r->sqe[SQE_FLAGS] & ((1 << PSDT_SHIFT) - 1),
		.nsid = bytes_get32(r->sqe + SQE_NSID),
		.cdw2 = bytes_get32(r->sqe + 8),
		.cdw3 = bytes_get32(r->sqe + 12),
		.addr = (uintptr_t)r->data,
		.data_len = r->data ? r->length : 0,
		.cdw10 = command_cdw(r, 10),
		.cdw11 = command_cdw(r, 11),
		.cdw12 = command_cdw(r, 12),
		.cdw13 = command_cdw(r, 13),
		.cdw14 = command_cdw(r, 14),
		.cdw15 = command_cdw(r, 15),
	};
}

/* --- running ------------------------------------------------------------------------------- */

static void run_io(struct request *r)
{
	struct nvme_uring_cmd c = command_for_model(r);
	struct server *s = r->queue->server;
	struct model_result result;

	if (association_fault(r->queue, &c))
		return;
	model_io(s->model, &c, &result);
	s->failed |= result.error != 0;
	command_complete_at(r, result.status, result.dw0, result.due);
}

void command_run(struct request *r)
{
	struct queue *q = r->queue;

	if (r->sqe[SQE_OPCODE] == OP_FABRICS)
		fabrics_run(r);
	else if (q->state != QUEUE_CONNECTED || !association_ready(q->server))
		command_complete(r, SC_COMMAND_SEQUENCE, 0);
	else if (!q->qid)
		admin_run(r);
	else
		run_io(r);
}

/* --- ending -------------------------------------------------------------------------------- */

void command_complete(struct request *r, uint16_t status, uint64_t result)
{
	r->status = status;
	r->result = result;
	send_response(r);
}

void command_complete_at(struct request *r, uint16_t status, uint64_t result, uint64_t due)
{
	if (due == MODEL_NEVER) {
		r->state = REQUEST_HELD;
		return;
	}
	if (!due) {
		command_complete(r, status, result);
		return;
	}
	r->status = status;
	r->result = result;
	r->due = due;
	r->state = REQUEST_DUE;
	due_add(&r->queue->server->due, r);
}

void command_end_due(struct server *s, uint64_t now)
{
	struct request *r;

	while ((r = due_take(&s->due, now)))
		send_response(r);
}
