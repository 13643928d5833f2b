# SPDX-License-Identifier: GPL-2.0-only
# Turns the description of a drive into QEMU's arguments. Sourced by run; knows nothing of booting.
#
# A description is a list KEY=VALUE,KEY=VALUE,...:
#   name=a          /dev/drive/a in the guest; also the name for vm-control unplug      (needed)
#   size=64M        capacity, in truncate's units                                       (64M)
#   serial=FAST     serial number                                                       (the name)
#   image=FILE      keep the data in FILE (made when missing); else it is gone afterwards
#   lba=4096        LBA size in bytes                                                   (512)
#   ms=8            metadata bytes per LBA; mset=1 puts them behind each LBA's data     (0)
#   pi=1            protection information type
#   mdts=5          largest transfer: 4 KiB << mdts                                     (7)
#   queues=8        I/O queues                                                          (64)
#   nsid=1          namespace identifier                                                (1)
#   iops= iops-rd= iops-wr= bps= bps-rd= bps-wr=   limits; bps in bytes per second
#   fdp=8           FDP with so many reclaim unit handles, in a subsystem of its own
#   rgs=1 runs=16M ruhs=0-7    its reclaim groups, reclaim unit size, and placement handles' RUHs
#   ocp=on          OCP SMART log C0h
#   paths=2         so many controllers that share the namespace (multipath)            (1)
#   bad-read=OFFSET bad-write=OFFSET    the 512 bytes there fail with EIO, every time
#   ctrl.KEY=VALUE ns.KEY=VALUE         any other property of QEMU's nvme and nvme-ns devices

drive_count=0
port_count=0

# drive_add DESCRIPTION: appends to the array qemu; makes the image in the current folder; adds a
# line "name serial" to the file drives. Errors end the program.
drive_add()
{
	local -A d=([size]=64M [lba]=512 [ms]=0 [rgs]=1 [runs]=16M [paths]=1)
	local ctrl= ns= pair key value path bus

	IFS=, read -ra pairs <<<"$1"
	for pair in "${pairs[@]}"; do
		key=${pair%%=*} value=${pair#*=}
		case $key in
		name|size|serial|image|lba|ms|mset|pi|mdts|queues|nsid|fdp|rgs|runs|ruhs|ocp|paths) ;;
		iops|iops-rd|iops-wr|bps|bps-rd|bps-wr|bad-read|bad-write) ;;
		ctrl.*) ctrl+=,${key#ctrl.}=$value ;;
		ns.*) ns+=,${key#ns.}=$value ;;
		*) die "--drive=$1: unknown key '$key'; t/vm/drive.sh lists the keys" ;;
		esac
		[ "$pair" != "$key" ] || die "--drive=$1: '$key' has no value; write $key=VALUE"
		d[$key]=$value
	done
	[[ ${d[name]:-} =~ ^[a-z][a-z0-9]*$ ]] ||
		die "--drive=$1: needs name=, lower-case letters and digits"

	drive_count=$((drive_count + 1))
	: "${d[serial]:=${d[name]}}"
	echo "${d[name]} ${d[serial]}" >>drives
	drive_blocks
	drive_devices
}

declare -A limit_names=(
	[iops]=iops-total [iops-rd]=iops-read [iops-wr]=iops-write
	[bps]=bps-total [bps-rd]=bps-read [bps-wr]=bps-write
)

# drive_number KEY: the value of KEY as a plain number; 1M is 1048576.
drive_number()
{
	numfmt --from=iec "${d[$1]}" 2>/dev/null || die "$1=${d[$1]}: wants a number, such as 8000 or 50M"
}

# The host's side of the drive: an image with room for data and metadata, limits, bad places.
drive_blocks()
{
	local file=${d[image]:-${d[name]}.img} limits= key bad bytes i=0

	[[ -z ${d[image]:-} || $file = /* ]] || file=$caller/$file
	if [ ! -s "$file" ]; then
		truncate -s "${d[size]}" "$file" || die "size=${d[size]}: wants a size, such as 64M"
		truncate -s $(($(stat -c %s "$file") / d[lba] * (d[lba] + d[ms]))) "$file"
	fi
	for key in iops iops-rd iops-wr bps bps-rd bps-wr; do
		[ -n "${d[$key]:-}" ] || continue
		limits+=,throttling.${limit_names[$key]}=$(drive_number "$key")
	done
	bad="format=raw,file=$file"
	if [ -n "${d[bad-read]:-}${d[bad-write]:-}" ]; then
		bad="format=raw,file.driver=blkdebug,file.image.driver=file,file.image.filename=$file"
		for key in read write; do
			[ -n "${d[bad-$key]:-}" ] || continue
			bad+=,file.inject-error.$i.event=none,file.inject-error.$i.iotype=$key
			bytes=$(drive_number "bad-$key")
			bad+=,file.inject-error.$i.errno=5,file.inject-error.$i.sector=$((bytes / 512))
			i=$((i + 1))
		done
	fi
	qemu+=(-drive "if=none,id=${d[name]}-blocks,cache=unsafe,discard=unmap,$bad$limits")
}

# The guest's side: controllers, each behind a port of its own so that it can be pulled, and a
# namespace. Several controllers, or FDP, want an explicit subsystem.
drive_devices()
{
	local subsys=

	if [ -n "${d[fdp]:-}" ]; then
		subsys=,fdp=on,fdp.nruh=${d[fdp]},fdp.nrg=${d[rgs]},fdp.runs=${d[runs]}
		ns+=,fdp.ruhs=${d[ruhs]:-0-$((d[fdp] - 1))}
	fi
	if [ -n "$subsys" ] || [ "${d[paths]}" -gt 1 ]; then
		qemu+=(-device "nvme-subsys,id=${d[name]}-subsys$subsys")
		ctrl+=,subsys=${d[name]}-subsys
	fi
	[ -z "${d[mdts]:-}" ] || ctrl+=,mdts=${d[mdts]}
	[ -z "${d[queues]:-}" ] || ctrl+=,max_ioqpairs=${d[queues]}
	[ -z "${d[ocp]:-}" ] || ctrl+=,ocp=${d[ocp]}
	for ((path = 1; path <= d[paths]; path++)); do
		port_count=$((port_count + 1))
		bus=port$port_count
		qemu+=(-device "pcie-root-port,id=$bus,chassis=$port_count,slot=$port_count"
			-device "nvme,id=${d[name]}$(drive_suffix "$path"),bus=$bus,serial=${d[serial]}$ctrl")
	done
	[ -z "${d[mset]:-}" ] || ns+=,mset=${d[mset]}
	[ -z "${d[pi]:-}" ] || ns+=,pi=${d[pi]}
	[ "${d[ms]}" = 0 ] || ns+=,ms=${d[ms]}
	qemu+=(-device "nvme-ns,bus=${d[name]},drive=${d[name]}-blocks,nsid=${d[nsid]:-1},logical_block_size=${d[lba]},physical_block_size=${d[lba]}$ns")
}

# The first controller has the drive's name, the others name-path2 and so on.
drive_suffix()
{
	[ "$1" = 1 ] || echo "-path$1"
}
