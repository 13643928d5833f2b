// SPDX-License-Identifier: GPL-2.0-only
// Journals are small text files, one line a field, with a checksum at the end, put in place whole.
// Nothing is followed or believed in the folder that another user could have put there.
#include "engine/power/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE "fio-peak power journal 1\n"
#define SUFFIX ".journal"

/* --- the folder ------------------------------------------------------------------------------ */

static int refuse_folder(const char *path, int err, char *why)
{
	snprintf(why, JOURNAL_WHY_LEN, "%.150s: %s", path, strerror(err));
	return -err;
}

int journal_folder_at(const char *path, bool create, char *why)
{
	bool all_may_look = !geteuid();
	struct stat st;
	int fd;

	*why = '\0';
	if (create && mkdir(path, all_may_look ? 0755 : 0700) && errno != EEXIST)
		return refuse_folder(path, errno, why);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return refuse_folder(path, errno, why);
	if (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	snprintf(why, JOURNAL_WHY_LEN,
		 "%.150s: must belong to user %u and be writable by no other; remove it", path,
		 geteuid());
	return -EPERM;
}

int journal_folder(bool create, char *path, char *why)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (!geteuid())
		snprintf(path, JOURNAL_PATH_LEN, "/run/fio-peak");
	else if (runtime && *runtime == '/' && strlen(runtime) < JOURNAL_PATH_LEN / 2)
		snprintf(path, JOURNAL_PATH_LEN, "%s/fio-peak", runtime);
	else
		snprintf(path, JOURNAL_PATH_LEN, "/tmp/fio-peak-%u", geteuid());
	return journal_folder_at(path, create, why);
}

/* --- the text -------------------------------------------------------------------------------- */

/* FNV-1a: against accidents, not malice. */
static uint64_t sum_of(const char *text, size_t bytes)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	while (bytes--)
		h = (h ^ (unsigned char)*text++) * 0x100000001b3ULL;
	return h;
}

/* Return: bytes, or 0 where a field does not fit on its line. */
static size_t compose(const struct journal *j, char *text)
{
	int n;

	if (strchr(j->target, '\n') || *j->target != '/')
		return 0;
	n = snprintf(text, JOURNAL_MAX_BYTES,
		     FIRST_LINE "controller %s\ntarget %s\nfound %" PRIu32 "\nasked %" PRIu32
				"\nfleeting %d\nboot %s\n",
		     j->controller, j->target, j->found, j->asked, j->fleeting, j->boot);
	n += snprintf(text + n, JOURNAL_MAX_BYTES - n, "sum %016" PRIx64 "\n", sum_of(text, n));
	return n;
}

/* The rest of a line "@key REST"; @at moves behind it. Return: whether it is there and fits. */
static bool take(const char **at, const char *end, const char *key, char *rest, size_t size)
{
	size_t len = strlen(key);
	const char *newline = memchr(*at, '\n', end - *at);

	if (!newline || (size_t)(newline - *at) <= len || strncmp(*at, key, len) ||
	    (*at)[len] != ' ')
		return false;
	*at += len + 1;
	len = newline - *at;
	if (len >= size || strnlen(*at, len) != len)
		return false;
	memcpy(rest, *at, len);
	rest[len] = '\0';
	*at = newline + 1;
	return true;
}

static bool take_number(const char **at, const char *end, const char *key, uint32_t max,
			uint32_t *out)
{
	char text[16], *rest;
	unsigned long value;

	if (!take(at, end, key, text, sizeof(text)) || *text < '0' || *text > '9')
		return false;
	value = strtoul(text, &rest, 10);
	*out = value;
	return !*rest && value <= max;
}

static bool take_sum(const char *text, const char **at, const char *end)
{
	uint64_t want = sum_of(text, *at - text);
	char hex[17], expected[17];

	snprintf(expected, sizeof(expected), "%016" PRIx64, want);
	return take(at, end, "sum", hex, sizeof(hex)) && !strcmp(hex, expected);
}

