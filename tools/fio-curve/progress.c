// SPDX-License-Identifier: GPL-2.0-only
/* Progress, see progress.h. */
#include "tools/fio-curve/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/ioctl.h>

#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* What is left after @from of @drive, or of all drives where it is NULL. */
static void count_left(struct progress *p, const struct plan *plan, const struct drive *drive,
		       const struct point *from)
{
	bool counts = !drive;

	p->total = 0;
	p->left_ms = 0;
	p->open = false;
	for (size_t i = 0; i < plan->nr; i++) {
		const struct drive *d = &plan->drive[i];

		for (const struct point *point = d->point; point < d->point + d->nr; point++) {
			if (counts && point_runs(point)) {
				uint64_t ms =
					point_ms(plan->settings, point->workload, &point->spec);

				p->total++;
				p->left_ms += ms;
				p->open |= !ms;
			}
			counts |= d == drive && point == from;
		}
	}
}

void progress_init(struct progress *p, const struct plan *plan)
{
	*p = (struct progress){ .quiet = plan->settings->quiet,
				.terminal = !plan->settings->quiet && isatty(STDERR_FILENO) };
	count_left(p, plan, NULL, NULL);
}

void progress_begin(struct progress *p, const struct plan *plan, const struct drive *d,
		    const struct point *point)
{
	count_left(p, plan, d, point);
	p->total += p->done + 1;
	p->drive = d;
	p->point = point;
	p->point_ms = point_ms(plan->settings, point->workload, &point->spec);
	p->began_ms = now_ms();
	progress_tick(p, -1);
}

void progress_clear(const struct progress *p)
{
	if (p->terminal)
		fputs("\r\033[K", stderr);
}

static unsigned int columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 20 ? 80 : size.ws_col;
}

/* "0:25 of 1:00, 12:30 left" */
static void put_times(FILE *out, const struct progress *p)
{
	uint64_t gone = now_ms() - p->began_ms, left = p->left_ms, waiting;
	char a[24], b[24];

	waiting = p->total - p->done - 1;
	left += waiting * p->overhead_ms;
	if (p->point_ms)
		fprintf(out, "%s of %s", value_clock(gone, a), value_clock(p->point_ms, b));
	else
		fputs(value_clock(gone, a), out);
	if (p->point_ms > gone)
		left += p->point_ms - gone;
	if (p->stopping)
		fputs(", stopping; again to kill", out);
	else
		fprintf(out, ", %s%s left", p->open || !p->point_ms ? "at least " : "",
			value_clock(left, a));
}

void progress_tick(void *ctx, double iops)
{
	const struct progress *p = ctx;
	char *line = NULL, text[28];
	size_t size;
	FILE *out;

	if (!p->terminal)
		return;
	out = alloc_check(open_memstream(&line, &size));
	fprintf(out, "[%u/%u] %s %s: ", p->done + 1, p->total, p->drive->target.label,
		p->point->name);
	if (iops >= 0)
		fprintf(out, "%s IOPS, ", value_thousands((uint64_t)iops, text));
	put_times(out, p);
	fclose(out);
	fprintf(stderr, "\r\033[K%.*s", (int)columns() - 1, line);
	fflush(stderr);
	free(line);
}

void progress_stopping(void *ctx)
{
	struct progress *p = ctx;

	p->stopping = true;
	progress_tick(p, -1);
}

void progress_end(struct progress *p, uint64_t asked)
{
	const struct outcome *o = &p->point->outcome;
	uint64_t gone = now_ms() - p->began_ms, over;
	char iops[28], want[28];

	over = gone > p->point_ms && p->point_ms ? gone - p->point_ms : 0;
	p->overhead_ms = (p->overhead_ms * p->done + over) / (p->done + 1);
	p->done++;
	progress_clear(p);
	if (p->quiet || p->point->state != POINT_DONE)
		return;
	printf("%s %s: %s IOPS", p->drive->target.label, p->point->name,
	       value_thousands((uint64_t)(outcome_iops(o) + 0.5), iops));
	if (asked)
		printf(" of %s asked", value_thousands(asked, want));
	if (o->mean_us > 0)
		printf(", %.*f us", o->mean_us < 100 ? 1 : 0, o->mean_us);
	putchar('\n');
	fflush(stdout);
}
