// SPDX-License-Identifier: GPL-2.0-only
/* Running a plan, see run.h. */
#include "tools/fio-curve/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <sys/file.h>

#include "tools/fio-curve/drive_json.h"
#include "tools/fio-curve/files.h"
#include "tools/fio-curve/fio.h"
#include "tools/fio-curve/progress.h"
#include "tools/fio-curve/runlog.h"
#include "tools/fio-curve/say.h"
#include "tools/fio-curve/signals.h"
#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

enum {
	TRIES = 2 /* of a point whose jobs ended early */
};

/* The rarer direction of a mix may have this part of what it should before it is said. */
#define LEAST_SHARE 0.75

/* A point below the maximum may have this part of the IOPS that were asked before it is said. */
#define LEAST_REACHED 0.9

struct run {
	struct plan *plan;
	struct progress progress;
	struct drive *drive;
	struct runlog log;
	int signals;
	int stopped_by; /* signal; 0: none */
	bool failed;
	const struct workload *noted; /* the last one that something was said of */
};

/* run.json */

static void log_string(json_t *entry, const char *name, const char *text)
{
	json_object_set_new(entry, name, text && *text ? json_string(text) : json_null());
}

static json_t *command_json(const struct command *c)
{
	json_t *list = alloc_check(json_array());

	for (size_t i = 0; i < c->nr; i++)
		json_array_append_new(list, json_string(c->arg[i]));
	return list;
}

static void log_state(struct run *r, const struct point *p, const char *state, const char *reason)
{
	json_t *entry = runlog_point(&r->log, p->name);
	char *why;

	log_string(entry, "state", state);
	log_string(entry, "reason", reason);
	why = runlog_save(&r->log);
	if (why) {
		progress_clear(&r->progress);
		say("%s", why);
		r->failed = true;
	}
	free(why);
}

static void log_result(struct run *r, const struct point *p)
{
	json_t *entry = runlog_point(&r->log, p->name);
	const struct outcome *o = &p->outcome;

	json_object_set_new(entry, "iops", json_real(outcome_iops(o)));
	json_object_set_new(entry, "read_iops", json_real(o->iops[READS]));
	json_object_set_new(entry, "write_iops", json_real(o->iops[WRITES]));
	json_object_set_new(entry, "mean_us", o->mean_us > 0 ? json_real(o->mean_us) : json_null());
	if (p->spec.kind == POINT_STEADY)
		json_object_set_new(entry, "steady", json_boolean(o->steady));
}

static const char *relative(const struct run *r, const char *path)
{
	return path + strlen(r->drive->folder) + 1;
}

/* I/Os outstanding at most, and jobs; fio's JSON has those of a split section's last part only. */
static void log_jobs(json_t *entry, const struct jobfile *f)
{
	unsigned int jobs = 0, outstanding = 0;

	for (size_t i = 0; i < f->nr; i++) {
		struct traffic t;
		char *why = traffic_read(&f->section[i], &t);

		jobs += why ? 0 : t.jobs;
		outstanding += why ? 0 : t.jobs * t.depth;
		free(why);
	}
	json_object_set_new(entry, "jobs", json_integer(jobs));
	json_object_set_new(entry, "outstanding", json_integer(outstanding));
}

static void log_begin(struct run *r, const struct point *p, const struct generated *g,
		      const struct command *c, const char *job, const char *result)
{
	json_t *entry = runlog_point(&r->log, p->name);
	char now[24];

	log_string(entry, "job_file", relative(r, job));
	log_string(entry, "result", relative(r, result));
	json_object_set_new(entry, "command", command_json(c));
	json_object_set_new(entry, "percent",
			    p->spec.kind == POINT_PERCENT ? json_integer(p->spec.percent)
							  : json_null());
	json_object_set_new(entry, "asked_iops",
			    g->asked ? json_integer((json_int_t)g->asked) : json_null());
	json_object_set_new(entry, "rated_iops", g->rated > 0 ? json_real(g->rated) : json_null());
	log_string(entry, "pace", g->pace);
	log_jobs(entry, &g->file);
	log_string(entry, "note", g->note);
	log_string(entry, "begin", runlog_now(now));
	json_object_del(entry, "end");
	log_state(r, p, "running", NULL);
}

/* Points */

