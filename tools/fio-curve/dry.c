// SPDX-License-Identifier: GPL-2.0-only
/* --dry-run: what would be run, in full. See run.h. */
#include "tools/fio-curve/fio.h"
#include "tools/fio-curve/run.h"
#include "tools/fio-curve/say.h"
#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

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

static void print_point(const struct plan *plan, const struct point *p, const struct generated *g,
			bool assumed)
{
	char *job = point_path(p, ".fio"), *text = jobfile_text(&g->file), iops[28];

	printf("### %s%s", job, point_runs(p) ? "" : "  (done, will not be run again)");
	if (assumed)
		printf("  (rates for an assumed maximum of %s IOPS)",
		       value_thousands(PLAN_ASSUMED_IOPS, iops));
	printf("\n%s", text);
	print_command(plan, p, job);
	if (g->note)
		printf("# note: %s\n\n", g->note);
	free(text);
	free(job);
}

int run_dry(struct plan *p)
{
	char *why = plan_rehearse(p, print_point);

	if (!why)
		return STATUS_FINE;
	say("%s", why);
	free(why);
	return STATUS_USAGE;
}
