/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Putting back what a journal says was found: by the last job, by a later run, by the guardian.
 */
#ifndef ENGINE_POWER_RESTORE_H
#define ENGINE_POWER_RESTORE_H

#include "engine/power/journal.h"
#include "engine/power/state.h"

/*
 * power_restore - carry a controller's journal out, and take it away
 * @j: filled
 * @why: TARGET_WHY_LEN bytes; one line on failure
 *
 * In the gate of the controller's lock file and alone. A journal that cannot be carried out stays, for a
 * later run; one from before the host was started is taken away.
 * Return: 1: the state was put back; 0: there was nothing to do; -errno.
 */
int power_restore(const struct power_controller *c, int folder, struct journal *j, char *why);

/*
 * power_restore_left - as power_restore, after a run that was killed together with its guardian
 *
 * Says so in a note. Return: 0 or -errno.
 */
int power_restore_left(const struct power_controller *c, int folder, char *why);

/*
 * power_restore_at_kill - start the process that restores once all that hold the controller have ended
 * @folder_path: of its journal and lock file, which the caller holds alone, in the gate
 *
 * Return: 0 or -errno with one line in @why.
 */
int power_restore_at_kill(const struct power_controller *c, const char *folder_path, char *why);

#endif
