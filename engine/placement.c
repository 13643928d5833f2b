// SPDX-License-Identifier: GPL-2.0-only
// What the placement options say, and whether the namespace has it.
#include "engine/placement.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/admin.h"
#include "engine/option.h"
#include "engine/report.h"
#include "engine/status.h"

enum {
	INVALID_OPCODE = 0x001, /* SCT 0h, as the next two */
	INVALID_FIELD = 0x002,
	FDP_DISABLED = 0x029,
	SCT_AND_SC = 0x7ff,
};

__attribute__((format(printf, 2, 3))) static int refuse(char *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, TARGET_WHY_LEN, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* --- what the namespace has --------------------------------------------------------------- */

static int say_why_none(const struct target *t, int ret, char *why)
{
	char name[128];

	status_describe(ret, name, sizeof(name));
	if (ret == -EACCES || ret == -EPERM)
		return refuse(why,
			      "%s: placement: no permission to read the reclaim unit handles; run "
			      "fio as root",
			      t->name);
	if (ret > 0 && (ret & SCT_AND_SC) == FDP_DISABLED)
		return refuse(why,
			      "%s: placement: Flexible Data Placement is switched off in the "
			      "namespace's endurance group; nvmept(7) says how to enable it",
			      t->name);
	if (ret > 0 && (ret & SCT_AND_SC) != INVALID_OPCODE && (ret & SCT_AND_SC) != INVALID_FIELD)
		return refuse(why, "%s: placement: Reclaim Unit Handle Status failed: %s", t->name,
			      name);
	if (ret > 0)
		return refuse(why,
			      "%s: placement: the drive has no Flexible Data Placement: it answers "
			      "Reclaim Unit Handle Status with %s",
			      t->name, name);
	return refuse(why, "%s: placement: Reclaim Unit Handle Status failed: %s", t->name,
		      strerror(-ret));
}

int placement_handles(const struct target *t, struct placement_handle *out, uint32_t max, char *why)
{
	uint32_t nr = max;
	int ret = admin_ruh_status(t->model, t->fd, t->nsid, out, &nr);

	if (ret)
		return say_why_none(t, ret, why);
	if (!nr)
		return refuse(why, "%s: placement: the namespace has no placement handles",
			      t->name);
	return nr;
}

/* --- the identifiers asked for ------------------------------------------------------------ */

struct ids {
	uint32_t nr;
	uint16_t pid[PLACEMENT_MAX];
};

/* A number in C's notation. Return: false when there is none. */
static bool take_number(const char **s, unsigned long max, unsigned long *value)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return false;
	errno = 0;
	*value = strtoul(*s, &end, 0);
	*s = end;
	return !errno && *value <= max;
}

/* "2" or "2-5". */
static bool take_range(const char **s, unsigned long *first, unsigned long *last)
{
	if (!take_number(s, UINT16_MAX, first))
		return false;
	*last = *first;
	if (**s != '-')
		return true;
	(*s)++;
	return take_number(s, UINT16_MAX, last) && *last >= *first;
}

static bool has_pid(const struct placement_handle *handles, uint32_t nr, unsigned long pid)
{
	for (uint32_t i = 0; i < nr; i++)
		if (handles[i].pid == pid)
			return true;
	return false;
}

static int add_index(struct ids *ids, const struct target *t,
		     const struct placement_handle *handles, uint32_t nr, unsigned long i,
		     char *why)
{
	if (i >= nr)
		return refuse(why,
			      "%s: nvme_placement=ruh:%lu: the namespace has %u placement handles, "
			      "ruh:0 to ruh:%u",
			      t->name, i, nr, nr - 1);
	ids->pid[ids->nr++] = handles[i].pid;
	return 0;
}

static int add_pid(struct ids *ids, const struct target *t, const struct placement_handle *handles,
		   uint32_t nr, unsigned long pid, char *why)
{
	char known[128] = "";
	size_t len = 0;

	if (has_pid(handles, nr, pid)) {
		ids->pid[ids->nr++] = pid;
		return 0;
	}
	for (uint32_t i = 0; i < nr && len < sizeof(known) - 16; i++)
		len += snprintf(known + len, sizeof(known) - len, "%s0x%x", i ? ", " : "",
				handles[i].pid);
	return refuse(why, "%s: nvme_placement=pid:0x%lx is none of the namespace's: %s", t->name,
		      pid, known);
}

