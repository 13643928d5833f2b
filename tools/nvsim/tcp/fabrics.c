// SPDX-License-Identifier: GPL-2.0-only
// A connection becomes a queue by Connect; registers are properties here.
#include "tools/nvsim/tcp/fabrics.h"

#include <string.h>

#include "engine/model/controller.h"
#include "tools/nvsim/tcp/association.h"
#include "tools/nvsim/tcp/command.h"
#include "tools/nvsim/tcp/server.h"

enum fabrics_type {
	PROPERTY_SET = 0x00,
	CONNECT = 0x01,
	PROPERTY_GET = 0x04,
	DISCONNECT = 0x08,
};

/* Connect: in the command, in its data */
enum {
	RECFMT = 40,
	QID = 42,
	SQSIZE = 44, /* 0-based */
	CATTR = 46,
	KATO = 48,
	NO_FLOW_CONTROL = 1 << 2, /* of CATTR */
	DATA_HOSTID = 0,
	DATA_CNTLID = 16,
	DATA_SUBNQN = 256,
	DATA_HOSTNQN = 512,
	DATA_LEN = 1024,
	ANY_CNTLID = 0xffff,
};

enum {
	SC_INCOMPATIBLE_FORMAT = STATUS_DNR | 0x180,
	SC_CONTROLLER_BUSY = 0x181,
	SC_CONNECT_INVALID = STATUS_DNR | 0x182, /* Connect Invalid Parameters */
	SC_INVALID_HOST = STATUS_DNR | 0x184,
	IN_DATA = 1 << 16, /* IATTR: the invalid parameter is in the data */
};

/* Properties */
enum {
	AT_SIZE = 40, /* in the command; 1: eight bytes */
	AT_OFFSET = 44,
	AT_VALUE = 48,
	CAP = 0x00,
	VS = 0x08,
	CC = 0x14,
	CSTS = 0x1c,
	VERSION = 0x20000, /* 2.0, as Identify has it */
};

/* A parameter of Connect and where it stands. */
static void refuse(struct request *r, uint32_t where)
{
	command_complete(r, SC_CONNECT_INVALID, where);
}

/* It is printed: no control characters. */
static bool is_name(const uint8_t *field)
{
	if (!field[0] || !memchr(field, 0, SERVER_NQN))
		return false;
	for (; *field; field++)
		if (*field < ' ' || *field > '~')
			return false;
	return true;
}

/* A subsystem that is not here; it may be no text at all. */
static void refuse_subsystem(struct request *r)
{
	const char *name = (const char *)r->data + DATA_SUBNQN;

	queue_say(r->queue, "refused: it wants %s, and this is %s",
		  is_name(r->data + DATA_SUBNQN) ? name : "a subsystem without a name",
		  r->queue->server->set->nqn);
	refuse(r, IN_DATA | DATA_SUBNQN);
}

static void refuse_host(struct request *r)
{
	queue_say(r->queue, "%s refused: not one of --allow-host",
		  (const char *)r->data + DATA_HOSTNQN);
	command_complete(r, SC_INVALID_HOST, 0);
}

static bool host_is_allowed(const struct server_settings *set, const char *nqn)
{
	for (uint32_t i = 0; i < set->nr_hosts; i++)
		if (!strcmp(set->hosts[i], nqn))
			return true;
	return !set->nr_hosts;
}

static void connected(struct request *r)
{
	struct queue *q = r->queue;

	q->qid = bytes_get16(r->sqe + QID);
	q->entries = bytes_get16(r->sqe + SQSIZE) + 1;
	q->limit = q->entries;
	q->flow_control = !(r->sqe[CATTR] & NO_FLOW_CONTROL);
	q->sqhd = q->flow_control ? 1 % q->entries : 0;
	q->state = QUEUE_CONNECTED;
	q->deadline = 0;
	q->server->controller.heard = server_now();
	command_complete(r, 0, SERVER_CNTLID);
}

static void connect_admin(struct request *r)
{
	const char *host = (const char *)r->data + DATA_HOSTNQN;
	struct controller *c = &r->queue->server->controller;

	if (bytes_get16(r->data + DATA_CNTLID) != ANY_CNTLID) {
		refuse(r, IN_DATA | DATA_CNTLID);
		return;
	}
	if (c->admin) {
		queue_say(r->queue, "%s refused: %s is connected, and one host at a time can be",
			  host, c->hostnqn);
		command_complete(r, SC_CONTROLLER_BUSY, 0);
		return;
	}
	memset(c, 0, sizeof(*c));
	c->admin = r->queue;
	c->kato = bytes_get32(r->sqe + KATO);
	memcpy(c->hostid, r->data + DATA_HOSTID, sizeof(c->hostid));
	memcpy(c->hostnqn, host, sizeof(c->hostnqn));
	queue_say(r->queue, "%s is connected", c->hostnqn);
	connected(r);
}

