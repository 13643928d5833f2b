// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is it safe to overwrite a namespace? One function per kind of use, tried in turn, the ones that
 * can name the use first. Devices are compared by number, never by name.
 */
#include "engine/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <libmount.h>

#define NAME_LEN 64 /* a kernel name has at most 31 characters (DISK_NAME_LEN) */
#define PATH_LEN 512
#define CLAIM_TRIES 50
#define CLAIM_PAUSE_NS (10 * 1000 * 1000)
#define HOLDERS_MAX 8 /* how deep a stack of holders is followed; only names depend on it */

/* The disk or one of its partitions. */
struct member {
	char name[NAME_LEN];
	dev_t dev;
};

struct guard {
	const struct guard_paths *paths;
	struct member *members; /* the disk comes first */
	size_t count;
	struct libmnt_table *mounts;
	char *why;
	size_t len;
};

/* Append to the reason; return @err. */
__attribute__((format(printf, 3, 4))) static int say(struct guard *g, int err, const char *fmt, ...)
{
	size_t used = strlen(g->why);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(g->why + used, g->len - used, fmt, ap);
	va_end(ap);
	return err;
}

static int cannot_read(struct guard *g, const char *path, int err)
{
	return say(g, -err, "cannot read %s: %s", path, strerror(err));
}

__attribute__((format(printf, 4, 5))) static void block_path(const struct guard *g, char *path,
							     const char *name, const char *fmt, ...)
{
	int used = snprintf(path, PATH_LEN, "%s/class/block/%s", g->paths->sysfs, name);
	va_list ap;

	va_start(ap, fmt);
	if (used > 0 && used < PATH_LEN)
		vsnprintf(path + used, PATH_LEN - used, fmt, ap);
	va_end(ap);
}

/* First line of a file, without its newline. Return: 0, or an errno, and then an empty line. */
static int read_line(const char *path, char *line, size_t len)
{
	FILE *f = fopen(path, "re");
	int err = 0;

	line[0] = '\0';
	if (!f)
		return errno;
	if (!fgets(line, len, f))
		err = ferror(f) ? EIO : ENODATA;
	line[strcspn(line, "\n")] = '\0';
	fclose(f);
	return err;
}

static int read_dev(struct guard *g, const char *name, dev_t *dev)
{
	unsigned int major, minor;
	char path[PATH_LEN], line[32];
	int err;

	block_path(g, path, name, "/dev");
	err = read_line(path, line, sizeof(line));
	if (!err && sscanf(line, "%u:%u", &major, &minor) != 2)
		err = EINVAL;
	if (err)
		return cannot_read(g, path, err);
	*dev = makedev(major, minor);
	return 0;
}

static int member_add(struct guard *g, const char *name)
{
	struct member *grown = reallocarray(g->members, g->count + 1, sizeof(*grown));

	if (!grown)
		return say(g, -ENOMEM, "no memory");
	g->members = grown;
	snprintf(grown[g->count].name, NAME_LEN, "%s", name);
	return read_dev(g, name, &grown[g->count++].dev);
}

static const struct member *member_find(const struct guard *g, dev_t dev)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->members[i].dev == dev)
			return &g->members[i];
	return NULL;
}

/* Collect the disk and its partitions: the directories in its own that hold a "partition" file. */
static int find_members(struct guard *g, const char *disk)
{
	char path[PATH_LEN];
	struct dirent *d;
	DIR *dir;
	int ret;

	ret = member_add(g, disk);
	if (ret)
		return ret;
	block_path(g, path, disk, "/");
	dir = opendir(path);
	if (!dir)
		return cannot_read(g, path, errno);
	while (!ret && (d = readdir(dir))) {
		if (d->d_name[0] == '.')
			continue;
		block_path(g, path, disk, "/%s/partition", d->d_name);
		if (access(path, F_OK) == 0)
			ret = member_add(g, d->d_name);
	}
	closedir(dir);
	return ret;
}

/* The device number of what a mount, a swap area or a loop device names as its source, else 0. */
static dev_t source_dev(const struct guard *g, const char *source)
{
	char path[PATH_LEN];
	struct stat st;

	if (!source || strncmp(source, "/dev/", 5))
		return 0;
	snprintf(path, sizeof(path), "%s/%s", g->paths->dev, source + 5);
	return stat(path, &st) == 0 && S_ISBLK(st.st_mode) ? st.st_rdev : 0;
}

static int read_mounts(struct guard *g)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "%s/self/mountinfo", g->paths->proc);
	if (access(path, R_OK))
		return cannot_read(g, path, errno);
	g->mounts = mnt_new_table();
	if (!g->mounts)
		return say(g, -ENOMEM, "no memory");
	if (mnt_table_parse_file(g->mounts, path))
		return cannot_read(g, path, EINVAL);
	return 0;
}