static void fail(struct run *r, struct point *p, const char *reason)
{
	p->state = POINT_FAILED;
	r->failed = true;
	progress_clear(&r->progress);
	say("%s %s: failed: %s", r->drive->target.label, p->name, reason);
	log_state(r, p, "failed", reason);
}

/* What is known best of a run that is no result. The caller's to free; NULL: nothing. */
static char *explain(const struct fio_end *end, bool no_result)
{
	const char *colon = *end->said ? ": " : "";

	if (end->signal)
		return alloc_printf("stopped by signal %d", end->signal);
	if (end->killed)
		return alloc_printf("fio was killed by signal %d (%s)%s%s", end->killed,
				    strsignal(end->killed), colon, end->said);
	if (end->status < 0 || (no_result && *end->said))
		return alloc_string(end->said);
	if (!no_result && end->status)
		return alloc_printf("fio ended with status %d%s%s", end->status, colon, end->said);
	return NULL;
}

/* Why a run of fio is no result; NULL: it is one. The caller's to free. */
static char *judge(const struct run *r, const struct fio_end *end, const char *output,
		   struct outcome *o)
{
	const struct hosts *hosts = &r->plan->settings->hosts;
	char *why = outcome_read(output, o), *missing = NULL, *better = NULL;

	if (!end->signal && hosts->nr)
		missing = outcome_missing(output, hosts);
	if (missing)
		better =
			alloc_printf("no result from %s: is `fio --server` running there, and does "
				     "it reach the target?%s%s",
				     missing, *end->said ? " fio says: " : "", end->said);
	else
		better = explain(end, why);
	free(missing);
	if (!better)
		return why;
	free(why);
	return better;
}

/* What fio has left becomes the result, or is kept for a look: hidden, so that no tool folds it. */
static void settle(struct run *r, struct point *p, const struct fio_end *end, const char *output,
		   const char *result)
{
	char *why = judge(r, end, output, &p->outcome), *broken, now[24];

	log_string(runlog_point(&r->log, p->name), "end", runlog_now(now));
	if (!why && rename(output, result))
		why = alloc_printf("%s: cannot be written: %s", result, strerror(errno));
	if (!why) {
		p->state = POINT_DONE;
		log_result(r, p);
		log_state(r, p, "done", NULL);
		return;
	}
	broken = alloc_printf("%s/.%s.failed", p->folder, p->stem + strlen(p->folder) + 1);
	if (rename(output, broken))
		unlink(output);
	if (end->signal) {
		r->stopped_by = end->signal;
		progress_clear(&r->progress);
		log_state(r, p, "interrupted", why);
	} else {
		fail(r, p, why);
	}
	free(broken);
	free(why);
}

/*
 * Did a job end before its time? fio does that to jobs that begin their region anew just when the ramp
 * ends, see generate.c; it is not always foreseen. Half a percent of all jobs' time is allowed for.
 */
static bool is_short(const struct generated *g, const struct fio_end *end, const char *output)
{
	struct outcome o;
	char *why;
	bool is;

	if (!g->job_ms || end->signal || end->status)
		return false;
	why = outcome_read(output, &o);
	is = !why && o.job_ms > 0 && o.job_ms < 0.995 * g->job_ms;
	free(why);
	return is;
}

/* The job file takes its place only after the result of another plan has gone. */
static char *put_job(const struct point *p, const char *job, const char *result,
		     const struct generated *g)
{
	char *text, *why = folder_make(p->folder);

	if (!why && unlink(result) && errno != ENOENT)
		why = alloc_printf("%s: cannot be taken away: %s", result, strerror(errno));
	if (why)
		return why;
	text = jobfile_text(&g->file);
	why = file_write(job, text);
	free(text);
	return why;
}

/*
 * The maximum is measured anew: results at rates that came from the old one are no part of its curve.
 */
static void drop_built_on(const struct run *r, const struct point *base)
{
	if (base->spec.kind != POINT_MAX)
		return;
	for (const struct point *p = base + 1;
	     p < r->drive->point + r->drive->nr && p->workload == base->workload; p++) {
		char *result = point_path(p, ".json");

		unlink(result);
		free(result);
	}
}

