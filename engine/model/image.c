// SPDX-License-Identifier: GPL-2.0-only
// The file behind a model drive: made, attached to, locked, repaired. No NVMe here.
#include "engine/model/image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "engine/model/ftl.h"
#include "engine/model/mapping.h"
#include "engine/model/power.h"
#include "engine/model/timing.h"
#include "engine/model/units.h"
#include "engine/model/wait.h"

enum {
	LOCK_PATIENCE_NS = 20000000
};

/* How long a drive in use is looked at for a moment at which nobody changes it. */
#define LOOK_NS 2000000000ULL

/* Bytes of the file that openers lock (OFD locks, so that the kernel lets go of them). */
enum {
	LOCK_ATTACHED, /* shared by all that are attached; exclusively: nobody else is */
	LOCK_OPENING, /* one at a time opens or closes */
	LOCK_SERVED, /* one at a time is its controller for hosts */
};

/* No operation ends later than this; what says so is damage. */
#define FAR_NS 3600000000000ULL

static int refuse(char *why, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(char *why, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, MODEL_WHY_LEN, format, args);
	va_end(args);
	return err > 0 ? -err : -EIO;
}

/* CRC-32C (Castagnoli), bit by bit: it runs over one header. */
static uint32_t checksum(const struct model_header *header)
{
	struct model_header h = *header;
	const uint8_t *byte = (const uint8_t *)&h;
	uint32_t crc = ~0U;

	h.checksum = 0;
	for (size_t i = 0; i < sizeof(h); i++) {
		crc ^= byte[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + MODEL_PAGE - 1) & ~(uint64_t)(MODEL_PAGE - 1);
}

/* Where each part lies. */
static void lay_out(struct model_header *h)
{
	const struct model_geometry *g = &h->geometry;
	uint64_t programs = (uint64_t)g->rus * g->ru_pages;

	h->state = whole_pages(sizeof(*h));
	h->units = h->state + whole_pages(sizeof(struct model_state));
	h->map = h->units + whole_pages(g->rus * sizeof(struct model_unit));
	h->reverse = h->map + whole_pages(g->pages * sizeof(uint32_t));
	h->buffer = h->reverse + whole_pages(programs * sizeof(uint32_t));
	h->next_units = h->buffer + whole_pages(g->buffer_pages * sizeof(uint64_t));
	h->data = h->next_units + whole_pages(units_bytes(g));
	h->file_bytes = h->data + (g->pages << MODEL_PAGE_SHIFT);
}

uint64_t model_now(const struct model *m)
{
	struct timespec t;

	if (!m->g->timing)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void detach(struct model *m)
{
	mapping_close(m);
	if (m->fd >= 0)
		close(m->fd); /* and with it go its locks */
	free(m);
}

/* --- locks on the file -------------------------------------------------------------------- */

static int lock_byte(int fd, int command, short type, off_t byte)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };
	int ret;

	do {
		ret = fcntl(fd, command, &l);
	} while (ret && errno == EINTR);
	return ret ? -errno : 0;
}

static void init_mutex(struct model_state *s)
{
	pthread_mutexattr_t attr;

	memset(&s->lock, 0, sizeof(s->lock));
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&s->lock, &attr);
	pthread_mutexattr_destroy(&attr);
}

/* --- powered on --------------------------------------------------------------------------- */

static void read_boot_id(char id[40])
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	memset(id, 0, 40);
	if (!f)
		return;
	if (!fgets(id, 40, f))
		id[0] = '\0';
	fclose(f);
}

static bool is_near(uint64_t time, uint64_t now)
{
	return time < now + FAR_NS;
}

/* The times that operations wait for stand in the file: none may make a host wait for ever. */
static bool times_have_sense(const struct model *m, uint64_t now)
{
	const struct model_state *s = m->s;
	bool ok = is_near(s->power.stalled_until, now) && is_near(s->power.gate_until, now) &&
		  is_near(s->power.read_gate_until, now) && s->power.last_seen <= now &&
		  s->power.interval_start <= now && s->gc_debt < FAR_NS && s->gc_die < m->g->dies;

	for (uint32_t i = 0; i < m->g->dies; i++)
		ok = ok && is_near(s->die[i].read_until, now) &&
		     is_near(s->die[i].program_until, now);
	for (uint32_t i = 0; i < m->g->channels; i++)
		ok = ok && is_near(s->channel_until[i], now);
	for (uint32_t i = 0; i < m->g->buffer_pages; i++)
		ok = ok && is_near(m->buffer[i], now);
	return ok;
}

