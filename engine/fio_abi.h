/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one door to fio: where each fio release keeps the fields that we use, and accessors.
 * No fio header is included anywhere in the plugin; the layouts come from ci/fio-layout.
 */
#ifndef ENGINE_FIO_ABI_H
#define ENGINE_FIO_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* fio's own structures: opaque here. */
struct thread_data;
struct io_u;
struct fio_file;

/* The same in every release from 3.28 on; ci/fio-layout.c asserts it. */
enum fio_q_status {
	FIO_Q_COMPLETED,
	FIO_Q_QUEUED,
	FIO_Q_BUSY
};
enum {
	FIO_READ = 0,
	FIO_WRITE = 1,
	FIO_TRIM = 2,
	FIO_SYNC = 3 /* and above: other syncs */
};
enum {
	FIO_TD_READ = 1 << 0,
	FIO_TD_WRITE = 1 << 1,
	FIO_TD_TRIM = 1 << 3
};
enum {
	FIO_FILETYPE_CHAR = 3
};
enum {
	FIO_VERROR_LEN = 128
};

/* Engine flags whose bits never moved. */
enum {
	FIO_FLAG_RAWIO = 1 << 1,
	FIO_FLAG_DISKLESSIO = 1 << 2,
	FIO_FLAG_NOEXTEND = 1 << 3,
	FIO_FLAG_NODISKUTIL = 1 << 4,
	FIO_FLAG_MEMALIGN = 1 << 9,
};

/* fio's option table entry (struct fio_option, 1512 bytes in every release so far). */
enum {
	FIO_OPTION_STR_STORE = 6,
	FIO_OPTION_INT = 8,
	FIO_OPTION_BOOL = 10
};
#define FIO_OPTION_CATEGORY_ENGINE 64ULL
#define FIO_OPTION_GROUP_NONE (1ULL << 62)

struct fio_option_value {
	const char *ival;
	unsigned long long oval;
	const char *help;
	int orval;
	void *cb;
};

struct fio_option {
	const char *name;
	const char *lname;
	const char *alias;
	uint32_t type;
	uint32_t off1;
	uint32_t off2_6[5];
	uint64_t maxval;
	int32_t minval;
	double maxfp, minfp;
	uint32_t interval, maxlen;
	int32_t neg, prio;
	void *cb;
	const char *help;
	const char *def;
	struct fio_option_value posval[32];
	const char *parent;
	int32_t hide, hide_on_set;
	const char *inverse;
	void *inv_opt;
	void *verify;
	const char *prof_name;
	void *prof_opts;
	uint64_t category;
	uint64_t group;
	void *gui_data;
	int32_t is_seconds, is_time, no_warn_def, pow2, no_free;
};

/*
 * One row per fio release. Offsets in bytes from the start of the structure; td_* and o_* from
 * struct thread_data; flag_* are bit numbers. 0 means "this release has none" or "not known":
 * what depends on it is then left out.
 */
struct fio_layout {
	const char *release; /* "3.33" */
	bool measured; /* by ci/fio-layout; false: derived, see fio_layouts.h */
	uint16_t ops_version, ops_size;
	uint16_t ops_name, ops_version_off, ops_flags, ops_init, ops_post_init, ops_queue;
	uint16_t ops_commit, ops_getevents, ops_event, ops_cleanup, ops_open_file, ops_close_file;
	uint16_t ops_invalidate, ops_unlink_file, ops_get_file_size, ops_io_u_init;
	uint16_t ops_fdp_fetch_ruhs;
	uint16_t ops_option_struct_size, ops_options;
	uint8_t flag_no_offload, flag_sets_issue_time, flag_multi_range_trim;
	/* What an I/O touches stands together: these share two cache lines. */
	uint16_t io_u_issue_time, io_u_file, io_u_ddir, io_u_offset, io_u_buf, io_u_xfer_buf;
	uint16_t io_u_xfer_buflen, io_u_error, io_u_index, io_u_number_trim;
	uint16_t io_u_dtype; /* and dspec after it */
	uint16_t file_filetype, file_fd, file_name, file_real_file_size, file_engine_data;
	uint16_t o_name, o_td_ddir, o_iodepth, o_min_bs, o_max_bs, o_nr_files;
	uint32_t td_io_ops_data, td_io_ops, td_eo, td_files, td_error, td_verror, td_last_issue;
	uint32_t td_thread_number;
};

