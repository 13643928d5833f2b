// SPDX-License-Identifier: GPL-2.0-only
// Prints lines, and remembers in memory shared by all jobs what has been said.
#include "engine/report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "engine/fio_abi.h"

enum {
	SAID_MAX = 512
};

static uint64_t *said; /* hashes of lines; 0 is an empty place */

void report_init(void)
{
	void *p;

	if (said)
		return;
	p = mmap(NULL, SAID_MAX * sizeof(*said), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		 -1, 0);
	said = p == MAP_FAILED ? NULL : p;
}

/* FNV-1a */
static uint64_t hash_line(const char *s)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3ULL;
	return h ? h : 1;
}

/* True for the first job that says the line. A full table repeats rather than hides. */
static bool first_time(const char *line)
{
	uint64_t hash = hash_line(line);

	for (int i = 0; said && i < SAID_MAX; i++) {
		uint64_t seen = 0;

		if (__atomic_compare_exchange_n(&said[i], &seen, hash, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
		if (seen == hash)
			return false;
	}
	return true;
}

/* Return: true when @line, REPORT_LEN bytes, holds something that no job has said yet. */
static bool compose(char *line, const char *format, va_list args)
{
	vsnprintf(line, REPORT_LEN, format, args);
	return first_time(line);
}

void report_error(const char *format, ...)
{
	char line[REPORT_LEN];
	va_list args;

	va_start(args, format);
	if (compose(line, format, args))
		log_err("nvmept: %s\n", line);
	va_end(args);
}

void report_note(const char *format, ...)
{
	char line[REPORT_LEN];
	va_list args;

	va_start(args, format);
	if (compose(line, format, args))
		fprintf(stderr, "nvmept: note: %s\n", line);
	va_end(args);
}
