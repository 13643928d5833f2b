// SPDX-License-Identifier: GPL-2.0-only
// The controller's life: enabled, reset, shut down, lost.
#include "tools/nvsim/tcp/association.h"

#include <string.h>

#include "engine/model/faults.h"
#include "engine/model/mapping.h"
#include "engine/model/power.h"

enum {
	CC_ENABLE = 1 << 0,
	CC_SHUTDOWN = 3 << 14,
	CSTS_READY = 1 << 0,
	CSTS_SHUT_DOWN = 2 << 2, /* shutdown processing is complete */
	KATO_GRANULARITY_MS = 1000, /* KAS in Identify Controller */
};

bool association_ready(const struct server *s)
{
	return s->controller.csts & CSTS_READY;
}

/* Features that a controller level reset sets back. None can be saved. */
static int reset_features(struct model *m, void *arg)
{
	model_lock(m);
	if (m->s->power.state)
		power_set(m, model_now(m), 0);
	m->s->power.workload_hint = 0;
	m->s->async_events = 0;
	model_unlock(m);
	return 0;
}

static void drop_io_queues(struct controller *c)
{
	for (uint32_t i = 1; i <= SERVER_MAX_QUEUES; i++) {
		if (c->io[i])
			queue_drop(c->io[i]);
		c->io[i] = NULL;
	}
}

/* What was under way on the admin queue and has not been answered never will be. */
static void forget_commands(struct server *s, struct queue *admin)
{
	due_forget(&s->due, admin);
	for (uint32_t i = 0; i < QUEUE_ENTRIES; i++) {
		struct request *r = &admin->request[i];

		if (r->state == REQUEST_HELD || r->state == REQUEST_DUE)
			request_free(r);
	}
}

static void reset(struct server *s)
{
	struct controller *c = &s->controller;

	drop_io_queues(c);
	c->csts = 0;
	if (mapping_run(s->model, reset_features, NULL))
		s->failed = true;
}

void association_configure(struct server *s, uint32_t cc)
{
	struct controller *c = &s->controller;

	if (!(c->cc & CC_ENABLE) && cc & CC_ENABLE)
		c->csts = CSTS_READY;
	if (c->cc & CC_ENABLE && !(cc & CC_ENABLE)) {
		reset(s);
		forget_commands(s, c->admin);
	}
	if (cc & CC_SHUTDOWN)
		c->csts |= CSTS_SHUT_DOWN;
	else
		c->csts &= ~CSTS_SHUT_DOWN;
	c->cc = cc;
}

void association_lose(struct queue *q)
{
	struct server *s = q->server;
	struct controller *c = &s->controller;

	if (q->qid && c->io[q->qid] == q)
		c->io[q->qid] = NULL;
	if (c->admin != q)
		return;
	queue_say(q, "%s is gone", c->hostnqn);
	reset(s);
	memset(c, 0, sizeof(*c));
}

void association_check_alive(struct server *s, uint64_t now)
{
	struct controller *c = &s->controller;
	uint64_t limit = (uint64_t)c->kato + KATO_GRANULARITY_MS;

	if (!c->admin || !c->kato || now < c->heard + limit * 1000000)
		return;
	queue_say(c->admin, "nothing heard for the Keep Alive Timeout of %u ms", c->kato);
	queue_drop(c->admin);
}

static int strike(struct model *m, void *arg)
{
	return faults_strike_link(m, arg);
}

bool association_fault(struct queue *q, struct nvme_uring_cmd *c)
{
	switch (mapping_run(q->server->model, strike, c)) {
	case MODEL_FAULT_DROP:
		queue_say(q, "fault: connection of I/O queue %u dropped", q->qid);
		queue_drop(q);
		return true;
	case MODEL_FAULT_RESET:
		queue_say(q, "fault: controller reset");
		queue_drop(q->server->controller.admin);
		return true;
	default:
		return false;
	}
}
