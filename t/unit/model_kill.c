// SPDX-License-Identifier: GPL-2.0-only
// Processes that share a model drive are killed at any instant: nothing that a write had been
// acknowledged for is lost, no page is torn, the others go on, the counters add up.
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/command.h"
#include "engine/model/image.h"
#include "t/unit/tap.h"

enum {
	WORKERS = 6,
	PAGES = 1024, /* of each worker */
	KILLS = 200,
	WORDS = MODEL_PAGE / 8,
	PATIENCE_MS = 10000,
};

/* What a worker was about to put into a page, and what it was told is there. 0: deallocated. */
struct stamp {
	volatile uint64_t started, done;
};

/* Outside the drive: survives the worker. */
struct board {
	struct stamp page[WORKERS][PAGES];
	volatile uint64_t commands[WORKERS], next[WORKERS];
	volatile int stop;
};

static char path[] = "/tmp/model-kill-XXXXXX";
static struct board *board;
static pid_t pid[WORKERS];
static uint64_t seed = 0x9e3779b97f4a7c15ULL;

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static struct model *attach(void)
{
	char why[MODEL_WHY_LEN] = "";
	struct model *m;

	if (!model_open(path, &m, why))
		return m;
	printf("Bail out! %s\n", why);
	exit(1);
}

static uint32_t page_of(int worker, uint32_t i)
{
	return worker * PAGES + i;
}

static uint16_t transfer(struct model *m, uint8_t opcode, uint32_t lpn, uint64_t *data)
{
	struct nvme_uring_cmd c;
	struct model_result r;

	command_build_rw(&c, MODEL_NSID, data, MODEL_PAGE, 12);
	command_aim_rw(&c, opcode, lpn);
	model_io(m, &c, &r);
	return r.status;
}

static uint16_t deallocate(struct model *m, uint32_t lpn)
{
	struct command_range range;
	struct nvme_uring_cmd c;
	struct model_result r;

	command_set_range(&range, lpn, 1);
	command_build_deallocate(&c, MODEL_NSID, &range, 1);
	model_io(m, &c, &r);
	return r.status;
}

/* Overwrites its pages with ever higher stamps; each ninth time it deallocates. */
static void work(int worker)
{
	struct model *m = attach();
	uint64_t data[WORDS];

	seed ^= getpid() * 2654435761ULL;
	while (!board->stop) {
		uint32_t i = draw(PAGES);
		struct stamp *s = &board->page[worker][i];
		uint64_t stamp = ++board->next[worker];
		uint16_t status;

		if (stamp % 9 == 0)
			stamp = 0;
		s->started = stamp;
		for (int word = 0; word < WORDS; word++)
			data[word] = stamp;
		status = stamp ? transfer(m, COMMAND_WRITE, page_of(worker, i), data)
			       : deallocate(m, page_of(worker, i));
		if (status)
			_exit(3);
		s->done = stamp;
		board->commands[worker]++;
	}
	model_close(m);
	_exit(0);
}

static void start(int worker)
{
	fflush(stdout);
	pid[worker] = fork();
	if (!pid[worker])
		work(worker);
}

/* Return: how many of the worker's pages hold what they must not. */
static int check_pages(struct model *m, int worker)
{
	uint64_t data[WORDS];
	int bad = 0;

	for (uint32_t i = 0; i < PAGES; i++) {
		struct stamp *s = &board->page[worker][i];
		bool whole = !transfer(m, COMMAND_READ, page_of(worker, i), data);

		for (int word = 1; word < WORDS; word++)
			whole = whole && data[word] == data[0];
		if (whole && (data[0] == s->done || data[0] == s->started)) {
			/* From now on that is what must be there. */
			s->started = s->done = data[0];
			continue;
		}
		bad++;
		printf("# worker %d page %u: %s, holds %ju; acknowledged %ju, begun %ju\n", worker,
		       i, whole ? "whole" : "torn", (uintmax_t)data[0], (uintmax_t)s->done,
		       (uintmax_t)s->started);
	}
	return bad;
}

