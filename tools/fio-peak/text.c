// SPDX-License-Identifier: GPL-2.0-only
/* Escapes by byte, so that what is shown can be typed: $'a\xc2\x85'. */
#include "text.h"
#include "alloc.h"

#include <stdbool.h>
#include <stdint.h>

/* The length of the UTF-8 character at @s and its code point; 0: it is none. */
static size_t decode(const unsigned char *s, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = *s < 0x80 ? 1 : *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : 2;

	if ((*s >= 0x80 && *s < 0xc2) || *s > 0xf4)
		return 0;
	*cp = len == 1 ? *s : *s & (0x7fU >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3f);
	}
	if (*cp < least[len] || *cp > 0x10ffff || (*cp >= 0xd800 && *cp < 0xe000))
		return 0;
	return len;
}

static bool harmless(uint32_t cp)
{
	static const struct {
		uint32_t first, last;
	} bad[] = {
		{ 0, 0x1f }, /* C0 */
		{ 0x7f, 0x9f }, /* DEL, C1 */
		{ 0x61c, 0x61c }, /* the marks and embeddings of bidirectional text */
		{ 0x200e, 0x200f },
		{ 0x2028, 0x202e }, /* with the separators of lines and paragraphs */
		{ 0x2066, 0x2069 },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (cp >= bad[i].first && cp <= bad[i].last)
			return false;
	return true;
}

char *text_safe(const char *s)
{
	char *safe = alloc_zero(4 * strlen(s) + 1, 1), *to = safe;

	while (*s) {
		uint32_t cp = 0;
		size_t len = decode((const unsigned char *)s, &cp);

		if (len && harmless(cp)) {
			to = mempcpy(to, s, len);
			s += len;
			continue;
		}
		for (len = len ? len : 1; len; len--)
			to += sprintf(to, "\\x%02x", (unsigned char)*s++);
	}
	return safe;
}

void text_put(FILE *out, const char *s)
{
	char *safe = text_safe(s);

	fputs(safe, out);
	free(safe);
}

void text_say(const char *fmt, ...)
{
	char *line = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = NULL;
	va_end(ap);
	fputs("fio-peak: ", stderr);
	text_put(stderr, alloc_check(line));
	fputc('\n', stderr);
	free(line);
}
