// SPDX-License-Identifier: GPL-2.0-only
// fio's hooks and our option table. Knows fio by fio_abi.h only, and nothing of NVMe.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fio_abi.h"
#include "engine/guardian.h"
#include "engine/io.h"
#include "engine/telemetry/meter.h"
#include "engine/model/late.h"
#include "engine/option.h"
#include "engine/placement.h"
#include "engine/power/power.h"
#include "engine/report.h"
#include "engine/target.h"
#include "engine/telemetry/telemetry.h"

/* fio owns the first word while it parses. */
struct options {
	void *pad;
	unsigned int fixedbufs;
	unsigned int poll;
	unsigned int split;
	unsigned int force;
	unsigned int verbose;
	char *placement;
	char *placement_select;
	char *ruh_update;
	char *power_state;
	unsigned int power_force;
	unsigned int power_optional;
	char *telemetry;
	char *telemetry_interval;
	char *telemetry_settle;
};

#define OPTION(kind, opt, dflt, text)                                                   \
	{                                                                               \
		.name = "nvme_" #opt, .lname = "NVMe " #opt, .type = FIO_OPTION_##kind, \
		.off1 = offsetof(struct options, opt), .help = text, .def = dflt,       \
		.category = FIO_OPTION_CATEGORY_ENGINE, .group = FIO_OPTION_GROUP_NONE, \
	}

static struct fio_option option_table[] = {
	OPTION(BOOL, fixedbufs, "1",
	       "Register the data buffers with the kernel once, instead of mapping them for "
	       "each I/O; without locked memory for it the job goes on without"),
	OPTION(BOOL, poll, "0",
	       "Busy-poll for completions; the drive needs poll queues (nvme.poll_queues=N)"),
	OPTION(BOOL, split, "1",
	       "Split an I/O above the drive's limit into several commands, as the block layer "
	       "does; 0 refuses it"),
	OPTION(BOOL, force, "0",
	       "Write even to a namespace that is mounted, held by another device or swap: "
	       "destroys what is on it"),
	OPTION(BOOL, verbose, "0",
	       "At each job's end print to stderr how many commands of each kind were sent"),
	OPTION(STR_STORE, placement, "none",
	       "Placement identifiers (FDP) that the job writes with: ruh:0,2-3 are indexes "
	       "into Reclaim Unit Handle Status, pid:0x8001 an identifier as it is"),
	OPTION(STR_STORE, placement_select, "roundrobin",
	       "Which of them a write gets: roundrobin, random, job (the job's number), "
	       "weighted:3,1,... or offset:10%,50%,... (where the next one's range begins)"),
	OPTION(STR_STORE, ruh_update, "none",
	       "start: each of the job's placement identifiers gets a fresh reclaim unit "
	       "before the first I/O"),
	OPTION(STR_STORE, power_state, "none",
	       "Power state (Feature 02h) of the drives for the length of the job: set before the "
	       "first I/O, read back, restored however the run ends"),
	OPTION(BOOL, power_force, "0",
	       "Set a power state that is not operational, too, or on a drive that claims to have "
	       "but one"),
	OPTION(BOOL, power_optional, "0",
	       "Where the power state cannot be set, run all the same at the one in force"),
	OPTION(STR_STORE, telemetry, "none",
	       "File for what the drive counted before, during and after: WAF, temperature, "
	       "power; JSON, see nvmept-sidecar(5). %d in it becomes the device's name"),
	OPTION(STR_STORE, telemetry_interval, "0",
	       "How often the drive's counters are read while the jobs run, by a thread of its "
	       "own: 250, 250ms, 1s; 0: at the edges only"),
	OPTION(STR_STORE, telemetry_settle, "0",
	       "Wait so long after the end (seconds, or 500ms, 2m) and read the counters once "
	       "more: what the drive still did by itself"),
	{ 0 },
};

static struct io *job_io(struct thread_data *td)
{
	return FIO_FIELD(td, td_io_ops_data, struct io *);
}

static struct fio_file *job_file(struct thread_data *td, unsigned int i)
{
	return FIO_FIELD(td, td_files, struct fio_file **)[i];
}

static bool job_writes(struct thread_data *td)
{
	return FIO_FIELD(td, o_td_ddir, unsigned int) & (FIO_TD_WRITE | FIO_TD_TRIM);
}

/* Note that the job is going to use @t. Return: 0 or -errno. */
static int register_telemetry(struct thread_data *td, const struct target *t, char *why)
{
	const struct options *o = FIO_FIELD(td, td_eo, struct options *);
	const struct telemetry_wishes w = {
		.file = o->telemetry,
		.interval = o->telemetry_interval,
		.settle = o->telemetry_settle,
	};

	return telemetry_register(&w, t, FIO_FIELD(td, td_thread_number, unsigned int),
				  FIO_FIELD(td, o_name, char *), why);
}

