#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The model drive against ten minutes of mutated commands and damaged images, under ASan and UBSan.
# Each run draws others: what failed says the seed and the step that bring it back.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
# A folder of its own: other tests build theirs in build/asan at the same time.
asan=build/asan-model
fuzz=$asan/t/unit/model_fuzz
seed=${FUZZ_SEED:-$(date +%s)}
ok 'a sanitized build' make -s BUILD=$asan SAN=address,undefined $fuzz
capture env FUZZ_SECONDS="${FUZZ_SECONDS:-600}" FUZZ_SEED="$seed" $fuzz
sed 's/^/# /' <<<"$out"
if [ "$status" = 0 ] && ! grep -qE 'runtime error:|Sanitizer' <<<"$err"; then
	pass "ten minutes of mutated commands and images, seed $seed"
else
	fail "ten minutes of mutated commands and images, seed $seed" "exit status $status" "$err"
fi
done_testing
