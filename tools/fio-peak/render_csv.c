// SPDX-License-Identifier: GPL-2.0-only
/* CSV in the long form: nothing is left out, so that a spreadsheet can decide for itself. */
#include "render.h"
#include "alloc.h"
#include "csv.h"

static void put_source(FILE *out, const struct point *p, enum direction dir, int metric)
{
	char *s = isnan(metric_value(&p->dir[dir], metric)) ? NULL : metric_source(p, dir, metric);

	csv_text(out, s);
	free(s);
}

static void put_header(FILE *out)
{
	fputs("drive,workload,peak,direction,", out);
	for (int m = 0; m < METRIC_NR; m++)
		csv_text(out, metrics[m].key);
	fputs("stddev_us,min_us,max_us,total_mean_us,total_p99_us,ios,bytes,runtime_ms,"
	      "rw,bs,iodepth,numjobs,rate_iops,jobs,flags,error,fio_errors,"
	      "fio_version,file,document,iops_from,mb_s_from,mean_from,percentiles_from,"
	      "interim_documents,asked_iops,outstanding,in_flight,"
	      "cpu_percent,cpu_us_per_io,steady_state,waf,waf_source,watts,watts_source,"
	      "iops_per_watt,power_state,celsius_max,review,note,step,practical\n",
	      out);
}

static void put_direction(FILE *out, const struct point *p, enum direction dir)
{
	const struct figures *f = &p->dir[dir];

	for (int m = 0; m < METRIC_NR; m++)
		csv_number(out, metric_value(f, m));
	csv_number(out, f->clat.stddev / 1000);
	csv_number(out, f->clat.min / 1000);
	csv_number(out, f->clat.max / 1000);
	csv_number(out, f->lat.mean / 1000);
	csv_number(out, f->lat.pct[P99] / 1000);
	csv_number(out, f->ios);
	csv_number(out, f->bytes);
	csv_number(out, f->runtime_ms);
}

static double or_nan(double v)
{
	return v > 0 ? v : NAN;
}

/* Of the whole run, in the row of each direction. */
static void put_conditions(FILE *out, const struct point *p)
{
	const struct conditions *c = &p->conditions;

	csv_number(out, or_nan(c->cpu_percent));
	csv_number(out, or_nan(c->cpu_us));
	csv_text(out, !c->steady_jobs			     ? NULL
		      : c->steady_attained == c->steady_jobs ? "attained"
							     : "not attained");
	csv_number(out, or_nan(c->waf));
	csv_text(out, c->waf_source);
	csv_number(out, or_nan(c->watts));
	csv_text(out, c->watts_source);
	csv_number(out, or_nan(point_per_watt(p)));
	csv_number(out, c->has_state ? c->state : NAN);
	csv_number(out, or_nan(c->celsius));
}

/* What a point is in its curve. */
struct role {
	unsigned int step; /* from 1 */
	bool peak, practical;
};

static void put_point(FILE *out, const struct point *p, enum direction dir, struct role role)
{
	csv_text(out, p->drive);
	csv_text(out, p->workload);
	fprintf(out, "%d,%s,", role.peak, dir == DIR_ALL ? "all" : direction_names[dir]);
	put_direction(out, p, dir);
	csv_text(out, p->rw);
	csv_text(out, p->bs);
	csv_text(out, p->iodepth);
	csv_text(out, p->numjobs);
	csv_text(out, p->rate_iops);
	fprintf(out, "%u,", p->jobs);
	csv_flags(out, p->flags);
	fprintf(out, "%d,%u,", p->error, p->error_lines);
	csv_text(out, p->version);
	csv_text(out, p->file);
	fprintf(out, "%u,", p->document);
	put_source(out, p, dir, METRIC_IOPS);
	put_source(out, p, dir, METRIC_MB_S);
	put_source(out, p, dir, METRIC_MEAN);
	put_source(out, p, dir, METRIC_P99);
	fprintf(out, "%u,", p->interim);
	csv_number(out, p->load.asked);
	csv_number(out, p->load.outstanding);
	csv_number(out, p->load.in_flight);
	put_conditions(out, p);
	csv_text(out, p->review);
	csv_text(out, p->note);
	fprintf(out, "%u,%d\n", role.step, role.practical);
}

static void put_step(FILE *out, const struct curve *c, const struct shape *shape, unsigned int nr)
{
	const struct step *s = &c->steps[nr];

	for (unsigned int i = 0; i < s->nr; i++) {
		const struct point *p = s->points[i];
		struct role role = { .step = nr + 1,
				     .peak = p == c->peak,
				     .practical = p == shape->practical };

		for (enum direction d = 0; d < DIR_NR; d++)
			if (p->dir[d].present)
				put_point(out, p, d, role);
	}
}

void render_csv(FILE *out, const struct report *r)
{
	put_header(out);
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = r->curves->shown[i];

		for (unsigned int k = 0; k < c->steps_nr; k++)
			put_step(out, c, &r->shapes[c - r->curves->list], k);
	}
}
