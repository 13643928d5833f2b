// SPDX-License-Identifier: GPL-2.0-only
// A tree of minima: node n has the children 2n and 2n + 1, the units follow the last node. And bits.
#include "engine/model/units.h"

#include <string.h>

static uint32_t fewest(const struct model *m, uint32_t n)
{
	uint32_t unit = n - m->leaves;

	if (n < m->leaves)
		return m->victims[n];
	if (unit >= m->g->rus || unit == m->victim || m->unit[unit].state != MODEL_UNIT_CLOSED)
		return MODEL_NONE;
	return m->unit[unit].valid;
}

static uint32_t fewest_below(const struct model *m, uint32_t n)
{
	uint32_t left = fewest(m, 2 * n), right = fewest(m, 2 * n + 1);

	return left < right ? left : right;
}

uint32_t victims_first(const struct model *m)
{
	uint32_t valid = m->victims[1], n = 1;

	if (valid >= m->g->ru_pages)
		return MODEL_NONE;
	while (n < m->leaves) {
		n *= 2;
		n += fewest(m, n) != valid;
	}
	/* Anything else is damage. */
	return fewest(m, n) == valid ? n - m->leaves : MODEL_NONE;
}

uint32_t victims_take(struct model *m)
{
	uint32_t unit = victims_first(m);

	m->victim = unit;
	if (unit == MODEL_NONE)
		return unit;
	for (uint32_t n = (m->leaves + unit) / 2; n; n /= 2)
		m->victims[n] = fewest_below(m, n);
	return unit;
}

/* --- free units ---------------------------------------------------------------------------- */

void vacant_add(struct model *m, uint32_t unit)
{
	m->vacant[unit / 64] |= 1ULL << unit % 64;
	m->vacant_sum[unit / 4096] |= 1ULL << unit / 64 % 64;
}

void vacant_remove(struct model *m, uint32_t unit)
{
	m->vacant[unit / 64] &= ~(1ULL << unit % 64);
	if (!m->vacant[unit / 64])
		m->vacant_sum[unit / 4096] &= ~(1ULL << unit / 64 % 64);
}

/* The first bit that is set from @from on, below @end. Return: @end without one. */
static uint32_t next_bit(const uint64_t *word, uint32_t from, uint32_t end)
{
	uint64_t bits;

	if (from >= end)
		return end;
	bits = word[from / 64] & ~0ULL << from % 64;
	for (from -= from % 64; !bits; bits = word[from / 64]) {
		from += 64;
		if (from >= end)
			return end;
	}
	return from + (uint32_t)__builtin_ctzll(bits);
}

static uint32_t vacant_from(const struct model *m, uint32_t unit)
{
	uint32_t words = vacant_words(m->g), word = unit / 64;
	uint64_t bits = m->vacant[word] & ~0ULL << unit % 64;

	if (!bits) {
		word = next_bit(m->vacant_sum, word + 1, words);
		bits = word < words ? m->vacant[word] : 0;
	}
	return bits ? word * 64 + (uint32_t)__builtin_ctzll(bits) : MODEL_NONE;
}

uint32_t vacant_next(const struct model *m, uint32_t unit)
{
	uint32_t next = vacant_from(m, unit);

	if (next == MODEL_NONE)
		next = vacant_from(m, 0);
	/* Anything else is damage. */
	return next < m->g->rus && m->unit[next].state == MODEL_UNIT_FREE ? next : MODEL_NONE;
}

void units_rebuild(struct model *m)
{
	m->victim = MODEL_NONE;
	for (uint32_t n = m->leaves - 1; n; n--)
		m->victims[n] = fewest_below(m, n);
	memset(m->vacant, 0, units_bytes(m->g) - m->leaves * sizeof(uint32_t));
	for (uint32_t i = 0; i < m->g->rus; i++)
		if (m->unit[i].state == MODEL_UNIT_FREE)
			vacant_add(m, i);
}
