// SPDX-License-Identifier: GPL-2.0-only
/* Drives: from sysfs, from a model drive's Identify, from the file system. See target.h. */
#include "tools/fio-curve/target.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engine/bytes.h"
#include "engine/guard.h"
#include "engine/model/model.h"
#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

enum {
	SECTOR = 512, /* of sysfs, whatever the device has */
	IDENTIFY = 0x06,
	IDENTIFY_NAMESPACE = 0,
	IDENTIFY_CONTROLLER = 1,
	IDENTIFY_BYTES = 4096,
};

static void trim(char *s)
{
	size_t len = strlen(s);

	while (len && isspace((unsigned char)s[len - 1]))
		s[--len] = 0;
	memmove(s, s + strspn(s, " \t"), strlen(s + strspn(s, " \t")) + 1);
}

/* The first line of @folder/@name; "" where there is none. */
static bool read_attribute(const char *folder, const char *name, char *to, size_t size)
{
	char *path = alloc_printf("%s/%s", folder, name);
	FILE *f = fopen(path, "re");

	if (!f || !fgets(to, (int)size, f))
		*to = 0;
	if (f)
		fclose(f);
	free(path);
	trim(to);
	return *to;
}

/* Devices. @folder: the block device's in sysfs. NVMe has all three names, SCSI and virtio some. */
static void read_sysfs(struct target *t, const char *folder)
{
	char sectors[32];
	uint64_t nr;

	read_attribute(folder, "device/model", t->model, sizeof(t->model));
	if (!read_attribute(folder, "device/serial", t->serial, sizeof(t->serial)))
		read_attribute(folder, "serial", t->serial, sizeof(t->serial));
	if (!*t->serial)
		read_attribute(folder, "device/wwid", t->serial, sizeof(t->serial));
	if (!read_attribute(folder, "device/firmware_rev", t->firmware, sizeof(t->firmware)))
		read_attribute(folder, "device/rev", t->firmware, sizeof(t->firmware));
	if (read_attribute(folder, "size", sectors, sizeof(sectors)) && value_number(sectors, &nr))
		t->bytes = nr * SECTOR;
}

/* "ng0n1" has its block device beside it: "nvme0n1". */
static char *open_generic(struct target *t, const char *name)
{
	unsigned int instance, ns;
	int len = 0;

	if (sscanf(name, "ng%un%u%n", &instance, &ns, &len) != 2 || name[len])
		return alloc_printf("%s: is the character device %s, not an NVMe namespace; give "
				    "/dev/ngXnY",
				    t->path, name);
	t->kind = TARGET_NVME;
	snprintf(t->disk, sizeof(t->disk), "nvme%un%u", instance, ns);
	return NULL;
}

/* A block device: a disk, or a partition, whose size is its own and the rest its disk's. */
static void open_block(struct target *t, char *folder)
{
	char *partition = alloc_printf("%s/partition", folder);
	bool part = !access(partition, F_OK);

	free(partition);
	if (part) {
		read_sysfs(t, folder);
		folder = dirname(folder);
	}
	t->kind = !part && !strncmp(basename(folder), "nvme", 4) ? TARGET_NVME : TARGET_BLOCK;
	snprintf(t->disk, sizeof(t->disk), "%s", basename(folder));
}

static char *open_device(struct target *t, const struct stat *st)
{
	bool block = S_ISBLK(st->st_mode);
	char *link = alloc_printf("/sys/dev/%s/%u:%u", block ? "block" : "char", major(st->st_rdev),
				  minor(st->st_rdev));
	char *folder = realpath(link, NULL), *why = NULL;
	uint64_t bytes;

	free(link);
	if (!folder)
		return alloc_printf("%s: no device stands behind this node", t->path);
	if (block)
		open_block(t, folder);
	else
		why = open_generic(t, basename(folder));
	free(folder);
	if (why)
		return why;
	bytes = t->bytes;
	folder = alloc_printf("/sys/class/block/%s", t->disk);
	read_sysfs(t, folder);
	if (bytes)
		t->bytes = bytes;
	free(folder);
	return NULL;
}

/* Model drives */

static void copy_field(char *to, const uint8_t *from, size_t len)
{
	memcpy(to, from, len);
	to[len] = 0;
	trim(to);
}

static bool identify(struct model *m, uint32_t nsid, uint32_t cns, uint8_t *data)
{
	struct nvme_uring_cmd c = {
		.opcode = IDENTIFY,
		.nsid = nsid,
		.addr = (uintptr_t)data,
		.data_len = IDENTIFY_BYTES,
		.cdw10 = cns,
	};
	struct model_result r = { 0 };

	model_admin(m, &c, &r);
	return !r.status;
}

