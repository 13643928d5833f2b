/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which write carries which placement identifier (Flexible Data Placement, NVMe Base 2.1): what
 * nvme_placement= and nvme_placement_select= ask for, and what the namespace has.
 */
#ifndef ENGINE_PLACEMENT_H
#define ENGINE_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/target.h"

enum {
	PLACEMENT_MAX = 128, /* identifiers of a job; fio's own limit, too */
	PLACEMENT_MAX_TURNS = 1024, /* the sum of weights */
	PLACEMENT_DTYPE = 2, /* Write, CDW12 DTYPE: data placement */
};

/* One descriptor of Reclaim Unit Handle Status: where writes with an identifier go. */
struct placement_handle {
	uint16_t pid; /* placement identifier */
	uint16_t ruhid; /* reclaim unit handle */
	uint64_t blocks_left; /* RUAMW: logical blocks that its reclaim unit still takes */
};

enum placement_kind {
	PLACEMENT_NONE,
	PLACEMENT_TURNS, /* one after the other: roundrobin, job, weighted */
	PLACEMENT_RANDOM,
	PLACEMENT_OFFSET, /* by the write's place */
};

/* A job's choice on one target. */
struct placement {
	enum placement_kind kind;
	uint32_t nr, at;
	uint64_t random;
	uint16_t pid[PLACEMENT_MAX_TURNS];
	uint64_t end[PLACEMENT_MAX]; /* PLACEMENT_OFFSET: bytes; where each one's range ends */
};

/* What the job asks for. */
struct placement_wishes {
	const char *ids; /* nvme_placement= */
	const char *select; /* nvme_placement_select= */
	uint32_t job; /* its number among the clones of its section */
	bool fresh_units; /* nvme_ruh_update=start */
};

/*
 * placement_check - do the other wishes have the identifiers that they are about?
 *
 * Fresh units and the choice are of nvme_placement=; fio's own dataplacement= has a choice of its own
 * (plid_select=), and nothing for fresh units. Return: 0, or -EINVAL with one line in @why.
 */
int placement_check(const struct placement_wishes *w, char *why);

/*
 * placement_open - look up and check a job's identifiers on a namespace
 * @verbose: say which map is used
 * @p: filled
 * @why: TARGET_WHY_LEN bytes; on failure one line
 *
 * Sends I/O Management Receive, and with fresh units one Send for each identifier: a drive never
 * reports a wrong identifier, it uses the default handle. Return: 0 or -errno.
 */
int placement_open(struct placement *p, const struct target *t, const struct placement_wishes *w,
		   bool verbose, char *why);

/*
 * placement_handles - the namespace's placement identifiers, in the order of RUH Status
 * @out: @max of them are filled; the rest is left out
 *
 * Return: how many there are, or -errno with one line in @why.
 */
int placement_handles(const struct target *t, struct placement_handle *out, uint32_t max,
		      char *why);

/* The identifier of the next write, which starts at byte @offset. */
static inline uint16_t placement_next(struct placement *p, uint64_t offset)
{
	uint32_t i = p->at;

	if (p->kind == PLACEMENT_TURNS) {
		p->at = i + 1 == p->nr ? 0 : i + 1;
		return p->pid[i];
	}
	if (p->kind == PLACEMENT_RANDOM) {
		p->random ^= p->random << 13; /* xorshift64, Marsaglia 2003 */
		p->random ^= p->random >> 7;
		p->random ^= p->random << 17;
		return p->pid[(p->random >> 32) * p->nr >> 32];
	}
	for (i = 0; offset >= p->end[i];)
		i++;
	return p->pid[i];
}

#endif
