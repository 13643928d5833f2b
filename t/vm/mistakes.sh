#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the VM: what the plugin says to a user's mistakes where a drive is needed to make them: one
# clear line, an exit status that is not 0, nothing created, and no write command at the drives.
# drives: name=a,size=64M name=k,lba=4096 name=m,lba=4096,ms=8
# drives: name=z,ns.zoned=on,ns.zoned.zone_size=4M name=p,paths=2 name=g
. t/lib.sh
. t/mistakes.sh
. t/vm/engine.sh

plugin=$PWD/build/nvmept.so
# shellcheck disable=SC2034 # the tables' rows use these
engine="--name=t --ioengine=external:$plugin --bs=4k" ctrl=$(readlink /dev/drive/a-ctrl)
node=$(readlink /dev/drive/a-ng) disk=$(readlink /dev/drive/a)
scratch=$work/scratch
mkdir "$scratch"
chmod 755 "$work" "$scratch"

# All names that could come up, and the write commands that the drives of the row have had.
state()
{
	local drive

	ls -ln "$scratch" /dev /dev/drive | sed 's/^\(.\{10\}\).* /\1 /'
	for drive in a k m z p; do
		case $1 in
		*/drive/$drive* | *\$node* | *\$disk*) echo "$drive $(smart /dev/drive/$drive-ctrl | cut -d' ' -f2)" ;;
		esac
	done
}

# The count must move when something does write: else the rows would prove nothing.
before=$(state /drive/a)
engine_fio --filename=/dev/drive/a --rw=write --bs=4k --number_ios=3
ok "a job that works changes what the rows compare" test "$before" != "$(state /drive/a)"

# What the job names.
printf 'label: dos\nstart=2048, size=4096\nstart=6144\n' | sfdisk -q /dev/drive/a
udevadm settle 2>/dev/null || sleep 0.2
mknod "$scratch/dead" c 511 99
mknod "$scratch/mine" c $((0x$(stat -c %t "$node"))) $((0x$(stat -c %T "$node")))
mkdir /dev/by-path
ln -s "$node" "/dev/by-path/pci-0000:01:00.0-nvme-1"
mistakes <<'END'
a controller                      | $engine --rw=write --filename=$ctrl        | nvmept: /dev/nvme[0-9]*: is a controller; I/O goes to one of its namespaces, such as /dev/ng[0-9]*n1$ | 1
... behind a link                 | $engine --rw=write --filename=/dev/drive/a-ctrl | nvmept: /dev/drive/a-ctrl: is a controller | 1
a partition                       | $engine --rw=write --filename=${disk}p1    | nvmept: /dev/nvme.*p1: is a partition; passthrough reaches whole namespaces only: give /dev/nvme[0-9]*n1 with offset=1048576 size=2097152$ | 1
a partition to read               | $engine --rw=read --filename=${disk}p2     | nvmept: /dev/nvme.*p2: is a partition; .* with offset=3145728 size=63963136$ | 1
... that is not there             | $engine --rw=write --filename=${disk}p3    | nvmept: /dev/nvme.*p3: no such device | 1
a node without a device           | $engine --rw=write --filename=dead         | nvmept: dead: no device stands behind this node any more$ | 1
a by-path link, not escaped       | $engine --rw=write --filename=/dev/by-path/pci-0000:01:00.0-nvme-1 | nvmept: /dev/by-path/pci-0000: no such device: fio splits names at ':'. Write filename=/dev/by-path/pci-0000\\:01\\:00.0-nvme-1$ | 1
the second of two is not there    | $engine --rw=write --filename=/dev/drive/a:/dev/drive/nowhere | nvmept: /dev/drive/nowhere: no such device | 1
the second of two is a controller | $engine --rw=write --filename=/dev/drive/a:/dev/drive/k-ctrl | nvmept: /dev/drive/k-ctrl: is a controller | 1
a namespace with metadata         | $engine --rw=write --filename=/dev/drive/m | nvmept: /dev/drive/m: LBA format [0-9]+ has 8 bytes of metadata a block \(separate buffer\), not supported yet; a format without: nvme format -l | 1
... to read                       | $engine --rw=read --filename=/dev/drive/m  | nvmept: /dev/drive/m: LBA format | 1
a zoned namespace                 | $engine --rw=write --filename=/dev/drive/z | nvmept: /dev/drive/z: is a zoned namespace \(ZNS\), not supported; fio's io_uring engine with zonemode=zbd on /dev/nvme[0-9]*n1 does it$ | 1
... by its generic node           | $engine --rw=read --filename=/dev/drive/z-ng | nvmept: /dev/drive/z-ng: is a zoned namespace | 1
END

