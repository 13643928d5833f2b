// SPDX-License-Identifier: GPL-2.0-only
// Responses and data, gathered from many commands into few system calls.
#include "tools/nvsim/tcp/send.h"

#include <errno.h>
#include <sys/uio.h>

#include "engine/bytes.h"
#include "tools/nvsim/tcp/command.h"
#include "tools/nvsim/tcp/server.h"

enum {
	MAX_PIECES = 96, /* of one system call */
	NO_SQHD = 0xffff, /* submission queue flow control is off */
};

void send_icresp(struct request *r)
{
	r->state = REQUEST_SENDING;
	r->head_len = pdu_build_icresp(r->head);
	request_append(&r->queue->out, r);
}

/* One for all of the data. The transfer tag is the request's number. */
void send_r2t(struct request *r)
{
	r->state = REQUEST_R2T;
	r->head_len = pdu_build_r2t(r->head, command_cid(r), r - r->queue->request, 0, r->length);
	request_append(&r->queue->out, r);
}

static void build_tail(struct request *r)
{
	const struct queue *q = r->queue;
	const struct pdu_cqe cqe = {
		.result = r->result,
		.sqhd = q->flow_control ? q->sqhd : NO_SQHD,
		.sqid = q->qid,
		.cid = command_cid(r),
		.status = r->status,
	};

	r->tail_len = pdu_build_response(r->tail, &cqe);
}

/*
 * The data of a command that succeeded say so themselves where the host may learn nothing else from a
 * completion: neither a result nor a head pointer.
 */
void send_response(struct request *r)
{
	const struct queue *q = r->queue;
	bool data = r->length && !r->status && command_returns_data(r);
	bool alone = data && !r->result && !q->flow_control;

	r->state = REQUEST_SENDING;
	r->head_len = r->body = r->tail_len = r->sent = 0;
	if (data) {
		r->head_len = pdu_build_data(r->head, alone ? PDU_LAST | PDU_SUCCESS : PDU_LAST,
					     q->alignment, command_cid(r), r->length);
		r->body = r->length;
	}
	if (!alone)
		build_tail(r);
	request_append(&r->queue->out, r);
}

/* --- the socket ---------------------------------------------------------------------------- */

/* Adds what of a part has not been sent. @skip: bytes that have, from the part's beginning on. */
static uint32_t add_piece(struct iovec *iov, uint32_t nr, uint8_t *part, uint32_t len,
			  uint32_t *skip)
{
	uint32_t done = *skip < len ? *skip : len;

	*skip -= done;
	if (done == len)
		return nr;
	iov[nr] = (struct iovec){ .iov_base = part + done, .iov_len = len - done };
	return nr + 1;
}

static uint32_t gather(const struct queue *q, struct iovec *iov)
{
	uint32_t nr = 0;

	for (struct request *r = q->out.first; r && nr + 3 <= MAX_PIECES; r = r->next) {
		uint32_t skip = r->sent;

		nr = add_piece(iov, nr, r->head, r->head_len, &skip);
		nr = add_piece(iov, nr, r->data, r->body, &skip);
		nr = add_piece(iov, nr, r->tail, r->tail_len, &skip);
	}
	return nr;
}

static void sent_whole(struct request *r)
{
	if (r->state == REQUEST_R2T) {
		r->state = REQUEST_DATA;
		r->head_len = r->sent = 0;
		return;
	}
	request_free(r);
}

static void advance(struct queue *q, size_t bytes)
{
	struct request *r;

	while ((r = q->out.first)) {
		uint32_t left = r->head_len + r->body + r->tail_len - r->sent;

		if (bytes < left) {
			r->sent += bytes;
			return;
		}
		bytes -= left;
		q->out.first = r->next;
		if (!r->next)
			q->out.last = NULL;
		sent_whole(r);
	}
}

bool send_flush(struct queue *q)
{
	struct iovec iov[MAX_PIECES];

	while (q->out.first) {
		struct msghdr msg = { .msg_iov = iov, .msg_iovlen = gather(q, iov) };
		ssize_t n = sendmsg(q->fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (errno != EAGAIN)
				queue_drop(q);
			return false;
		}
		advance(q, n);
	}
	return true;
}

/*
 * Not in the middle of another PDU. Best effort: the host that hears nothing sees the connection end.
 * What it has sent meanwhile is still read, for a while: else its end would be a reset, which may
 * overtake these bytes.
 */
void send_termination(struct queue *q, const struct pdu_error *e)
{
	uint8_t bytes[PDU_TERM_LEN + PDU_IC_LEN];
	uint32_t len = pdu_build_term(bytes, e, q->in.header, q->in.header_got);
	bool whole = !q->out.first || !q->out.first->sent;

	queue_say(q, "connection ended: %s (fatal error status %02Xh)", e->what, e->fes);
	if (!whole || send(q->fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)len ||
	    shutdown(q->fd, SHUT_WR)) {
		queue_drop(q);
		return;
	}
	q->state = QUEUE_ENDING;
	q->deadline = server_now() + QUEUE_ENDING_S * SERVER_SECOND;
	q->out = (struct request_list){ 0 };
}
