// SPDX-License-Identifier: GPL-2.0-only
/*
 * Journals of power runs: written and read, damaged in every way, in folders and behind names that
 * another user could have put there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/power/journal.h"
#include "t/unit/tap.h"

static char root[] = "/tmp/power-journal-XXXXXX";
static char why[JOURNAL_WHY_LEN];
static int folder;

static struct journal sample(void)
{
	struct journal j = {
		.controller = "SERIAL1-0123456789abcdef",
		.target = "/dev/ng0n1",
		.found = 0xa0,
		.asked = 0xa3,
		.fleeting = true,
	};

	journal_set_boot(&j);
	return j;
}

/* The sample's text as it stands in the folder. Return: bytes. */
static size_t text_of_sample(char *text)
{
	int fd = openat(folder, "SERIAL1-0123456789abcdef.journal", O_RDONLY);
	ssize_t n = read(fd, text, JOURNAL_MAX_BYTES);

	close(fd);
	return n > 0 ? n : 0;
}

static void test_round_trip(void)
{
	struct journal j = sample(), got;

	is_int(journal_read(folder, j.controller, &got), -ENOENT, "no journal");
	is_int(journal_write(folder, &j), 0, "written");
	is_int(journal_read(folder, j.controller, &got), 0, "read");
	is_str(got.target, j.target, "... the target");
	ok(got.found == 0xa0 && got.asked == 0xa3 && got.fleeting, "... the numbers");
	ok(journal_is_current(&got), "... of this boot");
	j.asked = 0xa1;
	is_int(journal_write(folder, &j), 0, "written over");
	ok(!journal_read(folder, j.controller, &got) && got.asked == 0xa1, "... is what is read");
	strcpy(j.boot, "another");
	ok(!journal_is_current(&j), "another boot is told");
	strcpy(j.target, "/with\nbreak");
	is_int(journal_write(folder, &j), -EINVAL, "a target with a line break is not written");
	strcpy(j.target, "relative");
	is_int(journal_write(folder, &j), -EINVAL, "nor a relative one");
	memset(j.target, 'x', sizeof(j.target) - 1);
	j.target[0] = '/';
	j.target[sizeof(j.target) - 1] = '\0';
	ok(!journal_write(folder, &j) && !journal_read(folder, j.controller, &got) &&
		   !strcmp(got.target, j.target),
	   "the longest target is");
}

static void test_damage(void)
{
	char text[JOURNAL_MAX_BYTES + 16], broken[JOURNAL_MAX_BYTES + 16];
	struct journal j = sample(), got;
	size_t n, bad = 0;

	journal_write(folder, &j);
	n = text_of_sample(text);
	is_int(journal_parse(text, n, &got), 0, "whole");
	for (size_t cut = 0; cut < n; cut++)
		bad += journal_parse(text, cut, &got) != -EBADMSG;
	is_int(bad, 0, "cut anywhere it is damaged");
	for (size_t at = 0; at < n; at++)
		for (int bit = 0; bit < 8; bit++) {
			memcpy(broken, text, n);
			broken[at] ^= 1 << bit;
			bad += journal_parse(broken, n, &got) != -EBADMSG;
		}
	is_int(bad, 0, "... and with any bit the other way");
	memcpy(broken, text, n);
	broken[n] = '\n';
	is_int(journal_parse(broken, n + 1, &got), -EBADMSG, "... and with more behind it");
	memset(broken, 0, sizeof(broken));
	is_int(journal_parse(broken, sizeof(broken), &got), -EBADMSG, "... and when all is 0");
}

static void test_files(void)
{
	struct journal j = sample(), got;
	const char *name = "SERIAL1-0123456789abcdef.journal";

	journal_write(folder, &j);
	renameat(folder, name, folder, "OTHER-1.journal");
	is_int(journal_read(folder, "OTHER-1", &got), -EBADMSG, "under another's name");
	is_int(journal_each(folder, NULL, NULL), 1, "one is counted");
	symlinkat("OTHER-1.journal", folder, name);
	is_int(journal_read(folder, j.controller, &got), -EBADMSG, "a link is not followed");
	unlinkat(folder, name, 0);
	mkdirat(folder, name, 0700);
	is_int(journal_read(folder, j.controller, &got), -EBADMSG, "a folder");
	unlinkat(folder, name, AT_REMOVEDIR);
	mkfifoat(folder, name, 0600);
	is_int(journal_read(folder, j.controller, &got), -EBADMSG, "a pipe holds nobody up");
	unlinkat(folder, name, 0);
	symlinkat("/tmp/power-journal-victim", folder, "SERIAL1-0123456789abcdef.new");
	is_int(journal_write(folder, &j), 0, "written where a link waits");
	ok(access("/tmp/power-journal-victim", F_OK), "... which is not written through");
	is_int(journal_remove(folder, j.controller), 0, "removed");
	is_int(journal_remove(folder, j.controller), 0, "... and again");
	is_int(journal_remove(folder, "OTHER-1"), 0, "the other one, too");
	is_int(journal_each(folder, NULL, NULL), 0, "none is left");
}

/* As journal_folder_at sees @name under the scratch folder. Return: 0 or -errno. */
static int try_folder(const char *name, bool create)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	fd = journal_folder_at(path, create, why);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void test_folders(void)
{
	int at = open(root, O_RDONLY | O_DIRECTORY);

	is_int(try_folder("new", false), -ENOENT, "no folder");
	is_int(try_folder("new", true), 0, "made");
	is_int(try_folder("new", true), 0, "... and there");
	fchmodat(at, "new", 0770, 0);
	is_int(try_folder("new", true), -EPERM, "a group could write to it");
	ok(strstr(why, "writable by no other") != NULL, "... says so: %s", why);
	fchmodat(at, "new", 0700, 0);
	symlinkat("new", at, "link");
	is_int(try_folder("link", true), -ENOTDIR, "a link to it");
	close(openat(at, "file", O_CREAT | O_WRONLY, 0600));
	is_int(try_folder("file", true), -ENOTDIR, "a file");
	is_int(try_folder("missing/new", true), -ENOENT, "a folder in none");
	if (geteuid()) {
		skip("another user's", "needs root");
	} else {
		fchownat(at, "new", 64517, 64517, 0);
		is_int(try_folder("new", true), -EPERM, "another user's");
	}
	close(at);
}

int main(void)
{
	char line[128];

	if (!mkdtemp(root)) {
		printf("Bail out! no scratch folder\n");
		return 1;
	}
	folder = journal_folder_at(root, false, why);
	ok(folder >= 0, "a scratch folder");
	test_round_trip();
	test_damage();
	test_files();
	test_folders();
	snprintf(line, sizeof(line), "rm -rf %s", root);
	if (system(line))
		printf("# %s stays\n", root);
	return done_testing();
}
