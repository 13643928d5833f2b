// SPDX-License-Identifier: GPL-2.0-only
// A number and a unit.
#include "engine/telemetry/duration.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool duration_read(const char *text, uint32_t unit_ms, uint32_t *ms)
{
	static const struct {
		const char *name;
		uint32_t ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 } };
	unsigned long long n;
	char *end;

	if (*text < '0' || *text > '9') /* strtoull takes signs and blanks */
		return false;
	errno = 0;
	n = strtoull(text, &end, 10);
	for (size_t i = 0; *end && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		unit_ms = units[i].ms;
		end += strlen(end);
	}
	if (*end || errno || n > UINT32_MAX / unit_ms)
		return false;
	*ms = n * unit_ms;
	return true;
}
