#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The sidecar on QEMU's drives, with this machine's fio and with trixie's.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
jq=$(command -v jq) || skip_all "needs jq"
drives=("--drive=name=f,fdp=4,lba=4096,size=128M" "--drive=name=o,size=128M,ocp=on" --drive=name=a)

# guest NAME [--root=DIR]: the tests of t/vm/telemetry.sh as one
guest()
{
	local name=$1
	shift
	capture "$top/t/vm/run" "$@" --timeout=400 "--with=$jq" "${drives[@]}" "$top/t/vm/telemetry.sh"
	if [ "$status" = 0 ] && grep -q '^1\.\.[1-9]' <<<"$out" && ! grep -q '^not ok' <<<"$out"; then
		pass "$name: $(grep -c '^ok' <<<"$out") checks"
		grep -o '^ok.*# SKIP.*' <<<"$out" | sed 's/^/# /'
	else
		fail "$name" "exit status $status" "$(grep -A8 '^not ok' <<<"$out")" "$err"
	fi
}

guest "this machine's fio"
capture "$top/ci/fio-root" trixie
if [ "$status" = 0 ]; then
	guest "trixie's fio" "--root=$out"
else
	skip "trixie's fio" "no root of trixie: $err"
fi
done_testing
