/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A power state (Feature 02h, NVMe Base 2.x "Power Management") for the length of a run: set, read
 * back, restored however the run ends. The state is the controller's: jobs and fio processes that use
 * one controller at once hold it together.
 */
#ifndef ENGINE_POWER_POWER_H
#define ENGINE_POWER_POWER_H

#include <stdbool.h>
#include <stdint.h>

struct power;
struct target;
struct transport;

enum {
	POWER_UNKNOWN = -1, /* a state that could not be read */
	POWER_WHY_NOT_LEN = 256,
};

/* What is known of a controller's power state in this run; plain data, for the sidecar. */
struct power_facts {
	bool wanted; /* nvme_power_state= was given; else nothing below holds */
	bool optional; /* nvme_power_optional=1 */
	bool set; /* it was set and read back: what follows is of the state @asked */
	bool changed; /* another one was in force at the end of a job: a reset, or another program */
	bool restored; /* what was found is in force again */
	int32_t found; /* before the run; POWER_UNKNOWN */
	int32_t asked;
	int32_t in_force; /* after setting: @asked, or @found where it could not be set */
	int32_t at_end; /* when the last job re-read it; POWER_UNKNOWN: none has */
	uint32_t workload_hint; /* as found, and kept */
	uint32_t entry_us; /* ENLAT of @in_force, microseconds */
	uint32_t exit_us; /* EXLAT of @found */
	uint64_t max_uw; /* MP of @in_force, microwatts; 0: not reported */
	uint64_t set_ns; /* duration of Set Features, ns */
	uint64_t
		first_io_ns; /* from submitting the first I/O to the first completion; 0: none yet */
	char why_not[POWER_WHY_NOT_LEN]; /* one line where it could not be set; else "" */
};

/* What the job asks for. */
struct power_wishes {
	const char *state; /* nvme_power_state=: a number, or "none" */
	bool force; /* a state that is not operational; whatever Identify says */
	bool optional; /* where it cannot be set, run all the same */
	bool verbose;
};

/* Make what all processes of the run share; call in fio's parent, before the jobs. */
void power_init(void);

/*
 * power_open - put the controllers of a job's targets into the power state that it asks for
 * @targets: open; must outlive the result
 * @out: end it with power_close; NULL where nothing was asked for
 * @why: TARGET_WHY_LEN bytes; one line on failure
 *
 * Call it in the job itself (thread or process), before its first I/O. Waits for the transition.
 * Also repairs, with a note, what a run that was killed together with its guardian has left, whether
 * or not the job asks for a state.
 * Return: 0 or -errno; then the job's share in every controller has been given back.
 */
int power_open(const struct power_wishes *w, const struct target *targets, uint32_t nr,
	       struct power **out, char *why);

/* Have the first I/O's latency measured. It costs the others nothing. */
void power_watch(struct power *p, struct transport *t);

/*
 * power_close - give the share back; the last job restores what was found. NULL: nothing.
 * Says where another state than the one set was in force. The targets must still be open.
 */
void power_close(struct power *p);

/*
 * power_facts - what is known of the power state of a target's controller
 * @out: a copy
 *
 * Of the jobs that use it now, or of the last that did. Any process of the run may ask; it sends no
 * command. Return: false where no job of this run has asked for a state on this target.
 */
bool power_facts(const struct target *t, struct power_facts *out);

/* Jobs begin, and none runs on the target: what earlier ones did is not theirs. */
void power_facts_forget(const struct target *t);

#endif
