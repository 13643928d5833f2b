/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Power states, energy, throttling. A state allows max_mw; idle_mw of it is drawn always, the rest
 * is handed to operations one after the other, each as long as its energy lasts at that rate. So
 * the mean of any interval stays below the cap. The caller holds the lock.
 */
#ifndef ENGINE_MODEL_POWER_H
#define ENGINE_MODEL_POWER_H

#include <stdint.h>

#include "engine/model/image.h"

/* An I/O arrives: wakes a non-operational state. Return: the earliest time it can start. */
uint64_t power_wake(struct model *m, uint64_t now);

/* A read of @energy nJ that could start at @now. Return: when the power for it is there. */
uint64_t power_draw_read(struct model *m, uint64_t now, uint64_t energy);

/* As power_draw_read, for programs and erases: they wait for reads. */
uint64_t power_draw(struct model *m, uint64_t now, uint64_t energy);

/* Change the state: I/O stalls for the old state's exit and the new one's entry latency. */
void power_set(struct model *m, uint64_t now, uint32_t state);

/* Energy and mean power up to now, for logs and nvsim info. */
struct power_reading {
	uint64_t on_ns; /* since power-on */
	uint64_t energy_mj; /* since power-on */
	uint64_t life_energy_mj; /* since creation */
	uint32_t average_mw; /* since power-on */
	uint32_t interval_mw; /* mean of the last whole second */
	uint32_t max_interval_mw;
};
void power_read(struct model *m, uint64_t now, struct power_reading *r);

/* The drive is powered on: state 0; what it drew before goes into its life. */
void power_on(struct model *m, uint64_t now);

#endif
