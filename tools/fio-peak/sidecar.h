/* SPDX-License-Identifier: GPL-2.0-only */
/* The engine's sidecar, nvmept-sidecar(5), as far as fio-peak shows it. */
#ifndef PEAK_SIDECAR_H
#define PEAK_SIDECAR_H

#include "conditions.h"

#include <jansson.h>

/* sidecar_read - what it tells of the group of jobs that has the job @name; nothing where there is none. */
void sidecar_read(struct conditions *c, const json_t *root, const char *name);

#endif
