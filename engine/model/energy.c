// SPDX-License-Identifier: GPL-2.0-only
// The energy that a drive has drawn, for its measuring host: finer than a log page's watt-hours.
#include "engine/model/mapping.h"
#include "engine/model/model.h"
#include "engine/model/power.h"

static int read_energy(struct model *m, void *mj)
{
	struct power_reading r;

	model_lock(m);
	power_read(m, model_now(m), &r);
	model_unlock(m);
	*(uint64_t *)mj = r.life_energy_mj;
	return 0;
}

bool model_energy(struct model *m, uint64_t *mj)
{
	return m->g->timing && !mapping_run(m, read_energy, mj);
}
