/* SPDX-License-Identifier: GPL-2.0-only */
/* The faults of a drive, as nvsim fail and nvsim reset change them. */
#ifndef TOOLS_NVSIM_FAIL_H
#define TOOLS_NVSIM_FAIL_H

#include "engine/model/image.h"

/* Take all faults away. Takes the lock. */
void fail_clear(struct model *m);

#endif