/* "ruh:0,2-3" or "pid:0x8001,..." */
static int parse_ids(struct ids *ids, const char *text, const struct target *t,
		     const struct placement_handle *handles, uint32_t nr, char *why)
{
	bool raw = !strncmp(text, "pid:", 4);
	const char *s = text + 4;
	unsigned long first, last;
	int ret = 0;

	ids->nr = 0;
	if (!raw && strncmp(text, "ruh:", 4))
		return refuse(why,
			      "nvme_placement=%.100s: say ruh:LIST, indexes into Reclaim Unit "
			      "Handle Status (ruh:0,2-3), or pid:LIST, identifiers (pid:0x8001)",
			      text);
	do {
		if (!take_range(&s, &first, &last) || (*s && *s != ','))
			return refuse(why,
				      "nvme_placement=%.100s: numbers up to 65535 or ranges are "
				      "wanted, separated by commas: ruh:0,2-3",
				      text);
		for (; !ret && first <= last; first++) {
			if (ids->nr == PLACEMENT_MAX)
				return refuse(why,
					      "nvme_placement=%.100s: more than %d identifiers",
					      text, PLACEMENT_MAX);
			ret = raw ? add_pid(ids, t, handles, nr, first, why)
				  : add_index(ids, t, handles, nr, first, why);
		}
	} while (!ret && *s++);
	return ret;
}

/* --- how they are chosen ------------------------------------------------------------------ */

/*
 * Each in proportion to its weight, evenly spread: what is most behind its share is next (smooth
 * weighted round-robin).
 */
static void spread_turns(struct placement *p, const struct ids *ids, const unsigned long *weight,
			 uint32_t sum)
{
	long credit[PLACEMENT_MAX] = { 0 };

	for (uint32_t turn = 0; turn < sum; turn++) {
		uint32_t next = 0;

		for (uint32_t i = 0; i < ids->nr; i++) {
			credit[i] += (long)weight[i];
			if (credit[i] > credit[next])
				next = i;
		}
		credit[next] -= sum;
		p->pid[turn] = ids->pid[next];
	}
	p->nr = sum;
}

/* "weighted:3,1": a weight for each identifier. */
static int select_weighted(struct placement *p, const struct ids *ids, const char *text, char *why)
{
	const char *s = strchr(text, ':') + 1;
	unsigned long weight[PLACEMENT_MAX], sum = 0;
	uint32_t nr = 0;

	do {
		if (nr == PLACEMENT_MAX || !take_number(&s, PLACEMENT_MAX_TURNS, &weight[nr]) ||
		    !weight[nr] || (*s && *s != ','))
			return refuse(why,
				      "nvme_placement_select=%.100s: weights from 1 to %d are "
				      "wanted, separated by commas: weighted:3,1",
				      text, PLACEMENT_MAX_TURNS);
		sum += weight[nr++];
	} while (*s++);
	if (nr != ids->nr)
		return refuse(why,
			      "nvme_placement_select=%.100s: %u weights for the %u identifiers of "
			      "nvme_placement=; give one each",
			      text, nr, ids->nr);
	if (sum > PLACEMENT_MAX_TURNS)
		return refuse(why,
			      "nvme_placement_select=%.100s: the weights' sum is %lu; %d at most",
			      text, sum, PLACEMENT_MAX_TURNS);
	spread_turns(p, ids, weight, sum);
	return 0;
}

/* "10%", "4g": bytes of the namespace. */
static bool take_place(const char **s, uint64_t capacity, uint64_t *bytes)
{
	static const char units[] = "kmgt";
	const char *unit;
	unsigned long n;

	if (!take_number(s, INT64_MAX, &n))
		return false;
	if (**s == '%') {
		*bytes = (uint64_t)((__uint128_t)capacity * n / 100);
		(*s)++;
		return n <= 100;
	}
	*bytes = n;
	unit = **s ? strchr(units, tolower((unsigned char)**s)) : NULL;
	if (unit) {
		uint32_t shift = 10 * (uint32_t)(unit - units + 1);

		if (n > UINT64_MAX >> shift)
			return false;
		*bytes <<= shift;
		(*s)++;
	}
	return true;
}

