/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Write amplification between two readings of a drive's counters, where it comes from, and what
 * speaks against it. Arithmetic only.
 */
#ifndef ENGINE_TELEMETRY_WAF_H
#define ENGINE_TELEMETRY_WAF_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/telemetry/log_pages.h"

/* Two readings, and what is known of the time between them. */
struct waf_window {
	bool has_fdp; /* both edges have it */
	struct fdp_statistics fdp[2];
	bool has_ocp; /* C0h and SMART, at both edges */
	struct ocp_log ocp[2];
	struct smart_log smart[2];
	u128 own_bytes; /* that the run itself wrote in between */
	uint64_t unit_bytes; /* of a reclaim unit; 0: not known */
	uint64_t group_bytes; /* the endurance group's capacity, or the best guess at it */
	bool cut_short; /* the second reading is not that of an orderly end */
};

enum waf_source {
	WAF_NONE,
	WAF_FDP, /* log 22h */
	WAF_OCP, /* log C0h over SMART's data units */
};

enum waf_doubt {
	WAF_FEW_UNITS = 1 << 0, /* less than 4 reclaim units were written */
	WAF_SMALL_PART = 1 << 1, /* less than 1% of the group */
	WAF_MEDIA_BELOW_HOST = 1 << 2,
	WAF_OTHER_WRITERS = 1 << 3, /* the drive counts more than the run wrote */
	WAF_STUCK = 1 << 4, /* counters that did not move though the run wrote */
	WAF_BACKWARDS = 1 << 5, /* a counter fell: reset, or another configuration */
	WAF_COARSE = 1 << 6, /* SMART's unit is above 1% of what was written */
	WAF_CUT_SHORT = 1 << 7,
	WAF_FEWER = 1 << 8, /* the drive counts less than the run wrote */
	WAF_DOUBTS = 9,
};

struct waf {
	enum waf_source source;
	bool known; /* there is a ratio */
	double ratio; /* media bytes / host bytes */
	u128 host_bytes, media_bytes;
	u128 other_bytes; /* host bytes above the run's own */
	uint32_t doubts; /* enum waf_doubt */
};

void waf_judge(const struct waf_window *w, struct waf *out);

/* One doubt (a single bit) as a clause without a full stop. */
const char *waf_doubt_text(uint32_t doubt);

/* "FDP statistics (log 22h)" */
const char *waf_source_text(enum waf_source source);

#endif
