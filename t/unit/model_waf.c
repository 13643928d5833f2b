// SPDX-License-Identifier: GPL-2.0-only
// The model drive's write amplification against what is published: uniform random writes against
// the closed formulae, mixed and separated streams against an independent simulation's table.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/model/ftl.h"
#include "engine/model/image.h"
#include "t/unit/tap.h"

enum {
	RESERVE = 2,
	K = RESERVE + 1, /* units that are no spare area; fixed before anything was measured */
	MAX_STREAMS = 4,
};

static char path[] = "/tmp/model-waf-XXXXXX";

/* xorshift64: the same writes in each run. */
static uint64_t seed = 88172645463325252ULL;

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static struct model *make_drive(uint32_t units, uint32_t unit_pages, double rho, uint32_t ruhs,
				uint32_t type)
{
	struct model_geometry g = { .rus = units,
				    .ru_pages = unit_pages,
				    .reserve = RESERVE,
				    .lba_shift = 12,
				    .ruhs = ruhs,
				    .ruh_type = type,
				    .fdp = ruhs > 1 ? 2 : 0,
				    .timing = 0 };
	char why[MODEL_WHY_LEN] = "";
	struct model *m = NULL;

	g.pages = units * (double)unit_pages / (1 + rho);
	unlink(path);
	if (model_plan(&g, why) || model_create(path, &g, why) || model_open(path, &m, why)) {
		printf("Bail out! %s\n", why);
		exit(1);
	}
	return m;
}

static double waf_since(const struct model *m, const struct model_counters *before)
{
	const struct model_counters *now = &m->s->counters;

	return 1 + (double)(now->relocated_pages - before->relocated_pages) /
			   (double)(now->host_pages - before->host_pages);
}

/* Sums that must hold whatever was written. */
static void check_sums(struct model *m, const char *name)
{
	char why[MODEL_WHY_LEN] = "";

	ok(!ftl_rebuild(m, why), "%s: counters and map add up %s", name, why);
}

/* --- uniform random writes ---------------------------------------------------------------- */

/* The principal branch of Lambert's function for -1/e <= z < 0, by Halley's steps. */
static double lambert_w0(double z)
{
	double w = z > -0.1 ? z : -0.5;

	for (int i = 0; i < 100; i++) {
		double e = exp(w), f = w * e - z;

		w -= f / (e * (w + 1) - (w + 2) * f / (2 * w + 2));
	}
	return w;
}

/* Greedy with large units: Desnoyers, SYSTOR 2012; Xiang and Kurkoski 2011. @a: 1 + rho_eff. */
static double waf_large(double a)
{
	return a / (a + lambert_w0(-a * exp(-a)));
}

/* Greedy with units of @np pages: Desnoyers, SYSTOR 2012. */
static double waf_finite(double a, double np)
{
	double b = (1 + 1 / (2 * np)) * a;
	double x0 = 0.5 - np / a * lambert_w0(-b * exp(-b));

	return np / (np - (x0 - 1));
}

/* @placed: to a handle, so that relocated pages lie apart; else mixed as without FDP. */
static double measure_uniform(uint32_t units, uint32_t unit_pages, double rho, bool placed,
			      double *a)
{
	struct model *m = make_drive(units, unit_pages, rho, 1, MODEL_INITIALLY_ISOLATED);
	uint32_t ruh = placed ? 0 : FTL_UNPLACED;
	struct model_counters before;
	uint64_t pages = m->g->pages;
	double waf;

	*a = (double)(units - K) * unit_pages / pages;
	for (uint64_t lpn = 0; lpn < pages; lpn++)
		ftl_write(m, lpn, ruh, MODEL_PAGE, NULL);
	for (uint64_t i = 0; i < 3 * pages; i++)
		ftl_write(m, draw(pages), ruh, MODEL_PAGE, NULL);
	before = m->s->counters;
	for (uint64_t i = 0; i < 2 * pages; i++)
		ftl_write(m, draw(pages), ruh, MODEL_PAGE, NULL);
	waf = waf_since(m, &before);
	check_sums(m, "uniform");
	model_close(m);
	return waf;
}

static void check_within(double got, double want, double tolerance, const char *name)
{
	ok(fabs(got / want - 1) <= tolerance, "%s: WAF %.3f, expected %.3f (%+.1f%%)", name, got,
	   want, 100 * (got / want - 1));
}

static void check_uniform(void)
{
	static const double rhos[] = { 0.07, 0.10, 0.143, 0.20, 0.28, 0.50 };
	char name[80];
	double a, waf;

	for (int placed = 0; placed < 2; placed++)
		for (unsigned i = 0; i < sizeof(rhos) / sizeof(rhos[0]); i++) {
			waf = measure_uniform(rhos[i] <= 0.10 ? 1024 : 256, 256, rhos[i], placed,
					      &a);
			snprintf(name, sizeof(name), "uniform, rho %.3f, %s", rhos[i],
				 placed ? "relocated pages apart" : "one stream");
			check_within(waf, waf_large(a), 0.03, name);
		}
}

static void check_small_units(void)
{
	static const uint32_t sizes[] = { 16, 64, 128 };
	static const double rhos[] = { 0.143, 0.28 };
	char name[80];
	double a, waf;

	for (unsigned i = 0; i < 3; i++)
		for (unsigned j = 0; j < 2; j++) {
			waf = measure_uniform(1024, sizes[i], rhos[j], false, &a);
			snprintf(name, sizeof(name), "units of %u pages, rho %.3f", sizes[i],
				 rhos[j]);
			check_within(waf, waf_finite(a, sizes[i]), 0.03, name);
		}
}

