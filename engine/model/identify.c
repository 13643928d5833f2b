// SPDX-License-Identifier: GPL-2.0-only
/*
 * Identify (NVMe Base 2.x, "Identify command"; NVM Command Set 1.x, section 4.1.5). Knows what the
 * controller is; what it counted is in logs.c. Fields that are left 0 are optional and not supported.
 */
#include "engine/bytes.h"
#include "engine/model/controller.h"

#include <stdio.h>

enum {
	PAGE = 4096, /* every data structure of Identify */
	CSI_NVM = 0, /* command set identifier */
	HAS_FDP = 1 << 4 | 1 << 19, /* CTRATT: endurance groups, Flexible Data Placement */
	HAS_DSM = 1 << 2, /* ONCS */
	HAS_WRITE_ZEROES = 1 << 3,
	FIRST_INVALID_NSID = 0xfffffffe, /* a list cannot begin after it */
	/* power state descriptors */
	MXPS = 1 << 0,
	NOPS = 1 << 1,
	SCALE_100UW = 1 << 6,
	SCALE_10MW = 2 << 6,
	WORKLOAD_2 = 2, /* of the active power: heavy sequential writes, which run at the cap */
	/* namespace */
	OPTPERF = 1 << 4, /* NSFEAT: NPWG and so on are given */
	DLFEAT = 1 << 0 | 1 << 3, /* deallocated blocks read as zeros; Write Zeroes knows DEAC */
	/* namespace identification descriptors */
	NIDT_UUID = 3,
	NIDT_CSI = 4,
};

/* A 64-bit FNV-1a hash of what tells this drive from others. */
static uint64_t hash(const struct model_geometry *g, uint64_t basis)
{
	uint64_t h = 0xcbf29ce484222325ULL ^ basis;
	const uint64_t number[2] = { g->seed, g->created };
	const uint8_t *bytes = (const uint8_t *)number;

	for (size_t i = 0; i < sizeof(g->serial); i++)
		h = (h ^ (uint8_t)g->serial[i]) * 0x100000001b3ULL;
	for (size_t i = 0; i < sizeof(number); i++)
		h = (h ^ bytes[i]) * 0x100000001b3ULL;
	return h;
}

/* The namespace's UUID: version 8, "custom" (RFC 9562). */
static void make_uuid(const struct model_geometry *g, uint8_t *uuid)
{
	bytes_put64(uuid, hash(g, 0));
	bytes_put64(uuid + 8, hash(g, ~0ULL));
	uuid[6] = (uuid[6] & 0x0f) | 0x80;
	uuid[8] = (uuid[8] & 0x3f) | 0x80;
}

static void make_subnqn(const struct model_geometry *g, uint8_t *at)
{
	uint8_t u[16];

	make_uuid(g, u);
	snprintf((char *)at, 256,
		 "nqn.2014-08.org.nvmexpress:uuid:%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
		 "%02x%02x%02x%02x%02x%02x",
		 u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12],
		 u[13], u[14], u[15]);
}

/* In units of 10 mW where that is exact or the finer ones are too small. Return: whether it is. */
static bool put_power(uint8_t *at, uint32_t mw)
{
	bool coarse = mw % 10 == 0 || mw * 10ULL > UINT16_MAX;
	uint64_t value = coarse ? (mw + 9ULL) / 10 : mw * 10ULL;

	bytes_put16(at, value < UINT16_MAX ? value : UINT16_MAX);
	return coarse;
}

static void describe_power_state(const struct model_power_state *ps, uint32_t index, uint8_t *d)
{
	d[3] = put_power(d, ps->max_mw) ? 0 : MXPS;
	d[3] |= ps->operational ? 0 : NOPS;
	bytes_put32(d + 4, ps->entry_us);
	bytes_put32(d + 8, ps->exit_us);
	memset(d + 12, index, 4); /* relative throughput and latency, read and write: as ordered */
	d[18] = put_power(d + 16, ps->idle_mw) ? SCALE_10MW : SCALE_100UW;
	if (!ps->operational)
		return;
	d[22] = put_power(d + 20, ps->max_mw) ? SCALE_10MW : SCALE_100UW;
	d[22] |= WORKLOAD_2;
}

