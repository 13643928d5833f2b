/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The drive's file in memory, and what becomes of a process under whose hands it fails: cut short,
 * overwritten, a page that the file system has no room for or cannot read. The kernel's answer to that
 * is SIGBUS, whose default ends a process without a word. Here a command that meets it ends, and so
 * does every later one, with an error and a reason. Private to engine/model and to nvsim.
 */
#ifndef ENGINE_MODEL_MAPPING_H
#define ENGINE_MODEL_MAPPING_H

#include "engine/model/image.h"

/*
 * mapping_open - map the file
 * @m: fd is open
 * @h: its header: where the parts lie
 * @private: what is changed stays in this process
 *
 * Return: 0 or -errno. mapping_close takes it back; a drive that failed stays mapped, since its lock
 * may stand in the list of those that the thread holds.
 */
int mapping_open(struct model *m, const struct model_header *h, bool private);
void mapping_close(struct model *m);

/*
 * mapping_run - do something with the drive's file
 * @body: gets @m and @arg; must own nothing but @m's lock when it touches the file
 *
 * Return: what @body returns; -EIO when the file failed meanwhile or before, and m->why says how.
 */
int mapping_run(struct model *m, int (*body)(struct model *m, void *arg), void *arg);

/*
 * The same around a few lines, for the path of every command. mapping_enter() is true where the file has
 * failed, perhaps in those lines: it "returns twice", as sigsetjmp does, so that the caller must not
 * change its variables in between.
 */
#define mapping_enter(m)                         \
	(__builtin_expect((m)->failed, 0) ||     \
	 (__builtin_expect((m)->armed++ != 0, 0) \
		  ? 0                            \
		  : __builtin_expect(sigsetjmp((m)->way_out, 0), 0)))

static inline void mapping_leave(struct model *m)
{
	m->armed--;
}

/* What stands in the file contradicts itself: the drive has failed. Call it within mapping_run. */
__attribute__((noreturn, cold)) void mapping_contradiction(struct model *m, const char *what);

/* Does the header in the file differ from what it was? Another program wrote to it then. */
bool mapping_is_foreign(const struct model *m);

/*
 * mapping_make_room - see to it that bytes of the file can be stored to
 * @offset, @bytes: of the drive's data
 *
 * Return: 0; -ENOSPC: the file system has no room, or the user no quota, for them.
 */
int mapping_make_room(struct model *m, uint64_t offset, uint64_t bytes);

#endif
