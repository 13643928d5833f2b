// SPDX-License-Identifier: GPL-2.0-only
// The model's transport: a command is executed when it is submitted, its completion is held back
// until it is due. No thread: whoever waits for completions passes the time.
#include "engine/transport.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/image.h"
#include "engine/model/late.h"
#include "engine/model/wait.h"

/* The kernel's driver aborts a command after so long (nvme_core.io_timeout's default). */
#define ABORT_NS (30 * 1000000000ULL)

enum {
	COMMAND_ABORT_REQUESTED = 0x07, /* generic command status */
};

struct slot {
	struct nvme_uring_cmd command;
	struct model *model; /* the drive that it is aimed at */
	uint64_t sent; /* ns */
	uint64_t own; /* latency, ns */
	int32_t result;
} __attribute__((aligned(64)));

/* A completion to come. */
struct pending {
	uint64_t due;
	uint32_t slot;
};

struct drive {
	struct transport t;
	struct slot *slots;
	bool timed; /* a drive takes its time: else the clock is not read */
	/* Due at once: a ring like the queue. */
	struct completion *ready;
	uint32_t ready_head, ready_tail;
	/* Due later: a heap, the next one first. */
	struct pending *heap;
	uint32_t nr_pending;
	struct wait wait;
	struct model **models;
};

static void drive_aim(struct transport *t, uint32_t slot, uint32_t device, int buffer)
{
	struct drive *d = (struct drive *)t;

	d->slots[slot].model = d->models[device];
}

/* --- completions to come ------------------------------------------------------------------- */

