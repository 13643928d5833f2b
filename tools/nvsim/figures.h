/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What follows from a geometry by arithmetic: over-provisioning as theory counts it, the write
 * amplification that it gives, the ceilings of IOPS. Measures nothing.
 */
#ifndef TOOLS_NVSIM_FIGURES_H
#define TOOLS_NVSIM_FIGURES_H

#include "engine/model/image.h"

/* Physical pages over logical ones, minus one. */
double op_counted(const struct model_geometry *g);

/* Units that hold no data in the steady state: the reserve and the host's open one. */
uint32_t op_units_apart(const struct model_geometry *g);

/* ... as theory has it: (N - k) S / U - 1 with N units of S pages, k of them apart, U logical pages. */
double op_effective(const struct model_geometry *g);

/*
 * waf_uniform - WAF of uniform random writes of pages, one stream, greedy collection
 * @rho: effective over-provisioning
 *
 * Large units: a / (a + W0(-a e^-a)), a = 1 + rho (Desnoyers, SYSTOR 2012; Xiang and Kurkoski,
 * arXiv 1110.4245). Return: INFINITY where @rho is not above 0.
 */
double waf_uniform(double rho);

/*
 * Pages a second that the drive can at most read from and program to its media in a power state.
 * INFINITY: it times nothing. 0: the state is not operational.
 */
double peak_reads(const struct model_geometry *g, uint32_t state);
double peak_programs(const struct model_geometry *g, uint32_t state);

/* A whole drive's media over the host's bytes. NAN: nothing was written. */
double waf_measured(const struct model_counters *c);

#endif
