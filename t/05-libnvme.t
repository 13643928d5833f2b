#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# engine/admin.c, the one file that uses libnvme, builds with every libnvme 1.x that Debian has.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 1

# builds NAME ROOT
builds()
{
	local include=$2/usr/include version
	version=$(basename "$(ls "$2"/usr/lib/x86_64-linux-gnu/libnvme.so.1.* 2>/dev/null | head -1)")
	if [ ! -f "$include/libnvme.h" ]; then
		skip "$1" "no libnvme.h of 1.x there"
		return
	fi
	ok "with $1's ${version:-libnvme}" "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I. \
		-isystem "$include" -c -o "$work/admin.o" engine/admin.c
}

builds 'this machine' ''
for suite in trixie sid; do
	capture ci/fio-root $suite
	if [ "$status" = 0 ]; then
		builds "$suite" "$out"
	else
		skip "$suite" "$err"
	fi
done
done_testing
