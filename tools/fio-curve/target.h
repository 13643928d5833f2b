/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What --drive=LABEL=TARGET names: a device, a model drive, a file, a folder; or, with --client,
 * something on other hosts that only fio there can look at. Who it is, how large, may it be
 * overwritten.
 */
#ifndef CURVE_TARGET_H
#define CURVE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

/* What all jobs share in a folder. */
#define TARGET_SHARED_FILE "fio-curve.data"

enum target_kind {
	TARGET_NVME, /* a namespace */
	TARGET_BLOCK, /* any other block device */
	TARGET_MODEL, /* a model drive's file */
	TARGET_FILE, /* a file, that need not exist yet */
	TARGET_FOLDER,
	TARGET_REMOTE
};

/**
 * struct target - one drive of the run.
 * @path:  absolute, but for a remote one, where it stands as it was given.
 * @disk:  kernel name of the whole disk, "nvme0n1"; "" where there is none.
 * @model, @serial, @firmware: trimmed; "" unknown.
 * @bytes: capacity; 0 unknown. Of a file or a folder what --file-size gives or the file has.
 * @exists: there is something that could be lost; of a folder it depends on the workload.
 */
struct target {
	char *label, *path;
	enum target_kind kind;
	char disk[64], model[64], serial[64], firmware[32];
	uint64_t bytes;
	bool exists;
};

/**
 * target_open - from the argument of --drive.
 * @file_size: --file-size, 0: not given. @remote: with --client.
 * Return: NULL, or one line why not, the caller's to free.
 */
char *target_open(const char *arg, uint64_t file_size, bool remote, struct target *out);
void target_free(struct target *t);

/* target_same - do both name one drive, by whatever path? Of remote ones only the path is known. */
bool target_same(const struct target *a, const struct target *b);

/*
 * target_guard - may it be overwritten? Not while it is mounted, held, swap, or open exclusively.
 * Return: NULL, or one line why not, the caller's to free.
 */
char *target_guard(const struct target *t);

/* target_kind_name - "model drive", "block device", ... */
const char *target_kind_name(const struct target *t);

/* target_describe - model, serial and size in words, the caller's to free. */
char *target_describe(const struct target *t);

#endif
