/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which reclaim unit is next, without looking at all of them. In the file, since all who use the drive
 * need it; follows from the units, and is made anew with the other counts. The caller holds the lock.
 *
 * To be collected: a binary tree of minima of valid pages. Its leaves are the units themselves; what is
 * not closed counts as MODEL_NONE. The unit that is being collected (m->victim) is out of it.
 * To be opened: a bit for each free unit, and a bit for each word of these that is not 0.
 */
#ifndef ENGINE_MODEL_UNITS_H
#define ENGINE_MODEL_UNITS_H

#include "engine/model/image.h"

/* Of the units of a drive: a power of two, at least 2. */
static inline uint32_t victims_leaves(const struct model_geometry *g)
{
	uint32_t leaves = 2;

	while (leaves < g->rus)
		leaves *= 2;
	return leaves;
}

/* 64-bit words of the free units' bits, and of the bits for these. */
static inline uint32_t vacant_words(const struct model_geometry *g)
{
	return (g->rus + 63) / 64;
}

/* Bytes of all this in the file. */
static inline uint64_t units_bytes(const struct model_geometry *g)
{
	uint64_t words = vacant_words(g);

	return victims_leaves(g) * sizeof(uint32_t) +
	       (words + (words + 63) / 64) * sizeof(uint64_t);
}

/* A closed unit has fewer valid pages than before, or is closed now. Mostly one comparison. */
static inline void victims_lower(struct model *m, uint32_t unit)
{
	uint32_t valid = m->unit[unit].valid;

	if (m->unit[unit].state != MODEL_UNIT_CLOSED || unit == m->victim)
		return;
	for (uint32_t n = (m->leaves + unit) / 2; n && m->victims[n] > valid; n /= 2)
		m->victims[n] = valid;
}

/*
 * Greedy: of all closed units the one with the fewest valid pages (Desnoyers, SYSTOR 2012), of these the
 * first. Return: m->victim, or MODEL_NONE: all are full of valid pages.
 */
uint32_t victims_take(struct model *m);

/* The same, but it stays among the others. */
uint32_t victims_first(const struct model *m);

/* A unit is free now, or no more. */
void vacant_add(struct model *m, uint32_t unit);
void vacant_remove(struct model *m, uint32_t unit);

/* The first free unit from @unit on, around the end. Return: MODEL_NONE without one. */
uint32_t vacant_next(const struct model *m, uint32_t unit);

/* All of it, from the units. */
void units_rebuild(struct model *m);

#endif
