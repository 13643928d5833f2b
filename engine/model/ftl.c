// SPDX-License-Identifier: GPL-2.0-only
// The flash translation layer: a page map, reclaim units that are filled from front to back, and
// greedy garbage collection. Every change that counts something is a step which can be repeated.
#include "engine/model/ftl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/model/mapping.h"
#include "engine/model/timing.h"
#include "engine/model/units.h"

enum {
	AHEAD = 8 /* relocations for which the map is fetched in advance */
};

/*
 * What a killed process stored is there, and in the order of its program: so a step that is marked
 * after it was written down, and unmarked after it was made, is made exactly once in the end. Only
 * the compiler has to keep the order.
 */
static inline void keep_order(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void mark_step(struct model_state *s, enum model_step_kind kind)
{
	keep_order();
	*(volatile uint32_t *)&s->step.kind = kind;
	keep_order();
}

/* The page stands in its new place. All but the valid counts, which ftl_rebuild counts anew. */
static inline void redo_place(struct model *m)
{
	struct model_state *s = m->s;
	const struct model_step *step = &s->step;
	struct model_unit *u = &m->unit[step->unit];

	if (step->staged)
		memcpy(m->data + ((uint64_t)step->lpn << MODEL_PAGE_SHIFT), s->staging, MODEL_PAGE);
	u->written = step->ppn - step->unit * m->g->ru_pages + 1;
	m->reverse[step->ppn] = step->lpn;
	m->map[step->lpn] = step->ppn;
	s->counters.host_bytes = step->host_bytes;
	s->counters.host_pages = step->host_pages;
	s->counters.relocated_pages = step->relocated_pages;
	s->counters.ruh_bytes[step->ruh] = step->ruh_bytes;
}

static inline void redo_erase(struct model *m)
{
	struct model_state *s = m->s;
	struct model_unit *u = &m->unit[s->step.unit];

	u->state = MODEL_UNIT_FREE;
	u->written = 0;
	s->counters.erased_units = s->step.erased_units;
	s->counters.erased_pages = s->step.erased_pages;
}

/* Where a page lies. Indexes from the file are looked at before they are used: it may be overwritten. */
static inline struct model_unit *unit_of(struct model *m, uint32_t ppn)
{
	uint32_t unit = ppn / m->g->ru_pages;

	if (__builtin_expect(unit >= m->g->rus, 0))
		mapping_contradiction(m, "a page is mapped to nowhere");
	return &m->unit[unit];
}

/*
 * Write a page to the unit's next place. @bytes of the host's, for @ruh; @moved: 1 for a relocation,
 * which the host did not ask for.
 */
static inline uint32_t place(struct model *m, uint32_t lpn, uint32_t unit, uint32_t ruh,
			     uint32_t bytes, uint32_t moved)
{
	struct model_state *s = m->s;
	struct model_step *step = &s->step;
	struct model_unit *u = &m->unit[unit];
	uint32_t old = m->map[lpn];
	struct model_unit *before = old == MODEL_NONE ? NULL : unit_of(m, old);

	if (__builtin_expect(unit >= m->g->rus || u->written >= m->g->ru_pages, 0))
		mapping_contradiction(m, "an open reclaim unit has no sense");
	step->lpn = lpn;
	step->ppn = unit * m->g->ru_pages + u->written;
	step->unit = unit;
	step->ruh = ruh;
	step->host_bytes = s->counters.host_bytes + bytes;
	step->host_pages = s->counters.host_pages + !moved;
	step->relocated_pages = s->counters.relocated_pages + moved;
	step->ruh_bytes = s->counters.ruh_bytes[ruh] + bytes;
	mark_step(s, MODEL_STEP_PLACE);
	redo_place(m);
	mark_step(s, MODEL_STEP_NONE);
	if (before) {
		before->valid--;
		victims_lower(m, before - m->unit);
	} else {
		s->mapped_pages++;
	}
	u->valid++;
	return step->ppn;
}

static uint32_t frontier_of(struct model *m, uint32_t unit)
{
	if (unit >= m->g->rus || m->unit[unit].frontier >= m->nr_frontiers)
		mapping_contradiction(m, "a reclaim unit belongs to nobody");
	return m->unit[unit].frontier;
}

static void close_unit(struct model *m, uint32_t unit)
{
	uint32_t frontier = frontier_of(m, unit);

	m->unit[unit].state = MODEL_UNIT_CLOSED;
	keep_order();
	m->s->frontier[frontier] = MODEL_NONE;
	victims_lower(m, unit);
}

/* Units are taken in turn, so that all wear alike. There is one: callers see to that. */
static uint32_t open_unit(struct model *m, uint32_t frontier)
{
	struct model_state *s = m->s;
	uint32_t unit = vacant_next(m, s->next_free < m->g->rus ? s->next_free : 0);

	if (unit == MODEL_NONE)
		mapping_contradiction(m, "no reclaim unit is free");
	vacant_remove(m, unit);
	s->next_free = unit + 1 < m->g->rus ? unit + 1 : 0;
	m->unit[unit].frontier = frontier;
	m->unit[unit].valid = 0;
	keep_order();
	m->unit[unit].state = MODEL_UNIT_OPEN;
	s->free_units--;
	s->frontier[frontier] = unit;
	return unit;
}

static inline void close_if_full(struct model *m, uint32_t unit)
{
	if (m->unit[unit].written == m->g->ru_pages)
		close_unit(m, unit);
}

static void erase(struct model *m, uint32_t unit)
{
	struct model_state *s = m->s;

	s->step.unit = unit;
	s->step.erased_units = s->counters.erased_units + 1;
	s->step.erased_pages = s->counters.erased_pages + m->unit[unit].written;
	mark_step(s, MODEL_STEP_ERASE);
	redo_erase(m);
	mark_step(s, MODEL_STEP_NONE);
	s->free_units++;
	vacant_add(m, unit);
}

/*
 * Where a relocated page goes. Without a free unit, which only kills in several collections bring
 * about, that is any open one: better streams that mix for once than a drive that stands still.
 */
static uint32_t relocation_unit(struct model *m, uint32_t frontier)
{
	uint32_t unit = m->s->frontier[frontier];

	if (unit != MODEL_NONE)
		return unit;
	if (m->s->free_units)
		return open_unit(m, frontier);
	for (uint32_t i = 0; unit == MODEL_NONE && i < m->nr_frontiers; i++)
		unit = m->s->frontier[i];
	return unit;
}

/*
 * Free one unit. Its valid pages go to the GC frontier, for which one fresh unit suffices at the
 * most. model_plan() left so much room that a victim exists: were all closed units full of valid
 * pages, they would hold more than the capacity.
 */
static void collect(struct model *m)
{
	uint32_t victim = victims_take(m), first = victim * m->g->ru_pages;
	uint32_t frontier = model_gc_frontier(m, frontier_of(m, victim));
	uint32_t written = m->unit[victim].written, relocated = 0;

	for (uint32_t i = 0; i < written && m->unit[victim].valid; i++) {
		uint32_t lpn = m->reverse[first + i], unit;

		/* The map's entries lie anywhere: what takes the time is to fetch them. */
		if (i + AHEAD < written)
			__builtin_prefetch(&m->map[m->reverse[first + i + AHEAD]]);
		if (lpn >= m->g->pages || m->map[lpn] != first + i)
			continue;
		unit = relocation_unit(m, frontier);
		m->s->step.staged = 0;
		place(m, lpn, unit, 0, 0, 1);
		close_if_full(m, unit);
		relocated++;
	}
	erase(m, victim);
	m->victim = MODEL_NONE;
	timing_collect(m, relocated, m->g->ru_pages - relocated);
}

/*
 * Units are kept free as the reserve says, and one more for what a collection itself may open.
 */
static void collect_to_reserve(struct model *m)
{
	while (m->s->free_units <= m->g->reserve + 1)
		collect(m);
}

/* An open unit for a handle's own data. */
static uint32_t placed_frontier(struct model *m, uint32_t ruh)
{
	uint32_t unit = m->s->frontier[ruh];

	if (unit != MODEL_NONE)
		return unit;
	collect_to_reserve(m);
	return open_unit(m, ruh);
}

/*
 * An open unit for data that nobody placed. Relocated pages share it: it is opened first, and what
 * they leave of it is the host's. So each unit is mixed in the proportion in which they come.
 */
static uint32_t unplaced_frontier(struct model *m)
{
	uint32_t frontier = model_gc_frontier(m, 0);

	while (m->s->frontier[frontier] == MODEL_NONE) {
		open_unit(m, frontier);
		collect_to_reserve(m);
	}
	return m->s->frontier[frontier];
}

uint32_t ftl_write(struct model *m, uint32_t lpn, uint32_t ruh, uint32_t bytes, const uint8_t *page)
{
	bool placed = ruh != FTL_UNPLACED;
	uint32_t unit = placed ? placed_frontier(m, ruh) : unplaced_frontier(m);
	uint32_t ppn;

	if (page)
		memcpy(m->s->staging, page, MODEL_PAGE);
	m->s->step.staged = page != NULL;
	ppn = place(m, lpn, unit, placed ? ruh : 0, bytes, 0);

	m->s->unplaced = !placed;
	close_if_full(m, unit);
	return ppn;
}

bool ftl_deallocate(struct model *m, uint32_t lpn)
{
	uint32_t old = m->map[lpn];
	struct model_unit *u;

	if (old == MODEL_NONE)
		return false;
	u = unit_of(m, old);
	m->map[lpn] = MODEL_NONE;
	u->valid--;
	victims_lower(m, u - m->unit);
	m->s->mapped_pages--;
	return true;
}

/* The unit that the handle refers to. MODEL_NONE: its next write opens one. */
static uint32_t unit_of_handle(const struct model *m, uint32_t ruh)
{
	uint32_t unit = m->s->frontier[ruh];

	if (unit == MODEL_NONE && !ruh && m->s->unplaced)
		return m->s->frontier[model_gc_frontier(m, 0)];
	return unit;
}

uint32_t ftl_unit_left(const struct model *m, uint32_t ruh)
{
	uint32_t unit = unit_of_handle(m, ruh);

	return m->g->ru_pages - (unit == MODEL_NONE ? 0 : m->unit[unit].written);
}

uint32_t ftl_update_ruh(struct model *m, uint32_t ruh)
{
	uint32_t left = ftl_unit_left(m, ruh);

	if (left == m->g->ru_pages)
		return 0;
	close_unit(m, unit_of_handle(m, ruh));
	return left;
}

/* Finish the step that a killed process had begun. Return: false for one that cannot be. */
static bool finish_step(struct model *m)
{
	const struct model_step *step = &m->s->step;
	uint32_t kind = step->kind;

	if (kind == MODEL_STEP_NONE)
		return true;
	if (kind > MODEL_STEP_ERASE || step->unit >= m->g->rus)
		return false;
	if (kind == MODEL_STEP_ERASE) {
		redo_erase(m);
	} else {
		if (step->lpn >= m->g->pages || step->ruh >= m->g->ruhs ||
		    step->ppn / m->g->ru_pages != step->unit)
			return false;
		redo_place(m);
	}
	mark_step(m->s, MODEL_STEP_NONE);
	return true;
}

__attribute__((format(printf, 2, 3))) static int contradiction(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, MODEL_WHY_LEN, format, args);
	va_end(args);
	return -EINVAL;
}

