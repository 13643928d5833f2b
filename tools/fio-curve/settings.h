/* SPDX-License-Identifier: GPL-2.0-only */
/* What the user asked for, as the command line says it, and where the kit's own parts are. */
#ifndef CURVE_SETTINGS_H
#define CURVE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/fio-curve/hosts.h"
#include "tools/fio-curve/jobfile.h"
#include "tools/fio-curve/points.h"

#define CURVE_VERSION "0.1"

/* Part of a target: a percentage, or bytes where @percent is 0. */
struct extent {
	unsigned int percent;
	uint64_t bytes;
};

/**
 * struct settings - @has_...: given on the command line; without, the job file's header decides.
 * @fio:      the program, found through PATH where it has no slash.
 * @ioengine: NULL: chosen by the kind of target.
 * @jobs, @plugin: the job library and nvmept.so, absolute; NULL: not found.
 * @telemetry: the engine of @plugin has nvme_telemetry=.
 * @extra:    options of --set, put into every generated file.
 */
struct settings {
	const char *fio, *out, *ioengine;
	char *jobs, *plugin;
	struct points points;
	struct grid grid;
	uint64_t run_ms, ramp_ms, file_size;
	struct extent working_set;
	unsigned int precondition; /* PRECONDITION_... */
	bool has_points, has_run, has_ramp, has_working_set, has_precondition;
	bool yes, dry_run, quiet, telemetry;
	struct hosts hosts;
	struct job_section extra;
};

#endif
