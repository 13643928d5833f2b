#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The core tests on the newest kernel that Debian 12 can have, from its backports: it takes parts of
# registered buffers and more segments than 6.1, so other ways are gone.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
capture "$top/ci/kernel" bookworm-backports
[ "$status" = 0 ] || skip_all "no such kernel: $err"
rm -rf "$work"
VM_KERNEL=$(ls "$out"/boot/vmlinuz-*) VM_MODULES=$out
export VM_KERNEL VM_MODULES
exec "$top/t/vm/run" --timeout=600 --drive=name=a --drive=name=b,mdts=5 "$top/t/vm/core.sh"
