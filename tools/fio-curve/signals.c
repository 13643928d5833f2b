// SPDX-License-Identifier: GPL-2.0-only
/* Signals, see signals.h. */
#include "tools/fio-curve/signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };

static void watched_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++)
		sigaddset(set, watched[i]);
}

int signals_open(void)
{
	sigset_t set;

	/* Jobs outlive a fio that is killed; as their new parent we can end them. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	watched_set(&set);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -1;
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

void signals_close(int fd)
{
	if (fd >= 0)
		close(fd);
	signals_restore();
}

int signals_next(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

void signals_restore(void)
{
	sigset_t set;

	watched_set(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
