// SPDX-License-Identifier: GPL-2.0-only
/*
 * The controller's front door: which command is run by whom, and what is checked of all of them.
 * The commands are in blocks.c, placement.c, identify.c, logs.c, features.c.
 */
#include "engine/model/controller.h"

#include "engine/model/faults.h"
#include "engine/model/mapping.h"

enum {
	FUSED = 3 /* Command Dword 0, FUSE */
};

static controller_command *const io_commands[256] = {
	[OP_FLUSH] = blocks_flush,
	[OP_WRITE] = blocks_write,
	[OP_READ] = blocks_read,
	[OP_WRITE_ZEROES] = blocks_write_zeroes,
	[OP_DSM] = blocks_dsm,
	[OP_IO_MGMT_RECEIVE] = placement_receive,
	[OP_IO_MGMT_SEND] = placement_send,
};

static controller_command *const admin_commands[256] = {
	[OP_GET_LOG_PAGE] = logs_command,
	[OP_IDENTIFY] = identify_command,
	[OP_SET_FEATURES] = features_set,
	[OP_GET_FEATURES] = features_get,
};

static inline uint16_t run_io(struct model *m, const struct nvme_uring_cmd *c,
			      struct model_result *r)
{
	controller_command *command = io_commands[c->opcode];

	if (!command)
		return SC_INVALID_OPCODE;
	if (c->nsid != MODEL_NSID &&
	    !(c->opcode == OP_FLUSH && c->nsid == CONTROLLER_ALL_NAMESPACES))
		return SC_INVALID_NAMESPACE;
	if (c->flags & FUSED)
		return SC_INVALID_FIELD;
	return command(m, c, r);
}

static __attribute__((noinline, cold)) void
run_io_with_faults(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	uint64_t delay = 0;

	if (!faults_strike(m, c, r, &delay))
		r->status = run_io(m, c, r);
	if (delay)
		faults_delay(r, delay);
}

/* A drive without its file is none. */
static __attribute__((noinline, cold)) void end_failed(struct model *m, struct model_result *r)
{
	model_failure(m);
	*r = (struct model_result){ .status = SC_INTERNAL_ERROR, .error = -ENODEV };
}

void model_io(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	*r = (struct model_result){ 0 };
	if (mapping_enter(m)) {
		end_failed(m, r);
		return;
	}
	/* read without the lock: an injected fault may as well come one command later */
	if (__builtin_expect(__atomic_load_n(&m->s->nr_faults, __ATOMIC_RELAXED) != 0, 0))
		run_io_with_faults(m, c, r);
	else
		r->status = run_io(m, c, r);
	mapping_leave(m);
}

void model_admin(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	controller_command *command = admin_commands[c->opcode];

	*r = (struct model_result){ 0 };
	if (!command) {
		r->status = SC_INVALID_OPCODE;
		return;
	}
	if (c->flags & FUSED) {
		r->status = SC_INVALID_FIELD;
		return;
	}
	if (mapping_enter(m)) {
		end_failed(m, r);
		return;
	}
	model_lock(m);
	r->status = command(m, c, r);
	model_unlock(m);
	mapping_leave(m);
}