/* A model drive says who it is as any drive does. Offsets: NVMe Base Specification, Identify. */
static char *open_model(struct target *t)
{
	uint8_t data[IDENTIFY_BYTES] = { 0 };
	char why[MODEL_WHY_LEN];
	struct model *m;
	unsigned int format;

	if (model_look(t->path, &m, why))
		return alloc_string(why);
	t->kind = TARGET_MODEL;
	if (identify(m, 0, IDENTIFY_CONTROLLER, data)) {
		copy_field(t->serial, data + 4, 20);
		copy_field(t->model, data + 24, 40);
		copy_field(t->firmware, data + 64, 8);
	}
	if (identify(m, MODEL_NSID, IDENTIFY_NAMESPACE, data)) {
		format = data[26] & 0xf;
		t->bytes = bytes_get64(data) << data[128 + 4 * format + 2];
	}
	model_close(m);
	return NULL;
}

/* Files and folders */

/* A file system that is too small is said before it is full, not after. @st: what is there; NULL: nothing. */
static char *check_space(const char *path, const struct stat *st, uint64_t file_size)
{
	uint64_t has = st ? (uint64_t)st->st_blocks * SECTOR : 0, space;
	char *copy = alloc_string(path), size[16];
	struct statvfs fs;
	bool known = !statvfs(st ? path : dirname(copy), &fs);

	free(copy);
	space = known ? (uint64_t)fs.f_bavail * fs.f_frsize : UINT64_MAX;
	if (file_size <= has || file_size - has <= space)
		return NULL;
	return alloc_printf("%s: --file-size=%" PRIu64 ": there is room for %s only", path,
			    file_size, value_size_text(has + space, size));
}

static char *open_file(struct target *t, const struct stat *st, uint64_t file_size)
{
	uint64_t has = st ? (uint64_t)st->st_size : 0;

	if (st && model_recognise(t->path)) {
		if (file_size)
			return alloc_printf("%s: is a model drive; --file-size is for plain files",
					    t->path);
		return open_model(t);
	}
	t->kind = TARGET_FILE;
	t->bytes = file_size ? file_size : has;
	t->exists = st;
	if (t->bytes)
		return check_space(t->path, st, file_size);
	if (!st && strstr(t->path, ".nvsim"))
		return alloc_printf("%s: does not exist; `nvsim create` makes a model drive",
				    t->path);
	return alloc_printf("%s: %s; --file-size=SIZE makes a file of that size", t->path,
			    st ? "is empty" : "does not exist");
}

static char *open_folder(struct target *t, uint64_t file_size)
{
	char *shared = alloc_printf("%s/" TARGET_SHARED_FILE, t->path), *why;
	struct stat st;

	t->kind = TARGET_FOLDER;
	t->bytes = file_size;
	why = file_size ? check_space(shared, stat(shared, &st) ? NULL : &st, file_size) : NULL;
	free(shared);
	if (file_size)
		return why;
	return alloc_printf("%s: is a folder: say with --file-size=SIZE how large the files in it "
			    "shall be",
			    t->path);
}

/* Absolute, without following the last link: /dev/disk/by-id/... says more than what it leads to. */
static char *absolute(const char *path)
{
	char *copy = alloc_string(path), *base = alloc_string(path), *folder, *whole = NULL;

	folder = realpath(dirname(copy), NULL);
	if (folder && !strcmp(basename(base), "/"))
		whole = alloc_string("/");
	else if (folder)
		whole = alloc_printf("%s/%s", strcmp(folder, "/") ? folder : "", basename(base));
	free(folder);
	free(copy);
	free(base);
	return whole;
}

static char *open_local(struct target *t, uint64_t file_size)
{
	char *path = absolute(t->path);
	struct stat st;
	bool there;

	if (!path)
		return alloc_printf("%s: its folder does not exist", t->path);
	free(t->path);
	t->path = path;
	there = !stat(path, &st);
	if (!there && errno != ENOENT)
		return alloc_printf("%s: %s", path, strerror(errno));
	if (!there && !strncmp(path, "/dev/", 5))
		return alloc_printf("%s: no such device; ls /dev/ng* /dev/nvme* names those that "
				    "are here",
				    path);
	if (!there)
		return open_file(t, NULL, file_size);
	if (S_ISDIR(st.st_mode))
		return open_folder(t, file_size);
	if (S_ISREG(st.st_mode))
		return open_file(t, &st, file_size);
	if (file_size)
		return alloc_printf("%s: --file-size is for files and folders", path);
	if (S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode))
		return open_device(t, &st);
	return alloc_printf("%s: is no device, file or folder", path);
}

