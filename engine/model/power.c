// SPDX-License-Identifier: GPL-2.0-only
// Power states as budgets of energy. nJ / mW = us; mW x ns = pJ.
#include "engine/model/power.h"

#include <string.h>

enum {
	INTERVAL_NS = 1000000000
};

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* What stands in the file may be damaged; an index never leads out of the table. */
static inline const struct model_power_state *power_state(const struct model *m, uint32_t state)
{
	return &m->g->power[state % MODEL_MAX_POWER_STATES];
}

/* For operations, mW. */
static inline uint64_t budget(const struct model *m)
{
	const struct model_power_state *ps = power_state(m, m->s->power.state);

	return ps->max_mw > ps->idle_mw ? ps->max_mw - ps->idle_mw : 1;
}

/* Energy that operations have drawn up to @now: what waits behind the gate has not. nJ. */
static uint64_t drawn_by(const struct model *m, uint64_t now)
{
	const struct model_power *p = &m->s->power;
	uint64_t ahead = p->gate_until > now ? (p->gate_until - now) / 1000 * budget(m) : 0;

	return p->drawn > ahead ? p->drawn - ahead : 0;
}

/* Add up what the drive draws by itself, and close the interval after a second or more. */
static void observe(struct model *m, uint64_t now)
{
	struct model_power *p = &m->s->power;
	uint64_t idle_mw = power_state(m, p->state)->idle_mw, total, ns;

	if (now <= p->last_seen)
		return;
	p->base += idle_mw * (now - p->last_seen) / 1000;
	p->last_seen = now;
	ns = now - p->interval_start;
	if (ns < INTERVAL_NS)
		return;
	total = drawn_by(m, now) + p->base;
	if (total > p->interval_drawn)
		p->interval_mw = (total - p->interval_drawn) * 1000 / ns;
	p->interval_drawn = total;
	p->interval_start = now;
	if (p->interval_mw > p->max_interval_mw)
		p->max_interval_mw = p->interval_mw;
}

uint64_t power_draw(struct model *m, uint64_t now, uint64_t energy)
{
	struct model_power *p = &m->s->power;
	uint64_t start = later(p->gate_until, now);

	p->gate_until = start + energy * 1000 / budget(m);
	p->drawn += energy;
	return start;
}

uint64_t power_draw_read(struct model *m, uint64_t now, uint64_t energy)
{
	struct model_power *p = &m->s->power;
	uint64_t ns = energy * 1000 / budget(m);
	uint64_t start = later(p->read_gate_until, now);

	p->gate_until = later(p->gate_until, now) + ns;
	p->read_gate_until = start + ns;
	p->drawn += energy;
	return start;
}

/* A gate's backlog is energy: at another budget it takes another time. */
static uint64_t rescale(uint64_t until, uint64_t now, uint64_t before, uint64_t after)
{
	return until > now ? now + (until - now) * before / after : until;
}

void power_set(struct model *m, uint64_t now, uint32_t state)
{
	struct model_power *p = &m->s->power;
	uint64_t before, after;

	if (state == p->state)
		return;
	observe(m, now);
	before = budget(m);
	p->stalled_until = later(p->stalled_until, now) +
			   1000ULL * power_state(m, p->state)->exit_us +
			   1000ULL * power_state(m, state)->entry_us;
	p->state = state;
	after = budget(m);
	p->gate_until = rescale(p->gate_until, now, before, after);
	p->read_gate_until = rescale(p->read_gate_until, now, before, after);
	if (power_state(m, state)->operational)
		p->operational = state;
	m->s->commands.power_state_changes++;
}

uint64_t power_wake(struct model *m, uint64_t now)
{
	struct model_power *p = &m->s->power;

	if (!m->g->timing)
		return 0;
	observe(m, now);
	if (!power_state(m, p->state)->operational)
		power_set(m, now, p->operational);
	return later(now, p->stalled_until);
}

void power_read(struct model *m, uint64_t now, struct power_reading *r)
{
	struct model_power *p = &m->s->power;
	uint64_t energy; /* nJ */

	observe(m, now);
	energy = drawn_by(m, now) + p->base;
	memset(r, 0, sizeof(*r));
	r->on_ns = now > p->on_since ? now - p->on_since : 0;
	r->energy_mj = energy / 1000000;
	r->life_energy_mj = p->life_energy_mj + r->energy_mj;
	if (r->on_ns >= 1000)
		r->average_mw = energy / (r->on_ns / 1000);
	r->interval_mw = p->interval_mw;
	r->max_interval_mw = p->max_interval_mw;
}

void power_on(struct model *m, uint64_t now)
{
	struct model_power *p = &m->s->power;
	uint64_t life = p->life_energy_mj + (p->drawn + p->base) / 1000000;

	memset(p, 0, sizeof(*p));
	p->life_energy_mj = life;
	p->on_since = p->last_seen = p->interval_start = now;
}
