// SPDX-License-Identifier: GPL-2.0-only
// The model drive's time and power against what they should be by arithmetic: dies, channels, write
// buffer, queueing theory, WAF, power caps. On a clock of the test's own, so that the host's speed
// does not matter; what the host adds is for "make bench".
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/model/ftl.h"
#include "engine/model/image.h"
#include "engine/model/power.h"
#include "engine/model/timing.h"
#include "t/unit/tap.h"

enum {
	US = 1000,
	MS = 1000 * US,
	MAX_DEPTH = 512,
};
#define S (1000ULL * MS)

static char path[] = "/tmp/model-timing-XXXXXX";
static uint64_t clock_ns; /* the drive's time, after any that it took from the host's clock */

/* xorshift64: the same I/Os in each run. */
static uint64_t seed = 88172645463325252ULL;

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static double draw_exponential(double mean)
{
	return -mean * log((double)(draw(1ULL << 32) + 1) / (double)(1ULL << 32));
}

/* What all drives here are made of, unless a test says otherwise. */
static struct model_geometry four_dies(void)
{
	return (struct model_geometry){ .pages = 16384,
					.ru_pages = 64,
					.rus = 300,
					.lba_shift = 12,
					.timing = 1,
					.dies = 4,
					.channels = 2,
					.t_read = 70 * US,
					.t_program = 120 * US,
					.t_transfer = 5 * US };
}

static struct model *make_drive(struct model_geometry g)
{
	char why[MODEL_WHY_LEN] = "";
	struct model *m = NULL;

	unlink(path);
	if (model_plan(&g, why) || model_create(path, &g, why) || model_open(path, &m, why)) {
		printf("Bail out! %s\n", why);
		exit(1);
	}
	clock_ns = model_now(m) + S;
	return m;
}

/* --- I/O, as engine/model/blocks.c makes it of a command of one page ---------------------- */

typedef uint64_t operation(struct model *m, uint64_t now);

static uint64_t random_read(struct model *m, uint64_t now)
{
	return timing_read(m, power_wake(m, now), m->map[draw(m->g->pages)]);
}

static uint64_t write_page(struct model *m, uint64_t now, uint32_t lpn)
{
	uint64_t start = power_wake(m, now);

	return timing_write(m, start, ftl_write(m, lpn, FTL_UNPLACED, MODEL_PAGE, NULL));
}

static uint64_t random_write(struct model *m, uint64_t now)
{
	return write_page(m, now, draw(m->g->pages));
}

static uint64_t sequential_write(struct model *m, uint64_t now)
{
	static uint32_t next;

	return write_page(m, now, next++ % m->g->pages);
}

static uint64_t seven_reads_of_ten(struct model *m, uint64_t now)
{
	return draw(10) < 7 ? random_read(m, now) : random_write(m, now);
}

struct load {
	double per_s, mean_us, max_us;
};

/* @depth I/Os outstanding all the time, @nr in all. */
static struct load keep_busy(struct model *m, operation *op, uint32_t depth, uint32_t nr)
{
	uint64_t due[MAX_DEPTH], begin = clock_ns;
	double sum = 0, max = 0;

	for (uint32_t i = 0; i < depth; i++)
		due[i] = clock_ns;
	for (uint32_t n = 0; n < nr; n++) {
		uint32_t first = 0;

		for (uint32_t i = 1; i < depth; i++)
			if (due[i] < due[first])
				first = i;
		if (due[first] > clock_ns)
			clock_ns = due[first];
		due[first] = op(m, clock_ns);
		sum += (double)(due[first] - clock_ns);
		max = fmax(max, (double)(due[first] - clock_ns));
	}
	return (struct load){ .per_s = nr / ((double)(clock_ns - begin) / S),
			      .mean_us = sum / nr / US,
			      .max_us = max / US };
}

/* Arrivals at random, @per_s of them, whatever is outstanding. */
static struct load arrive(struct model *m, operation *op, double per_s, uint32_t nr)
{
	uint64_t begin = clock_ns;
	double sum = 0, max = 0, at = 0;

