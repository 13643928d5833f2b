// SPDX-License-Identifier: GPL-2.0-only
// One thread waits for everything: connections, the next command that is due, signals.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "tools/nvsim/tcp/association.h"
#include "tools/nvsim/tcp/command.h"
#include "tools/nvsim/tcp/receive.h"
#include "tools/nvsim/tcp/send.h"
#include "tools/nvsim/tcp/server.h"

enum {
	MAX_EVENTS = 64, /* of one look */
};
#define TICK (SERVER_SECOND / 4) /* timeouts are looked at so often */

static int watch(struct server *s, int fd, void *whose)
{
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = whose };

	return epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e) ? -errno : 0;
}

/*
 * Hanging up is no end where it is ignored, as by nohup. A reader of our messages who goes away must not take the
 * host's drive along.
 */
void server_hold_signals(sigset_t *ends)
{
	struct sigaction hangup;

	sigemptyset(ends);
	sigaddset(ends, SIGTERM);
	sigaddset(ends, SIGINT);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(ends, SIGHUP);
	sigprocmask(SIG_BLOCK, ends, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Signals arrive as bytes; the timer wakes up to the microsecond where the machine can. */
static int set_up(struct server *s)
{
	sigset_t ends;
	int ret;

	server_hold_signals(&ends);
	prctl(PR_SET_TIMERSLACK, 1UL);
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	s->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->epoll < 0 || s->timer < 0 || s->signals < 0)
		return -errno;
	ret = watch(s, s->listener, &s->listener);
	if (!ret)
		ret = watch(s, s->timer, &s->timer);
	return ret ? ret : watch(s, s->signals, &s->signals);
}

static void close_all(struct server *s)
{
	struct queue *q;

	while ((q = s->queues)) {
		s->queues = q->next;
		queue_free(q);
	}
	free(s->due.heap);
	if (s->listener >= 0)
		close(s->listener);
	if (s->epoll >= 0)
		close(s->epoll);
	if (s->timer >= 0)
		close(s->timer);
	if (s->signals >= 0)
		close(s->signals);
}

/* --- connections --------------------------------------------------------------------------- */

/* Said once, not for each of a storm. */
static bool has_room(struct server *s)
{
	uint32_t most = s->set->queues + 1 + SERVER_SPARE;

	if (s->nr_queues >= most && !s->full)
		fprintf(stderr,
			"nvsim serve: connections refused: there are %u, as many as can be\n",
			most);
	s->full = s->nr_queues >= most;
	return !s->full;
}

static bool add_queue(struct server *s, int fd, const struct sockaddr *peer, socklen_t len)
{
	struct queue *q;

	if (!has_room(s) || !due_reserve(&s->due, (s->nr_queues + 1) * QUEUE_ENTRIES))
		return false;
	q = queue_open(s, fd, peer, len);
	if (!q)
		return false;
	if (watch(s, fd, q)) {
		free(q);
		return false;
	}
	q->events = EPOLLIN;
	q->next = s->queues;
	s->queues = q;
	s->nr_queues++;
	return true;
}

static void accept_connections(struct server *s)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);
	int fd;

	while ((fd = accept4(s->listener, (struct sockaddr *)&peer, &len,
			     SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		if (!add_queue(s, fd, (struct sockaddr *)&peer, len))
			close(fd);
		len = sizeof(peer);
	}
}

static void watch_for(struct queue *q)
{
	struct epoll_event e = { .data.ptr = q };

	if (!q->server->draining)
		e.events |= EPOLLIN;
	if (q->out.first && q->state < QUEUE_ENDING)
		e.events |= EPOLLOUT;
	if (e.events == q->events)
		return;
	q->events = e.events;
	if (epoll_ctl(q->server->epoll, EPOLL_CTL_MOD, q->fd, &e))
		queue_drop(q);
}

/* Memory that sending set free lets commands go on, which may send something. */
static void push_out(struct server *s)
{
	for (struct queue *q = s->queues; q; q = q->next) {
		while (q->state < QUEUE_ENDING && send_flush(q) && command_resume(q))
			;
		if (q->state <= QUEUE_ENDING)
			watch_for(q);
	}
}

/* What has ended is no queue any more; what is dead is taken away. */
static void sweep(struct server *s)
{
	struct queue **at = &s->queues, *q;

	for (q = s->queues; q; q = q->next) {
		if (q->state < QUEUE_ENDING)
			continue;
		due_forget(&s->due, q);
		association_lose(q);
	}
	while ((q = *at)) {
		if (q->state != QUEUE_DEAD) {
			at = &q->next;
			continue;
		}
		*at = q->next;
		due_forget(&s->due, q);
		s->nr_queues--;
		queue_free(q);
	}
}

/* --- time ---------------------------------------------------------------------------------- */

static void arm(struct server *s)
{
	uint64_t next = due_next(&s->due), tick = (server_now() / TICK + 1) * TICK;
	struct itimerspec t = { 0 };

	if (s->queues && tick < next)
		next = tick;
	if (next == s->armed)
		return;
	s->armed = next;
	if (next != UINT64_MAX) {
		t.it_value.tv_sec = next / SERVER_SECOND;
		t.it_value.tv_nsec = next % SERVER_SECOND;
	}
	timerfd_settime(s->timer, TFD_TIMER_ABSTIME, &t, NULL);
}

static void check_deadlines(struct server *s, uint64_t now)
{
	for (struct queue *q = s->queues; q; q = q->next) {
		if (!q->deadline || now < q->deadline)
			continue;
		if (q->state < QUEUE_CONNECTED)
			queue_say(q, "connection ended: no Connect within %d s", QUEUE_SETUP_S);
		queue_drop(q);
	}
	association_check_alive(s, now);
}

/* --- the end ------------------------------------------------------------------------------- */

/* What was executed is still answered; nothing new is read. A second signal does not wait. */
static void begin_drain(struct server *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (s->draining) {
			s->draining = 1;
			return;
		}
		s->draining = server_now() + SERVER_DRAIN_S * SERVER_SECOND;
	}
	close(s->listener);
	s->listener = -1;
}

