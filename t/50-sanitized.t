#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The C units, the tools' tests, and fio on model drives once more, built with ASan and UBSan. The
# plugin on the kernel's devices: 51.
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
for test in t/1*.t; do
	clean "$test" env BUILD=$asan "$test"
done
# fio itself is as it is: the plugin brings the runtime, which must come first. What fio leaks is fio's.
PRELOAD=$(realpath "$(${CC:-cc} -print-file-name=libasan.so)")
for test in t/35-model.t t/36-model-share.t; do
	clean "$test" env BUILD=$asan PRELOAD="$PRELOAD" ASAN_OPTIONS=detect_leaks=0 "$test"
done
done_testing