	for (uint32_t n = 0; n < nr; n++) {
		uint64_t due;

		at += draw_exponential(S / per_s);
		clock_ns = begin + (uint64_t)at;
		due = op(m, clock_ns);
		sum += (double)(due - clock_ns);
		max = fmax(max, (double)(due - clock_ns));
	}
	return (struct load){ .per_s = per_s, .mean_us = sum / nr / US, .max_us = max / US };
}

static void settle(void)
{
	clock_ns += 10 * S;
}

/* Written once in order: all is mapped, all dies hold as much. @times over at random: steady. */
static void fill(struct model *m, uint32_t times)
{
	for (uint32_t lpn = 0; lpn < m->g->pages; lpn++)
		ftl_write(m, lpn, FTL_UNPLACED, MODEL_PAGE, NULL);
	for (uint32_t n = 0; n < times * m->g->pages; n++)
		ftl_write(m, draw(m->g->pages), FTL_UNPLACED, MODEL_PAGE, NULL);
	/* None of that took time; its garbage collection must not be paid for later. */
	timing_reset(m);
	settle();
}

static void check_within(double got, double want, double tolerance, const char *name)
{
	ok(fabs(got / want - 1) <= tolerance, "%s: %.2f, expected %.2f (%+.2f%%)", name, got, want,
	   100 * (got / want - 1));
}

/* --- reads -------------------------------------------------------------------------------- */

static void check_reads(void)
{
	struct model *m = make_drive(four_dies());
	struct load l;
	uint64_t due;

	fill(m, 0);
	l = keep_busy(m, random_read, 1, 1000);
	check_within(l.mean_us, 75, 0, "depth 1: t_read + t_transfer, us");
	check_within(l.max_us, 75, 0, "... the longest as well");
	l = keep_busy(m, random_read, MAX_DEPTH, 200000);
	check_within(l.per_s, 4 / 70e-6, 0.02, "the ceiling: dies / t_read, reads/s");
	check_within(l.mean_us, MAX_DEPTH / l.per_s * 1e6, 0.01, "... Little's law there, us");
	settle();
	m->map[7] = MODEL_NONE;
	due = timing_read_nothing(m, clock_ns, 7);
	is_int((long)(due - clock_ns), 5 * US, "what is in no die costs its transfer only");
	model_close(m);
}

static void check_channels(void)
{
	struct model_geometry g = four_dies();
	struct model *m;

	g.t_transfer = 50 * US;
	m = make_drive(g);
	fill(m, 0);
	check_within(keep_busy(m, random_read, MAX_DEPTH, 100000).per_s, 2 / 50e-6, 0.02,
		     "slow channels are the ceiling: channels / t_transfer, reads/s");
	model_close(m);
}

/* Random arrivals at one die are M/D/1: the mean wait is rho / 2(1 - rho) services (Pollaczek). */
static void check_queueing(void)
{
	static const double loads[] = { 0.1, 0.3, 0.5, 0.7, 0.8, 0.9 };
	struct model_geometry g = four_dies();
	struct model *m;
	char name[80];

	g.dies = 1;
	g.channels = 1;
	g.t_transfer = 1;
	m = make_drive(g);
	fill(m, 0);
	for (unsigned int i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		double rho = loads[i], want = 70 * (1 + rho / (2 * (1 - rho)));
		struct load l = arrive(m, random_read, rho / 70e-6, 1000000);

		snprintf(name, sizeof(name), "a die that is busy %.0f%% of the time, mean us",
			 100 * rho);
		check_within(l.mean_us, want, 0.03, name);
		settle();
	}
	model_close(m);
}

/* Flat, a bend, a ceiling that is held when more is asked. */
static void check_curve(void)
{
	struct model *m = make_drive(four_dies());
	double ceiling = 4 / 70e-6;
	struct load low, half, high, over;

	fill(m, 0);
	low = arrive(m, random_read, 0.1 * ceiling, 200000);
	settle();
	half = arrive(m, random_read, 0.5 * ceiling, 200000);
	settle();
	high = arrive(m, random_read, 0.9 * ceiling, 200000);
	settle();
	ok(low.mean_us < 1.1 * 75, "a tenth of the ceiling: %.1f us, idle 75", low.mean_us);
	ok(half.mean_us < 1.6 * 75, "half of it: %.1f us", half.mean_us);
	ok(high.mean_us > 3 * 75, "nine tenths: %.1f us", high.mean_us);
	over = keep_busy(m, random_read, 256, 100000);
	check_within(keep_busy(m, random_read, MAX_DEPTH, 100000).per_s, over.per_s, 0.02,
		     "twice the depth, the same ceiling, reads/s");
	model_close(m);
}

