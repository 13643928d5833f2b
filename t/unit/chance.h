/* SPDX-License-Identifier: GPL-2.0-only */
/* Chance for fuzzers: what a step does follows from the seed and the step's number alone. */
#ifndef T_UNIT_CHANCE_H
#define T_UNIT_CHANCE_H

#include <stdint.h>

static uint64_t seed, random_state;

static uint32_t rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state >> 32;
}

static uint32_t below(uint64_t n)
{
	return n ? rnd() % n : 0;
}

/* splitmix64, so that the steps have nothing in common. */
static void start_step(uint64_t iteration)
{
	uint64_t x = seed * 0x9e3779b97f4a7c15ULL + iteration;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	random_state = (x ^ x >> 31) | 1;
}

#endif
