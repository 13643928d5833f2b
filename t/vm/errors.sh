#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the VM: what fails is reported, counted and never taken for success: media errors, in plain and
# in split I/Os; a controller that is reset during I/O; drives that are pulled during I/O.
# drives: name=r,size=16M,bad-read=8M name=w,size=16M,bad-write=8M name=c,size=32M,iops=1500
# drives: name=s,size=32M,mdts=5,bad-read=8904704 name=u,iops=2000 name=v,mdts=5,iops=400
# drives: name=p,paths=2,iops=1000
. t/lib.sh
. t/vm/engine.sh

# --- media errors: one block of 512 bytes, at byte 8 MiB or where the drive is described ------

# Of the last run: bytes DIRECTION, errors (over all jobs), job_error.
bytes()
{
	sed -n "/\"$1\" : {/,/}/s/.*\"io_bytes\" : \([0-9]*\).*/\1/p" "$work/out" |
		awk '{ n += $1 } END { print n + 0 }'
}
errors()
{
	sed -n 's/.*"total_err" : \([0-9]*\).*/\1/p' "$work/out" |
		awk '{ n += $1 } END { print n + 0 }'
}
job_error()
{
	sed -n 's/.*"error" : \([0-9]*\).*/\1/p' "$work/out" | head -1
}

# fails NAME LINE ARGS...: the job ends with EIO, fio with 1; one line of ours, which LINE matches.
fails()
{
	local name=$1 line=$2
	shift 2
	engine_fio "$@"
	is "$? $(job_error)" "1 5" "$name: exit status 1, the job's error is EIO"
	like "$(grep '^nvmept: ' "$work/err")" "^nvmept: $line"'$' "$name: one line says what and where"
}

# goes_on NAME ERRORS DIRECTION BYTES LINE ARGS...: so many I/Os fail; the rest, BYTES, count.
goes_on()
{
	local name=$1 errors=$2 direction=$3 bytes=$4 line=$5
	shift 5
	engine_fio "$@"
	is "$? $(errors) $(bytes "$direction")" "0 $errors $bytes" \
		"$name: $errors failed, $bytes bytes did not"
	like "$(grep '^nvmept: ' "$work/err")" "^nvmept: $line"'$' "$name: one line says so"
}

bad_read='Unrecovered Read Error \(SCT 2h SC 81h.*\).*'
bad_write='Write Fault \(SCT 2h SC 80h.*\).*'
read="/dev/drive/r(-ng)?: Read of 8 blocks at LBA 16384 failed: $bad_read"
fails 'a bad block' "$read" --filename=/dev/drive/r --rw=read --bs=4k --offset=8M --size=64k
is "$(bytes read)" 0 '... nothing counts as read'
fails 'a bad block among 32 in flight, threads' "$read" --filename=/dev/drive/r-ng --rw=read --bs=4k \
	--iodepth=32 --thread
fails 'bs=512' "/dev/drive/r: Read of 1 blocks at LBA 16384 failed: $bad_read" \
	--filename=/dev/drive/r --rw=read --bs=512 --offset=8191k --size=4k
is "$(bytes read)" 1024 '... the two blocks before it count'
fails 'continue_on_error for other kinds' "$read" --filename=/dev/drive/r --rw=read --bs=4k \
	--offset=8M --size=64k --continue_on_error=write
for on in read io all; do
	goes_on "continue_on_error=$on" 1 read $((16 * 1048576 - 4096)) "$read" \
		--filename=/dev/drive/r --rw=read --bs=4k --iodepth=32 --continue_on_error=$on
done
is "$(sed -n '/"read"/,/"clat_ns"/d; s/.*"N" : \([0-9]*\).*/\1/p' "$work/out" | head -1)" 4095 \
	'... a failed I/O has no latency'
engine_fio --filename=/dev/drive/r --rw=read --bs=4k --offset=8M --size=16k --iodepth=4 --loops=30 \
	--continue_on_error=io
is "$? $(errors) $(bytes read)" "0 30 $((90 * 4096))" 'the same block 30 times: each is counted'
is "$(grep -c '^nvmept: ' "$work/err")" 2 \
	'... two lines: the first error, and the count at the end'