/* "offset:10%,50%": where the second one's range starts, the third one's, ... */
static int select_offset(struct placement *p, const struct ids *ids, const struct target *t,
			 const char *text, char *why)
{
	const char *s = strchr(text, ':') + 1;
	uint32_t nr = 0;

	do {
		if (nr == PLACEMENT_MAX - 1 || !take_place(&s, t->bytes, &p->end[nr]) ||
		    (*s && *s != ',') || (nr && p->end[nr] <= p->end[nr - 1]))
			return refuse(why,
				      "nvme_placement_select=%.100s: rising places are wanted, "
				      "percents of the namespace or bytes, separated by commas: "
				      "offset:10%%,50%%",
				      text);
		if (!p->end[nr] || p->end[nr] >= t->bytes)
			return refuse(
				why,
				"%.200s: nvme_placement_select=%.100s: place %u is not inside "
				"the namespace's %" PRIu64 " bytes: no write would get one "
				"of the identifiers",
				t->name, text, nr + 1, t->bytes);
		nr++;
	} while (*s++);
	if (nr + 1 != ids->nr)
		return refuse(why,
			      "nvme_placement_select=%.100s: %u places part the namespace into %u "
			      "ranges, for %u identifiers; give one place less than identifiers",
			      text, nr, nr + 1, ids->nr);
	p->end[nr] = UINT64_MAX;
	return 0;
}

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* How the write's identifier is chosen among @ids. */
static int select_kind(struct placement *p, const struct ids *ids, const struct target *t,
		       const struct placement_wishes *w, char *why)
{
	const char *select = w->select ? w->select : "roundrobin";

	memcpy(p->pid, ids->pid, ids->nr * sizeof(ids->pid[0]));
	p->nr = ids->nr;
	p->kind = PLACEMENT_TURNS;
	if (!strcmp(select, "roundrobin"))
		return 0;
	if (!strcmp(select, "job") && ids->nr) {
		p->pid[0] = ids->pid[w->job % ids->nr];
		p->nr = 1;
		return 0;
	}
	if (starts(select, "weighted:"))
		return select_weighted(p, ids, select, why);
	if (!strcmp(select, "random")) {
		p->kind = PLACEMENT_RANDOM;
		/* Another sequence for each job, the same one in each run. */
		p->random = 0x9e3779b97f4a7c15ULL * (w->job + 1);
		return 0;
	}
	if (starts(select, "offset:")) {
		p->kind = PLACEMENT_OFFSET;
		return select_offset(p, ids, t, select, why);
	}
	return refuse(why,
		      "nvme_placement_select=%.100s: roundrobin, random, job, weighted:3,1,... or "
		      "offset:10%%,50%%,... are known",
		      select);
}

/* --- fresh units, and the job's view ------------------------------------------------------ */

/* One identifier a command: QEMU's controller refuses a list of all its handles. */
static int update_units(const struct placement *p, const struct target *t, char *why)
{
	for (uint32_t i = 0; i < p->nr; i++) {
		bool done = false;
		char name[128];
		int ret;

		for (uint32_t j = 0; j < i && !done; j++)
			done = p->pid[j] == p->pid[i];
		if (done)
			continue;
		ret = admin_ruh_update(t->model, t->fd, t->nsid, p->pid[i]);
		if (!ret)
			continue;
		status_describe(ret, name, sizeof(name));
		return refuse(why,
			      "%s: nvme_ruh_update=start: the drive does not give "
			      "identifier 0x%x a fresh reclaim unit: %s",
			      t->name, p->pid[i], name);
	}
	return 0;
}

static void report_map(const struct target *t, const struct placement_handle *handles, uint32_t nr,
		       const struct ids *ids)
{
	for (uint32_t i = 0; i < nr; i++)
		for (uint32_t j = 0; j < ids->nr; j++) {
			if (ids->pid[j] != handles[i].pid)
				continue;
			report_note("%s: placement: ruh:%u is identifier 0x%x, reclaim unit handle "
				    "%u; its unit takes %" PRIu64 " more blocks",
				    t->name, i, handles[i].pid, handles[i].ruhid,
				    handles[i].blocks_left);
			break;
		}
}

int placement_check(const struct placement_wishes *w, char *why)
{
	bool selects = w->select && strcmp(w->select, "roundrobin") != 0;

	if (option_given(w->ids) || (!w->fresh_units && !selects))
		return 0;
	return refuse(why,
		      "%s%.100s without nvme_placement=: it is about those identifiers, not those "
		      "of fio's own dataplacement=; give nvme_placement=ruh:LIST, too, or leave it "
		      "out",
		      w->fresh_units ? "nvme_ruh_update=" : "nvme_placement_select=",
		      w->fresh_units ? "start" : w->select);
}

int placement_open(struct placement *p, const struct target *t, const struct placement_wishes *w,
		   bool verbose, char *why)
{
	struct placement_handle handles[PLACEMENT_MAX];
	struct ids ids;
	int nr, ret;

	p->kind = PLACEMENT_NONE;
	if (!option_given(w->ids))
		return 0;
	nr = placement_handles(t, handles, PLACEMENT_MAX, why);
	if (nr < 0)
		return nr;
	if (nr > PLACEMENT_MAX)
		nr = PLACEMENT_MAX;
	ret = parse_ids(&ids, w->ids, t, handles, nr, why);
	if (!ret)
		ret = select_kind(p, &ids, t, w, why);
	if (!ret && w->fresh_units)
		ret = update_units(p, t, why);
	if (!ret && verbose)
		report_map(t, handles, nr, &ids);
	return ret;
}
