// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the model drive costs without fio around it: 4 KiB commands a second that one core gets through,
 * and the bytes of the file that are no data. Prints rows with the goals beside them and adds them to
 * the JSON file that table.c wrote. Time is the processor's that the thread had, so that other programs
 * matter only by what they take from the caches; of several rounds the best counts.
 */
#include <errno.h>
#include <jansson.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/command.h"
#include "engine/model/image.h"

enum {
	ROUNDS = 5,
	SLICES = 8, /* of a round; the drive is gone over once in each round */
	SETTLE = 3, /* capacities written at random before the first round */
};

#define GOAL_RATE 1.0 /* million commands a second */
#define GOAL_SHARE 1.0 /* percent */

/* The drive that is measured; --quick: a small one. */
static const uint64_t capacities[] = { 1 << 18, 1 << 13 };

#define BIG (1 << 21) /* 8 GiB, hardly any of which is ever on the disk */

static const struct workload {
	const char *name, *text;
	uint8_t opcode;
	bool random;
} workloads[] = {
	{ "seqread", "sequential read", COMMAND_READ, false },
	{ "randread", "random read", COMMAND_READ, true },
	{ "seqwrite", "sequential write", COMMAND_WRITE, false },
	{ "randwrite", "random write, steady", COMMAND_WRITE, true },
};

enum {
	WORKLOADS = sizeof(workloads) / sizeof(workloads[0])
};

/* Of one workload: million commands a second, and the write amplification over all rounds. */
struct figure {
	double best, worst, waf;
};

static char path[512];
static const char share_name[] = "model, bytes of a drive of 8 GiB that are no data";
static uint64_t random_state = 88172645463325252ULL;
static uint8_t data[MODEL_PAGE] __attribute__((aligned(MODEL_PAGE)));

static void die(const char *what, const char *why)
{
	fprintf(stderr, "bench: %s: %s\n", what, why);
	unlink(path);
	exit(1);
}

static uint64_t draw(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}

static double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* As nvsim create makes it, but without timing. NULL: @why says what is in the way. */
static struct model *make_drive(uint64_t pages, char *why)
{
	struct model_geometry g = { .pages = pages, .fdp = 2, .seed = 1 };
	struct model *m = NULL;

	unlink(path);
	if (model_plan(&g, why) || model_create(path, &g, why) || model_open(path, &m, why))
		return NULL;
	return m;
}

/* @nr commands. Return: the processor time that they took, seconds. */
static double run(struct model *m, const struct workload *w, uint64_t start, uint64_t nr)
{
	uint64_t pages = m->g->pages;
	struct nvme_uring_cmd c;
	struct model_result r;
	double begin;

	command_build_rw(&c, MODEL_NSID, data, MODEL_PAGE, m->g->lba_shift);
	begin = processor_seconds();
	for (uint64_t i = 0; i < nr; i++) {
		command_aim_rw(&c, w->opcode, w->random ? draw(pages) : (start + i) % pages);
		model_io(m, &c, &r);
		if (r.status)
			die(w->name, "a command failed");
	}
	return processor_seconds() - begin;
}

static double waf(const struct model_counters *a, const struct model_counters *b)
{
	double host = b->host_pages - a->host_pages;

	return host ? 1 + (b->relocated_pages - a->relocated_pages) / host : 0;
}

static struct figure measure(struct model *m, const struct workload *w)
{
	struct model_counters before = m->s->counters;
	uint64_t slice = m->g->pages / SLICES;
	struct figure f = { .worst = 1e9 };

	for (int i = 0; i < ROUNDS * SLICES; i++) {
		double rate = slice / run(m, w, i * slice, slice) / 1e6;

		f.best = rate > f.best ? rate : f.best;
		f.worst = rate < f.worst ? rate : f.worst;
	}
	f.waf = waf(&before, &m->s->counters);
	return f;
}

static void measure_all(struct figure *f, uint64_t pages)
{
	char why[MODEL_WHY_LEN] = "";
	struct model *m = make_drive(pages, why);

	if (!m)
		die("the drive", why);
	run(m, &workloads[2], 0, m->g->pages);
	for (int i = 0; i < WORKLOADS; i++) {
		if (workloads[i].random && workloads[i].opcode == COMMAND_WRITE)
			run(m, &workloads[i], 0, SETTLE * m->g->pages);
		f[i] = measure(m, &workloads[i]);
	}
	model_close(m);
}