/* --- writes ------------------------------------------------------------------------------- */

static void check_buffer(void)
{
	struct model_geometry g = four_dies();
	struct model *m;
	uint64_t longest = 0, due;

	g.buffer_pages = 100;
	m = make_drive(g);
	for (uint32_t i = 0; i < 100; i++) {
		due = write_page(m, clock_ns, i) - clock_ns;
		longest = due > longest ? due : longest;
	}
	is_int((long)longest, 5 * US, "what the buffer takes is acknowledged after its transfer");
	due = write_page(m, clock_ns, 100) - clock_ns;
	is_int((long)due, 125 * US, "the next one waits for a program");
	settle();
	check_within(keep_busy(m, sequential_write, 32, 10000).per_s, 4 / 120e-6, 0.02,
		     "then: dies / t_program, writes/s");
	settle();
	is_int((long)(write_page(m, clock_ns, 5) - clock_ns), 5 * US,
	       "after a pause the buffer is empty again");
	model_close(m);
}

static double waf_since(const struct model *m, const struct model_counters *before)
{
	const struct model_counters *now = &m->s->counters;

	return 1 + (double)(now->relocated_pages - before->relocated_pages) /
			   (double)(now->host_pages - before->host_pages);
}

static void check_steady_writes(void)
{
	static const uint32_t rus[] = { 280, 300, 360, 420 };
	char name[80];

	for (unsigned int i = 0; i < sizeof(rus) / sizeof(rus[0]); i++) {
		struct model_geometry g = four_dies();
		struct model_counters before;
		struct model *m;
		struct load l;
		double waf;

		g.rus = rus[i];
		m = make_drive(g);
		fill(m, 3);
		keep_busy(m, random_write, 32, m->g->pages);
		before = m->s->counters;
		l = keep_busy(m, random_write, 32, 2 * m->g->pages);
		waf = waf_since(m, &before);
		snprintf(name, sizeof(name), "%u units, WAF %.2f: bandwidth x WAF, pages/s", rus[i],
			 waf);
		/* 1% of the time goes to erases. */
		check_within(l.per_s * waf, 4 / 120e-6, 0.02, name);
		model_close(m);
	}
}

/* One reader beside writers that keep the dies busy waits for the program in its way, at most. */
static void check_reads_beside_writes(void)
{
	struct model *m = make_drive(four_dies());
	double sum = 0, max = 0;
	uint32_t reads = 20000;

	fill(m, 0);
	keep_busy(m, sequential_write, 64, 5000);
	for (uint32_t i = 0; i < reads; i++) {
		double us;

		clock_ns += 500 * US + draw(200 * US);
		for (uint32_t w = 0; w < 20; w++) /* 17 to 24 of them fit in there */
			sequential_write(m, clock_ns);
		us = (double)(random_read(m, clock_ns) - clock_ns) / US;
		sum += us;
		max = fmax(max, us);
	}
	ok(max <= 75 + 120,
	   "beside writes a read takes %.1f us at most: the program in its way, 195", max);
	ok(sum / reads > 75 + 20 && sum / reads < 75 + 80,
	   "... in the mean %.1f: half of it, as often as the die is busy", sum / reads);
	model_close(m);
}

/* --- power -------------------------------------------------------------------------------- */

/* State 1 is half of state 0, state 2 a quarter; 3 is not operational. */
static struct model_geometry with_states(uint32_t idle_mw)
{
	struct model_geometry g = four_dies();

	g.nr_power_states = 4;
	for (uint32_t i = 0; i < 3; i++)
		g.power[i] = (struct model_power_state){ .max_mw = 20000 >> i,
							 .idle_mw = idle_mw,
							 .entry_us = 200 + i,
							 .exit_us = 300 + i,
							 .operational = 1 };
	g.power[3] = (struct model_power_state){
		.max_mw = 50, .idle_mw = 50, .entry_us = 1000, .exit_us = 5000
	};
	return g;
}