# What it asks for.
mistakes <<'END'
bs=1                              | $engine --rw=write --bs=1 --filename=/dev/drive/a | nvmept: /dev/drive/a: bs=1 is not a multiple of the logical block, 512 bytes; legal are 512, 1024, 1536 ...$ | 1
bs=1000                           | $engine --rw=read --bs=1000 --filename=/dev/drive/a | nvmept: /dev/drive/a: bs=1000 is not a multiple of the logical block, 512 bytes | 1
bs=512 of 4096-byte blocks        | $engine --rw=write --bs=512 --filename=/dev/drive/k | nvmept: /dev/drive/k: bs=512 is not a multiple of the logical block, 4096 bytes; legal are 4096, 8192, 12288 ...$ | 1
... on the second of two devices  | $engine --rw=write --bs=512 --filename=/dev/drive/a:/dev/drive/k | nvmept: /dev/drive/k: bs=512 is not a multiple | 1
bs=4k,1000 for the writes         | $engine --rw=randrw --bs=4k,1000 --filename=/dev/drive/a | nvmept: /dev/drive/a: bs=1000 is not a multiple | 1
bs=1000 to trim                   | $engine --rw=trim --bs=1000 --filename=/dev/drive/a | nvmept: /dev/drive/a: bs=1000 is not a multiple | 1
bsrange=512-1000                  | $engine --rw=write --bsrange=512-1000 --filename=/dev/drive/a | nvmept: /dev/drive/a: bs=1000 is not a multiple | 1
bssplit with a bad size           | $engine --rw=write --bssplit=512/50:1000/50 --filename=/dev/drive/a | nvmept: /dev/drive/a: bs=1000 is not a multiple | 1
bs above the limit, nvme_split=0  | $engine --rw=write --bs=1M --nvme_split=0 --filename=/dev/drive/a | nvmept: /dev/drive/a: bs of 1048576 bytes is above what one command carries, [0-9]+ bytes, and nvme_split=0 forbids to split; use bs=[0-9]+k or less$ | 1
bs above what NLB can say         | $engine --rw=write --bs=64M --size=64M --nvme_split=0 --filename=/dev/drive/a | nvmept: /dev/drive/a: bs of 67108864 bytes is above | 1
an offset within a block          | $engine --rw=read --offset=100 --filename=/dev/drive/a | nvmept: /dev/drive/a: an I/O of 4096 bytes at byte 100 is not made of whole blocks; bs=, offset=, blockalign=, bs_unaligned or a replayed log must suit blocks of 512 bytes$ | 1
... to write at depth 32          | $engine --rw=write --offset=100 --iodepth=32 --filename=/dev/drive/a | nvmept: /dev/drive/a: an I/O of 4096 bytes at byte 100 is not made | 1
... to trim                       | $engine --rw=trim --offset=100 --filename=/dev/drive/a | nvmept: /dev/drive/a: an I/O of 4096 bytes at byte 100 is not made | 1
bs_unaligned                      | $engine --rw=write --bsrange=512-2047 --bs_unaligned --filename=/dev/drive/a | nvmept: /dev/drive/a: bs=2047 is not a multiple | 1
offset= behind the end            | $engine --rw=write --offset=1G --filename=/dev/drive/a | t: you need to specify valid offset= | 1
iodepth=40000                     | $engine --rw=write --iodepth=40000 --filename=/dev/drive/a | nvmept: iodepth=40000: io_uring takes 1 to 32768$ | 1
nvme_poll=1 without poll queues   | $engine --rw=write --nvme_poll=1 --filename=/dev/drive/a | nvmept: /dev/drive/a: nvme_poll=1, but the device has no poll queues; load the driver with nvme.poll_queues=N | 1
... on a multipath namespace      | $engine --rw=read --nvme_poll=1 --filename=/dev/drive/p | nvmept: /dev/drive/p: nvme_poll=1, but | 1
zonemode=zbd                     | $engine --rw=write --zonemode=zbd --filename=/dev/drive/a | /dev/drive/a: get zoned model failed | 1
END

# What is well, but seldom meant.
mistakes <<'END'
two names of one namespace        | $engine --rw=read --number_ios=9 --filename=$node:$disk | nvmept: note: /dev/ng[0-9]*n1 and /dev/nvme[0-9]*n1 are the same namespace \(ng[0-9]*n1\): the job does each I/O range on it twice$ | 0
a bs that takes several commands  | $engine --rw=read --bs=1M --number_ios=2 --filename=$node | nvmept: note: /dev/ng[0-9]*n1: one command carries [0-9]+ KiB; an I/O of 1024 KiB takes [0-9]+ commands \(nvme_split=0 refuses instead\)$ | 0
END