static struct target_wishes job_wishes(struct thread_data *td)
{
	return (struct target_wishes){
		.write = job_writes(td),
		.force = FIO_FIELD(td, td_eo, struct options *)->force,
	};
}

/*
 * fio prints the job's verror after a failed set-up; with nothing there, an empty line.
 */
static int fail_job(struct thread_data *td, int err, const char *why)
{
	report_error("%s", why);
	FIO_FIELD(td, td_error, int) = err < 0 ? -err : err;
	if (fio_abi.td_verror)
		snprintf(&FIO_FIELD(td, td_verror, char), FIO_VERROR_LEN, "job refused: %s",
			 strerror(err < 0 ? -err : err));
	return 1;
}

/*
 * fio makes sizes between the least and the largest; what each is not a multiple of, the target
 * cannot do. Return: 0 or -EINVAL.
 */
static int check_block_sizes(struct thread_data *td, const struct target *t, char *why)
{
	const uint64_t *min_bs = &FIO_FIELD(td, o_min_bs, uint64_t);
	const uint64_t *max_bs = &FIO_FIELD(td, o_max_bs, uint64_t);
	unsigned int lba = 1U << t->lba_shift;

	for (int ddir = FIO_READ; ddir <= FIO_TRIM; ddir++) {
		uint64_t bad = min_bs[ddir] % lba ? min_bs[ddir] : max_bs[ddir];

		if (!(bad % lba))
			continue;
		snprintf(why, TARGET_WHY_LEN,
			 "%s: bs=%" PRIu64 " is not a multiple of the logical block, %u bytes; "
			 "legal are %u, %u, %u ...",
			 t->name, bad, lba, lba, 2 * lba, 3 * lba);
		return -EINVAL;
	}
	return 0;
}

/*
 * In fio's parent, before any job runs. Every target presents itself as a character device: fio
 * then never lays out, extends or unlinks it.
 */
static int hook_get_file_size(struct thread_data *td, struct fio_file *f)
{
	struct target_wishes wishes;
	char why[TARGET_WHY_LEN];
	struct target t;
	int ret;

	if (fio_abi_bind(td))
		return 1;
	wishes = job_wishes(td);
	ret = target_open(&t, FIO_FIELD(f, file_name, char *), &wishes, why);
	if (ret)
		return fail_job(td, ret, why);
	if (*why)
		report_note("%s", why);
	if (option_given(FIO_FIELD(td, td_eo, struct options *)->power_state))
		guardian_init();
	ret = check_block_sizes(td, &t, why);
	if (!ret)
		ret = register_telemetry(td, &t, why);
	if (ret) {
		target_close(&t);
		return fail_job(td, ret, why);
	}
	FIO_FIELD(f, file_filetype, int) = FIO_FILETYPE_CHAR;
	FIO_FIELD(f, file_real_file_size, uint64_t) = t.bytes;
	target_close(&t);
	return 0;
}

/* fio's own placement options are in use in this run: its io_us say where writes go. */
static bool fio_places;

/* Fill @info as the running fio wants it. Return: 0 or -errno after one line. */
static int fill_ruhs(struct thread_data *td, const struct target *t, struct fio_ruhs_info *info)
{
	struct placement_handle handles[FIO_RUHS_ROOM];
	uint32_t room = FIO_RUHS_ROOM;
	char why[TARGET_WHY_LEN];
	int nr = placement_handles(t, handles, room, why);

	if (nr < 0) {
		fail_job(td, nr, why);
		return nr;
	}
	if (fio_abi.ops_version >= FIO_OPS_VERSION_RUHS_ASKS_TWICE)
		room = info->nr < room ? info->nr : room;
	info->nr = nr < FIO_RUHS_ROOM ? nr : FIO_RUHS_ROOM;
	for (uint32_t i = 0; i < info->nr && i < room; i++)
		info->pid[i] = handles[i].pid;
	return 0;
}

/* For fio's own options fdp= and dataplacement=. In the parent; in the job where a log is replayed. */
static int hook_fdp_fetch_ruhs(struct thread_data *td, struct fio_file *f,
			       struct fio_ruhs_info *info)
{
	struct target_wishes wishes = { 0 };
	const struct options *o;
	char why[TARGET_WHY_LEN];
	struct target t;
	int ret;

