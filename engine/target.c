// SPDX-License-Identifier: GPL-2.0-only
// From a path to a namespace: by device numbers and sysfs, never the spelling of a name. A regular
// file may be a model drive.
#include "engine/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "engine/admin.h"
#include "engine/command.h"
#include "engine/guard.h"
#include "engine/model/model.h"
#include "engine/status.h"

enum {
	PAGE_BYTES = 4096,
	PATH_WAIT_MS = 5000, /* how long a reset may take */
	PATH_POLL_MS = 20,
};

static int refuse(char *why, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(char *why, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, TARGET_WHY_LEN, format, args);
	va_end(args);
	return -err;
}

/* A number from sysfs. Return: @missing where there is none. */
static uint64_t read_number(const char *path, uint64_t missing)
{
	unsigned long long value;
	FILE *f = fopen(path, "re");

	if (!f)
		return missing;
	if (fscanf(f, "%llu", &value) != 1)
		value = missing;
	fclose(f);
	return value;
}

/*
 * fio splits filename= at ':', so a by-path name arrives in pieces. What the user meant: the first
 * name in the folder that goes on with a colon, escaped for fio. Return: false where there is none.
 */
static bool find_escaped(const char *dir, const char *base, char *escaped, size_t size)
{
	size_t len = strlen(base), n = 0;
	struct dirent *entry = NULL;
	DIR *d = opendir(dir);

	while (d && *base && (entry = readdir(d)))
		if (!strncmp(entry->d_name, base, len) && entry->d_name[len] == ':')
			break;
	for (const char *c = entry ? entry->d_name : ""; *c && n < size - 3; c++) {
		if (*c == ':')
			escaped[n++] = '\\';
		escaped[n++] = *c;
	}
	escaped[n] = '\0';
	if (d)
		closedir(d);
	return n;
}

/* fio calls the file of a job without filename= JOB.NUMBER.NUMBER. */
static bool fio_made_up(const char *base)
{
	unsigned job, file;
	int len;

	for (const char *dot = strchr(base, '.'); dot; dot = strchr(dot + 1, '.')) {
		len = 0;
		if (sscanf(dot, ".%u.%u%n", &job, &file, &len) == 2 && len && !dot[len])
			return true;
	}
	return false;
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), end_len = strlen(end);

	return len >= end_len && !strcmp(name + len - end_len, end);
}

static int refuse_missing(const char *name, char *why)
{
	char dir[PATH_MAX], escaped[PATH_MAX], target[PATH_MAX], *base;
	ssize_t len = readlink(name, target, sizeof(target) - 1);

	snprintf(dir, sizeof(dir), "%s", name);
	base = strrchr(dir, '/');
	if (base)
		*base++ = '\0';
	if (len >= 0)
		return refuse(why, ENODEV, "%s: is a link to %.*s, which is not there", name,
			      (int)len, target);
	if (ends_with(name, ".nvsim"))
		return refuse(why, ENODEV,
			      "%s: no such file; `nvsim create %s` makes a model drive", name,
			      name);
	if (fio_made_up(base ? base : name))
		return refuse(why, ENODEV,
			      "%s: no such device; fio makes up such a name where none is given: "
			      "give filename=/dev/ngXnY",
			      name);
	if (base && find_escaped(dir, base, escaped, sizeof(escaped)))
		return refuse(why, ENODEV,
			      "%s: no such device: fio splits names at ':'. Write filename=%s/%s",
			      name, dir, escaped);
	if (!base || strstr(name, "/by-path/"))
		return refuse(why, ENODEV,
			      "%s: no such device; fio splits names at ':', a colon in filename= "
			      "must be written \\:",
			      name);
	return refuse(why, ENODEV,
		      "%s: no such device; `nvme list` or `ls /dev/ng*` names those "
		      "that are here",
		      name);
}

/* "ng0n1" and "nvme0n1" from each other: the generic and the block node share their numbers. */
static int set_names(struct target *t, const char *kernel_name, bool block, char *why)
{
	unsigned instance, ns;
	int len = 0;

	if ((sscanf(kernel_name, "ng%un%u%n", &instance, &ns, &len) != 2 &&
	     sscanf(kernel_name, "nvme%un%u%n", &instance, &ns, &len) != 2) ||
	    kernel_name[len])
		return refuse(why, EINVAL,
			      "%s: is the %s device \"%s\", not an NVMe namespace; give "
			      "/dev/ngXnY or /dev/nvmeXnY",
			      t->name, block ? "block" : "character", kernel_name);
	snprintf(t->node, sizeof(t->node), "ng%un%u", instance, ns);
	snprintf(t->disk, sizeof(t->disk), "nvme%un%u", instance, ns);
	return 0;
}

