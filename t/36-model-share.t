#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Eight fio processes on one model drive: overwrites and deallocates of three capacities at random,
# each of the eight where it likes; then every block written and verified, each its eighth. What
# happens when one of several is killed is for t/unit/model_kill.c.

# shellcheck source=t/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/vm/engine.sh"

use_model_drives
cd "$work" || exit 1

mib=64
processes=8

# info FIELD: of the drive; a field name stands once in nvsim's JSON.
info()
{
	"$nvsim" info --json drive.nvsim | sed -n "s/^ *\"$1\": \([0-9.]*\),*$/\1/p" | head -1
}

# start ID ARG...: a fio of its own, in the background.
start()
{
	local id=$1
	shift
	fio --name="p$id" --ioengine="external:$plugin" --filename=drive.nvsim --randseed="$id" \
		--iodepth=16 --output-format=json --output="out.$id" "$@" >"std.$id" 2>"err.$id" &
}

# all_well: every process ended with 0 and without an error.
all_well()
{
	local failed=0 i
	for i in $(seq $processes); do
		wait "${pid[i]}" && grep -q '"total_ios" : [1-9]' "out.$i" && continue
		failed=1
		head -5 "err.$i"
	done
	return $failed
}

# ios DIRECTION: of the processes of the last phase together.
ios()
{
	cat out.* | sed -n "/\"$1\" : {/,/}/s/.*\"total_ios\" : \([0-9]*\).*/\1/p" |
		awk '{ n += $1 } END { print n + 0 }'
}

# Six write and two write and deallocate, anywhere in the drive: three capacities in all.
overwrite()
{
	local i rw
	for i in $(seq $processes); do
		rw=randwrite
		[ "$i" -le 2 ] && rw=randtrimwrite
		start "$i" --rw=$rw --bs="$1" --io_size=$((3 * mib / processes))M --norandommap
		pid[i]=$!
	done
	all_well
}

write_and_verify()
{
	local i share=$((mib / processes))
	for i in $(seq $processes); do
		start "$i" --rw=randwrite --bs="$1" --offset=$((share * (i - 1)))M --size=${share}M \
			--verify=crc32c --verify_fatal=1
		pid[i]=$!
	done
	all_well
}

for lba in 4096 512; do
	"$nvsim" create drive.nvsim --capacity=${mib}M --lba=$lba --op=10% --timing=none --seed=1 \
		>create.out 2>&1 || bail "nvsim create: $(<create.out)"
	name="$lba-byte blocks"
	bs=4k
	[ $lba = 512 ] && bs=512-8k
	ok "$name: $processes processes overwrite and deallocate at random" overwrite $bs
	ok "... units were collected" test "$(info erased_units)" -gt 0
	ok "... there were deallocates" test "$(info deallocates)" -gt 100
	is "$(info deallocates)" "$(ios trim)" '... every one of them was counted'
	ok "$name: all is written and verified, an eighth by each" write_and_verify 4k
	is "$(ios write)" $((mib * 256)) '... every block'
	is "$(ios read)" $((mib * 256)) '... and read back'
	is "$(info mapped_pages)" $((mib * 256)) '... and mapped'
	is "$(info media_bytes)" $((4096 * ($(info host_pages) + $(info relocated_pages)))) \
		'... the counters add up'
	is "$(info repairs)" 0 '... with no repair'
	rm -f drive.nvsim
done
done_testing
