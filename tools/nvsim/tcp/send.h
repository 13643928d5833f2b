/* SPDX-License-Identifier: GPL-2.0-only */
/* What goes out on a connection, in order, as fast as the host takes it. */
#ifndef TOOLS_NVSIM_TCP_SEND_H
#define TOOLS_NVSIM_TCP_SEND_H

#include "tools/nvsim/tcp/queue.h"

/* Each queues a PDU; send_flush sends. The request is free when its response is out. */
void send_icresp(struct request *r);
void send_r2t(struct request *r);
void send_response(struct request *r);

/* Sends what the socket takes. Return: whether all is out. */
bool send_flush(struct queue *q);

/* Tells the host what it did wrong, and ends the connection. */
void send_termination(struct queue *q, const struct pdu_error *e);

#endif