/* --- streams ------------------------------------------------------------------------------ */

struct stream {
	double space, writes; /* shares of the capacity and of the writes */
	bool sequential;
};

/* Expected: a simulation of its own, greedy, 1,024 units of 256 pages. */
static const struct workload {
	const char *name;
	double rho;
	uint32_t nr;
	struct stream stream[MAX_STREAMS];
	double one, initially, persistently; /* WAF: one stream, isolated so or so */
} workloads[] = {
	{ "random 25%/50% + sequential, rho .143",
	  0.143,
	  2,
	  { { 0.25, 0.5, false }, { 0.75, 0.5, true } },
	  3.13,
	  1.41,
	  1.36 },
	{ "random 25%/50% + sequential, rho .28",
	  0.28,
	  2,
	  { { 0.25, 0.5, false }, { 0.75, 0.5, true } },
	  2.14,
	  1.12,
	  1.12 },
	{ "two sequential, 80/20",
	  0.143,
	  2,
	  { { 0.5, 0.8, true }, { 0.5, 0.2, true } },
	  1.49,
	  1.00,
	  1.00 },
	{ "four sequential, 40/30/20/10",
	  0.07,
	  4,
	  { { 0.25, 0.4, true }, { 0.25, 0.3, true }, { 0.25, 0.2, true }, { 0.25, 0.1, true } },
	  5.93,
	  1.00,
	  1.00 },
	{ "random 20%/80% + random",
	  0.143,
	  2,
	  { { 0.2, 0.8, false }, { 0.8, 0.2, false } },
	  4.59,
	  4.45,
	  4.24 },
	{ "random 10%/90% + random",
	  0.07,
	  2,
	  { { 0.1, 0.9, false }, { 0.9, 0.1, false } },
	  9.11,
	  8.66,
	  7.73 },
	{ "cache: random 4%/60% + sequential",
	  0.07,
	  2,
	  { { 0.04, 0.6, false }, { 0.96, 0.4, true } },
	  9.43,
	  1.07,
	  1.07 },
	{ "the same at half utilisation",
	  1.14,
	  2,
	  { { 0.04, 0.6, false }, { 0.96, 0.4, true } },
	  1.28,
	  1.00,
	  1.00 },
};

struct region {
	uint64_t start, pages, next;
};

static uint32_t choose_stream(const struct workload *w)
{
	double r = draw(1ULL << 32) / 4294967296.0;
	uint32_t i = 0;

	while (i + 1 < w->nr && r >= w->stream[i].writes)
		r -= w->stream[i++].writes;
	return i;
}

static void write_mixed(struct model *m, const struct workload *w, struct region *region,
			bool separate, uint64_t nr)
{
	for (uint64_t n = 0; n < nr; n++) {
		uint32_t i = choose_stream(w);
		struct region *r = &region[i];
		uint64_t at = w->stream[i].sequential ? r->next++ % r->pages : draw(r->pages);

		ftl_write(m, r->start + at, separate ? i : FTL_UNPLACED, MODEL_PAGE, NULL);
	}
}

/* The streams fill their regions at the same time, each in order, by their shares of the space. */
static void fill_together(struct model *m, const struct workload *w, struct region *region,
			  bool separate)
{
	uint64_t done[MAX_STREAMS] = { 0 };
	uint64_t left = 0;

	for (uint32_t i = 0; i < w->nr; i++)
		left += region[i].pages;
	while (left) {
		uint64_t r = draw(left);
		uint32_t i = 0;

		for (; r >= region[i].pages - done[i]; i++)
			r -= region[i].pages - done[i];
		ftl_write(m, region[i].start + done[i]++, separate ? i : FTL_UNPLACED, MODEL_PAGE,
			  NULL);
		left--;
	}
}

static double measure_streams(const struct workload *w, bool separate, uint32_t type)
{
	struct model *m = make_drive(1024, 256, w->rho, w->nr, type);
	struct region region[MAX_STREAMS] = { 0 };
	struct model_counters before;
	uint64_t start = 0;
	double waf;

	for (uint32_t i = 0; i < w->nr; i++) {
		region[i].start = start;
		region[i].pages = w->stream[i].space * m->g->pages;
		start += region[i].pages;
	}
	fill_together(m, w, region, separate);
	write_mixed(m, w, region, separate, 8 * m->g->pages);
	before = m->s->counters;
	write_mixed(m, w, region, separate, 4 * m->g->pages);
	waf = waf_since(m, &before);
	check_sums(m, w->name);
	model_close(m);
	return waf;
}

static void check_streams(void)
{
	char name[120];

	for (unsigned i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
		const struct workload *w = &workloads[i];

		snprintf(name, sizeof(name), "%s: one stream", w->name);
		check_within(measure_streams(w, false, MODEL_INITIALLY_ISOLATED), w->one, 0.05,
			     name);
		snprintf(name, sizeof(name), "%s: initially isolated", w->name);
		check_within(measure_streams(w, true, MODEL_INITIALLY_ISOLATED), w->initially, 0.05,
			     name);
		snprintf(name, sizeof(name), "%s: persistently isolated", w->name);
		check_within(measure_streams(w, true, MODEL_PERSISTENTLY_ISOLATED), w->persistently,
			     0.05, name);
	}
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0) {
		perror(path);
		return 1;
	}
	close(fd);
	check_uniform();
	check_small_units();
	check_streams();
	unlink(path);
	return done_testing();
}