/* A drive stays powered while nobody is attached; with a new boot of the host it starts anew. */
static void power_on_if_new(struct model *m)
{
	struct model_state *s = m->s;
	char boot_id[sizeof(s->boot_id)];
	uint64_t now = model_now(m);

	read_boot_id(boot_id);
	if (!memcmp(boot_id, s->boot_id, sizeof(boot_id)) && times_have_sense(m, now) &&
	    s->power.state < m->g->nr_power_states && s->power.operational < m->g->nr_power_states)
		return;
	memcpy(s->boot_id, boot_id, sizeof(boot_id));
	timing_reset(m);
	power_on(m, now);
	s->power_ons++;
}

/* The first to attach: nobody else looks at the drive now. */
static int initialise(struct model *m, void *arg)
{
	struct model_state *s = m->s;
	char *why = arg;
	int ret;

	s->initialised = 0;
	if (s->step.kind != MODEL_STEP_NONE)
		s->unsafe++;
	ret = ftl_rebuild(m, why);
	if (ret)
		return ret;
	if (s->nr_faults > MODEL_MAX_FAULTS)
		return refuse(why, EINVAL, "the number of faults, %u, has no sense", s->nr_faults);
	memset(s->spinner, 0, sizeof(s->spinner));
	power_on_if_new(m);
	init_mutex(s);
	s->turns = (s->turns | 1) + 1;
	s->initialised = 1;
	return 0;
}

static int initialise_guarded(struct model *m, char *why)
{
	int ret = mapping_run(m, initialise, why);

	return m->failed ? refuse(why, -ret, "%s", m->why) : ret;
}

/* Return: 0 or -errno, @why then without the file's name. */
static int attach(struct model *m, char *why)
{
	int ret = lock_byte(m->fd, F_OFD_SETLKW, F_WRLCK, LOCK_OPENING);

	if (ret)
		return refuse(why, -ret, "cannot be locked: %s", strerror(-ret));
	if (!lock_byte(m->fd, F_OFD_SETLK, F_WRLCK, LOCK_ATTACHED)) {
		/* An older drive may have holes there, too. Without room the first store fails. */
		posix_fallocate(m->fd, 0, (off_t)m->copy.data);
		ret = initialise_guarded(m, why);
		if (ret)
			return ret;
	}
	ret = lock_byte(m->fd, F_OFD_SETLKW, F_RDLCK, LOCK_ATTACHED);
	if (!ret)
		ret = lock_byte(m->fd, F_OFD_SETLK, F_UNLCK, LOCK_OPENING);
	if (ret)
		return refuse(why, -ret, "cannot be locked: %s", strerror(-ret));
	return 0;
}

/* --- create and open ---------------------------------------------------------------------- */

bool model_recognise(const char *path)
{
	char magic[sizeof(MODEL_MAGIC) - 1];
	struct stat st;
	bool found;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	found = read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		!memcmp(magic, MODEL_MAGIC, sizeof(magic));
	close(fd);
	return found;
}

static int find_room(int fd, uint64_t bytes, struct model_room *room)
{
	struct statvfs fs;
	struct stat st;

	*room = (struct model_room){ 0 };
	if (fstat(fd, &st) || fstatvfs(fd, &fs))
		return -errno;
	room->taken = (uint64_t)st.st_blocks * 512;
	room->growth = room->taken < bytes ? bytes - room->taken : 0;
	room->free = (uint64_t)fs.f_bavail * fs.f_frsize;
	return 0;
}

int model_room(const struct model *m, struct model_room *room)
{
	return find_room(m->fd, m->copy.file_bytes, room);
}

static uint64_t mib(uint64_t bytes)
{
	return (bytes + (1 << 20) - 1) >> 20;
}

static int check_room(int fd, uint64_t bytes, char *why)
{
	struct model_room room;
	int ret = find_room(fd, bytes, &room);

	if (ret)
		return refuse(why, -ret, "%s", strerror(-ret));
	if (room.growth <= room.free)
		return 0;
	return refuse(why, ENOSPC,
		      "needs up to %" PRIu64 " MiB, the file system has %" PRIu64
		      " MiB free; make room, or a drive with a smaller --capacity",
		      mib(room.growth), room.free >> 20);
}

