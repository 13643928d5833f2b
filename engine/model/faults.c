// SPDX-License-Identifier: GPL-2.0-only
// Faults that somebody asked for: matched by opcode and logical blocks, every n-th command.
#include "engine/model/faults.h"

#include <time.h>

#define ANY_OPCODE UINT32_MAX

enum {
	SCT_MEDIA = 2,
	DEFAULT_STATUS = 0x06, /* Internal Error: may be sent again */
};

static bool overlap(const struct model_fault *f, uint64_t slba, uint64_t blocks)
{
	return blocks && slba <= f->last && slba + (blocks - 1) >= f->first;
}

/* Does a Dataset Management range, unchecked so far, lie where the fault is? */
static bool ranges_overlap(const struct model_fault *f, const struct nvme_uring_cmd *c)
{
	uint32_t nr = (c->cdw10 & 0xff) + 1;

	for (uint32_t i = 0; i < nr && (i + 1) * 16 <= controller_room(c); i++) {
		uint32_t blocks;
		uint64_t slba;

		memcpy(&blocks, controller_data(c) + i * 16 + 4, sizeof(blocks));
		memcpy(&slba, controller_data(c) + i * 16 + 8, sizeof(slba));
		if (overlap(f, le64toh(slba), le32toh(blocks)))
			return true;
	}
	return false;
}

static bool matches(const struct model_fault *f, const struct nvme_uring_cmd *c)
{
	if (f->opcode != ANY_OPCODE && f->opcode != c->opcode)
		return false;
	switch (c->opcode) {
	case OP_READ:
	case OP_WRITE:
	case OP_WRITE_ZEROES:
		return overlap(f, (uint64_t)c->cdw11 << 32 | c->cdw10, (c->cdw12 & 0xffff) + 1);
	case OP_DSM:
		return ranges_overlap(f, c);
	}
	/* Nobody's I/O, such as reclaim unit handles' status, which an engine asks for by itself. */
	if (c->opcode != OP_FLUSH)
		return false;
	/* no blocks: meant if named, or if everything is */
	return f->opcode != ANY_OPCODE || (!f->first && f->last == UINT64_MAX);
}

/* Counts a command that matched. Return: whether this is one of those that are struck. */
static bool strikes(struct model_fault *f)
{
	f->matched++;
	if (!f->left || (f->every > 1 && f->matched % f->every))
		return false;
	if (f->left != UINT64_MAX)
		f->left--;
	return true;
}

static uint32_t nr_faults(const struct model *m)
{
	return m->s->nr_faults < MODEL_MAX_FAULTS ? m->s->nr_faults : MODEL_MAX_FAULTS;
}

/* A failed command takes a page's time: otherwise a run that goes on after errors would look fast. */
static void fail(struct model *m, const struct model_fault *f, struct model_result *r)
{
	r->taken_up = model_now(m);
	r->status = f->status ? f->status : DEFAULT_STATUS;
	r->due = r->taken_up ? r->taken_up + m->g->t_read : 0;
	if (STATUS_SCT(r->status) == SCT_MEDIA)
		m->s->commands.media_errors++;
}

/* The first fault that ends the command is the last that counts it. */
static bool strike(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r,
		   uint64_t *delay)
{
	for (uint32_t i = 0; i < nr_faults(m); i++) {
		struct model_fault *f = &m->s->fault[i];

		if (f->kind == MODEL_FAULT_NONE || f->kind >= MODEL_FAULT_POWER)
			continue;
		if (!matches(f, c) || !strikes(f))
			continue;
		if (f->kind == MODEL_FAULT_DELAY) {
			*delay += f->delay_ns;
			continue;
		}
		if (f->kind == MODEL_FAULT_HANG)
			r->due = MODEL_NEVER;
		else
			fail(m, f, r);
		return true;
	}
	return false;
}

bool faults_strike(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r,
		   uint64_t *delay)
{
	bool ended;

	model_lock(m);
	ended = strike(m, c, r, delay);
	model_unlock(m);
	return ended;
}

void faults_delay(struct model_result *r, uint64_t delay)
{
	if (!r->due) {
		struct timespec now;

		clock_gettime(CLOCK_MONOTONIC, &now);
		r->due = now.tv_sec * 1000000000ULL + now.tv_nsec;
	}
	r->due = delay < MODEL_NEVER - r->due ? r->due + delay : MODEL_NEVER;
}

uint16_t faults_refuse_power(struct model *m)
{
	for (uint32_t i = 0; i < nr_faults(m); i++) {
		struct model_fault *f = &m->s->fault[i];

		if (f->kind == MODEL_FAULT_POWER && strikes(f))
			return f->status ? f->status : SC_NOT_CHANGEABLE;
	}
	return 0;
}

static enum model_fault_kind strike_link(struct model *m, const struct nvme_uring_cmd *c)
{
	for (uint32_t i = 0; i < nr_faults(m); i++) {
		struct model_fault *f = &m->s->fault[i];

		if (f->kind != MODEL_FAULT_DROP && f->kind != MODEL_FAULT_RESET)
			continue;
		if (matches(f, c) && strikes(f))
			return f->kind;
	}
	return MODEL_FAULT_NONE;
}

enum model_fault_kind faults_strike_link(struct model *m, const struct nvme_uring_cmd *c)
{
	enum model_fault_kind kind;

	if (!__atomic_load_n(&m->s->nr_faults, __ATOMIC_RELAXED))
		return MODEL_FAULT_NONE;
	model_lock(m);
	kind = strike_link(m, c);
	model_unlock(m);
	return kind;
}
