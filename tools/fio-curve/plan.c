// SPDX-License-Identifier: GPL-2.0-only
/* The plan, see plan.h. */
#include "tools/fio-curve/plan.h"

#include <dirent.h>
#include <unistd.h>

#include "tools/fio-curve/files.h"
#include "tools/fio-curve/say.h"
#include "tools/fio-peak/alloc.h"

#define FILL "precondition/seq-fill-1x"
#define RANDOM_FILL "precondition/rand-fill-once"

/* Drives */

static char *check_drive(const struct plan *p, const struct target *t)
{
	for (size_t i = 0; i < p->nr; i++) {
		const struct target *other = &p->drive[i].target;

		if (!strcmp(other->label, t->label))
			return alloc_printf("--drive: two drives are called %s; each needs a label "
					    "of its own",
					    t->label);
		if (target_same(other, t))
			return alloc_printf("--drive: %s and %s are the same drive", other->path,
					    t->path);
	}
	return NULL;
}

char *plan_add_drive(struct plan *p, struct target *t)
{
	char *why = check_drive(p, t);

	if (why) {
		target_free(t);
		return why;
	}
	p->drive = alloc_grow(p->drive, p->nr, &p->cap, sizeof(*p->drive));
	p->drive[p->nr++] = (struct drive){
		.target = *t,
		.folder = alloc_printf("%s/%s", p->settings->out, t->label),
	};
	return NULL;
}

/* Points */

/* Only our engine has it, and on other hosts the file would be written there. */
static bool uses_telemetry(const struct settings *s, const struct target *t)
{
	bool ours = !s->ioengine || !strcmp(s->ioengine, "nvmept");

	return s->telemetry && ours && (t->kind == TARGET_NVME || t->kind == TARGET_MODEL);
}

static void add_point(const struct settings *s, struct drive *d, const struct workload *w,
		      struct point_spec spec)
{
	bool fill = spec.kind == POINT_FILL;
	struct point *p;
	char text[24];
	const char *stem = fill ? w->name : point_stem(&spec, text);

	d->point = alloc_grow(d->point, d->nr, &d->cap, sizeof(*d->point));
	p = &d->point[d->nr++];
	*p = (struct point){ .workload = w, .spec = spec };
	p->folder = fill ? alloc_printf("%s/.precondition", d->folder)
			 : alloc_printf("%s/%s/%s", d->folder, w->family, w->name);
	p->stem = alloc_printf("%s/%s", p->folder, stem);
	p->name = fill ? alloc_printf("precondition/%s", stem)
		       : alloc_printf("%s/%s/%s", w->family, w->name, stem + (*stem == '.'));
	if (uses_telemetry(s, &d->target)) {
		p->sidecar = point_path(p, ".nvme.json");
		p->spec.sidecar = p->sidecar;
	}
}

static void add_curve(const struct settings *s, struct drive *d, const struct workload *w)
{
	static const unsigned int usual[] = { 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120 };
	const unsigned int *percent = s->has_points ? s->points.percent : usual;
	size_t nr = s->has_points ? s->points.nr : sizeof(usual) / sizeof(usual[0]);

	if (w->file.nr > 1)
		add_point(s, d, w, (struct point_spec){ .kind = POINT_CALIBRATE });
	add_point(s, d, w, (struct point_spec){ .kind = POINT_MAX });
	for (size_t i = 0; i < nr; i++)
		add_point(s, d, w,
			  (struct point_spec){ .kind = POINT_PERCENT, .percent = percent[i] });
}

static const struct grid *grid_of(const struct settings *s, const struct workload *w)
{
	return s->grid.nr ? &s->grid : &w->header.grid;
}

/* The corner of the grid with the most I/Os outstanding. */
static struct grid_point grid_corner(const struct grid *g)
{
	struct grid_point most = { 0 };

	for (size_t i = 0; i < g->nr; i++)
		if ((uint64_t)g->point[i].jobs * g->point[i].depth >
		    (uint64_t)most.jobs * most.depth)
			most = g->point[i];
	return most;
}

