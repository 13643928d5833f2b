// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file of a model drive that fails in the hands of its users: the command that meets it ends with
 * a reason, others go on where they can. And a look at a drive, which changes nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/command.h"
#include "engine/model/image.h"
#include "engine/transport.h"
#include "t/unit/tap.h"

enum {
	PAGES = 1024
};

static char path[] = "/tmp/model-file-XXXXXX";
static uint8_t data[MODEL_PAGE];

static struct model *attach(void)
{
	char why[MODEL_WHY_LEN] = "";
	struct model *m;

	if (!model_open(path, &m, why))
		return m;
	printf("Bail out! %s\n", why);
	exit(1);
}

/* A new drive, all of it written. */
static struct model *make(void)
{
	struct model_geometry g = { .pages = PAGES, .ru_pages = 32, .rus = 64, .seed = 7 };
	char why[MODEL_WHY_LEN] = "";
	struct nvme_uring_cmd c;
	struct model_result r;
	struct model *m;

	unlink(path);
	if (model_plan(&g, why) || model_create(path, &g, why)) {
		printf("Bail out! %s\n", why);
		exit(1);
	}
	m = attach();
	command_build_rw(&c, MODEL_NSID, data, MODEL_PAGE, m->g->lba_shift);
	for (uint32_t i = 0; i < PAGES; i++) {
		command_aim_rw(&c, COMMAND_WRITE, i);
		model_io(m, &c, &r);
	}
	return m;
}

static struct model_result run(struct model *m, uint8_t opcode, uint64_t lba)
{
	struct nvme_uring_cmd c;
	struct model_result r;

	command_build_rw(&c, MODEL_NSID, data, MODEL_PAGE, m->g->lba_shift);
	command_aim_rw(&c, opcode, lba);
	model_io(m, &c, &r);
	return r;
}

/* A contradiction in the midst of a command: the others get the lock, and repair what it left. */
static void test_contradiction(void)
{
	struct model *m = make(), *other = attach();
	uint32_t there = m->map[5];
	struct model_result r;

	ok(!model_failure(m), "a sound drive has no failure");
	m->map[5] = 0x7fffff00;
	r = run(m, COMMAND_WRITE, 5);
	is_int(r.error, -ENODEV, "a write that meets a contradiction ends");
	is_int(r.status, 0x4006, "... with Internal Error where only a status is looked at");
	is_str(model_failure(m),
	       "is damaged, or was overwritten while in use: a page is mapped to nowhere; make the "
	       "drive anew",
	       "... and a reason");
	m->map[5] = there;
	is_int(run(m, COMMAND_READ, 6).error, -ENODEV, "no later command is run");
	is_int(run(other, COMMAND_WRITE, 6).status, 0, "another handle gets the lock");
	is_int(other->s->recoveries, 1, "... and has repaired what was left");
	is_int(run(other, COMMAND_READ, 5).status, 0, "... and goes on");
	model_close(m);
	model_close(other);
	other = attach();
	is_int(other->s->counters.host_pages, PAGES + 1, "nothing is counted twice, or not at all");
	model_close(other);
}

static void test_cut(void)
{
	struct model *m = make();
	struct stat st;
	char want[200];

	if (stat(path, &st) || truncate(path, st.st_size - 16 * MODEL_PAGE))
		return;
	is_int(run(m, COMMAND_READ, PAGES - 17).error, 0, "what is left of a file can be read");
	is_int(run(m, COMMAND_READ, PAGES - 1).error, -ENODEV, "what was cut off cannot");
	snprintf(want, sizeof(want),
		 "was cut short while in use: %ld of %ld bytes are left; make the drive anew",
		 (long)st.st_size - 16 * MODEL_PAGE, (long)st.st_size);
	is_str(model_failure(m), want, "... for a reason");
	model_close(m);
}

static void test_foreign(void)
{
	struct model *m = make();

	memset(m->base, 0x5a, m->header->data);
	is_int(run(m, COMMAND_WRITE, 1).error, -ENODEV,
	       "in an overwritten file nothing is written");
	is_str(model_failure(m), "was overwritten while in use; make the drive anew",
	       "... for a reason");
	model_close(m);
}

/* A drive in use, and one that is not: the copy has what was there, whatever happens then. */
static void test_look(void)
{
	struct model *m = make(), *still = NULL;
	char why[MODEL_WHY_LEN] = "";

	ok(!model_look(path, &still, why), "a look at a drive in use %s", why);
	run(m, COMMAND_WRITE, 3);
	is_int(still->s->counters.host_pages, PAGES, "... is at one moment");
	is_int(m->s->counters.host_pages, PAGES + 1, "... while the drive goes on");
	model_lock(still);
	still->s->counters.host_pages = 0;
	model_unlock(still);
	is_int(m->s->counters.host_pages, PAGES + 1, "... and changes nothing");
	model_close(still);
	model_close(m);
}

/* As the kernel does for a device. */
static void test_no_buffer(void)
{
	struct model *m = make();
	struct transport_params p = { .slots = 1, .models = &m, .nr_devices = 1 };
	struct completion done = { 0 };
	struct transport *t;

	if (!ok(!model_transport_open(&p, &t), "a transport"))
		return;
	t->ops->aim(t, 0, 0, TRANSPORT_NO_BUFFER);
	command_build_rw(transport_command(t, 0), MODEL_NSID, NULL, MODEL_PAGE, m->g->lba_shift);
	command_aim_rw(transport_command(t, 0), COMMAND_READ, 0);
	transport_push(t, 0);
	is_int(t->ops->reap(t, &done, 1, 1), 1, "a command without a buffer ends");
	is_int(done.result, -EFAULT, "... with EFAULT");
	is_int(m->s->commands.reads, 0, "... unread");
	t->ops->close(t);
	model_close(m);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0) {
		printf("Bail out! %s: %s\n", path, strerror(errno));
		return 1;
	}
	close(fd);
	test_contradiction();
	test_cut();
	test_foreign();
	test_look();
	test_no_buffer();
	unlink(path);
	return done_testing();
}