# Who asks. Before Linux 6.2 commands need CAP_SYS_ADMIN whatever the node's mode.
nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
as=$nobody mistakes <<'END'
not root                          | $engine --rw=write --filename=$node | nvmept: /dev/ng[0-9]*n1: no permission to open /dev/ng[0-9]*n1 for writing; run as root, or have its owner or mode changed$ | 1
... to read                       | $engine --rw=read --filename=$node | nvmept: /dev/ng[0-9]*n1: no permission to open /dev/ng[0-9]*n1 for reading; run as root | 1
END
mkdir -m 700 /dev/locked
ln -s "$node" /dev/locked/ng
as=$nobody mistakes <<'END'
a folder that one may not enter   | $engine --rw=read --filename=/dev/locked/ng | nvmept: /dev/locked/ng: Permission denied$ | 1
END
chmod 444 "$node"
as=$nobody mistakes <<'END'
a node that one may only read     | $engine --rw=write --filename=$node | nvmept: /dev/ng[0-9]*n1: no permission to open /dev/ng[0-9]*n1 for writing | 1
... before Linux 6.2              | $engine --rw=read --filename=$node | nvmept: /dev/ng[0-9]*n1: the kernel refuses NVMe commands on /dev/ng[0-9]*n1 to this user; before 6.2 they need CAP_SYS_ADMIN: run as root$ | 1
END
chmod 666 "$node"
as=$nobody mistakes <<'END'
a node that one may write to, but not ask whether it is in use | $engine --rw=write --filename=$node | nvmept: /dev/ng[0-9]*n1: cannot tell whether it is in use \(cannot read /dev/nvme[0-9]*n1: Permission denied\); nvme_force=1 writes all the same$ | 1
END
chmod 600 "$node"

# What there is too little of.
as="prlimit --nofile=9" mistakes <<'END'
too many open files               | $engine --rw=read --filename=/dev/drive/a:/dev/drive/k:/dev/drive/p | nvmept: /dev/drive/[akp]: cannot open /dev/ng[0-9]*n1: too many open files; raise the limit \(ulimit -n\)$ | 1
END
as="prlimit --nofile=8" mistakes <<'END'
... for the ring                  | $engine --rw=read --filename=/dev/drive/a | nvmept: too many open files for an io_uring; raise the limit \(ulimit -n\)$ | 1
END
as="setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock prlimit --memlock=65536" mistakes <<'END'
memory that one may not lock      | $engine --rw=read --bs=64k --iodepth=8 --number_ios=20 --filename=$node | nvmept: note: going on without fixed buffers: 512 KiB of locked memory needed, the limit is 64 KiB; raise it \(ulimit -l\)$ | 0
... fixed buffers not asked for   | $engine --rw=read --bs=64k --iodepth=8 --number_ios=20 --nvme_fixedbufs=0 --nvme_verbose=1 --filename=$node | nvmept: note: job t \([0-9]*\): commands: 20 Read.* 0 fixed buffers | 0
END

# Nodes that are missing: of the namespace that is named by its disk, and of the disk.
rm "$node"
mistakes <<'END'
no generic node                   | $engine --rw=read --filename=$disk         | nvmept: /dev/nvme[0-9]*n1: /dev/ng[0-9]*n1 is missing; NVMe generic nodes need kernel 5.13 or newer, passthrough I/O 5.19$ | 1
END
mv "$scratch/mine" "$node"
mv "$disk" "$scratch/disk"
mistakes <<'END'
no block node to ask for users    | $engine --rw=write --filename=$node        | nvmept: /dev/ng[0-9]*n1: cannot tell whether it is in use \(cannot read /dev/nvme[0-9]*n1: No such file or directory\); nvme_force=1 writes all the same$ | 1
... which a reader does not       | $engine --rw=read --number_ios=9 --nvme_verbose=1 --filename=$node | nvmept: note: job t .*: 9 Read, 0 Write | 0
END
mv "$scratch/disk" "$disk"

# A drive that went away, and another that took its place.
gone=$(readlink /dev/drive/g-ng)
cp -a "$gone" "$scratch/gone"
vm-control unplug g
for ((i = 0; i < 300; i++)); do
	[ -e "$gone" ] || break
	sleep 0.1
done
mistakes <<'END'
a drive that was removed          | $engine --rw=write --filename=gone         | nvmept: gone: no device stands behind this node any more$ | 1
... by its name                   | $engine --rw=write --filename=/dev/drive/g | nvmept: /dev/drive/g: is a link to /dev/nvme[0-9]*n1, which is not there$ | 1
END
done_testing
