#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-curve's tests once more, with everything of ours built with ASan and UBSan, leaks included: t/50 has
# no time for their pauses.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
# A folder of its own: t/50 builds in build/asan at the same time.
asan=build/asan-curve
ok 'everything builds with -fsanitize=address,undefined' \
	make -s BUILD=$asan SAN=address,undefined CFLAGS='-O1 -g' all
[ $tap_failed = 0 ] || done_testing
PRELOAD=$(realpath "$(${CC:-cc} -print-file-name=libasan.so)")
for test in t/32-fio-curve.t t/33-fio-curve-clients.t; do
	capture env BUILD=$asan PRELOAD="$PRELOAD" "$test"
	if [ "$status" = 0 ] && ! grep -qE 'runtime error:|Sanitizer' <<<"$out$err"; then
		pass "$test"
	else
		fail "$test" "exit status $status" \
			"$(grep -E '^not ok|^#|runtime error:|Sanitizer' <<<"$out"$'\n'"$err")"
	fi
done
done_testing
