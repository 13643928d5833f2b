// SPDX-License-Identifier: GPL-2.0-only
// The file behind a model drive: made, attached to, locked, repaired. No NVMe here.
#include "engine/model/image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "engine/model/ftl.h"
#include "engine/model/power.h"
#include "engine/model/timing.h"

enum {
	LOCK_PATIENCE_NS = 20000000
};

/* Bytes of the file that openers lock (OFD locks, so that the kernel lets go of them). */
enum {
	LOCK_ATTACHED, /* shared by all that are attached; exclusively: nobody else is */
	LOCK_OPENING, /* one at a time opens or closes */
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
	h->data = h->buffer + whole_pages(g->buffer_pages * sizeof(uint64_t));
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

/* Return: 0, or -1 with errno. */
static int map_file(struct model *m, const struct model_header *h)
{
	m->base = mmap(NULL, h->file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
	if (m->base == MAP_FAILED) {
		m->base = NULL;
		return -1;
	}
	m->header = (const struct model_header *)m->base;
	m->g = &m->header->geometry;
	m->s = (struct model_state *)(m->base + h->state);
	m->unit = (struct model_unit *)(m->base + h->units);
	m->map = (uint32_t *)(m->base + h->map);
	m->reverse = (uint32_t *)(m->base + h->reverse);
	m->buffer = (uint64_t *)(m->base + h->buffer);
	m->data = m->base + h->data;
	m->nr_frontiers = h->geometry.ruhs + 1;
	if (h->geometry.ruh_type == MODEL_PERSISTENTLY_ISOLATED)
		m->nr_frontiers = 2 * h->geometry.ruhs;
	return 0;
}

static void detach(struct model *m)
{
	if (m->base)
		munmap(m->base, m->header->file_bytes);
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
static int initialise(struct model *m, char *why)
{
	struct model_state *s = m->s;
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
	s->initialised = 1;
	return 0;
}

/* Return: 0 or -errno, @why then without the file's name. */
static int attach(struct model *m, char *why)
{
	int ret = lock_byte(m->fd, F_OFD_SETLKW, F_WRLCK, LOCK_OPENING);

	if (ret)
		return refuse(why, -ret, "cannot be locked: %s", strerror(-ret));
	if (!lock_byte(m->fd, F_OFD_SETLK, F_WRLCK, LOCK_ATTACHED)) {
		ret = initialise(m, why);
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

/* A store to a page that the file system has no room for would kill the process. */
static int check_room(int fd, uint64_t bytes, char *why)
{
	struct statvfs fs;
	struct stat st;
	uint64_t have, need;

	if (fstat(fd, &st) || fstatvfs(fd, &fs))
		return refuse(why, errno, "%s", strerror(errno));
	have = (uint64_t)st.st_blocks * 512 + (uint64_t)fs.f_bavail * fs.f_frsize;
	if (have >= bytes)
		return 0;
	need = bytes - (uint64_t)st.st_blocks * 512;
	return refuse(why, ENOSPC,
		      "may still grow by %" PRIu64 " MiB, the file system has %" PRIu64
		      " MiB free; make room, or a drive with a smaller --capacity",
		      need >> 20, (uint64_t)fs.f_bavail * fs.f_frsize >> 20);
}

static void fill_new(struct model *m, const struct model_header *h)
{
	struct model_header whole = *h;

	ftl_reset(m);
	read_boot_id(m->s->boot_id);
	timing_reset(m);
	power_on(m, model_now(m));
	m->s->power_ons = 1;
	whole.checksum = checksum(&whole);
	/* Last: until then the file is no drive. */
	*(struct model_header *)m->base = whole;
}

int model_create(const char *path, const struct model_geometry *g, char *why)
{
	struct model_header h = { .magic = MODEL_MAGIC, .version = MODEL_VERSION, .geometry = *g };
	char reason[MODEL_WHY_LEN / 2] = "";
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
	ret = check_room(m->fd, h.file_bytes, reason);
	if (!ret && ftruncate(m->fd, h.file_bytes))
		ret = -errno;
	if (!ret && !map_file(m, &h)) {
		/* fill_new reads the geometry where it will be. */
		((struct model_header *)m->base)->geometry = *g;
		((struct model_header *)m->base)->file_bytes = h.file_bytes;
		fill_new(m, &h);
	} else {
		if (!ret)
			ret = -errno;
		unlink(path);
		refuse(why, -ret, "%s: %s", path, *reason ? reason : strerror(-ret));
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
	return check_room(fd, h->file_bytes, why);
}

static int open_image(struct model *m, const char *path, char *why)
{
	struct model_header h = { 0 };
	struct stat st;
	int ret;

	m->fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (m->fd < 0 && (errno == EACCES || errno == EROFS))
		return refuse(why, errno,
			      "cannot be written (%s); a model drive counts reads too, so that its "
			      "file must be writable",
			      strerror(errno));
	if (m->fd < 0)
		return refuse(why, errno == ENOENT ? ENODEV : errno, "%s", strerror(errno));
	if (fstat(m->fd, &st) || !S_ISREG(st.st_mode))
		return refuse(why, EINVAL, "is not a regular file, so no model drive");
	if (pread(m->fd, &h, sizeof(h), 0) < (ssize_t)sizeof(h.magic))
		return refuse(why, EINVAL, "is not a model drive; nvsim create makes one");
	ret = check_header(m->fd, &h, why);
	if (ret)
		return ret;
	if (map_file(m, &h))
		return refuse(why, errno, "cannot be mapped: %s", strerror(errno));
	ret = attach(m, why);
	return ret;
}

int model_open(const char *path, struct model **out, char *why)
{
	char reason[MODEL_WHY_LEN] = "";
	struct model *m = calloc(1, sizeof(*m));
	int ret;

	if (!m)
		return refuse(why, ENOMEM, "%s: out of memory", path);
	m->fd = -1;
	ret = open_image(m, path, reason);
	if (ret) {
		detach(m);
		return refuse(why, -ret, "%.160s: %.340s", path, reason);
	}
	*out = m;
	return 0;
}

void model_close(struct model *m)
{
	detach(m);
}

int model_claim(struct model *m)
{
	return lock_byte(m->fd, F_OFD_SETLK, F_WRLCK, LOCK_ATTACHED) ? -EBUSY : 0;
}

const struct model_geometry *model_geometry(const struct model *m)
{
	return m->g;
}

/* --- the lock of the drive ---------------------------------------------------------------- */

/*
 * The holder died. Others wait while the counts are taken from the map again. That they contradict
 * each other cannot be, short of a foreign hand in the file: no I/O could be trusted then.
 */
static __attribute__((noinline)) void repair(struct model *m)
{
	char why[MODEL_WHY_LEN];

	if (ftl_rebuild(m, why)) {
		fprintf(stderr, "model drive: damaged while in use: %s\n", why);
		abort();
	}
	if (!times_have_sense(m, model_now(m)))
		timing_reset(m);
	m->s->recoveries++;
	pthread_mutex_consistent(&m->s->lock);
}

/*
 * A waiter that is killed between being woken and taking the lock takes the wake-up with it: while the
 * one that holds the lock meets nobody new, the others would sleep on. So nobody sleeps for long.
 */
static __attribute__((noinline)) int wait_for_lock(pthread_mutex_t *lock)
{
	struct timespec until;
	int ret;

	do {
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += LOCK_PATIENCE_NS;
		if (until.tv_nsec >= 1000000000) {
			until.tv_sec++;
			until.tv_nsec -= 1000000000;
		}
		ret = pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &until);
	} while (ret == ETIMEDOUT);
	return ret;
}

void model_lock(struct model *m)
{
	int ret = pthread_mutex_trylock(&m->s->lock);

	if (ret == EBUSY)
		ret = wait_for_lock(&m->s->lock);
	if (__builtin_expect(ret == EOWNERDEAD, 0))
		repair(m);
}

void model_unlock(struct model *m)
{
	pthread_mutex_unlock(&m->s->lock);
}
