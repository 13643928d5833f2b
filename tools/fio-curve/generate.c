// SPDX-License-Identifier: GPL-2.0-only
/* Job files of points, see generate.h. */
#include "tools/fio-curve/generate.h"

#include <inttypes.h>
#include <math.h>

#include "tools/fio-curve/rates.h"
#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

enum {
	/* SNIA PTS: steady over five rounds; a round there is a minute. */
	STEADY_ROUNDS = 5,
	STEADY_MOST_ROUNDS = 25,
	STEADY_ROUND_MS = 60000,
	STEADY_LIMIT_MS = 21600000,
	STEADY_SLOPE = 10, /* percent over the rounds */
};

const char *point_stem(const struct point_spec *spec, char stem[24])
{
	switch (spec->kind) {
	case POINT_PERCENT:
		snprintf(stem, 24, "%03u", spec->percent);
		return stem;
	case POINT_GRID:
		snprintf(stem, 24, "%ux%u", spec->grid.jobs, spec->grid.depth);
		return stem;
	case POINT_STEADY:
		return strcpy(stem, ".steady");
	case POINT_CALIBRATE:
		return strcpy(stem, ".calibrate");
	case POINT_FILL:
		return strcpy(stem, ".fill");
	case POINT_RATED:
		return strcpy(stem, "rated");
	default:
		return strcpy(stem, "max");
	}
}

/* Times */

static uint64_t run_ms(const struct settings *s, const struct workload *w)
{
	return s->has_run ? s->run_ms : w->header.timed ? w->header.run_ms : 0;
}

static uint64_t ramp_ms(const struct settings *s, const struct workload *w)
{
	return s->has_ramp ? s->ramp_ms : w->header.timed ? w->header.ramp_ms : 0;
}

/* Rounds follow --runtime, so that a trial is short; a second is fio's step. */
static uint64_t steady_round_ms(const struct settings *s)
{
	uint64_t round = s->has_run ? 2 * s->run_ms : STEADY_ROUND_MS;

	return round < 1000 ? 1000 : round - round % 1000;
}

static uint64_t steady_limit_ms(const struct settings *s)
{
	return s->has_run ? STEADY_MOST_ROUNDS * steady_round_ms(s) : STEADY_LIMIT_MS;
}

uint64_t point_ms(const struct settings *s, const struct workload *w, const struct point_spec *spec)
{
	if (spec->kind == POINT_STEADY)
		return steady_limit_ms(s);
	if (spec->kind == POINT_FILL)
		return 0;
	return run_ms(s, w) + (run_ms(s, w) ? ramp_ms(s, w) : 0);
}

static void set_times(const struct settings *s, const struct workload *w, struct jobfile *f)
{
	uint64_t run = run_ms(s, w), ramp = ramp_ms(s, w);
	char text[24];

	if (!run)
		return;
	for (size_t i = 0; i < f->nr; i++) {
		struct job_section *section = &f->section[i];

		/* A file's own times hold unless the user says otherwise. */
		if (!s->has_run && section_get(section, "runtime"))
			continue;
		section_unset(section, "ramp_time");
		section_set(section, "runtime", value_ms_text(run, text));
		if (ramp)
			section_set(section, "ramp_time", value_ms_text(ramp, text));
		if (w->header.timed && !section_flag(section, "time_based"))
			section_set(section, "time_based", "1");
	}
}

/* The run ends when fio finds that the IOPS over five rounds have no slope any more. */
static void set_steady(const struct settings *s, struct jobfile *f)
{
	uint64_t round = steady_round_ms(s) / 1000, span = STEADY_ROUNDS * round;
	char text[24];

	for (size_t i = 0; i < f->nr; i++) {
		struct job_section *section = &f->section[i];

		section_unset(section, "ramp_time");
		section_set(section, "time_based", "1");
		section_set(section, "runtime", value_ms_text(steady_limit_ms(s), text));
		section_setf(section, "steadystate", "iops_slope:%.3f%%",
			     (double)STEADY_SLOPE / (double)span);
		section_setf(section, "steadystate_duration", "%" PRIu64, span);
		section_setf(section, "steadystate_ramp_time", "%" PRIu64, round);
	}
}

/* Engine and target */