/* No error: a drive can be read, and written to where it was before. */
static void remark_on_room(const struct model *m, const char *path, char *why)
{
	struct model_room room;

	why[0] = '\0';
	if (model_room(m, &room) || room.growth <= room.free)
		return;
	snprintf(why, MODEL_WHY_LEN,
		 "%.160s: takes up to %" PRIu64
		 " MiB more as it is written, but its file system has "
		 "%" PRIu64 " MiB free: writes fail when these are used up",
		 path, mib(room.growth), room.free >> 20);
}

/* Return: 0 or -errno. */
static int allocate(int fd, uint64_t bytes)
{
	int ret;

	do {
		ret = posix_fallocate(fd, 0, (off_t)bytes);
	} while (ret == EINTR);
	return -ret;
}

int model_preallocate(struct model *m, char *why)
{
	struct model_room room;
	int ret;

	if (!model_room(m, &room) && room.growth > room.free)
		ret = -ENOSPC; /* and do not fill it up first */
	else
		ret = allocate(m->fd, m->copy.file_bytes);
	if (ret)
		return refuse(why, -ret, "%" PRIu64 " MiB cannot be taken up: %s",
			      mib(m->copy.file_bytes), strerror(-ret));
	m->s->preallocated = 1;
	return 0;
}

static int fill_new(struct model *m, void *arg)
{
	struct model_header whole = m->copy;

	ftl_reset(m);
	read_boot_id(m->s->boot_id);
	timing_reset(m);
	power_on(m, model_now(m));
	m->s->power_ons = 1;
	whole.checksum = checksum(&whole);
	/* Last: until then the file is no drive. */
	*(struct model_header *)m->base = whole;
	return 0;
}

/* The new file becomes a drive. All but the data gets its space now: a store to it cannot fail later. */
static int make_drive(struct model *m, const struct model_header *h, char *why)
{
	int ret = check_room(m->fd, h->file_bytes, why);

	if (ret)
		return ret;
	ret = ftruncate(m->fd, (off_t)h->file_bytes) ? -errno : allocate(m->fd, h->data);
	if (ret == -EFBIG)
		return refuse(why, EFBIG,
			      "%" PRIu64 " MiB are more than a file may have here: raise the limit "
			      "(ulimit -f), or give a smaller --capacity",
			      mib(h->file_bytes));
	if (!ret)
		ret = mapping_open(m, h, false);
	if (ret)
		return refuse(why, -ret, "%s", strerror(-ret));
	ret = mapping_run(m, fill_new, NULL);
	return ret ? refuse(why, -ret, "%s", m->why) : 0;
}

int model_create(const char *path, const struct model_geometry *g, char *why)
{
	struct model_header h = { .magic = MODEL_MAGIC, .version = MODEL_VERSION, .geometry = *g };
	char reason[MODEL_WHY_LEN] = "";
	struct model *m = calloc(1, sizeof(*m));
	int ret;

	if (!m)
		return refuse(why, ENOMEM, "%s: out of memory", path);
	lay_out(&h);
	m->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (m->fd < 0) {
		ret = -errno;
		free(m);
		return refuse(why, -ret, "%s: %s", path,
			      ret == -EEXIST ? "exists; a drive is made as a new file (nvsim reset "
					       "empties one that is there)"
					     : strerror(-ret));
	}
	ret = make_drive(m, &h, reason);
	if (ret) {
		unlink(path);
		refuse(why, -ret, "%.160s: %.340s", path, reason);
	}
	detach(m);
	return ret;
}

/* @h: read from the file. */
static int check_header(int fd, const struct model_header *h, char *why)
{
	struct model_header expected = *h;
	char bad[MODEL_WHY_LEN];
	struct stat st;

	if (memcmp(h->magic, MODEL_MAGIC, sizeof(h->magic)))
		return refuse(why, EINVAL, "is not a model drive; nvsim create makes one");
	if (h->version != MODEL_VERSION)
		return refuse(why, EINVAL,
			      "is a model drive of version %u, this program knows %u; make it "
			      "anew with this program's nvsim create",
			      h->version, MODEL_VERSION);
	if (h->checksum != checksum(h))
		return refuse(why, EINVAL,
			      "is damaged: the header's checksum is wrong; make the drive anew");
	if (model_plan(&expected.geometry, bad))
		return refuse(why, EINVAL, "is damaged: %.300s; make the drive anew", bad);
	lay_out(&expected);
	if (memcmp(&expected, h, sizeof(*h)))
		return refuse(why, EINVAL, "is damaged: its parts overlap; make the drive anew");
	if (fstat(fd, &st))
		return refuse(why, errno, "%s", strerror(errno));
	if ((uint64_t)st.st_size != h->file_bytes)
		return refuse(why, EINVAL,
			      "is damaged: %" PRIu64 " bytes long, %" PRIu64
			      " belong to the drive; "
			      "make it anew",
			      (uint64_t)st.st_size, h->file_bytes);
	return 0;
}

