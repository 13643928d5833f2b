// SPDX-License-Identifier: GPL-2.0-only
/* Lines for the user, see say.h. */
#include "tools/fio-curve/say.h"

#include "tools/fio-peak/alloc.h"
#include "tools/fio-peak/text.h"

void say(const char *fmt, ...)
{
	char *line;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = alloc_check(NULL);
	va_end(ap);
	fputs("fio-curve: ", stderr);
	text_put(stderr, line);
	fputc('\n', stderr);
	free(line);
}
