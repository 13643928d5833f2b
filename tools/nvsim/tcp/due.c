// SPDX-License-Identifier: GPL-2.0-only
// A binary heap.
#include "tools/nvsim/tcp/due.h"

#include <stdlib.h>

#include "tools/nvsim/tcp/queue.h"

bool due_reserve(struct due *d, uint32_t nr)
{
	struct request **heap;

	if (nr <= d->room)
		return true;
	heap = realloc(d->heap, nr * sizeof(struct request *));
	if (!heap)
		return false;
	d->heap = heap;
	d->room = nr;
	return true;
}

void due_add(struct due *d, struct request *r)
{
	uint32_t at = d->nr++;

	while (at && d->heap[(at - 1) / 2]->due > r->due) {
		d->heap[at] = d->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	d->heap[at] = r;
}

struct request *due_take(struct due *d, uint64_t now)
{
	struct request *first, *last;
	uint32_t at = 0, child = 1;

	if (!d->nr || d->heap[0]->due > now)
		return NULL;
	first = d->heap[0];
	last = d->heap[--d->nr];
	while (child < d->nr) {
		if (child + 1 < d->nr && d->heap[child + 1]->due < d->heap[child]->due)
			child++;
		if (last->due <= d->heap[child]->due)
			break;
		d->heap[at] = d->heap[child];
		at = child;
		child = 2 * at + 1;
	}
	d->heap[at] = last;
	return first;
}

uint64_t due_next(const struct due *d)
{
	return d->nr ? d->heap[0]->due : UINT64_MAX;
}

void due_forget(struct due *d, const struct queue *q)
{
	uint32_t nr = d->nr;

	d->nr = 0;
	for (uint32_t i = 0; i < nr; i++)
		if (d->heap[i]->queue != q)
			due_add(d, d->heap[i]);
}
