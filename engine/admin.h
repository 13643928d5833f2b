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

enum {
	ADMIN_POWER_STATES = 32
};

/* Who the controller and the namespace are, for the record. Texts end at their last letter. */
struct admin_identity {
	char serial[21], model[41], firmware[9], subsystem[257];
	uint32_t version; /* NVMe's, as VER: 0x20100 is 2.1 */
	uint16_t controller_id;
	uint16_t endurance_group; /* of the namespace; 0: not told */
	bool fdp; /* the controller knows Flexible Data Placement */
	uint16_t warning_temperature, critical_temperature; /* kelvins; 0: not told */
	uint64_t nvm_bytes; /* TNVMCAP; 0: not told */
	uint32_t mdts; /* as MDTS: a power of two in units of CAP.MPSMIN; 0: no limit */
	uint32_t nr_power_states;
	struct {
		uint32_t max_uw; /* microwatts */
		uint32_t entry_us, exit_us;
		bool operational;
	} power[ADMIN_POWER_STATES];
};

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

/* admin_identity - Identify again, for what I/O does not need. Return: as admin_identify. */
int admin_identity(struct model *model, int fd, struct admin_identity *out);

/*
 * admin_get_log - Get Log Page
 * @fd: of the controller or the generic node
 * @id: LID
 * @nsid: 0xffffffff: the controller's own
 * @specific: LSI, such as an endurance group
 * @data: zeroed, then filled; @bytes: a multiple of 4
 *
 * Return: 0, -errno (-EACCES: the kernel lets CAP_SYS_ADMIN alone do it), or >0 an NVMe status.
 */
int admin_get_log(struct model *model, int fd, uint8_t id, uint32_t nsid, uint16_t specific,
		  void *data, uint32_t bytes);

/* admin_power_state - Get Features, Power Management (02h): the state in force. Return: as admin_get_log. */
int admin_power_state(struct model *model, int fd, uint32_t *state);

/*
 * admin_get_power, admin_set_power - Get and Set Features, Power Management (02h)
 * @value: PS in bits 4:0, WH in 7:5. Never saved: the drive forgets it with its power.
 *
 * Return: as admin_get_log.
 */
int admin_get_power(struct model *model, int fd, uint32_t *value);
int admin_set_power(struct model *model, int fd, uint32_t value);

#endif
