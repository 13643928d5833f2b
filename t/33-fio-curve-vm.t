#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-curve on Linux' own NVMe driver: a family on two drives, who they are, and that a drive in use is
# not overwritten.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
in_vm --timeout=900 --drive=name=a,size=64M,iops=4000 --drive=name=b,size=64M,iops=2000

cd "$top" || bail "cannot enter $top"
curve=$PWD/build/fio-curve
cd "$work" || exit 1

# run.json as fio-curve prints it: the value of KEY of a point
state()
{
	grep -A 40 "\"point\": \"$2\"" "$1/run.json" | sed -n "s/^ *\"$3\": \"*\([^\",]*\).*/\1/p" | head -n 1
}
value()
{
	sed -n "s/^ *\"$2\": \"*\([^\",]*\).*/\1/p" "$1" | head -n 1
}
sysfs()
{
	sed 's/ *$//' "/sys/class/block/$(basename "$(readlink /dev/drive/a)")/device/$1"
}

capture "$curve" --drive=a=/dev/drive/a-ng --drive=b=/dev/drive/b --runtime=2 --ramp=0 --yes corners
is "$status$err" 0 'the four corners on two drives'
for point in seqwrite-256k-1t64q seqread-256k-1t64q randread-4k-8t32q randwrite-4k-8t32q; do
	for drive in a b; do
		is "$(state results/$drive corners/$point/max state)" 'done' "$drive: $point"
	done
done
like "$out" "a: /dev/drive/a-ng  $(sysfs model), serial $(sysfs serial), 67.1 MB" \
	'what is overwritten is said with model, serial and size'
is "$(value results/a/drive.json serial) $(value results/a/drive.json firmware)" \
	"$(sysfs serial) $(sysfs firmware_rev)" 'drive.json has serial and firmware from the kernel'
is "$(value results/a/drive.json capacity_bytes)" 67108864 '... and the size'
iops=$(state results/a corners/randread-4k-8t32q/max iops)
ok "the drive's limit of 4,000 IOPS is found ($iops)" test "${iops%.*}" -ge 400 -a "${iops%.*}" -le 4800
capture "$curve" --drive=a=/dev/drive/b --runtime=2 --ramp=0 --yes corners
like "$status $err" '^2 .*results of another drive lie there' "another drive's results are refused"

# --- in use ---------------------------------------------------------------------------------------
disk=$(readlink -f /dev/drive/a)
# used NAME REGEX: what writes is refused, by either name; what reads is not
used()
{
	local target before
	before=$(dd if="$disk" bs=1M iflag=direct 2>/dev/null | md5sum)
	for target in /dev/drive/a /dev/drive/a-ng "$disk"; do
		capture "$curve" --out=used --drive=a=$target --runtime=0.5 --yes corners/randwrite-4k-8t32q
		is "$status" 2 "$1: $target is refused"
		like "$err" "$target: will not be overwritten: $2" '... and says why'
	done
	is "$(dd if="$disk" bs=1M iflag=direct 2>/dev/null | md5sum)" "$before" '... nothing was written'
	capture "$curve" --out="read-$RANDOM" --drive=a=/dev/drive/a-ng --runtime=0.5 --ramp=0 \
		corners/randread-4k-8t32q
	is "$status$err" 0 '... reading is allowed'
}
mkfs.ext4 -q -F "$disk"
mkdir -p /mnt/curve
mount -o ro "$disk" /mnt/curve
used 'mounted' "${disk#/dev/} is mounted on /mnt/curve"
umount /mnt/curve
if command -v mkswap >/dev/null && mkswap "$disk" >"$work/mkswap" && swapon "$disk"; then
	used 'swap' "${disk#/dev/} is.* swap"
	swapoff "$disk"
else
	skip 'swap' 'the guest has no swap'
fi
capture "$curve" --out=free --drive=a=/dev/drive/a --runtime=0.5 --ramp=0 --yes corners/randwrite-4k-8t32q
is "$status$err" 0 'not in use any more: it is overwritten'
done_testing
