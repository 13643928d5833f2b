/* SPDX-License-Identifier: GPL-2.0-only */
/* Log pages: how long each is, and what its fields mean. Little-endian bytes in, lines out. */
#ifndef TOOLS_NVSIM_DECODE_H
#define TOOLS_NVSIM_DECODE_H

#include <stdbool.h>
#include <stdint.h>

struct page {
	const char *name;
	uint8_t lid; /* log page identifier */
	bool group; /* of an endurance group */
	bool events; /* has host's and controller's */
	uint32_t bytes; /* of all of it, or of what says how long it is */
	uint32_t (*whole)(const uint8_t *data); /* bytes of all of it; a multiple of 4 */
	void (*print)(const uint8_t *data, uint32_t len);
};

extern const struct page pages[]; /* the last has no name */

#endif
