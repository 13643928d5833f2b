// SPDX-License-Identifier: GPL-2.0-only
// Admin commands by libnvme; a model drive is asked directly, and its answers are read as libnvme has
// them. Only what libnvme 1.0 has, and none of its calls known to be wrong.
#include "engine/admin.h"

#include <endian.h>
#include <errno.h>
#include <libnvme.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bytes.h"
#include "engine/model/model.h"
#include "engine/placement.h"

/*
 * MDTS counts in units of CAP.MPSMIN, a register that passthrough cannot read. The driver reports
 * no namespace on controllers whose minimum is above the host's page, so 4 KiB never overestimates.
 */
enum {
	MDTS_UNIT_SHIFT = 12
};

/* libnvme returns -1 with errno, or the status. */
static int result(int ret)
{
	return ret < 0 ? -errno : ret;
}

static void read_format(const struct nvme_id_ns *ns, struct admin_facts *f)
{
	/* FLBAS: bits 3:0 and 6:5 are the index, bit 4 says where metadata goes (Base 2.0). */
	f->lba_format = (ns->flbas & 0xf) | (ns->flbas & 0x60) >> 1;
	f->extended = ns->flbas & 0x10;
	f->metadata = le16toh(ns->lbaf[f->lba_format].ms);
	f->lba_shift = ns->lbaf[f->lba_format].ds;
	f->blocks = le64toh(ns->nsze);
	f->write_protected = ns->nsattr & 1;
}

static int ask_kernel(int fd, struct admin_facts *f, struct nvme_id_ns *ns,
		      struct nvme_id_ctrl *ctrl)
{
	int ret = result(nvme_get_nsid(fd, &f->nsid));

	if (!ret)
		ret = result(nvme_identify_ns(fd, f->nsid, ns));
	if (!ret)
		ret = result(nvme_identify_ctrl(fd, ctrl));
	return ret;
}

/* Return: a status. */
static int identify_model(struct model *m, uint32_t nsid, enum nvme_identify_cns cns, void *data)
{
	const struct nvme_uring_cmd c = {
		.opcode = nvme_admin_identify,
		.nsid = nsid,
		.addr = (uintptr_t)data,
		.data_len = NVME_IDENTIFY_DATA_SIZE,
		.cdw10 = cns,
	};
	struct model_result r;

	model_admin(m, &c, &r);
	return r.status;
}

static int ask_model(struct model *m, struct admin_facts *f, struct nvme_id_ns *ns,
		     struct nvme_id_ctrl *ctrl)
{
	int ret;

	f->nsid = MODEL_NSID;
	ret = identify_model(m, f->nsid, NVME_IDENTIFY_CNS_NS, ns);
	return ret ? ret : identify_model(m, 0, NVME_IDENTIFY_CNS_CTRL, ctrl);
}

int admin_identify(struct model *model, int fd, struct admin_facts *f)
{
	struct nvme_id_ns *ns = NULL;
	struct nvme_id_ctrl *ctrl = NULL;
	int ret;

	/* Kernels DMA into whole pages: keep the data away from our own. */
	if (posix_memalign((void **)&ns, 4096, 4096) ||
	    posix_memalign((void **)&ctrl, 4096, 4096)) {
		free(ns);
		return -ENOMEM;
	}
	ret = model ? ask_model(model, f, ns, ctrl) : ask_kernel(fd, f, ns, ctrl);
	if (!ret) {
		read_format(ns, f);
		f->mdts = ctrl->mdts ? 1ULL << (ctrl->mdts + MDTS_UNIT_SHIFT) : 0;
	}
	free(ns);
	free(ctrl);
	return ret;
}

/* --- flexible data placement -------------------------------------------------------------- */

enum {
	OP_IO_MGMT_RECEIVE = 0x12,
	OP_IO_MGMT_SEND = 0x1d,
	MO_RUH_STATUS = 1, /* of Receive */
	MO_RUH_UPDATE = 1, /* of Send */
	RUH_STATUS_HEADER = 16,
	RUH_STATUS_DESCRIPTOR = 32,
	RUH_STATUS_MAX = 2048, /* descriptors; more is no drive's */
};

/* An I/O command with data, by itself. Return: 0, -errno, or a status. */
static int run_io(struct model *m, int fd, const struct nvme_uring_cmd *c)
{
	struct model_result r;

	if (!m)
		return result(nvme_io_passthru(fd, c->opcode, 0, 0, c->nsid, 0, 0, c->cdw10,
					       c->cdw11, 0, 0, 0, 0, c->data_len,
					       (void *)(uintptr_t)c->addr, 0, NULL, 0, NULL));
	model_io(m, c, &r);
	return r.status;
}

