// SPDX-License-Identifier: GPL-2.0-only
// Drives the plugin's hooks as fio does, without fio and without a drive: I/O to /dev/null, which
// kernels from 6.3 on accept as passthrough. Counts nothing itself: run it under callgrind.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/fio_abi.h"
#include "engine/target.h"

enum {
	BS = 4096,
	DEVICE_BLOCKS = 1 << 18,
	IO_U_SIZE = 512, /* room for any release's structures */
	FILE_SIZE = 512,
	TD_SIZE = 256 * 1024,
	EXIT_SKIP = 77
};

void get_ioengine(void **ops);

/* --- what fio gives the plugin ------------------------------------------------------------- */

extern const char fio_version_string[];
const char fio_version_string[] = "fio-3.33";

ssize_t log_err(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vfprintf(stderr, format, args);
	va_end(args);
	return n;
}

void fio_gettime(struct timespec *ts, void *caller)
{
	ts->tv_sec = 1;
	ts->tv_nsec = 0;
}

void io_u_queued(struct thread_data *td, struct io_u *io_u)
{
}

void io_u_mark_submit(struct thread_data *td, unsigned int nr)
{
}

/* --- a target that is no drive: stands in for engine/target.c ------------------------------ */

int target_open(struct target *t, const char *name, const struct target_wishes *w, char *why)
{
	memset(t, 0, sizeof(*t));
	why[0] = 0;
	t->fd = open(name, O_RDWR | O_CLOEXEC);
	if (t->fd < 0) {
		snprintf(why, TARGET_WHY_LEN, "%s: %s", name, strerror(errno));
		return -errno;
	}
	snprintf(t->name, sizeof(t->name), "%s", name);
	t->nsid = 1;
	t->lba_shift = 12;
	t->bytes = (uint64_t)DEVICE_BLOCKS * BS;
	t->max_transfer = 512 * 1024;
	return 0;
}

void target_close(struct target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

int target_live_paths(const struct target *t)
{
	return 1;
}

/* --- a fio job ----------------------------------------------------------------------------- */

struct job {
	struct thread_data *td;
	struct fio_file *file, *files[1];
	unsigned char *io_us; /* IO_U_SIZE bytes each */
	unsigned int *free; /* a stack of indexes, as in fio */
	unsigned int nr_free, depth, batch;
	uint64_t random;
	int (*init)(struct thread_data *td);
	int (*post_init)(struct thread_data *td);
	enum fio_q_status (*queue)(struct thread_data *td, struct io_u *io_u);
	int (*commit)(struct thread_data *td);
	int (*getevents)(struct thread_data *td, unsigned min, unsigned max,
			 const struct timespec *t);
	struct io_u *(*event)(struct thread_data *td, int i);
	void (*cleanup)(struct thread_data *td);
	int (*get_file_size)(struct thread_data *td, struct fio_file *f);
	int (*io_u_init)(struct thread_data *td, struct io_u *io_u);
};

static void fail(const char *what)
{
	fprintf(stderr, "own: %s\n", what);
	exit(1);
}

static void skip(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(EXIT_SKIP);
}

static void *allocate(size_t bytes)
{
	void *p = aligned_alloc(BS, (bytes + BS - 1) / BS * BS);

	if (!p)
		fail("out of memory");
	return memset(p, 0, bytes);
}

static struct io_u *job_io_u(struct job *j, unsigned int index)
{
	return (struct io_u *)(j->io_us + (size_t)index * IO_U_SIZE);
}

#define HOOK(ops, row, hook) memcpy(&j->hook, (char *)(ops) + (row)->ops_##hook, sizeof(void *))

static void take_hooks(struct job *j, void *ops, const struct fio_layout *row)
{
	HOOK(ops, row, init);
	HOOK(ops, row, post_init);
	HOOK(ops, row, queue);
	HOOK(ops, row, commit);
	HOOK(ops, row, getevents);
	HOOK(ops, row, event);
	HOOK(ops, row, cleanup);
	HOOK(ops, row, get_file_size);
	HOOK(ops, row, io_u_init);
}

static void set_default(char *field, const struct fio_option *o)
{
	if (o->type == FIO_OPTION_STR_STORE)
		*(const char **)field = o->def;
	else
		*(int *)field = atoi(o->def);
}

/* The engine's options at their defaults, as fio's parser leaves them. */
static void *default_options(void *ops, const struct fio_layout *row)
{
	const struct fio_option *o = *(struct fio_option **)((char *)ops + row->ops_options);
	char *options = allocate(*(int *)((char *)ops + row->ops_option_struct_size));

	for (; o->name; o++)
		if (o->def)
			set_default(options + o->off1, o);
	return options;
}

static const struct fio_layout *running_row(void)
{
	const struct fio_layout *rows;
	size_t nr = fio_abi_rows(&rows);

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(rows[i].release, fio_version_string + strlen("fio-")))
			return &rows[i];
	fail("the layout table has no row for this program's fio");
	return NULL;
}