static int refuse_controller(const struct target *t, unsigned instance, char *why)
{
	return refuse(why, EINVAL,
		      "%s: is a controller; I/O goes to one of its namespaces, such as /dev/ng%un1",
		      t->name, instance);
}

/* @path: the partition's folder in sysfs, which stands in its disk's. It counts in 512 bytes. */
static int refuse_partition(const struct target *t, char *path, char *why)
{
	char file[PATH_MAX + 16];
	uint64_t start, size;

	snprintf(file, sizeof(file), "%s/start", path);
	start = read_number(file, 0) << 9;
	snprintf(file, sizeof(file), "%s/size", path);
	size = read_number(file, 0) << 9;
	return refuse(why, EINVAL,
		      "%s: is a partition; passthrough reaches whole namespaces only: give /dev/%s "
		      "with offset=%" PRIu64 " size=%" PRIu64,
		      t->name, basename(dirname(path)), start, size);
}

/* From a device node, whatever it is called, to the kernel's own name for it. */
static int resolve_node(struct target *t, const struct stat *st, char *why)
{
	char link[64], path[PATH_MAX], part[PATH_MAX + 16], *kernel_name;
	bool block = S_ISBLK(st->st_mode);
	unsigned instance, ctrl, ns;
	int len = 0;

	snprintf(link, sizeof(link), "/sys/dev/%s/%u:%u", block ? "block" : "char",
		 major(st->st_rdev), minor(st->st_rdev));
	if (!realpath(link, path))
		return refuse(why, ENODEV, "%s: no device stands behind this node any more",
			      t->name);
	snprintf(part, sizeof(part), "%s/partition", path);
	if (block && !access(part, F_OK))
		return refuse_partition(t, path, why);
	kernel_name = basename(path);
	if (!block && sscanf(kernel_name, "nvme%u%n", &instance, &len) == 1 && !kernel_name[len])
		return refuse_controller(t, instance, why);
	if (sscanf(kernel_name, "nvme%uc%un%u", &instance, &ctrl, &ns) == 3)
		return refuse(
			why, EINVAL,
			"%s: is one path of a multipath namespace; give the namespace itself, "
			"/dev/ng%un%u",
			t->name, instance, ns);
	return set_names(t, kernel_name, block, why);
}

/* A regular file: a model drive, which is open then, or nothing that we could use. */
static int resolve_file(struct target *t, const char *name, const struct stat *st, char *why)
{
	if (access(name, R_OK))
		return refuse(why, errno, "%s: cannot read it: %s", t->name, strerror(errno));
	if (!model_recognise(name))
		return refuse(
			why, EINVAL,
			"%s: is a regular file, not an NVMe namespace, and not a model drive; "
			"give /dev/ngXnY, make a model drive with `nvsim create`, or use "
			"another ioengine",
			t->name);
	/* The file is one however many names it has. */
	snprintf(t->node, sizeof(t->node), "inode %ju of device %u:%u", (uintmax_t)st->st_ino,
		 major(st->st_dev), minor(st->st_dev));
	return model_open(name, &t->model, why);
}

/* @name: whole, where t->name may be cut. */
static int resolve(struct target *t, const char *name, char *why)
{
	struct stat st;

	if (stat(name, &st)) {
		if (errno == ENOENT || errno == ENOTDIR)
			return refuse_missing(name, why);
		return refuse(why, errno, "%s: %s", t->name, strerror(errno));
	}
	if (S_ISDIR(st.st_mode))
		return refuse(why, EINVAL, "%s: is a folder; give a namespace such as /dev/ng0n1",
			      t->name);
	if (S_ISREG(st.st_mode))
		return resolve_file(t, name, &st, why);
	if (!S_ISCHR(st.st_mode) && !S_ISBLK(st.st_mode))
		return refuse(
			why, EINVAL,
			"%s: is a %s, neither a device nor a model drive's file; give a "
			"namespace such as /dev/ng0n1, or make a model drive with `nvsim create`",
			t->name, S_ISFIFO(st.st_mode) ? "pipe" : "socket");
	return resolve_node(t, &st, why);
}