static void describe_controller(const struct model *m, uint8_t *p)
{
	const struct model_geometry *g = m->g;

	memcpy(p + 4, g->serial, sizeof(g->serial));
	memcpy(p + 24, g->model, sizeof(g->model));
	memcpy(p + 64, g->firmware, sizeof(g->firmware));
	p[77] = CONTROLLER_MDTS;
	bytes_put16(p + 78, 1); /* CNTLID */
	bytes_put32(p + 80, 0x20000); /* VER: 2.0 */
	bytes_put32(p + 96, g->fdp ? HAS_FDP : 0); /* CTRATT */
	p[111] = 1; /* CNTRLTYPE: I/O controller */
	p[258] = p[259] = 3; /* ACL, AERL */
	p[260] = 1 << 1 | 1 << 0; /* FRMW: one slot, read only */
	p[261] = 1 << 2 | 1 << 0; /* LPA: offsets in log pages; SMART of a namespace */
	p[263] = g->nr_power_states ? g->nr_power_states - 1 : 0; /* NPSS */
	bytes_put16(p + 266, 343); /* WCTEMP, kelvins */
	bytes_put16(p + 268, 353); /* CCTEMP */
	bytes_put64(p + 280, g->pages << MODEL_PAGE_SHIFT); /* TNVMCAP */
	bytes_put16(p + 340, g->fdp ? MODEL_ENDGID : 0); /* ENDGIDMAX */
	p[512] = 0x66; /* SQES: 64 bytes */
	p[513] = 0x44; /* CQES: 16 bytes */
	bytes_put32(p + 516, 1); /* NN */
	bytes_put16(p + 520, HAS_DSM | HAS_WRITE_ZEROES); /* ONCS */
	p[525] = 3 << 1; /* VWC: none, its buffer survives; Flush takes NSID FFFFFFFFh */
	make_subnqn(g, p + 768);
	for (uint32_t i = 0; i < g->nr_power_states && i < MODEL_MAX_POWER_STATES; i++)
		describe_power_state(&g->power[i], i, p + 2048 + i * 32);
}

static void describe_namespace(const struct model *m, uint8_t *p)
{
	const struct model_geometry *g = m->g;
	uint32_t shift = MODEL_PAGE_SHIFT - g->lba_shift;

	bytes_put64(p, controller_blocks(g)); /* NSZE */
	bytes_put64(p + 8, controller_blocks(g)); /* NCAP */
	bytes_put64(p + 16, m->s->mapped_pages << shift); /* NUSE */
	p[24] = OPTPERF;
	p[33] = DLFEAT;
	bytes_put64(p + 48, g->pages << MODEL_PAGE_SHIFT); /* NVMCAP */
	for (uint32_t at = 64; at <= 72; at += 2) /* NPWG, NPWA, NPDG, NPDA, NOWS: a page */
		bytes_put16(p + at, (1U << shift) - 1);
	bytes_put16(p + 102, g->fdp ? MODEL_ENDGID : 0);
	p[128 + 2] = g->lba_shift; /* LBAF 0: LBADS */
}

static void list_identifiers(const struct model *m, uint8_t *p)
{
	p[0] = NIDT_UUID;
	p[1] = 16;
	make_uuid(m->g, p + 4);
	p[20] = NIDT_CSI;
	p[21] = 1;
	p[24] = CSI_NVM;
}

/* CNS 08h: what does not depend on the command set. */
static void describe_independent(const struct model *m, uint8_t *p)
{
	bytes_put16(p + 12, m->g->fdp ? MODEL_ENDGID : 0);
	p[14] = 1; /* NSTAT: ready */
}

static uint16_t list_namespaces(uint32_t after, uint8_t *p)
{
	if (after >= FIRST_INVALID_NSID)
		return SC_INVALID_NAMESPACE;
	if (after < MODEL_NSID)
		bytes_put32(p, MODEL_NSID);
	return 0;
}

/* The structures of one namespace. NSID FFFFFFFFh would need namespace management. */
static uint16_t identify_namespace(const struct model *m, const struct nvme_uring_cmd *c,
				   void (*describe)(const struct model *m, uint8_t *p), uint8_t *p)
{
	if (c->nsid != MODEL_NSID)
		return SC_INVALID_NAMESPACE;
	if (describe)
		describe(m, p);
	return 0;
}

static uint16_t fill(const struct model *m, const struct nvme_uring_cmd *c, uint8_t *p)
{
	uint32_t cns = c->cdw10 & 0xff, csi = c->cdw11 >> 24;

	if (cns >= 0x05 && cns <= 0x07 && csi != CSI_NVM)
		return SC_INVALID_FIELD;
	switch (cns) {
	case 0x00:
		return identify_namespace(m, c, describe_namespace, p);
	case 0x01:
		describe_controller(m, p);
		return 0;
	case 0x02:
	case 0x07: /* of the NVM command set: the same */
		return list_namespaces(c->nsid, p);
	case 0x03:
		return identify_namespace(m, c, list_identifiers, p);
	case 0x05: /* the NVM command set's part: no protection information */
		return identify_namespace(m, c, NULL, p);
	case 0x06: /* its limits, of which there are none */
		return 0;
	case 0x08:
		return identify_namespace(m, c, describe_independent, p);
	}
	return SC_INVALID_FIELD;
}

uint16_t identify_command(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	uint8_t page[PAGE] = { 0 };
	uint16_t status = fill(m, c, page);

	if (!status)
		controller_reply(c, page, PAGE, PAGE);
	return status;
}
