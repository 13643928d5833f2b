// SPDX-License-Identifier: GPL-2.0-only
/*
 * fio-curve: workloads and drives in, a folder of fio's results out, one fio run for each point of a
 * curve. The order of the work: what is meant, is it safe, is it wanted, run it.
 */
#include "tools/fio-curve/arguments.h"
#include "tools/fio-curve/confirm.h"
#include "tools/fio-curve/drive_json.h"
#include "tools/fio-curve/fio.h"
#include "tools/fio-curve/plan.h"
#include "tools/fio-curve/restore.h"
#include "tools/fio-curve/run.h"
#include "tools/fio-curve/say.h"
#include "tools/fio-peak/alloc.h"

/* From names to drives and workloads. Return: NULL, or what is wrong. */
static char *collect(const struct arguments *a, struct plan *p)
{
	const struct settings *s = &a->settings;
	char *why = NULL;

	for (size_t i = 0; !why && i < a->nr_names; i++)
		why = workloads_find(a->names[i], s->jobs, &p->workloads);
	for (size_t i = 0; !why && i < a->nr_drives; i++) {
		struct target t;

		why = target_open(a->drives[i], s->file_size, s->hosts.nr, &t);
		if (!why)
			why = plan_add_drive(p, &t);
	}
	return why ? why : plan_make(p);
}

/* Results of another drive are not mixed with ours. */
static char *check_results(const struct plan *p)
{
	char *why = NULL;

	for (size_t i = 0; !why && i < p->nr; i++) {
		char *path = alloc_printf("%s/drive.json", p->drive[i].folder);

		why = drive_check(path, &p->drive[i].target);
		free(path);
	}
	return why;
}

/* Of points that finished under another plan, and of those that no plan knows any more. */
static void say_changes(const struct drive *d)
{
	const struct point *first = NULL;
	size_t changed = 0, left;
	char *path;

	for (const struct point *p = d->point; p < d->point + d->nr; p++) {
		changed += p->state == POINT_CHANGED;
		if (p->state == POINT_CHANGED && !first)
			first = p;
	}
	if (first)
		say("%s: the plan has changed since %s was measured (%s): %zu point%s, and "
		    "what builds on %s, will be run again",
		    d->target.label, first->name, first->change, changed, changed > 1 ? "s" : "",
		    changed > 1 ? "them" : "it");
	left = plan_leftovers(d, &path);
	if (left)
		say("%s: %zu result%s of points that are not in this plan; they stay in the curve",
		    path, left, left > 1 ? "s" : "");
	free(path);
}

/* How many points are to be run. */
static size_t count(const struct plan *p)
{
	size_t to_run = 0;

	for (size_t i = 0; i < p->nr; i++) {
		const struct drive *d = &p->drive[i];

		for (const struct point *point = d->point; point < d->point + d->nr; point++)
			to_run += point_runs(point);
		if (!p->settings->quiet)
			say_changes(d);
	}
	return to_run;
}

/* Does our engine write telemetry? An older one does not. */
static void find_telemetry(struct settings *s)
{
	s->telemetry = s->plugin && fio_engine_has(s->fio, s->plugin, "nvme_telemetry");
}

/*
 * A slip in --set shows here, before results of another plan are thrown away: what fio says to the first
 * point of each drive. Of other hosts' engines fio knows nothing here.
 */
static char *check_sets(const struct settings *s, const struct drive *d)
{
	const struct point *p = d->point;
	char *text, *refuses, *why;
	struct generated g;

	while (p < d->point + d->nr && !point_runs(p))
		p++;
	if (p == d->point + d->nr || !s->extra.nr || s->hosts.nr)
		return NULL;
	why = generate(s, &d->target, p->workload, &p->spec, &g);
	if (why)
		return why;
	text = jobfile_text(&g.file);
	refuses = fio_refuses(s->fio, text);
	why = refuses ? alloc_printf("--set: %s %s: %s", d->target.label, p->name, refuses) : NULL;
	free(refuses);
	free(text);
	generated_free(&g);
	return why;
}

/* Everything that can be known to be wrong before the question. Return: NULL, or what is. */
static char *check_plan(struct plan *p)
{
	char *why = plan_rehearse(p, NULL);

	for (size_t i = 0; !why && i < p->nr; i++)
		why = check_sets(p->settings, &p->drive[i]);
	return why ? why : confirm_guards(p);
}

static int run(const struct settings *s, struct plan *p)
{
	char *version, *why;
	int status;

	plan_survey(p);
	if (!count(p) && !s->dry_run) {
		if (!s->quiet)
			say("nothing to do: every point has its result");
		return STATUS_FINE;
	}
	if (s->dry_run)
		return run_dry(p);
	version = fio_version(s->fio);
	if (!version) {
		say("--fio=%s: cannot be run, or is not fio", s->fio);
		return STATUS_USAGE;
	}
	why = check_plan(p);
	if (!why && !s->quiet)
		cost_say(p);
	if (!why)
		why = confirm_plan(p);
	if (why)
		say("%s", why);
	status = why ? STATUS_USAGE : run_plan(p, version);
	free(version);
	free(why);
	return status;
}

int main(int argc, char **argv)
{
	struct arguments a;
	struct plan p = { 0 };
	int status = STATUS_USAGE;
	char *why;

	arguments_parse(argc, argv, &a);
	if (a.restore) {
		status = restore_all(&a.settings);
		arguments_free(&a);
		return status;
	}
	p.settings = &a.settings;
	find_telemetry(&a.settings);
	why = collect(&a, &p);
	if (!why)
		why = check_results(&p);
	if (why)
		say("%s", why);
	else
		status = run(&a.settings, &p);
	free(why);
	plan_free(&p);
	arguments_free(&a);
	return status;
}