static int open_file(struct model *m, const char *path, int mode, char *why)
{
	m->fd = open(path, mode | O_CLOEXEC | O_NONBLOCK);
	if (m->fd >= 0)
		return 0;
	if (mode == O_RDWR && (errno == EACCES || errno == EROFS))
		return refuse(why, errno,
			      "cannot be written (%s); a model drive counts reads too, so that its "
			      "file must be writable",
			      strerror(errno));
	return refuse(why, errno == ENOENT ? ENODEV : errno, "%s", strerror(errno));
}

/* @still: a private copy, else the file itself. */
static int map_image(struct model *m, const char *path, bool still, char *why)
{
	struct model_header h = { 0 };
	struct stat st;
	int ret = open_file(m, path, still ? O_RDONLY : O_RDWR, why);

	if (ret)
		return ret;
	if (fstat(m->fd, &st) || !S_ISREG(st.st_mode))
		return refuse(why, EINVAL, "is not a regular file, so no model drive");
	if (pread(m->fd, &h, sizeof(h), 0) < (ssize_t)sizeof(h.magic))
		return refuse(why, EINVAL, "is not a model drive; nvsim create makes one");
	ret = check_header(m->fd, &h, why);
	if (ret)
		return ret;
	m->still = still;
	ret = mapping_open(m, &h, still);
	return ret ? refuse(why, -ret, "cannot be mapped: %s", strerror(-ret)) : 0;
}

static int open_image(const char *path, struct model **out, char *why, bool still,
		      int (*attach_to)(struct model *m, char *why))
{
	char reason[MODEL_WHY_LEN] = "";
	struct model *m = calloc(1, sizeof(*m));
	int ret;

	if (!m)
		return refuse(why, ENOMEM, "%s: out of memory", path);
	m->fd = -1;
	ret = map_image(m, path, still, reason);
	if (!ret)
		ret = attach_to(m, reason);
	if (ret) {
		detach(m);
		return refuse(why, -ret, "%.160s: %.340s", path, reason);
	}
	*out = m;
	return 0;
}

int model_open(const char *path, struct model **out, char *why)
{
	int ret = open_image(path, out, why, false, attach);

	if (!ret)
		remark_on_room(*out, path, why);
	return ret;
}

/* --- a look ------------------------------------------------------------------------------- */

static void copy_part(struct model_state *to, const struct model_state *from, size_t start,
		      size_t end)
{
	memcpy((char *)to + start, (const char *)from + start, end - start);
}

/* All but the times of dies and channels, which no log tells of; and the units that are open. */
static void copy_state(struct model_state *to, struct model_unit *open, const struct model *m)
{
	copy_part(to, m->s, offsetof(struct model_state, counters),
		  offsetof(struct model_state, die));
	copy_part(to, m->s, offsetof(struct model_state, power), sizeof(*to));
	for (uint32_t i = 0; i < m->nr_frontiers; i++)
		if (to->frontier[i] < m->g->rus)
			open[i] = m->unit[to->frontier[i]];
}

static void keep_state(struct model *m, const struct model_state *from,
		       const struct model_unit *open)
{
	copy_part(m->s, from, offsetof(struct model_state, counters),
		  offsetof(struct model_state, die));
	copy_part(m->s, from, offsetof(struct model_state, power), sizeof(*from));
	for (uint32_t i = 0; i < m->nr_frontiers; i++)
		if (from->frontier[i] < m->g->rus)
			m->unit[from->frontier[i]] = open[i];
}

/* A drive in use: between two holders of its lock. */
static int copy_moment(struct model *m, void *arg)
{
	static struct model_state copy;
	struct model_unit open[2 * MODEL_MAX_RUHS];
	uint64_t until = wait_now() + LOOK_NS;
	char *why = arg;

	do {
		uint32_t turns = __atomic_load_n(&m->s->turns, __ATOMIC_ACQUIRE);

		if (turns % 2) {
			sched_yield();
			continue;
		}
		copy_state(&copy, open, m);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&m->s->turns, __ATOMIC_RELAXED) != turns)
			continue;
		keep_state(m, &copy, open);
		return 0;
	} while (wait_now() < until);
	return refuse(
		why, EBUSY,
		"is in use and never at rest for a look; try again later, or as a user who may "
		"write to it");
}

