/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who uses a controller's power state: a lock file per controller that each job and the guardian open
 * for themselves. A job holds a shared flock while it runs; whoever holds the exclusive one is alone.
 * The gate, a lock of its own on the same file, is held for moments by whoever changes anything.
 * Locks go with whoever held them, however it ended. The file goes with the last holder.
 */
#ifndef ENGINE_POWER_LOCK_H
#define ENGINE_POWER_LOCK_H

#include <stdbool.h>

#include "engine/power/journal.h"

struct power_lock {
	int folder; /* the caller's */
	int fd; /* -1: closed */
	char name[JOURNAL_NAME_LEN + 8];
};

/*
 * power_lock_enter - open a controller's lock file and take the gate
 * @create: make the file where it is missing
 *
 * Waits for whoever is in the gate. Return: 0 or -errno (-ENOENT: not there); then nothing is open.
 */
int power_lock_enter(struct power_lock *l, int folder, const char *controller, bool create);

/* Open it without the gate, for the guardian. Return: as power_lock_enter. */
int power_lock_open(struct power_lock *l, int folder, const char *controller);

/* Take the gate of an open lock; give it back. */
void power_lock_gate(struct power_lock *l);
void power_lock_ungate(struct power_lock *l);

/* Do its holders still mean this file? Else its last holder has left. In the gate. */
bool power_lock_is_valid(const struct power_lock *l);

/* Nobody but us holds it: true, and we hold it exclusively. In the gate. */
bool power_lock_alone(struct power_lock *l);

/* Hold it with others: false where one is alone. In the gate; what was held before is given up. */
bool power_lock_share(struct power_lock *l);

/* Wait until nobody else holds it. */
void power_lock_wait_alone(struct power_lock *l);

/* Give up what is held, but the gate. */
void power_lock_release(struct power_lock *l);

/* The last one: take the file away. In the gate. */
void power_lock_remove(struct power_lock *l);

/* Gives everything up. Idempotent. */
void power_lock_close(struct power_lock *l);

#endif
