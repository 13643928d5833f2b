/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that outlive fio, for what must be done however a run ends. Knows nothing of NVMe.
 *
 * A guardian is a child of nobody: own session, signals ignored, no descriptor of fio's, 0 to 2 on
 * /dev/null, working folder "/". It has a copy of the memory of the thread that started it, and what
 * is mapped shared it shares. It must not call fio, nor print, nor wait without an end in sight.
 */
#ifndef ENGINE_GUARDIAN_H
#define ENGINE_GUARDIAN_H

#include <stdbool.h>

/* What a guardian does. @context: of the one who asked. */
typedef void guardian_duty(void *context);

/*
 * guardian_init - make what all processes of the run share: memory, and a pipe
 *
 * Call it in fio's parent, before the jobs of a run that will have a guardian; other runs need no
 * descriptors for it. Without it guardian_at_end fails.
 */
void guardian_init(void);

/*
 * guardian_at_end - have a duty done when the run is over
 * @run: in the plugin (its address is the same in all of fio's processes)
 * @context: in memory that was mapped shared before fio forked its jobs, or a constant
 *
 * The run is over when fio's parent, all its jobs, and all guardians that are a part of the run have
 * ended, each in whatever way: then each duty is done once, in the order in which they were added, in
 * one guardian of the run that the first call starts. Duties are done after a normal end, too: a duty
 * finds out whether there is something left to do. Power states have been restored by then.
 * Any process of the run may call it, at any time; the same pair twice counts once.
 * Return: 0 or -errno; then it will not be done.
 */
int guardian_at_end(guardian_duty *run, void *context);

struct guardian_plan {
	int (*prepare)(void *context); /* opens what the work needs; 0 or -errno */
	guardian_duty *work;
	void *context;
	bool part_of_run; /* the run is not over before the work is done */
};

/*
 * guardian_spawn - start a guardian
 *
 * It ends after plan->work, which it also does when the caller is killed meanwhile.
 * Return: 0 when it has prepared itself, else -errno, and it has ended.
 */
int guardian_spawn(const struct guardian_plan *plan);

#endif
