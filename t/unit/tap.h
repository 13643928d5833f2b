/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TAP for the C unit tests: ok(), is_int(), is_str(), skip(), and "return done_testing();" at the
 * end of main(). Not a framework. For one source file, since the counters are static.
 */
#ifndef T_UNIT_TAP_H
#define T_UNIT_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_run, tap_failed;

/* One check; the name is a printf format. Returns @pass. */
__attribute__((format(printf, 2, 3), unused)) static bool ok(bool pass, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", pass ? "" : "not ", ++tap_run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	if (!pass)
		tap_failed++;
	return pass;
}

__attribute__((unused)) static bool is_int(long got, long want, const char *name)
{
	if (ok(got == want, "%s", name))
		return true;
	printf("# got %ld, want %ld\n", got, want);
	return false;
}

__attribute__((unused)) static bool is_str(const char *got, const char *want, const char *name)
{
	if (ok(!strcmp(got, want), "%s", name))
		return true;
	printf("# got  \"%s\"\n# want \"%s\"\n", got, want);
	return false;
}

/* Count one check that this machine cannot make, with the reason. */
__attribute__((unused)) static void skip(const char *name, const char *reason)
{
	printf("ok %d - %s # SKIP %s\n", ++tap_run, name, reason);
	fflush(stdout);
}

/* Print the plan. Return: the exit status, 0 or 1. */
__attribute__((unused)) static int done_testing(void)
{
	printf("1..%d\n", tap_run);
	return tap_failed ? 1 : 0;
}

#endif
