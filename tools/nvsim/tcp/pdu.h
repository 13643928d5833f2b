/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PDUs of NVMe/TCP (NVM Express TCP Transport Specification 1.0, section 3.6): what a host may
 * send is checked against its type's limits before a byte of it is kept; what a controller sends is
 * built. No digests. Knows no socket and no command.
 */
#ifndef TOOLS_NVSIM_TCP_PDU_H
#define TOOLS_NVSIM_TCP_PDU_H

#include <stdbool.h>
#include <stdint.h>

enum pdu_type {
	PDU_ICREQ = 0x00, /* Initialize Connection Request */
	PDU_ICRESP = 0x01,
	PDU_H2C_TERM = 0x02, /* the host ends the connection */
	PDU_C2H_TERM = 0x03,
	PDU_COMMAND = 0x04, /* CapsuleCmd */
	PDU_RESPONSE = 0x05, /* CapsuleResp */
	PDU_H2C_DATA = 0x06,
	PDU_C2H_DATA = 0x07,
	PDU_R2T = 0x09, /* Ready to Transfer */
};

enum pdu_flag {
	PDU_LAST = 1 << 2, /* the last one of a transfer */
	PDU_SUCCESS = 1 << 3, /* ... and no CapsuleResp follows */
};

/* Fatal Error Status: why a connection is ended. */
enum pdu_fatal {
	FES_HEADER = 0x01, /* Invalid PDU Header Field */
	FES_SEQUENCE = 0x02, /* PDU Sequence Error */
	FES_RANGE = 0x04, /* Data Transfer Out of Range */
	FES_LIMIT = 0x05, /* Data Transfer Limit Exceeded */
	FES_UNSUPPORTED = 0x06, /* Unsupported Parameter */
};

enum {
	PDU_COMMON = 8, /* the header that all have */
	PDU_IC_LEN = 128,
	PDU_COMMAND_LEN = 72, /* CapsuleCmd without data */
	PDU_RESPONSE_LEN = 24,
	PDU_DATA_LEN = 24, /* H2CData and C2HData without data */
	PDU_R2T_LEN = 24,
	PDU_TERM_LEN = 24, /* without the header that it quotes */
	PDU_MAX_PADDING = 128, /* before the data: 0 to 31 dwords more than one */
	PDU_MAX_HEADER = PDU_IC_LEN + PDU_MAX_PADDING,
	PDU_MAX_CAPSULE_DATA = 8192, /* in a CapsuleCmd; what Fabrics commands may always have */
	PDU_MAX_H2C_DATA = 128 << 10, /* in an H2CData; MAXH2CDATA */
	PDU_SQE = 64, /* submission queue entry */
};

/* A common header, and how much of the PDU stands before its data. */
struct pdu {
	uint8_t type, flags, hlen, pdo;
	uint32_t plen; /* bytes, all of it */
	uint32_t header; /* bytes up to the data, padding included */
	uint32_t data; /* bytes */
};

struct pdu_error {
	uint16_t fes; /* enum pdu_fatal */
	uint32_t fei; /* with FES_HEADER and FES_UNSUPPORTED: offset of the field in the PDU */
	const char *what; /* for the user */
};

/* An Initialize Connection Request. */
struct pdu_icreq {
	uint32_t alignment; /* of data that the host receives, bytes */
	uint32_t max_r2t; /* that may be outstanding for one command, at least 1 */
};

/* An H2CData's header. */
struct pdu_data {
	uint16_t cid, ttag; /* command identifier; transfer tag: as the R2T had it */
	uint32_t offset, length;
	bool last;
};

/* A completion queue entry. */
struct pdu_cqe {
	uint64_t result; /* dwords 0 and 1 */
	uint16_t sqhd, sqid, cid, status;
};

/*
 * pdu_parse - look at a common header
 * @bytes: PDU_COMMON of them
 * @e: set on failure
 *
 * Return: whether a host may send such a PDU. Then @p->header and @p->data are within PDU_MAX_HEADER
 * and the type's limit.
 */
bool pdu_parse(const uint8_t *bytes, struct pdu *p, struct pdu_error *e);

/* Return: whether we speak what the host asks for; else @e says what we do not. */
bool pdu_parse_icreq(const uint8_t *bytes, struct pdu_icreq *ic, struct pdu_error *e);
void pdu_parse_data(const struct pdu *p, const uint8_t *bytes, struct pdu_data *d);

/* Each fills @at and returns the bytes up to the data. @length: data that follow, bytes. */
uint32_t pdu_build_icresp(uint8_t *at);
uint32_t pdu_build_response(uint8_t *at, const struct pdu_cqe *cqe);
uint32_t pdu_build_r2t(uint8_t *at, uint16_t cid, uint16_t ttag, uint32_t offset, uint32_t length);
uint32_t pdu_build_data(uint8_t *at, uint8_t flags, uint32_t alignment, uint16_t cid,
			uint32_t length);

/* With as much of the offending PDU's header as fits. @at: PDU_TERM_LEN + PDU_IC_LEN bytes. */
uint32_t pdu_build_term(uint8_t *at, const struct pdu_error *e, const uint8_t *header,
			uint32_t len);

#endif
