#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The sidecar on QEMU's drives, with this machine's fio and with trixie's.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
jq=$(command -v jq) || skip_all "needs jq"
guest_each_fio --timeout=400 "--with=$jq" --drive=name=f,fdp=4,lba=4096,size=128M --drive=name=o,size=128M,ocp=on \
	--drive=name=a "$top/t/vm/telemetry.sh"
done_testing
