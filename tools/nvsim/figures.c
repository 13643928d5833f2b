// SPDX-License-Identifier: GPL-2.0-only
// The published formulae, and the ceilings that dies, channels and power states set.
#include "tools/nvsim/figures.h"

#include <math.h>

double op_counted(const struct model_geometry *g)
{
	return (double)g->rus * g->ru_pages / g->pages - 1;
}

uint32_t op_units_apart(const struct model_geometry *g)
{
	return g->reserve + 1;
}

double op_effective(const struct model_geometry *g)
{
	return ((double)g->rus - op_units_apart(g)) * g->ru_pages / g->pages - 1;
}

/* W0, the branch above -1 of w e^w = x, for -1/e <= x < 0: bisection, as w e^w grows there. */
static double lambert_w0(double x)
{
	double low = -1, high = 0;

	for (int i = 0; i < 60; i++) {
		double w = (low + high) / 2;

		if (w * exp(w) < x)
			low = w;
		else
			high = w;
	}
	return (low + high) / 2;
}

double waf_uniform(double rho)
{
	double a = 1 + rho;

	if (!(rho > 0))
		return INFINITY;
	return a / (a + lambert_w0(-a * exp(-a)));
}

/* Operations a second that a state's power allows. mW / nJ = 10^6 / s. */
static double peak_power(const struct model_geometry *g, uint32_t state, uint32_t energy)
{
	const struct model_power_state *ps = &g->power[state];

	if (!ps->operational)
		return 0;
	return energy ? ((double)ps->max_mw - ps->idle_mw) * 1e6 / energy : INFINITY;
}

/* Operations a second that dies and channels allow. */
static double peak_media(const struct model_geometry *g, uint32_t time)
{
	return fmin(g->dies * 1e9 / time, g->channels * 1e9 / g->t_transfer);
}

double peak_reads(const struct model_geometry *g, uint32_t state)
{
	if (!g->timing)
		return INFINITY;
	return fmin(peak_media(g, g->t_read), peak_power(g, state, g->e_read));
}

/* Writes pass no channel in the model; each unit's programs pay for its erase. */
double peak_programs(const struct model_geometry *g, uint32_t state)
{
	double unit_ns = (double)g->ru_pages * g->t_program + (double)g->dies * g->t_erase;

	if (!g->timing)
		return INFINITY;
	return fmin(g->dies * 1e9 * g->ru_pages / unit_ns, peak_power(g, state, g->e_program));
}

double waf_measured(const struct model_counters *c)
{
	double media = ((double)c->host_pages + c->relocated_pages) * MODEL_PAGE;

	return c->host_bytes ? media / c->host_bytes : NAN;
}
