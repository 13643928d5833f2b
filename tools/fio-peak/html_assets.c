// SPDX-License-Identifier: GPL-2.0-only
/* Style sheet and script as they are in their files; paths from the top folder, where make runs. */
#include "html.h"

#define EMBED(name, file)                               \
	__asm__(".pushsection .rodata\n"                \
		".global " #name "\n" #name ":\n"       \
		".incbin \"tools/fio-peak/" file "\"\n" \
		".byte 0\n"                             \
		".popsection\n")

EMBED(page_css, "page.css");
EMBED(page_js, "page.js");
