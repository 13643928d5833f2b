// SPDX-License-Identifier: GPL-2.0-only
// Puts a handler before fio's own, which then runs as ever.
#include "engine/telemetry/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

static uint32_t *seen; /* shared by all processes of the run */
static struct sigaction fios_int, fios_term;

bool interrupt_seen(void)
{
	return seen && __atomic_load_n(seen, __ATOMIC_RELAXED);
}

/* All of it may run in a signal handler. */
static void note(int sig)
{
	const struct sigaction *fios = sig == SIGINT ? &fios_int : &fios_term;

	__atomic_store_n(seen, 1, __ATOMIC_RELAXED);
	if (fios->sa_handler == SIG_DFL) {
		sigaction(sig, fios, NULL);
		raise(sig);
	} else if (fios->sa_handler != SIG_IGN) {
		fios->sa_handler(sig);
	}
}

static void watch(int sig, struct sigaction *fios)
{
	struct sigaction ours;

	if (sigaction(sig, NULL, fios) || fios->sa_flags & SA_SIGINFO)
		return;
	ours = *fios;
	ours.sa_handler = note;
	sigaction(sig, &ours, NULL);
}

void interrupt_watch(void)
{
	void *p;

	if (seen)
		return;
	p = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return;
	seen = p;
	watch(SIGINT, &fios_int);
	watch(SIGTERM, &fios_term);
}
