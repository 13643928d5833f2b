// SPDX-License-Identifier: GPL-2.0-only
// A small simulation of its own for the write amplification that jobs/fdp/ should have: it shares no
// code with the model drive. It is held against the closed formula for uniform random writes, and
// t/data/jobs/fdp.table against it; the jobs on a model drive are held against the table.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "t/unit/tap.h"

enum {
	UNITS = 1024,
	UNIT_PAGES = 256,
	PHYSICAL = UNITS * UNIT_PAGES,
	KEPT_FREE = 3, /* units: a reserve of 2, and one that collection may open */
	MAX_STREAMS = 8,
	RELOCATED = MAX_STREAMS, /* the open unit of garbage collection */
	NR_OPEN,
	NAME_LEN = 32,
	NOWHERE = PHYSICAL,
};

enum unit_state {
	UNIT_FREE,
	UNIT_OPEN,
	UNIT_FULL
};

struct stream {
	char workload[NAME_LEN], name[NAME_LEN];
	int from, to; /* percent of the capacity */
	double writes; /* its share */
	bool random;
};

/* Page-mapped flash with greedy garbage collection. */
static struct flash {
	uint32_t at[PHYSICAL], page[PHYSICAL]; /* where a page is; which page is there */
	uint32_t valid[UNITS], used[UNITS];
	enum unit_state state[UNITS];
	int open[NR_OPEN]; /* unit, or -1 */
	int nr_free;
	uint64_t host, media;
} flash;

/* Where one stream of a running workload is. */
struct cursor {
	uint32_t first, pages, next;
	double due, period; /* of its next write, and between two */
};

/* xorshift64*: the same writes in each run. */
static double draw(void)
{
	static uint64_t x = 88172645463325252ULL;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	return (double)(x * 2685821657736338717ULL >> 11) / 9007199254740992.0;
}

/* --- flash -------------------------------------------------------------------------------- */

static void flash_empty(void)
{
	memset(&flash, 0, sizeof(flash));
	for (int i = 0; i < PHYSICAL; i++)
		flash.at[i] = NOWHERE;
	for (int i = 0; i < NR_OPEN; i++)
		flash.open[i] = -1;
	flash.nr_free = UNITS;
}

static void open_unit(int stream)
{
	int unit = 0;

	while (flash.state[unit] != UNIT_FREE)
		unit++;
	flash.state[unit] = UNIT_OPEN;
	flash.valid[unit] = flash.used[unit] = 0;
	flash.open[stream] = unit;
	flash.nr_free--;
}

/* Needs an open unit for the stream. */
static void program(int stream, uint32_t page)
{
	int unit = flash.open[stream];
	uint32_t place = unit * UNIT_PAGES + flash.used[unit]++;

	if (flash.at[page] != NOWHERE)
		flash.valid[flash.at[page] / UNIT_PAGES]--;
	flash.at[page] = place;
	flash.page[place] = page;
	flash.valid[unit]++;
	flash.media++;
	if (flash.used[unit] == UNIT_PAGES) {
		flash.state[unit] = UNIT_FULL;
		flash.open[stream] = -1;
	}
}

static void free_a_unit(void)
{
	uint32_t fewest = UNIT_PAGES + 1;
	int victim = 0;

	for (int i = 0; i < UNITS; i++) {
		if (flash.state[i] == UNIT_FULL && flash.valid[i] < fewest) {
			fewest = flash.valid[i];
			victim = i;
		}
	}
	for (int i = 0; i < UNIT_PAGES && flash.valid[victim]; i++) {
		uint32_t place = victim * UNIT_PAGES + i;

		if (flash.at[flash.page[place]] != place)
			continue;
		if (flash.open[RELOCATED] < 0)
			open_unit(RELOCATED);
		program(RELOCATED, flash.page[place]);
	}
	flash.state[victim] = UNIT_FREE;
	flash.nr_free++;
}

/* Without placement the host's pages go where the relocated ones go. */
static void host_write(int stream, uint32_t page)
{
	while (flash.open[stream] < 0) {
		if (flash.nr_free > KEPT_FREE)
			open_unit(stream);
		else
			free_a_unit();
	}
	program(stream, page);
	flash.host++;
}

/* --- workloads ---------------------------------------------------------------------------- */

/* Each stream's region once, all at the same time. */
static void fill(struct cursor *c, int nr, bool placed)
{
	for (;;) {
		int next = 0;

		for (int i = 1; i < nr; i++)
			if ((double)c[i].next / c[i].pages < (double)c[next].next / c[next].pages)
				next = i;
		if (c[next].next == c[next].pages)
			break;
		host_write(placed ? next : RELOCATED, c[next].first + c[next].next++);
	}
}

