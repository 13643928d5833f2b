/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection, which is a queue of the controller: its state, its commands, what it holds in memory.
 * Bytes come in by receive.c and go out by send.c; command.c knows what a command does.
 */
#ifndef TOOLS_NVSIM_TCP_QUEUE_H
#define TOOLS_NVSIM_TCP_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "tools/nvsim/tcp/pdu.h"

struct queue;
struct server;

enum {
	QUEUE_ENTRIES = 128, /* commands at once; MQES and one */
	QUEUE_RECEIVE = 4096, /* bytes that are read ahead; not above a page, see receive.c */
	QUEUE_MAX_HELD = 64 << 20, /* bytes of data in memory, then commands wait */
	QUEUE_SETUP_S = 10, /* until a connection must be a queue */
	QUEUE_ENDING_S = 1, /* that its end is waited for after a termination */
};

enum request_state {
	REQUEST_FREE,
	REQUEST_TAKEN,
	REQUEST_CAPSULE, /* its data in the capsule are arriving */
	REQUEST_WAITING, /* for memory */
	REQUEST_R2T, /* Ready to Transfer is on its way */
	REQUEST_DATA, /* data are arriving by H2CData */
	REQUEST_DUE, /* done; the host hears of it when it is due */
	REQUEST_HELD, /* never ends: an event request, a command that the drive swallowed */
	REQUEST_SENDING,
};

/* A command from its capsule to its response. */
struct request {
	struct queue *queue;
	struct request *next; /* in the one list that it stands in */
	enum request_state state;
	uint8_t sqe[PDU_SQE];
	uint8_t *data; /* its own; NULL without */
	uint32_t length, arrived; /* of the data, bytes */
	uint32_t capsule; /* bytes of them that the capsule had */
	uint16_t status;
	uint64_t result;
	uint64_t due; /* CLOCK_MONOTONIC, ns */
	/* What is sent for it, in this order: head, body bytes of data, tail. */
	uint8_t head[PDU_IC_LEN], tail[PDU_RESPONSE_LEN];
	uint32_t head_len, body, tail_len, sent;
};

struct request_list {
	struct request *first, *last;
};

enum queue_state {
	QUEUE_NEW, /* no ICReq so far */
	QUEUE_INITIALIZED, /* ... but no Connect */
	QUEUE_CONNECTED,
	QUEUE_ENDING, /* we ended it; what still comes is thrown away */
	QUEUE_DEAD, /* to be taken away by the loop */
};

/* Where the bytes of a connection go. */
struct receive {
	uint8_t buffer[QUEUE_RECEIVE];
	uint32_t head, tail; /* what of it has not been looked at */
	uint8_t header[PDU_MAX_HEADER];
	uint32_t header_got;
	struct pdu pdu; /* once the common header is there */
	struct request *request; /* whose data arrive; NULL: nobody's */
	uint8_t *to;
	uint32_t left; /* bytes of data to come */
};

struct queue {
	struct server *server;
	struct queue *next;
	int fd;
	uint32_t events; /* that epoll watches for */
	enum queue_state state;
	uint64_t deadline; /* until which this state may last; 0: for ever */
	char peer[64]; /* address and port, for messages */
	uint32_t alignment; /* of data that we send, bytes */
	/* since Connect */
	uint16_t qid, limit; /* commands at once */
	bool flow_control; /* submission queue head pointers are reported */
	uint16_t entries, sqhd;
	struct receive in;
	struct request_list out, waiting;
	uint64_t held; /* bytes of data in memory */
	uint32_t busy; /* requests that are not free */
	struct request request[QUEUE_ENTRIES];
};

void request_append(struct request_list *l, struct request *r);

/*
 * queue_open - a connection was accepted
 * @fd: the queue's from now on; non-blocking
 *
 * Return: the queue, or NULL without memory.
 */
struct queue *queue_open(struct server *s, int fd, const struct sockaddr *peer, socklen_t len);

/* Frees it and all of its commands, which must not be in the server's list of what is due. */
void queue_free(struct queue *q);

/* A free request. Return: NULL: as many as the queue may have are under way. */
struct request *request_take(struct queue *q);
void request_free(struct request *r);

/* Memory for the data. Return: false: no memory. The caller has seen to it that the length is bounded. */
bool request_hold(struct request *r, uint32_t length);

/* The connection ends at once, without a word to the host: the loop takes it away. */
void queue_drop(struct queue *q);

/* One line for the user about this connection. */
__attribute__((format(printf, 2, 3))) void queue_say(const struct queue *q, const char *fmt, ...);

#endif
