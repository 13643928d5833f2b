#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the VM: a namespace that is in use, in every way that the kernel has, is not written to:
# refused before any command, data and write count as before. Reading is allowed, and all is with
# nvme_force=1, with a note; once the use has ended there is no word.
# drives: name=a,size=8M
. t/lib.sh
. t/mistakes.sh
. t/vm/engine.sh

drive=/dev/drive/a
disk=$(readlink $drive)
name=${disk#/dev/}
# shellcheck disable=SC2034 # the rows of t/mistakes.sh use it
engine="--name=t --ioengine=external:$PWD/build/nvmept.so --bs=4k"
scratch=$work
modprobe -a dm-mod raid1 loop 2>/dev/null
export DM_DISABLE_UDEV=1 MDADM_NO_UDEV=1
mkdir -p /mnt/a

# What the drive has counted, and what it holds (a deallocation shows as zeroes). Past the page cache.
state()
{
	smart $drive-ctrl | cut -d' ' -f2
	dd if=$drive bs=1M iflag=direct 2>/dev/null | md5sum
}

# Wait until file systems and drivers have written what they had to.
settle()
{
	local before='' now i

	sync
	for ((i = 0; i < 60; i++)); do
		now=$(smart $drive-ctrl)
		[ "$now" != "$before" ] || return
		before=$now
		sleep 0.5
	done
}

# forced NAME WHY: nvme_force=1 writes eight blocks, with one line. They lie near the end, where no
# user keeps what it needs.
forced()
{
	local before lines

	before=$(smart $drive-ctrl)
	engine_fio --filename=$drive --rw=write --bs=4k --offset=6M --number_ios=4 --numjobs=2 \
		--nvme_force=1
	is "$? $(ios write) $(($(smart $drive-ctrl | cut -d' ' -f2) - ${before#* }))" "0 8 8" \
		"$1: nvme_force=1 writes eight blocks"
	lines=$(grep '^nvmept: ' "$work/err")
	like "$lines" "^nvmept: note: $drive: $2; written to all the same, because of nvme_force=1$" \
		"$1: ... and says so, once"
}

# used NAME WHY: the drive is in use, for the reason WHY, a regex.
used()
{
	local line="nvmept: $drive(-ng)?: $2; writing would destroy it. Nothing was written. nvme_force=1 writes all the same$"

	settle
	mistakes <<-END
	$1: write, four jobs | \$engine --rw=write --numjobs=4 --filename=$drive | $line | 4
	$1: trim             | \$engine --rw=randtrim --filename=$drive-ng       | $line | 1
	END
	works "$1: reading is allowed" --filename=$drive --rw=randread --bs=4k --number_ios=50 \
		--numjobs=2
	is "$(cat "$work/err")" "" "$1: ... without a word"
	forced "$1" "$2"
}

# unused NAME: its user has gone.
unused()
{
	engine_fio --filename=$drive --rw=randwrite --bs=4k --number_ios=8
	is "$? $(ios write) $(cat "$work/err")" "0 8 " "$1: it can be written to again"
}

# needs NAME PROGRAM: false, after a skip, where the guest lacks it.
needs()
{
	command -v "$2" >/dev/null && return
	skip "$1" "the guest has no $2"
	return 1
}

# Data that a deallocation would change.
fill()
{
	umount -q /mnt/a 2>/dev/null
	fio --name=fill --ioengine=psync --filename=$disk --rw=write --bs=1M --direct=1 \
		--output=/dev/null
}

fill
unused 'nobody uses it'

mkfs.ext4 -q -F $disk
unused 'a file system that is not mounted'
mkfs.ext4 -q -F $disk
# Read-only, here and below: a file system may else write at any time, and the rows would see it.
mount -o ro $disk /mnt/a
used 'mounted' "$name is mounted on /mnt/a"
cat >"$work/log" <<-END
	fio version 2 iolog
	$drive add
	$drive open
	$drive write 4096 4096
	$drive close
END
mistakes <<-END
a replayed log that writes    | \$engine --read_iolog=$work/log | nvmept: $drive: $name is mounted on /mnt/a; writing would destroy it. | 1
a mix of reads and writes     | \$engine --rw=randrw --rwmixread=99 --filename=$drive | nvmept: $drive: $name is mounted on /mnt/a; writing | 1
trims before writes, in threads | \$engine --rw=trimwrite --thread --numjobs=2 --filename=$drive | nvmept: $drive: $name is mounted on /mnt/a; writing | 2
one job reads, the next writes | \$engine --filename=$drive --rw=read --number_ios=5 --name=w --ioengine=external:$PWD/build/nvmept.so --filename=$drive --rw=write | nvmept: $drive: $name is mounted on /mnt/a; writing | 1
END
mkdir -p /mnt/b
mount --bind /mnt/a /mnt/b
umount /mnt/a
used 'a bind mount' "$name is mounted on /mnt/b"
umount /mnt/b
unused 'unmounted'

# In another mount namespace, where our /proc/self/mountinfo does not show it.
fill
mkfs.ext4 -q -F $disk
if needs 'mounted elsewhere' unshare; then
	mkfifo "$work/stop"
	unshare -m sh -c "mount -o ro $disk /mnt/a && echo >$work/up && read -r line <$work/stop" &
	until [ -s "$work/up" ] || ! kill -0 $!; do sleep 0.1; done
	used 'mounted in another namespace' \
		"$name or a partition of it is opened exclusively by the kernel or another program .*"
	echo >"$work/stop"
	wait $!
	unused 'unmounted there'
fi

fill
printf 'label: dos\nstart=2048, size=8192\nstart=10240\n' | sfdisk -q $disk
until [ -b "${disk}p1" ]; do sleep 0.1; done
unused 'partitions that nobody uses'
printf 'label: dos\nstart=2048, size=8192\nstart=10240\n' | sfdisk -q $disk
mkfs.ext4 -q -F "${disk}p1"
mount -o ro "${disk}p1" /mnt/a
used 'a mounted partition' "${name}p1 is mounted on /mnt/a"
umount /mnt/a
mkswap -f "${disk}p1" >/dev/null 2>&1
swapon "${disk}p1"
used 'a partition that is swap' "${name}p1 is swap"
swapoff "${disk}p1"
unused 'no longer swap'

fill
sfdisk -q --delete $disk 2>/dev/null
mkswap -f $disk >/dev/null 2>&1
swapon $disk
used 'swap' "$name is swap"
swapoff $disk
unused 'swap switched off'

fill
if needs 'an md array' mdadm; then
	mdadm --quiet --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean \
		--bitmap=none $disk missing 2>"$work/md"
	used 'an md array' "$name is a member of md[0-9]+ \(raid1\)"
	mdadm --quiet --stop /dev/md0
	unused 'the array stopped'
fi

fill
if needs 'device mapper' dmsetup; then
	echo "0 8192 linear $disk 0" | dmsetup create piece
	used 'device mapper' "$name is held by dm-[0-9]+ \(piece\)"
	dmsetup mknodes piece
	mkfs.ext4 -q -F /dev/mapper/piece
	mount -o ro /dev/mapper/piece /mnt/a
	used 'a file system on device mapper' "$name is held by dm-[0-9]+ \(piece\), mounted on /mnt/a"
	umount /mnt/a
	dmsetup remove piece
	unused 'the mapping removed'
fi

fill
if needs 'LVM' lvm; then
	lvm()
	{
		command lvm "$@" --config 'activation{udev_sync=0 udev_rules=0 verify_udev_operations=1}' \
			>>"$work/lvm" 2>&1
	}
	lvm pvcreate -ff -y $disk
	lvm vgcreate vg $disk
	unused 'a physical volume without a volume in use'
	fill
	lvm pvcreate -ff -y $disk
	lvm vgcreate vg $disk
	lvm lvcreate -y -Wn -Zn -L 4M -n home vg
	used 'LVM' "$name is held by dm-[0-9]+ \(LVM vg-home\)"
	lvm vgchange -an vg
	unused 'the volume group off'
fi

fill
losetup /dev/loop0 $disk
used 'a loop device on it' "$name is the backing device of loop0"
losetup -d /dev/loop0
unused 'the loop device detached'

done_testing
