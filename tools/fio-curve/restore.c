// SPDX-License-Identifier: GPL-2.0-only
/* Power states that killed runs have left, see restore.h. Reads journals, sends no command itself. */
#include "tools/fio-curve/restore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/power/journal.h"
#include "engine/power/lock.h"
#include "tools/fio-curve/fio.h"
#include "tools/fio-curve/say.h"
#include "tools/fio-curve/signals.h"
#include "tools/fio-peak/alloc.h"

enum {
	PS = 0x1f, /* of Feature 02h: the power state */
};

struct restoring {
	const struct settings *settings;
	int folder, signals;
	char folder_path[JOURNAL_PATH_LEN];
	bool stopped; /* by a signal */
	int status;
};

static void push(struct command *c, char *arg)
{
	c->arg = alloc_grow(c->arg, c->nr, &c->cap, sizeof(*c->arg));
	c->arg[c->nr++] = arg;
}

/* fio splits filename= at ':'. */
static char *filename(const char *path)
{
	char *text = alloc_zero(2 * strlen(path) + sizeof("--filename="), 1);
	char *to = stpcpy(text, "--filename=");

	for (; *path; path++) {
		if (*path == ':')
			*to++ = '\\';
		*to++ = *path;
	}
	return text;
}

/* One read: a job has to begin for the engine to look. */
static void make_command(struct command *c, const struct settings *s, const char *target)
{
	static const char *const options[] = { "--name=restore", "--rw=read", "--bs=64k",
					       "--number_ios=1", "--readonly" };

	*c = (struct command){ 0 };
	push(c, alloc_string(s->fio));
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		push(c, alloc_string(options[i]));
	push(c, alloc_printf("--ioengine=external:%s", s->plugin));
	push(c, filename(target));
	push(c, NULL);
	c->nr--;
}

static void ignore_tick(void *ctx, double iops)
{
}

static void ignore_stopping(void *ctx)
{
}

/* Does a run, or its guardian, still hold the controller? */
static bool is_held(int folder, const char *controller)
{
	struct power_lock l;
	bool alone;

	if (power_lock_enter(&l, folder, controller, false))
		return false;
	alone = power_lock_alone(&l);
	power_lock_close(&l);
	return !alone;
}

static void say_left(struct restoring *r, const struct journal *j, const char *why)
{
	say("%s: power state %u is not restored: %s; if the drive is gone, remove %s/%s.journal",
	    j->target, j->found & PS, why, r->folder_path, j->controller);
	r->status = 1;
}

static void say_result(struct restoring *r, const struct journal *j, const struct fio_end *end)
{
	bool held = is_held(r->folder, j->controller);
	struct journal left;

	if (journal_read(r->folder, j->controller, &left) == -ENOENT) {
		say("%s: power state %u is restored; a killed run had left it at %u", j->target,
		    j->found & PS, j->asked & PS);
	} else if (end->status || end->killed) {
		say_left(r, j, *end->said ? end->said : "fio failed");
	} else if (held) {
		say("%s: a run at power state %u is still going; left alone", j->target,
		    j->asked & PS);
	} else {
		say_left(r, j, "another drive has that name now");
	}
}

static void restore_one(const char *controller, void *context)
{
	struct restoring *r = context;
	const struct fio_watch watch = { .signals = r->signals,
					 .tick = ignore_tick,
					 .stopping = ignore_stopping };
	struct fio_end end = { 0 };
	struct command c;
	struct journal j;
	int ret = journal_read(r->folder, controller, &j);

	if (ret == -ENOENT || r->stopped)
		return; /* that run has ended by itself */
	if (ret) {
		say("%s/%s.journal: %s; set the drive's power state (nvme set-feature -f 2) and "
		    "remove it",
		    r->folder_path, controller, ret == -EBADMSG ? "damaged" : strerror(-ret));
		r->status = 1;
		return;
	}
	if (!journal_is_current(&j)) {
		say("%s: had its power off since it was at power state %u", j.target, j.asked & PS);
		journal_remove(r->folder, controller);
		return;
	}
	make_command(&c, r->settings, j.target);
	fio_run(&c, &watch, &end);
	command_free(&c);
	r->stopped = end.signal;
	say_result(r, &j, &end);
}

int restore_all(const struct settings *s)
{
	struct restoring r = { .settings = s };
	char why[JOURNAL_WHY_LEN];

	r.folder = journal_folder(false, r.folder_path, why);
	if (r.folder == -ENOENT || (r.folder >= 0 && !journal_each(r.folder, NULL, NULL))) {
		if (!s->quiet)
			say("nothing to restore: no journal in %s", r.folder_path);
		return 0;
	}
	if (r.folder < 0 || !s->plugin) {
		say("%s", r.folder < 0 ? why : "nvmept.so was not found beside this program");
		return 1;
	}
	r.signals = signals_open();
	journal_each(r.folder, restore_one, &r);
	if (r.signals >= 0)
		signals_close(r.signals);
	close(r.folder);
	return r.status;
}