static void pause_us(long us)
{
	const struct timespec t = { .tv_nsec = us * 1000 };

	nanosleep(&t, NULL);
}

/* Do all the living go on? */
static bool others_go_on(int dead)
{
	uint64_t before[WORKERS];

	for (int w = 0; w < WORKERS; w++)
		before[w] = board->commands[w];
	for (int ms = 0; ms < PATIENCE_MS; ms++) {
		int going = 0;

		for (int w = 0; w < WORKERS; w++)
			going += w == dead || board->commands[w] > before[w];
		if (going == WORKERS)
			return true;
		pause_us(1000);
	}
	return false;
}

/* Return: whether it died of our signal and of nothing else. */
static bool kill_worker(int worker)
{
	int status = 0;

	kill(pid[worker], SIGKILL);
	return waitpid(pid[worker], &status, 0) == pid[worker] && WIFSIGNALED(status) &&
	       WTERMSIG(status) == SIGKILL;
}

static void kill_many(struct model *m)
{
	int killed = 0, bad_pages = 0, stopped = 0;

	for (int i = 0; i < KILLS; i++) {
		int worker = draw(WORKERS);

		pause_us(draw(3000));
		killed += kill_worker(worker);
		stopped += !others_go_on(worker);
		bad_pages += check_pages(m, worker);
		start(worker);
	}
	is_int(killed, KILLS, "each worker that was killed was alive");
	is_int(stopped, 0, "the others went on after each kill");
	is_int(bad_pages, 0, "no acknowledged write is lost, no page is torn");
}

/* Kill the first one that attaches while it does: the next one attaches all the same. */
static void kill_openers(void)
{
	struct model *m;
	int opened = 0;

	for (int i = 0; i < 50; i++) {
		pid_t opener = fork();

		if (!opener) {
			m = attach();
			model_close(m);
			_exit(0);
		}
		pause_us(draw(600));
		kill(opener, SIGKILL);
		waitpid(opener, NULL, 0);
		m = attach();
		opened += m != NULL;
		model_close(m);
	}
	is_int(opened, 50, "the drive opens after its first opener was killed");
}

static void end_workers(void)
{
	int bad = 0, status;

	board->stop = 1;
	for (int w = 0; w < WORKERS; w++)
		if (waitpid(pid[w], &status, 0) != pid[w] || !WIFEXITED(status) ||
		    WEXITSTATUS(status))
			bad++;
	is_int(bad, 0, "the workers end by themselves, without an error");
}

static void make_drive(uint32_t lba_shift)
{
	struct model_geometry g = { .pages = WORKERS * PAGES,
				    .ru_pages = 64,
				    .rus = 112,
				    .ruhs = 1,
				    .lba_shift = lba_shift,
				    .ruh_type = 1,
				    .timing = 0 };
	char why[MODEL_WHY_LEN] = "";

	unlink(path);
	if (!ok(!model_plan(&g, why) && !model_create(path, &g, why), "a drive %s", why))
		exit(1);
}

int main(void)
{
	struct model *m;
	int fd = mkstemp(path), bad = 0;

	close(fd);
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	make_drive(12);
	m = attach();
	for (int w = 0; w < WORKERS; w++)
		start(w);
	kill_many(m);
	end_workers();
	for (int w = 0; w < WORKERS; w++)
		bad += check_pages(m, w);
	is_int(bad, 0, "all pages hold what was written last");
	/* Otherwise the kills were all harmless, and prove nothing. */
	ok(m->s->recoveries > 0, "some died with the lock in their hands: %ju repairs",
	   (uintmax_t)m->s->recoveries);
	ok(m->s->counters.relocated_pages > 0, "garbage was collected meanwhile");
	model_close(m);
	kill_openers();
	/* model_open checks that the counters and the map add up. */
	m = attach();
	bad = 0;
	for (int w = 0; w < WORKERS; w++)
		bad += check_pages(m, w);
	is_int(bad, 0, "... and all is there when it is opened anew");
	model_close(m);
	unlink(path);
	return done_testing();
}
