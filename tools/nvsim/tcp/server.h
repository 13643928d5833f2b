/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nvsim serve: a model drive as an NVMe/TCP subsystem with one controller at a time. What all parts
 * share. One thread; whatever would wait is left to the loop.
 */
#ifndef TOOLS_NVSIM_TCP_SERVER_H
#define TOOLS_NVSIM_TCP_SERVER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>

#include "tools/nvsim/tcp/due.h"
#include "tools/nvsim/tcp/queue.h"

struct model;

#define SERVER_SECOND 1000000000ULL

enum {
	SERVER_MAX_QUEUES = 64, /* I/O queues */
	SERVER_SPARE = 8, /* connections that may be on their way to be a queue */
	SERVER_NQN = 224, /* bytes of an NVMe Qualified Name, with the final 0 */
	SERVER_DRAIN_S = 5, /* that the end waits for commands which are due later */
	SERVER_CNTLID = 1,
};

struct server_settings {
	const char *path; /* the drive's file, for messages */
	const char *nqn;
	uint32_t queues; /* I/O queues, at most */
	const char *const *hosts; /* NQNs that may connect; NULL: all */
	uint32_t nr_hosts;
};

/* The controller, from the Connect of its admin queue until that ends. */
struct controller {
	struct queue *admin; /* NULL: there is no controller */
	struct queue *io[SERVER_MAX_QUEUES + 1]; /* by identifier */
	uint32_t cc, csts; /* its properties */
	uint8_t hostid[16];
	char hostnqn[SERVER_NQN];
	uint32_t kato; /* Keep Alive Timeout, ms; 0: none */
	uint64_t heard; /* when the host last sent a command, ns */
};

struct server {
	const struct server_settings *set;
	struct model *model;
	struct controller controller;
	struct queue *queues; /* all connections */
	uint32_t nr_queues;
	struct due due;
	int listener, epoll, timer, signals;
	uint64_t armed; /* what the timer is set to, ns */
	uint64_t draining; /* ns: when the drain is given up; 0: it has not begun */
	bool full; /* a connection too many was refused, and no other accepted since */
	bool failed; /* the drive's file is no more */
};

/* CLOCK_MONOTONIC, ns. */
static inline uint64_t server_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SERVER_SECOND + t.tv_nsec;
}

/*
 * From now on the signals that end a server wait for server_run(): before anybody is told that it is there.
 * @ends: set to them
 */
void server_hold_signals(sigset_t *ends);

/*
 * server_run - serve a drive until SIGTERM, SIGINT or SIGHUP
 * @listener: a listening socket; the server's from now on
 *
 * Return: 0 after a signal, -EIO when the drive's file failed (model_failure() says how), or -errno.
 */
int server_run(struct model *m, int listener, const struct server_settings *set);

#endif
