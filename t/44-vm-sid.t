#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The core tests, the same plugin, with the fio of Debian sid.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
command -v mmdebstrap >/dev/null || skip_all "needs mmdebstrap (ci/deps roots)"
capture "$top/ci/fio-root" sid
[ "$status" = 0 ] || skip_all "no root of sid: $err"
rm -rf "$work"
exec "$top/t/vm/run" "--root=$out" --timeout=600 --drive=name=a --drive=name=b,mdts=5 \
	"$top/t/vm/core.sh"