static bool drained(const struct server *s)
{
	if (!s->draining)
		return false;
	if (server_now() >= s->draining)
		return true;
	for (const struct queue *q = s->queues; q; q = q->next)
		if (q->out.first && q->state < QUEUE_ENDING)
			return false;
	return due_next(&s->due) == UINT64_MAX;
}

/* --- the loop ------------------------------------------------------------------------------ */

static void handle(struct server *s, const struct epoll_event *e)
{
	uint64_t expirations;
	struct queue *q = e->data.ptr;

	if (e->data.ptr == &s->listener) {
		accept_connections(s);
	} else if (e->data.ptr == &s->timer) {
		s->armed = 0;
		if (read(s->timer, &expirations, sizeof(expirations)) < 0)
			return;
	} else if (e->data.ptr == &s->signals) {
		begin_drain(s);
	} else if (e->events & (EPOLLIN | EPOLLHUP | EPOLLERR) && q->state != QUEUE_DEAD &&
		   !s->draining) {
		receive_some(q);
	} else if (e->events & (EPOLLHUP | EPOLLERR)) {
		queue_drop(q);
	}
}

static int turn(struct server *s)
{
	struct epoll_event events[MAX_EVENTS];
	int nr;

	arm(s);
	nr = epoll_wait(s->epoll, events, MAX_EVENTS, -1);
	if (nr < 0 && errno != EINTR)
		return -errno;
	for (int i = 0; i < nr; i++)
		handle(s, &events[i]);
	command_end_due(s, server_now());
	check_deadlines(s, server_now());
	push_out(s);
	sweep(s);
	return 0;
}

int server_run(struct model *m, int listener, const struct server_settings *set)
{
	struct server s = { .set = set, .model = m, .listener = listener };
	int ret;

	s.epoll = s.timer = s.signals = -1;
	ret = set_up(&s);
	while (!ret && !drained(&s) && !s.failed)
		ret = turn(&s);
	close_all(&s);
	return ret || !s.failed ? ret : -EIO;
}
