// SPDX-License-Identifier: GPL-2.0-only
// The journal is the truth: whoever restores finds it, and takes it away when that is done.
#include "engine/power/restore.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/guardian.h"
#include "engine/power/lock.h"
#include "engine/power/record.h"
#include "engine/report.h"

enum {
	TRIES = 10, /* of the guardian; a reset may be under way */
	PAUSE_NS = 500000000,
};

static void say_left(const struct power_controller *c, const struct journal *j, uint32_t value)
{
	report_note(
		"%s: power state %u is in force, neither the one that was found (%u) nor the one "
		"that was set (%u): another program's, left as it is",
		c->target->name, POWER_PS(value), POWER_PS(j->found), POWER_PS(j->asked));
}

static int refuse_journal(const struct power_controller *c, int folder, char *why)
{
	char link[32], path[PATH_MAX] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", folder);
	if (readlink(link, path, sizeof(path) - 1) < 0)
		*path = '\0';
	return power_refuse(
		why, -EBADMSG,
		"%s: %s/%s.journal, of a power run, is damaged: remove it, and set the "
		"power state that the drive should have (a device: nvme set-feature -f 2)",
		c->target->name, path, c->name);
}

int power_restore(const struct power_controller *c, int folder, struct journal *j, char *why)
{
	uint32_t value = 0;
	int ret = journal_read(folder, c->name, j);

	if (ret == -ENOENT)
		return 0;
	if (ret)
		return refuse_journal(c, folder, why);
	if (!journal_is_current(j)) {
		journal_remove(folder, c->name);
		return 0;
	}
	ret = power_state_restore(c, j, &value, why);
	if (ret < 0)
		return ret;
	journal_remove(folder, c->name);
	if (ret == POWER_LEFT) {
		say_left(c, j, value);
		return 0;
	}
	power_record_restored(c->name);
	return POWER_PS(value) != POWER_PS(j->found);
}

int power_restore_left(const struct power_controller *c, int folder, char *why)
{
	struct journal j;
	int ret = power_restore(c, folder, &j, why);

	if (ret > 0)
		report_note(
			"%s: power state %u is in force again: a run that was killed had left it "
			"at %u",
			c->target->name, POWER_PS(j.found), POWER_PS(j.asked));
	return ret < 0 ? ret : 0;
}

/* --- the guardian -------------------------------------------------------------------------------- */

struct post {
	char folder_path[JOURNAL_PATH_LEN], controller[JOURNAL_NAME_LEN], target[JOURNAL_PATH_LEN];
	int folder;
	struct power_lock lock;
};

/* In the guardian, while the job that starts it is in the gate. */
static int take_post(void *context)
{
	struct post *p = context;
	char why[JOURNAL_WHY_LEN];

	p->folder = journal_folder_at(p->folder_path, false, why);
	return p->folder < 0 ? p->folder : power_lock_open(&p->lock, p->folder, p->controller);
}

/* Return: whether it need not be tried again. */
static bool restore_by_path(const struct post *p)
{
	const struct target_wishes looks_only = { 0 };
	struct power_controller c;
	char why[TARGET_WHY_LEN];
	struct journal j;
	struct target t;
	bool done;

	if (target_open(&t, p->target, &looks_only, why))
		return false;
	/* Another drive may have taken the name. */
	done = !power_state_identify(&c, &t, why) &&
	       (strcmp(c.name, p->controller) || power_restore(&c, p->folder, &j, why) >= 0);
	target_close(&t);
	return done;
}

static bool has_journal(const struct post *p)
{
	struct journal j;

	return journal_read(p->folder, p->controller, &j) != -ENOENT;
}

static void pause_a_while(void)
{
	struct timespec left = { .tv_nsec = PAUSE_NS };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

static void stand_guard(void *context)
{
	struct post *p = context;

	power_lock_gate(&p->lock); /* once the job has its share */
	power_lock_ungate(&p->lock);
	power_lock_wait_alone(&p->lock);
	power_lock_gate(&p->lock);
	if (!power_lock_is_valid(&p->lock))
		return;
	for (int i = 0; i < TRIES && has_journal(p) && !restore_by_path(p); i++)
		pause_a_while();
	power_lock_remove(&p->lock);
}

int power_restore_at_kill(const struct power_controller *c, const char *folder_path, char *why)
{
	struct post post = { .lock.fd = -1 };
	const struct guardian_plan plan = {
		.prepare = take_post,
		.work = stand_guard,
		.context = &post,
		.part_of_run = true,
	};
	int ret;

	snprintf(post.folder_path, sizeof(post.folder_path), "%s", folder_path);
	snprintf(post.controller, sizeof(post.controller), "%s", c->name);
	snprintf(post.target, sizeof(post.target), "%s", c->path);
	ret = guardian_spawn(&plan);
	return ret ? power_refuse(why, ret,
				  "%s: cannot start the process that restores the "
				  "state after a kill: %s",
				  c->target->name, strerror(-ret))
		   : 0;
}