	if (fio_abi_bind(td))
		return -EPROTO;
	o = FIO_FIELD(td, td_eo, struct options *);
	if (option_given(o->placement)) {
		fail_job(td, EINVAL,
			 "nvme_placement= beside fio's own fdp= or dataplacement=: give one of "
			 "them");
		return -EINVAL;
	}
	ret = target_open(&t, FIO_FIELD(f, file_name, char *), &wishes, why);
	if (ret) {
		fail_job(td, ret, why);
		return ret;
	}
	ret = fill_ruhs(td, &t, info);
	target_close(&t);
	fio_places = true;
	if (job_io(td))
		io_place_as_fio(job_io(td));
	return ret;
}

/* Two names of one namespace in a job are no error, but seldom meant. */
static void note_same_namespace(const struct target *targets, unsigned int i)
{
	for (unsigned int j = 0; j < i; j++) {
		if (strcmp(targets[i].node, targets[j].node))
			continue;
		report_note("%s and %s are the same namespace (%s): the job does each I/O "
			    "range on it twice",
			    targets[j].name, targets[i].name, targets[i].node);
		return;
	}
}

/* Open all the job's targets. Return: their array, or NULL with @err set. */
static struct target *open_targets(struct thread_data *td, unsigned int nr, char *why, int *err)
{
	struct target_wishes wishes = job_wishes(td);
	struct target *targets = calloc(nr, sizeof(*targets));

	if (!targets) {
		snprintf(why, TARGET_WHY_LEN, "out of memory");
		*err = -ENOMEM;
		return NULL;
	}
	for (unsigned int i = 0; i < nr; i++) {
		const char *name = FIO_FIELD(job_file(td, i), file_name, char *);

		*err = target_open(&targets[i], name, &wishes, why);
		targets[i].index = i;
		if (!*err) {
			if (*why)
				report_note("%s", why);
			note_same_namespace(targets, i);
			continue;
		}
		while (i--)
			target_close(&targets[i]);
		free(targets);
		return NULL;
	}
	return targets;
}

static uint64_t largest_io(struct thread_data *td)
{
	const uint64_t *max_bs = &FIO_FIELD(td, o_max_bs, uint64_t);
	uint64_t max = 0;

	/* Trims are one command however long; their size is of no account. */
	for (int ddir = FIO_READ; ddir <= FIO_WRITE; ddir++)
		if (max_bs[ddir] > max)
			max = max_bs[ddir];
	return max;
}

/* Return: 0, or -EINVAL with a line in @why. */
static int job_placement(struct thread_data *td, struct placement_wishes *w, char *why)
{
	const struct options *o = FIO_FIELD(td, td_eo, struct options *);

	w->ids = o->placement;
	w->select = o->placement_select;
	w->job = FIO_FIELD(td, td_thread_number, unsigned int) - 1; /* from 1 */
	w->fresh_units = !strcmp(o->ruh_update, "start");
	if (w->fresh_units || !strcmp(o->ruh_update, "none"))
		return 0;
	snprintf(why, TARGET_WHY_LEN, "nvme_ruh_update=%.100s: start and none are known",
		 o->ruh_update);
	return -EINVAL;
}

/* Return: 0, or -errno with a line in @why. */
static int open_power(struct thread_data *td, struct io *io, unsigned int nr, char *why)
{
	const struct options *o = FIO_FIELD(td, td_eo, struct options *);
	const struct power_wishes w = {
		.state = o->power_state,
		.force = o->power_force,
		.optional = o->power_optional,
		.verbose = o->verbose,
	};
	struct power *power;
	int ret = power_open(&w, io_target(io, 0), nr, &power, why);

	if (!ret)
		io_take_power(io, power);
	return ret;
}

/*
 * With the drive's counters read before the job's first command. Return: the job's I/O, or NULL with
 * @err set.
 */
static struct io *open_io(struct thread_data *td, struct io_params *p, char *why, int *err)
{
	unsigned int number = FIO_FIELD(td, td_thread_number, unsigned int);
	struct telemetry *telemetry;
	struct io *io;

	p->targets = open_targets(td, p->nr_targets, why, err);
	if (!p->targets) {
		telemetry_refused(number);
		return NULL;
	}
	telemetry = telemetry_begin(number, p->targets, p->nr_targets);
	p->metering = telemetry_metering(telemetry);
	io = io_open(p, why, err);
	if (io) {
		telemetry_placed(telemetry, p->placement, io, p->fio_places);
		return io;
	}
	telemetry_end(telemetry, *err < 0 ? -*err : *err);
	telemetry_close(telemetry);
	return NULL;
}

/* @error: errno that fio has for the job. Return: as io_close. */
static int close_io(struct io *io, int error)
{
	struct telemetry *telemetry = telemetry_of(io_metering(io));
	int err;

	telemetry_end(telemetry, error);
	err = io_close(io);
	telemetry_close(telemetry);
	return err;
}