static void connect_io(struct request *r)
{
	struct server *s = r->queue->server;
	struct controller *c = &s->controller;
	uint16_t qid = bytes_get16(r->sqe + QID);

	if (qid > s->set->queues) {
		refuse(r, QID);
	} else if (bytes_get16(r->data + DATA_CNTLID) != SERVER_CNTLID || !c->admin) {
		refuse(r, IN_DATA | DATA_CNTLID);
	} else if (memcmp(c->hostid, r->data + DATA_HOSTID, sizeof(c->hostid)) ||
		   strcmp(c->hostnqn, (const char *)r->data + DATA_HOSTNQN)) {
		command_complete(r, SC_INVALID_HOST, 0);
	} else if (c->io[qid] || !association_ready(s)) {
		command_complete(r, SC_COMMAND_SEQUENCE, 0);
	} else {
		c->io[qid] = r->queue;
		connected(r);
	}
}

static void run_connect(struct request *r)
{
	const struct server *s = r->queue->server;
	uint16_t sqsize = bytes_get16(r->sqe + SQSIZE);
	const uint8_t *d = r->data;

	if (r->queue->state != QUEUE_INITIALIZED)
		command_complete(r, SC_COMMAND_SEQUENCE, 0);
	else if (bytes_get16(r->sqe + RECFMT))
		command_complete(r, SC_INCOMPATIBLE_FORMAT, 0);
	else if (r->length < DATA_LEN || !d)
		command_complete(r, SC_DATA_LENGTH, 0);
	else if (!is_name(d + DATA_SUBNQN) || strcmp((const char *)d + DATA_SUBNQN, s->set->nqn))
		refuse_subsystem(r);
	else if (!is_name(d + DATA_HOSTNQN))
		refuse(r, IN_DATA | DATA_HOSTNQN);
	else if (!host_is_allowed(s->set, (const char *)d + DATA_HOSTNQN))
		refuse_host(r);
	else if (!sqsize || sqsize >= QUEUE_ENTRIES)
		refuse(r, SQSIZE);
	else if (bytes_get16(r->sqe + QID))
		connect_io(r);
	else
		connect_admin(r);
}

/* --- properties ---------------------------------------------------------------------------- */

/* MQES, contiguous queues, a timeout of 15 s, the NVM command set. */
static uint64_t capabilities(void)
{
	return (QUEUE_ENTRIES - 1) | 1ULL << 16 | 30ULL << 24 | 1ULL << 37;
}

static void get_property(struct request *r)
{
	const struct controller *c = &r->queue->server->controller;
	uint32_t offset = bytes_get32(r->sqe + AT_OFFSET), size = r->sqe[AT_SIZE] & 7;
	uint64_t value = 0;

	switch (offset) {
	case CAP:
		value = capabilities();
		break;
	case VS:
		value = VERSION;
		break;
	case CC:
		value = c->cc;
		break;
	case CSTS:
		value = c->csts;
		break;
	default:
		command_complete(r, SC_INVALID_FIELD, 0);
		return;
	}
	if (size != (offset == CAP))
		command_complete(r, SC_INVALID_FIELD, 0);
	else
		command_complete(r, 0, value);
}

static void set_property(struct request *r)
{
	if (bytes_get32(r->sqe + AT_OFFSET) != CC || r->sqe[AT_SIZE] & 7) {
		command_complete(r, SC_INVALID_FIELD, 0);
		return;
	}
	association_configure(r->queue->server, bytes_get64(r->sqe + AT_VALUE));
	command_complete(r, 0, 0);
}

void fabrics_run(struct request *r)
{
	struct queue *q = r->queue;
	uint8_t type = r->sqe[SQE_FCTYPE];

	if (type == CONNECT)
		run_connect(r);
	else if (q->state != QUEUE_CONNECTED)
		command_complete(r, SC_COMMAND_SEQUENCE, 0);
	else if (type == PROPERTY_GET && !q->qid)
		get_property(r);
	else if (type == PROPERTY_SET && !q->qid)
		set_property(r);
	else if (type == DISCONNECT && q->qid)
		command_complete(r, 0, 0); /* the host closes the connection */
	else
		command_complete(r, SC_INVALID_FIELD, 0);
}
