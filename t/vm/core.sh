#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the VM, for each fio that t/42-vm-fio-roots.t finds: what must work with every release.
. t/lib.sh
. t/vm/engine.sh

drive=/dev/drive/a
echo "# this is $(fio --version)"

engine_fio --filename=$drive --rw=read --bs=4k --number_ios=1
if grep -q '^nvmept: this fio is' "$work/err"; then
	like "$(cat "$work/err")" 'ci/fio-layout FIO_SRC' 'an unknown release is refused with what to do'
	skip "everything else with $(fio --version)" \
		"no row for it: ci/fio-layout FIO_SRC >> engine/fio_layouts.h"
	done_testing
fi

ok 'fio --enghelp lists our options' grep -q nvme_fixedbufs <(fio --enghelp=build/nvmept.so)
for thread in 0 1; do
	for depth in 1 32 256; do
		shape="--rw=randwrite --bs=16k --size=8M --verify=crc32c --iodepth=$depth --randseed=7$depth"
		# shellcheck disable=SC2086
		works "write and verify: depth $depth, thread=$thread" --filename=$drive $shape \
			--thread=$thread
		# shellcheck disable=SC2086
		ENGINE=io_uring works '... io_uring reads it back' --filename=$drive $shape --verify_only
	done
done
works 'four jobs' --filename=$drive --rw=randwrite --bs=16k --size=4M --verify=crc32c --iodepth=16 \
	--numjobs=4 --offset_increment=4M
works 'without fixed buffers' --filename=$drive --rw=randwrite --bs=16k --size=4M --verify=crc32c \
	--iodepth=16 --nvme_fixedbufs=0
works 'two devices' --filename=$drive:/dev/drive/b --rw=randwrite --bs=16k --size=4M \
	--verify=crc32c --iodepth=16
works 'split I/O' --filename=/dev/drive/b --rw=write --bs=1M --iodepth=8 --size=32M --verify=crc32c

before=$(smart $drive-ctrl)
engine_fio --filename=$drive --nvme_verbose=1 --rw=randrw --bs=4k --iodepth=16 --number_ios=1000
after=$(smart $drive-ctrl)
is "$(($(ios read) + $(ios write)))" 1000 'number_ios=1000'
is "$(commands Read) $(commands Write)" "$(ios read) $(ios write)" '... the plugin sent as many'
is "$((${after% *} - ${before% *})) $((${after#* } - ${before#* }))" "$(ios read) $(ios write)" \
	'... and the drive counted as many'
like "$(sed -n '/"slat_ns"/,/}/s/.*"mean" : \([0-9]*\).*/\1/p' "$work/out" | head -1)" '^[1-9]' \
	'submission latency is measured'
like "$(sed -n '/"clat_ns"/,/}/s/.*"mean" : \([0-9]*\).*/\1/p' "$work/out" | head -1)" '^[1-9]' \
	'completion latency is measured'
engine_fio --filename=$drive --nvme_verbose=1 --rw=trim --bs=64k --iodepth=8 --size=8M
is "$(commands 'Dataset Management')" 128 'trim: 128 deallocations'
engine_fio --filename=$drive --nvme_verbose=1 --rw=write --bs=4k --size=40k --end_fsync=1
is "$(commands Flush)" 1 'end_fsync: one Flush'

# Where fio knows num_range=, each deallocation has as many ranges, and they hit what they name.
if fio --cmdhelp=num_range 2>/dev/null | grep -q num_range; then
	works 'fill 1 MiB' --filename=$drive --rw=write --bs=64k --size=1M
	engine_fio --filename=$drive --nvme_verbose=1 --rw=trim --bs=4k --size=1M --num_range=8 \
		--iodepth=4
	is "$(commands 'Dataset Management')" 32 'num_range=8: 32 commands for 256 ranges'
	is "$(head -c 1048576 $drive | tr -d '\0' | wc -c)" 0 '... and all of the 1 MiB reads as zeroes'
else
	skip 'num_range=' "$(fio --version) has no such option"
fi

refused 'a missing path' '/dev/ng9n9: no such device' --filename=/dev/ng9n9 --rw=read
[ ! -e /dev/ng9n9 ] && pass '... is not made' || fail '... is not made'
refused 'bs of no whole blocks' '/dev/drive/a: bs=1000 is not a multiple' --filename=$drive \
	--rw=write --bs=1000
works 'read_iolog' --filename=$drive --rw=randwrite --bs=4k --size=64k --write_iolog="$work/log"
fio --name=replay "--ioengine=$plugin" --read_iolog="$work/log" --replay_redirect=$drive \
	--output-format=json >"$work/out" 2>"$work/err"
is "$? $(ios write)" '0 16' '... replays 16 writes'
done_testing