static void add_grid(const struct settings *s, struct drive *d, const struct workload *w)
{
	const struct grid *g = grid_of(s, w);

	for (size_t i = 0; i < g->nr; i++)
		add_point(s, d, w, (struct point_spec){ .kind = POINT_GRID, .grid = g->point[i] });
}

static unsigned int precondition_of(const struct settings *s, const struct target *t,
				    const struct workload *w)
{
	/* A file is not measured before there is something in it. */
	if (!s->has_precondition && s->file_size && !w->own_files && t->kind != TARGET_REMOTE)
		return w->header.precondition | PRECONDITION_FILL;
	return s->has_precondition ? s->precondition : w->header.precondition;
}

static void add_workload(const struct settings *s, struct drive *d, const struct workload *w)
{
	if (precondition_of(s, &d->target, w) & PRECONDITION_STEADY)
		add_point(s, d, w,
			  (struct point_spec){ .kind = POINT_STEADY,
					       .grid = w->header.mode == MODE_GRID
							       ? grid_corner(grid_of(s, w))
							       : (struct grid_point){ 0 } });
	switch (w->header.mode) {
	case MODE_CURVE:
		add_curve(s, d, w);
		break;
	case MODE_GRID:
		add_grid(s, d, w);
		break;
	case MODE_RATED:
		add_point(s, d, w, (struct point_spec){ .kind = POINT_RATED });
		break;
	default:
		add_point(s, d, w, (struct point_spec){ .kind = POINT_ONCE });
	}
}

/* Files for shares only make sense there. */
static bool is_left_out(const struct target *t, const struct workload *w)
{
	return w->own_files && t->kind != TARGET_FOLDER && t->kind != TARGET_REMOTE;
}

static void add_fills(const struct plan *p, struct drive *d)
{
	unsigned int wanted = 0;

	for (size_t i = 0; i < p->workloads.nr; i++)
		if (!is_left_out(&d->target, &p->workloads.workload[i]) &&
		    !(p->workloads.workload[i].own_files && d->target.kind == TARGET_FOLDER))
			wanted |=
				precondition_of(p->settings, &d->target, &p->workloads.workload[i]);
	for (size_t i = 0; i < p->fills.nr; i++)
		if (wanted & (i ? PRECONDITION_RANDOM : PRECONDITION_FILL))
			add_point(p->settings, d, &p->fills.workload[i],
				  (struct point_spec){ .kind = POINT_FILL });
}

static char *make_drive(struct plan *p, struct drive *d)
{
	size_t left_out = 0;

	add_fills(p, d);
	for (size_t i = 0; i < p->workloads.nr; i++) {
		const struct workload *w = &p->workloads.workload[i];

		if (is_left_out(&d->target, w))
			left_out++;
		else
			add_workload(p->settings, d, w);
	}
	if (left_out == p->workloads.nr)
		return alloc_printf("%s: these workloads make a file for each job, in a folder; "
				    "give one as the target",
				    d->target.path);
	if (left_out)
		say("%s: leaving out %zu workload%s for folders", d->target.path, left_out,
		    left_out > 1 ? "s" : "");
	return NULL;
}

/* The job files that fill, if any workload asks for it. */
static char *find_fills(struct plan *p)
{
	static const char *const names[] = { FILL, RANDOM_FILL };
	unsigned int wanted = 0;
	char *why = NULL;

	for (size_t d = 0; d < p->nr; d++)
		for (size_t i = 0; i < p->workloads.nr; i++)
			wanted |= precondition_of(p->settings, &p->drive[d].target,
						  &p->workloads.workload[i]);
	for (unsigned int i = 0; !why && i < 2; i++)
		if (wanted & (PRECONDITION_FILL | PRECONDITION_RANDOM))
			why = workloads_find(names[i], p->settings->jobs, &p->fills);
	return why;
}

