// SPDX-License-Identifier: GPL-2.0-only
/*
 * The safety guard, against a made-up /sys, /proc and /dev in a scratch folder, and, as root,
 * against a real loop device: mounted, swapped on, claimed, free again.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/guard.h"
#include "t/unit/tap.h"

static char root[] = "/tmp/guard-XXXXXX";
static char sysfs[64], proc[64], dev[64];
static struct guard_paths paths = { sysfs, proc, dev, false };
static char why[256];

/* One line for the shell; the scratch folder is its working directory. */
__attribute__((format(printf, 1, 2))) static int sh(const char *fmt, ...)
{
	char line[1024];
	va_list ap;
	int used = snprintf(line, sizeof(line), "cd %s && ", root);

	va_start(ap, fmt);
	vsnprintf(line + used, sizeof(line) - used, fmt, ap);
	va_end(ap);
	return system(line);
}

/* A block device in the made-up sysfs: a disk (@disk NULL) or a partition of @disk. */
static void block(const char *disk, const char *name, unsigned int major, unsigned int minor)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s%s", disk ? disk : "", disk ? "/" : "", name);
	sh("mkdir -p sys/class/block/%s/holders; echo %u:%u >sys/class/block/%s/dev", path, major,
	   minor, path);
	if (disk)
		sh("echo 1 >sys/class/block/%s/partition; ln -s %s sys/class/block/%s", path, path,
		   name);
}

/* Nothing uses nvme0n1, which has two partitions; nvme0n10 and nvme1n1 are its neighbours. */
static void tree(void)
{
	sh("rm -rf sys proc dev; mkdir -p sys/class/block sys/fs/btrfs/features proc/self dev");
	block(NULL, "nvme0n1", 259, 1);
	block("nvme0n1", "nvme0n1p1", 259, 2);
	block("nvme0n1", "nvme0n1p2", 259, 3);
	block(NULL, "nvme0n10", 259, 10);
	block(NULL, "nvme1n1", 259, 20);
	sh("echo '22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw' >proc/self/mountinfo");
	sh("echo 'Filename\tType\tSize\tUsed\tPriority' >proc/swaps");
}

static void mount_line(const char *line)
{
	sh("printf '%%s\n' '%s' >>proc/self/mountinfo", line);
}

static void check(int want, const char *want_why, const char *name)
{
	char text[300];
	int got = guard_check_at(&paths, "nvme0n1", why, sizeof(why));

	snprintf(text, sizeof(text), "%s: result", name);
	is_int(got, want, text);
	is_str(why, want_why, name);
}

static void test_free(void)
{
	tree();
	check(0, "", "an idle disk");
	block(NULL, "dm-0", 254, 0);
	sh("mkdir sys/class/block/nvme1n1/holders/dm-0 sys/class/block/nvme0n10/holders/dm-0");
	mount_line("30 22 259:10 / /ten rw - ext4 /dev/nvme0n10 rw");
	mount_line("31 22 259:20 / /one rw - ext4 /dev/nvme0n1p1 rw");
	mount_line("32 22 0:33 / /sys rw - sysfs sysfs rw");
	check(0, "", "its neighbours are in use, one under a misleading name");
	sh("rm proc/swaps; rm -r sys/fs");
	check(0, "", "a kernel without swap and btrfs");
}

static void test_mounts(void)
{
	tree();
	mount_line("30 22 259:3 / /data\\040two rw - xfs /dev/mapper/x rw");
	check(-EBUSY, "nvme0n1p2 is mounted on /data two", "a mounted partition");
	tree();
	mount_line("30 22 259:1 /sub /bind rw - ext4 /dev/other rw");
	check(-EBUSY, "nvme0n1 is mounted on /bind", "a bind mount of the whole disk");
	tree();
	sh("mkdir sys/fs/btrfs/1234-5678; mkdir -p sys/fs/btrfs/1234-5678/devices/nvme0n1p1");
	check(-EBUSY, "nvme0n1p1 belongs to the mounted btrfs 1234-5678", "a btrfs member");
}