/* What makes a finished point's figure doubtful: in run.json, too. */
static void note(struct run *r, const struct point *p, const char *text)
{
	progress_clear(&r->progress);
	if (!r->plan->settings->quiet)
		say("%s %s: %s", r->drive->target.label, p->name, text);
	log_string(runlog_point(&r->log, p->name), "note", text);
}

static void say_short(struct run *r, const struct point *p)
{
	static const char text[] =
		"fio ended some jobs early, as it may where they begin their region anew just "
		"when the ramp ends: the figure is a little low; use another --ramp or a "
		"larger --working-set";

	note(r, p, text);
}

static void run_fio(struct run *r, struct point *p, const struct generated *g)
{
	const struct settings *s = r->plan->settings;
	char *job = point_path(p, ".fio"), *result = point_path(p, ".json"),
	     *output = alloc_printf("%s/.%s.output", p->folder, p->stem + strlen(p->folder) + 1),
	     *why = put_job(p, job, result, g);
	struct fio_watch watch = { .signals = r->signals,
				   .tick = progress_tick,
				   .stopping = progress_stopping,
				   .ctx = &r->progress };
	struct command c;
	struct fio_end end;

	if (why) {
		fail(r, p, why);
	} else {
		unlink(output);
		drop_built_on(r, p);
		fio_command(&c, s->fio, job, output, point_readonly(p), &s->hosts);
		log_begin(r, p, g, &c, job, result);
		for (int tries = TRIES; tries--;) {
			fio_run(&c, &watch, &end);
			if (!is_short(g, &end, output))
				break;
			if (!tries)
				say_short(r, p);
		}
		settle(r, p, &end, output, result);
		command_free(&c);
	}
	free(why);
	free(job);
	free(result);
	free(output);
}

/* Which part of a workload's I/Os are reads, all sections together. */
static double read_share(const struct workload *w)
{
	double reads = 0;

	for (size_t i = 0; i < w->file.nr; i++) {
		struct traffic t;
		char *why = traffic_read(&w->file.section[i], &t);

		reads += why ? 0 : w->share[i] * t.share[READS];
		free(why);
	}
	return reads;
}

/*
 * At the maximum the section with the largest share goes as fast as it can. Another one that cannot keep up
 * with it makes that maximum one of another mix; it shows in the directions, all that fio has of merged
 * sections.
 */
static void say_other_mix(struct run *r, const struct point *p)
{
	double want = read_share(p->workload), got;
	char *text;

	if (p->spec.kind != POINT_MAX || p->state != POINT_DONE || p->workload->file.nr < 2)
		return;
	got = p->outcome.iops[READS] / outcome_iops(&p->outcome);
	if (got >= LEAST_SHARE * want && 1 - got >= LEAST_SHARE * (1 - want))
		return;
	text = alloc_printf(
		"%.1f%% of the I/Os are reads where the shares ask for %.1f%%: a section "
		"cannot keep up with the largest one, so this maximum, and what is in "
		"percent of it, is more than the mix can reach",
		100 * got, 100 * want);
	note(r, p, text);
	log_state(r, p, "done", NULL);
	free(text);
}

/* Below the maximum a drive can do what it is asked; what kept it from that is none of its figures. */
static void say_unreached(struct run *r, const struct point *p, uint64_t asked)
{
	char want[28], got[28], *text, *result;
	double iops = outcome_iops(&p->outcome);

	if (p->state != POINT_DONE || p->spec.kind != POINT_PERCENT || p->spec.percent >= 100 ||
	    iops >= LEAST_REACHED * (double)asked)
		return;
	result = point_path(p, ".json");
	text = alloc_printf("%s IOPS where %s were asked, less than its maximum: the host was "
			    "busy, or the drive is slower than it was; without %s the same command "
			    "measures it again",
			    value_thousands((uint64_t)iops, got), value_thousands(asked, want),
			    result);
	free(result);
	note(r, p, text);
	log_state(r, p, "done", NULL);
	free(text);
}

static void say_unsteady(struct run *r, const struct point *p)
{
	if (p->spec.kind == POINT_STEADY && p->state == POINT_DONE && !p->outcome.steady)
		say("%s %s: not steady when its time was up; what follows is measured on a drive "
		    "that still changes",
		    r->drive->target.label, p->name);
}

