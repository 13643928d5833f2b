/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A controller's power states: which it has, which is in force, setting one. One command each; who may
 * and when is power.c's.
 */
#ifndef ENGINE_POWER_STATE_H
#define ENGINE_POWER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/admin.h"
#include "engine/power/journal.h"
#include "engine/target.h"

/* Feature 02h, dword 0 */
#define POWER_PS(value) ((value)&0x1f)
#define POWER_WH(value) ((value) >> 5 & 7)

/* The controller behind a target. */
struct power_controller {
	const struct target *target; /* the caller's */
	char name[JOURNAL_NAME_LEN]; /* no other has it: serial number and a hash */
	char path[JOURNAL_PATH_LEN]; /* where the target is found again, absolute */
	struct admin_identity identity;
};

/* One line in @why, TARGET_WHY_LEN bytes. Return: @err. */
int power_refuse(char *why, int err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * power_state_identify - which controller, and what states it has
 * @why: TARGET_WHY_LEN bytes; one line on failure
 *
 * Return: 0 or -errno.
 */
int power_state_identify(struct power_controller *c, const struct target *t, char *why);

/*
 * power_state_check - may a run ask for this state?
 * @force: also one that is not operational, or where Identify says that there is but one
 *
 * Return: 0, or -errno with one line in @why.
 */
int power_state_check(const struct power_controller *c, uint32_t state, bool force, char *why);

/* Read what is in force: PS and WH. Return: 0, or -errno with one line in @why. */
int power_state_get(const struct power_controller *c, uint32_t *value, char *why);

/*
 * power_state_set - set and read back
 * @value: PS and WH
 * @ns: how long the command took; or NULL
 *
 * Return: 0, or -errno with one line in @why. Does not wait for the transition.
 */
int power_state_set(const struct power_controller *c, uint32_t value, uint64_t *ns, char *why);

/* What power_state_restore did. */
enum power_restored {
	POWER_RESTORED, /* what was found is in force */
	POWER_LEFT, /* it is neither what was found nor what was asked for: somebody else's */
};

/*
 * power_state_restore - put back what a journal says was found
 * @value: what was in force before; or NULL
 *
 * Return: enum power_restored, or -errno with one line in @why.
 */
int power_state_restore(const struct power_controller *c, const struct journal *j, uint32_t *value,
			char *why);

#endif
