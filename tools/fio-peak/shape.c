// SPDX-License-Identifier: GPL-2.0-only
/* Curves are not monotonic (idle states make low loads slow), and nothing here assumes it. */
#include "shape.h"
#include "alloc.h"
#include "settings.h"

const char *const cap_result_names[] = { [CAP_CROSSED] = "crossed",
					 [CAP_NEVER_REACHED] = "never reached",
					 [CAP_NEVER_LEFT] = "never left",
					 [CAP_UNKNOWN] = "unknown" };

double shape_latency(const struct point *p, const struct shape_rules *rules)
{
	const struct spread *clat = &p->dir[DIR_ALL].clat;

	return rules->pct < 0 ? clat->mean : clat->pct[rules->pct];
}

bool shape_bound(const struct point *p, const struct shape_rules *rules)
{
	return rules->pct >= 0 && p->dir[DIR_ALL].clat.worst;
}

const char *shape_latency_name(const struct shape_rules *rules)
{
	return rules->pct < 0 ? "mean" : pct_names[rules->pct];
}

static double iops_of(const struct point *p)
{
	return p->dir[DIR_ALL].iops;
}

const struct point *shape_point(const struct step *s, const struct shape_rules *rules)
{
	const struct point *p = s->point;

	if (p->flags & (FLAG_FAILED | FLAG_CUT) || !(iops_of(p) > 0))
		return NULL;
	return isnan(shape_latency(p, rules)) ? NULL : p;
}

const char *shape_varies(const struct curve *c)
{
	const char *setting = NULL;

	for (unsigned int i = 1; i < c->steps_nr && !setting; i++) {
		setting = settings_differ(c->steps[0].point, c->steps[i].point);
		if (setting && (!strcmp(setting, "iodepth") || !strcmp(setting, "number of jobs")))
			setting = NULL;
	}
	return setting;
}

bool shape_mixes_files(const struct curve *c)
{
	const char *first = NULL;

	for (unsigned int i = 0; i < c->nr; i++) {
		const char *file = c->points[i]->filename;

		if (first && file && strcmp(file, first))
			return true;
		first = first ? first : file;
	}
	return false;
}

static void find_extremes(struct shape *s, const struct curve *c, const struct shape_rules *rules)
{
	double power = 0;

	for (unsigned int i = 0; i < c->steps_nr; i++) {
		const struct point *p = shape_point(&c->steps[i], rules);
		double latency;

		if (!p)
			continue;
		s->nr++;
		s->after = p;
		if (!s->low)
			s->low = p;
		if (!s->max || iops_of(p) > iops_of(s->max))
			s->max = p;
		/* What was faster than fio's clock counts as its unit. */
		latency = fmax(shape_latency(p, rules), 1);
		if (iops_of(p) / latency > power) {
			power = iops_of(p) / latency;
			s->knee = p;
		}
	}
}

static void find_practical(struct shape *s, const struct curve *c, const struct shape_rules *rules)
{
	double least = (1 - rules->plateau) * iops_of(s->max);

	s->practical = s->max;
	for (unsigned int i = 0; i < c->steps_nr; i++) {
		const struct point *p = shape_point(&c->steps[i], rules);
		double latency, best = shape_latency(s->practical, rules);

		if (!p || iops_of(p) < least)
			continue;
		latency = shape_latency(p, rules);
		if (latency < best || (latency == best && iops_of(p) > iops_of(s->practical)))
			s->practical = p;
	}
}

void shape_find(struct shape *s, const struct curve *c, const struct shape_rules *rules)
{
	*s = (struct shape){ .fall_off = NAN };
	if (c->steps_nr < 2 || !c->known || shape_varies(c))
		return;
	find_extremes(s, c, rules);
	if (s->nr < 2) {
		*s = (struct shape){ .nr = s->nr, .fall_off = NAN };
		return;
	}
	find_practical(s, c, rules);
	if (s->after == s->max)
		s->after = NULL;
	else
		s->fall_off = (iops_of(s->max) - iops_of(s->after)) / iops_of(s->max) * 100;
}

static double interpolate(const struct point *a, const struct point *b,
			  const struct shape_rules *rules, double cap_ns)
{
	double from = shape_latency(a, rules), to = shape_latency(b, rules);

	return iops_of(a) + (iops_of(b) - iops_of(a)) * (cap_ns - from) / (to - from);
}

/* Reviews mean the mean. What was microseconds in JSON need not be whole nanoseconds. */
static bool is_printed(const struct curve *c, const struct shape_rules *rules, double cap_ns)
{
	return rules->pct < 0 && fabs(c->peak->within_ns - cap_ns) < 0.5;
}

bool shape_has_cap(const struct curve *c, const struct shape *s, const struct shape_rules *rules,
		   double cap_ns)
{
	return s->max || is_printed(c, rules, cap_ns);
}

struct cap_found shape_cap(const struct curve *c, const struct shape_rules *rules, double cap_ns)
{
	struct cap_found found = { .result = CAP_NEVER_REACHED, .iops = NAN };
	const struct point *last = NULL;
	bool bound = false;

	if (is_printed(c, rules, cap_ns))
		return (struct cap_found){ .result = CAP_CROSSED, .iops = c->peak->within_iops };
	for (unsigned int i = 0; i < c->steps_nr && found.result != CAP_CROSSED; i++) {
		const struct point *p = shape_point(&c->steps[i], rules);

		if (!p)
			continue;
		bound |= shape_bound(p, rules);
		if (shape_latency(p, rules) <= cap_ns) {
			found.result = CAP_NEVER_LEFT;
			found.iops = fmax(iops_of(p), found.iops);
			last = p;
		} else if (last) {
			found.result = CAP_CROSSED;
			found.iops = fmax(found.iops, interpolate(last, p, rules, cap_ns));
		}
	}
	if (bound && found.result == CAP_NEVER_REACHED)
		found.result = CAP_UNKNOWN;
	found.at_least = found.result == CAP_NEVER_LEFT || (bound && last);
	return found;
}

struct shape *shapes_make(const struct curves *c, const struct shape_rules *rules)
{
	struct shape *shapes = alloc_zero(c->nr, sizeof(*shapes));

	for (size_t i = 0; i < c->nr; i++)
		shape_find(&shapes[i], &c->list[i], rules);
	return shapes;
}
