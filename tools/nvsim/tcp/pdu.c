// SPDX-License-Identifier: GPL-2.0-only
// PDUs: bytes to fields and back. A table has each type's limits.
#include "tools/nvsim/tcp/pdu.h"

#include <stddef.h>

#include "engine/bytes.h"

enum {
	AT_HLEN = 2, /* offsets in the common header */
	AT_PDO = 3,
	AT_PLEN = 4,
	AT_PFV = 8, /* ICReq: version of the format */
	AT_HPDA = 10, /* alignment of data, dwords, 0-based */
	AT_DIGEST = 11,
	AT_MAXR2T = 12, /* 0-based */
	MAX_HPDA = 31,
};

/* What a host may send. */
static const struct limits {
	uint8_t type, hlen;
	bool needs_data;
	uint32_t max_data;
} allowed[] = {
	{ PDU_ICREQ, PDU_IC_LEN, false, 0 },
	{ PDU_H2C_TERM, PDU_TERM_LEN, false, PDU_IC_LEN },
	{ PDU_COMMAND, PDU_COMMAND_LEN, false, PDU_MAX_CAPSULE_DATA },
	{ PDU_H2C_DATA, PDU_DATA_LEN, true, PDU_MAX_H2C_DATA },
};

static bool refuse(struct pdu_error *e, uint16_t fes, uint32_t fei, const char *what)
{
	*e = (struct pdu_error){ .fes = fes, .fei = fei, .what = what };
	return false;
}

static const struct limits *find_limits(uint8_t type)
{
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		if (allowed[i].type == type)
			return &allowed[i];
	return NULL;
}

/* Where the data begin: PDO, which means nothing in a PDU without data. */
static bool find_data(const struct limits *l, struct pdu *p, struct pdu_error *e)
{
	p->header = p->hlen;
	p->data = 0;
	if (p->plen < p->hlen)
		return refuse(e, FES_HEADER, AT_PLEN, "a PDU that is shorter than its header");
	if (p->plen > p->hlen && p->type == PDU_H2C_TERM) {
		p->data = p->plen - p->hlen;
	} else if (p->plen > p->hlen) {
		if (p->pdo < p->hlen || p->pdo % 4 || p->pdo >= p->plen ||
		    p->pdo > p->hlen + PDU_MAX_PADDING)
			return refuse(e, FES_HEADER, AT_PDO, "a data offset outside the PDU");
		p->header = p->pdo;
		p->data = p->plen - p->pdo;
	}
	if (p->data > l->max_data)
		return refuse(e, FES_HEADER, AT_PLEN, "a PDU that is longer than its type may be");
	if (l->needs_data && !p->data)
		return refuse(e, FES_HEADER, AT_PLEN, "an H2CData without data");
	return true;
}

bool pdu_parse(const uint8_t *bytes, struct pdu *p, struct pdu_error *e)
{
	const struct limits *l = find_limits(bytes[0]);

	*p = (struct pdu){
		.type = bytes[0],
		.flags = bytes[1],
		.hlen = bytes[AT_HLEN],
		.pdo = bytes[AT_PDO],
		.plen = bytes_get32(bytes + AT_PLEN),
	};
	if (!l)
		return refuse(e, FES_HEADER, 0, "a PDU type that hosts do not send");
	if (p->hlen != l->hlen)
		return refuse(e, FES_HEADER, AT_HLEN, "a header length that is not its type's");
	return find_data(l, p, e);
}

bool pdu_parse_icreq(const uint8_t *bytes, struct pdu_icreq *ic, struct pdu_error *e)
{
	uint32_t max_r2t = bytes_get32(bytes + AT_MAXR2T);

	if (bytes_get16(bytes + AT_PFV))
		return refuse(e, FES_UNSUPPORTED, AT_PFV, "an unknown version of the PDU format");
	if (bytes[AT_HPDA] > MAX_HPDA)
		return refuse(e, FES_HEADER, AT_HPDA, "a data alignment above 128 bytes");
	ic->alignment = (bytes[AT_HPDA] + 1) * 4;
	ic->max_r2t = max_r2t < UINT32_MAX ? max_r2t + 1 : max_r2t;
	return true;
}

void pdu_parse_data(const struct pdu *p, const uint8_t *bytes, struct pdu_data *d)
{
	d->cid = bytes_get16(bytes + 8);
	d->ttag = bytes_get16(bytes + 10);
	d->offset = bytes_get32(bytes + 12);
	d->length = bytes_get32(bytes + 16);
	d->last = p->flags & PDU_LAST;
}

/* --- what the controller sends ------------------------------------------------------------- */

static void begin(uint8_t *at, uint8_t type, uint8_t flags, uint32_t hlen, uint32_t pdo,
		  uint32_t plen)
{
	memset(at, 0, pdo ? pdo : hlen);
	at[0] = type;
	at[1] = flags;
	at[AT_HLEN] = hlen;
	at[AT_PDO] = pdo;
	bytes_put32(at + AT_PLEN, plen);
}

/* Format 0, data aligned to dwords, no digests. */
uint32_t pdu_build_icresp(uint8_t *at)
{
	begin(at, PDU_ICRESP, 0, PDU_IC_LEN, 0, PDU_IC_LEN);
	bytes_put32(at + 12, PDU_MAX_H2C_DATA);
	return PDU_IC_LEN;
}

uint32_t pdu_build_response(uint8_t *at, const struct pdu_cqe *cqe)
{
	begin(at, PDU_RESPONSE, 0, PDU_RESPONSE_LEN, 0, PDU_RESPONSE_LEN);
	bytes_put64(at + 8, cqe->result);
	bytes_put16(at + 16, cqe->sqhd);
	bytes_put16(at + 18, cqe->sqid);
	bytes_put16(at + 20, cqe->cid);
	bytes_put16(at + 22, cqe->status << 1);
	return PDU_RESPONSE_LEN;
}

uint32_t pdu_build_r2t(uint8_t *at, uint16_t cid, uint16_t ttag, uint32_t offset, uint32_t length)
{
	begin(at, PDU_R2T, 0, PDU_R2T_LEN, 0, PDU_R2T_LEN);
	bytes_put16(at + 8, cid);
	bytes_put16(at + 10, ttag);
	bytes_put32(at + 12, offset);
	bytes_put32(at + 16, length);
	return PDU_R2T_LEN;
}

uint32_t pdu_build_data(uint8_t *at, uint8_t flags, uint32_t alignment, uint16_t cid,
			uint32_t length)
{
	uint32_t pdo = (PDU_DATA_LEN + alignment - 1) / alignment * alignment;

	begin(at, PDU_C2H_DATA, flags, PDU_DATA_LEN, pdo, pdo + length);
	bytes_put16(at + 8, cid);
	bytes_put32(at + 16, length);
	return pdo;
}

uint32_t pdu_build_term(uint8_t *at, const struct pdu_error *e, const uint8_t *header, uint32_t len)
{
	if (len > PDU_IC_LEN)
		len = PDU_IC_LEN;
	begin(at, PDU_C2H_TERM, 0, PDU_TERM_LEN, 0, PDU_TERM_LEN + len);
	bytes_put16(at + 8, e->fes);
	bytes_put32(at + 10, e->fei);
	memcpy(at + PDU_TERM_LEN, header, len);
	return PDU_TERM_LEN + len;
}
