/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Flexible Data Placement as commands see it: which reclaim unit handle a write goes to, and the
 * events that tell the host where that went wrong. The caller of all but placement_check holds the
 * lock.
 */
#ifndef ENGINE_MODEL_PLACEMENT_H
#define ENGINE_MODEL_PLACEMENT_H

#include "engine/model/controller.h"
#include "engine/model/ftl.h"

/* FDP event types of the host's, as log page 23h and feature 1Eh have them. */
enum placement_event {
	PLACEMENT_UNIT_NOT_FULL = 0x00,
	PLACEMENT_INVALID_PID = 0x03,
};

static inline uint32_t placement_directive(const struct nvme_uring_cmd *c)
{
	return c->cdw12 >> 20 & 0xf; /* DTYPE */
}

enum {
	PLACEMENT_DIRECTIVE = 2 /* Data Placement */
};

/* Is the directive of this write one that the drive has? Return: 0 or a status field. */
static inline uint16_t placement_check(const struct model *m, const struct nvme_uring_cmd *c)
{
	uint32_t directive = placement_directive(c);

	if (!directive || (directive == PLACEMENT_DIRECTIVE && m->g->fdp == 2))
		return 0;
	return SC_INVALID_FIELD;
}

/*
 * The handle of a write, for ftl_write: one reclaim group, so a placement identifier is its handle's
 * number. A wrong one is handle 0 (NVMe Base 2.1, Flexible Data Placement).
 */
static inline uint32_t placement_handle(const struct model *m, const struct nvme_uring_cmd *c)
{
	uint32_t pid = c->cdw13 >> 16; /* DSPEC */

	if (!placement_directive(c))
		return FTL_UNPLACED;
	return pid < m->g->ruhs ? pid : 0;
}

/* Bytes of a write have been placed; a long one says so piece by piece. */
void placement_count(struct model *m, const struct nvme_uring_cmd *c, uint64_t bytes);

/* Once a write: a wrong identifier is counted and, if the host asked, logged. */
void placement_report(struct model *m, const struct nvme_uring_cmd *c);

#endif