static int count_units(struct model *m, char *why)
{
	struct model_state *s = m->s;

	s->free_units = 0;
	for (uint32_t i = 0; i < 2 * MODEL_MAX_RUHS; i++)
		s->frontier[i] = MODEL_NONE;
	for (uint32_t i = 0; i < m->g->rus; i++) {
		struct model_unit *u = &m->unit[i];

		u->valid = 0;
		if (u->state == MODEL_UNIT_FREE) {
			u->written = 0;
			s->free_units++;
			continue;
		}
		if (u->state > MODEL_UNIT_CLOSED || u->written > m->g->ru_pages ||
		    u->frontier >= m->nr_frontiers)
			return contradiction(why, "reclaim unit %u has no sense", i);
		if (u->state == MODEL_UNIT_CLOSED)
			continue;
		if (u->written == m->g->ru_pages) { /* killed before it could be closed */
			u->state = MODEL_UNIT_CLOSED;
			continue;
		}
		if (s->frontier[u->frontier] != MODEL_NONE)
			return contradiction(why, "two open reclaim units of frontier %u",
					     u->frontier);
		s->frontier[u->frontier] = i;
	}
	return 0;
}

static int count_valid(struct model *m, char *why)
{
	uint64_t total = (uint64_t)m->g->rus * m->g->ru_pages;

	m->s->mapped_pages = 0;
	for (uint32_t lpn = 0; lpn < m->g->pages; lpn++) {
		uint32_t ppn = m->map[lpn];
		struct model_unit *u;

		if (ppn == MODEL_NONE)
			continue;
		if (ppn >= total)
			return contradiction(why, "page %u is mapped to nowhere", lpn);
		u = &m->unit[ppn / m->g->ru_pages];
		if (u->state == MODEL_UNIT_FREE || ppn % m->g->ru_pages >= u->written ||
		    m->reverse[ppn] != lpn)
			return contradiction(
				why, "page %u is mapped to a place that does not hold it", lpn);
		u->valid++;
		m->s->mapped_pages++;
	}
	return 0;
}