char *engine_choose(const struct settings *s, const struct target *t, char **engine)
{
	bool ours = t->kind == TARGET_NVME || t->kind == TARGET_MODEL;

	*engine = NULL;
	if (s->ioengine && strcmp(s->ioengine, "nvmept")) {
		*engine = alloc_string(s->ioengine);
		return NULL;
	}
	if (!s->ioengine && t->kind == TARGET_REMOTE)
		return alloc_string("--client: say with --ioengine= what fio shall use on the "
				    "hosts; for nvmept, --ioengine=external:/PATH/nvmept.so, the "
				    "same on each");
	if (!ours && !s->ioengine) {
		*engine = alloc_string("io_uring");
		return NULL;
	}
	if (!s->plugin)
		return alloc_printf("%s: nvmept.so was not found beside this program; "
				    "--ioengine=external:/PATH/nvmept.so names it, or use "
				    "another engine",
				    t->path);
	*engine = alloc_printf("external:%s", s->plugin);
	return NULL;
}

/* fio splits names at colons. */
static char *escape(const char *path)
{
	char *escaped = alloc_zero(2 * strlen(path) + 1, 1), *to = escaped;

	for (; *path; path++) {
		if (*path == ':')
			*to++ = '\\';
		*to++ = *path;
	}
	return escaped;
}

static void set_target(const struct target *t, const struct workload *w, struct job_section *global)
{
	char *path;

	if (w->own_files) {
		path = escape(t->path);
		section_set(global, "directory", path);
	} else {
		char *file = t->kind == TARGET_FOLDER
				     ? alloc_printf("%s/" TARGET_SHARED_FILE, t->path)
				     : alloc_string(t->path);

		path = escape(file);
		section_set(global, "filename", path);
		free(file);
	}
	free(path);
}

static char *set_global(const struct settings *s, const struct target *t, const struct workload *w,
			const char *sidecar, struct jobfile *f)
{
	struct job_section *global = &f->global;
	char *engine, *why = engine_choose(s, t, &engine);

	if (why)
		return why;
	section_set(global, "ioengine", engine);
	free(engine);
	set_target(t, w, global);
	if (sidecar)
		section_set(global, "nvme_telemetry", sidecar);
	section_copy(global, &s->extra);
	/* What stands here must not stand in a section, too: that would win. */
	for (size_t i = 0; i < f->nr; i++)
		for (size_t k = 0; k < global->nr; k++)
			section_unset(&f->section[i], global->option[k].name);
	return NULL;
}

/* Sections */

static void drop_rates(struct job_section *s)
{
	static const char *const names[] = { "rate_iops", "rate", "rate_process", "rate_min",
					     "rate_iops_min" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		section_unset(s, names[i]);
}

/* Jobs without a rate in one direction must not go there at all: fio would not limit them. */
static void set_direction(struct job_section *s, const struct rate_group *g)
{
	const char *rw = section_get(s, "rw"), *skip = strchr(rw, ':');
	bool random = !strncmp(rw, "rand", 4);

	section_setf(s, "rw", "%s%s%s", random ? "rand" : "", g->rate[READS] ? "read" : "write",
		     skip ? skip : "");
	section_unset(s, "rwmixread");
	section_unset(s, "rwmixwrite");
}

static void set_rates(struct job_section *s, const struct traffic *t, const struct rate_plan *p,
		      const struct rate_group *g)
{
	const char *name = p->bytes ? "rate" : "rate_iops";
	bool both = g->rate[READS] && g->rate[WRITES];

	if (!p->linear) {
		section_set(s, "rate_process", "poisson");
		/* Else fio draws the same intervals again whenever it begins its region anew. */
		section_set(s, "randrepeat", "0");
	}
	if (both)
		section_setf(s, name, "%u,%u", g->rate[READS], g->rate[WRITES]);
	else
		section_setf(s, name, "%u", g->rate[READS] + g->rate[WRITES]);
	if (!both && t->uses[READS] && t->uses[WRITES])
		set_direction(s, g);
}

/* Where the jobs that set out @first jobs later begin. */
static void move_offset(struct job_section *s, unsigned int first)
{
	const char *apart = section_get(s, "offset_increment"), *offset = section_get(s, "offset");
	uint64_t by = 0, from = 0;

	if (!first || !apart || !value_bytes(apart, true, &by))
		return;
	if (offset)
		value_bytes(offset, true, &from);
	section_setf(s, "offset", "%" PRIu64, from + first * by);
}

/* One section of the file becomes one for each group of jobs with the same rates. */
static void add_rated(struct jobfile *f, const struct job_section *from, const struct traffic *t,
		      const struct rate_plan *p)
{
	unsigned int first = 0, nr = 0;

	for (unsigned int i = 0; i < p->nr; i++) {
		const struct rate_group *g = &p->group[i];
		struct job_section *s;
		char *name;

		if (g->rate[READS] || g->rate[WRITES]) {
			name = nr++ ? alloc_printf("%s-%u", from->name, nr)
				    : alloc_string(from->name);
			s = jobfile_add(f, name);
			free(name);
			section_copy(s, from);
			section_setf(s, "numjobs", "%u", g->jobs);
			move_offset(s, first);
			set_rates(s, t, p, g);
		}
		first += g->jobs;
	}
}

/* fio folds the jobs of a group into one result: a curve's sections are one workload. */
static void make_one_group(struct jobfile *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		section_set(&f->section[i], "group_reporting", "1");
		if (!i)
			continue;
		section_unset(&f->section[i], "stonewall");
		section_unset(&f->section[i], "new_group");
	}
}