static int open_node(struct target *t, bool write, char *why)
{
	char path[TARGET_NAME_LEN + 8];

	snprintf(path, sizeof(path), "/dev/%s", t->node);
	t->fd = open(path, (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (t->fd >= 0)
		return 0;
	if (errno == ENOENT)
		return refuse(why, ENODEV,
			      "%s: %s is missing; NVMe generic nodes need kernel 5.13 or newer, "
			      "passthrough I/O 5.19",
			      t->name, path);
	if (errno == EACCES || errno == EPERM)
		return refuse(why, errno,
			      "%s: no permission to open %s for %s; run as root, or have its owner "
			      "or mode changed",
			      t->name, path, write ? "writing" : "reading");
	if (errno == EMFILE)
		return refuse(
			why, EMFILE,
			"%s: cannot open %s: too many open files; raise the limit (ulimit -n)",
			t->name, path);
	return refuse(why, errno, "%s: cannot open %s: %s", t->name, path, strerror(errno));
}

/* While no path is live, as in a reset: -EAGAIN of a multipath namespace, or a path related status. */
static bool lacks_path(int ret)
{
	return ret == -EAGAIN || (ret > 0 && STATUS_SCT(ret) == 3);
}

static int identify_on_live_path(const struct target *t, struct admin_facts *f)
{
	const struct timespec pause = { .tv_nsec = PATH_POLL_MS * 1000000L };
	int ret = admin_identify(t->model, t->fd, f);

	for (int ms = 0; lacks_path(ret) && ms < PATH_WAIT_MS; ms += PATH_POLL_MS) {
		nanosleep(&pause, NULL);
		ret = admin_identify(t->model, t->fd, f);
	}
	return ret;
}

static int identify(struct target *t, bool write, char *why)
{
	struct admin_facts f = { 0 };
	char text[160];
	int ret = identify_on_live_path(t, &f);

	if (lacks_path(ret))
		return refuse(why, ENODEV,
			      "%s: no path to the drive is live for 5 s; its controllers' states "
			      "stand in "
			      "/sys/class/nvme/*/state",
			      t->name);
	if (ret == -EACCES || ret == -EPERM)
		return refuse(
			why, EACCES,
			"%s: the kernel refuses NVMe commands on /dev/%s to this user; before "
			"6.2 they need CAP_SYS_ADMIN: run as root",
			t->name, t->node);
	if (ret) {
		status_describe(ret, text, sizeof(text));
		return refuse(why, status_errno(ret), "%s: Identify failed: %s", t->name, text);
	}
	if (f.metadata)
		return refuse(why, EOPNOTSUPP,
			      "%s: LBA format %u has %u bytes of metadata a block (%s), not "
			      "supported yet; a format without: nvme format -l (it erases)",
			      t->name, f.lba_format, f.metadata,
			      f.extended ? "extended blocks" : "separate buffer");
	if (!f.blocks || f.lba_shift < 9 || f.lba_shift > 20)
		return refuse(why, EINVAL,
			      "%s: Identify gives %llu blocks of 2^%u bytes: not a "
			      "usable namespace",
			      t->name, (unsigned long long)f.blocks, f.lba_shift);
	if (write && f.write_protected)
		return refuse(why, EROFS, "%s: the namespace is write protected (feature 84h)",
			      t->name);
	t->nsid = f.nsid;
	t->lba_shift = f.lba_shift;
	t->bytes = f.blocks << f.lba_shift;
	t->max_transfer = f.mdts;
	return 0;
}

static void lower(uint64_t *limit, uint64_t value)
{
	if (value && (!*limit || value < *limit))
		*limit = value;
}

/*
 * What the kernel takes in one command to the block device @disk. Of max_segments one is kept back:
 * a buffer that does not start on a page lies on one page more. This also keeps a command's
 * registered buffer within the 127 pages that kernel 6.1 can map.
 */
static void lower_by_queue(struct target *t, const char *queue)
{
	char path[PATH_MAX];
	uint64_t segments;

	snprintf(path, sizeof(path), "%s/max_hw_sectors_kb", queue);
	lower(&t->max_transfer, read_number(path, 0) * 1024);
	snprintf(path, sizeof(path), "%s/max_segments", queue);
	segments = read_number(path, 0);
	if (segments)
		lower(&t->max_transfer, (segments > 1 ? segments - 1 : 1) * PAGE_BYTES);
	snprintf(path, sizeof(path), "%s/io_poll", queue);
	t->has_poll_queues |= read_number(path, 0);
}

/*
 * A multipath head's limits stand at its hidden path devices (nvmeXcYnZ) under the subsystem's
 * controllers.
 */
static void read_limits(struct target *t)
{
	char path[PATH_MAX], pattern[TARGET_NAME_LEN + 8];
	unsigned instance, ns;
	struct dirent *ctrl, *entry;
	DIR *subsys, *d;

	snprintf(path, sizeof(path), "/sys/class/block/%s/queue", t->disk);
	lower_by_queue(t, path);
	sscanf(t->disk, "nvme%un%u", &instance, &ns);
	snprintf(pattern, sizeof(pattern), "nvme%uc*n%u", instance, ns);
	snprintf(path, sizeof(path), "/sys/class/block/%s/device", t->disk);
	subsys = opendir(path);
	while (subsys && (ctrl = readdir(subsys))) {
		char dir[PATH_MAX], queue[PATH_MAX];

		if (fnmatch("nvme[0-9]*", ctrl->d_name, 0))
			continue;
		if (snprintf(dir, sizeof(dir), "%s/%s", path, ctrl->d_name) >= (int)sizeof(dir))
			continue;
		d = opendir(dir);
		while (d && (entry = readdir(d))) {
			if (fnmatch(pattern, entry->d_name, 0))
				continue;
			if (snprintf(queue, sizeof(queue), "%s/%s/queue", dir, entry->d_name) <
			    (int)sizeof(queue))
				lower_by_queue(t, queue);
		}
		if (d)
			closedir(d);
	}
	if (subsys)
		closedir(subsys);
}

/* One command can carry this much: NLB's 16 bits, whole blocks, whole pages. */
static void round_limits(struct target *t)
{
	uint64_t unit = 1ULL << t->lba_shift;

	lower(&t->max_transfer, (uint64_t)COMMAND_MAX_BLOCKS << t->lba_shift);
	lower(&t->max_transfer, 1ULL << 31); /* data_len has 32 bits */
	if (unit < PAGE_BYTES)
		unit = PAGE_BYTES;
	if (t->max_transfer > unit)
		t->max_transfer -= t->max_transfer % unit;
	else
		t->max_transfer = unit;
}

/* With @force the reason becomes a remark. */
static int check_unused(const struct target *t, bool force, char *why)
{
	char in_use[TARGET_WHY_LEN / 2];
	int ret = guard_check(t->disk, in_use, sizeof(in_use));

	if (!ret)
		return 0;
	if (force) {
		refuse(why, 0, "%s: %s; written to all the same, because of nvme_force=1", t->name,
		       in_use);
		return 0;
	}
	if (ret == -EBUSY)
		return refuse(why, EBUSY,
			      "%s: %s; writing would destroy it. Nothing was written. "
			      "nvme_force=1 writes all the same",
			      t->name, in_use);
	return refuse(why, -ret,
		      "%s: cannot tell whether it is in use (%s); nvme_force=1 writes all the same",
		      t->name, in_use);
}

/* Reads and writes of a zoned namespace follow other rules; fio has them for block devices. */
static int check_command_set(const struct target *t, char *why)
{
	char path[PATH_MAX], zoned[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/block/%s/queue/zoned", t->disk);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (!fgets(zoned, sizeof(zoned), f))
		zoned[0] = '\0';
	fclose(f);
	if (!*zoned || !strcmp(zoned, "none\n"))
		return 0;
	return refuse(why, EOPNOTSUPP,
		      "%s: is a zoned namespace (ZNS), not supported; fio's io_uring engine with "
		      "zonemode=zbd on /dev/%s does it",
		      t->name, t->disk);
}

static int open_device(struct target *t, const struct target_wishes *w, char *why)
{
	int ret = check_command_set(t, why);

	if (!ret)
		ret = open_node(t, w->write, why);
	if (!ret && w->write)
		ret = check_unused(t, w->force, why);
	return ret;
}

int target_open(struct target *t, const char *name, const struct target_wishes *w, char *why)
{
	int ret;

	memset(t, 0, sizeof(*t));
	t->fd = -1;
	why[0] = '\0';
	snprintf(t->name, sizeof(t->name), "%s", name);
	ret = resolve(t, name, why);
	if (!ret && !t->model)
		ret = open_device(t, w, why);
	if (!ret)
		ret = identify(t, w->write, why);
	if (ret) {
		target_close(t);
		return ret == -ENOENT ? -ENODEV : ret;
	}
	if (t->model)
		t->has_poll_queues = true;
	else
		read_limits(t);
	round_limits(t);
	return 0;
}

void target_close(struct target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	if (t->model)
		model_close(t->model);
	t->model = NULL;
}

static bool controller_is_live(const char *state_file)
{
	char state[32] = "";
	FILE *f = fopen(state_file, "re");

	if (!f)
		return false;
	if (!fgets(state, sizeof(state), f))
		state[0] = '\0';
	fclose(f);
	return !strcmp(state, "live\n");
}

int target_live_paths(const struct target *t)
{
	char path[PATH_MAX], state[PATH_MAX + 300];
	struct dirent *entry;
	int live = 0;
	DIR *d;

	if (t->model)
		return 1;
	snprintf(path, sizeof(path), "/sys/class/block/%s/device", t->disk);
	d = opendir(path);
	if (!d)
		return -ENODEV;
	/* A namespace without multipath hangs on its controller itself. */
	snprintf(state, sizeof(state), "%s/state", path);
	live += controller_is_live(state);
	while ((entry = readdir(d))) {
		if (fnmatch("nvme[0-9]*", entry->d_name, 0))
			continue;
		snprintf(state, sizeof(state), "%s/%s/state", path, entry->d_name);
		live += controller_is_live(state);
	}
	closedir(d);
	return live;
}
