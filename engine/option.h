/* SPDX-License-Identifier: GPL-2.0-only */
/* What our text options have in common. */
#ifndef ENGINE_OPTION_H
#define ENGINE_OPTION_H

#include <stdbool.h>
#include <string.h>

/* Does the option's @text ask for something? NULL, "" and "none" do not. */
static inline bool option_given(const char *text)
{
	return text && *text && strcmp(text, "none") != 0;
}

#endif