static void heap_push(struct drive *d, struct pending p)
{
	uint32_t at = d->nr_pending++;

	while (at && d->heap[(at - 1) / 2].due > p.due) {
		d->heap[at] = d->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	d->heap[at] = p;
}

static void heap_pop(struct drive *d)
{
	struct pending last = d->heap[--d->nr_pending];
	uint32_t at = 0, child = 1;

	while (child < d->nr_pending) {
		if (child + 1 < d->nr_pending && d->heap[child + 1].due < d->heap[child].due)
			child++;
		if (last.due <= d->heap[child].due)
			break;
		d->heap[at] = d->heap[child];
		at = child;
		child = 2 * at + 1;
	}
	d->heap[at] = last;
}

/* --- submitting ---------------------------------------------------------------------------- */

/* As the kernel has it: what does not come from a drive is negative. Data need a buffer. */
static inline int32_t result_of(const struct nvme_uring_cmd *c, const struct model_result *r)
{
	if (__builtin_expect(!r->status, 1))
		return 0;
	if (r->error)
		return r->error;
	return c->data_len && !c->addr ? -EFAULT : r->status;
}

static void execute(struct drive *d, uint32_t number)
{
	struct slot *s = &d->slots[number];
	struct model_result r;

	s->sent = d->timed ? wait_now() : 0;
	model_io(s->model, &s->command, &r);
	s->result = result_of(&s->command, &r);
	if (!r.due) {
		d->ready[d->ready_tail++ & d->t.queue_mask] =
			(struct completion){ .slot = number, .result = s->result };
		return;
	}
	if (r.due == MODEL_NEVER) {
		s->sent = wait_now();
		s->result = COMMAND_ABORT_REQUESTED;
		r.due = s->sent + ABORT_NS;
	}
	s->own = r.due - (r.taken_up ? r.taken_up : s->sent);
	heap_push(d, (struct pending){ .due = r.due, .slot = number });
}

static int drive_commit(struct transport *t)
{
	struct drive *d = (struct drive *)t;

	while (d->t.queue_head != t->queue_tail)
		execute(d, t->queue[d->t.queue_head++ & t->queue_mask]);
	return 0;
}

/* --- completing ---------------------------------------------------------------------------- */

static uint32_t take_ready(struct drive *d, struct completion *done, uint32_t max)
{
	uint32_t n = 0;

	for (; n < max && d->ready_head != d->ready_tail; n++) {
		done[n] = d->ready[d->ready_head++ & d->t.queue_mask];
		d->t.failed |= done[n].result;
	}
	return n;
}

/* What is due @now. */
static uint32_t take_due(struct drive *d, struct completion *done, uint32_t max, uint64_t now)
{
	uint32_t n = 0;

	for (; n < max && d->nr_pending && d->heap[0].due <= now; n++) {
		struct pending p = d->heap[0];
		const struct slot *s = &d->slots[p.slot];

		heap_pop(d);
		done[n] = (struct completion){ .slot = p.slot, .result = s->result };
		d->t.failed |= s->result;
		if (d->t.late)
			late_count(d->t.late, s->own, now - s->sent);
	}
	return n;
}

static int drive_reap(struct transport *t, struct completion *done, uint32_t min, uint32_t max)
{
	struct drive *d = (struct drive *)t;
	uint32_t n;

	t->failed = 0;
	drive_commit(t);
	n = d->nr_pending ? take_due(d, done, max, wait_now()) : 0;
	n += take_ready(d, done + n, max - n);
	while (n < min) {
		if (!d->nr_pending)
			return -EINVAL; /* more than are in flight: no end would come */
		n += take_due(d, done + n, max - n, wait_until(&d->wait, d->heap[0].due));
	}
	return n;
}

/* Nothing to register: the model reads and writes the buffers itself. */
static int drive_register_buffers(struct transport *t, const struct iovec *iov, uint32_t nr)
{
	return 0;
}

static int drive_run(struct transport *t, uint32_t device, const struct nvme_uring_cmd *c)
{
	struct drive *d = (struct drive *)t;
	struct model_result r;

	model_io(d->models[device], c, &r);
	if (r.due == MODEL_NEVER) {
		wait_until(&d->wait, wait_now() + ABORT_NS);
		return COMMAND_ABORT_REQUESTED;
	}
	if (r.due)
		wait_until(&d->wait, r.due);
	return result_of(c, &r);
}

static void drive_close(struct transport *t)
{
	struct drive *d = (struct drive *)t;

	free(d->slots);
	free(d->t.queue);
	free(d->ready);
	free(d->heap);
	free(d->models);
	free(d);
}

static const struct transport_ops drive_ops = {
	.aim = drive_aim,
	.commit = drive_commit,
	.reap = drive_reap,
	.register_buffers = drive_register_buffers,
	.run = drive_run,
	.close = drive_close,
};

static int allocate(struct drive *d, const struct transport_params *p)
{
	uint32_t ring = 1;

	while (ring < p->slots)
		ring *= 2;
	d->slots = aligned_alloc(_Alignof(struct slot), p->slots * sizeof(*d->slots));
	d->t.queue = calloc(ring, sizeof(*d->t.queue));
	d->ready = calloc(ring, sizeof(*d->ready));
	d->heap = calloc(p->slots, sizeof(*d->heap));
	d->models = calloc(p->nr_devices, sizeof(struct model *));
	if (!d->slots || !d->t.queue || !d->ready || !d->heap || !d->models)
		return -ENOMEM;
	memset(d->slots, 0, p->slots * sizeof(*d->slots));
	d->t.queue_mask = ring - 1;
	return 0;
}

int model_transport_open(const struct transport_params *p, struct transport **out)
{
	struct drive *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	if (allocate(d, p)) {
		drive_close(&d->t);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < p->nr_devices; i++) {
		d->models[i] = p->models[i];
		d->timed |= d->models[i]->g->timing;
	}
	wait_init(&d->wait, d->models[0]->s->spinner, MODEL_MAX_SPINNERS, p->poll);
	d->t.ops = &drive_ops;
	d->t.commands = (unsigned char *)&d->slots[0].command;
	d->t.command_stride = sizeof(struct slot);
	d->t.partial_buffers = true;
	d->t.keeps_dataless = true;
	if (d->timed)
		d->t.late = late_begin();
	*out = &d->t;
	return 0;
}
