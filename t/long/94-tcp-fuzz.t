#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# nvsim serve against ten minutes of mutated PDUs, under ASan and UBSan. Each run draws others: what
# failed says the seed and the step that bring it back.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
# A folder of its own: other tests build theirs in build/asan at the same time.
asan=build/asan-tcp
seed=${FUZZ_SEED:-$(date +%s)}
ok 'a sanitized build' make -s BUILD=$asan SAN=address,undefined $asan/nvsim $asan/t/unit/tcp_fuzz \
	$asan/t/unit/tcp_session
ok 'the session by a sanitized server' env BUILD=$asan $asan/t/unit/tcp_session
capture env BUILD=$asan FUZZ_SECONDS="${FUZZ_SECONDS:-600}" FUZZ_SEED="$seed" $asan/t/unit/tcp_fuzz
sed 's/^/# /' <<<"$out"
if [ "$status" = 0 ] && ! grep -qE 'runtime error:|Sanitizer' <<<"$out$err"; then
	pass "ten minutes of mutated PDUs, seed $seed"
else
	fail "ten minutes of mutated PDUs, seed $seed" "exit status $status" "$err"
fi
done_testing