like "$(cat "$work/err")" 'nvmept: job t \([0-9]+\): 30 Read commands failed with Unrecovered' \
	'... which is right'
# Ignored is not forgotten: fio counts it.
goes_on 'ignore_error=EIO' 1 read $((15 * 4096)) "$read" --filename=/dev/drive/r --rw=read --bs=4k \
	--offset=8M --size=64k --ignore_error=EIO

write="/dev/drive/w: Write of 8 blocks at LBA 16384 failed: $bad_write"
fails 'a block that cannot be written' "$write" --filename=/dev/drive/w --rw=write --bs=4k \
	--iodepth=8 --offset=8M --size=64k
goes_on '... continue_on_error=write' 1 write $((15 * 4096)) "$write" --filename=/dev/drive/w \
	--rw=write --bs=4k --iodepth=8 --offset=8M --size=64k --continue_on_error=write
fails 'verify over a block that cannot be read' "$read" --filename=/dev/drive/r --rw=write --bs=4k \
	--iodepth=8 --offset=8M --size=64k --verify=crc32c
is "$(bytes write)" 65536 '... all was written'

# The drive takes 128 KiB; the bad block is in the fourth part of its I/O of 1 MiB.
part="/dev/drive/s: Read of [0-9]+ blocks at LBA 17[0-9]+ failed: $bad_read"
engine_fio --filename=/dev/drive/s --rw=read --bs=1M --offset=8M --size=1M
is "$? $(job_error) $(bytes read)" "1 5 0" 'a bad block inside a split I/O: all of the I/O fails'
like "$(grep -v 'note:' "$work/err" | grep '^nvmept: ')" "^nvmept: $part"'$' \
	'... one line names the part'
for depth in 1 8; do
	engine_fio --filename=/dev/drive/s --rw=read --bs=1M --iodepth=$depth --continue_on_error=io \
		--loops=2
	is "$? $(errors) $(bytes read)" "0 2 $((62 << 20))" \
		"split I/Os at depth $depth: the two fail once each, the others count"
done
works 'after all that the drive works' --filename=/dev/drive/s --rw=randwrite --bs=1M --iodepth=4 \
	--offset=16M --size=8M --verify=crc32c

# --- a reset during I/O -------------------------------------------------------------------------

# resets NAME BS DRIVE ARGS...: resets, half a second apart, while a job writes and then verifies.
# A reset takes back what is in flight: these I/Os of BS bytes fail, with what took them as the
# reason; each is counted, no other is lost, and what was written verifies.
resets()
{
	local name=$1 bs=$2 drive=$3 job n=0
	shift 3
	engine_fio "--filename=$drive" --verify=crc32c "--bs=$bs" --continue_on_error=all "$@" &
	job=$!
	while kill -0 $job 2>/dev/null; do
		nvme reset "$drive-ctrl" && n=$((n + 1))
		sleep 0.5
	done
	wait $job
	is "$?" 0 "$name: the job goes on, what was written verifies"
	is "$(($(bytes write) + $(bytes read)))" "$((($(ios write) + $(ios read) - $(errors)) * bs))" \
		"$name: all I/Os but the $(errors) failed ones moved their bytes"
	is "$(grep "^nvmept: /" "$work/err" | grep -v "Aborted By Host\|SQ Deletion\|Host Pathing\|EINTR")" "" \
		"$name: no failure is blamed on anything else"
	[ $n -ge 2 ] && pass "$name: $n resets" || fail "$name: only $n resets"
}
resets 'resets at depth 32' 4096 /dev/drive/c --rw=randwrite --size=8M --iodepth=32
resets 'resets at depth 1, threads' 4096 /dev/drive/c --rw=randwrite --size=8M --thread
resets 'resets and split I/Os' 1048576 /dev/drive/v --rw=write --size=64M --iodepth=4
works 'after the resets' --filename=/dev/drive/c --rw=randrw --bs=4k --iodepth=32 --number_ios=500

# --- a drive that is pulled ---------------------------------------------------------------------

now() { date +%s%N | sed 's/......$//'; }