static bool has_mode(const struct plan *p, enum mode mode)
{
	for (size_t i = 0; i < p->workloads.nr; i++)
		if (p->workloads.workload[i].header.mode == mode)
			return true;
	return false;
}

/* An option that nothing looks at is a mistake that shows hours later. */
static char *check_options(const struct plan *p)
{
	if (p->settings->has_points && !has_mode(p, MODE_CURVE))
		return alloc_string("--points: none of these workloads is a curve; leave it out "
				    "(a grid has --grid)");
	if (p->settings->grid.nr && !has_mode(p, MODE_GRID))
		return alloc_string("--grid: none of these workloads has a grid; leave it out "
				    "(a curve has --points)");
	return NULL;
}

char *plan_make(struct plan *p)
{
	char *why = check_options(p);

	if (!why)
		why = find_fills(p);

	for (size_t i = 0; !why && i < p->nr; i++)
		why = make_drive(p, &p->drive[i]);
	return why;
}

void plan_free(struct plan *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		struct drive *d = &p->drive[i];

		for (size_t k = 0; k < d->nr; k++) {
			free(d->point[k].name);
			free(d->point[k].stem);
			free(d->point[k].folder);
			free(d->point[k].change);
			free(d->point[k].sidecar);
		}
		free(d->point);
		free(d->folder);
		target_free(&d->target);
	}
	free(p->drive);
	workloads_free(&p->workloads);
	workloads_free(&p->fills);
}

/* What points know of each other */

bool point_resolve(struct point *p, struct known *k)
{
	if (!k->workload || k->workload != p->workload)
		*k = (struct known){ .workload = p->workload };
	p->spec.calibrated = k->calibrated;
	p->spec.max = k->max;
	if (p->spec.kind == POINT_PERCENT)
		return k->max >= 1;
	if (p->spec.kind == POINT_MAX && p->workload->file.nr > 1)
		return k->calibrated > 0;
	return true;
}

void point_learn(const struct point *p, struct known *k)
{
	if (p->spec.kind == POINT_MAX)
		k->max = outcome_iops(&p->outcome);
	else if (p->spec.kind == POINT_CALIBRATE)
		k->calibrated = outcome_iops(&p->outcome);
}

char *plan_rehearse(struct plan *p, void (*visit)(const struct plan *p, const struct point *point,
						  const struct generated *g, bool assumed))
{
	for (size_t i = 0; i < p->nr; i++) {
		struct drive *d = &p->drive[i];
		struct known k = { 0 };

		for (struct point *point = d->point; point < d->point + d->nr; point++) {
			bool known = point_resolve(point, &k);
			struct generated g;
			char *why;

			if (!known)
				point->spec.max = point->spec.calibrated = PLAN_ASSUMED_IOPS;
			why = generate(p->settings, &d->target, point->workload, &point->spec, &g);
			if (why)
				return why;
			if (visit)
				visit(p, point, &g, !known);
			generated_free(&g);
			if (point->state == POINT_DONE)
				point_learn(point, &k);
		}
	}
	return NULL;
}

char *point_path(const struct point *p, const char *suffix)
{
	return alloc_printf("%s%s", p->stem, suffix);
}

bool point_runs(const struct point *p)
{
	return p->state == POINT_TO_RUN || p->state == POINT_CHANGED;
}

bool point_writes(const struct point *p)
{
	return p->workload->header.destroys;
}

bool point_readonly(const struct point *p)
{
	return !point_writes(p) && !p->workload->own_files;
}

/* Survey */

/* Where telemetry goes makes no difference to a result. In place. */
static void drop_sidecar(char *text)
{
	char *line = strstr(text, "\nnvme_telemetry="), *end;

	if (!line)
		return;
	end = line + 1 + strcspn(line + 1, "\n");
	memmove(line, end, strlen(end) + 1);
}