/* Percent of the capacity. Return: false with the reason where the file system has no room. */
static bool measure_share(double *share, char *why)
{
	struct model *m = make_drive(BIG, why);
	uint64_t capacity;

	if (!m)
		return false;
	capacity = m->g->pages << MODEL_PAGE_SHIFT;
	*share = 100.0 * (m->header->file_bytes - capacity) / capacity;
	model_close(m);
	return true;
}

/* --- results ------------------------------------------------------------------------------ */

static json_t *goal_json(const char *name, double figure, double goal, const char *unit, bool met)
{
	return json_pack("{s:s, s:f, s:f, s:s, s:b}", "name", name, "figure", figure, "goal", goal,
			 "unit", unit, "met", met);
}

static void print_goal(json_t *goal)
{
	printf("%-62s%9.3f%8.2f  %s %s\n", json_string_value(json_object_get(goal, "name")),
	       json_number_value(json_object_get(goal, "figure")),
	       json_number_value(json_object_get(goal, "goal")),
	       json_string_value(json_object_get(goal, "unit")),
	       json_is_true(json_object_get(goal, "met")) ? "met" : "NOT met");
}

static void print_rates(const struct figure *f, json_t *rows)
{
	printf("\n%-32s%9s  %-14s%8s\n", "", "best", "(rounds)", "WAF");
	for (int i = 0; i < WORKLOADS; i++) {
		const struct workload *w = &workloads[i];
		char amplification[16] = "";

		if (f[i].waf)
			snprintf(amplification, sizeof(amplification), "%.2f", f[i].waf);
		printf("%-32s%9.3f  (%.3f..%.3f)%7s\n", w->text, f[i].best, f[i].worst, f[i].best,
		       amplification);
		json_array_append_new(
			rows, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "rw", w->name, "unit",
					"million commands/s of one core", "best", f[i].best,
					"worst", f[i].worst, "waf", f[i].waf, "goal", GOAL_RATE));
	}
}

static void add_rates(const struct figure *f, json_t *goals)
{
	for (int i = 0; i < WORKLOADS; i++) {
		char name[80];

		snprintf(name, sizeof(name), "model, %s", workloads[i].text);
		json_array_append_new(goals, goal_json(name, f[i].best, GOAL_RATE, "million/s",
						       f[i].best >= GOAL_RATE));
	}
}

static json_t *member(json_t *root, const char *name)
{
	json_t *array = json_object_get(root, name);

	if (array)
		return array;
	json_object_set_new(root, name, json_array());
	return json_object_get(root, name);
}

/* Into @file, which may be there already. */
static void save(const char *file, json_t *rows, json_t *goals)
{
	json_error_t error;
	json_t *root = access(file, F_OK) ? json_object() : json_load_file(file, 0, &error);

	if (!root)
		die(file, error.text);
	json_object_set(root, "model", rows);
	json_array_extend(member(root, "goals"), goals);
	if (json_dump_file(root, file, JSON_INDENT(2) | JSON_REAL_PRECISION(6)))
		die(file, "cannot write it");
	json_decref(root);
}

/* One core: nothing is gained or lost by moving. */
static void stay(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	bool quick = argc == 3 && !strcmp(argv[1], "--quick");
	uint64_t pages = capacities[quick];
	json_t *rows = json_array(), *goals = json_array();
	struct figure f[WORKLOADS];
	char why[MODEL_WHY_LEN] = "";
	double share = 0;

	if (argc != 2 + quick) {
		fprintf(stderr, "usage: model [--quick] OUT.json\n");
		return 2;
	}
	snprintf(path, sizeof(path), "%s.nvsim", argv[1 + quick]);
	stay();
	printf("\nThe model drive without fio: million 4 KiB commands/s of one core's time; timing "
	       "none,\n"
	       "%d MiB, made with nvsim create's defaults; the best and the worst of %d rounds\n",
	       (int)(pages >> 8), ROUNDS * SLICES);
	measure_all(f, pages);
	print_rates(f, rows);
	add_rates(f, goals);
	if (measure_share(&share, why))
		json_array_append_new(goals, goal_json(share_name, share, GOAL_SHARE,
						       "% of its capacity", share <= GOAL_SHARE));
	unlink(path);
	printf("\n%-62s%9s%8s\n", "Goals of the model (at least so many; at most such a share)",
	       "figure", "goal");
	for (size_t i = 0; i < json_array_size(goals); i++)
		print_goal(json_array_get(goals, i));
	if (!share)
		printf("skipped: %s: %s\n", share_name, why);
	save(argv[1 + quick], rows, goals);
	json_decref(rows);
	json_decref(goals);
	return 0;
}
