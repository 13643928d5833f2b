#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the VM, on QEMU's FDP drives: where writes go by the drive's own counts, and fio's own placement
# options where the fio at hand has them. Drives f (4096-byte blocks) and g (512).
. t/lib.sh
. t/vm/engine.sh

drive=/dev/drive/f
ctrl=$drive-ctrl

# left INDEX: logical blocks that the reclaim unit of a placement handle still takes.
left()
{
	nvme fdp status "$drive" | sed -n "s/.*(RUAMW): \(0x[0-9a-f]*\|[0-9]*\).*/\1/p" |
		sed -n "$(($1 + 1))p"
}

# written: HBMW and MBMW, bytes.
written()
{
	nvme fdp stats "$ctrl" -e 1 | sed -n 's/.*(\(HBMW\|MBMW\)): *\([0-9,]*\).*/\1 \2/p' | tr -d , |
		awk '{ printf "%s%s", sep, $2; sep = " " }'
}

lefts()
{
	local i all=()
	for i in 0 1 2 3; do
		all+=($(($(left $i))))
	done
	echo "${all[*]}"
}

# moved NAME BLOCKS ARGS...: the run takes so many blocks from each of the four units (4096 in each);
# HBMW rises by what fio counts.
moved()
{
	local name=$1 want=$2 before after i took=() bytes
	shift 2
	read -r -a before <<<"$(lefts) $(written)"
	works "$name" --filename=$drive "$@"
	read -r -a after <<<"$(lefts) $(written)"
	for i in 0 1 2 3; do
		took+=($(((before[i] - after[i] + 4096) % 4096)))
	done
	is "${took[*]}" "$want" '... blocks that each unit took'
	bytes=$(sed -n '/"write" : {/,/}/s/.*"io_bytes" : \([0-9]*\).*/\1/p' "$work/out" |
		awk '{ n += $1 } END { print n }')
	is $((after[4] - before[4])) "${bytes}" '... host bytes written (HBMW): what fio counts'
}

nvme fdp status $drive | head -4 | sed 's/^/# /'
moved 'without placement all goes to the first' '256 0 0 0' --rw=write --bs=64k --size=1M
moved 'four jobs, a handle each' '256 256 256 256' --rw=write --bs=16k --size=1M --numjobs=4 \
	--offset_increment=1M --iodepth=4 --nvme_placement=ruh:0-3 --nvme_placement_select=job
moved '... as threads, in turn' '256 256 256 256' --rw=randwrite --bs=4k --iodepth=16 --size=4M \
	--thread --nvme_placement=ruh:0-3
moved 'the third alone' '0 0 256 0' --rw=randwrite --bs=4k --iodepth=8 --size=1M --nvme_placement=ruh:2 \
	--verify=crc32c
moved 'by weight' '0 768 0 256' --rw=write --bs=4k --iodepth=8 --size=4M --nvme_placement=ruh:1,3 \
	--nvme_placement_select=weighted:3,1
moved 'I/Os that are split' '0 512 0 512' --rw=write --bs=2m --iodepth=2 --size=4M \
	--nvme_placement=ruh:1,3
works 'a run with ramp time' --filename=$drive --rw=write --bs=4k --size=8M --ramp_time=1 --runtime=2 \
	--time_based --nvme_placement=ruh:0

# An update closes the unit: QEMU counts what is left of it as media bytes.
engine_fio --filename=$drive --rw=write --bs=4k --size=4k --nvme_placement=ruh:3
read -r -a before <<<"$(written)"
unit_left=$(($(left 3)))
works 'nvme_ruh_update=start' --filename=$drive --rw=write --bs=4k --size=4k --nvme_placement=ruh:3 \
	--nvme_ruh_update=start
read -r -a after <<<"$(written)"
is "$((after[0] - before[0]))" 4096 '... a write of one block'
is "$((after[1] - before[1]))" $((4096 + 4096 * unit_left)) \
	'... and what was left of the unit stands in the media bytes (MBMW)'
is "$(($(left 3)))" 4095 '... the next unit takes all but one block'

refused 'a handle that the namespace lacks' \
	"$drive: nvme_placement=ruh:4: the namespace has 4 placement handles, ruh:0 to ruh:3" \
	--filename=$drive --rw=write --bs=4k --size=4k --nvme_placement=ruh:4
refused 'an identifier that it lacks' \
	"$drive: nvme_placement=pid:0x63 is none of the namespace.s: 0x0, 0x1, 0x2, 0x3" \
	--filename=$drive --rw=write --bs=4k --size=4k --nvme_placement=pid:99
refused 'a drive without FDP' '/dev/drive/a: placement: ' \
	--filename=/dev/drive/a --rw=write --bs=4k --size=4k --nvme_placement=ruh:0

# --- fio's own options ---------------------------------------------------------------------------

if fio --cmdhelp=fdp 2>/dev/null | grep -q fdp; then
	moved "fio's fdp=1 fdp_pli=1,3" '0 128 0 128' --rw=randwrite --bs=4k --iodepth=8 --size=1M \
		--fdp=1 --fdp_pli=1,3
	moved '... verified, reads between' '0 0 256 0' --rw=randwrite --bs=4k --iodepth=8 --size=1M \
		--verify=crc32c --verify_backlog=16 --fdp=1 --fdp_pli=2
	refused '... beside nvme_placement' "nvme_placement= beside fio's own fdp= or dataplacement=" \
		--filename=$drive --rw=write --bs=4k --size=4k --fdp=1 --nvme_placement=ruh:0
	refused '... on a drive without FDP' '/dev/drive/a: placement: ' \
		--filename=/dev/drive/a --rw=write --bs=4k --size=4k --fdp=1
else
	skip "fio's fdp=" "fio 3.34 and newer have it, this is $(fio --version)"
fi
if fio --cmdhelp=dataplacement 2>/dev/null | grep -q dataplacement; then
	moved "fio's dataplacement=fdp plids=0,2" '128 0 128 0' --rw=randwrite --bs=4k --iodepth=8 \
		--size=1M --dataplacement=fdp --plids=0,2
	printf '0,524288,3\n524288,1048576,1\n' >"$work/scheme"
	moved '... plid_select=scheme' '0 128 0 128' --rw=write --bs=4k --iodepth=8 --size=1M \
		--dataplacement=fdp --plid_select=scheme --dp_scheme="$work/scheme"
	moved '... two jobs, two streams' '0 256 256 0' --rw=write --bs=16k --size=1M --dataplacement=fdp \
		--plids=1 --name=u "--ioengine=${ENGINE:-$plugin}" --filename=$drive --rw=write --bs=16k \
		--size=1M --offset=8M --dataplacement=fdp --plids=2
else
	skip "fio's dataplacement=" "fio 3.38 and newer have it, this is $(fio --version)"
fi
done_testing
