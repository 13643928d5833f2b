// SPDX-License-Identifier: GPL-2.0-only
// Reads the logs, one after the other, the one that WAF hangs on first.
#include "engine/telemetry/snapshot.h"

#include <errno.h>
#include <string.h>

#include "engine/admin.h"
#include "engine/model/model.h"

enum {
	CONTROLLERS_OWN = -1 /* NSID of logs that are not a namespace's */
};

uint64_t snapshot_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Energy over the drive's life. NVMe 2.3 counts watt-hours, too coarse for a run; the model does not. */
static int32_t read_energy(const struct drive_source *source, uint64_t *uj)
{
	uint64_t mj = 0;

	if (!source->model || !model_energy(source->model, &mj))
		return SNAPSHOT_NOT_ASKED;
	*uj = mj * 1000;
	return 0;
}

void snapshot_take(const struct drive_source *s, const struct drive_questions *q,
		   struct snapshot *out)
{
	memset(out, 0, sizeof(*out));
	out->fdp_result = out->ocp_result = out->power_result = SNAPSHOT_NOT_ASKED;
	clock_gettime(CLOCK_REALTIME, &out->wall);
	out->at_ns = snapshot_now();
	if (q->fdp)
		out->fdp_result = admin_get_log(s->model, s->fd, LOG_FDP_STATISTICS, 0,
						q->endurance_group, out->fdp, sizeof(out->fdp));
	if (q->ocp)
		out->ocp_result = admin_get_log(s->model, s->fd, LOG_OCP_SMART, CONTROLLERS_OWN, 0,
						out->ocp, sizeof(out->ocp));
	out->smart_result = admin_get_log(s->model, s->fd, LOG_SMART, CONTROLLERS_OWN, 0,
					  out->smart, sizeof(out->smart));
	out->power_result = admin_power_state(s->model, s->fd, &out->power_state);
	out->energy_result = read_energy(s, &out->energy_uj);
	out->took_ns = snapshot_now() - out->at_ns;
	out->taken = true;
}
