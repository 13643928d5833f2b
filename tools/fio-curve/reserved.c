// SPDX-License-Identifier: GPL-2.0-only
/* Options that are not for everybody, see reserved.h. Their meaning: fio's HOWTO. */
#include "tools/fio-curve/reserved.h"

#include <string.h>

/* Other files than the target's are read and overwritten, or the target is deleted. */
static const char *const elsewhere[] = { "opendir", "read_iolog", "unlink", "unlink_each_loop",
					 "allow_mounted_write" };

static const struct {
	const char *name, *instead;
} ours[] = {
	{ "filename", "--drive" },
	{ "filename_format", "the job file" },
	{ "directory", "--drive" },
	{ "ioengine", "--ioengine" },
	{ "nvme_telemetry", "--out" },
	{ "rw", "the job file" },
	{ "rwmixread", "the job file" },
	{ "rwmixwrite", "the job file" },
	{ "bs", "the job file" },
	{ "bsrange", "the job file" },
	{ "bssplit", "the job file" },
	{ "numjobs", "--grid or the job file" },
	{ "iodepth", "--grid or the job file" },
	{ "size", "--working-set" },
	{ "io_size", "the job file" },
	{ "offset", "--working-set" },
	{ "offset_increment", "the job file" },
	{ "runtime", "--runtime" },
	{ "ramp_time", "--ramp" },
	{ "time_based", "--runtime" },
	{ "rate", "--points" },
	{ "rate_iops", "--points" },
	{ "rate_process", "--points" },
	{ "steadystate", "--precondition" },
	{ "steadystate_duration", "--precondition" },
	{ "steadystate_ramp_time", "--precondition" },
	{ "group_reporting", "the job file" },
	{ "new_group", "the job file" },
	{ "stonewall", "the job file" },
	{ "name", "the job file" },
};

static const char *find_elsewhere(const char *name)
{
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (!strcmp(elsewhere[i], name))
			return elsewhere[i];
	return NULL;
}

const char *reserved_in_job(const struct job_section *s)
{
	const char *found = NULL;

	for (size_t i = 0; !found && i < s->nr; i++)
		found = find_elsewhere(s->option[i].name);
	return found;
}

const char *reserved_in_set(const char *name)
{
	if (find_elsewhere(name))
		return "--drive";
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (!strcmp(ours[i].name, name))
			return ours[i].instead;
	return NULL;
}
