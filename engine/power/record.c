// SPDX-License-Identifier: GPL-2.0-only
// A table in anonymous shared memory, made in fio's parent.
#include "engine/power/record.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum {
	MAX_TARGETS = 64, /* of a run */
};

static struct power_record *records; /* MAX_TARGETS */

void power_init(void)
{
	void *p;

	if (records)
		return;
	p = mmap(NULL, MAX_TARGETS * sizeof(*records), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	records = p == MAP_FAILED ? NULL : p;
}

struct power_record *power_record_find(const struct target *t)
{
	for (uint32_t i = 0; records && i < MAX_TARGETS; i++)
		if (__atomic_load_n(&records[i].state, __ATOMIC_ACQUIRE) == 2 &&
		    !strcmp(records[i].node, t->node))
			return &records[i];
	return NULL;
}

static struct power_record *claim(const char *node)
{
	for (uint32_t i = 0; records && i < MAX_TARGETS; i++) {
		struct power_record *r = &records[i];
		uint32_t state = 0;

		if (!__atomic_compare_exchange_n(&r->state, &state, 1, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_RELAXED))
			continue;
		snprintf(r->node, sizeof(r->node), "%s", node);
		__atomic_store_n(&r->state, 2, __ATOMIC_RELEASE);
		return r;
	}
	return NULL;
}

bool power_facts(const struct target *t, struct power_facts *out)
{
	const struct power_record *r = power_record_find(t);

	if (!r || !r->facts.wanted)
		return false;
	*out = r->facts;
	return true;
}

void power_facts_forget(const struct target *t)
{
	struct power_record *r = power_record_find(t);

	if (r)
		r->facts.wanted = false;
}

void power_record_restored(const char *controller)
{
	for (uint32_t i = 0; records && i < MAX_TARGETS; i++)
		if (__atomic_load_n(&records[i].state, __ATOMIC_ACQUIRE) == 2 &&
		    !strcmp(records[i].controller, controller))
			records[i].facts.restored = true;
}

struct power_record *power_record_get(const struct target *t, const char *controller)
{
	struct power_record *r = power_record_find(t);

	if (!r)
		r = claim(t->node);
	if (r)
		snprintf(r->controller, sizeof(r->controller), "%s", controller);
	return r;
}
