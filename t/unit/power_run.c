// SPDX-License-Identifier: GPL-2.0-only
/*
 * A power state for a run, on a model drive whose state another hand changes meanwhile, as a reset or
 * another program would. And the guardian of a run: in which order things are done at its end.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/fio_abi.h"
#include "engine/guardian.h"
#include "engine/power/journal.h"
#include "engine/model/image.h"
#include "engine/model/model.h"
#include "engine/power/power.h"
#include "engine/target.h"
#include "engine/transport.h"
#include "t/unit/tap.h"

enum {
	HINT = 5 << 5, /* a workload hint */
	GET_FEATURES = 0x0a,
	SET_FEATURES = 0x09,
};

static char path[] = "/tmp/power-run-XXXXXX";
static char why[TARGET_WHY_LEN];
static struct model *hand; /* the other one */
static struct target target;
static struct power_facts facts;

/* fio's, which report.c calls. */
ssize_t log_err(const char *format, ...)
{
	return 0;
}

static void make_drive(void)
{
	struct model_geometry g = {
		.pages = 1024,
		.lba_shift = 12,
		.ru_pages = 32,
		.rus = 64,
		.ruhs = 1,
		.seed = 7,
		.nr_power_states = 4,
		.power = { { .max_mw = 25000, .idle_mw = 5000, .exit_us = 50, .operational = 1 },
			   { 12000, 5000, 100, 200, 1, 0 },
			   { 8000, 5000, 300, 400, 1, 0 },
			   { 1000, 900, 500, 600, 0, 0 } },
	};
	int fd = mkstemp(path);

	snprintf(g.serial, sizeof(g.serial), "UNIT%u", getpid());
	memset(g.serial + strlen(g.serial), ' ', sizeof(g.serial) - strlen(g.serial));
	close(fd);
	unlink(path);
	if (fd < 0 || model_plan(&g, why) || model_create(path, &g, why) ||
	    model_open(path, &hand, why)) {
		printf("Bail out! %s\n", why);
		exit(1);
	}
}

/* PS and WH in force. */
static int value(void)
{
	struct nvme_uring_cmd c = { .opcode = GET_FEATURES, .cdw10 = 2 };
	struct model_result r;

	model_admin(hand, &c, &r);
	return r.status ? -1 : (int)r.dw0;
}

static void set_by_hand(uint32_t to)
{
	struct nvme_uring_cmd c = { .opcode = SET_FEATURES, .cdw10 = 2, .cdw11 = to };
	struct model_result r;

	model_admin(hand, &c, &r);
}

static struct power *open_power(const char *state, int want, const char *name)
{
	const struct power_wishes w = { .state = state, .force = true };
	struct power *p = NULL;

	*why = '\0';
	is_int(power_open(&w, &target, 1, &p, why), want, name);
	return p;
}

static void test_run(void)
{
	struct power *p;

	ok(!power_facts(&target, &facts), "no facts before a run");
	ok(!open_power("none", 0, "no state is asked for"), "... no share");
	ok(!power_facts(&target, &facts), "... no facts");
	set_by_hand(HINT);
	p = open_power("2", 0, "a run at state 2");
	is_int(value(), HINT | 2, "... is there; the workload hint is kept");
	ok(power_facts(&target, &facts) && facts.wanted && facts.set, "facts");
	ok(facts.found == 0 && facts.asked == 2 && facts.in_force == 2, "... the states");
	ok(facts.entry_us == 300 && facts.exit_us == 50, "... the latencies");
	is_int(facts.max_uw, 8000000, "... 8 W in microwatts");
	is_int(facts.workload_hint, 5, "... the hint");
	ok(facts.at_end == POWER_UNKNOWN && !facts.restored && !facts.changed, "... not ended");
	ok(facts.set_ns > 0, "... how long the command took");
	power_close(p);
	is_int(value(), HINT, "restored");
	ok(power_facts(&target, &facts) && facts.restored && facts.at_end == 2 && !facts.changed,
	   "... the facts say so");
	power_close(NULL);
	ok(!open_power("4", -EINVAL, "a state that it lacks"), "... no share");
	is_int(value(), HINT, "... changes nothing");
}

static void test_other_hand(void)
{
	struct power *p = open_power("2", 0, "a run; then a reset");

	set_by_hand(0);
	power_close(p);
	ok(power_facts(&target, &facts) && facts.changed && facts.at_end == 0 && facts.restored,
	   "... the run is marked");
	set_by_hand(1);
	p = open_power("2", 0, "a run from state 1; then a reset");
	is_int((power_facts(&target, &facts), facts.found), 1, "... found");
	ok(!facts.changed, "... the mark is of a run");
	set_by_hand(0);
	power_close(p);
	is_int(value(), 1, "... what was found is in force");
	set_by_hand(0);
	p = open_power("2", 0, "a run; then another program sets state 1");
	set_by_hand(1);
	power_close(p);
	is_int(value(), 1, "... which is left as it is");
	ok(power_facts(&target, &facts) && facts.changed && !facts.restored, "... and recorded");
	set_by_hand(HINT);
	p = open_power("3", 0, "a state that is not operational; then I/O");
	set_by_hand(1);
	power_close(p);
	is_int(value(), HINT, "... what was found is in force, whatever came of it");
}

