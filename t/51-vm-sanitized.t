#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The core tests with the plugin built with ASan and UBSan, and fio with their runtime preloaded.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
cd "$top" || exit 1
capture make -s BUILD=build/asan SAN=address,undefined CFLAGS='-O1 -g' plugin
[ "$status" = 0 ] || bail "the sanitized plugin does not build: $err"
# One kernel and one guest image serve both builds.
mkdir -p build/vm
rm -rf build/asan/vm
ln -s ../vm build/asan/vm
asan=$(readlink -f "$(${CC:-cc} -print-file-name=libasan.so)")
ubsan=$(readlink -f "$(${CC:-cc} -print-file-name=libubsan.so)")
rm -rf "$work"
# fio itself leaves memory behind; what the plugin leaks is seen by its units.
BUILD=build/asan exec t/vm/run --timeout=900 --mem=4G --drive=name=a --drive=name=b,mdts=5 \
	"--with=$asan" "--with=$ubsan" "--env=PRELOAD=$asan" \
	--env=ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 \
	--env=UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 t/vm/core.sh
