/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Admin commands, through the kernel or to a model drive. admin.c is the only file that includes
 * libnvme.
 */
#ifndef ENGINE_ADMIN_H
#define ENGINE_ADMIN_H

#include <stdbool.h>
#include <stdint.h>

struct model;
struct placement_handle;

/* What Identify says of a namespace and its controller, as far as I/O needs it. */
struct admin_facts {
	uint32_t nsid;
	uint64_t blocks; /* NSZE, logical blocks */
	uint32_t lba_shift; /* log2 of the logical block size in bytes */
	uint32_t metadata; /* bytes a block */
	uint32_t lba_format; /* index of the format in use */
	bool extended; /* metadata travels inside the data (extended LBA) */
	bool write_protected; /* NSATTR bit 0 */
	uint64_t mdts; /* bytes; 0: no limit */
};

/*
 * admin_identify - Identify Namespace (CNS 00h) and Controller (CNS 01h)
 * @model: a model drive, or NULL: then
 * @fd: an open /dev/ngXnY
 *
 * Return: 0, -errno, or >0 an NVMe status.
 */
int admin_identify(struct model *model, int fd, struct admin_facts *facts);

/*
 * admin_ruh_status - I/O Management Receive, Reclaim Unit Handle Status
 * @out: the first *@nr descriptors
 * @nr: its length; then how many descriptors there are
 *
 * Return: 0, -errno, or >0 an NVMe status (29h: FDP is disabled).
 */
int admin_ruh_status(struct model *model, int fd, uint32_t nsid, struct placement_handle *out,
		     uint32_t *nr);

/*
 * admin_ruh_update - I/O Management Send: writes with the identifier @pid go to a fresh reclaim unit
 *
 * Return: as admin_ruh_status.
 */
int admin_ruh_update(struct model *model, int fd, uint32_t nsid, uint16_t pid);

#endif
