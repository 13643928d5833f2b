// SPDX-License-Identifier: GPL-2.0-only
// flock for the holders, an open file description lock for the gate: Linux keeps them apart on its own
// file systems. Both belong to the open file, so threads are told apart like processes.
#include "engine/power/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int power_lock_open(struct power_lock *l, int folder, const char *controller)
{
	l->folder = folder;
	snprintf(l->name, sizeof(l->name), "%s.lock", controller);
	l->fd = openat(folder, l->name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return l->fd < 0 ? -errno : 0;
}

static int open_or_make(struct power_lock *l, int folder, const char *controller)
{
	int ret = power_lock_open(l, folder, controller);

	if (ret != -ENOENT)
		return ret;
	l->fd = openat(folder, l->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	return l->fd < 0 ? -errno : 0;
}

int power_lock_enter(struct power_lock *l, int folder, const char *controller, bool create)
{
	int ret;

	for (;;) {
		ret = create ? open_or_make(l, folder, controller)
			     : power_lock_open(l, folder, controller);
		if (ret)
			return ret;
		power_lock_gate(l);
		if (power_lock_is_valid(l))
			return 0;
		power_lock_close(l); /* the last holder took it away while we waited */
	}
}

static void gate(struct power_lock *l, short type)
{
	struct flock f = { .l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1 };

	while (fcntl(l->fd, F_OFD_SETLKW, &f) && errno == EINTR)
		;
}

void power_lock_gate(struct power_lock *l)
{
	gate(l, F_WRLCK);
}

void power_lock_ungate(struct power_lock *l)
{
	gate(l, F_UNLCK);
}

bool power_lock_is_valid(const struct power_lock *l)
{
	struct stat ours, there;

	return !fstat(l->fd, &ours) && !fstatat(l->folder, l->name, &there, AT_SYMLINK_NOFOLLOW) &&
	       ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

bool power_lock_alone(struct power_lock *l)
{
	return !flock(l->fd, LOCK_EX | LOCK_NB);
}

bool power_lock_share(struct power_lock *l)
{
	return !flock(l->fd, LOCK_SH | LOCK_NB);
}

void power_lock_wait_alone(struct power_lock *l)
{
	while (flock(l->fd, LOCK_EX) && errno == EINTR)
		;
}

void power_lock_release(struct power_lock *l)
{
	flock(l->fd, LOCK_UN);
}

void power_lock_remove(struct power_lock *l)
{
	unlinkat(l->folder, l->name, 0);
}

void power_lock_close(struct power_lock *l)
{
	if (l->fd < 0)
		return;
	/* Said aloud: a process forked meanwhile may have a copy of the descriptor. */
	flock(l->fd, LOCK_UN);
	power_lock_ungate(l);
	close(l->fd);
	l->fd = -1;
}
