// SPDX-License-Identifier: GPL-2.0-only
/* CSV in the long form: nothing is left out, so that a spreadsheet can decide for itself. */
#include "render.h"
#include "alloc.h"
#include "text.h"

static void put_text(FILE *out, const char *s)
{
	char *safe = text_safe(s ? s : "");
	bool quote = strpbrk(safe, ",\"");

	if (quote)
		fputc('"', out);
	for (const char *c = safe; *c; c++) {
		if (*c == '"')
			fputc('"', out);
		fputc(*c, out);
	}
	fputs(quote ? "\"," : ",", out);
	free(safe);
}

static void put_number(FILE *out, double v)
{
	if (isnan(v))
		fputc(',', out);
	else
		fprintf(out, "%.12g,", v);
}

static void put_source(FILE *out, const struct point *p, enum direction dir, int metric)
{
	char *s = isnan(metric_value(&p->dir[dir], metric)) ? NULL : metric_source(p, dir, metric);

	put_text(out, s);
	free(s);
}

static void put_flags(FILE *out, const struct point *p)
{
	const char *gap = "";

	for (int i = 0; i < FLAG_TEXTS; i++) {
		if (!(p->flags & flag_texts[i].flag))
			continue;
		fprintf(out, "%s%s", gap, flag_texts[i].name);
		gap = " ";
	}
	fputc(',', out);
}

static void put_header(FILE *out)
{
	fputs("drive,workload,peak,direction,", out);
	for (int m = 0; m < METRIC_NR; m++)
		fprintf(out, "%s,", metrics[m].key);
	fputs("stddev_us,min_us,max_us,total_mean_us,total_p99_us,ios,bytes,runtime_ms,"
	      "rw,bs,iodepth,numjobs,rate_iops,jobs,flags,error,fio_errors,"
	      "fio_version,file,document,iops_from,mb_s_from,mean_from,percentiles_from,interim_"
	      "documents\n",
	      out);
}

static void put_direction(FILE *out, const struct point *p, enum direction dir)
{
	const struct figures *f = &p->dir[dir];

	for (int m = 0; m < METRIC_NR; m++)
		put_number(out, metric_value(f, m));
	put_number(out, f->clat.stddev / 1000);
	put_number(out, f->clat.min / 1000);
	put_number(out, f->clat.max / 1000);
	put_number(out, f->lat.mean / 1000);
	put_number(out, f->lat.pct[P99] / 1000);
	put_number(out, f->ios);
	put_number(out, f->bytes);
	put_number(out, f->runtime_ms);
}

static void put_point(FILE *out, const struct point *p, enum direction dir, bool peak)
{
	put_text(out, p->drive);
	put_text(out, p->workload);
	fprintf(out, "%d,%s,", peak, dir == DIR_ALL ? "all" : direction_names[dir]);
	put_direction(out, p, dir);
	put_text(out, p->rw);
	put_text(out, p->bs);
	put_text(out, p->iodepth);
	put_text(out, p->numjobs);
	put_text(out, p->rate_iops);
	fprintf(out, "%u,", p->jobs);
	put_flags(out, p);
	fprintf(out, "%d,%u,", p->error, p->error_lines);
	put_text(out, p->version);
	put_text(out, p->file);
	fprintf(out, "%u,", p->document);
	put_source(out, p, dir, METRIC_IOPS);
	put_source(out, p, dir, METRIC_MB_S);
	put_source(out, p, dir, METRIC_MEAN);
	put_source(out, p, dir, METRIC_P99);
	fprintf(out, "%u\n", p->interim);
}

void render_csv(FILE *out, const struct report *r)
{
	put_header(out);
	for (size_t i = 0; i < r->curves->nr; i++) {
		const struct curve *c = &r->curves->list[i];

		for (unsigned int k = 0; k < c->nr; k++) {
			for (enum direction d = 0; d < DIR_NR; d++) {
				if (!c->points[k]->dir[d].present)
					continue;
				put_point(out, c->points[k], d, c->points[k] == c->peak);
			}
		}
	}
}
