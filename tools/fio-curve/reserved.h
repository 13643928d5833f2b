/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's options that are not for everybody to set: those that lead it to other files than --drive's,
 * which nobody was asked about, and those that fio-curve itself writes into every job file.
 */
#ifndef CURVE_RESERVED_H
#define CURVE_RESERVED_H

#include "tools/fio-curve/jobfile.h"

/* reserved_in_job - an option that no job file may have here; NULL: there is none in the section. */
const char *reserved_in_job(const struct job_section *s);

/* reserved_in_set - may --set give @name? Return: NULL, or what decides instead. */
const char *reserved_in_set(const char *name);

#endif
