#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# nvme_poll=1 on a driver that has poll queues. (Where it has none: t/vm/mistakes.sh.)
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
in_vm --append=nvme.poll_queues=2 --drive=name=a --drive=name=b,mdts=5
# shellcheck source=t/vm/engine.sh
. t/vm/engine.sh

drive=/dev/drive/a
polled="--filename=$drive --nvme_poll=1 --nvme_verbose=1"

# interrupts: of the drives' queues so far. Polled I/O raises none.
interrupts()
{
	awk '/nvme/ { for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+$/) n += $i } END { print n + 0 }' \
		/proc/interrupts
}

before=$(interrupts)
# shellcheck disable=SC2086
works 'polled reads' $polled --rw=randread --bs=4k --iodepth=16 --number_ios=2000
after=$(interrupts)
[ $((after - before)) -lt 200 ] && pass '... without interrupts' ||
	fail '... without interrupts' "$((after - before)) for 2000 reads"
# shellcheck disable=SC2086
works 'depth 1' $polled --rw=randread --bs=4k --number_ios=500
# shellcheck disable=SC2086
works 'verified writes' $polled --rw=randwrite --bs=16k --iodepth=16 --size=8M --verify=crc32c
# shellcheck disable=SC2086
works 'threads, four jobs' $polled --rw=randwrite --bs=16k --iodepth=16 --size=4M \
	--offset_increment=4M --numjobs=4 --thread --verify=crc32c
# shellcheck disable=SC2086
works 'looking without waiting' $polled --rw=randread --bs=16k --iodepth=16 --size=8M \
	--iodepth_batch_complete_min=0
# shellcheck disable=SC2086
works 'trim' $polled --rw=trim --bs=64k --iodepth=16 --size=8M
# A Flush that is polled for kills kernel 6.1: it goes another way.
# shellcheck disable=SC2086
works 'fsync among polled writes' $polled --rw=randwrite --bs=16k --iodepth=16 --size=8M \
	--verify=crc32c --fsync=32
[ "$(commands Flush)" -ge 15 ] && pass '... flushes' || fail '... flushes' "$(commands Flush)"
works 'split I/O' --filename=/dev/drive/b --nvme_poll=1 --rw=write --bs=1M --iodepth=8 --size=32M \
	--verify=crc32c
done_testing
