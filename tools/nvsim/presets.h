/* SPDX-License-Identifier: GPL-2.0-only */
/* Model drives that are proportioned like drives of the reviews that this project starts from. */
#ifndef TOOLS_NVSIM_PRESETS_H
#define TOOLS_NVSIM_PRESETS_H

#include "engine/model/image.h"

struct preset {
	const char *name;
	const char *like; /* the drive */
	/* Of that drive, measured, MB/s of 10^6 bytes: its parallelism follows. */
	double read_mbps, write_mbps;
	double op; /* over-provisioning, counted as physical over logical capacity minus one */
	struct model_geometry given; /* capacity, dies, what else is not a default */
	const char *power_states;
};

/* NULL: unknown. */
const struct preset *preset_find(const char *name);

/* All names, for messages. */
const char *preset_names(void);

/* The drive's geometry; what is 0 in it is left to model_plan, rus as well. */
void preset_apply(const struct preset *p, struct model_geometry *g);

#endif