/* What was programmed is in a unit or was erased; each host byte went by one handle. */
static int check_counters(const struct model *m, char *why)
{
	const struct model_counters *c = &m->s->counters;
	uint64_t programmed = c->erased_pages, bytes = 0;

	for (uint32_t i = 0; i < m->g->rus; i++)
		programmed += m->unit[i].written;
	for (uint32_t i = 0; i < MODEL_MAX_RUHS; i++)
		bytes += c->ruh_bytes[i];
	if (programmed != c->host_pages + c->relocated_pages)
		return contradiction(why, "the media counter does not add up");
	if (bytes != c->host_bytes)
		return contradiction(why, "the handles' counters do not add up");
	return 0;
}

/*
 * A process that was killed while it collected may have opened a unit and freed none. That is made up
 * for at once: the reserve would not last for many such kills, and then no write would ever end.
 */
static int restore_reserve(struct model *m, char *why)
{
	uint32_t room = 0, victim;

	if (m->s->free_units > m->g->reserve)
		return 0;
	for (uint32_t i = 0; i < m->nr_frontiers; i++)
		if (m->s->frontier[i] != MODEL_NONE)
			room += m->g->ru_pages - m->unit[m->s->frontier[i]].written;
	victim = victims_first(m);
	if (!m->s->free_units && (victim == MODEL_NONE || m->unit[victim].valid > room))
		return contradiction(why, "no reclaim unit is free, and none can be freed");
	collect_to_reserve(m);
	return 0;
}

int ftl_rebuild(struct model *m, char *why)
{
	int ret;

	if (!finish_step(m))
		return contradiction(why, "the step under way has no sense");
	ret = count_units(m, why);
	if (!ret)
		ret = count_valid(m, why);
	if (!ret)
		ret = check_counters(m, why);
	if (m->s->next_free >= m->g->rus)
		m->s->next_free = 0;
	units_rebuild(m);
	if (!ret)
		ret = restore_reserve(m, why);
	return ret;
}

void ftl_reset(struct model *m)
{
	struct model_state *s = m->s;

	memset(&s->counters, 0, sizeof(s->counters));
	memset(&s->step, 0, sizeof(s->step));
	for (uint32_t i = 0; i < 2 * MODEL_MAX_RUHS; i++)
		s->frontier[i] = MODEL_NONE;
	memset(m->unit, 0, m->g->rus * sizeof(*m->unit));
	memset(m->map, 0xff, m->g->pages * sizeof(*m->map));
	s->free_units = m->g->rus;
	s->next_free = 0;
	s->mapped_pages = 0;
	units_rebuild(m);
}