/* The first line in which two job files differ: "runtime=30, now runtime=60". */
static char *difference(const char *old, const char *now)
{
	while (*old && *now) {
		size_t a = strcspn(old, "\n"), b = strcspn(now, "\n");

		/* What a remark says follows from the rest. */
		if ((a != b || strncmp(old, now, a)) && *old != '#')
			return alloc_printf("%.*s, now %.*s", a ? (int)a : 7, a ? old : "nothing",
					    b ? (int)b : 7, b ? now : "nothing");
		old += a + (old[a] == '\n');
		now += b + (now[b] == '\n');
	}
	return alloc_printf("more or fewer options");
}

/* Has the point a result, and is it of the plan as it is now? */
static void survey_point(const struct plan *p, const struct drive *d, struct point *point)
{
	char *result = point_path(point, ".json"), *job = point_path(point, ".fio"), *why;
	char *old = file_read(job), *text = NULL;
	struct generated g;

	why = access(result, F_OK) ? alloc_string("") : outcome_read(result, &point->outcome);
	if (!why && old) {
		why = generate(p->settings, &d->target, point->workload, &point->spec, &g);
		if (!why) {
			text = jobfile_text(&g.file);
			drop_sidecar(text);
			drop_sidecar(old);
			point->state = strcmp(old, text) ? POINT_CHANGED : POINT_DONE;
			if (point->state == POINT_CHANGED)
				point->change = difference(old, text);
			generated_free(&g);
		}
	}
	free(why);
	free(text);
	free(old);
	free(job);
	free(result);
}

/*
 * What comes before others is not done for its own sake. A steady state is that of the moment: it is
 * sought again where anything is still to be run. A fill lasts.
 */
static void survey_before(struct drive *d, struct point *before)
{
	bool fill = before->spec.kind == POINT_FILL, needed = false;

	if (!fill && before->spec.kind != POINT_STEADY)
		return;
	for (struct point *p = before + 1; p < d->point + d->nr; p++)
		needed |= (fill ? p->spec.kind != POINT_FILL : p->workload == before->workload) &&
			  point_runs(p);
	if (!needed)
		before->state = POINT_DONE;
	else if (!fill)
		before->state = POINT_TO_RUN;
}

void plan_survey(struct plan *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		struct drive *d = &p->drive[i];
		struct known k = { 0 };

		for (size_t n = 0; n < d->nr; n++) {
			struct point *point = &d->point[n];

			if (point_resolve(point, &k))
				survey_point(p, d, point);
			if (point->state == POINT_DONE)
				point_learn(point, &k);
		}
		for (size_t n = d->nr; n--;)
			survey_before(d, &d->point[n]);
	}
}

/* Leftovers */

static bool is_planned(const struct drive *d, const char *path)
{
	size_t len = strlen(path) - strlen(".json");

	for (size_t i = 0; i < d->nr; i++)
		if (strlen(d->point[i].stem) == len && !strncmp(d->point[i].stem, path, len))
			return true;
	return false;
}

/* In one workload's folder. */
static size_t count_leftovers(const struct drive *d, const char *folder, char **first)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t nr = 0;

	while (dir && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);
		char *path;

		if (*entry->d_name == '.' || len <= strlen(".json") ||
		    strcmp(entry->d_name + len - strlen(".json"), ".json") ||
		    strstr(entry->d_name, ".nvme.json"))
			continue;
		path = alloc_printf("%s/%s", folder, entry->d_name);
		if (!is_planned(d, path) && !nr++ && !*first) {
			*first = path;
			continue;
		}
		free(path);
	}
	if (dir)
		closedir(dir);
	return nr;
}

size_t plan_leftovers(const struct drive *d, char **first)
{
	const struct workload *seen = NULL;
	size_t nr = 0;

	*first = NULL;
	for (size_t i = 0; i < d->nr; i++) {
		const struct point *p = &d->point[i];

		if (p->workload == seen || p->spec.kind == POINT_FILL)
			continue;
		seen = p->workload;
		nr += count_leftovers(d, p->folder, first);
	}
	return nr;
}
