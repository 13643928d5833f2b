// SPDX-License-Identifier: GPL-2.0-only
/* An open-addressing hash table that is at most half full. */
#include "names.h"
#include "alloc.h"

static unsigned int hash(const char *s)
{
	unsigned int h = 2166136261U;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619U;
	return h;
}

static unsigned int *slot_of(const struct names *n, const char *name)
{
	unsigned int i = hash(name) & n->mask;

	while (n->slots[i] && strcmp(n->list[n->slots[i] - 1], name))
		i = (i + 1) & n->mask;
	return &n->slots[i];
}

static void names_grow(struct names *n)
{
	unsigned int size = n->slots ? 2 * (n->mask + 1) : 64;

	free(n->slots);
	n->slots = alloc_zero(size, sizeof(*n->slots));
	n->mask = size - 1;
	for (unsigned int i = 0; i < n->nr; i++)
		*slot_of(n, n->list[i]) = i + 1;
}

unsigned int names_number(struct names *n, const char *name)
{
	unsigned int *slot;

	if (!n->slots || 2 * n->nr > n->mask)
		names_grow(n);
	slot = slot_of(n, name);
	if (!*slot) {
		n->list = alloc_grow(n->list, n->nr, &n->cap, sizeof(*n->list));
		n->list[n->nr++] = name;
		*slot = n->nr;
	}
	return *slot - 1;
}

void names_free(struct names *n)
{
	free(n->list);
	free(n->slots);
}