/*
 * Writes keep their proportion over any length of time, as fio's flow= has it, and the order of those
 * that are due together is random.
 */
static void write_pages(const struct stream *s, struct cursor *c, int nr, bool placed,
			uint64_t pages)
{
	while (pages--) {
		uint32_t offset;
		int i = 0;

		for (int j = 1; j < nr; j++)
			if (c[j].due < c[i].due)
				i = j;
		offset = s[i].random ? (uint32_t)(draw() * c[i].pages) : c[i].next++ % c[i].pages;
		host_write(placed ? i : RELOCATED, c[i].first + offset);
		c[i].due = (floor(c[i].due / c[i].period) + 1 + draw()) * c[i].period;
	}
}

/* Return: the write amplification of 8 capacities, after 8 of warming up. */
static double simulate(const struct stream *s, int nr, double op, bool placed)
{
	struct cursor c[MAX_STREAMS] = { 0 };
	uint32_t capacity = PHYSICAL / (1 + op);
	uint64_t host, media;

	flash_empty();
	for (int i = 0; i < nr; i++) {
		c[i].first = (uint64_t)capacity * s[i].from / 100;
		c[i].pages = (uint64_t)capacity * s[i].to / 100 - c[i].first;
		c[i].period = 1 / s[i].writes;
	}
	fill(c, nr, placed);
	write_pages(s, c, nr, placed, 8ULL * capacity);
	host = flash.host;
	media = flash.media;
	write_pages(s, c, nr, placed, 8ULL * capacity);
	return (double)(flash.media - media) / (double)(flash.host - host);
}

/* --- checks ------------------------------------------------------------------------------- */

static void check_within(double got, double want, double tolerance, const char *name)
{
	ok(fabs(got / want - 1) <= tolerance, "%s: WAF %.3f, expected %.3f (%+.1f%%)", name, got,
	   want, 100 * (got / want - 1));
}

/*
 * Uniform random writes: A = a / (a + W0(-a exp(-a))) (Desnoyers, SYSTOR 2012), which x = -W0() solves as
 * x exp(-x) = a exp(-a) with x < 1; found by halving.
 */
static double formula(double a)
{
	double low = 0, high = 1;

	for (int i = 0; i < 60; i++) {
		double x = (low + high) / 2;

		if (x * exp(-x) < a * exp(-a))
			low = x;
		else
			high = x;
	}
	return a / (a - low);
}

static void check_uniform(double op)
{
	const struct stream s = { .from = 0, .to = 100, .writes = 1, .random = true };
	double spare = UNITS - KEPT_FREE;
	char name[80];

	snprintf(name, sizeof(name), "uniform, %.0f%% over-provisioning", 100 * op);
	check_within(simulate(&s, 1, op, false), formula(spare / UNITS * (1 + op)), 0.03, name);
}

static void check_row(const struct stream *s, int nr, double op, const double *waf)
{
	char name[80];

	for (int placed = 0; placed < 2; placed++) {
		snprintf(name, sizeof(name), "%s, %s", s->workload,
			 placed ? "placed" : "not placed");
		check_within(simulate(s, nr, op, placed), waf[placed], 0.01, name);
	}
}

/* The streams of a workload stand in lines before its waf line. */
static int check_table(FILE *in)
{
	struct stream s[MAX_STREAMS] = { 0 };
	char line[256], order[NAME_LEN], name[NAME_LEN];
	int nr = 0, rows = 0;
	double op, waf[2];

	while (fgets(line, sizeof(line), in)) {
		if (nr < MAX_STREAMS &&
		    sscanf(line, "stream %31s %31s %d-%d %lf %31s", s[nr].workload, s[nr].name,
			   &s[nr].from, &s[nr].to, &s[nr].writes, order) == 6) {
			s[nr++].random = !strcmp(order, "random");
		} else if (sscanf(line, "waf %31s %lf %lf %lf", name, &op, &waf[0], &waf[1]) == 4) {
			ok(nr && !strcmp(name, s[0].workload), "%s has its streams", name);
			check_row(s, nr, op / 100, waf);
			nr = 0;
			rows++;
		}
	}
	return rows;
}

int main(void)
{
	const char *path = "t/data/jobs/fdp.table";
	FILE *in = fopen(path, "r");

	if (!in) {
		perror(path);
		return 1;
	}
	check_uniform(0.07);
	check_uniform(0.28);
	ok(check_table(in) == 5, "five workloads in %s", path);
	fclose(in);
	return done_testing();
}
