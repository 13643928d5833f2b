/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of power states, in memory that all processes of the run share: power_facts() reads it.
 */
#ifndef ENGINE_POWER_RECORD_H
#define ENGINE_POWER_RECORD_H

#include "engine/power/journal.h"
#include "engine/power/power.h"
#include "engine/target.h"

/* Of one target. Written in its controller's gate; the rest by single words. */
struct power_record {
	uint32_t state; /* 0: free, 1: being claimed, 2: in use */
	char node[TARGET_NAME_LEN];
	char controller[JOURNAL_NAME_LEN];
	struct power_facts facts;
};

/* The record of a target. Return: NULL: there is none. */
struct power_record *power_record_find(const struct target *t);

/* ... made where it is missing. Return: NULL: no memory, or no room. */
struct power_record *power_record_get(const struct target *t, const char *controller);

/* What was found is in force again: in the records of all the controller's targets. */
void power_record_restored(const char *controller);

#endif
