// SPDX-License-Identifier: GPL-2.0-only
// The mapped file, and the way out when a page of it cannot be had.
#include "engine/model/mapping.h"
#include "engine/model/units.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

/*
 * Open drives of this process, for the signal's handler: a list that only grows, of places that are
 * used again. So it can be walked while others change it.
 */
struct place {
	struct place *next;
	struct model *model; /* NULL: free */
};

static struct place *places;

/*
 * SIGBUS: a page that cannot be had. The others: what stood in an overwritten file led the C library's
 * lock astray; for what the model itself reads is looked at first.
 */
static const int signals[] = { SIGBUS, SIGSEGV, SIGABRT };
enum {
	SIGNALS = sizeof(signals) / sizeof(signals[0])
};
static struct sigaction others[SIGNALS]; /* what they did before */

static bool take_place(struct model *m)
{
	struct place *p = __atomic_load_n(&places, __ATOMIC_ACQUIRE);

	for (; p; p = p->next) {
		struct model *nobody = NULL;

		if (__atomic_compare_exchange_n(&p->model, &nobody, m, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			return true;
	}
	p = calloc(1, sizeof(*p));
	if (!p)
		return false;
	p->model = m;
	p->next = __atomic_load_n(&places, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&places, &p->next, p, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return true;
}

static void leave_place(const struct model *m)
{
	for (struct place *p = places; p; p = p->next)
		if (p->model == m)
			__atomic_store_n(&p->model, NULL, __ATOMIC_RELEASE);
}

/* Whose mapping is that in? */
static struct model *find_model(uintptr_t address)
{
	for (struct place *p = __atomic_load_n(&places, __ATOMIC_ACQUIRE); p; p = p->next) {
		struct model *m = __atomic_load_n(&p->model, __ATOMIC_ACQUIRE);

		if (m && address - (uintptr_t)m->base < m->copy.file_bytes)
			return m;
	}
	return NULL;
}

/* A drive of this thread that runs a command, and whose file is another's. */
static struct model *find_overwritten(void)
{
	for (struct place *p = __atomic_load_n(&places, __ATOMIC_ACQUIRE); p; p = p->next) {
		struct model *m = __atomic_load_n(&p->model, __ATOMIC_ACQUIRE);

		if (m && pthread_equal(m->thread, pthread_self()) && m->armed &&
		    mapping_is_foreign(m))
			return m;
	}
	return NULL;
}

/* A signal that is none of ours does what it would have done without us. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
	const struct sigaction *other = others;

	for (int i = 0; i < SIGNALS - 1 && signals[i] != signal; i++)
		other++;
	if (other->sa_flags & SA_SIGINFO) {
		other->sa_sigaction(signal, info, context);
	} else if (other->sa_handler != SIG_DFL && other->sa_handler != SIG_IGN) {
		other->sa_handler(signal);
	} else {
		sigaction(signal, other, NULL);
		raise(signal);
	}
}

/*
 * A command is left where it is, as when its process is killed. Outside of commands only the places of
 * those that spin are touched (wait.h): a page of nobody's does for them.
 */
static void on_fault(int signal, siginfo_t *info, void *context)
{
	uintptr_t address = (uintptr_t)info->si_addr;
	struct model *m = signal == SIGBUS && info->si_code > 0 ? find_model(address) : NULL;

	if (!m)
		m = find_overwritten();
	if (!m) {
		pass_on(signal, info, context);
		return;
	}
	m->failed = true;
	if (m->armed)
		siglongjmp(m->way_out, 1);
	if (mmap((void *)(address & ~(uintptr_t)(MODEL_PAGE - 1)), MODEL_PAGE,
		 PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) == MAP_FAILED)
		pass_on(signal, info, context);
}

static void watch_faults(void)
{
	static int watched;
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER };

	if (__atomic_exchange_n(&watched, 1, __ATOMIC_ACQ_REL))
		return;
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &action, &others[i]);
}

/* --- mapped -------------------------------------------------------------------------------- */

static void find_parts(struct model *m)
{
	const struct model_header *h = &m->copy;

	m->header = h;
	m->g = &h->geometry;
	m->s = (struct model_state *)(m->base + h->state);
	m->unit = (struct model_unit *)(m->base + h->units);
	m->map = (uint32_t *)(m->base + h->map);
	m->reverse = (uint32_t *)(m->base + h->reverse);
	m->buffer = (uint64_t *)(m->base + h->buffer);
	m->data = m->base + h->data;
	m->victims = (uint32_t *)(m->base + h->next_units);
	m->leaves = victims_leaves(m->g);
	m->vacant = (uint64_t *)(m->victims + m->leaves);
	m->vacant_sum = m->vacant + vacant_words(m->g);
	m->victim = MODEL_NONE;
	m->nr_frontiers = h->geometry.ruhs + 1;
	if (h->geometry.ruh_type == MODEL_PERSISTENTLY_ISOLATED)
		m->nr_frontiers = 2 * h->geometry.ruhs;
}

int mapping_open(struct model *m, const struct model_header *h, bool private)
{
	void *base = mmap(NULL, h->file_bytes, PROT_READ | PROT_WRITE,
			  (private ? MAP_PRIVATE | MAP_NORESERVE : MAP_SHARED), m->fd, 0);

	if (base == MAP_FAILED)
		return -errno;
	m->base = base;
	m->copy = *h;
	find_parts(m);
	m->thread = pthread_self();
	watch_faults();
	return take_place(m) ? 0 : -ENOMEM;
}

void mapping_close(struct model *m)
{
	leave_place(m);
	if (m->base && !m->failed)
		munmap(m->base, m->copy.file_bytes);
	m->base = NULL;
}

/* --- failed -------------------------------------------------------------------------------- */

bool mapping_is_foreign(const struct model *m)
{
	return memcmp(m->base, &m->copy, sizeof(m->copy)) != 0;
}

/* After the fact: what was wrong with the file. */
static void find_reason(struct model *m)
{
	struct model_header now;
	struct statvfs fs;
	struct stat st;

	if (fstat(m->fd, &st) || fstatvfs(m->fd, &fs))
		snprintf(m->why, sizeof(m->why), "its file cannot be looked at: %s",
			 strerror(errno));
	else if ((uint64_t)st.st_size < m->copy.file_bytes)
		snprintf(m->why, sizeof(m->why),
			 "was cut short while in use: %" PRIu64 " of %" PRIu64
			 " bytes are left; make the drive anew",
			 (uint64_t)st.st_size, m->copy.file_bytes);
	else if (pread(m->fd, &now, sizeof(now), 0) != sizeof(now) ||
		 memcmp(&now, &m->copy, sizeof(now)))
		snprintf(m->why, sizeof(m->why),
			 "was overwritten while in use; make the drive anew");
	else if (!*m->why && (uint64_t)fs.f_bavail * fs.f_frsize < 1 << 20)
		snprintf(m->why, sizeof(m->why),
			 "its file system has no room left for it; make room, then run again");
	else if (!*m->why)
		snprintf(m->why, sizeof(m->why),
			 "a page of its file cannot be read or written (an I/O error, or no room): "
			 "see dmesg");
}

const char *model_failure(struct model *m)
{
	if (!m->failed)
		return NULL;
	m->armed = 0;
	/* What was under way stays undone: the next holder sees that it was left so, and repairs it. */
	if (m->holds && !mapping_is_foreign(m))
		pthread_mutex_unlock(&m->s->lock);
	m->holds = false;
	if (!m->explained)
		find_reason(m);
	m->explained = true;
	return m->why;
}

/* Leaves what is under way; all of that is within mapping_enter or mapping_run. */
static __attribute__((noreturn)) void fail(struct model *m)
{
	m->failed = true;
	if (m->armed)
		siglongjmp(m->way_out, 1);
	fprintf(stderr, "model drive: %s\n", model_failure(m));
	abort();
}

void mapping_contradiction(struct model *m, const char *what)
{
	snprintf(m->why, sizeof(m->why),
		 "is damaged, or was overwritten while in use: %.200s; make the drive anew", what);
	fail(m);
}

int mapping_run(struct model *m, int (*body)(struct model *m, void *arg), void *arg)
{
	int ret;

	if (mapping_enter(m)) {
		model_failure(m);
		return -EIO;
	}
	ret = body(m, arg);
	mapping_leave(m);
	return ret;
}

int mapping_make_room(struct model *m, uint64_t offset, uint64_t bytes)
{
	uint64_t start = offset & ~(uint64_t)(MODEL_PAGE - 1);
	struct stat st;
	int ret;

	bytes = (offset - start + bytes + MODEL_PAGE - 1) & ~(uint64_t)(MODEL_PAGE - 1);
	do {
		ret = madvise(m->data + start, bytes, MADV_POPULATE_WRITE);
	} while (ret && (errno == EINTR || errno == EAGAIN));
	/* An older kernel knows nothing of it: there the store itself fails. */
	if (!ret || errno == EINVAL)
		return 0;
	if (!fstat(m->fd, &st) && (uint64_t)st.st_size < m->copy.file_bytes)
		fail(m);
	return -ENOSPC;
}