static int hook_init(struct thread_data *td)
{
	const struct options *o;
	char why[TARGET_WHY_LEN] = "";
	struct placement_wishes placement;
	struct io_params p = { 0 };
	struct io *io;
	int err = 0;

	if (fio_abi_bind(td))
		return 1;
	o = FIO_FIELD(td, td_eo, struct options *);
	p.nr_targets = FIO_FIELD(td, o_nr_files, unsigned int);
	p.depth = FIO_FIELD(td, o_iodepth, unsigned int);
	p.max_bytes = largest_io(td);
	p.write = job_writes(td);
	p.data = FIO_FIELD(td, o_td_ddir, unsigned int) & (FIO_TD_READ | FIO_TD_WRITE);
	p.trim = FIO_FIELD(td, o_td_ddir, unsigned int) & FIO_TD_TRIM;
	p.fixed_buffers = o->fixedbufs;
	p.poll = o->poll;
	p.split = o->split;
	p.verbose = o->verbose;
	p.job_name = FIO_FIELD(td, o_name, char *);
	p.placement = &placement;
	p.fio_places = fio_places && fio_abi.io_u_dtype;
	err = job_placement(td, &placement, why);
	if (err)
		return fail_job(td, err, why);
	io = open_io(td, &p, why, &err);
	if (!io)
		return fail_job(td, err, why);
	err = open_power(td, io, p.nr_targets, why);
	if (err) {
		close_io(io, -err);
		return fail_job(td, err, why);
	}
	for (unsigned int i = 0; i < p.nr_targets; i++)
		FIO_FIELD(job_file(td, i), file_engine_data, struct target *) = io_target(io, i);
	FIO_FIELD(td, td_io_ops_data, struct io *) = io;
	return 0;
}

static int hook_io_u_init(struct thread_data *td, struct io_u *io_u)
{
	io_add(job_io(td), io_u);
	return 0;
}

static int hook_post_init(struct thread_data *td)
{
	io_start(job_io(td));
	return 0;
}

static enum fio_q_status hook_queue(struct thread_data *td, struct io_u *io_u)
{
	return io_queue(job_io(td), io_u);
}

static int hook_commit(struct thread_data *td)
{
	return io_commit(job_io(td), td);
}

static int hook_getevents(struct thread_data *td, unsigned int min, unsigned int max,
			  const struct timespec *t)
{
	return io_reap(job_io(td), td, min, max);
}

static struct io_u *hook_event(struct thread_data *td, int i)
{
	return io_event(job_io(td), i);
}

static void hook_cleanup(struct thread_data *td)
{
	struct io *io = job_io(td);
	int err;

	if (!io)
		return;
	FIO_FIELD(td, td_io_ops_data, struct io *) = NULL;
	if (io_metering(io)) {
		meter_watch_fio(io, td);
		meter_check_fio(io);
	}
	err = close_io(io, FIO_FIELD(td, td_error, int));
	if (err && !FIO_FIELD(td, td_error, int))
		FIO_FIELD(td, td_error, int) = err;
}

/* The targets stay open from init to cleanup, whatever fio opens and closes in between. */
static int hook_open_file(struct thread_data *td, struct fio_file *f)
{
	FIO_FIELD(f, file_fd, int) = FIO_FIELD(f, file_engine_data, struct target *)->fd;
	return 0;
}

static int hook_close_file(struct thread_data *td, struct fio_file *f)
{
	FIO_FIELD(f, file_fd, int) = -1;
	return 0;
}

/* No page cache stands before passthrough; a device is never unlinked. */
static int hook_nothing(struct thread_data *td, struct fio_file *f)
{
	return 0;
}

static const struct fio_hooks hooks = {
	.name = "nvmept",
	.flags = FIO_FLAG_RAWIO | FIO_FLAG_DISKLESSIO | FIO_FLAG_NOEXTEND | FIO_FLAG_NODISKUTIL |
		 FIO_FLAG_MEMALIGN,
	.init = hook_init,
	.post_init = hook_post_init,
	.queue = hook_queue,
	.commit = hook_commit,
	.getevents = hook_getevents,
	.event = hook_event,
	.cleanup = hook_cleanup,
	.open_file = hook_open_file,
	.close_file = hook_close_file,
	.invalidate = hook_nothing,
	.unlink_file = hook_nothing,
	.get_file_size = hook_get_file_size,
	.io_u_init = hook_io_u_init,
	.fdp_fetch_ruhs = hook_fdp_fetch_ruhs,
	.option_struct_size = sizeof(struct options),
	.options = option_table,
};

__attribute__((visibility("default"))) void get_ioengine(void **ops);

/* The plugin's only exported symbol. fio calls it more than once. */
void get_ioengine(void **ops)
{
	report_init();
	telemetry_init();
	power_init();
	late_init();
	*ops = fio_abi_ops(&hooks);
}