/* What is stored to stays ours: from then on the file may change. */
static int copy_all(struct model *m, void *arg)
{
	volatile uint8_t *byte = (uint8_t *)m->s;
	volatile uint8_t *end = (uint8_t *)m->map;

	for (; byte < end; byte += MODEL_PAGE) {
		uint8_t same = *byte;

		*byte = same;
	}
	return initialise(m, arg);
}

/* Openers wait meanwhile. File systems that know no locks have no drives in use. */
static int take_still(struct model *m, char *why)
{
	struct flock l = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_ATTACHED, .l_len = 1
	};
	bool used;
	int ret;

	lock_byte(m->fd, F_OFD_SETLKW, F_RDLCK, LOCK_OPENING);
	used = !fcntl(m->fd, F_OFD_GETLK, &l) && l.l_type != F_UNLCK;
	ret = mapping_run(m, used ? copy_moment : copy_all, why);
	lock_byte(m->fd, F_OFD_SETLK, F_UNLCK, LOCK_OPENING);
	return m->failed ? refuse(why, -ret, "%s", m->why) : ret;
}

int model_look(const char *path, struct model **out, char *why)
{
	char unused[MODEL_WHY_LEN];
	int ret = open_image(path, out, why, true, take_still);

	/* Whoever may write can have the lock. */
	return ret == -EBUSY && !model_open(path, out, unused) ? 0 : ret;
}

void model_close(struct model *m)
{
	detach(m);
}

int model_claim(struct model *m)
{
	return lock_byte(m->fd, F_OFD_SETLK, F_WRLCK, LOCK_ATTACHED) ? -EBUSY : 0;
}

int model_claim_service(struct model *m)
{
	return lock_byte(m->fd, F_OFD_SETLK, F_WRLCK, LOCK_SERVED) ? -EBUSY : 0;
}

const struct model_geometry *model_geometry(const struct model *m)
{
	return m->g;
}

/* --- the lock of the drive ---------------------------------------------------------------- */

/*
 * The holder died, or its handle failed. Others wait while the counts are taken from the map again. That they contradict
 * each other cannot be, short of a foreign hand in the file: no I/O could be trusted then.
 */
static __attribute__((noinline)) void repair(struct model *m)
{
	char why[MODEL_WHY_LEN];

	if (ftl_rebuild(m, why))
		mapping_contradiction(m, why);
	if (!times_have_sense(m, model_now(m)))
		timing_reset(m);
	m->s->recoveries++;
}

/*
 * A waiter that is killed between being woken and taking the lock takes the wake-up with it: while the
 * one that holds the lock meets nobody new, the others would sleep on. So nobody sleeps for long.
 */
static __attribute__((noinline)) int wait_for_lock(struct model *m)
{
	struct timespec until;
	int ret;

	do {
		/* What stands there may be no lock any more. */
		if (mapping_is_foreign(m))
			mapping_contradiction(m, "its header is another's");
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += LOCK_PATIENCE_NS;
		if (until.tv_nsec >= 1000000000) {
			until.tv_sec++;
			until.tv_nsec -= 1000000000;
		}
		ret = pthread_mutex_clocklock(&m->s->lock, CLOCK_MONOTONIC, &until);
	} while (ret == ETIMEDOUT);
	return ret;
}

static __attribute__((noinline)) void lock_slowly(struct model *m, int ret)
{
	if (ret == EBUSY)
		ret = wait_for_lock(m);
	if (ret == EOWNERDEAD)
		pthread_mutex_consistent(&m->s->lock);
	else if (ret)
		mapping_contradiction(m, "its lock is none");
}

void model_lock(struct model *m)
{
	int ret;

	if (m->still)
		return;
	/* Another drive, or anything else, in the place of this one: no lock then. */
	if (__builtin_expect(((const struct model_header *)m->base)->checksum != m->copy.checksum,
			     0))
		mapping_contradiction(m, "its header is another's");
	ret = pthread_mutex_trylock(&m->s->lock);
	if (ret)
		lock_slowly(m, ret);
	m->holds = true;
	if (__builtin_expect(m->s->turns % 2, 0))
		repair(m);
	__atomic_store_n(&m->s->turns, m->s->turns | 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

void model_unlock(struct model *m)
{
	if (m->still)
		return;
	__atomic_store_n(&m->s->turns, (m->s->turns | 1) + 1, __ATOMIC_RELEASE);
	m->holds = false;
	pthread_mutex_unlock(&m->s->lock);
}