/* Where a device is mounted, or NULL. btrfs mounts have a device number of their own. */
static const char *mounted_on(const struct guard *g, dev_t dev)
{
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	const char *target = NULL;
	struct libmnt_fs *fs;

	while (it && !target && mnt_table_next_fs(g->mounts, it, &fs) == 0) {
		dev_t of = mnt_fs_get_devno(fs);

		if (major(of) == 0)
			of = source_dev(g, mnt_fs_get_source(fs));
		if (of == dev)
			target = mnt_fs_get_target(fs);
	}
	mnt_free_iter(it);
	return target;
}

static int check_mounts(struct guard *g)
{
	for (size_t i = 0; i < g->count; i++) {
		const char *target = mounted_on(g, g->members[i].dev);

		if (target)
			return say(g, -EBUSY, "%s is mounted on %s", g->members[i].name, target);
	}
	return 0;
}

/* A mounted btrfs over several devices names one of them as its source; sysfs lists them all. */
static int check_btrfs(struct guard *g)
{
	char root[PATH_LEN], path[PATH_LEN * 2];
	struct dirent *d;
	int ret = 0;
	DIR *dir;

	snprintf(root, sizeof(root), "%s/fs/btrfs", g->paths->sysfs);
	dir = opendir(root);
	if (!dir)
		return errno == ENOENT ? 0 : cannot_read(g, root, errno);
	while (!ret && (d = readdir(dir))) {
		for (size_t i = 0; !ret && d->d_name[0] != '.' && i < g->count; i++) {
			const char *name = g->members[i].name;

			snprintf(path, sizeof(path), "%s/%s/devices/%s", root, d->d_name, name);
			if (access(path, F_OK) == 0)
				ret = say(g, -EBUSY, "%s belongs to the mounted btrfs %s", name,
					  d->d_name);
		}
	}
	closedir(dir);
	return ret;
}

static int check_swaps(struct guard *g)
{
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_table *swaps = mnt_new_table();
	const struct member *m;
	struct libmnt_fs *fs;
	char path[PATH_LEN];
	int ret = 0;

	snprintf(path, sizeof(path), "%s/swaps", g->paths->proc);
	if (!it || !swaps)
		ret = say(g, -ENOMEM, "no memory");
	else if (access(path, R_OK) == 0)
		ret = mnt_table_parse_swaps(swaps, path) ? cannot_read(g, path, EINVAL) : 0;
	else if (errno != ENOENT) /* a kernel without swap has no such file */
		ret = cannot_read(g, path, errno);
	while (!ret && mnt_table_next_fs(swaps, it, &fs) == 0) {
		m = member_find(g, source_dev(g, mnt_fs_get_source(fs)));
		if (m)
			ret = say(g, -EBUSY, "%s is swap", m->name);
	}
	mnt_unref_table(swaps);
	mnt_free_iter(it);
	return ret;
}

