#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Model drives behind Linux' own NVMe driver, by NVMe over TCP: t/vm/serve.sh. The tutorial of nvsim(1)
# runs there, too; with trixie's fio, the part on placement.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"

# guest NAME PARTS [OPTIONS...]: the parts of t/vm/serve.sh as one test. The man page is in no folder
# that the guest has: it travels in the script.
guest()
{
	local name=$1 parts=$2
	shift 2
	{
		echo '#!/bin/bash'
		echo "mkdir /docs; cat >/docs/nvsim.1 <<'END OF THE PAGE'"
		cat "$top/tools/nvsim/nvsim.1"
		echo 'END OF THE PAGE'
		echo "exec t/vm/serve.sh $parts"
	} >"$work/script"
	capture "$top/t/vm/run" --timeout=900 "$@" "$work/script"
	if [ "$status" = 0 ] && grep -q '^1\.\.[1-9]' <<<"$out" && ! grep -q '^not ok' <<<"$out"; then
		pass "$name: $(grep -c '^ok' <<<"$out") checks"
		grep -E '^ok.*# SKIP|^# WAF|^# [0-9]+ IOPS' <<<"$out" | sed 's/^/# /'
	else
		fail "$name" "exit status $status" "$(grep -A30 -E '^not ok|^Bail' <<<"$out")" "$err"
	fi
}

guest 'what nvme-cli sees, data by three engines' 'fields data'
guest 'power, faults, the life of the server' 'power faults life'
guest 'the tutorial' tutorial
jq=$(command -v jq) && jq=--with=$jq
capture "$top/ci/fio-root" trixie
if [ "$status" = 0 ]; then
	guest "placement, with trixie's fio" placement "--root=$out" ${jq:+"$jq"}
else
	guest "placement, with this machine's fio" placement ${jq:+"$jq"}
fi
done_testing
