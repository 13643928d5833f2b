// SPDX-License-Identifier: GPL-2.0-only
/* fio-peak's text from elsewhere: what is escaped before it is printed, and what is not. */
#include <stdlib.h>

#include "t/unit/tap.h"
#include "tools/fio-peak/text.h"

static const struct {
	const char *name, *in, *want;
} cases[] = {
	{ "plain", "a b~", "a b~" },
	{ "accents and beyond", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	  "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80" },
	{ "C0", "a\x1b[31m\n\t\r", "a\\x1b[31m\\x0a\\x09\\x0d" },
	{ "DEL", "\x7f", "\\x7f" },
	{ "C1: CSI",
	  "\xc2\x9b"
	  "31m",
	  "\\xc2\\x9b31m" },
	{ "the first and last of C1", "\xc2\x80\xc2\x9f\xc2\xa0", "\\xc2\\x80\\xc2\\x9f\xc2\xa0" },
	{ "right-to-left override", "x\xe2\x80\xaey", "x\\xe2\\x80\\xaey" },
	{ "isolates", "\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9" },
	{ "Arabic letter mark", "\xd8\x9c", "\\xd8\\x9c" },
	{ "line separator", "\xe2\x80\xa8", "\\xe2\\x80\\xa8" },
	{ "a byte that is not UTF-8", "\xff\x9b", "\\xff\\x9b" },
	{ "too long a way to write a control", "\xc0\x9b\xe0\x80\x9b",
	  "\\xc0\\x9b\\xe0\\x80\\x9b" },
	{ "a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80" },
	{ "cut at the end", "a\xe2\x82", "a\\xe2\\x82" },
	{ "nothing", "", "" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *safe = text_safe(cases[i].in);

		is_str(safe, cases[i].want, cases[i].name);
		free(safe);
	}
	return done_testing();
}
