// SPDX-License-Identifier: GPL-2.0-only
// Folds what the benchmark measured into a table with the goals beside it, and into a JSON file.
// Measures nothing: ci/bench says how the input came to be.
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_ROUNDS = 32,
	MAX_OWN = 32,
	PHASES = 4,
};

#define GOAL_OWN 150.0 /* instructions per I/O, in batches of 16 */
#define GOAL_FLAT 1.05 /* dearest depth to cheapest depth */

enum engine {
	NVMEPT,
	IO_URING_CMD,
	IO_URING,
	ENGINES
};

static const char *const engine_names[ENGINES] = { "nvmept", "io_uring_cmd", "io_uring" };
static const char *const phase_names[PHASES] = { "queue", "commit", "getevents", "event" };
static const char *const patterns[] = { "randread", "randwrite" };
static const int depths[] = { 1, 32, 256 };

static const struct setup {
	const char *name, *text;
	double goal; /* ratio to io_uring_cmd */
} setups[] = {
	{ "defaults", "each engine's defaults: one submission per I/O", 0.92 },
	{ "tuned", "tuned alike: fixed buffers, registered files, batches of 16", 0.98 },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct cost {
	double user, system; /* ns per I/O */
};

struct ratio {
	double mean, min, max;
};

/* One combination of set-up, pattern and depth. */
struct point {
	int rounds;
	long ios;
	struct cost cost[ENGINES][MAX_ROUNDS];
};

struct own {
	int depth, batch;
	double phase[PHASES]; /* instructions per I/O */
};

struct owns {
	struct own of[MAX_OWN];
	size_t nr;
	char skipped[256]; /* why there are none */
};

struct verdict {
	const char *name, *unit;
	double figure, goal;
};

static double ns_per_instruction; /* of the virtual machine's clock */

static void die(const char *file, const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", file, what);
	exit(1);
}

/* --- reading ------------------------------------------------------------------------------- */

static int engine_of(const char *job)
{
	for (int e = 0; e < ENGINES; e++) {
		size_t len = strlen(engine_names[e]);

		if (!strncmp(job, engine_names[e], len) && job[len] == '-')
			return e;
	}
	return -1;
}

/* fio gives shares of the job's run time in percent, and that in ms; exact to 1 ms of CPU time. */
static struct cost job_cost(json_t *job, long ios)
{
	double ms = json_number_value(json_object_get(job, "job_runtime"));
	double scale = ms / 100 * 1e6 / ns_per_instruction / ios;

	return (struct cost){
		.user = json_number_value(json_object_get(job, "usr_cpu")) * scale,
		.system = json_number_value(json_object_get(job, "sys_cpu")) * scale,
	};
}

static long job_ios(json_t *job)
{
	long ios = 0;

	for (int i = 0; i < 2; i++)
		ios += json_integer_value(
			json_object_get(json_object_get(job, i ? "write" : "read"), "total_ios"));
	return ios;
}

static void read_job(struct point *p, json_t *job, const char *file)
{
	const char *name = json_string_value(json_object_get(job, "jobname"));
	int e = name ? engine_of(name) : -1;
	int round = e < 0 ? 0 : atoi(strrchr(name, '-') + 1);
	long ios = job_ios(job);

	if (e < 0 || round < 1 || round > MAX_ROUNDS)
		die(file, "holds a job that is not the benchmark's");
	if (json_integer_value(json_object_get(job, "error")) || !ios)
		die(file, "a job failed");
	if (p->ios && p->ios != ios)
		die(file, "the jobs did not do the same number of I/Os");
	p->ios = ios;
	p->cost[e][round - 1] = job_cost(job, ios);
	if (round > p->rounds)
		p->rounds = round;
}

static void read_point(struct point *p, const char *file)
{
	json_error_t error;
	json_t *root = json_load_file(file, 0, &error);
	json_t *jobs = json_object_get(root, "jobs");
	size_t nr = json_array_size(jobs);

	if (!root)
		die(file, error.text);
	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < nr; i++)
		read_job(p, json_array_get(jobs, i), file);
	if (!p->rounds || nr != (size_t)p->rounds * ENGINES)
		die(file, "a job is missing");
	json_decref(root);
}

static struct own *own_of(struct owns *o, int depth, int batch)
{
	for (size_t i = 0; i < o->nr; i++)
		if (o->of[i].depth == depth && o->of[i].batch == batch)
			return &o->of[i];
	if (o->nr == MAX_OWN)
		die("own.txt", "too many rows");
	o->of[o->nr] = (struct own){ .depth = depth, .batch = batch };
	return &o->of[o->nr++];
}

