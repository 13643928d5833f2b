/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands that are done but not due: the next one first. */
#ifndef TOOLS_NVSIM_TCP_DUE_H
#define TOOLS_NVSIM_TCP_DUE_H

#include <stdbool.h>
#include <stdint.h>

struct queue;
struct request;

struct due {
	struct request **heap;
	uint32_t nr, room;
};

/* Room for @nr in all. Return: false: no memory. */
bool due_reserve(struct due *d, uint32_t nr);

/* There must be room. By r->due. */
void due_add(struct due *d, struct request *r);

/* Take the next one, if it is due. Return: NULL when none is. */
struct request *due_take(struct due *d, uint64_t now);

/* When the next one is; UINT64_MAX: there is none. */
uint64_t due_next(const struct due *d);

/* Take a queue's away. */
void due_forget(struct due *d, const struct queue *q);

#endif