static void test_holders(void)
{
	tree();
	block(NULL, "dm-3", 254, 3);
	sh("mkdir sys/class/block/dm-3/dm; echo vg0-root >sys/class/block/dm-3/dm/name");
	sh("echo LVM-abcDEF >sys/class/block/dm-3/dm/uuid");
	sh("mkdir sys/class/block/nvme0n1/holders/dm-3");
	check(-EBUSY, "nvme0n1 is held by dm-3 (LVM vg0-root)", "LVM on the disk");
	tree();
	block(NULL, "md0", 9, 0);
	sh("mkdir sys/class/block/md0/md; echo raid1 >sys/class/block/md0/md/level");
	sh("mkdir sys/class/block/nvme0n1/nvme0n1p1/holders/md0");
	check(-EBUSY, "nvme0n1p1 is a member of md0 (raid1)", "md on a partition");
	block(NULL, "dm-0", 254, 0);
	sh("mkdir sys/class/block/dm-0/dm; echo safe >sys/class/block/dm-0/dm/name");
	sh("echo CRYPT-LUKS2-1 >sys/class/block/dm-0/dm/uuid");
	sh("mkdir sys/class/block/md0/holders/dm-0");
	mount_line("30 22 254:0 / /home rw - ext4 /dev/mapper/safe rw");
	check(-EBUSY,
	      "nvme0n1p1 is a member of md0 (raid1), itself held by dm-0 (CRYPT safe), "
	      "mounted on /home",
	      "a stack of holders up to its mount");
	tree();
	block(NULL, "dm-0", 254, 0);
	sh("mkdir sys/class/block/dm-0/dm; echo linear >sys/class/block/dm-0/dm/name");
	sh("mkdir sys/class/block/nvme0n1/holders/dm-0 sys/class/block/dm-0/holders/dm-0");
	guard_check_at(&paths, "nvme0n1", why, sizeof(why));
	ok(!strncmp(why, "nvme0n1 is held by dm-0 (linear)", 32), "a mapping without a uuid");
	ok(strlen(why) < sizeof(why), "holders in a circle end");
	tree();
	sh("mkdir sys/class/block/nvme0n1/holders/bcache0");
	check(-EBUSY, "nvme0n1 is held by bcache0", "a holder of an unknown kind");
}

/* Any block device of this machine: a link to it gives the made-up /dev a device number. */
static bool some_block_device(char *path, size_t len, dev_t *number)
{
	DIR *dir = opendir("/dev");
	bool found = false;
	struct dirent *d;
	struct stat st;

	while (dir && !found && (d = readdir(dir))) {
		snprintf(path, len, "/dev/%s", d->d_name);
		found = stat(path, &st) == 0 && S_ISBLK(st.st_mode);
	}
	*number = found ? st.st_rdev : 0;
	if (dir)
		closedir(dir);
	return found;
}

static void test_sources(void)
{
	char node[300];
	dev_t number;

	if (!some_block_device(node, sizeof(node), &number)) {
		skip("swap, btrfs and loop devices by the number of their source",
		     "/dev has no block device");
		return;
	}
	tree();
	sh("echo %u:%u >sys/class/block/nvme0n1p2/dev", major(number), minor(number));
	sh("ln -s %s dev/alias", node);
	sh("echo '/dev/alias partition 1 0 -2' >>proc/swaps");
	check(-EBUSY, "nvme0n1p2 is swap", "swap under another name");
	sh("echo 'Filename Type' >proc/swaps");
	mount_line("30 22 0:40 / /pool rw - btrfs /dev/alias rw");
	check(-EBUSY, "nvme0n1p2 is mounted on /pool", "btrfs by the number of its source");
	tree();
	sh("echo %u:%u >sys/class/block/nvme0n1p2/dev", major(number), minor(number));
	sh("ln -s %s dev/alias", node);
	block(NULL, "loop7", 7, 7);
	sh("mkdir sys/class/block/loop7/loop; echo /dev/alias "
	   ">sys/class/block/loop7/loop/backing_file");
	check(-EBUSY, "nvme0n1p2 is the backing device of loop7", "a loop device");
}

static void test_cannot_tell(void)
{
	char tiny[8];

	tree();
	is_int(guard_check_at(&paths, "nvme9n1", why, sizeof(why)), -ENODEV, "no such disk");
	is_str(why, "there is no block device nvme9n1", "... and the line names it");
	is_int(guard_check_at(&paths, "nvme0c1n1", why, sizeof(why)), -EINVAL, "a path node");
	is_str(why, "nvme0c1n1 is one path of a multipath namespace: check nvme0n1",
	       "... and the line names its head");
	is_int(guard_check_at(&paths, "nvme0n1p1", why, sizeof(why)), -EINVAL, "a partition");
	is_int(guard_check_at(&paths, "", why, sizeof(why)), -EINVAL, "an empty name");
	is_int(guard_check_at(&paths, "../block", why, sizeof(why)), -EINVAL, "a path");
	sh("rm proc/self/mountinfo");
	is_int(guard_check_at(&paths, "nvme0n1", why, sizeof(why)), -ENOENT, "no mountinfo");
	ok(strstr(why, "/proc/self/mountinfo: "), "... and the line names the file: %s", why);
	tree();
	sh("rmdir sys/class/block/nvme0n1p2/holders");
	is_int(guard_check_at(&paths, "nvme0n1", why, sizeof(why)), -ENOENT, "no holders folder");
	tree();
	sh("echo junk >sys/class/block/nvme0n1p2/dev");
	is_int(guard_check_at(&paths, "nvme0n1", why, sizeof(why)), -EINVAL, "no device number");
	tree();
	mount_line("30 22 259:3 / /data rw - xfs /dev/x rw");
	is_int(guard_check_at(&paths, "nvme0n1", tiny, sizeof(tiny)), -EBUSY, "a tiny buffer");
	is_str(tiny, "nvme0n1", "... is filled and terminated");
	paths.claim = true;
	tree();
	is_int(guard_check_at(&paths, "nvme0n1", why, sizeof(why)), -ENOENT, "no block node");
	sh("touch dev/nvme0n1");
	is_int(guard_check_at(&paths, "nvme0n1", why, sizeof(why)), -ENODEV,
	       "a regular file in its place");
	paths.claim = false;
}

