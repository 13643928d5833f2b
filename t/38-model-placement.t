#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# nvme_placement= and its companions on model drives, which count the bytes of each identifier.
# On QEMU's drives, through the kernel: 49.

# shellcheck source=t/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/vm/engine.sh"

use_model_drives
cd "$work" || exit 1

"$nvsim" create a.nvsim --capacity=64M --timing=none --ruhs=4 --seed=1 >create.out 2>&1 ||
	bail "nvsim create: $(<create.out)"
"$nvsim" create small.nvsim --capacity=16M --lba=512 --timing=none --ruhs=2 --seed=1 >create.out 2>&1

# bytes DRIVE: KiB of each identifier, and of writes without one; the drive is then empty again.
kib()
{
	local all
	all=$("$nvsim" info --json "$1" | sed -n 's/^ *"identifier_bytes": \([0-9]*\).*/\1/p' |
		awk '{ printf "%s%d", sep, $1 / 1024; sep = " " }')
	"$nvsim" reset "$1" >/dev/null
	echo "$all"
}

# places NAME KIB ARGS...: the run works, and so many KiB went to each identifier.
places()
{
	local name=$1 want=$2
	shift 2
	works "$name" --filename=a.nvsim "$@"
	is "$(kib a.nvsim)" "$want" '... bytes of each identifier'
}

places 'without placement' '0 0 0 0' --rw=write --bs=64k --size=4M
places 'all four, in turn' '1024 1024 1024 1024' --rw=randwrite --bs=4k --iodepth=8 --size=4M \
	--nvme_placement=ruh:0-3
places 'two of them' '0 2048 0 2048' --rw=write --bs=4k --iodepth=8 --size=4M \
	--nvme_placement=ruh:1,3
places 'identifiers as they are' '0 0 4096 0' --rw=write --bs=4k --size=4M --nvme_placement=pid:0x2
places 'I/Os that are split: one identifier each' '0 8192 0 8192' --rw=write --bs=4m --iodepth=2 \
	--size=16M --nvme_placement=ruh:1,3
places 'weights' '3072 1024 0 0' --rw=randwrite --bs=4k --iodepth=4 --size=4M \
	--nvme_placement=ruh:0-1 --nvme_placement_select=weighted:3,1
places 'by offset: 10%, 40%, 50% of 64 MiB' '6556 26212 32768 0' --rw=write --bs=4k --iodepth=8 \
	--nvme_placement=ruh:0-2 --nvme_placement_select=offset:10%,50%
places 'by offset in bytes' '4096 61440 0 0' --rw=write --bs=4k --iodepth=8 \
	--nvme_placement=ruh:0-1 --nvme_placement_select=offset:4m
places 'by job: clones' '1024 1024 1024 1024' --rw=write --bs=4k --size=1M --numjobs=4 \
	--nvme_placement=ruh:0-3 --nvme_placement_select=job
places '... threads' '1024 1024 1024 1024' --rw=write --bs=4k --size=1M --numjobs=4 --thread \
	--nvme_placement=ruh:0-3 --nvme_placement_select=job
places '... more jobs than identifiers' '2048 0 2048 0' --rw=write --bs=4k --size=1M --numjobs=4 \
	--nvme_placement=ruh:0,2 --nvme_placement_select=job
works 'at random' --filename=a.nvsim --rw=randwrite --bs=4k --iodepth=8 --size=32M \
	--nvme_placement=ruh:0-3 --nvme_placement_select=random
read -r -a got <<<"$(kib a.nvsim)"
for i in 0 1 2 3; do
	# 8192 writes: 2048 each, with a deviation of 39
	ok "... a quarter to identifier $i" test "${got[i]}" -gt $((4 * 1850)) -a "${got[i]}" -lt $((4 * 2250))
done

# Slots change between placed writes, reads, trims.
places 'reads between the writes, verified' '0 0 4096 0' --rw=randwrite --bs=4k --iodepth=16 --size=4M \
	--verify=crc32c --verify_backlog=32 --nvme_placement=ruh:2
places 'trims between them' '0 0 0 2048' --rw=randtrimwrite --bs=4k --iodepth=1 --size=4M --io_size=2M \
	--nvme_placement=ruh:3
works 'sizes that vary' --filename=a.nvsim --rw=randrw --bsrange=4k-64k --iodepth=16 \
	--number_ios=4000 --nvme_placement=ruh:0-3 --verify=crc32c
read -r -a got <<<"$(kib a.nvsim)"
is "$((got[0] + got[1] + got[2] + got[3]))" "$((($(sed -n '/"write" : {/,/}/s/.*"io_bytes" : \([0-9]*\).*/\1/p' out)) / 1024))" \
	'... every byte has its identifier'
works 'two drives in a job' --filename=a.nvsim:small.nvsim --rw=write --bs=4k --size=8M --io_size=8M \
	--nvme_placement=ruh:1
is "$(kib a.nvsim) $(kib small.nvsim)" '0 4096 0 0 0 4096' '... each by its own identifiers'
places 'a job that only reads: no word about it' '0 0 0 0' --readonly --rw=read --bs=64k --size=1M \
	--nvme_placement=ruh:0

