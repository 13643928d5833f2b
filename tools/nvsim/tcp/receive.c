// SPDX-License-Identifier: GPL-2.0-only
// The receiving half of a connection's state machine.
#include "tools/nvsim/tcp/receive.h"

#include <errno.h>
#include <sys/uio.h>

#include "engine/bytes.h"
#include "tools/nvsim/tcp/command.h"
#include "tools/nvsim/tcp/send.h"
#include "tools/nvsim/tcp/server.h"

enum {
	PAGE = 4096,
	ROUNDS = 64, /* of system calls, then other connections have their turn */
};

static bool end(struct queue *q, uint16_t fes, uint32_t fei, const char *what)
{
	const struct pdu_error e = { .fes = fes, .fei = fei, .what = what };

	send_termination(q, &e);
	return false;
}

/* Take header bytes out of the buffer. Return: whether @want of them are there. */
static bool collect(struct receive *in, uint32_t want)
{
	uint32_t n = want - in->header_got;

	if (n > in->tail - in->head)
		n = in->tail - in->head;
	memcpy(in->header + in->header_got, in->buffer + in->head, n);
	in->header_got += n;
	in->head += n;
	return in->header_got == want;
}

/* --- PDUs whose headers are there ---------------------------------------------------------- */

static bool initialize(struct queue *q)
{
	struct pdu_icreq ic;
	struct pdu_error e;

	if (!pdu_parse_icreq(q->in.header, &ic, &e)) {
		send_termination(q, &e);
		return false;
	}
	q->alignment = ic.alignment;
	q->state = QUEUE_INITIALIZED;
	send_icresp(request_take(q));
	return true;
}

static bool begin_command(struct queue *q)
{
	struct receive *in = &q->in;
	struct request *r = request_take(q);

	if (!r)
		return end(q, FES_SEQUENCE, 0, "more commands than the queue has entries");
	memcpy(r->sqe, in->header + PDU_COMMON, PDU_SQE);
	command_begin(r);
	if (!in->pdu.data) {
		command_start(r);
		return true;
	}
	if (!request_hold(r, in->pdu.data)) {
		queue_drop(q);
		return false;
	}
	r->state = REQUEST_CAPSULE;
	r->capsule = in->pdu.data;
	in->request = r;
	in->to = r->data;
	return true;
}

/* Data must come in order, and only those that were asked for. */
static bool begin_data(struct queue *q)
{
	struct receive *in = &q->in;
	struct request *r;
	struct pdu_data d;

	pdu_parse_data(&in->pdu, in->header, &d);
	if (d.ttag >= QUEUE_ENTRIES || q->request[d.ttag].state != REQUEST_DATA)
		return end(q, FES_HEADER, 10, "data for which no Ready to Transfer was sent");
	r = &q->request[d.ttag];
	if (d.cid != command_cid(r))
		return end(q, FES_HEADER, 8, "data of another command");
	if (d.length != in->pdu.data)
		return end(q, FES_HEADER, 16, "a data length that is not the PDU's");
	if (d.offset != r->arrived || d.length > r->length - r->arrived)
		return end(q, FES_RANGE, 0, "data outside of what was asked for, or out of order");
	if (d.last != (d.offset + d.length == r->length))
		return end(q, FES_HEADER, 1, "the last-PDU flag at the wrong place");
	in->request = r;
	in->to = r->data + d.offset;
	return true;
}

static bool header_arrived(struct queue *q)
{
	struct receive *in = &q->in;

	switch (in->pdu.type) {
	case PDU_ICREQ:
		if (!initialize(q))
			return false;
		break;
	case PDU_COMMAND:
		if (!begin_command(q))
			return false;
		break;
	case PDU_H2C_DATA:
		if (!begin_data(q))
			return false;
		break;
	default:
		queue_say(q, "the host ended the connection (fatal error status %02Xh)",
			  bytes_get16(in->header + 8));
		queue_drop(q);
		return false;
	}
	in->left = in->pdu.data;
	in->header_got = 0;
	return true;
}

static void data_arrived(struct queue *q)
{
	struct request *r = q->in.request;

	r->arrived += q->in.pdu.data;
	q->in.request = NULL;
	if (r->state == REQUEST_CAPSULE)
		command_start(r);
	else if (r->arrived == r->length)
		command_run(r);
}

/* --- steps --------------------------------------------------------------------------------- */

/* ICReq comes first and once. */
static bool check_sequence(struct queue *q)
{
	uint8_t type = q->in.pdu.type;

	if ((q->state == QUEUE_NEW) == (type == PDU_ICREQ) || type == PDU_H2C_TERM)
		return true;
	return end(q, FES_SEQUENCE, 0, type == PDU_ICREQ ? "a second ICReq" : "a PDU before ICReq");
}

static bool look_at_header(struct queue *q)
{
	struct pdu_error e;

	if (!pdu_parse(q->in.header, &q->in.pdu, &e)) {
		send_termination(q, &e);
		return false;
	}
	return check_sequence(q);
}

static void take_data(struct queue *q)
{
	struct receive *in = &q->in;
	uint32_t n = in->tail - in->head;

	if (n > in->left)
		n = in->left;
	memcpy(in->to, in->buffer + in->head, n);
	in->head += n;
	in->to += n;
	in->left -= n;
	if (!in->left)
		data_arrived(q);
}

/* Return: whether there may be more to do with what is in the buffer. */
static bool step(struct queue *q)
{
	struct receive *in = &q->in;

	if (in->head == in->tail)
		return false;
	if (in->left) {
		take_data(q);
		return q->state < QUEUE_ENDING;
	}
	if (in->header_got < PDU_COMMON) {
		if (!collect(in, PDU_COMMON) || !look_at_header(q))
			return false;
	}
	if (!collect(in, in->pdu.header))
		return false;
	return header_arrived(q) && q->state < QUEUE_ENDING;
}

/*
 * Data go where they belong without a copy, what follows them into the buffer; no more at once than up
 * to the next page of the host's memory. For a host on this machine whose kernel is older than 6.5 sends
 * its pages as they are, and takes it for an attack when two large ones that are neighbours are read in
 * one piece (CONFIG_HARDENED_USERCOPY). Return: bytes or -1.
 */
static ssize_t read_socket(struct queue *q)
{
	struct receive *in = &q->in;
	uint32_t page = in->left ? PAGE - (in->to - in->request->data) % PAGE : 0;
	const struct iovec iov[2] = {
		{ .iov_base = in->to, .iov_len = in->left < page ? in->left : page },
		{ .iov_base = in->buffer, .iov_len = in->left <= page ? sizeof(in->buffer) : 0 },
	};
	ssize_t n;

	do
		n = readv(q->fd, iov, 2);
	while (n < 0 && errno == EINTR);
	return n;
}

static void read_data(struct queue *q, size_t n)
{
	struct receive *in = &q->in;
	uint32_t direct = n < in->left ? n : in->left;

	in->head = 0;
	in->tail = n - direct;
	if (!direct)
		return;
	in->to += direct;
	in->left -= direct;
	if (!in->left)
		data_arrived(q);
}

void receive_some(struct queue *q)
{
	for (uint32_t i = 0; i < ROUNDS && q->state < QUEUE_ENDING; i++) {
		ssize_t n = read_socket(q);

		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			queue_drop(q);
			return;
		}
		read_data(q, n);
		while (q->state < QUEUE_ENDING && step(q))
			;
	}
	if (q->state == QUEUE_ENDING && recv(q->fd, q->in.buffer, sizeof(q->in.buffer), 0) == 0)
		queue_drop(q);
}