/* Lines "DEPTH BATCH PHASE INSTRUCTIONS", or one "skipped: REASON". */
static void read_owns(struct owns *o, const char *file)
{
	FILE *f = fopen(file, "r");
	char line[256], phase[32];
	int depth, batch, p;
	double n;

	if (!f)
		die(file, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(line, "skipped: ", 9)) {
			strcpy(o->skipped, line + 9);
			continue;
		}
		if (sscanf(line, "%d %d %31s %lf", &depth, &batch, phase, &n) != 4)
			die(file, "a line is not \"DEPTH BATCH PHASE INSTRUCTIONS\"");
		for (p = 0; p < PHASES && strcmp(phase, phase_names[p]);)
			p++;
		if (p == PHASES)
			die(file, "unknown phase");
		own_of(o, depth, batch)->phase[p] = n;
	}
	fclose(f);
	if (!o->nr && !*o->skipped)
		die(file, "holds nothing");
}

/* --- folding ------------------------------------------------------------------------------- */

static double total(struct cost c)
{
	return c.user + c.system;
}

static struct cost mean_cost(const struct point *p, enum engine e)
{
	struct cost sum = { 0 };

	for (int r = 0; r < p->rounds; r++) {
		sum.user += p->cost[e][r].user / p->rounds;
		sum.system += p->cost[e][r].system / p->rounds;
	}
	return sum;
}

/* Of the means; the spread is that of the rounds, whose jobs ran one after the other. */
static struct ratio ratio_to(const struct point *p, enum engine e)
{
	struct ratio ratio = { .min = INFINITY };

	ratio.mean = total(mean_cost(p, NVMEPT)) / total(mean_cost(p, e));
	for (int r = 0; r < p->rounds; r++) {
		double x = total(p->cost[NVMEPT][r]) / total(p->cost[e][r]);

		ratio.min = fmin(ratio.min, x);
		ratio.max = fmax(ratio.max, x);
	}
	return ratio;
}

static double own_total(const struct own *o)
{
	double sum = 0;

	for (int p = 0; p < PHASES; p++)
		sum += o->phase[p];
	return sum;
}

static double dearest_own(const struct owns *o, int batch)
{
	double max = 0;

	for (size_t i = 0; i < o->nr; i++)
		if (o->of[i].batch == batch)
			max = fmax(max, own_total(&o->of[i]));
	return max;
}

/* Over depths, at the same batch; the worse of the two batches. */
static double flatness(const struct owns *o)
{
	double worst = 1;

	for (size_t i = 0; i < o->nr; i++)
		worst = fmax(worst, dearest_own(o, o->of[i].batch) / own_total(&o->of[i]));
	return worst;
}

/* --- printing ------------------------------------------------------------------------------ */

static const char *met(double figure, double goal)
{
	return figure <= goal ? "met" : "NOT met";
}

static void print_point(const struct point *p, const char *pattern, int depth, double goal)
{
	struct ratio cmd = ratio_to(p, IO_URING_CMD), block = ratio_to(p, IO_URING);

	printf("%-10s%6d", pattern, depth);
	for (int e = 0; e < ENGINES; e++) {
		struct cost c = mean_cost(p, e);

		printf("  %5.0f+%-6.0f", c.user, c.system);
	}
	printf("  %.3f (%.3f..%.3f)  %.2f %-7s  %.3f (%.3f..%.3f)\n", cmd.mean, cmd.min, cmd.max,
	       goal, met(cmd.mean, goal), block.mean, block.min, block.max);
}

static void print_heading(const struct setup *s)
{
	printf("\n%s\n", s->text);
	printf("%-10s%6s", "", "depth");
	for (int e = 0; e < ENGINES; e++)
		printf("  %-12s", engine_names[e]);
	printf("  %-20s  %-12s  %s\n", "ratio: io_uring_cmd", "goal", "io_uring");
}

static void print_owns(const struct owns *o)
{
	printf("\nThe plugin's own user instructions per I/O (4 KiB reads, callgrind)\n");
	if (*o->skipped) {
		printf("skipped: %s\n", o->skipped);
		return;
	}
	printf("%6s%7s", "depth", "batch");
	for (int p = 0; p < PHASES; p++)
		printf("%11s", phase_names[p]);
	printf("%11s\n", "all");
	for (size_t i = 0; i < o->nr; i++) {
		printf("%6d%7d", o->of[i].depth, o->of[i].batch);
		for (int p = 0; p < PHASES; p++)
			printf("%11.1f", o->of[i].phase[p]);
		printf("%11.1f\n", own_total(&o->of[i]));
	}
}

static void print_verdicts(const struct verdict *v, size_t nr)
{
	printf("\n%-62s%9s%8s\n", "Goals (the worst row counts)", "figure", "goal");
	for (size_t i = 0; i < nr; i++)
		printf("%-62s%9.3f%8.2f  %s %s\n", v[i].name, v[i].figure, v[i].goal, v[i].unit,
		       met(v[i].figure, v[i].goal));
}

/* --- JSON ---------------------------------------------------------------------------------- */

static json_t *ratio_json(struct ratio r)
{
	return json_pack("{s:f, s:f, s:f}", "ratio", r.mean, "min", r.min, "max", r.max);
}

