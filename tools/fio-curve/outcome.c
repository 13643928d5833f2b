// SPDX-License-Identifier: GPL-2.0-only
/* Results of a run, see outcome.h. fio-peak's reader copes with what fio prints around its JSON. */
#include "tools/fio-curve/outcome.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "tools/fio-peak/alloc.h"
#include "tools/fio-peak/read.h"

/* While a file is read. @ios: that a latency was measured of. */
struct sum {
	struct outcome *out;
	double ios, latency;
	unsigned int jobs;
	char *why;
};

static double number(const json_t *object, const char *name)
{
	return json_number_value(json_object_get(object, name));
}

static void add_direction(struct sum *sum, const json_t *job, const char *name, enum direction d)
{
	const json_t *part = json_object_get(job, name), *clat = json_object_get(part, "clat_ns");
	double ios = number(part, "total_ios");

	sum->out->iops[d] += number(part, "iops");
	if (number(clat, "mean") <= 0)
		return;
	sum->ios += ios;
	sum->latency += ios * number(clat, "mean");
}

static void add_job(struct sum *sum, const json_t *job)
{
	int error = (int)number(job, "error");
	const json_t *steady = json_object_get(job, "steadystate");

	if (error && !sum->why)
		sum->why = alloc_printf("job %s ended with error %d (%s)",
					json_string_value(json_object_get(job, "jobname")), error,
					strerror(abs(error)));
	add_direction(sum, job, "read", READS);
	add_direction(sum, job, "write", WRITES);
	add_direction(sum, job, "trim", WRITES);
	sum->out->job_ms += number(job, "job_runtime");
	sum->out->steady |= number(steady, "attained") > 0;
	sum->jobs++;
}

static bool is_total(const json_t *job)
{
	const char *name = json_string_value(json_object_get(job, "jobname"));

	return name && !strcmp(name, "All clients");
}

static void on_document(void *ctx, const struct document *doc)
{
	const json_t *clients = json_object_get(doc->root, "client_stats"),
		     *jobs = clients ? clients : json_object_get(doc->root, "jobs"), *job;
	struct sum *sum = ctx;
	size_t i;

	if (doc->cut && !sum->why)
		sum->why = alloc_string("the JSON is cut off");
	if (doc->text.interrupted && !sum->why)
		sum->why = alloc_string("the run was interrupted");
	json_array_foreach(jobs, i, job) if (!is_total(job)) add_job(sum, job);
}

char *outcome_read(const char *path, struct outcome *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	struct sum sum = { .out = out };
	struct read_report report;
	char *why = NULL;

	*out = (struct outcome){ 0 };
	if (fd < 0)
		return alloc_printf("%s: cannot be opened: %s", path, strerror(errno));
	ret = read_documents(fd, path, on_document, &sum, &report);
	close(fd);
	if (sum.ios > 0)
		out->mean_us = sum.latency / sum.ios / 1000;
	if (ret)
		why = alloc_printf("%s: cannot be read: %s", path, strerror(-ret));
	else if (sum.why)
		why = alloc_printf("%s: %s", path, sum.why);
	else if (report.text.interrupted)
		why = alloc_printf("%s: the run was interrupted", path);
	else if (!sum.jobs)
		why = alloc_printf("%s: holds no result%s%s", path,
				   report.text.errors ? "; fio says: " : "",
				   report.text.errors ? report.text.first : "");
	else if (!(outcome_iops(out) > 0))
		why = alloc_printf("%s: not a single I/O in it", path);
	free(sum.why);
	return why;
}

double outcome_iops(const struct outcome *o)
{
	return o->iops[READS] + o->iops[WRITES];
}

/* Which hosts have a result */

struct roll_call {
	const struct hosts *hosts;
	bool *seen;
};

/* "ip6:::1,8801" is host "::1" and port 8801 in the JSON; a socket is its path. */
static bool is_host(const char *name, const json_t *job)
{
	const char *host = json_string_value(json_object_get(job, "hostname"));
	long port = (long)number(job, "port");
	const char *comma;

	if (!strncmp(name, "sock:", 5) || !strncmp(name, "ip6:", 4))
		name = strchr(name, ':') + 1;
	comma = strrchr(name, ',');
	if (!host || (comma && strtol(comma + 1, NULL, 10) != port))
		return false;
	return strlen(host) == (comma ? (size_t)(comma - name) : strlen(name)) &&
	       !strncmp(host, name, strlen(host));
}

static void call_roll(void *ctx, const struct document *doc)
{
	const json_t *clients = json_object_get(doc->root, "client_stats"), *job;
	struct roll_call *r = ctx;
	size_t i;

	json_array_foreach(clients, i, job) for (size_t h = 0; h < r->hosts->nr; h++) r->seen[h] |=
		!is_total(job) && is_host(r->hosts->name[h], job);
}

char *outcome_missing(const char *path, const struct hosts *hosts)
{
	struct roll_call r = { .hosts = hosts, .seen = alloc_zero(hosts->nr, sizeof(*r.seen)) };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct read_report report;
	char *missing = NULL;

	if (fd >= 0) {
		read_documents(fd, path, call_roll, &r, &report);
		close(fd);
	}
	for (size_t i = 0; i < hosts->nr; i++) {
		char *old = missing;

		if (r.seen[i])
			continue;
		missing = old ? alloc_printf("%s, %s", old, hosts->name[i])
			      : alloc_string(hosts->name[i]);
		free(old);
	}
	free(r.seen);
	return missing;
}
