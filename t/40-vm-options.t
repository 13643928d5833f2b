#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio's own options behave with the plugin as with any engine, and what is counted by
# fio, by the plugin and by the drive agrees.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
in_vm --timeout=900 --drive=name=a --drive=name=b,mdts=5 --drive=name=k,lba=4096
# shellcheck source=t/vm/engine.sh
. t/vm/engine.sh

drive=/dev/drive/a

# counts NAME READS WRITES ARGS...: fio, plugin and drive agree on the number of commands.
counts()
{
	local name=$1 reads=$2 writes=$3 before after
	shift 3
	before=$(smart $drive-ctrl)
	engine_fio --filename=$drive --nvme_verbose=1 "$@"
	after=$(smart $drive-ctrl)
	is "$(ios read) $(ios write)" "$reads $writes" "$name: fio's total_ios"
	is "$(commands Read) $(commands Write)" "$reads $writes" "$name: the plugin's commands"
	is "$((${after% *} - ${before% *})) $((${after#* } - ${before#* }))" "$reads $writes" \
		"$name: the drive's SMART counters"
}
counts 'reads' 2000 0 --rw=randread --bs=4k --iodepth=32 --number_ios=2000
counts 'writes of four jobs' 0 4000 --rw=randwrite --bs=4k --iodepth=16 --numjobs=4 \
	--number_ios=1000
counts 'depth 1, threads' 1500 0 --rw=read --bs=4k --number_ios=1500 --thread
counts 'batches' 2048 0 --rw=randread --bs=4k --iodepth=64 --iodepth_batch=16 \
	--iodepth_batch_complete_min=8 --number_ios=2048

engine_fio --filename=$drive --nvme_verbose=1 --rw=write --bs=4k --size=400k --fsync=10
is "$(commands Flush)" "$(sed -n '/"sync"/,/}/s/.*"total_ios" : \([0-9]*\).*/\1/p' "$work/out" | head -1)" \
	'fsync=10: each sync is one Flush'
is "$(commands Flush)" 9 "... nine of them, none after the last write"
engine_fio --filename=$drive --nvme_verbose=1 --rw=write --bs=4k --size=40k --fdatasync=5
is "$(commands Flush)" 1 "fdatasync=5 over ten writes: one Flush, none after the last"
engine_fio --filename=$drive --nvme_verbose=1 --rw=write --bs=4k --size=40k --end_fsync=1
is "$(commands Flush)" 1 'end_fsync: one Flush'
engine_fio --filename=$drive --nvme_verbose=1 --rw=trim --bs=64k --iodepth=8 --size=8M
is "$(commands 'Dataset Management')" 128 'trim: 128 deallocations'
is "$(ios trim)" 128 '... and fio counts them'
engine_fio --filename=$drive --nvme_verbose=1 --rw=randtrim --bs=1M --iodepth=4 --size=32M
is "$(commands 'Dataset Management')" 32 'a trim above the transfer limit is one command'
works 'trimwrite' --filename=$drive --rw=trimwrite --bs=16k --iodepth=4 --size=2M

bytes() { sed -n "/\"$1\" : {/,/}/s/.*\"io_bytes\" : \([0-9]*\).*/\1/p" "$work/out" | head -1; }
engine_fio --filename=$drive --rw=read --bs=64k --iodepth=8
is "$(bytes read)" $((64 << 20)) 'no size=: the whole namespace, 64 MiB'
engine_fio --filename=$drive --rw=read --bs=64k --iodepth=8 --size=25%
is "$(bytes read)" $((16 << 20)) 'size=25%'
engine_fio --filename=$drive --rw=read --bs=64k --iodepth=8 --offset=50% --size=25%
is "$(bytes read)" $((16 << 20)) 'offset=50% size=25%'
engine_fio --filename=$drive --rw=read --bs=64k --iodepth=8 --offset=60M
is "$(bytes read)" $((4 << 20)) 'offset=60M: to the end'
engine_fio --filename=$drive --rw=read --bs=64k --iodepth=8 --size=8M --io_size=12M
is "$(bytes read)" $((12 << 20)) 'io_size=12M'
engine_fio --filename=$drive --rw=read --bs=64k --iodepth=8 --size=4M --loops=3
is "$(bytes read)" $((12 << 20)) 'loops=3'
engine_fio --filename=$drive --rw=read --bs=64k --iodepth=8 --size=256M
is "$(bytes read)" $((64 << 20)) 'size= above the capacity reads the capacity'
works 'time_based' --filename=$drive --rw=randread --bs=4k --iodepth=4 --size=1M --runtime=2 \
	--time_based
