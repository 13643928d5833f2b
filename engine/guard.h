/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is it safe to overwrite a namespace? Passthrough on /dev/ngXnY knows nothing of partitions,
 * mounts or volume managers, so this asks the block device of the same namespace. It looks at
 * uses, not at contents: an old file system that nobody mounts may be overwritten.
 */
#ifndef ENGINE_GUARD_H
#define ENGINE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Where to look. For the tests: guard_check() has the real ones. */
struct guard_paths {
	const char *sysfs; /* "/sys" */
	const char *proc; /* "/proc" */
	const char *dev; /* "/dev" */
	bool claim; /* also try an exclusive open of the block node */
};

/**
 * guard_check() - does anything use a disk?
 * @disk: kernel name of a whole disk, such as "nvme0n1"; of a multipath namespace its head, never
 *        a hidden path node such as nvme0c1n1
 * @why: filled with one line without a newline where the result is not 0, else with ""
 * @len: its size in bytes; 256 is enough, less cuts the line
 *
 * Refuses for the disk and each of its partitions: a mount in this mount namespace (bind mounts
 * and btrfs included), swap, a holder (device mapper, md, bcache, ...), a loop device on it, and
 * whatever else claims the block device: it is opened read-only with O_EXCL for a moment, for at
 * most half a second in total if it is busy. Never opens for writing, never changes anything.
 *
 * What it cannot see: programs that opened the device without a claim (a virtual machine's disk,
 * an NVMe target's namespace, another fio), other hosts on a shared namespace.
 *
 * Return: 0 nothing uses it; -EBUSY in use; another -errno: could not tell (no such disk, not a
 * whole disk, something could not be read).
 */
int guard_check(const char *disk, char *why, size_t len);

/* guard_check() with other roots than the machine's. */
int guard_check_at(const struct guard_paths *paths, const char *disk, char *why, size_t len);

#endif
