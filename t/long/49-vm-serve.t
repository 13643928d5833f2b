#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Model drives behind Linux' own NVMe driver, by NVMe over TCP: t/vm/serve.sh. The tutorial of nvsim(1)
# runs there, too; with trixie's fio, the part on placement.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"

guest_notes='^# WAF|^# [0-9]+ IOPS'

# serve NAME PARTS [OPTIONS...]: the parts of t/vm/serve.sh as one test. The man page is in no folder
# that the guest has: it travels in the script.
serve()
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
	guest "$name" --timeout=900 "$@" "$work/script"
}

serve 'what nvme-cli sees, data by three engines' 'fields data'
serve 'power, faults, the life of the server' 'power faults life'
serve 'the tutorial' tutorial
jq=$(command -v jq) && jq=--with=$jq
capture "$top/ci/fio-root" trixie
if [ "$status" = 0 ]; then
	root=--root=$out
	serve "placement, with trixie's fio" placement "$root" ${jq:+"$jq"}
else
	root=''
	serve "placement, with this machine's fio" placement ${jq:+"$jq"}
fi
serve 'all of jobs/fdp' workloads ${root:+"$root"}
done_testing
