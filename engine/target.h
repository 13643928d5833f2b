/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the user named, a device or a model drive, as an open NVMe namespace with its limits.
 * Not for I/O.
 */
#ifndef ENGINE_TARGET_H
#define ENGINE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

enum {
	TARGET_NAME_LEN = 64,
	TARGET_WHY_LEN = 512
};

struct model;

struct target {
	char name[256]; /* as the user gave it, cut to fit; for messages */
	char node[TARGET_NAME_LEN]; /* kernel name of the generic node: "ng0n1"; or a file */
	char disk[TARGET_NAME_LEN]; /* kernel name of the block device: "nvme0n1" */
	int fd; /* of the generic node; owned; -1: closed, or a model drive */
	struct model *model; /* owned; NULL: a device. Of the thread that opened it */
	uint32_t index; /* among the targets of a job; the owner's */
	uint32_t nsid;
	uint32_t lba_shift; /* log2 of the logical block size in bytes */
	uint64_t bytes; /* capacity */
	uint64_t max_transfer; /* bytes of one command, a multiple of block size and page */
	bool has_poll_queues;
};

struct target_wishes {
	bool write; /* the job writes or deallocates */
	bool force; /* even a namespace that is in use */
};

/*
 * target_open - find, open, identify and check a namespace
 * @name: /dev/ngXnY, /dev/nvmeXnY, any path or node that leads to one, or a model drive's file
 * @t: filled; close it with target_close
 * @why: TARGET_WHY_LEN bytes. On failure one line: what, why, what would be right; on success "" or a
 *       remark that the user should see
 *
 * With @w->write a namespace that is mounted, held or swap is refused, before any command; with
 * @w->force as well that becomes the remark.
 * A model drive is opened for reading and writing whatever @w says; several may write to it.
 * Return: 0 or -errno, never -ENOENT (fio would create the path).
 */
int target_open(struct target *t, const char *name, const struct target_wishes *w, char *why);

/* Idempotent. */
void target_close(struct target *t);

/*
 * target_live_paths - can the kernel reach the drive?
 *
 * Return: the number of live controllers that lead to it, 0 while it is reset or path-less,
 * -ENODEV when the namespace is gone. 1 for a model drive.
 */
int target_live_paths(const struct target *t);

#endif