/* What fio calls fio_ruhs_info: the placement identifiers that an engine knows of a file. */
struct fio_ruhs_info {
	uint32_t nr;
	uint32_t at; /* fio's own */
	uint16_t pid[];
};

/* Room for so many before ops version 36; from there on @nr says how much room there is. */
enum {
	FIO_RUHS_ROOM = 128,
	FIO_OPS_VERSION_RUHS_ASKS_TWICE = 36,
};

/* The running fio's row, a copy so that the hot path reads one place. Valid after fio_abi_bind. */
extern struct fio_layout fio_abi __attribute__((visibility("hidden")));

/* The hooks that we offer, in our own order; fio_abi_ops() lays them out as the running fio wants. */
struct fio_hooks {
	const char *name;
	int flags; /* FIO_FLAG_*; what moved (no offload, issue time) is added */
	int (*init)(struct thread_data *td);
	int (*post_init)(struct thread_data *td);
	enum fio_q_status (*queue)(struct thread_data *td, struct io_u *io_u);
	int (*commit)(struct thread_data *td);
	int (*getevents)(struct thread_data *td, unsigned min, unsigned max,
			 const struct timespec *t);
	struct io_u *(*event)(struct thread_data *td, int i);
	void (*cleanup)(struct thread_data *td);
	int (*open_file)(struct thread_data *td, struct fio_file *f);
	int (*close_file)(struct thread_data *td, struct fio_file *f);
	int (*invalidate)(struct thread_data *td, struct fio_file *f);
	int (*unlink_file)(struct thread_data *td, struct fio_file *f);
	int (*get_file_size)(struct thread_data *td, struct fio_file *f);
	int (*io_u_init)(struct thread_data *td, struct io_u *io_u);
	/* fio 3.34 and newer, for its own placement options; in the parent, before init */
	int (*fdp_fetch_ruhs)(struct thread_data *td, struct fio_file *f,
			      struct fio_ruhs_info *info);
	int option_struct_size;
	struct fio_option *options;
};

/*
 * fio_abi_ops - the ops structure that the running fio expects
 * @hooks: ours; must live as long as the process
 *
 * Return: a pointer that stays the same for the life of the process (fio compares it), or NULL
 * after one line that names the running fio and what to do.
 */
void *fio_abi_ops(const struct fio_hooks *hooks);

/*
 * fio_abi_bind - the self-check: find the row whose io_ops offset holds our ops
 * @td: any job of the running fio
 *
 * Call it in the first hooks, before any accessor. Return: 0, or -EPROTO after one line.
 */
int fio_abi_bind(struct thread_data *td);

/*
 * fio_abi_find_bytes - where a job keeps the bytes that it counts
 * @ios, @bytes: what it has completed so far: read, written, trimmed; not all 0
 *
 * struct thread_data has four arrays one after the other: io_blocks, this_io_blocks, io_bytes,
 * this_io_bytes. Their place differs in every release, their content is known: so they are found by
 * it, and no other twelve words are taken for them. Return: io_bytes, which stay where they are for
 * the job's life, or NULL: not there, or a loop or the ramp time has ended meanwhile.
 */
const uint64_t *fio_abi_find_bytes(struct thread_data *td, const uint64_t ios[3],
				   const uint64_t bytes[3]);

/* The rows of a release, for tests. Return: the number of rows in *@rows. */
size_t fio_abi_rows(const struct fio_layout **rows);

/* fio's functions that we call. All releases from 3.28 on export them. */
ssize_t log_err(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fio_gettime(struct timespec *ts, void *caller);
void io_u_queued(struct thread_data *td, struct io_u *io_u);
void io_u_mark_submit(struct thread_data *td, unsigned int nr);

/* A field: FIO_FIELD(io_u, io_u_ddir, int) is an lvalue. */
#define FIO_FIELD(base, off, type) (*(type *)((char *)(base) + fio_abi.off))

#endif