/*
 * Jobs of one fio run ask at the same moment, and each claims the disk for an instant: none may take
 * another for a user of it.
 */
static void test_crowd(const char *disk)
{
	int refused = 0, status;

	for (int i = 0; i < 16; i++) {
		if (fork() == 0) {
			for (int j = 0; j < 20; j++)
				if (guard_check(disk, why, sizeof(why)))
					_exit(1);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		refused += status != 0;
	is_int(refused, 0, "16 processes that ask at once do not refuse each other");
}

/* Text of a shell command's first line. */
static bool capture(const char *command, char *line, size_t len)
{
	FILE *p = popen(command, "r");

	line[0] = '\0';
	if (p && fgets(line, len, p))
		line[strcspn(line, "\n")] = '\0';
	return p && pclose(p) == 0 && line[0];
}

static void check_real(const char *disk, int want, const char *want_why, const char *name)
{
	char text[300];
	int got = guard_check(disk, why, sizeof(why));

	snprintf(text, sizeof(text), "%s: result", name);
	is_int(got, want, text);
	ok(want ? strstr(why, want_why) != NULL : !why[0], "%s: \"%s\"", name, why);
}

static void test_real_uses(const char *node)
{
	const char *disk = node + 5;
	char text[100];
	int fd;

	check_real(disk, 0, "", "a free loop device");
	test_crowd(disk);

	fd = open(node, O_RDONLY | O_EXCL | O_CLOEXEC);
	check_real(disk, -EBUSY, "opened exclusively", "claimed by a program");
	close(fd);
	fd = open(node, O_RDONLY | O_CLOEXEC);
	check_real(disk, 0, "", "opened by a program without a claim");
	close(fd);

	snprintf(text, sizeof(text), "%s is mounted on %s/mnt", disk, root);
	if (sh("mkfs.ext4 -q %s && mkdir mnt && mount %s mnt", node, node) == 0) {
		check_real(disk, -EBUSY, text, "mounted");
		sh("umount mnt");
		check_real(disk, 0, "", "a file system that nobody mounts");
	} else {
		skip("mounted", "mkfs.ext4 or mount failed");
	}

	snprintf(text, sizeof(text), "%s is swap", disk);
	if (sh("mkswap -q %s >mkswap.log 2>&1 && swapon %s", node, node) == 0) {
		check_real(disk, -EBUSY, text, "swap");
		sh("swapoff %s", node);
	} else {
		skip("swap", "mkswap or swapon failed");
	}

	snprintf(text, sizeof(text), "%sp1 is mounted on", disk);
	if (sh("addpart %s 1 2048 16384 && mkfs.ext4 -q %sp1 && mount %sp1 mnt", node, node,
	       node) == 0) {
		check_real(disk, -EBUSY, text, "a mounted partition");
		sh("umount mnt");
	} else {
		skip("a mounted partition", "addpart, mkfs.ext4 or mount failed");
	}
	sh("delpart %s 1 2>/dev/null", node);

	snprintf(text, sizeof(text), "%s is the backing device of loop", disk);
	if (sh("losetup -f --show %s >inner", node) == 0) {
		check_real(disk, -EBUSY, text, "a loop device on it");
		sh("losetup -d $(cat inner)");
		check_real(disk, 0, "", "free again");
	} else {
		skip("a loop device on it", "losetup failed");
	}
}

static void test_real(void)
{
	const char *name = "a real loop device: claimed, mounted, swap, partition, loop";
	char command[128], node[64];

	if (geteuid()) {
		skip(name, "needs root");
		return;
	}
	sh("truncate -s 16M img");
	snprintf(command, sizeof(command), "losetup -fP --show %s/img 2>/dev/null", root);
	if (!capture(command, node, sizeof(node))) {
		skip(name, "losetup cannot set up a loop device here");
		return;
	}
	test_real_uses(node);
	sh("losetup -d %s", node);
}

int main(void)
{
	if (!mkdtemp(root)) {
		printf("Bail out! cannot make a scratch folder in /tmp\n");
		return 1;
	}
	snprintf(sysfs, sizeof(sysfs), "%s/sys", root);
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(dev, sizeof(dev), "%s/dev", root);
	test_free();
	test_mounts();
	test_holders();
	test_sources();
	test_cannot_tell();
	test_real();
	sh("rm -rf %s", root);
	return done_testing();
}
