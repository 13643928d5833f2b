// SPDX-License-Identifier: GPL-2.0-only
/*
 * Get Log Page: SMART (02h), Flexible Data Placement (20h to 23h; NVMe Base 2.1), and the extended
 * SMART log of OCP (C0h; Datacenter NVMe SSD specification 2.0). Only prints what others counted.
 */
#include "engine/bytes.h"
#include "engine/model/controller.h"

#include "engine/model/power.h"

enum {
	SMART_SIZE = 512,
	FDP_STATISTICS_SIZE = 64,
	FDP_CONFIG_HEADER = 16,
	FDP_CONFIG_DESCRIPTOR = 64, /* and 4 a handle */
	EVENT_SIZE = 64, /* of the header of log page 23h as well */
	LOG_MAX = 64 + MODEL_MAX_EVENTS * EVENT_SIZE, /* the longest: 23h */

	TEMPERATURE = 313, /* kelvins; nothing warms the model */
	DATA_UNIT = 512000,
	MJ_PER_WH = 3600000,
	FDPA_VALID = 1 << 7,
	RUHA_HOST = 1,
	HOST_EVENTS = 1 << 8, /* CDW10: LSP bit 0 */
	OFFSET_IS_INDEX = 1 << 23, /* CDW14: OT */
};

static const uint8_t ocp_guid[16] = {
	/* C5AF1028-EABF-F2A4-9C4F-6F7CC914D5AF, little-endian */
	0xaf, 0xd5, 0x14, 0xc9, 0x7c, 0x6f, 0x4f, 0x9c,
	0xa4, 0xf2, 0xbf, 0xea, 0x28, 0x10, 0xaf, 0xc5,
};

static uint64_t data_units(const struct model *m, uint64_t blocks)
{
	return ((blocks << m->g->lba_shift) + DATA_UNIT - 1) / DATA_UNIT;
}

/* NVMe 2.3: 16 bits and a scale of 0.1 mW or 10 mW. */
static uint32_t interval_power(uint32_t mw)
{
	return mw * 10ULL <= UINT16_MAX ? 1U << 16 | mw * 10 : 2U << 16 | (mw / 10 & 0xffff);
}

static uint32_t fill_smart(struct model *m, const struct nvme_uring_cmd *c, uint8_t *p)
{
	const struct model_command_counts *n = &m->s->commands;
	struct power_reading power;

	power_read(m, model_now(m), &power);
	bytes_put16(p + 1, TEMPERATURE);
	p[3] = 100; /* available spare, percent */
	p[4] = 10; /* its threshold */
	bytes_put64(p + 32, data_units(m, n->read_blocks));
	bytes_put64(p + 48, data_units(m, n->written_blocks));
	bytes_put64(p + 64, n->reads);
	bytes_put64(p + 80, n->writes);
	bytes_put64(p + 112, m->s->power_ons);
	bytes_put64(p + 128, power.on_ns / 3600000000000ULL);
	bytes_put64(p + 144, m->s->unsafe);
	bytes_put64(p + 160, n->media_errors);
	bytes_put16(p + 200, TEMPERATURE); /* sensor 1 */
	bytes_put64(p + 232, power.life_energy_mj / MJ_PER_WH);
	bytes_put32(p + 240, interval_power(power.interval_mw));
	return SMART_SIZE;
}

static uint32_t fill_fdp_configurations(struct model *m, const struct nvme_uring_cmd *c, uint8_t *p)
{
	const struct model_geometry *g = m->g;
	uint32_t size = (FDP_CONFIG_DESCRIPTOR + g->ruhs * 4 + 7) & ~7U;
	uint8_t *d = p + FDP_CONFIG_HEADER;

	bytes_put16(p, 0); /* NUMFDPC, 0-based */
	bytes_put32(p + 4, FDP_CONFIG_HEADER + size);
	bytes_put16(d, size);
	d[2] = FDPA_VALID; /* RGIF 0: an identifier is a handle */
	bytes_put32(d + 4, 1); /* reclaim groups */
	bytes_put16(d + 8, g->ruhs);
	bytes_put16(d + 10, g->ruhs - 1); /* MAXPIDS, 0-based */
	bytes_put32(d + 12, 1); /* namespaces */
	bytes_put64(d + 16, (uint64_t)g->ru_pages << MODEL_PAGE_SHIFT); /* RUNS, bytes */
	for (uint32_t i = 0; i < g->ruhs; i++)
		d[FDP_CONFIG_DESCRIPTOR + i * 4] = g->ruh_type;
	return FDP_CONFIG_HEADER + size;
}

static uint32_t fill_fdp_usage(struct model *m, const struct nvme_uring_cmd *c, uint8_t *p)
{
	bytes_put16(p, m->g->ruhs);
	for (uint32_t i = 0; i < m->g->ruhs; i++)
		p[8 + i * 8] = RUHA_HOST;
	return 8 + m->g->ruhs * 8;
}

static uint64_t media_bytes_written(const struct model *m)
{
	const struct model_counters *n = &m->s->counters;

	return (n->host_pages + n->relocated_pages) << MODEL_PAGE_SHIFT;
}

