/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plots as reviews draw them: latency over IOPS, a panel for each workload, a line for each drive.
 * gnuplot draws; here are its commands and the data.
 */
#ifndef PEAK_PLOT_H
#define PEAK_PLOT_H

#include "report.h"

#include <stdio.h>

/**
 * struct plot - what is to be drawn.
 * @file: ends in .svg or .png, see plot_terminal(); NULL: nothing.
 * @log: the axis of latency is logarithmic.
 */
struct plot {
	const char *file;
	bool log;
};

/* plot_terminal - gnuplot's terminal for a file of this name; NULL: there is none. */
const char *plot_terminal(const char *file);

/* plot_panels - workloads that have a curve. */
unsigned int plot_panels(const struct report *r);

/*
 * plot_script - gnuplot's commands with the data in them; they draw to gnuplot's standard output. For a
 * report that has panels.
 */
void plot_script(FILE *out, const struct report *r, const struct plot *p);

/* plot_draw - write p->file. Return: NULL, or one line that says why not (the caller's to free). */
char *plot_draw(const struct report *r, const struct plot *p);

#endif