static int read_ruh_status(struct model *m, int fd, uint32_t nsid, uint8_t *data, uint32_t bytes)
{
	const struct nvme_uring_cmd c = {
		.opcode = OP_IO_MGMT_RECEIVE,
		.nsid = nsid,
		.addr = (uintptr_t)data,
		.data_len = bytes,
		.cdw10 = MO_RUH_STATUS,
		.cdw11 = bytes / 4 - 1,
	};

	memset(data, 0, bytes);
	return run_io(m, fd, &c);
}

/* The header first: it says how long the whole is. */
static int read_whole_ruh_status(struct model *m, int fd, uint32_t nsid, uint8_t *data,
				 uint32_t *nr)
{
	int ret = read_ruh_status(m, fd, nsid, data, RUH_STATUS_HEADER);

	*nr = 0;
	if (ret)
		return ret;
	*nr = bytes_get16(data + 14);
	if (*nr > RUH_STATUS_MAX)
		return -EPROTO;
	return read_ruh_status(m, fd, nsid, data, RUH_STATUS_HEADER + *nr * RUH_STATUS_DESCRIPTOR);
}

int admin_ruh_status(struct model *model, int fd, uint32_t nsid, struct placement_handle *out,
		     uint32_t *nr)
{
	uint32_t max = *nr;
	uint8_t *data = NULL;
	int ret;

	*nr = 0;
	if (posix_memalign((void **)&data, 4096,
			   RUH_STATUS_HEADER + RUH_STATUS_MAX * RUH_STATUS_DESCRIPTOR))
		return -ENOMEM;
	ret = read_whole_ruh_status(model, fd, nsid, data, nr);
	for (uint32_t i = 0; !ret && i < *nr && i < max; i++) {
		const uint8_t *d = data + RUH_STATUS_HEADER + i * RUH_STATUS_DESCRIPTOR;

		out[i].pid = bytes_get16(d);
		out[i].ruhid = bytes_get16(d + 2);
		out[i].blocks_left = bytes_get64(d + 8);
	}
	free(data);
	return ret;
}

int admin_ruh_update(struct model *model, int fd, uint32_t nsid, uint16_t pid)
{
	uint16_t list[2] = { htole16(pid), 0 }; /* whole dwords are moved */
	const struct nvme_uring_cmd c = {
		.opcode = OP_IO_MGMT_SEND,
		.nsid = nsid,
		.addr = (uintptr_t)list,
		.data_len = sizeof(list),
		.cdw10 = MO_RUH_UPDATE, /* bits 31:16: number of identifiers - 1 */
	};

	return run_io(model, fd, &c);
}

/* --- for the record ----------------------------------------------------------------------- */

/* A field of Identify, without the blanks that fill it. @to: @len + 1 bytes. */
static void copy_text(char *to, const char *from, size_t len)
{
	while (len && (from[len - 1] == ' ' || !from[len - 1]))
		len--;
	memcpy(to, from, len);
	to[len] = '\0';
}

static void read_power_states(const struct nvme_id_ctrl *c, struct admin_identity *out)
{
	enum {
		FINE = 1 << 0, /* MXPS: MP is in 0.1 mW, else in 10 mW */
		NON_OPERATIONAL = 1 << 1,
	};

	out->nr_power_states = c->npss < ADMIN_POWER_STATES ? c->npss + 1 : ADMIN_POWER_STATES;
	for (uint32_t i = 0; i < out->nr_power_states; i++) {
		const struct nvme_id_psd *d = &c->psd[i];

		out->power[i].max_uw = le16toh(d->mp) * (d->flags & FINE ? 100U : 10000U);
		out->power[i].entry_us = le32toh(d->enlat);
		out->power[i].exit_us = le32toh(d->exlat);
		out->power[i].operational = !(d->flags & NON_OPERATIONAL);
	}
}

static void read_identity(const struct nvme_id_ns *ns, const struct nvme_id_ctrl *c,
			  struct admin_identity *out)
{
	enum {
		CTRATT_FDP = 1 << 19
	};