# --- fresh reclaim units -------------------------------------------------------------------------

# left RUH: logical blocks that its unit still takes, as a job that uses it is told.
left()
{
	engine_fio --filename=a.nvsim --rw=write --bs=4k --number_ios=0 --size=4k --nvme_verbose=1 \
		"--nvme_placement=ruh:$1" "${@:2}"
	sed -n "s/.*placement: ruh:$1 is .* its unit takes \([0-9]*\) more blocks/\1/p" err
}
engine_fio --filename=a.nvsim --rw=write --bs=4k --size=40k --nvme_placement=ruh:1
is "$(left 1)" 54 'after ten blocks a unit of 64 takes 54 more'
engine_fio --filename=a.nvsim --rw=write --bs=4k --size=4k --nvme_placement=ruh:1 --nvme_ruh_update=start
is "$(left 1)" 63 'nvme_ruh_update=start: one write later a fresh one takes 63'
is "$(left 0)" 64 '... the others are as they were'
"$nvsim" reset a.nvsim >/dev/null

# --- what is refused -----------------------------------------------------------------------------

bad()
{
	local name=$1 line=$2
	shift 2
	refused "$name" "$line" --filename=a.nvsim --rw=write --bs=4k --size=4k "$@"
}
bad 'a handle that is not there' 'a.nvsim: nvme_placement=ruh:4: the namespace has 4 placement handles, ruh:0 to ruh:3$' \
	--nvme_placement=ruh:4
bad 'an identifier that is not there' 'a.nvsim: nvme_placement=pid:0x9 is none of the namespace.s: 0x0, 0x1, 0x2, 0x3$' \
	--nvme_placement=pid:9
bad 'a list without its kind' 'nvme_placement=0,1: say ruh:LIST' --nvme_placement=0,1
for list in ruh: ruh:1- ruh:2-1 ruh:0,x "ruh:0,," pid:-1 ruh:65536; do
	bad "a list that is none: $list" "nvme_placement=$list: numbers up to 65535 or ranges are wanted" \
		"--nvme_placement=$list"
done
bad 'an unknown way to choose' 'nvme_placement_select=best: roundrobin, random, job,' \
	--nvme_placement=ruh:0 --nvme_placement_select=best
for select in weighted:1 weighted:1,2,3; do
	bad "weights for others: $select" "nvme_placement_select=$select: [13] weights for the 2 identifiers" \
		--nvme_placement=ruh:0-1 "--nvme_placement_select=$select"
done
for select in weighted: weighted:0,1 weighted:1,x weighted:1025,1; do
	bad "weights that are none: $select" "nvme_placement_select=$select: weights from 1 to 1024 are wanted" \
		--nvme_placement=ruh:0-1 "--nvme_placement_select=$select"
done
bad 'weights that are too many' 'nvme_placement_select=weighted:1000,1000: the weights. sum is 2000; 1024 at most' \
	--nvme_placement=ruh:0-1 --nvme_placement_select=weighted:1000,1000
for select in offset: offset:50%,10% offset:101% offset:1x; do
	bad "places that are none: $select" "nvme_placement_select=$select: rising places are wanted" \
		--nvme_placement=ruh:0-2 "--nvme_placement_select=$select"
done
for select in offset:0 offset:100% offset:64m offset:1t; do
	bad "a place outside: $select" "a.nvsim: nvme_placement_select=$select: place 1 is not inside the namespace's 67108864 bytes" \
		--nvme_placement=ruh:0-1 --nvme_placement_select=$select
done
bad 'places for others' 'nvme_placement_select=offset:10%: 1 places part the namespace into 2 ranges, for 3 identifiers' \
	--nvme_placement=ruh:0-2 --nvme_placement_select=offset:10%
bad 'an unknown update' 'nvme_ruh_update=end: start and none are known$' --nvme_placement=ruh:0 \
	--nvme_ruh_update=end
bad 'an update of no identifiers' 'nvme_ruh_update=start without nvme_placement=: it is about those identifiers, not those of fio.s own dataplacement=; give nvme_placement=ruh:LIST, too, or leave it out$' \
	--nvme_ruh_update=start
bad 'a choice between none' 'nvme_placement_select=weighted:3,1 without nvme_placement=: ' \
	--nvme_placement_select=weighted:3,1
works '... which a job that only reads may say' --filename=a.nvsim --rw=read --bs=4k --size=4k \
	--nvme_ruh_update=start --nvme_placement_select=random
"$nvsim" create none.nvsim --capacity=16M --timing=none --fdp=none >create.out 2>&1
"$nvsim" create off.nvsim --capacity=16M --timing=none --fdp=off >create.out 2>&1
refused 'a drive without FDP' \
	'none.nvsim: placement: the drive has no Flexible Data Placement: it answers Reclaim Unit Handle Status with Invalid Command Opcode' \
	--filename=none.nvsim --rw=write --bs=4k --size=4k --nvme_placement=ruh:0
refused 'FDP that is switched off' \
	'off.nvsim: placement: Flexible Data Placement is switched off in the namespace.s endurance group' \
	--filename=off.nvsim --rw=write --bs=4k --size=4k --nvme_placement=ruh:0
done_testing