static uint32_t fill_fdp_statistics(struct model *m, const struct nvme_uring_cmd *c, uint8_t *p)
{
	bytes_put64(p, m->s->counters.host_bytes); /* HBMW */
	bytes_put64(p + 16, media_bytes_written(m)); /* MBMW */
	bytes_put64(p + 32, m->s->counters.erased_pages << MODEL_PAGE_SHIFT); /* MBE */
	return FDP_STATISTICS_SIZE;
}

/* Oldest first. The model has no events of the controller's. */
static uint32_t fill_fdp_events(struct model *m, const struct nvme_uring_cmd *c, uint8_t *p)
{
	uint64_t all = c->cdw10 & HOST_EVENTS ? m->s->nr_events : 0;
	uint32_t nr = all < MODEL_MAX_EVENTS ? all : MODEL_MAX_EVENTS;

	bytes_put32(p, nr);
	for (uint32_t i = 0; i < nr; i++)
		memcpy(p + EVENT_SIZE + i * EVENT_SIZE,
		       m->s->event[(all - nr + i) % MODEL_MAX_EVENTS].bytes, EVENT_SIZE);
	return EVENT_SIZE + nr * EVENT_SIZE;
}

/* Media units are bytes. Reads of the media are not counted: those of the host and of relocation. */
static uint32_t fill_ocp(struct model *m, const struct nvme_uring_cmd *c, uint8_t *p)
{
	const struct model_state *s = m->s;

	bytes_put64(p, media_bytes_written(m));
	bytes_put64(p + 16, (s->commands.read_blocks << m->g->lba_shift) +
				    (s->counters.relocated_pages << MODEL_PAGE_SHIFT));
	bytes_put16(p + 38, 100); /* bad user NAND blocks, normalised: all are good */
	bytes_put16(p + 46, 100); /* bad system NAND blocks */
	bytes_put64(p + 56, s->commands.media_errors);
	bytes_put32(p + 112, s->unsafe);
	p[120] = (uint64_t)s->free_units * 100 / m->g->rus;
	bytes_put16(p + 128, 100); /* capacitor health, percent */
	bytes_put64(p + 152, s->mapped_pages << (MODEL_PAGE_SHIFT - m->g->lba_shift)); /* NUSE */
	bytes_put64(p + 200, s->commands.power_state_changes);
	bytes_put16(p + 494, 3); /* version of this log page */
	memcpy(p + 496, ocp_guid, sizeof(ocp_guid));
	return SMART_SIZE;
}

enum fdp_need {
	NO_FDP, /* of no matter */
	FDP_SUPPORTED,
	FDP_ENABLED,
};

/* @fill prints into LOG_MAX zeroed bytes and returns the length. */
static const struct log_page {
	uint8_t id;
	enum fdp_need need;
	uint32_t (*fill)(struct model *m, const struct nvme_uring_cmd *c, uint8_t *p);
} log_pages[] = {
	{ 0x02, NO_FDP, fill_smart },		{ 0x20, FDP_SUPPORTED, fill_fdp_configurations },
	{ 0x21, FDP_ENABLED, fill_fdp_usage },	{ 0x22, FDP_ENABLED, fill_fdp_statistics },
	{ 0x23, FDP_ENABLED, fill_fdp_events }, { 0xc0, NO_FDP, fill_ocp },
};

static const struct log_page *find_log_page(uint8_t id)
{
	for (size_t i = 0; i < sizeof(log_pages) / sizeof(log_pages[0]); i++) {
		if (log_pages[i].id == id)
			return &log_pages[i];
	}
	return NULL;
}

/* The FDP logs are of an endurance group, which the Log Specific Identifier names. */
static uint16_t check_fdp(const struct model *m, const struct nvme_uring_cmd *c, enum fdp_need need)
{
	if (need == NO_FDP)
		return 0;
	if (!m->g->fdp)
		return SC_INVALID_LOG_PAGE;
	if (c->cdw11 >> 16 != MODEL_ENDGID)
		return SC_INVALID_FIELD;
	return need == FDP_ENABLED && m->g->fdp != 2 ? SC_FDP_DISABLED : 0;
}

static bool namespace_exists(uint32_t nsid)
{
	return !nsid || nsid == MODEL_NSID || nsid == CONTROLLER_ALL_NAMESPACES;
}

uint16_t logs_command(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	uint8_t page[LOG_MAX] = { 0 };
	const struct log_page *log = find_log_page(c->cdw10 & 0xff);
	uint64_t dwords = ((uint64_t)(c->cdw11 & 0xffff) << 16 | c->cdw10 >> 16) + 1;
	uint64_t offset = (uint64_t)c->cdw13 << 32 | c->cdw12;
	uint16_t status;
	uint32_t size;

	if (!log)
		return SC_INVALID_LOG_PAGE;
	if (!namespace_exists(c->nsid))
		return SC_INVALID_NAMESPACE;
	status = check_fdp(m, c, log->need);
	if (status)
		return status;
	size = log->fill(m, c, page);
	if (offset > size || offset & 3 || c->cdw14 & OFFSET_IS_INDEX)
		return SC_INVALID_FIELD;
	controller_reply(c, page + offset, size - offset, dwords * 4);
	return 0;
}