	copy_text(out->serial, c->sn, sizeof(c->sn));
	copy_text(out->model, c->mn, sizeof(c->mn));
	copy_text(out->firmware, c->fr, sizeof(c->fr));
	copy_text(out->subsystem, c->subnqn, strnlen(c->subnqn, sizeof(c->subnqn)));
	out->version = le32toh(c->ver);
	out->controller_id = le16toh(c->cntlid);
	out->fdp = le32toh(c->ctratt) & CTRATT_FDP;
	out->warning_temperature = le16toh(c->wctemp);
	out->critical_temperature = le16toh(c->cctemp);
	out->nvm_bytes = bytes_get64((const uint8_t *)c->tnvmcap);
	out->mdts = c->mdts;
	out->endurance_group = le16toh(ns->endgid);
	read_power_states(c, out);
}

int admin_identity(struct model *model, int fd, struct admin_identity *out)
{
	struct admin_facts facts;
	struct nvme_id_ns *ns = NULL;
	struct nvme_id_ctrl *ctrl = NULL;
	int ret;

	memset(out, 0, sizeof(*out));
	if (posix_memalign((void **)&ns, 4096, 4096) ||
	    posix_memalign((void **)&ctrl, 4096, 4096)) {
		free(ns);
		return -ENOMEM;
	}
	ret = model ? ask_model(model, &facts, ns, ctrl) : ask_kernel(fd, &facts, ns, ctrl);
	if (!ret)
		read_identity(ns, ctrl, out);
	free(ns);
	free(ctrl);
	return ret;
}

static int run_admin(struct model *m, int fd, const struct nvme_uring_cmd *c, uint32_t *dw0)
{
	struct model_result r;

	if (!m)
		return result(nvme_admin_passthru(
			fd, c->opcode, 0, 0, c->nsid, 0, 0, c->cdw10, c->cdw11, c->cdw12, c->cdw13,
			c->cdw14, 0, c->data_len, (void *)(uintptr_t)c->addr, 0, NULL, 0, dw0));
	model_admin(m, c, &r);
	if (dw0)
		*dw0 = r.dw0;
	return r.error ? r.error : r.status;
}

int admin_get_log(struct model *model, int fd, uint8_t id, uint32_t nsid, uint16_t specific,
		  void *data, uint32_t bytes)
{
	uint8_t *page = NULL;
	int ret;

	memset(data, 0, bytes);
	/* Kernels DMA into whole pages. */
	if (posix_memalign((void **)&page, 4096, (bytes + 4095) & ~4095U))
		return -ENOMEM;
	memset(page, 0, bytes);
	ret = run_admin(model, fd,
			&(struct nvme_uring_cmd){
				.opcode = nvme_admin_get_log_page,
				.nsid = nsid,
				.addr = (uintptr_t)page,
				.data_len = bytes,
				.cdw10 = (bytes / 4 - 1) << 16 | id, /* NUMDL */
				.cdw11 = (uint32_t)specific << 16,
			},
			NULL);
	if (!ret)
		memcpy(data, page, bytes);
	free(page);
	return ret;
}

int admin_power_state(struct model *model, int fd, uint32_t *state)
{
	enum {
		POWER_MANAGEMENT = 0x02,
		STATE = 0x1f,
	};
	uint32_t dw0 = 0;
	int ret = run_admin(model, fd,
			    &(struct nvme_uring_cmd){
				    .opcode = nvme_admin_get_features,
				    .cdw10 = POWER_MANAGEMENT,
			    },
			    &dw0);

	*state = dw0 & STATE;
	return ret;
}

enum {
	FEATURE_POWER_MANAGEMENT = 0x02, /* CDW10 FID; bit 31, save, stays 0 */
	POWER_MANAGEMENT_BITS = 0xff,
};

int admin_get_power(struct model *model, int fd, uint32_t *value)
{
	const struct nvme_uring_cmd c = {
		.opcode = nvme_admin_get_features,
		.cdw10 = FEATURE_POWER_MANAGEMENT,
	};
	uint32_t dw0 = 0;
	int ret = run_admin(model, fd, &c, &dw0);

	*value = dw0 & POWER_MANAGEMENT_BITS;
	return ret;
}

int admin_set_power(struct model *model, int fd, uint32_t value)
{
	const struct nvme_uring_cmd c = {
		.opcode = nvme_admin_set_features,
		.cdw10 = FEATURE_POWER_MANAGEMENT,
		.cdw11 = value & POWER_MANAGEMENT_BITS,
	};

	return run_admin(model, fd, &c, NULL);
}
