/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a power run found, written down before it changes anything, so that a later run can put it
 * back where the run and its guardian were both killed. Files and their folder; sends no command.
 */
#ifndef ENGINE_POWER_JOURNAL_H
#define ENGINE_POWER_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	JOURNAL_NAME_LEN = 64, /* of a controller: letters, digits, '-' */
	JOURNAL_PATH_LEN = 1024,
	JOURNAL_BOOT_LEN = 40,
	JOURNAL_WHY_LEN = 256,
	JOURNAL_MAX_BYTES = 8192,
};

struct journal {
	char controller
		[JOURNAL_NAME_LEN]; /* which: its serial number, and a hash of what else it is */
	char target[JOURNAL_PATH_LEN]; /* how to reach it: an absolute path */
	uint32_t found, asked; /* Feature 02h, dword 0: PS in bits 4:0, WH in 7:5 */
	bool fleeting; /* the state asked for is not operational: I/O ends it */
	char boot[JOURNAL_BOOT_LEN]; /* the host's; a power state does not outlive it */
};

/*
 * journal_folder - open the folder of journals and lock files
 * @create: make it where it is missing
 * @path: JOURNAL_PATH_LEN bytes; its path
 * @why: JOURNAL_WHY_LEN bytes; one line on failure
 *
 * /run/fio-peak for root, whose controllers are everybody's; $XDG_RUNTIME_DIR/fio-peak, else
 * /tmp/fio-peak-UID, for others, who have model drives. It must be a folder of this user's that no
 * other can write, and no link. Return: a descriptor, or -errno (-ENOENT: not there).
 */
int journal_folder(bool create, char *path, char *why);

/* As journal_folder, of a folder at @path. */
int journal_folder_at(const char *path, bool create, char *why);

/* Write it down, as @j->controller ".journal", and wait until it is on stable storage. 0 or -errno. */
int journal_write(int folder, const struct journal *j);

/*
 * journal_read - a controller's journal
 *
 * Return: 0, -ENOENT: there is none, -EBADMSG: it is damaged, or -errno.
 */
int journal_read(int folder, const char *controller, struct journal *j);

/* journal_parse - the text of a journal. Return: 0 or -EBADMSG. */
int journal_parse(const char *text, size_t bytes, struct journal *j);

/* Return: 0 or -errno; there being none is no error. */
int journal_remove(int folder, const char *controller);

/*
 * journal_each - call @each with the controllers that have a journal, whole or not
 *
 * Return: how many, or -errno. With @each NULL: just counts.
 */
int journal_each(int folder, void (*each)(const char *controller, void *context), void *context);

/* Was it written since the host was started? Before that, the drive had power off since. */
bool journal_is_current(const struct journal *j);

/* Fill in the boot. */
void journal_set_boot(struct journal *j);

#endif
