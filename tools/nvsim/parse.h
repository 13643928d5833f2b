/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What users write for sizes, times, powers and the like. Knows no option: it only says whether a
 * text is one.
 */
#ifndef TOOLS_NVSIM_PARSE_H
#define TOOLS_NVSIM_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/model/image.h"

/*
 * Each refuses signs and blanks, and but for parse_size what does not come out whole. All but
 * parse_fraction and parse_number take a decimal fraction: 1.5G.
 * Return: whether @text is one; @out is set only then.
 */
bool parse_size(const char *text,
		long double *out); /* bytes, perhaps no whole ones; k, M, G, T, KiB ...: binary */
bool parse_time(const char *text, uint64_t *out); /* ns; ns, us (default), ms, s */
bool parse_power(const char *text, uint64_t *out); /* mW; mW, W (default) */
bool parse_energy(const char *text, uint64_t *out); /* nJ; nJ (default), uJ, mJ */
bool parse_number(const char *text, uint64_t *out); /* decimal, or hexadecimal after 0x */
bool parse_range(const char *text, uint64_t *first, uint64_t *last); /* N or N-M */
bool parse_fraction(const char *text, double *out); /* 0.07 or 7% */

/*
 * parse_power_states - STATE,STATE,... with STATE = MAX[:idle=POWER][:entry=TIME][:exit=TIME][:nonop]
 * @why: MODEL_WHY_LEN bytes; on failure what is wrong
 *
 * Return: how many, in @ps, which has MODEL_MAX_POWER_STATES; 0 on failure.
 */
unsigned int parse_power_states(const char *text, struct model_power_state *ps, char *why);

#endif
