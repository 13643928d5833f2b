// SPDX-License-Identifier: GPL-2.0-only
/* --dry-run: what would be run, in full. See run.h. */
#include "tools/fio-curve/fio.h"
#include "tools/fio-curve/run.h"
#include "tools/fio-curve/say.h"
#include "tools/fio-peak/alloc.h"

/* Where no maximum is known yet, rates are shown for this one. */
#define ASSUMED_IOPS 100000

static void print_command(const struct plan *plan, const struct point *p, const char *job)
{
	char *result = point_path(p, ".json"), *text;
	struct command c;

	fio_command(&c, plan->settings->fio, job, result, point_readonly(p),
		    &plan->settings->hosts);
	text = command_text(&c);
	printf("\n$ %s\n\n", text);
	free(text);
	command_free(&c);
	free(result);
}

static char *print_point(const struct plan *plan, const struct drive *d, struct point *p,
			 bool assumed)
{
	char *job = point_path(p, ".fio"), *text, *why;
	struct generated g;

	why = generate(plan->settings, &d->target, p->workload, &p->spec, &g);
	if (!why) {
		text = jobfile_text(&g.file);
		printf("### %s%s%s\n", job, point_runs(p) ? "" : "  (done, will not be run again)",
		       assumed ? "  (rates for an assumed maximum of 100,000 IOPS)" : "");
		fputs(text, stdout);
		print_command(plan, p, job);
		if (g.note)
			printf("# note: %s\n\n", g.note);
		free(text);
		generated_free(&g);
	}
	free(job);
	return why;
}

static char *print_drive(const struct plan *plan, struct drive *d)
{
	struct known k = { 0 };
	char *why = NULL;

	for (size_t i = 0; !why && i < d->nr; i++) {
		struct point *p = &d->point[i];
		bool known = point_resolve(p, &k);

		if (!known)
			p->spec.max = p->spec.calibrated = ASSUMED_IOPS;
		why = print_point(plan, d, p, !known);
		if (p->state == POINT_DONE)
			point_learn(p, &k);
	}
	return why;
}

int run_dry(struct plan *p)
{
	char *why = NULL;

	for (size_t i = 0; !why && i < p->nr; i++)
		why = print_drive(p, &p->drive[i]);
	if (!why)
		return STATUS_FINE;
	say("%s", why);
	free(why);
	return STATUS_USAGE;
}
