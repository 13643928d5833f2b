// SPDX-License-Identifier: GPL-2.0-only
// engine/model/wait.h: never early, never more spinners than places, the dead's places are found.
// How late it is depends on the host: no test.
#include "engine/model/wait.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t/unit/tap.h"

enum {
	PLACES = 64
};

static int32_t spinner[PLACES];

static bool waits(struct wait *w, uint64_t ns)
{
	uint64_t due = wait_now() + ns, after = wait_until(w, due);

	return after >= due && wait_now() >= after;
}

static uint32_t spinning(void)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < PLACES; i++)
		nr += spinner[i] != 0;
	return nr;
}

static void fill(const struct wait *w, int32_t tid)
{
	for (uint32_t i = 0; i < w->places; i++)
		spinner[i] = tid;
}

/* A process that was there and is no more. */
static int32_t dead(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static void on_signal(int number)
{
}

static void test_signal(struct wait *w)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGALRM, &action, NULL);
	ualarm(5000, 0);
	ok(waits(w, 20000000), "a signal does not end it");
}

int main(void)
{
	struct wait w, poll;
	bool all = true;

	wait_init(&w, spinner, PLACES, false);
	wait_init(&poll, spinner, PLACES, true);
	ok(w.places >= 1 && w.places <= PLACES, "one place a core");
	ok(waits(&w, 0), "what is due already does not wait");
	for (int i = 0; i < 100; i++)
		all = all && waits(&w, i * 20000);
	ok(all, "never early");
	is_int(spinning(), 0, "... and no place stays taken");
	for (int i = 0; i < 10; i++)
		all = all && waits(&poll, 100000);
	ok(all, "nor where it always spins");
	fill(&w, 1); /* init */
	for (int i = 0; i < 600; i++)
		all = all && waits(&w, 1000);
	ok(all, "nor where others spin");
	is_int(spinning(), w.places, "... whose places stay theirs");
	fill(&w, dead());
	for (int i = 0; i < 600; i++)
		all = all && waits(&w, 1000);
	ok(all && spinning() == 0, "the places of the dead are given back");
	test_signal(&w);
	return done_testing();
}
