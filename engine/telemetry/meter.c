// SPDX-License-Identifier: GPL-2.0-only
// Counts a job's I/O for telemetry: some ten instructions where an I/O goes out and where it ends,
// one reading of the clock a batch.
#include "engine/telemetry/meter.h"

#include <string.h>

#include "engine/io_state.h"

enum {
	LOOKS_FOR_FIOS_COUNTERS = 1000
};

/* Up to now so many were in flight. */
static inline void pass_time(struct meter *m, uint64_t now)
{
	/* Another processor's clock may be a few ticks behind. */
	if (now > m->last)
		m->area += m->inflight * (now - m->last);
	else
		now = m->last;
	m->last = now;
}

static inline uint32_t target_index(const struct io *io, const struct io_state *s)
{
	return io->nr_targets == 1 ? 0 : io_target_of(s)->index;
}

static inline struct meter *meter_of(const struct io *io, const struct io_state *s)
{
	return io->metering->meter[target_index(io, s)];
}

/* The command of a write says where it goes, however that was decided. */
static inline uint32_t stream_of(const struct io *io, const struct io_state *s)
{
	if (!(s->command->cdw12 >> 20 & 0xf))
		return METER_NO_IDENTIFIER;
	return io->metering->stream[target_index(io, s)][s->command->cdw13 >> 16];
}

void meter_issued(struct io *io)
{
	uint64_t now = meter_ticks();

	for (struct io_u **p = io->pending; p < io->pending_end; p++) {
		const struct io_state *s = &io->states[FIO_FIELD(*p, io_u_index, uint32_t)];
		uint32_t ddir = FIO_FIELD(*p, io_u_ddir, uint32_t);
		uint64_t bytes = FIO_FIELD(*p, io_u_xfer_buflen, uint64_t);
		struct meter *m = meter_of(io, s);

		if (unlikely(!m->first))
			m->first = m->last = now;
		pass_time(m, now);
		m->inflight++;
		if (ddir >= METER_DIRECTIONS)
			continue;
		m->issued[ddir] += bytes;
		m->issued_ios[ddir]++;
		if (ddir == FIO_WRITE)
			m->placed[stream_of(io, s)] += bytes;
	}
}

void meter_completed(struct io *io, const struct completion *done, uint32_t n)
{
	uint64_t now = meter_ticks();

	for (uint32_t i = 0; i < n; i++) {
		const struct io_state *s = &io->states[done[i].slot >> io->slot_shift];
		uint32_t ddir = FIO_FIELD(s->io_u, io_u_ddir, uint32_t);
		struct meter *m = meter_of(io, s);

		pass_time(m, now);
		m->inflight--;
		if (FIO_FIELD(s->io_u, io_u_error, unsigned))
			continue;
		if (ddir >= METER_DIRECTIONS) {
			m->syncs++;
			continue;
		}
		m->completed[ddir] += FIO_FIELD(s->io_u, io_u_xfer_buflen, uint64_t);
		m->completed_ios[ddir]++;
	}
}

void meter_failed(struct io *io, const struct io_state *s, uint8_t opcode, int32_t result)
{
	struct meter *m = meter_of(io, s);

	for (int i = 0; i < METER_STATUSES; i++) {
		struct meter_status *f = &m->failed[i];

		if (f->count && (f->result != result || f->opcode != opcode))
			continue;
		f->result = result;
		f->opcode = opcode;
		f->count++;
		return;
	}
	m->failed_otherwise++;
}

void meter_flushed(struct io *io, const struct io_state *s)
{
	meter_of(io, s)->syncs++;
}

/* --- fio's own counters -------------------------------------------------------------------- */

/* What the job has completed on all its targets. */
static void sum_completed(const struct metering *m, uint64_t *ios, uint64_t *bytes)
{
	memset(ios, 0, METER_DIRECTIONS * sizeof(*ios));
	memset(bytes, 0, METER_DIRECTIONS * sizeof(*bytes));
	for (uint32_t t = 0; t < m->nr_own; t++)
		for (int d = 0; d < METER_DIRECTIONS; d++) {
			ios[d] += m->own[t]->completed_ios[d];
			bytes[d] += m->own[t]->completed[d];
		}
}

/*
 * fio has set its counters back: what it has not counted since is lost to it. For a job with several
 * devices that is a sum; which device it belongs to nobody can tell.
 */
static void end_ramp(struct metering *metering, const uint64_t *bytes)
{
	uint64_t now = meter_ticks();

	for (uint32_t t = 0; t < metering->nr_own; t++) {
		struct meter *m = metering->own[t];

		pass_time(m, now);
		m->area_at_ramp = m->area;
		m->ramp_end = now;
		for (int d = 0; d < METER_DIRECTIONS; d++)
			m->discarded[d] = bytes[d] - metering->fio_bytes[d];
		__atomic_store_n(&m->ramp_over, 1, __ATOMIC_RELEASE);
	}
	metering->ramp_ended(metering->arg);
}

/* The sum over several devices says nothing of each once fio has set it back. */
static void set_known(struct metering *metering)
{
	for (uint32_t t = 0; t < metering->nr_own; t++)
		metering->own[t]->fio_known = metering->nr_own == 1 || !metering->own[t]->ramp_over;
}

/*
 * One job's finding serves all: those whose ramp time ends before they have done an I/O could not find
 * them by their content.
 */
static void find_fios_counters(struct metering *m, struct thread_data *td, const uint64_t *ios,
			       const uint64_t *bytes)
{
	uint32_t offset = __atomic_load_n(m->offset, __ATOMIC_RELAXED);

	if (offset) {
		m->fio_bytes = (const uint64_t *)((char *)td + offset);
		return;
	}
	if (m->looks == LOOKS_FOR_FIOS_COUNTERS || !(ios[0] | ios[1] | ios[2]))
		return;
	m->looks++;
	m->fio_bytes = fio_abi_find_bytes(td, ios, bytes);
	if (m->fio_bytes)
		__atomic_store_n(m->offset, (const char *)m->fio_bytes - (char *)td,
				 __ATOMIC_RELAXED);
}

static __attribute__((noinline)) void look_closer(struct metering *m, struct thread_data *td)
{
	uint64_t ios[METER_DIRECTIONS], bytes[METER_DIRECTIONS];

	sum_completed(m, ios, bytes);
	if (!m->fio_bytes)
		find_fios_counters(m, td, ios, bytes);
	if (!m->fio_bytes)
		return;
	if (memcmp(m->fio_bytes, bytes, sizeof(bytes)) != 0)
		end_ramp(m, bytes);
	set_known(m);
}

void meter_watch_fio(struct io *io, struct thread_data *td)
{
	struct metering *m = io->metering;
	const uint64_t *fio = m->fio_bytes, *own = m->own[0]->completed;

	if (m->own[0]->ramp_over)
		return;
	if (likely(fio && m->nr_own == 1 && fio[0] == own[0] && fio[1] == own[1] &&
		   fio[2] == own[2]))
		return;
	look_closer(m, td);
}

void meter_check_fio(struct io *io)
{
	struct meter *m = io->metering->own[0];
	const uint64_t *fio = io->metering->fio_bytes;

	for (int d = 0; d < METER_DIRECTIONS && fio && io->metering->nr_own == 1; d++)
		if (meter_fio(m, d) != fio[d])
			m->fio_known = 0;
}
