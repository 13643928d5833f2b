// SPDX-License-Identifier: GPL-2.0-only
// Anonymous shared memory, one mapping a device. Pages that nobody touches cost nothing, so that the
// tables have their largest size at once.
#include "engine/telemetry/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Pointers into shared memory; fio's parent fills them before the jobs begin. */
static struct registry_device *devices[REGISTRY_DEVICES];
static uint32_t nr_devices;
static pid_t parent;

void registry_init(void)
{
	if (!parent)
		parent = getpid();
}

bool registry_in_parent(void)
{
	return getpid() == parent;
}

struct registry_device *registry_device(uint32_t i)
{
	return i < nr_devices ? devices[i] : NULL;
}

struct registry_device *registry_find(const char *key)
{
	for (uint32_t i = 0; i < nr_devices; i++)
		if (!strcmp(devices[i]->key, key))
			return devices[i];
	return NULL;
}

static void make_mutex(pthread_mutex_t *m)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(m, &attr);
	pthread_mutexattr_destroy(&attr);
}

struct registry_device *registry_add(const char *key)
{
	struct registry_device *d;

	if (nr_devices == REGISTRY_DEVICES)
		return NULL;
	d = mmap(NULL, sizeof(*d), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (d == MAP_FAILED)
		return NULL;
	make_mutex(&d->lock);
	make_mutex(&d->lead);
	snprintf(d->key, sizeof(d->key), "%s", key);
	devices[nr_devices++] = d;
	return d;
}

struct registry_job *registry_find_job(struct registry_device *d, uint32_t number)
{
	for (uint32_t i = 0; i < d->nr_jobs; i++)
		if (d->job[i].number == number)
			return &d->job[i];
	return NULL;
}

struct registry_job *registry_add_job(struct registry_device *d, uint32_t number, const char *name)
{
	struct registry_job *j;

	if (d->nr_jobs == REGISTRY_JOBS)
		return NULL;
	j = &d->job[d->nr_jobs];
	j->number = number;
	snprintf(j->name, sizeof(j->name), "%s", name ? name : "");
	d->nr_jobs++;
	return j;
}

/* --- locks --------------------------------------------------------------------------------- */

void registry_lock(struct registry_device *d)
{
	/* What a dead holder left half done is a text or a number in a record, not a structure. */
	if (pthread_mutex_lock(&d->lock) == EOWNERDEAD)
		pthread_mutex_consistent(&d->lock);
}

void registry_unlock(struct registry_device *d)
{
	pthread_mutex_unlock(&d->lock);
}

bool registry_try_lead(struct registry_device *d)
{
	int ret = pthread_mutex_trylock(&d->lead);

	if (ret == EOWNERDEAD)
		ret = pthread_mutex_consistent(&d->lead);
	return !ret;
}

void registry_leave_lead(struct registry_device *d)
{
	pthread_mutex_unlock(&d->lead);
}

/* --- jobs that went without a word ---------------------------------------------------------- */

/* A process that was killed may still wait for its parent to ask after it. */
static bool process_lives(pid_t pid)
{
	char path[32], line[512], state = 'X';
	const char *name_end;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, line, sizeof(line) - 1);
	close(fd);
	line[len > 0 ? len : 0] = '\0';
	name_end = strrchr(line, ')');
	if (name_end && sscanf(name_end + 1, " %c", &state) != 1)
		return false;
	return state != 'Z' && state != 'X';
}

uint32_t registry_running(struct registry_device *d)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < d->nr_jobs; i++) {
		if (d->job[i].state != JOB_RUNNING)
			continue;
		if (d->job[i].pid == getpid() || process_lives(d->job[i].pid))
			nr++;
		else
			d->job[i].state = JOB_KILLED;
	}
	return nr;
}

void registry_all_gone(struct registry_device *d)
{
	for (uint32_t i = 0; i < d->nr_jobs; i++)
		if (d->job[i].state == JOB_RUNNING)
			d->job[i].state = JOB_KILLED;
}

/* --- samples ------------------------------------------------------------------------------- */

void registry_add_sample(struct registry_device *d, const struct registry_sample *s)
{
	if (d->nr_samples == REGISTRY_SAMPLES) {
		for (uint32_t i = 0; i < REGISTRY_SAMPLES / 2; i++)
			d->sample[i] = d->sample[2 * i + 1];
		d->samples_dropped += REGISTRY_SAMPLES / 2;
		d->sample_every_ms *= 2;
		d->nr_samples = REGISTRY_SAMPLES / 2;
	}
	d->sample[d->nr_samples++] = *s;
}
