/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One fio job's I/O: from io_us to commands and back. The hot path.
 */
#ifndef ENGINE_IO_H
#define ENGINE_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/fio_abi.h"
#include "engine/target.h"

struct io;
struct metering;
struct placement;
struct placement_wishes;
struct power;

struct io_params {
	uint32_t depth; /* io_us; their indexes are below it */
	uint64_t max_bytes; /* the largest I/O */
	struct target *targets; /* open; io_close closes and frees them */
	uint32_t nr_targets;
	bool data; /* it reads or writes: its io_us have buffers of max_bytes */
	bool trim; /* it deallocates */
	bool write; /* writes and deallocations are allowed */
	bool fixed_buffers, poll, split, verbose;
	const char *job_name; /* for messages; must outlive the job */
	const struct placement_wishes *placement;
	bool fio_places; /* fio's own placement options are in use */
	struct metering *metering; /* counts for telemetry, or NULL; must outlive the job */
};

/*
 * io_open - make ready for I/O
 * @p: its targets are taken over, also when this fails
 * @why: TARGET_WHY_LEN bytes; one line on failure
 *
 * Call it in the thread that will do the I/O. Return: the job's I/O, or NULL with @err = -errno.
 */
struct io *io_open(const struct io_params *p, char *why, int *err);

/* fio has made an io_u; all are known before io_start. */
void io_add(struct io *io, struct io_u *io_u);

/* The io_us have their buffers: register them. Never fatal; says what it could not do. */
void io_start(struct io *io);

/* fio's own placement options are in use: each write's io_u says where it goes. */
void io_place_as_fio(struct io *io);

/* fio's queue, commit, getevents and event hooks: see there. */
enum fio_q_status io_queue(struct io *io, struct io_u *io_u);
int io_commit(struct io *io, struct thread_data *td);
int io_reap(struct io *io, struct thread_data *td, uint32_t min, uint32_t max);
struct io_u *io_event(struct io *io, int i);

/* The target of the @index-th file. */
struct target *io_target(struct io *io, uint32_t index);

/* Its placement, or NULL when the job's own options ask for none. */
const struct placement *io_placement(const struct io *io, uint32_t index);

/* What the job counts for telemetry, or NULL. */
struct metering *io_metering(struct io *io);

/* Take over the job's power states: the first I/O is timed, io_close ends them. Before any I/O. */
void io_take_power(struct io *io, struct power *power);

/* Return: 0, or the errno of an I/O that failed after fio had ceased to ask. */
int io_close(struct io *io);

#endif
