// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the gate of a controller's lock file and alone, a job finds, writes down, starts the guardian, sets;
 * others then share. The last one restores, or the guardian, which waits to be alone: whoever comes
 * first finds the journal, the other finds none.
 */
#include "engine/power/seat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engine/power/record.h"
#include "engine/power/restore.h"
#include "engine/report.h"

enum {
	MAX_WAIT_US = 60 * 1000000, /* a transition; descriptors may hold nonsense */
	PAUSE_NS = 1000000, /* until the one who restores is in the gate */
};

static void nap(uint64_t ns)
{
	struct timespec left = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* Facts of the state in force, which @set says is the one asked for. */
static void record_state(struct power_seat *s, const struct power_plan *p, int found, bool set)
{
	const struct admin_identity *id = &s->c.identity;
	int in_force = set ? p->asked : found;
	struct power_facts *f;

	s->record = power_record_get(s->c.target, s->c.name);
	if (!s->record)
		return;
	f = &s->record->facts;
	*f = (struct power_facts){
		.wanted = true,
		.optional = p->optional,
		.set = set,
		.found = found,
		.asked = p->asked,
		.in_force = in_force,
		.at_end = POWER_UNKNOWN,
		.workload_hint = POWER_WH(s->journal.found),
		.set_ns = s->set_ns,
	};
	if (in_force >= 0 && (uint32_t)in_force < id->nr_power_states) {
		f->entry_us = id->power[in_force].entry_us;
		f->max_uw = id->power[in_force].max_uw;
	}
	if (found >= 0 && (uint32_t)found < id->nr_power_states)
		f->exit_us = id->power[found].exit_us;
}

/* --- joining -------------------------------------------------------------------------------------- */

static void wait_for_transition(const struct power_seat *s, uint32_t from, uint32_t to)
{
	const struct admin_identity *id = &s->c.identity;
	uint64_t us = 0;

	if (from < id->nr_power_states)
		us += id->power[from].exit_us;
	if (to < id->nr_power_states)
		us += id->power[to].entry_us;
	if (us > MAX_WAIT_US) {
		report_note("%s: power states %u and %u: entry and exit latency of %" PRIu64
			    " s are not waited for",
			    s->c.target->name, from, to, us / 1000000);
		return;
	}
	nap(us * 1000);
}

static void say_set(const struct power_seat *s, const struct power_plan *p)
{
	const struct admin_identity *id = &s->c.identity;
	char more[96] = "";

	if ((uint32_t)p->asked < id->nr_power_states)
		snprintf(more, sizeof(more), ", at most %.2f W, entered in %u us",
			 id->power[p->asked].max_uw / 1e6, id->power[p->asked].entry_us);
	report_note("%s: power state %d set in %.1f us and read back%s; found: state %u, workload "
		    "hint %u",
		    s->c.target->name, p->asked, s->set_ns / 1e3, more, POWER_PS(s->journal.found),
		    POWER_WH(s->journal.found));
}

static int write_down(struct power_seat *s, const struct power_plan *p, uint32_t found, char *why)
{
	const struct admin_identity *id = &s->c.identity;
	struct journal *j = &s->journal;
	int ret;

	memset(j, 0, sizeof(*j));
	snprintf(j->controller, sizeof(j->controller), "%s", s->c.name);
	snprintf(j->target, sizeof(j->target), "%s", s->c.path);
	j->found = found;
	j->asked = (found & ~0x1fU) | p->asked;
	j->fleeting = (uint32_t)p->asked < id->nr_power_states && !id->power[p->asked].operational;
	journal_set_boot(j);
	ret = journal_write(p->folder, j);
	return ret ? power_refuse(why, ret,
				  "%s: nvme_power_state=%d: cannot write the journal in %.200s: %s",
				  s->c.target->name, p->asked, p->folder_path, strerror(-ret))
		   : 0;
}

/* The state is written down. Return: 0, or -errno; then what was found is in force again. */
static int set_state(struct power_seat *s, const struct power_plan *p, char *why)
{
	uint32_t found = POWER_PS(s->journal.found);
	char other[TARGET_WHY_LEN];
	int ret = power_restore_at_kill(&s->c, p->folder_path, why);

	if (!ret)
		ret = power_state_set(&s->c, s->journal.asked, &s->set_ns, why);
	if (!ret)
		wait_for_transition(s, found, p->asked);
	if (!ret && !power_lock_share(&s->lock))
		ret = -EAGAIN; /* nobody else is in the gate */
	if (ret)
		power_restore(&s->c, p->folder, &s->journal, other);
	return ret;
}

/* In the gate and alone. Return: 0 and the lock is shared; else -errno. */
static int begin(struct power_seat *s, const struct power_plan *p, int *found_state, char *why)
{
	char unread[TARGET_WHY_LEN];
	uint32_t found = 0;
	int got = power_state_get(&s->c, &found, unread);
	int ret = power_state_check(&s->c, p->asked, p->force, why);

	if (!got)
		*found_state = POWER_PS(found);
	if (!ret && got) {
		snprintf(why, TARGET_WHY_LEN, "%s", unread);
		ret = got;
	}
	if (!ret)
		ret = write_down(s, p, found, why);
	if (!ret)
		ret = set_state(s, p, why);
	if (ret) {
		power_lock_remove(&s->lock);
		return ret;
	}
	record_state(s, p, POWER_PS(found), true);
	if (p->verbose)
		say_set(s, p);
	return 0;
}

/* It has been lost while others use it: they will say so at their end, or the next will. */
static int set_again(struct power_seat *s, const struct power_plan *p, uint32_t value, char *why)
{
	int ret;

	if (POWER_PS(value) == (uint32_t)p->asked || s->journal.fleeting)
		return 0;
	report_note("%s: power state %u is in force, though running jobs have set %d: a reset or "
		    "another program changed it; set again",
		    s->c.target->name, POWER_PS(value), p->asked);
	ret = power_state_set(&s->c, s->journal.asked, &s->set_ns, why);
	if (!ret)
		wait_for_transition(s, POWER_PS(value), p->asked);
	if (s->record)
		s->record->facts.changed = true;
	return ret;
}

/* In the gate, shared with others. Return: 0 or -errno. */
static int share(struct power_seat *s, const struct power_plan *p, char *why)
{
	const struct power_facts *f;
	uint32_t value = 0;
	int ret = journal_read(p->folder, s->c.name, &s->journal);

	if (ret)
		return power_refuse(
			why, ret,
			"%s: nvme_power_state=%d: other jobs use the controller, and their "
			"journal in %.200s cannot be read: %s",
			s->c.target->name, p->asked, p->folder_path, strerror(-ret));
	if (POWER_PS(s->journal.asked) != (uint32_t)p->asked)
		return power_refuse(
			why, -EBUSY,
			"%s: nvme_power_state=%d: jobs that are running have set %u; all that run "
			"at once must ask for the same state, stonewall has them run in sequence",
			s->c.target->name, p->asked, POWER_PS(s->journal.asked));
	ret = power_state_get(&s->c, &value, why);
	if (ret)
		return ret;
	s->record = power_record_find(s->c.target);
	f = s->record ? &s->record->facts : NULL;
	if (!f || !f->set || f->asked != p->asked || f->restored)
		record_state(s, p, POWER_PS(s->journal.found), true);
	return set_again(s, p, value, why);
}

/* The lock file as a new one, for which no guardian of an earlier run waits. */
static int renew_lock(struct power_seat *s, const struct power_plan *p)
{
	power_lock_remove(&s->lock);
	power_lock_close(&s->lock);
	return -EAGAIN;
}

/*
 * In the gate. Return: 0 or -errno with one line in @why; -EAGAIN without one: leave the gate and come
 * again, somebody is about to restore or has.
 */
static int try_to_join(struct power_seat *s, const struct power_plan *p, int *found, char *why)
{
	struct journal left;
	int ret;

	*why = '\0';
	if (power_lock_alone(&s->lock)) {
		ret = journal_read(p->folder, s->c.name, &left);
		if (ret == -ENOENT && p->asked != POWER_NO_STATE)
			return begin(s, p, found, why);
		if (ret == -ENOENT) {
			power_lock_remove(&s->lock);
			return 0;
		}
		ret = power_restore_left(&s->c, p->folder, why);
		return ret ? ret : renew_lock(s, p);
	}
	if (p->asked == POWER_NO_STATE)
		return 0;
	return power_lock_share(&s->lock) ? share(s, p, why) : -EAGAIN;
}

static int explain_lock(const struct power_seat *s, const struct power_plan *p, int ret, char *why)
{
	return power_refuse(why, ret, "%s: cannot use the lock file %s in %.200s: %s",
			    s->c.target->name, s->lock.name, p->folder_path, strerror(-ret));
}

int power_seat_take(struct power_seat *s, const struct power_plan *p, int *found, char *why)
{
	int ret;

	for (;;) {
		ret = power_lock_enter(&s->lock, p->folder, s->c.name, true);
		if (ret)
			return explain_lock(s, p, ret, why);
		ret = try_to_join(s, p, found, why);
		if (s->lock.fd >= 0)
			power_lock_ungate(&s->lock);
		if (ret != -EAGAIN || *why)
			break;
		power_lock_close(&s->lock);
		nap(PAUSE_NS);
	}
	if (ret || p->asked == POWER_NO_STATE)
		power_lock_close(&s->lock);
	return ret;
}

void power_seat_go_without(struct power_seat *s, const struct power_plan *p, int found,
			   const char *why)
{
	char state[32] = "an unknown state";

	record_state(s, p, found, false);
	if (s->record)
		snprintf(s->record->facts.why_not, sizeof(s->record->facts.why_not), "%.*s",
			 POWER_WHY_NOT_LEN - 1, why);
	if (found >= 0)
		snprintf(state, sizeof(state), "state %d", found);
	report_note("%s; nvme_power_optional=1: the job runs at %s", why, state);
}

/* --- leaving -------------------------------------------------------------------------------------- */

/* Re-read what is in force, and say it where it is not what was set. */
static void look_at_end(struct power_seat *s)
{
	uint32_t asked = POWER_PS(s->journal.asked), value = 0;
	const char *name = s->c.target->name;
	char why[TARGET_WHY_LEN];
	int ret = power_state_get(&s->c, &value, why);

	if (s->record)
		s->record->facts.at_end = ret ? POWER_UNKNOWN : (int)POWER_PS(value);
	if (!ret && POWER_PS(value) == asked)
		return;
	if (s->record)
		s->record->facts.changed = true;
	if (ret)
		report_note("%s; whether power state %u lasted is not known", why, asked);
	else if (s->journal.fleeting)
		report_note("%s: power state %u is in force at the end, not %u: that one is not "
			    "operational, I/O ends it",
			    name, POWER_PS(value), asked);
	else
		report_note("%s: power state %u is in force at the end, not %u as set: a reset or "
			    "another program changed it; this run's figures are of no one state",
			    name, POWER_PS(value), asked);
}

static void say_first_io(const struct power_seat *s)
{
	uint64_t ns = s->record ? s->record->facts.first_io_ns : 0;

	if (ns)
		report_note("%s: power state %u: the first I/O took %.1f us", s->c.target->name,
			    POWER_PS(s->journal.asked), ns / 1e3);
}

void power_seat_look(struct power_seat *s, const struct power_plan *p)
{
	if (s->lock.fd < 0)
		return;
	look_at_end(s);
	if (p->verbose)
		say_first_io(s);
}

static void say_restored(const struct power_seat *s, const struct power_plan *p)
{
	if (p->verbose && s->record && s->record->facts.restored)
		report_note("%s: power state %u restored", s->c.target->name,
			    POWER_PS(s->journal.found));
}

static void restore_as_last(struct power_seat *s, const struct power_plan *p)
{
	struct journal j;
	char why[TARGET_WHY_LEN];
	int ret = power_restore(&s->c, p->folder, &j, why);

	if (ret < 0)
		report_error(
			"%s; the power state is not restored: %.200s/%s.journal stays, and the "
			"next run tries again",
			why, p->folder_path, s->c.name);
	power_lock_remove(&s->lock);
}

/*
 * The share is given up in the gate, so that nobody takes the journal for that of a killed run. The guardian
 * may be alone first; then it restores, and the job waits for it: when fio ends the state is what it was.
 */
void power_seat_leave(struct power_seat *s, const struct power_plan *p)
{
	bool restored_or_shared = false;

	if (s->lock.fd < 0)
		return;
	while (!restored_or_shared) {
		power_lock_gate(&s->lock);
		restored_or_shared = true;
		if (power_lock_is_valid(&s->lock)) {
			if (power_lock_alone(&s->lock))
				restore_as_last(s, p);
			else
				restored_or_shared = power_lock_share(&s->lock);
		}
		power_lock_release(&s->lock);
		power_lock_ungate(&s->lock);
		if (!restored_or_shared)
			nap(PAUSE_NS);
	}
	say_restored(s, p);
	power_lock_close(&s->lock);
}
