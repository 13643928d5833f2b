#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The sidecar on the newest kernel that Debian 12 can have, where a user may do I/O without a right to
# read logs.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
jq=$(command -v jq) || skip_all "needs jq"
capture "$top/ci/kernel" bookworm-backports
[ "$status" = 0 ] || skip_all "no such kernel: $err"
rm -rf "$work"
VM_KERNEL=$(ls "$out"/boot/vmlinuz-*) VM_MODULES=$out
export VM_KERNEL VM_MODULES
exec "$top/t/vm/run" --timeout=600 "--with=$jq" "--with=$(command -v setpriv)" \
	"--drive=name=f,fdp=4,lba=4096,size=128M" "--drive=name=o,size=128M,ocp=on" --drive=name=a \
	"$top/t/vm/telemetry.sh"
