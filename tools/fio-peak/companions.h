/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Companions: what lies beside fio's files. X.nvme.json beside X.json, the engine's sidecar
 * (nvmept-sidecar(5)); drive.json in the drive's folder (fio-curve(1)). What they lack is unknown.
 */
#ifndef PEAK_COMPANIONS_H
#define PEAK_COMPANIONS_H

#include "fold.h"

/* companions_read - fill in the conditions of all points that were read from fio's files. */
void companions_read(struct folded *f);

#endif
