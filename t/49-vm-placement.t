#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Placement on QEMU's FDP drives, with this machine's fio and with trixie's, which has options of its
# own for it.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
guest_each_fio --timeout=400 --drive=name=f,fdp=4,lba=4096,size=128M --drive=name=a "$top/t/vm/placement.sh"
done_testing