runtime=$(sed -n '/"read" : {/,/}/s/.*"runtime" : \([0-9]*\).*/\1/p' "$work/out")
[ "$runtime" -ge 1990 ] && [ "$runtime" -le 3000 ] && pass '... for two seconds' ||
	fail '... for two seconds' "runtime $runtime ms"
works 'rate_iops' --filename=$drive --rw=randread --bs=4k --iodepth=4 --rate_iops=200 --runtime=3 \
	--time_based
n=$(ios read)
[ "$n" -ge 540 ] && [ "$n" -le 660 ] && pass '... 200 a second' || fail '... 200 a second' "$n in 3 s"
works 'rate' --filename=$drive --rw=read --bs=16k --iodepth=2 --rate=2m --runtime=2 --time_based
works 'rate_process=poisson' --filename=$drive --rw=randread --bs=4k --rate_iops=200 \
	--rate_process=poisson --runtime=2 --time_based
for batch in '--iodepth_batch=8' '--iodepth_batch=8 --iodepth_batch_complete_min=4' \
	'--iodepth_batch_complete_min=0' '--iodepth_batch=16 --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=16' \
	'--iodepth_low=4'; do
	# shellcheck disable=SC2086
	works "$batch" --filename=$drive --rw=randread --bs=4k --iodepth=32 --number_ios=3000 $batch
done
works 'thinktime' --filename=$drive --rw=randread --bs=4k --iodepth=4 --thinktime=500 \
	--number_ios=200
works 'iodepth=1024' --filename=$drive --rw=randread --bs=4k --iodepth=1024 --number_ios=8000
works 'gtod_reduce' --filename=$drive --rw=randread --bs=4k --iodepth=32 --number_ios=3000 \
	--gtod_reduce=1
works 'a job that only trims at a depth' --filename=$drive --rw=trim --bs=1M --iodepth=32
works 'iomem_align' --filename=$drive --rw=randwrite --bs=16k --iodepth=8 --iomem_align=512 \
	--size=4M --verify=crc32c
works 'iomem=mmap' --filename=$drive --rw=randwrite --bs=16k --iodepth=8 --iomem=mmap --size=4M \
	--verify=crc32c
works 'hipri is left to us: zonemode, serialize_overlap' --filename=$drive --rw=randwrite --bs=4k \
	--iodepth=16 --serialize_overlap=1 --size=2M
works 'stonewalled jobs in a row' --filename=$drive --rw=randread --bs=4k --number_ios=100 \
	--name=second --ioengine=$plugin --filename=$drive --rw=randread --bs=4k --number_ios=100 \
	--stonewall
works 'write_iolog' --filename=$drive --rw=randwrite --bs=4k --iodepth=4 --size=256k \
	--write_iolog="$work/log"
fio --name=replay --ioengine=$plugin --read_iolog="$work/log" --replay_redirect=$drive \
	--output-format=json >"$work/out" 2>"$work/err"
is "$?" 0 'read_iolog replays it'
is "$(ios write)" 64 '... all 64 writes'

# readonly and what a reading job may do.
engine_fio --filename=$drive --readonly --rw=randread --bs=4k --number_ios=100
is "$?" 0 '--readonly reads'
engine_fio --filename=$drive --readonly --rw=randwrite --bs=4k --number_ios=100
[ $? != 0 ] && pass '--readonly refuses to write' || fail '--readonly refuses to write'
before=$(smart $drive-ctrl)
fio --name=t --ioengine=$plugin --filename=$drive --rw=read --bs=4k --number_ios=10 \
	--nvme_verbose=1 --output-format=json >"$work/out" 2>"$work/err"
is "$(head -c 1 "$work/out")" '{' 'notes do not spoil the JSON on stdout'

# jobs/: the corners and the preconditioning, shortened, on the drive that splits.
for job in jobs/corners/*.fio jobs/precondition/*.fio; do
	timed=
	grep -q ^time_based "$job" && timed="--runtime=2"
	# shellcheck disable=SC2086
	fio "$job" --ioengine=$plugin --filename=/dev/drive/b $timed --output-format=json \
		>"$work/out" 2>"$work/err"
	status=$?
	if [ $status = 0 ] && did_io; then
		pass "$job on the mdts=5 drive"
	else
		fail "$job on the mdts=5 drive" "status $status" "$(cat "$work/err")"
	fi
done
done_testing