/* A label is a folder's name, and what every table shows. */
static bool is_label(const char *label)
{
	for (const char *c = label; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._+-", *c))
			return false;
	return *label && *label != '.';
}

char *target_open(const char *arg, uint64_t file_size, bool remote, struct target *out)
{
	const char *equal = strchr(arg, '=');
	char *why = NULL;

	*out = (struct target){ .kind = TARGET_REMOTE, .exists = true };
	if (!equal || !equal[1])
		return alloc_printf("--drive=%s: write LABEL=TARGET, such as --drive=a=/dev/ng0n1",
				    arg);
	out->label = alloc_check(strndup(arg, (size_t)(equal - arg)));
	out->path = alloc_string(equal + 1);
	if (!is_label(out->label))
		why = alloc_printf("--drive=%s: a label has letters, digits, and . _ + - within",
				   arg);
	else if (!value_is_plain(out->path))
		why = alloc_printf("--drive=%s: " VALUE_NOT_PLAIN, arg);
	else if (remote)
		out->bytes = file_size;
	else
		why = open_local(out, file_size);
	/* the folder that a relative one lies in, too */
	if (!why && !value_is_plain(out->path))
		why = alloc_printf("--drive=%s: %s: " VALUE_NOT_PLAIN, arg, out->path);
	if (why)
		target_free(out);
	return why;
}

bool target_same(const struct target *a, const struct target *b)
{
	struct stat x, y;

	if (!strcmp(a->path, b->path))
		return true;
	if (a->kind == TARGET_REMOTE || b->kind == TARGET_REMOTE)
		return false;
	if (a->kind == TARGET_NVME && b->kind == TARGET_NVME)
		return !strcmp(a->disk, b->disk);
	if (stat(a->path, &x) || stat(b->path, &y))
		return false;
	if (S_ISBLK(x.st_mode) && S_ISBLK(y.st_mode))
		return x.st_rdev == y.st_rdev;
	return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

void target_free(struct target *t)
{
	free(t->label);
	free(t->path);
	*t = (struct target){ 0 };
}

/* Whatever claims a device makes an exclusive open fail; that is all there is for a partition. */
static char *try_claim(const struct target *t)
{
	int fd = open(t->path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		return NULL;
	}
	if (errno == EBUSY)
		return alloc_printf("%s: is in use: mounted, swap, or held by another device; "
				    "it will not be overwritten",
				    t->path);
	return alloc_printf("%s: cannot be opened: %s", t->path, strerror(errno));
}

static bool is_partition(const struct stat *st)
{
	char *path = alloc_printf("/sys/dev/block/%u:%u/partition", major(st->st_rdev),
				  minor(st->st_rdev));
	bool is = S_ISBLK(st->st_mode) && !access(path, F_OK);

	free(path);
	return is;
}

/* A file can be a disk to the kernel. Swap files need no look: the kernel refuses writes to them. */
static char *guard_file(const struct target *t, const struct stat *st)
{
	char backing[PATH_MAX], *why = NULL;
	struct stat disk;
	glob_t loops;

	if (glob("/sys/block/loop*/loop", 0, NULL, &loops))
		return NULL;
	for (size_t i = 0; !why && i < loops.gl_pathc; i++) {
		read_attribute(loops.gl_pathv[i], "backing_file", backing, sizeof(backing));
		if (!stat(backing, &disk) && disk.st_dev == st->st_dev && disk.st_ino == st->st_ino)
			why = alloc_printf(
				"%s: will not be overwritten: it is the disk behind %.*s", t->path,
				(int)strcspn(loops.gl_pathv[i] + 11, "/"), loops.gl_pathv[i] + 11);
	}
	globfree(&loops);
	return why;
}

char *target_guard(const struct target *t)
{
	char why[256] = "";
	struct stat st;

	if (t->kind != TARGET_NVME && t->kind != TARGET_BLOCK && t->kind != TARGET_FILE)
		return NULL;
	if (stat(t->path, &st))
		return alloc_printf("%s: %s", t->path, strerror(errno));
	if (t->kind == TARGET_FILE)
		return guard_file(t, &st);
	if (is_partition(&st))
		return try_claim(t);
	if (!guard_check(t->disk, why, sizeof(why)))
		return NULL;
	return alloc_printf("%s: will not be overwritten: %s", t->path, why);
}

const char *target_kind_name(const struct target *t)
{
	static const char *const names[] = { "NVMe namespace", "block device", "model drive",
					     "file",	       "folder",       "on other hosts" };

	return names[t->kind];
}

char *target_describe(const struct target *t)
{
	char size[16] = "";

	if (t->bytes)
		value_size_text(t->bytes, size);
	return alloc_printf(
		"%s%s%s%s%s%s%s", *t->model ? t->model : target_kind_name(t),
		t->kind == TARGET_MODEL && !strcasestr(t->model, "model") ? " (model drive)" : "",
		*t->serial ? ", serial " : "", t->serial, t->exists ? "" : ", new",
		*size ? ", " : "", size);
}
