#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the plugin writes is what is read back, by itself and by fio's own io_uring on the
# block node, whatever the depth, process model, job count and buffers; and the other way round.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
in_vm --timeout=900 --drive=name=a,size=32M --drive=name=b,mdts=5 --drive=name=k,lba=4096
# shellcheck source=t/vm/engine.sh
. t/vm/engine.sh

drive=/dev/drive/a
pattern="--rw=write --bs=64k --verify=crc32c --verify_fatal=1"

# matrix DEPTH THREAD JOBS FIXED
matrix()
{
	local shape="--iodepth=$1 --thread=$2 --numjobs=$3 --size=$((32 / $3))M"
	local seed="--randseed=$1$2$3$4"

	[ "$3" = 1 ] || shape+=" --offset_increment=$((32 / $3))M"
	# shellcheck disable=SC2086
	works "write and verify 32 MiB: depth $1, thread=$2, $3 jobs, fixed buffers $4" \
		--filename=$drive $pattern $shape $seed "--nvme_fixedbufs=$4"
	# shellcheck disable=SC2086
	ENGINE=io_uring works "... fio's io_uring reads it back" \
		--filename=$drive $pattern $shape $seed --verify_only
}

for depth in 1 32 256; do
	for thread in 0 1; do
		for jobs in 1 4; do
			for fixed in 0 1; do
				matrix $depth $thread $jobs $fixed
			done
		done
	done
done

for depth in 1 32 256; do
	# shellcheck disable=SC2086
	ENGINE=io_uring works "fio's io_uring writes 32 MiB, depth $depth" --filename=$drive \
		$pattern --size=32M --iodepth=$depth --randseed=9$depth --direct=1 --do_verify=0
	# shellcheck disable=SC2086
	works "... the plugin reads it back" --filename=$drive-ng $pattern --size=32M \
		--iodepth=$depth --randseed=9$depth --verify_only
done

# A wrong byte must be found: the test above would else prove nothing.
dd if=/dev/zero of=$drive bs=512 count=1 seek=1000 conv=notrunc oflag=direct 2>/dev/null
# shellcheck disable=SC2086
engine_fio --filename=$drive $pattern --size=32M --iodepth=32 --randseed=9256 --verify_only
[ $? != 0 ] && pass 'a damaged block is found' || fail 'a damaged block is found'

for method in md5 crc64 crc32 crc32c-intel crc16 crc7 xxhash sha512 sha256 sha1 sha3-256 pattern; do
	args=--verify=$method
	[ "${method#pattern}" = "$method" ] || args+=' --verify_pattern=0xdeadbeef'
	# shellcheck disable=SC2086
	works "verify=$method" --filename=$drive --rw=randwrite --bs=8k --iodepth=16 --size=4M $args
done
works 'verify_backlog' --filename=$drive --rw=randwrite --bs=4k --iodepth=16 --size=4M \
	--verify=crc32c --verify_backlog=64
works 'verify_backlog with a batch' --filename=$drive --rw=randwrite --bs=4k --iodepth=16 \
	--size=4M --verify=crc32c --verify_backlog=64 --verify_backlog_batch=32
works 'verify_async' --filename=$drive --rw=randwrite --bs=4k --iodepth=16 --size=4M \
	--verify=crc32c --verify_async=2
works 'bssplit with fixed buffers' --filename=$drive --rw=randwrite --bssplit=4k/40:12k/30:64k/30 \
	--iodepth=16 --size=8M --verify=crc32c
works 'bsrange of single blocks' --filename=$drive --rw=randwrite --bsrange=512-8k \
	--blockalign=512 --iodepth=16 --size=4M --verify=crc32c
works 'two devices in a job' --filename=$drive:/dev/drive/b --rw=randwrite --bs=16k --iodepth=32 \
	--size=16M --verify=crc32c
works 'a device of 4096-byte blocks' --filename=/dev/drive/k --rw=randwrite --bs=16k \
	--iodepth=32 --size=16M --verify=crc32c
works 'devices of 512 and 4096-byte blocks in a job' --filename=$drive:/dev/drive/k \
	--rw=randwrite --bs=8k --iodepth=32 --size=16M --verify=crc32c
works 'mixed reads and writes' --filename=$drive --rw=randrw --rwmixread=70 --bs=4k --iodepth=32 \
	--size=8M --verify=crc32c

# Splitting: mdts=5 is 128 KiB.
for bs in 128k 132k 256k 1M 4M; do
	works "bs=$bs on a drive that takes 128 KiB" --filename=/dev/drive/b --rw=write --bs=$bs \
		--iodepth=8 --size=32M --verify=crc32c --verify_fatal=1
done
ENGINE=io_uring works '... read back by io_uring' --filename=/dev/drive/b --rw=write --bs=4M \
	--iodepth=8 --size=32M --verify=crc32c --verify_only
works 'bs=1M at depth 256: more parts than registered buffers need' --filename=/dev/drive/b \
	--rw=write --bs=1M --iodepth=256 --size=64M --verify=crc32c
works 'bssplit across the limit' --filename=/dev/drive/b --rw=randwrite \
	--bssplit=4k/30:128k/30:300k/20:1M/20 --iodepth=8 --size=48M --verify=crc32c
refused 'nvme_split=0 refuses it' '/dev/drive/b: bs of 262144 .* 131072 .*use bs=128k or less' \
	--filename=/dev/drive/b --rw=read --bs=256k --nvme_split=0
works 'bs of 508 KiB and more on a drive that takes 512 KiB' --filename=$drive --rw=write \
	--bs=512k --iodepth=32 --size=32M --verify=crc32c
done_testing
