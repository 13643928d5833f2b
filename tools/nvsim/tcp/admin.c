// SPDX-License-Identifier: GPL-2.0-only
// Keep Alive, event requests, Abort, the number of queues; Identify's fields for fabrics.
#include "tools/nvsim/tcp/admin.h"

#include <stdio.h>

#include "engine/model/controller.h"
#include "engine/model/model.h"
#include "tools/nvsim/tcp/command.h"
#include "tools/nvsim/tcp/server.h"

enum {
	OP_ABORT = 0x08,
	OP_EVENT_REQUEST = 0x0c, /* Asynchronous Event Request */
	OP_KEEP_ALIVE = 0x18,
	FEATURE_QUEUES = 0x07,
	FEATURE_KEEP_ALIVE = 0x0f,
	CURRENT = 0, /* SEL of Get Features */
	CAPABILITIES = 3,
	CHANGEABLE = 1 << 2,
	MAX_EVENT_REQUESTS = 4, /* AERL and one, as Identify has it */
	SC_ABORT_REQUESTED = 0x07, /* Command Abort Requested */
	SC_EVENT_LIMIT = STATUS_DNR | 0x105,
	NOT_ABORTED = 1,
	NO_QUEUES = 0xffff,
};

/* Identify Controller */
enum {
	CNS_CONTROLLER = 0x01,
	ID_CTRATT = 96,
	ID_KAS = 320,
	ID_MAXCMD = 514,
	ID_SGLS = 536,
	ID_SUBNQN = 768,
	ID_IOCCSZ = 1792,
	ID_IORCSZ = 1796,
	ID_MSDBD = 1803,
	ID_SIZE = 4096,
	TRAFFIC_KEEPS_ALIVE = 1 << 6, /* TBKAS */
	SGL_SUPPORTED = 1 << 0,
	SGL_OFFSETS = 1 << 20, /* an address may be an offset: in-capsule data */
	KAS_SECOND = 10,
};

/* What a controller behind a fabric has to say (NVMe Base 2.x, "Identify Controller", 5.17.2.1). */
static void add_fabrics_fields(const struct server *s, uint8_t *p)
{
	bytes_put32(p + ID_CTRATT, bytes_get32(p + ID_CTRATT) | TRAFFIC_KEEPS_ALIVE);
	bytes_put16(p + ID_KAS, KAS_SECOND);
	bytes_put16(p + ID_MAXCMD, QUEUE_ENTRIES);
	bytes_put32(p + ID_SGLS, SGL_SUPPORTED | SGL_OFFSETS);
	memset(p + ID_SUBNQN, 0, 256);
	memcpy(p + ID_SUBNQN, s->set->nqn, strlen(s->set->nqn));
	bytes_put32(p + ID_IOCCSZ, (PDU_SQE + PDU_MAX_CAPSULE_DATA) / 16);
	bytes_put32(p + ID_IORCSZ, 1);
	p[ID_MSDBD] = 1;
}

static void run_by_model(struct request *r)
{
	struct nvme_uring_cmd c = command_for_model(r);
	struct server *s = r->queue->server;
	struct model_result result;

	model_admin(s->model, &c, &result);
	s->failed |= result.error != 0;
	if (c.opcode == OP_IDENTIFY && (c.cdw10 & 0xff) == CNS_CONTROLLER && !result.status &&
	    r->length >= ID_SIZE)
		add_fabrics_fields(s, r->data);
	command_complete_at(r, result.status, result.dw0, result.due);
}

/* --- features ------------------------------------------------------------------------------ */

/* Both counts are 0-based: submission queues, completion queues. */
static void set_queues(struct request *r)
{
	uint32_t most = r->queue->server->set->queues - 1;
	uint32_t submission = command_cdw(r, 11) & 0xffff, completion = command_cdw(r, 11) >> 16;

	if (submission == NO_QUEUES || completion == NO_QUEUES) {
		command_complete(r, SC_INVALID_FIELD, 0);
		return;
	}
	submission = submission < most ? submission : most;
	completion = completion < most ? completion : most;
	command_complete(r, 0, completion << 16 | submission);
}

static void get_feature(struct request *r, uint32_t id)
{
	const struct server *s = r->queue->server;
	uint32_t select = command_cdw(r, 10) >> 8 & 7, most = s->set->queues - 1;

	if (select > CAPABILITIES)
		command_complete(r, SC_INVALID_FIELD, 0);
	else if (select == CAPABILITIES)
		command_complete(r, 0, CHANGEABLE);
	else if (id == FEATURE_QUEUES)
		command_complete(r, 0, most << 16 | most);
	else
		command_complete(r, 0, select == CURRENT ? s->controller.kato : 0);
}

static void set_feature(struct request *r, uint32_t id)
{
	if (command_cdw(r, 10) >> 31) {
		command_complete(r, SC_NOT_SAVEABLE, 0);
		return;
	}
	if (id == FEATURE_QUEUES) {
		set_queues(r);
		return;
	}
	r->queue->server->controller.kato = command_cdw(r, 11);
	command_complete(r, 0, 0);
}

/* Features of the transport. */
static void run_features(struct request *r)
{
	uint32_t id = command_cdw(r, 10) & 0xff;

	if (id != FEATURE_QUEUES && id != FEATURE_KEEP_ALIVE)
		run_by_model(r);
	else if (r->sqe[SQE_OPCODE] == OP_GET_FEATURES)
		get_feature(r, id);
	else
		set_feature(r, id);
}

/* --- event requests, Abort ----------------------------------------------------------------- */

static uint32_t count_held(const struct queue *q)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < QUEUE_ENTRIES; i++)
		n += q->request[i].state == REQUEST_HELD;
	return n;
}

/* There are no events: it is held until the controller goes. */
static void hold_event_request(struct request *r)
{
	if (count_held(r->queue) >= MAX_EVENT_REQUESTS)
		command_complete(r, SC_EVENT_LIMIT, 0);
	else
		r->state = REQUEST_HELD;
}

/* Only what would never end is worth it. Return: whether such a command was found. */
static bool abort_held(struct queue *q, uint16_t cid)
{
	for (uint32_t i = 0; q && i < QUEUE_ENTRIES; i++) {
		struct request *r = &q->request[i];

		if (r->state != REQUEST_HELD || command_cid(r) != cid)
			continue;
		command_complete(r, SC_ABORT_REQUESTED, 0);
		return true;
	}
	return false;
}

static void run_abort(struct request *r)
{
	const struct controller *c = &r->queue->server->controller;
	uint32_t qid = command_cdw(r, 10) & 0xffff;
	struct queue *q = !qid ? c->admin : qid <= SERVER_MAX_QUEUES ? c->io[qid] : NULL;

	command_complete(r, 0, abort_held(q, command_cdw(r, 10) >> 16) ? 0 : NOT_ABORTED);
}

void admin_run(struct request *r)
{
	switch (r->sqe[SQE_OPCODE]) {
	case OP_KEEP_ALIVE:
		command_complete(r, 0, 0);
		break;
	case OP_EVENT_REQUEST:
		hold_event_request(r);
		break;
	case OP_ABORT:
		run_abort(r);
		break;
	case OP_SET_FEATURES:
	case OP_GET_FEATURES:
		run_features(r);
		break;
	default:
		run_by_model(r);
	}
}