static void make_td(struct job *j)
{
	const struct fio_layout *row = running_row();
	static char path[] = "/dev/null", name[] = "own";
	void *ops;

	get_ioengine(&ops);
	if (!ops)
		fail("the plugin gives no ops");
	fio_abi = *row;
	take_hooks(j, ops, row);
	j->td = allocate(TD_SIZE);
	j->file = allocate(FILE_SIZE);
	j->files[0] = j->file;
	FIO_FIELD(j->file, file_name, char *) = path;
	FIO_FIELD(j->td, td_io_ops, void *) = ops;
	FIO_FIELD(j->td, td_eo, void *) = default_options(ops, row);
	FIO_FIELD(j->td, td_files, struct fio_file **) = j->files;
	FIO_FIELD(j->td, o_name, char *) = name;
	FIO_FIELD(j->td, o_td_ddir, unsigned int) = 1 << FIO_READ;
	FIO_FIELD(j->td, o_iodepth, unsigned int) = j->depth;
	FIO_FIELD(j->td, o_nr_files, unsigned int) = 1;
	for (int ddir = FIO_READ; ddir <= FIO_TRIM; ddir++) {
		(&FIO_FIELD(j->td, o_min_bs, uint64_t))[ddir] = BS;
		(&FIO_FIELD(j->td, o_max_bs, uint64_t))[ddir] = BS;
	}
}

static void make_io_us(struct job *j)
{
	char *data = allocate((size_t)j->depth * BS);

	j->io_us = allocate((size_t)j->depth * IO_U_SIZE);
	j->free = allocate(j->depth * sizeof(*j->free));
	for (unsigned int i = 0; i < j->depth; i++) {
		struct io_u *io_u = job_io_u(j, i);

		FIO_FIELD(io_u, io_u_index, unsigned int) = i;
		FIO_FIELD(io_u, io_u_file, struct fio_file *) = j->file;
		FIO_FIELD(io_u, io_u_buf, void *) = data + (size_t)i * BS;
		FIO_FIELD(io_u, io_u_xfer_buf, void *) = data + (size_t)i * BS;
		FIO_FIELD(io_u, io_u_xfer_buflen, uint64_t) = BS;
		if (j->io_u_init(j->td, io_u))
			fail("io_u_init fails");
		j->free[j->nr_free++] = i;
	}
}

static void start(struct job *j)
{
	make_td(j);
	if (j->get_file_size(j->td, j->file) || j->init(j->td))
		skip("the plugin cannot open an io_uring for passthrough here");
	make_io_us(j);
	if (j->post_init(j->td))
		fail("post_init fails");
}

static void queue_one(struct job *j)
{
	struct io_u *io_u = job_io_u(j, j->free[--j->nr_free]);

	j->random = j->random * 6364136223846793005ULL + 1442695040888963407ULL;
	FIO_FIELD(io_u, io_u_offset, uint64_t) = (j->random >> 33) % DEVICE_BLOCKS * BS;
	FIO_FIELD(io_u, io_u_error, unsigned int) = 0;
	if (j->queue(j->td, io_u) != FIO_Q_QUEUED)
		fail("an I/O was not queued");
}

/* fio's wait_for_completions and td_io_getevents: a commit goes before. Return: I/Os that ended. */
static int complete(struct job *j, unsigned int min, unsigned int max)
{
	int n;

	if (j->commit(j->td))
		fail("commit fails");
	n = j->getevents(j->td, min, max, NULL);
	if (n < (int)min)
		fail("getevents fails");
	for (int i = 0; i < n; i++) {
		struct io_u *io_u = j->event(j->td, i);
		unsigned int err = FIO_FIELD(io_u, io_u_error, unsigned int);

		/* That kernel's answer; the plugin has said what it got. */
		if (err == EOPNOTSUPP || err == EIO)
			skip("this kernel does not take passthrough to /dev/null (6.3 and newer "
			     "do)");
		if (err)
			fail("an I/O failed");
		j->free[j->nr_free++] = FIO_FIELD(io_u, io_u_index, unsigned int);
	}
	return n;
}

/* fio's loop with iodepth_batch=@batch, iodepth_batch_complete_min=1 and max=@batch. */
static void run(struct job *j, uint64_t count)
{
	uint64_t queued = 0, ended = 0;
	unsigned int uncommitted = 0;

	while (ended < count) {
		if (j->nr_free && queued < count) {
			queue_one(j);
			queued++;
			if (++uncommitted >= j->batch) {
				if (j->commit(j->td))
					fail("commit fails");
				uncommitted = 0;
			}
			continue;
		}
		ended += complete(j, 1, j->batch);
		uncommitted = 0;
	}
	if (ended != count || j->nr_free != j->depth)
		fail("I/Os were lost");
}

int main(int argc, char **argv)
{
	struct job j = { .random = 1 };
	uint64_t count;

	if (argc != 4) {
		fprintf(stderr, "usage: own DEPTH BATCH COUNT\n");
		return 2;
	}
	j.depth = strtoul(argv[1], NULL, 10);
	j.batch = strtoul(argv[2], NULL, 10);
	count = strtoull(argv[3], NULL, 10);
	if (!j.depth || !j.batch || !count)
		fail("depth, batch and count are at least 1");
	if (j.batch > j.depth)
		j.batch = j.depth;
	start(&j);
	run(&j, count);
	j.cleanup(j.td);
	return 0;
}
