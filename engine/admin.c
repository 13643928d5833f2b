// SPDX-License-Identifier: GPL-2.0-only
// Admin commands by libnvme; a model drive is asked directly, and its answers are read as libnvme has
// them. Only what libnvme 1.0 has, and none of its calls known to be wrong.
#include "engine/admin.h"

#include <endian.h>
#include <errno.h>
#include <libnvme.h>
#include <stdlib.h>

#include "engine/model/model.h"

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