int journal_parse(const char *text, size_t bytes, struct journal *j)
{
	const char *at = text, *end = text + bytes;
	uint32_t fleeting = 0;
	bool whole;

	memset(j, 0, sizeof(*j));
	if (bytes < strlen(FIRST_LINE) || memcmp(text, FIRST_LINE, strlen(FIRST_LINE)))
		return -EBADMSG;
	at += strlen(FIRST_LINE);
	whole = take(&at, end, "controller", j->controller, sizeof(j->controller)) &&
		take(&at, end, "target", j->target, sizeof(j->target)) &&
		take_number(&at, end, "found", 0xff, &j->found) &&
		take_number(&at, end, "asked", 0xff, &j->asked) &&
		take_number(&at, end, "fleeting", 1, &fleeting) &&
		take(&at, end, "boot", j->boot, sizeof(j->boot)) && take_sum(text, &at, end) &&
		at == end && *j->target == '/';
	j->fleeting = fleeting;
	return whole ? 0 : -EBADMSG;
}

/* --- the files ------------------------------------------------------------------------------- */

static void file_name(const char *controller, const char *suffix, char *name)
{
	snprintf(name, JOURNAL_NAME_LEN + 16, "%s%s", controller, suffix);
}

static int write_whole(int folder, const char *name, const char *text, size_t bytes)
{
	int fd, ret = 0;

	unlinkat(folder, name, 0);
	fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	if (write(fd, text, bytes) != (ssize_t)bytes)
		ret = errno ? -errno : -ENOSPC;
	else if (fsync(fd))
		ret = -errno;
	close(fd);
	return ret;
}

int journal_write(int folder, const struct journal *j)
{
	char text[JOURNAL_MAX_BYTES], name[JOURNAL_NAME_LEN + 16], fresh[JOURNAL_NAME_LEN + 16];
	size_t bytes = compose(j, text);
	int ret;

	if (!bytes)
		return -EINVAL;
	file_name(j->controller, SUFFIX, name);
	file_name(j->controller, ".new", fresh);
	ret = write_whole(folder, fresh, text, bytes);
	if (!ret && renameat(folder, fresh, folder, name))
		ret = -errno;
	if (ret) {
		unlinkat(folder, fresh, 0);
		return ret;
	}
	return fsync(folder) ? -errno : 0;
}

int journal_read(int folder, const char *controller, struct journal *j)
{
	char text[JOURNAL_MAX_BYTES], name[JOURNAL_NAME_LEN + 16];
	ssize_t n;
	int fd;

	file_name(controller, SUFFIX, name);
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ELOOP ? -EBADMSG : -errno;
	n = read(fd, text, sizeof(text));
	close(fd);
	if (n < 0)
		return errno == EISDIR ? -EBADMSG : -errno;
	if (journal_parse(text, n, j) || strcmp(j->controller, controller))
		return -EBADMSG;
	return 0;
}

int journal_remove(int folder, const char *controller)
{
	char name[JOURNAL_NAME_LEN + 16];

	file_name(controller, SUFFIX, name);
	if (unlinkat(folder, name, 0) && errno != ENOENT)
		return -errno;
	return fsync(folder) ? -errno : 0;
}

int journal_each(int folder, void (*each)(const char *controller, void *context), void *context)
{
	const size_t suffix = strlen(SUFFIX);
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), nr = 0;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (!d) {
		nr = -errno;
		if (fd >= 0)
			close(fd);
		return nr;
	}
	while ((e = readdir(d))) {
		size_t len = strlen(e->d_name);

		if (len <= suffix || len - suffix >= JOURNAL_NAME_LEN ||
		    strcmp(e->d_name + len - suffix, SUFFIX))
			continue;
		nr++;
		e->d_name[len - suffix] = '\0';
		if (each)
			each(e->d_name, context);
	}
	closedir(d);
	return nr;
}

/* --- the boot -------------------------------------------------------------------------------- */

static void read_boot(char *boot)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	snprintf(boot, JOURNAL_BOOT_LEN, "unknown");
	if (!f)
		return;
	if (fgets(boot, JOURNAL_BOOT_LEN, f))
		boot[strcspn(boot, "\n")] = '\0';
	fclose(f);
	if (!*boot)
		snprintf(boot, JOURNAL_BOOT_LEN, "unknown");
}

bool journal_is_current(const struct journal *j)
{
	char boot[JOURNAL_BOOT_LEN];

	read_boot(boot);
	return !strcmp(boot, j->boot);
}

void journal_set_boot(struct journal *j)
{
	read_boot(j->boot);
}