static void add_note(struct generated *g, const char *text)
{
	char *old = g->note;

	g->note = old ? alloc_printf("%s; %s", old, text) : alloc_string(text);
	free(old);
}

static void note_pace(struct generated *g, const struct rate_plan *p)
{
	if (!p->linear) {
		if (strcmp(g->pace, "linear"))
			g->pace = "poisson";
		return;
	}
	if (strcmp(g->pace, "linear"))
		add_note(g, "above 20,000 IOPS per job fio's Poisson pace is wrong: an even pace "
			    "instead");
	g->pace = "linear";
}

/* The IOPS of each section: 0 without a rate, -1 not in this point. */
static void section_iops(const struct workload *w, const struct point_spec *spec, uint64_t asked,
			 double *iops)
{
	size_t largest = 0;

	for (size_t i = 1; i < w->file.nr; i++)
		if (w->share[i] > w->share[largest])
			largest = i;
	for (size_t i = 0; i < w->file.nr; i++) {
		iops[i] = 0;
		if (spec->kind == POINT_PERCENT)
			iops[i] = (double)asked * w->share[i];
		else if (spec->kind == POINT_CALIBRATE && i != largest)
			iops[i] = -1;
		else if (spec->kind == POINT_MAX && i != largest && spec->calibrated > 0)
			iops[i] = spec->calibrated / w->share[largest] * w->share[i];
	}
}

/*
 * Threads that share a stream begin their region anew when they reach its end, and up to 3.41 fio ends a
 * thread that does so for the first time just when the ramp is over. On a small working set that
 * happens: then the ramp lasts until all of them (six sigma) have begun anew. @iops: of one job.
 */
static void stretch_ramp(struct job_section *s, const struct traffic *t, double iops,
			 struct generated *out)
{
	const char *rw = section_get(s, "rw"), *size = section_get(s, "size"),
		   *ramp = section_get(s, "ramp_time");
	double turns, end, spread;
	uint64_t bytes, ms;
	char text[24], *note;

	if (!rw || !strchr(rw, ':') || t->random || !size || !value_bytes(size, true, &bytes) ||
	    !ramp || !value_ms(ramp, &ms))
		return;
	turns = (double)bytes / (t->mean_bs[t->uses[READS] ? READS : WRITES] * t->jobs);
	end = 1000 * turns / iops;
	spread = 6000 * sqrt(turns) / iops;
	if (fabs((double)ms - end) > spread)
		return;
	ms = (uint64_t)(end + spread);
	section_set(s, "ramp_time", value_ms_text(ms, text));
	note = alloc_printf("the ramp is %" PRIu64
			    " ms, so that it does not end just where the threads "
			    "begin their region anew",
			    ms);
	add_note(out, note);
	free(note);
}

/* One section of a curve into the file. */
static char *add_curve_section(const struct settings *s, const struct workload *w,
			       const struct region *r, const struct job_section *from, double iops,
			       struct generated *out)
{
	double hosts = s->hosts.nr ? (double)s->hosts.nr : 1;
	struct job_section copy = { .name = alloc_string(from->name) };
	struct jobfile scratch = { .section = &copy, .nr = 1 };
	struct rate_plan plan;
	struct traffic t;
	char *why;

	section_copy(&copy, from);
	drop_rates(&copy);
	why = traffic_read(&copy, &t);
	if (!why)
		why = region_place(r, &t, &copy);
	if (!why) {
		set_times(s, w, &scratch);
		if (iops > 0) {
			rates_plan(iops / hosts, &t, (double)run_ms(s, w) / 1000, s->hosts.nr,
				   &plan);
			note_pace(out, &plan);
			out->rated += plan.iops * hosts;
			stretch_ramp(&copy, &t, iops / hosts / t.jobs, out);
			add_rated(&out->file, &copy, &t, &plan);
			if (t.depth > 1)
				add_note(out, "iodepth above 1 with a rate: fio drains the queue "
					      "before each pause; give jobs instead");
		} else {
			section_copy(jobfile_add(&out->file, from->name), &copy);
		}
	}
	section_clear(&copy);
	return why;
}

