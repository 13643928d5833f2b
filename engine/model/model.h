/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model drive: an NVMe controller in software with its one namespace, in one file. Commands go
 * in, completions come out, each with the time at which a drive would have given it. Knows nothing
 * of fio. Several processes and threads use one drive at once.
 */
#ifndef ENGINE_MODEL_MODEL_H
#define ENGINE_MODEL_MODEL_H

#include <linux/nvme_ioctl.h>
#include <stdbool.h>
#include <stdint.h>

struct model;
struct model_geometry;

/* A command that the drive never completes ends at this time. */
#define MODEL_NEVER UINT64_MAX

enum {
	MODEL_NSID = 1,
	MODEL_ENDGID = 1, /* its endurance group */
	MODEL_WHY_LEN = 512,
};

struct model_result {
	uint16_t status; /* the status field, SCT/SC and DNR as in engine/status.h; 0: success */
	int error; /* -ENODEV: the drive's file has failed, model_failure() says how; else 0 */
	uint32_t dw0; /* of the completion queue entry */
	uint64_t due; /* CLOCK_MONOTONIC, ns; MODEL_NEVER */
	uint64_t
		taken_up; /* when the drive's time for it began, CLOCK_MONOTONIC, ns; 0: took none */
};

/*
 * model_recognise - is this a model drive's file?
 * @path: any name
 *
 * Looks at the first bytes of a regular file and changes nothing. A damaged or other-version image
 * is recognised too: model_open says what is wrong with it. Return: true or false.
 */
bool model_recognise(const char *path);

/*
 * model_create - make a drive
 * @path: must not exist
 * @g: all that is given of it; model_plan() has made it whole
 * @why: MODEL_WHY_LEN bytes; on failure one line
 *
 * Return: 0 or -errno. A file that could not be made whole is taken away again.
 */
int model_create(const char *path, const struct model_geometry *g, char *why);

/*
 * model_open - attach to a drive
 * @path: its file; must be readable and writable (reads count, too)
 * @out: one handle for one thread; end it with model_close
 * @why: MODEL_WHY_LEN bytes; on failure one line, on success "" or a remark on the space left
 *
 * The first of several openers repairs what a process that was killed has left.
 * Return: 0 or -errno, never -ENOENT; -EINVAL: not a model drive, or damaged.
 */
int model_open(const char *path, struct model **out, char *why);
void model_close(struct model *m);

/*
 * model_look - as model_open, but for a look at one moment of the drive
 *
 * Changes nothing in the file, and asks for no more than that it can be read. What is changed through
 * the handle stays in it. Return: also -EBUSY: the file is in use, must not be written to by this user,
 * and changes faster than it can be read.
 */
int model_look(const char *path, struct model **out, char *why);

/*
 * model_preallocate - take up all the space that the file may ever need
 * @why: MODEL_WHY_LEN bytes; on failure one line
 *
 * Return: 0 or -errno; then some of it may have been taken.
 */
int model_preallocate(struct model *m, char *why);

/* What the file may still grow by, and what its file system has left for that, bytes. */
struct model_room {
	uint64_t taken, growth, free;
};
int model_room(const struct model *m, struct model_room *room);

/*
 * Did the drive's file fail under our hands: cut short, overwritten, no room? Return: NULL, or what is
 * wrong and what to do, without the file's name. All commands end with -ENODEV from then on.
 */
const char *model_failure(struct model *m);

/*
 * One I/O or admin command. Its data are moved and its effects are there when these return; the
 * host must not look before @r->due. @c->addr: the data, c->data_len bytes of this process.
 */
void model_io(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r);
void model_admin(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r);

/* Energy over the drive's life, millijoules. Return: false for a drive without timing, which draws none. */
bool model_energy(struct model *m, uint64_t *mj);

/* What was chosen at creation; the model's. */
const struct model_geometry *model_geometry(const struct model *m);

#endif