# start DRIVE NAME ARGS...: a job of 60 seconds in the background.
start()
{
	local drive=$1 n=${#names[@]}
	names+=("$2")
	shift 2
	(
		fio --name=t --ioengine=$plugin --filename=/dev/drive/$drive --runtime=60 --time_based \
			--output-format=json --output="$work/out.$n" \
			"--exec_prerun=mktemp $work/up.XXXXXX" "$@" >"$work/err.$n" 2>&1
		echo "$? $(now)" >"$work/end.$n"
	) &
}

# running N: waits until N jobs have opened their drive and are at work.
running()
{
	local i

	for ((i = 0; i < 300; i++)); do
		[ "$(find "$work" -name 'up.*' | wc -l)" -lt "$1" ] || break
		sleep 0.1
	done
	is "$(find "$work" -name 'up.*' | wc -l)" "$1" "$1 jobs are at work"
	sleep 2
}

# pulled CONTROLLER: waits until the kernel has seen it; sets $gone to the time in ms.
pulled()
{
	local i

	for ((i = 0; i < 300; i++)); do
		[ "$(cat "/sys/class/nvme/$1/state" 2>/dev/null)" = live ] || break
		sleep 0.1
	done
	gone=$(now)
}

# ended: all jobs that were started end within 10 s of $gone, with an error and one line.
ended()
{
	local n i status at late err

	for n in "${!names[@]}"; do
		for ((i = 0; i < 200; i++)); do
			[ -s "$work/end.$n" ] && break
			sleep 0.1
		done
		read -r status at <"$work/end.$n" || { status=running at=$((gone + 99999)); }
		late=$((at > gone ? at - gone : 0))
		if [ "$status" != 0 ] && [ $late -le 10000 ]; then
			pass "${names[n]}: ends within 10 s of the drive's going ($late ms)"
		else
			fail "${names[n]}: ends within 10 s of the drive's going" \
				"status $status, $late ms" "$(cat "$work/err.$n")"
		fi
		err=$(grep "^nvmept: " "$work/err.$n" | grep -v note:)
		is "$(grep -c "\"error\" : 19," "$work/out.$n")" "$(grep -c "\"error\" :" "$work/out.$n")" \
			"${names[n]}: ... all its jobs with ENODEV"
		like "$err" "^nvmept: /dev/drive/[uvp]: the drive is gone: [^:]*; the job ends\$" \
			"${names[n]}: ... and one line"
	done
}

names=()
for depth in 1 32 256; do
	start u "forked, depth $depth" --rw=randread --bs=4k --iodepth=$depth
	start u "thread, depth $depth" --rw=randwrite --bs=4k --iodepth=$depth --thread
done
start u 'four jobs, depth 8' --rw=randrw --bs=4k --iodepth=8 --numjobs=4
start v 'split I/Os' --rw=randread --bs=1M --iodepth=8
start v 'split writes, continue_on_error=all' --rw=randwrite --bs=1M --iodepth=4 --thread \
	--continue_on_error=all
start v 'continue_on_error=all, depth 32' --rw=randrw --bs=4k --iodepth=32 --continue_on_error=all
running 13
u=$(readlink /dev/drive/u-ctrl) v=$(readlink /dev/drive/v-ctrl)
vm-control unplug u
vm-control unplug v
pulled "${u#/dev/}"
pulled "${v#/dev/}"
ended

# Two paths: the first that is pulled is not missed, the second is.
names=()
rm "$work"/end.* "$work"/up.*
start p 'two paths, depth 32' --rw=randread --bs=4k --iodepth=32
start p 'two paths, depth 1, threads' --rw=randread --bs=4k --thread
running 2
p=$(readlink /dev/drive/p-ctrl)
p=${p#/dev/}
other=$(for c in /sys/class/nvme/*; do
	[ "$(cat "$c/subsysnqn")" != "$(cat /sys/class/nvme/$p/subsysnqn)" ] || echo "${c##*/}"
done | grep -vx "$p")
vm-control unplug p-path2
pulled "$other"
sleep 3
is "$(ls "$work"/end.* 2>/dev/null)" "" 'one of two paths gone: the jobs go on'
before=$(smart "/dev/$p" | cut -d' ' -f1)
sleep 2
ok '... they still read' test "$(smart "/dev/$p" | cut -d' ' -f1)" -gt "$before"
vm-control unplug p
pulled "$p"
ended
done_testing
