#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A command that a model drive never completes ends as the kernel's driver ends one: aborted after
# 30 seconds. The other commands, and the other jobs, do not wait for it.

# shellcheck source=t/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/../vm/engine.sh"

command -v fio >/dev/null || skip_all "fio is not installed"
cd "$top" || exit 1
ENGINE=external:$(realpath "$build/nvmept.so")
nvsim=$(realpath "$build/nvsim")
[ -x "$nvsim" ] || bail "$nvsim is not built: make"

# hangs NAME OPTION...: with a drive made with these options.
hangs()
{
	local name=$1 start seconds
	shift
	rm -f "$work/d.nvsim"
	"$nvsim" create "$work/d.nvsim" --capacity=16M "$@" >/dev/null || bail "nvsim create"
	"$nvsim" fail "$work/d.nvsim" hang --opcode=read --times=1 >/dev/null || bail "nvsim fail"
	start=$(date +%s)
	refused "$name: the job fails" \
		'.*/d.nvsim: Read of 1 blocks at LBA [0-9]+ failed: Command Abort Requested .SCT 0h SC 07h.' \
		--filename="$work/d.nvsim" --rw=randread --bs=4k --iodepth=8 --number_ios=1000 \
		--continue_on_error=none --nvme_verbose=1
	seconds=$(($(date +%s) - start))
	ok "$name: after 30 s, not before" test $seconds -ge 30
	ok "$name: the other commands did not wait" test "$(commands Read)" -gt 500
	works "$name: then all is well" --filename="$work/d.nvsim" --rw=randread --bs=4k --iodepth=8 \
		--number_ios=1000
}

hangs 'without timing' --timing=none
hangs 'with timing' --timing=real
done_testing
