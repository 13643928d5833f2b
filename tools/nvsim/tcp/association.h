/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The controller between the Connect of its admin queue and the end of that: which connections are
 * its queues, whether it is enabled, whether its host is alive.
 */
#ifndef TOOLS_NVSIM_TCP_ASSOCIATION_H
#define TOOLS_NVSIM_TCP_ASSOCIATION_H

#include <linux/nvme_ioctl.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/nvsim/tcp/server.h"

/* May commands other than Fabrics' be run? */
bool association_ready(const struct server *s);

/* Controller Configuration was set: enables, resets or shuts down. */
void association_configure(struct server *s, uint32_t cc);

/* A connection has ended, or is ending. With its admin queue the controller goes, and all its queues. */
void association_lose(struct queue *q);

/* The host has to send something within the Keep Alive Timeout. */
void association_check_alive(struct server *s, uint64_t now);

/*
 * association_fault - does a fault that somebody asked for strike the connection, not the command?
 * @c: what is about to be run
 *
 * Return: whether. Then the connection, or the whole controller, is on its way out.
 */
bool association_fault(struct queue *q, struct nvme_uring_cmd *c);

#endif
