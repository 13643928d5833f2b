/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Injected faults (nvsim fail): which command they strike and what it then gets. Off the hot path:
 * nobody comes here while model_state.nr_faults is 0.
 */
#ifndef ENGINE_MODEL_FAULTS_H
#define ENGINE_MODEL_FAULTS_H

#include "engine/model/controller.h"

/*
 * faults_strike - may an I/O command be run?
 * @r: status and time of one that may not
 * @delay: ns by which one that may is to end later
 *
 * A command that is struck changes no data. Takes the lock. Return: true: it has ended, or never will.
 */
bool faults_strike(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r,
		   uint64_t *delay);

/* End later by @delay ns; also on a drive that times nothing else. */
void faults_delay(struct model_result *r, uint64_t delay);

/* Is a power state change to be refused? The caller holds the lock. Return: 0 or a status field. */
uint16_t faults_refuse_power(struct model *m);

/*
 * faults_strike_link - is a connection to end instead of this I/O command?
 *
 * For who serves the drive over a network; other users of it are not struck. Takes the lock.
 * Return: MODEL_FAULT_DROP, MODEL_FAULT_RESET or MODEL_FAULT_NONE.
 */
enum model_fault_kind faults_strike_link(struct model *m, const struct nvme_uring_cmd *c);

#endif
