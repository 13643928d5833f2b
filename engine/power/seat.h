/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A job's share in one controller's power state: taken, alone or with jobs that want the same, and given
 * back.
 */
#ifndef ENGINE_POWER_SEAT_H
#define ENGINE_POWER_SEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/power/journal.h"
#include "engine/power/lock.h"
#include "engine/power/state.h"

enum {
	POWER_NO_STATE = -1, /* none is asked for */
};

/* What a job asks for, and where journals and lock files are. */
struct power_plan {
	bool force, optional, verbose;
	int asked; /* or POWER_NO_STATE */
	int folder; /* open, or -1 */
	char folder_path[JOURNAL_PATH_LEN];
};

struct power_seat {
	struct power_controller c; /* filled by power_state_identify */
	struct power_lock lock; /* closed: no share is held */
	struct journal journal; /* of what is in force */
	struct power_record *record; /* or NULL: there was no room */
	uint64_t set_ns; /* how long Set Features took */
};

/*
 * power_seat_take - have the controller in the state that is asked for
 * @found: what was in force, or POWER_UNKNOWN
 * @why: TARGET_WHY_LEN bytes; one line on failure
 *
 * The first one sets it, and holds up the others until it is in force; -EBUSY: they have another one. With
 * POWER_NO_STATE only puts back what a killed run has left. Return: 0 or -errno, then no share is held.
 */
int power_seat_take(struct power_seat *s, const struct power_plan *p, int *found, char *why);

/* Record why it could not be set, and that the job goes on all the same at what was found. */
void power_seat_go_without(struct power_seat *s, const struct power_plan *p, int found,
			   const char *why);

/* Re-read the state at the end of a job; a note where it is not what was set. */
void power_seat_look(struct power_seat *s, const struct power_plan *p);

/* Give the share back; the last one restores. Nothing where none is held. */
void power_seat_leave(struct power_seat *s, const struct power_plan *p);

#endif
