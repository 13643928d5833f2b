/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flash translation layer: which physical page holds which logical one, reclaim units, garbage
 * collection. Counts exactly; asks timing.h what it costs. The caller holds the lock.
 */
#ifndef ENGINE_MODEL_FTL_H
#define ENGINE_MODEL_FTL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/model/image.h"

#define FTL_UNPLACED UINT32_MAX

/*
 * ftl_write - place a logical page
 * @lpn: below geometry.pages
 * @ruh: handle whose unit takes it, or FTL_UNPLACED: the host named none
 * @bytes: of host data in it: 4096, less for a part of a page
 * @page: what the page holds then, 4 KiB; NULL leaves its data alone
 *
 * Collects garbage first where no unit is free. Unplaced data count for handle 0, but lie with what is
 * relocated, as on a drive without FDP. FDP allows that: initially isolated are data of different
 * handles. Return: the physical page.
 */
uint32_t ftl_write(struct model *m, uint32_t lpn, uint32_t ruh, uint32_t bytes,
		   const uint8_t *page);

/* Forget a logical page. Return: whether it was mapped. */
bool ftl_deallocate(struct model *m, uint32_t lpn);

/* Close the handle's unit: its next write opens a fresh one. Return: pages left unwritten in it. */
uint32_t ftl_update_ruh(struct model *m, uint32_t ruh);

/* Pages that the handle's current unit still takes; a whole unit where none is open. */
uint32_t ftl_unit_left(const struct model *m, uint32_t ruh);

/*
 * ftl_rebuild - valid counts, frontiers and free units from the map, after the step under way
 * @why: MODEL_WHY_LEN bytes; on failure what contradicts what
 *
 * Return: 0 or -EINVAL.
 */
int ftl_rebuild(struct model *m, char *why);

/* Forget everything: an empty drive. Counters become 0. */
void ftl_reset(struct model *m);

#endif