static char *add_curve(const struct settings *s, const struct workload *w, const struct region *r,
		       const struct point_spec *spec, struct generated *out)
{
	double *iops = alloc_zero(w->file.nr, sizeof(*iops));
	char *why = NULL;

	section_iops(w, spec, out->asked, iops);
	for (size_t i = 0; !why && i < w->file.nr; i++)
		if (iops[i] >= 0)
			why = add_curve_section(s, w, r, &w->file.section[i], iops[i], out);
	free(iops);
	if (!why)
		make_one_group(&out->file);
	return why;
}

/* The sections as they stand, but for jobs and depth of a grid. */
static char *add_plain(const struct settings *s, const struct workload *w, const struct region *r,
		       const struct point_spec *spec, struct generated *out)
{
	for (size_t i = 0; i < w->file.nr; i++) {
		struct job_section *section = jobfile_add(&out->file, w->file.section[i].name);
		struct traffic t;
		char *why;

		section_copy(section, &w->file.section[i]);
		if (spec->grid.jobs) {
			section_setf(section, "numjobs", "%u", spec->grid.jobs);
			section_setf(section, "iodepth", "%u", spec->grid.depth);
		}
		why = traffic_read(section, &t);
		if (!why)
			why = region_place(r, &t, section);
		if (why)
			return why;
	}
	if (spec->kind == POINT_STEADY)
		set_steady(s, &out->file);
	else if (spec->kind != POINT_FILL)
		set_times(s, w, &out->file);
	return NULL;
}

static char *remark(const struct target *t, const struct workload *w, const struct point_spec *spec,
		    const struct generated *g)
{
	char stem[24], asked[28], max[28];
	const char *name = point_stem(spec, stem);

	name += *name == '.';
	if (spec->kind != POINT_PERCENT)
		return alloc_printf("fio-curve: %s/%s on %s: %s", w->family, w->name, t->label,
				    name);
	return alloc_printf("fio-curve: %s/%s on %s: %u%% of %s IOPS, that is %s", w->family,
			    w->name, t->label, spec->percent,
			    value_thousands((uint64_t)spec->max, max),
			    value_thousands(g->asked, asked));
}

/* More than half a percent off what was asked is said. */
static void note_rounding(struct generated *g)
{
	char *text;
	double off;

	if (!g->asked)
		return;
	off = 100 * (g->rated / (double)g->asked - 1);
	if (fabs(off) <= 0.5)
		return;
	text = alloc_printf("whole rates per job come to %.0f IOPS, %+.1f%% of what was asked",
			    g->rated, off);
	add_note(g, text);
	free(text);
}

/* What the jobs' run times come to; 0 where one may end by itself. */
static double job_ms(const struct jobfile *f)
{
	double sum = 0;

	for (size_t i = 0; i < f->nr; i++) {
		const struct job_section *s = &f->section[i];
		const char *jobs = section_get(s, "numjobs"), *runtime = section_get(s, "runtime");
		uint64_t ms, nr = 1;

		if (!runtime || !value_ms(runtime, &ms) || (jobs && !value_number(jobs, &nr)) ||
		    !section_flag(s, "time_based") || section_get(s, "steadystate"))
			return 0;
		sum += (double)ms * (double)nr;
	}
	return sum;
}

char *generate(const struct settings *s, const struct target *t, const struct workload *w,
	       const struct point_spec *spec, struct generated *out)
{
	bool curve = spec->kind == POINT_CALIBRATE || spec->kind == POINT_MAX ||
		     spec->kind == POINT_PERCENT;
	struct region region;
	char *why;

	*out = (struct generated){ .pace = spec->kind == POINT_RATED ? "file" : "none" };
	if (spec->kind == POINT_PERCENT)
		out->asked = rates_target(spec->max, spec->percent);
	why = region_choose(s, t, w, &region);
	if (!why)
		why = curve ? add_curve(s, w, &region, spec, out)
			    : add_plain(s, w, &region, spec, out);
	if (!why)
		why = set_global(s, t, w, spec->sidecar, &out->file);
	if (why) {
		char *whole = alloc_printf("%s/%s on %s: %s", w->family, w->name, t->label, why);

		free(why);
		generated_free(out);
		return whole;
	}
	note_rounding(out);
	out->job_ms = job_ms(&out->file) * (s->hosts.nr ? (double)s->hosts.nr : 1);
	out->file.remark = remark(t, w, spec, out);
	return NULL;
}

void generated_free(struct generated *g)
{
	jobfile_free(&g->file);
	free(g->note);
	*g = (struct generated){ 0 };
}
