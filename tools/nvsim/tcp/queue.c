// SPDX-License-Identifier: GPL-2.0-only
// The life of a connection and of the commands on it.
#include "tools/nvsim/tcp/queue.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/nvsim/tcp/server.h"

void request_append(struct request_list *l, struct request *r)
{
	r->next = NULL;
	if (l->last)
		l->last->next = r;
	else
		l->first = r;
	l->last = r;
}

static void name_peer(struct queue *q, const struct sockaddr *peer, socklen_t len)
{
	char host[48] = "?", port[8] = "?";

	getnameinfo(peer, len, host, sizeof(host), port, sizeof(port),
		    NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(q->peer, sizeof(q->peer), peer->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
		 port);
}

struct queue *queue_open(struct server *s, int fd, const struct sockaddr *peer, socklen_t len)
{
	struct queue *q = calloc(1, sizeof(*q));
	int on = 1;

	if (!q)
		return NULL;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	q->server = s;
	q->fd = fd;
	q->alignment = 4;
	q->limit = 1; /* Connect */
	q->deadline = server_now() + QUEUE_SETUP_S * SERVER_SECOND;
	for (uint32_t i = 0; i < QUEUE_ENTRIES; i++)
		q->request[i].queue = q;
	name_peer(q, peer, len);
	return q;
}

void queue_free(struct queue *q)
{
	for (uint32_t i = 0; i < QUEUE_ENTRIES; i++)
		free(q->request[i].data);
	close(q->fd);
	free(q);
}

struct request *request_take(struct queue *q)
{
	if (q->busy >= q->limit)
		return NULL;
	for (uint32_t i = 0; i < QUEUE_ENTRIES; i++) {
		if (q->request[i].state != REQUEST_FREE)
			continue;
		q->busy++;
		q->request[i].state = REQUEST_TAKEN;
		return &q->request[i];
	}
	return NULL;
}

void request_free(struct request *r)
{
	r->queue->held -= r->data ? r->length : 0;
	r->queue->busy--;
	free(r->data);
	*r = (struct request){ .queue = r->queue };
}

bool request_hold(struct request *r, uint32_t length)
{
	r->data = calloc(1, length);
	if (!r->data)
		return false;
	r->length = length;
	r->queue->held += length;
	return true;
}

void queue_drop(struct queue *q)
{
	q->state = QUEUE_DEAD;
}

void queue_say(const struct queue *q, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "nvsim serve: %s: ", q->peer);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}