static struct load measure_in_state(struct model *m, uint32_t state, operation *op)
{
	struct load l;

	power_set(m, clock_ns, state);
	settle();
	keep_busy(m, op, 64, 20000);
	l = keep_busy(m, op, 64, 40000);
	return l;
}

/* The drive's mean over @l's time and each whole second of it stay below the cap. */
static void check_watts(struct model *m, operation *op, const char *what)
{
	for (uint32_t state = 0; state < 3; state++) {
		uint32_t cap = m->g->power[state].max_mw;
		struct power_reading begin, end;
		uint64_t from;
		double mw;

		power_set(m, clock_ns, state);
		settle();
		m->s->power.max_interval_mw = 0;
		power_read(m, clock_ns, &begin);
		from = clock_ns;
		do
			keep_busy(m, op, 64, 10000);
		while (clock_ns - from < 5 * S);
		power_read(m, clock_ns, &end);
		/* Energies are whole mJ, so that their difference may be one too many. */
		mw = (double)(end.energy_mj - begin.energy_mj - 1) * 1e9 /
		     (double)(clock_ns - from);
		ok(mw <= cap, "%s in state %u: %.0f mW in the mean, cap %u", what, state, mw, cap);
		ok(end.max_interval_mw && end.max_interval_mw <= cap, "... %u in a second at most",
		   end.max_interval_mw);
		ok(mw > 0.3 * cap, "... and it was at work");
	}
}

static void check_caps(void)
{
	struct model *m = make_drive(with_states(10));
	struct load full, half, quarter;

	fill(m, 3);
	full = measure_in_state(m, 0, random_write);
	half = measure_in_state(m, 1, random_write);
	quarter = measure_in_state(m, 2, random_write);
	check_within(half.per_s / full.per_s, 0.5, 0.1, "half the cap, half the random writes");
	check_within(quarter.per_s / full.per_s, 0.25, 0.1, "a quarter, a quarter");
	check_watts(m, random_write, "random writes");
	check_watts(m, random_read, "random reads");
	check_watts(m, seven_reads_of_ten, "reads and writes");
	model_close(m);
}

/* What a state leaves above idle is for operations: 20 W and 10 W with 4 W idle are 16 to 6. */
static void check_idle_share(void)
{
	struct model *m = make_drive(with_states(4000));
	struct load full, half;

	fill(m, 0);
	full = measure_in_state(m, 0, sequential_write);
	half = measure_in_state(m, 1, sequential_write);
	check_within(half.per_s / full.per_s, 6.0 / 16, 0.1,
		     "with 4 W idle: in proportion to what is above idle");
	check_watts(m, sequential_write, "sequential writes, 4 W idle");
	model_close(m);
}

static void check_transitions(void)
{
	struct model *m = make_drive(with_states(10));
	struct power_reading r;
	uint64_t due, from, energy;

	fill(m, 0);
	power_set(m, clock_ns, 1);
	due = random_read(m, clock_ns) - clock_ns;
	is_int((long)due, (300 + 201 + 75) * US,
	       "an I/O waits for state 0's exit, state 1's entry");
	settle();
	is_int((long)(random_read(m, clock_ns) - clock_ns), 75 * US, "later ones do not");
	settle();
	power_set(m, clock_ns, 3);
	settle();
	power_read(m, clock_ns, &r);
	energy = r.energy_mj;
	from = clock_ns;
	settle();
	power_read(m, clock_ns, &r);
	check_within((double)(r.energy_mj - energy) * 1e9 / (double)(clock_ns - from), 50, 0.01,
		     "idle in the state that is not operational, mW");
	due = random_read(m, clock_ns) - clock_ns;
	is_int((long)due, (5000 + 201 + 75) * US, "an I/O wakes it: exit, entry of state 1");
	is_int(m->s->power.state, 1, "... which is in force again");
	model_close(m);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0) {
		printf("Bail out! %s cannot be made\n", path);
		return 1;
	}
	close(fd);
	check_reads();
	check_channels();
	check_queueing();
	check_curve();
	check_buffer();
	check_steady_writes();
	check_reads_beside_writes();
	check_caps();
	check_idle_share();
	check_transitions();
	unlink(path);
	return done_testing();
}
