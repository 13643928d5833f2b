// SPDX-License-Identifier: GPL-2.0-only
// Time as bookkeeping: when each die, channel and slot of the write buffer is free again.
#include "engine/model/timing.h"

#include <string.h>

#include "engine/model/power.h"

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A unit is striped over all dies, page by page. */
static inline uint32_t die_of(const struct model *m, uint32_t ppn)
{
	return ppn % m->g->ru_pages % m->g->dies;
}

/*
 * A channel serves in the order of arrival, whatever the dies do: what it has to carry is a sum. A
 * transfer that is ready late does not hold up those behind it.
 */
static inline uint64_t carry(struct model *m, uint64_t now, uint32_t channel)
{
	uint64_t *until = &m->s->channel_until[channel % m->g->channels];

	*until = later(*until, now) + m->g->t_transfer;
	return *until;
}

/*
 * Reads go before programs, as in drives that suspend: a read waits for the die's reads and for the
 * program in its middle, and pushes back the programs that queue.
 */
uint64_t timing_read(struct model *m, uint64_t now, uint32_t ppn)
{
	const struct model_geometry *g = m->g;
	uint32_t number;
	struct model_die *die;
	uint64_t start;

	if (!g->timing)
		return 0;
	number = die_of(m, ppn);
	die = &m->s->die[number];
	start = power_draw_read(m, now, g->e_read);
	if (die->program_until > start)
		start += (die->program_until - start) % g->t_program;
	start = later(start, die->read_until);
	if (die->program_until > start)
		die->program_until += g->t_read;
	die->read_until = start + g->t_read;
	return later(die->read_until + g->t_transfer, carry(m, now, number));
}

uint64_t timing_read_nothing(struct model *m, uint64_t now, uint32_t lpn)
{
	return m->g->timing ? carry(m, now, lpn) : 0;
}

/*
 * Relocated pages lie at the start of a unit and host pages up to its end, which is always the same
 * die: dies taken in turn would leave that one behind. So of the next two the one with less to do.
 */
static struct model_die *die_for_relocation(struct model *m)
{
	uint32_t dies = m->g->dies, first = m->s->gc_die < dies ? m->s->gc_die : 0;
	uint32_t second = first + 1 < dies ? first + 1 : 0;
	struct model_die *a = &m->s->die[first], *b = &m->s->die[second];

	m->s->gc_die = second;
	return a->program_until <= b->program_until ? a : b;
}

/* A host page brings a relocation's share with it, so that the drive does not stand still for it. */
static uint64_t pay_debt(struct model *m, uint64_t now)
{
	struct model_state *s = m->s;
	uint64_t share = s->gc_horizon ? s->gc_debt / s->gc_horizon : s->gc_debt;
	struct model_die *die;

	if (s->gc_horizon)
		s->gc_horizon--;
	if (!share)
		return 0;
	s->gc_debt -= share;
	die = die_for_relocation(m);
	die->program_until = later(later(die->program_until, die->read_until), now) + share;
	return share * m->g->e_program / m->g->t_program;
}

/*
 * The host hears of a page when the write buffer has a place for it. Places are given back in turn,
 * each when its page was programmed.
 */
uint64_t timing_write(struct model *m, uint64_t now, uint32_t ppn)
{
	const struct model_geometry *g = m->g;
	uint64_t *place, taken, start, energy;
	struct model_die *die;

	if (!g->timing)
		return 0;
	place = &m->buffer[m->s->buffer_head++ % g->buffer_pages];
	taken = later(now, *place);
	energy = g->e_program + pay_debt(m, taken);
	die = &m->s->die[die_of(m, ppn)];
	start = later(power_draw(m, now, energy), taken);
	start = later(start, later(die->program_until, die->read_until));
	die->program_until = start + g->t_program;
	*place = die->program_until;
	return taken + g->t_transfer;
}

/* Relocation's reads overlap its programs: they take no die time of their own. */
void timing_collect(struct model *m, uint32_t relocated, uint32_t gained)
{
	const struct model_geometry *g = m->g;

	if (!g->timing)
		return;
	m->s->gc_debt += (uint64_t)relocated * g->t_program + (uint64_t)g->dies * g->t_erase;
	m->s->gc_horizon += gained;
}

/* The write buffer keeps its content without power, as data-centre drives' do: nothing to wait for. */
uint64_t timing_flush(struct model *m, uint64_t now)
{
	return now;
}

void timing_reset(struct model *m)
{
	struct model_state *s = m->s;

	memset(s->die, 0, sizeof(s->die));
	memset(s->channel_until, 0, sizeof(s->channel_until));
	memset(m->buffer, 0, m->g->buffer_pages * sizeof(*m->buffer));
	s->buffer_head = 0;
	s->gc_debt = 0;
	s->gc_horizon = 0;
	s->gc_die = 0;
}
