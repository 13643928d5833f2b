// SPDX-License-Identifier: GPL-2.0-only
// Media bytes over host bytes, and nine reasons to doubt the ratio.
#include "engine/telemetry/waf.h"

#include <string.h>

enum {
	ENOUGH_UNITS = 4,
	SMALL_PART = 100, /* one in so many */
	COARSE = 100,
};

const char *waf_source_text(enum waf_source source)
{
	switch (source) {
	case WAF_FDP:
		return "FDP statistics (log 22h)";
	case WAF_OCP:
		return "OCP C0h over SMART data units";
	default:
		return "not available";
	}
}

const char *waf_doubt_text(uint32_t doubt)
{
	static const char *const text[WAF_DOUBTS] = {
		"less than 4 reclaim units were written: the drive's collection had no time to "
		"follow",
		"less than 1% of the endurance group was written: a drive that is not full does "
		"not show its write amplification so soon",
		"media bytes are below host bytes: the drive updates its counters late, or "
		"compresses",
		"other writers: the drive counts more host bytes than this run wrote",
		"counters did not move although this run wrote: the drive updates them late",
		"a counter went backwards: it was reset, or the FDP configuration changed",
		"SMART counts in units of 512000 bytes, more than 1% of what was written",
		"the run was cut short",
		"the drive counts fewer host bytes than this run wrote: it updates them late, or "
		"commands failed",
	};

	for (int i = 0; i < WAF_DOUBTS; i++)
		if (doubt == 1U << i)
			return text[i];
	return "";
}

/* @after - @before; a fall is 0 and noted. */
static u128 rise(u128 before, u128 after, uint32_t *doubts)
{
	if (after >= before)
		return after - before;
	*doubts |= WAF_BACKWARDS;
	return 0;
}

static void take_fdp(const struct waf_window *w, struct waf *out)
{
	out->source = WAF_FDP;
	out->host_bytes = rise(w->fdp[0].host_bytes, w->fdp[1].host_bytes, &out->doubts);
	out->media_bytes = rise(w->fdp[0].media_bytes, w->fdp[1].media_bytes, &out->doubts);
}

static void take_ocp(const struct waf_window *w, struct waf *out)
{
	out->source = WAF_OCP;
	out->host_bytes = rise(w->smart[0].units_written, w->smart[1].units_written, &out->doubts) *
			  DATA_UNIT_BYTES;
	out->media_bytes = rise(w->ocp[0].media_written, w->ocp[1].media_written, &out->doubts);
	if (w->own_bytes && w->own_bytes < (u128)DATA_UNIT_BYTES * COARSE)
		out->doubts |= WAF_COARSE;
}

/* How far the drive's count of host bytes may be off the run's own without meaning anything. */
static u128 granularity(const struct waf *out)
{
	return out->source == WAF_OCP ? 2 * DATA_UNIT_BYTES : 0;
}

static void doubt(const struct waf_window *w, struct waf *out)
{
	u128 slack = granularity(out);

	if (w->own_bytes && (!out->host_bytes || !out->media_bytes))
		out->doubts |= WAF_STUCK;
	if (out->host_bytes > w->own_bytes + slack) {
		out->other_bytes = out->host_bytes - w->own_bytes;
		out->doubts |= WAF_OTHER_WRITERS;
	}
	if (out->host_bytes + slack < w->own_bytes)
		out->doubts |= WAF_FEWER;
	if (!out->host_bytes)
		return;
	if (out->media_bytes + slack < out->host_bytes)
		out->doubts |= WAF_MEDIA_BELOW_HOST;
	if (out->host_bytes < (u128)w->unit_bytes * ENOUGH_UNITS)
		out->doubts |= WAF_FEW_UNITS;
	if (out->host_bytes < w->group_bytes / SMALL_PART)
		out->doubts |= WAF_SMALL_PART;
}

void waf_judge(const struct waf_window *w, struct waf *out)
{
	memset(out, 0, sizeof(*out));
	if (w->has_fdp)
		take_fdp(w, out);
	else if (w->has_ocp)
		take_ocp(w, out);
	else
		return;
	doubt(w, out);
	if (w->cut_short)
		out->doubts |= WAF_CUT_SHORT;
	out->known = out->host_bytes && !(out->doubts & WAF_BACKWARDS);
	if (out->known)
		out->ratio = (double)out->media_bytes / (double)out->host_bytes;
}
