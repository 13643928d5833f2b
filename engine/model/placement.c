// SPDX-License-Identifier: GPL-2.0-only
/*
 * I/O Management Receive and Send, the counters of placement identifiers, FDP events (NVMe Base
 * 2.1, "Flexible Data Placement", and the commands' own sections).
 */
#include "engine/model/placement.h"

#include <time.h>

#include "engine/bytes.h"
#include "engine/model/ftl.h"

enum {
	MO_NONE = 0, /* management operations */
	MO_RUH_STATUS = 1, /* of Receive */
	MO_RUH_UPDATE = 1, /* of Send */
	RUH_STATUS_HEADER = 16,
	RUH_STATUS_DESCRIPTOR = 32,
	/* an event's flags */
	PIV = 1 << 0, /* placement identifier valid */
	NSIDV = 1 << 1,
	LV = 1 << 2, /* reclaim group and handle valid */
	TIME_WAS_SET = 1 << 1, /* a timestamp's attributes: its origin is not the last reset */
};

static uint64_t milliseconds_since_1970(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/* Enabled handle by handle; of a wrong identifier that is the handle which its data go to. */
static void log_event(struct model *m, enum placement_event type, uint16_t pid, uint32_t ruh)
{
	struct model_state *s = m->s;
	uint8_t *e = s->event[s->nr_events % MODEL_MAX_EVENTS].bytes;

	if (!(s->host_event_mask[ruh] & 1U << type))
		return;
	memset(e, 0, sizeof(s->event[0].bytes));
	e[0] = type;
	e[1] = PIV | NSIDV | LV;
	bytes_put16(e + 2, pid);
	bytes_put64(e + 4, milliseconds_since_1970()); /* 6 bytes; the other two are 0 so far */
	e[10] = TIME_WAS_SET;
	bytes_put32(e + 12, MODEL_NSID);
	bytes_put16(e + 32, 0); /* reclaim group */
	bytes_put16(e + 34, ruh);
	s->nr_events++;
}

static inline bool pid_exists(const struct model *m, const struct nvme_uring_cmd *c)
{
	return c->cdw13 >> 16 < m->g->ruhs;
}

void placement_count(struct model *m, const struct nvme_uring_cmd *c, uint64_t bytes)
{
	if (placement_directive(c) && pid_exists(m, c))
		m->s->commands.pid_bytes[c->cdw13 >> 16] += bytes;
	else
		m->s->commands.default_bytes += bytes;
}

void placement_report(struct model *m, const struct nvme_uring_cmd *c)
{
	if (!placement_directive(c) || pid_exists(m, c))
		return;
	m->s->commands.bad_pids++;
	log_event(m, PLACEMENT_INVALID_PID, c->cdw13 >> 16, 0);
}

static uint16_t check_fdp(const struct model *m)
{
	if (!m->g->fdp)
		return SC_INVALID_OPCODE; /* the drive lacks these commands */
	return m->g->fdp == 2 ? 0 : SC_FDP_DISABLED;
}

static void describe_ruh(const struct model *m, uint32_t ruh, uint8_t *d)
{
	bytes_put16(d, ruh); /* placement identifier */
	bytes_put16(d + 2, ruh);
	bytes_put64(d + 8, (uint64_t)ftl_unit_left(m, ruh) << (MODEL_PAGE_SHIFT - m->g->lba_shift));
}

static void send_ruh_status(struct model *m, const struct nvme_uring_cmd *c)
{
	uint8_t page[RUH_STATUS_HEADER + MODEL_MAX_RUHS * RUH_STATUS_DESCRIPTOR] = { 0 };
	uint32_t ruhs = m->g->ruhs;

	bytes_put16(page + 14, ruhs);
	model_lock(m);
	for (uint32_t i = 0; i < ruhs; i++)
		describe_ruh(m, i, page + RUH_STATUS_HEADER + i * RUH_STATUS_DESCRIPTOR);
	model_unlock(m);
	controller_reply(c, page, RUH_STATUS_HEADER + ruhs * RUH_STATUS_DESCRIPTOR,
			 ((uint64_t)c->cdw11 + 1) * 4);
}

uint16_t placement_receive(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	uint16_t status = check_fdp(m);

	if (status)
		return status;
	switch (c->cdw10 & 0xff) {
	case MO_NONE:
		return 0;
	case MO_RUH_STATUS:
		send_ruh_status(m, c);
		return 0;
	}
	return SC_INVALID_FIELD;
}

/* All identifiers are looked at before the first handle is touched. */
static uint16_t find_pids(const struct model *m, const struct nvme_uring_cmd *c, uint16_t *pid,
			  uint32_t nr)
{
	if (nr > MODEL_MAX_RUHS)
		return SC_INVALID_FIELD;
	if (controller_room(c) < nr * sizeof(*pid))
		return SC_DATA_LENGTH;
	memcpy(pid, controller_data(c), nr * sizeof(*pid));
	for (uint32_t i = 0; i < nr; i++) {
		pid[i] = le16toh(pid[i]);
		if (pid[i] >= m->g->ruhs)
			return SC_INVALID_FIELD;
	}
	return 0;
}

static uint16_t update_ruhs(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	uint16_t pid[MODEL_MAX_RUHS];
	uint32_t nr = (c->cdw10 >> 16) + 1;
	uint16_t status = find_pids(m, c, pid, nr);

	if (status)
		return status;
	model_lock(m);
	r->due = controller_take_up(m, r);
	for (uint32_t i = 0; i < nr; i++) {
		if (ftl_update_ruh(m, pid[i]))
			log_event(m, PLACEMENT_UNIT_NOT_FULL, pid[i], pid[i]);
	}
	model_unlock(m);
	return 0;
}

uint16_t placement_send(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	uint16_t status = check_fdp(m);

	if (status)
		return status;
	switch (c->cdw10 & 0xff) {
	case MO_NONE:
		return 0;
	case MO_RUH_UPDATE:
		return update_ruhs(m, c, r);
	}
	return SC_INVALID_FIELD;
}
