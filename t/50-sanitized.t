#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The C units and fio-peak's tests once more, built with ASan and UBSan. The plugin under fio: 51.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 1
asan=build/asan

ok 'everything builds with -fsanitize=address,undefined' \
	make -s BUILD=$asan SAN=address,undefined CFLAGS='-O1 -g' all units
[ $tap_failed = 0 ] || done_testing

# sanitized PROGRAM: it has the sanitizers in it, so that a pass means something
sanitized()
{
	readelf -d "$1" | grep -q 'NEEDED.*libasan'
}

# clean NAME COMMAND...: it passes, and no sanitizer has a report
clean()
{
	local name=$1
	shift
	capture "$@"
	if [ "$status" = 0 ] && ! grep -qE 'runtime error:|Sanitizer' <<<"$out$err"; then
		pass "$name"
	else
		fail "$name" "exit status $status: $*" "$(grep -E '^not ok|^#|runtime error:|Sanitizer' <<<"$out"$'\n'"$err")"
	fi
}

ok 'nvmept.so is sanitized' sanitized $asan/nvmept.so
ok 'fio-peak is sanitized' sanitized $asan/fio-peak
for unit in "$asan"/t/unit/*; do
	[ -f "$unit" ] && [ -x "$unit" ] || continue
	ok "${unit##*/} is sanitized" sanitized "$unit"
	clean "unit ${unit##*/}" env FUZZ_SECONDS=5 "$unit"
done
for test in t/1*-fio-peak*.t; do
	clean "$test" env BUILD=$asan "$test"
done
done_testing
