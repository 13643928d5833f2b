#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-peak's reader against ten minutes of broken input, under ASan and UBSan.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
ok 'a sanitized build' make -s BUILD=build/asan SAN=address,undefined build/asan/t/unit/peak_fuzz
ok 'ten minutes of broken input' env FUZZ_SECONDS=600 build/asan/t/unit/peak_fuzz
done_testing
