/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How NVMe commands are built (NVM Command Set specification 1.0, sections 3.2 and 3.3): whole, once,
 * and then only the words that vary.
 */
#ifndef ENGINE_COMMAND_H
#define ENGINE_COMMAND_H

#include <endian.h>
#include <linux/nvme_ioctl.h>
#include <stdint.h>
#include <string.h>

enum command_opcode {
	COMMAND_FLUSH = 0x00,
	COMMAND_WRITE = 0x01,
	COMMAND_READ = 0x02,
	COMMAND_DSM = 0x09, /* Dataset Management */
	COMMAND_OPCODES = 0x10, /* the table of counters ends here */
};

/* The most logical blocks of one Read or Write: NLB has 16 bits and is 0-based. */
enum {
	COMMAND_MAX_BLOCKS = 1 << 16
};

/* Dataset Management: up to 256 ranges; CDW11 bit 2 deallocates. */
enum {
	COMMAND_DSM_MAX_RANGES = 256,
	COMMAND_DSM_DEALLOCATE = 1 << 2
};

/* A Dataset Management range, little-endian on the wire. */
struct command_range {
	uint32_t attributes;
	uint32_t blocks;
	uint64_t slba;
};

/* A Read or Write, whole but for opcode and address. @bytes: blocks << lba_shift, not above 2^32-1. */
static inline void command_build_rw(struct nvme_uring_cmd *c, uint32_t nsid, void *data,
				    uint32_t bytes, uint32_t lba_shift)
{
	memset(c, 0, sizeof(*c));
	c->nsid = nsid;
	c->addr = (uintptr_t)data;
	c->data_len = bytes;
	c->cdw12 = (bytes >> lba_shift) - 1; /* the same value decides both: NLB, data_len */
}

/* A Write of @dtype (CDW12 23:20) with @dspec (CDW13 31:16), or with 0 a plain one. */
static inline void command_place(struct nvme_uring_cmd *c, uint32_t dtype, uint32_t dspec)
{
	c->cdw12 = (c->cdw12 & 0xffff) | dtype << 20;
	c->cdw13 = dspec << 16;
}

/* The words that vary: one byte and one 8-byte store. */
static inline void command_aim_rw(struct nvme_uring_cmd *c, uint8_t opcode, uint64_t slba)
{
	c->opcode = opcode;
	c->cdw10 = (uint32_t)slba;
	c->cdw11 = (uint32_t)(slba >> 32);
}

static inline void command_build_flush(struct nvme_uring_cmd *c, uint32_t nsid)
{
	memset(c, 0, sizeof(*c));
	c->opcode = COMMAND_FLUSH;
	c->nsid = nsid;
}

/* @ranges must live until the command has ended. @nr: 1 to COMMAND_DSM_MAX_RANGES. */
static inline void command_build_deallocate(struct nvme_uring_cmd *c, uint32_t nsid,
					    struct command_range *ranges, uint32_t nr)
{
	memset(c, 0, sizeof(*c));
	c->opcode = COMMAND_DSM;
	c->nsid = nsid;
	c->addr = (uintptr_t)ranges;
	c->data_len = nr * sizeof(*ranges);
	c->cdw10 = nr - 1;
	c->cdw11 = COMMAND_DSM_DEALLOCATE;
}

static inline void command_set_range(struct command_range *r, uint64_t slba, uint32_t blocks)
{
	r->attributes = 0;
	r->blocks = htole32(blocks);
	r->slba = htole64(slba);
}

static inline uint64_t command_slba(const struct nvme_uring_cmd *c)
{
	if (c->opcode == COMMAND_DSM)
		return le64toh(((const struct command_range *)(uintptr_t)c->addr)->slba);
	return (uint64_t)c->cdw11 << 32 | c->cdw10;
}

static inline uint64_t command_blocks(const struct nvme_uring_cmd *c)
{
	if (c->opcode == COMMAND_DSM)
		return le32toh(((const struct command_range *)(uintptr_t)c->addr)->blocks);
	return c->opcode == COMMAND_FLUSH ? 0 : (uint64_t)c->cdw12 + 1;
}

static inline const char *command_name(uint8_t opcode)
{
	switch (opcode) {
	case COMMAND_FLUSH:
		return "Flush";
	case COMMAND_WRITE:
		return "Write";
	case COMMAND_READ:
		return "Read";
	case COMMAND_DSM:
		return "Dataset Management (deallocate)";
	}
	return "command";
}

#endif
