/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as fio's job files and our command line write them. */
#ifndef CURVE_VALUES_H
#define CURVE_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * value_bytes - "4k", "64M", "1g": bytes; k, M, G, T, P count by 1024, with or without a B.
 * fio's kb_base=1024, its default, makes KiB, MiB, ... the decimal ones; @fio follows it there,
 * else KiB is 1024. Takes a fraction where bytes come out whole. Return: whether it is a size.
 */
bool value_bytes(const char *text, bool fio, uint64_t *out);

/* value_number - a whole decimal number. */
bool value_number(const char *text, uint64_t *out);

/* value_percent - "25%", from 1 to 100, whole as fio wants it. */
bool value_percent(const char *text, unsigned int *out);

/*
 * value_ms - a time: seconds, or with a unit of us, ms, s, m, h, d. Fractions are fine.
 * Return: whether it is one of whole milliseconds (rounded), at most 1,000 days.
 */
bool value_ms(const char *text, uint64_t *out);

/* value_ms_text - the same time as fio's options take it: "30", "500ms". @text: 24 bytes. */
const char *value_ms_text(uint64_t ms, char text[24]);

/* value_thousands - 1234567 as "1,234,567". @text: 28 bytes. */
const char *value_thousands(uint64_t n, char text[28]);

/* value_size_text - bytes in the units that drives are sold in: "7.68 TB". @text: 16 bytes. */
const char *value_size_text(uint64_t bytes, char text[16]);

/* value_clock - a time for readers: "0:07", "13:05", "2:10:00". @text: 24 bytes. */
const char *value_clock(uint64_t ms, char text[24]);

/*
 * value_is_plain - does fio read @text from a job file as it stands? Not with control characters,
 * blanks at an end, # and ; (the rest is a comment), or a $ (variables).
 */
bool value_is_plain(const char *text);

#define VALUE_NOT_PLAIN "fio cannot take such a name (control characters, $ # ;, blanks at an end)"

#endif