/* Once for a workload: its points mostly have the same to say. run.json has it for each. */
static void say_note(struct run *r, const struct point *p, const char *note)
{
	if (!note || r->plan->settings->quiet || r->noted == p->workload)
		return;
	r->noted = p->workload;
	progress_clear(&r->progress);
	say("%s %s: %s", r->drive->target.label, p->name, note);
}

static void run_point(struct run *r, struct point *p)
{
	struct generated g;
	char *why = generate(r->plan->settings, &r->drive->target, p->workload, &p->spec, &g);

	if (why) {
		fail(r, p, why);
		free(why);
		return;
	}
	progress_begin(&r->progress, r->plan, r->drive, p);
	say_note(r, p, g.note);
	run_fio(r, p, &g);
	progress_end(&r->progress, g.asked);
	say_unsteady(r, p);
	say_other_mix(r, p);
	say_unreached(r, p, g.asked);
	generated_free(&g);
}

/* A signal that came between two points. */
static void look_for_signals(struct run *r)
{
	int signal;

	while ((signal = signals_next(r->signals)))
		if (signal > 0 && !r->stopped_by && signal != SIGCHLD)
			r->stopped_by = signal;
}

static void run_points(struct run *r)
{
	struct known k = { 0 };
	bool filled = true;

	for (size_t i = 0; i < r->drive->nr && !r->stopped_by; i++) {
		struct point *p = &r->drive->point[i];
		bool known = point_resolve(p, &k);

		if (point_runs(p) && known && filled) {
			run_point(r, p);
		} else if (point_runs(p)) {
			p->state = POINT_SKIPPED;
			log_state(r, p, "skipped",
				  filled ? "the point that it builds on has no result"
					 : "the drive could not be filled");
		}
		if (p->state == POINT_DONE)
			point_learn(p, &k);
		filled &= p->spec.kind != POINT_FILL || p->state == POINT_DONE;
		look_for_signals(r);
	}
}

static void log_plan(struct run *r)
{
	for (size_t i = 0; i < r->drive->nr; i++) {
		struct point *p = &r->drive->point[i];
		json_t *entry = runlog_point(&r->log, p->name);

		if (point_runs(p))
			log_string(entry, "state", "to run");
		else
			log_string(entry, "state", "done");
	}
}

/* Two runs into one folder would undo each other. Return: NULL, or why not. */
static char *lock_folder(const char *folder, int *fd)
{
	*fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*fd >= 0 && !flock(*fd, LOCK_EX | LOCK_NB))
		return NULL;
	if (errno == EWOULDBLOCK)
		return alloc_printf("%s: another fio-curve is at work there; wait, or use another "
				    "--out",
				    folder);
	return alloc_printf("%s: cannot be locked: %s", folder, strerror(errno));
}

static char *run_in_folder(struct run *r, const char *version)
{
	char *path = alloc_printf("%s/drive.json", r->drive->folder), *why;

	why = drive_write(path, r->plan->settings, &r->drive->target, version);
	free(path);
	path = alloc_printf("%s/run.json", r->drive->folder);
	if (!why)
		why = runlog_open(path, &r->log);
	free(path);
	if (why)
		return why;
	log_plan(r);
	run_points(r);
	runlog_close(&r->log);
	return NULL;
}

static char *run_drive(struct run *r, const char *version)
{
	char *why = folder_make(r->drive->folder);
	int lock = -1;

	if (!why)
		why = lock_folder(r->drive->folder, &lock);
	if (!why)
		why = run_in_folder(r, version);
	if (lock >= 0)
		close(lock);
	return why;
}

int run_plan(struct plan *p, const char *version)
{
	struct run r = { .plan = p, .signals = signals_open() };
	char *why = NULL;

	if (r.signals < 0) {
		say("signals cannot be watched: %s", strerror(errno));
		return STATUS_FAILED;
	}
	progress_init(&r.progress, p);
	for (size_t i = 0; !why && i < p->nr && !r.stopped_by; i++) {
		r.drive = &p->drive[i];
		why = run_drive(&r, version);
	}
	signals_close(r.signals);
	if (why) {
		say("%s", why);
		free(why);
		return STATUS_FAILED;
	}
	if (r.stopped_by) {
		say("stopped by signal %d; the same command goes on from here", r.stopped_by);
		return STATUS_SIGNAL + r.stopped_by;
	}
	return r.failed ? STATUS_FAILED : STATUS_FINE;
}