/* The first holder of a device. Return: 0 and an empty name where there is none, or -errno. */
static int first_holder(struct guard *g, const char *name, char holder[NAME_LEN])
{
	char path[PATH_LEN];
	struct dirent *d;
	DIR *dir;

	holder[0] = '\0';
	block_path(g, path, name, "/holders");
	dir = opendir(path);
	if (!dir)
		return cannot_read(g, path, errno);
	while (!holder[0] && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			snprintf(holder, NAME_LEN, "%.*s", NAME_LEN - 1, d->d_name);
	closedir(dir);
	return 0;
}

/* "held by dm-3 (LVM vg0-root)", "a member of md0 (raid1)", "held by bcache0" */
static void say_holder(struct guard *g, const char *holder)
{
	char path[PATH_LEN], name[128], uuid[128], level[32];

	block_path(g, path, holder, "/dm/name");
	if (read_line(path, name, sizeof(name)) == 0) {
		/* Who made a mapping stands before the first '-' of its uuid: LVM, CRYPT, mpath */
		block_path(g, path, holder, "/dm/uuid");
		read_line(path, uuid, sizeof(uuid));
		uuid[strchr(uuid, '-') ? strcspn(uuid, "-") : 0] = '\0';
		say(g, 0, "held by %s (%s%s%s)", holder, uuid, uuid[0] ? " " : "", name);
		return;
	}
	block_path(g, path, holder, "/md/level");
	if (read_line(path, level, sizeof(level)) == 0)
		say(g, 0, "a member of %s (%s)", holder, level);
	else
		say(g, 0, "held by %s", holder);
}

/* Name the stack above a held device, up to the mount that the user knows it by. */
static void say_holders(struct guard *g, const char *held, const char *holder)
{
	char name[NAME_LEN], above[NAME_LEN];
	const char *target;
	dev_t dev = 0;

	say(g, 0, "%s is ", held);
	snprintf(name, sizeof(name), "%s", holder);
	for (int i = 0; i < HOLDERS_MAX; i++) {
		char unread[PATH_LEN];
		struct guard quiet = { .paths = g->paths, .why = unread, .len = sizeof(unread) };

		unread[0] = '\0';
		say_holder(g, name);
		if (read_dev(&quiet, name, &dev))
			return;
		target = mounted_on(g, dev);
		if (target) {
			say(g, 0, ", mounted on %s", target);
			return;
		}
		if (first_holder(&quiet, name, above) || !above[0])
			return;
		say(g, 0, ", itself ");
		memcpy(name, above, sizeof(name));
	}
}

static int check_holders(struct guard *g)
{
	char holder[NAME_LEN];
	int ret;

	for (size_t i = 0; i < g->count; i++) {
		ret = first_holder(g, g->members[i].name, holder);
		if (ret)
			return ret;
		if (holder[0]) {
			say_holders(g, g->members[i].name, holder);
			return -EBUSY;
		}
	}
	return 0;
}

/* Loop devices on the disk: the kernel neither lists them as holders nor claims the disk. */
static int check_loops(struct guard *g)
{
	char path[PATH_LEN], backing[PATH_LEN];
	const struct member *m;
	struct dirent *d;
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/block", g->paths->sysfs);
	dir = opendir(path);
	if (!dir)
		return cannot_read(g, path, errno);
	while (!ret && (d = readdir(dir))) {
		if (strncmp(d->d_name, "loop", 4))
			continue;
		block_path(g, path, d->d_name, "/loop/backing_file");
		if (read_line(path, backing, sizeof(backing)))
			continue;
		m = member_find(g, source_dev(g, backing));
		if (m)
			ret = say(g, -EBUSY, "%s is the backing device of %s", m->name, d->d_name);
	}
	closedir(dir);
	return ret;
}

/*
 * Whoever claims a device (file systems, swap, dm, md, ZFS, bcache, an iSCSI target) makes every
 * other exclusive open of it fail, and a claimed partition that of its disk as well, so one open
 * covers all. Other jobs of the same fio run ask at the same moment: busy counts only if it lasts.
 */
static int check_claim(struct guard *g)
{
	static const struct timespec pause = { .tv_nsec = CLAIM_PAUSE_NS };
	char path[PATH_LEN];
	int fd = -1, err = 0;
	struct stat st;

	if (!g->paths->claim)
		return 0;
	snprintf(path, sizeof(path), "%s/%s", g->paths->dev, g->members[0].name);
	/* Without O_CREAT, O_EXCL has a meaning for block devices only: see what this is first. */
	if (stat(path, &st))
		return cannot_read(g, path, errno);
	if (!S_ISBLK(st.st_mode) || st.st_rdev != g->members[0].dev)
		return say(g, -ENODEV, "%s is not the block device %s", path, g->members[0].name);
	for (int i = 0; i < CLAIM_TRIES; i++) {
		fd = open(path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
		err = errno;
		if (fd >= 0 || err != EBUSY)
			break;
		nanosleep(&pause, NULL);
	}
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (err != EBUSY)
		return cannot_read(g, path, err);
	return say(g, -EBUSY,
		   "%s or a partition of it is opened exclusively by the kernel or another program "
		   "(ZFS, bcache, iSCSI?)",
		   g->members[0].name);
}

/* Only a whole disk that has a device number can be checked. */
static int check_name(struct guard *g, const char *disk)
{
	unsigned int instance, controller, ns;
	char path[PATH_LEN];

	if (!disk[0] || disk[0] == '.' || strchr(disk, '/') || strlen(disk) >= NAME_LEN)
		return say(g, -EINVAL, "\"%s\" is not the name of a block device", disk);
	if (sscanf(disk, "nvme%uc%un%u", &instance, &controller, &ns) == 3)
		return say(g, -EINVAL, "%s is one path of a multipath namespace: check nvme%un%u",
			   disk, instance, ns);
	block_path(g, path, disk, "/partition");
	if (access(path, F_OK) == 0)
		return say(g, -EINVAL, "%s is a partition: check its disk", disk);
	block_path(g, path, disk, "/");
	if (access(path, F_OK))
		return say(g, -ENODEV, "there is no block device %s", disk);
	return 0;
}

int guard_check_at(const struct guard_paths *paths, const char *disk, char *why, size_t len)
{
	static int (*const checks[])(struct guard *) = {
		read_mounts, check_mounts,  check_swaps, check_btrfs,
		check_loops, check_holders, check_claim,
	};
	struct guard g = { .paths = paths, .why = why, .len = len };
	int ret;

	why[0] = '\0';
	ret = check_name(&g, disk);
	if (!ret)
		ret = find_members(&g, disk);
	for (size_t i = 0; !ret && i < sizeof(checks) / sizeof(checks[0]); i++)
		ret = checks[i](&g);
	mnt_unref_table(g.mounts);
	free(g.members);
	return ret;
}

int guard_check(const char *disk, char *why, size_t len)
{
	static const struct guard_paths paths = {
		.sysfs = "/sys", .proc = "/proc", .dev = "/dev", .claim = true
	};

	return guard_check_at(&paths, disk, why, len);
}