static void test_sharing(void)
{
	struct power *first = open_power("1", 0, "the first"), *second, *third;

	second = open_power("1", 0, "... one more at the same state");
	ok(!open_power("2", -EBUSY, "... one at another state is refused"), "... no share");
	ok(strstr(why, "jobs that are running have set 1") != NULL, "... says why: %s", why);
	set_by_hand(HINT);
	third = open_power("1", 0, "... one more, after a reset");
	is_int(value(), HINT | 1, "... sets it again");
	ok(power_facts(&target, &facts) && facts.changed, "... and marks the run");
	power_close(first);
	power_close(third);
	is_int(value(), HINT | 1, "it stays while one uses it");
	power_close(second);
	is_int(value(), HINT, "... and not longer");
}

/* --- the first I/O ---------------------------------------------------------------------------- */

static int commits, reaps, ended;

static int stub_commit(struct transport *t)
{
	commits++;
	return 0;
}

static int stub_reap(struct transport *t, struct completion *done, uint32_t min, uint32_t max)
{
	reaps++;
	return ended;
}

static void test_first_io(void)
{
	static const struct transport_ops stub = { .commit = stub_commit, .reap = stub_reap };
	struct transport t = { .ops = &stub };
	struct power *p = open_power("1", 0, "a run whose first I/O is timed");

	power_watch(NULL, &t);
	ok(t.ops == &stub, "without a state nothing stands between");
	power_watch(p, &t);
	t.ops->commit(&t);
	t.queue_tail = 1;
	t.ops->commit(&t);
	usleep(2000);
	t.ops->reap(&t, NULL, 0, 1);
	ok(power_facts(&target, &facts) && !facts.first_io_ns, "not while it runs");
	ended = 1;
	t.ops->reap(&t, NULL, 1, 1);
	ok(power_facts(&target, &facts) && facts.first_io_ns >= 2000000, "it took 2 ms");
	ok(t.ops == &stub, "... and nothing stands between any more");
	ok(commits == 2 && reaps == 2, "all calls reached the transport");
	power_close(p);
}

/* --- guardians ---------------------------------------------------------------------------------- */

/* In shared memory: what duties did, and what they found. */
static struct log {
	uint32_t nr;
	char text[8];
	int value; /* of the drive */
} * duties;

static void duty_look(void *context)
{
	struct log *l = context;

	l->value = value();
	l->text[l->nr++] = 'a';
}

static void duty_count(void *context)
{
	struct log *l = context;

	l->text[l->nr++] = 'b';
}

/* A run that ends without a word. Return: never. */
static void __attribute__((noreturn)) run_and_die(void)
{
	guardian_init();
	power_init();
	open_power("2", 0, "a run that dies");
	guardian_at_end(duty_look, duties);
	if (!fork()) {
		guardian_at_end(duty_look, duties);
		guardian_at_end(duty_count, duties);
		usleep(100000); /* a job that lives longer than fio's parent */
		_exit(duties->nr != 0);
	}
	_exit(0);
}

static void test_guardians(void)
{
	int run = tap_run + 1; /* the child counts this one */
	pid_t pid;

	set_by_hand(HINT);
	duties = mmap(NULL, sizeof(*duties), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	fflush(stdout);
	pid = fork();
	if (!pid)
		run_and_die();
	waitpid(pid, NULL, 0);
	tap_run = run;
	for (int i = 0; i < 1000 && __atomic_load_n(&duties->nr, __ATOMIC_ACQUIRE) < 2; i++)
		usleep(10000);
	is_str(duties->text, "ab", "duties are done once each, in their order");
	is_int(duties->value, HINT, "... when the power state has been restored");
	is_int(value(), HINT, "... which it still is");
}

/* In shared memory: a job, and what its guardian did. */
static struct post {
	pid_t job;
	uint32_t buried, worked;
} * post;

static void wait_for(const uint32_t *flag)
{
	for (int i = 0; i < 1000 && !__atomic_load_n(flag, __ATOMIC_ACQUIRE); i++)
		usleep(10000);
}

static int kill_job(void *context)
{
	struct post *p = context;

	kill(p->job, SIGKILL);
	wait_for(&p->buried);
	return 0;
}

static void note_work(void *context)
{
	struct post *p = context;

	__atomic_store_n(&p->worked, 1, __ATOMIC_RELEASE);
}

/* Nobody is there any more to hear that the guardian is ready. */
static void test_job_killed_early(void)
{
	struct guardian_plan plan = { .prepare = kill_job, .work = note_work };
	int status = 0;

	post = mmap(NULL, sizeof(*post), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	plan.context = post;
	fflush(stdout);
	if (!fork()) {
		post->job = getpid();
		guardian_spawn(&plan);
		_exit(0);
	}
	wait(&status);
	__atomic_store_n(&post->buried, 1, __ATOMIC_RELEASE);
	ok(WIFSIGNALED(status), "a job is killed while its guardian starts");
	wait_for(&post->worked);
	is_int(post->worked, 1, "... which does its work all the same");
}

static int count_fds(void)
{
	int nr = 0;

	for (int fd = 0; fd < 256; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

int main(void)
{
	const struct target_wishes wishes = { 0 };
	int before;

	if (!freopen("/dev/null", "w", stderr))
		return 1;
	make_drive();
	if (target_open(&target, path, &wishes, why)) {
		printf("Bail out! %s\n", why);
		return 1;
	}
	test_guardians(); /* first: a run's processes are those that share its pipe */
	test_job_killed_early();
	guardian_init();
	power_init();
	before = count_fds();
	test_run();
	test_other_hand();
	test_sharing();
	test_first_io();
	is_int(count_fds(), before, "no descriptor is left open");
	target_close(&target);
	model_close(hand);
	unlink(path);
	return done_testing();
}
