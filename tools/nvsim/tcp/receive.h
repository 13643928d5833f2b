/* SPDX-License-Identifier: GPL-2.0-only */
/* What comes in on a connection: bytes become PDUs, and these commands and their data. */
#ifndef TOOLS_NVSIM_TCP_RECEIVE_H
#define TOOLS_NVSIM_TCP_RECEIVE_H

#include "tools/nvsim/tcp/queue.h"

/* Reads what is there, for a while. A PDU that is wrong ends the connection. */
void receive_some(struct queue *q);

#endif