static json_t *point_json(const struct point *p, const struct setup *s, const char *pattern,
			  int depth)
{
	json_t *cost = json_object();

	for (int e = 0; e < ENGINES; e++) {
		struct cost c = mean_cost(p, e);

		json_object_set_new(cost, engine_names[e],
				    json_pack("{s:f, s:f, s:f}", "user", c.user, "system", c.system,
					      "total", total(c)));
	}
	return json_pack("{s:s, s:s, s:i, s:i, s:i, s:s, s:o, s:o, s:o, s:f}", "setup", s->name,
			 "rw", pattern, "iodepth", depth, "ios", (int)p->ios, "rounds", p->rounds,
			 "unit", "ns of CPU time per I/O", "cost", cost, "to_io_uring_cmd",
			 ratio_json(ratio_to(p, IO_URING_CMD)), "to_io_uring",
			 ratio_json(ratio_to(p, IO_URING)), "goal_to_io_uring_cmd", s->goal);
}

static json_t *owns_json(const struct owns *o)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < o->nr; i++) {
		json_t *row = json_pack("{s:i, s:i, s:s, s:f}", "iodepth", o->of[i].depth, "batch",
					o->of[i].batch, "unit", "user instructions per I/O", "all",
					own_total(&o->of[i]));

		for (int p = 0; p < PHASES; p++)
			json_object_set_new(row, phase_names[p], json_real(o->of[i].phase[p]));
		json_array_append_new(rows, row);
	}
	return rows;
}

static json_t *verdicts_json(const struct verdict *v, size_t nr)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(rows,
				      json_pack("{s:s, s:f, s:f, s:s, s:b}", "name", v[i].name,
						"figure", v[i].figure, "goal", v[i].goal, "unit",
						v[i].unit, "met", v[i].figure <= v[i].goal));
	return rows;
}

static void write_json(const char *file, json_t *points, const struct owns *o,
		       const struct verdict *v, size_t nr)
{
	json_t *root = json_pack("{s:o, s:o, s:o}", "cpu_time", points, "own", owns_json(o),
				 "goals", verdicts_json(v, nr));

	if (*o->skipped)
		json_object_set_new(root, "own_skipped", json_string(o->skipped));
	if (!root || json_dump_file(root, file, JSON_INDENT(2) | JSON_REAL_PRECISION(6)))
		die(file, "cannot write it");
	json_decref(root);
}

/* --- all of it ------------------------------------------------------------------------------ */

/* Return: the worst ratio to io_uring_cmd. */
static double fold_setup(const struct setup *s, const char *dir, json_t *points)
{
	double worst = 0;
	struct point p;
	char file[512];

	print_heading(s);
	for (size_t i = 0; i < COUNT(patterns); i++)
		for (size_t d = 0; d < COUNT(depths); d++) {
			snprintf(file, sizeof(file), "%s/%s-%s-%d.json", dir, s->name, patterns[i],
				 depths[d]);
			read_point(&p, file);
			print_point(&p, patterns[i], depths[d], s->goal);
			worst = fmax(worst, ratio_to(&p, IO_URING_CMD).mean);
			json_array_append_new(points, point_json(&p, s, patterns[i], depths[d]));
		}
	return worst;
}

int main(int argc, char **argv)
{
	struct verdict v[COUNT(setups) + 2] = {
		{ "CPU time per I/O, at defaults, to io_uring_cmd's", "ratio", 0, setups[0].goal },
		{ "CPU time per I/O, tuned alike, to io_uring_cmd's", "ratio", 0, setups[1].goal },
		{ "own instructions per I/O, in batches of 16", "instructions", 0, GOAL_OWN },
		{ "own instructions, dearest depth to cheapest (1 to 1024)", "ratio", 0,
		  GOAL_FLAT },
	};
	struct owns owns = { 0 };
	json_t *points = json_array();
	size_t nr = COUNT(setups);
	char file[512];

	if (argc != 4 || (ns_per_instruction = atof(argv[3])) <= 0) {
		fprintf(stderr, "usage: table DIR OUT.json NS-PER-INSTRUCTION\n");
		return 2;
	}
	snprintf(file, sizeof(file), "%s/own.txt", argv[1]);
	read_owns(&owns, file);
	printf("CPU time of one 4 KiB I/O, user+system, in ns of a processor that takes 1 ns for\n"
	       "each instruction; the ratios are nvmept's to the other's (min..max of the "
	       "rounds)\n");
	for (size_t i = 0; i < COUNT(setups); i++)
		v[i].figure = fold_setup(&setups[i], argv[1], points);
	print_owns(&owns);
	if (owns.nr) {
		v[nr++].figure = dearest_own(&owns, 16);
		v[nr++].figure = flatness(&owns);
	}
	print_verdicts(v, nr);
	write_json(argv[2], points, &owns, v, nr);
	return 0;
}
