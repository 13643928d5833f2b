# SPDX-License-Identifier: GPL-2.0-only
# Turns the description of a drive into QEMU's arguments. Sourced by run; knows nothing of booting.
#
# A description is KEY=VALUE,KEY=VALUE,...; numbers may end in K, M, G (powers of 1024):
#   name=a          /dev/drive/a in the guest; also the name for vm-control unplug       (needed)
#   size=64M        capacity                                                             (64M)
#   serial=FAST     serial number                                                        (the name)
#   image=FILE      keep the data in FILE (made when missing); else it is gone afterwards
#   lba=4096        LBA size in bytes                                                    (512)
#   ms=8            metadata bytes per LBA; mset=1 puts them behind each LBA's data      (0)
#   pi=1            protection information type
#   mdts=5          largest transfer: 4 KiB << mdts                                      (7)
#   queues=8        I/O queues                                                           (64)
#   nsid=1          namespace identifier                                                 (1)
#   iops= iops-rd= iops-wr= bps= bps-rd= bps-wr=    limits; bps in bytes per second
#   fdp=8           FDP with so many reclaim unit handles, in a subsystem of its own
#   rgs=1 runs=16M ruhs=0-7     its reclaim groups, reclaim unit size, placement handles' RUHs
#   ocp=on          OCP SMART log C0h
#   paths=2         so many controllers that share the namespace (multipath)             (1)
#   bad-read=OFFSET bad-write=OFFSET    the 512 bytes there always fail, with a media error
#   ctrl.KEY=VALUE ns.KEY=VALUE         any other property of QEMU's nvme and nvme-ns devices

drive_numbers="size lba ms mdts queues nsid iops iops-rd iops-wr bps bps-rd bps-wr fdp rgs paths
	bad-read bad-write"
drive_words="name serial image mset pi runs ruhs ocp"
declare -A drive_limits=(
	[iops]=iops-total [iops-rd]=iops-read [iops-wr]=iops-write
	[bps]=bps-total [bps-rd]=bps-read [bps-wr]=bps-write
)
drive_ports=0

# drive_add DESCRIPTION: appends to the array qemu; makes the image in the current folder; adds a
# line "name serial" to the file drives there. A bad description ends the program.
drive_add()
{
	local -A d=([size]=64M [lba]=512 [ms]=0 [rgs]=1 [runs]=16M [paths]=1)
	local ctrl='' ns='' key

	drive_parse "$1"
	[[ ${d[name]:-} =~ ^[a-z][a-z0-9]*$ ]] ||
		die "--drive=$1: needs name=, a lower-case letter and then letters and digits"
	: "${d[serial]:=${d[name]}}"
	for key in $drive_numbers; do
		[ -z "${d[$key]:-}" ] || d[$key]=$(numfmt --from=iec "${d[$key]}" 2>/dev/null) ||
			die "--drive=$1: $key= wants a number, such as 8000 or 64M"
	done
	echo "${d[name]} ${d[serial]}" >>drives
	drive_blocks
	drive_devices
}

# Fills d, ctrl and ns of drive_add.
drive_parse()
{
	local pairs pair

	IFS=, read -ra pairs <<<"$1"
	for pair in "${pairs[@]}"; do
		key=${pair%%=*}
		[ "$pair" != "$key" ] || die "--drive=$1: '$key' has no value; write $key=VALUE"
		case " ${drive_numbers//[$'\n\t']/ } $drive_words " in
		*" $key "*) d[$key]=${pair#*=}; continue ;;
		esac
		case $key in
		ctrl.*) ctrl+=,${pair#ctrl.} ;;
		ns.*) ns+=,${pair#ns.} ;;
		*) die "--drive=$1: unknown key '$key'; t/vm/drive.sh lists the keys" ;;
		esac
	done
}

# The host's side of a drive: an image with room for data and metadata, limits, bad places.
drive_blocks()
{
	local file=${d[image]:-${d[name]}.img} blocks key i=0

	[[ -z ${d[image]:-} || $file = /* ]] || file=$started_in/$file
	[ -s "$file" ] || truncate -s $((d[size] / d[lba] * (d[lba] + d[ms]))) "$file" ||
		die "image=$file: cannot make it"
	blocks=format=raw,file=$file
	if [ -n "${d[bad-read]:-}${d[bad-write]:-}" ]; then
		blocks=format=raw,file.driver=blkdebug
		blocks+=,file.image.driver=file,file.image.filename=$file
	fi
	for key in read write; do
		[ -n "${d[bad-$key]:-}" ] || continue
		blocks+=,file.inject-error.$i.event=none,file.inject-error.$i.iotype=$key
		blocks+=,file.inject-error.$i.sector=$((d[bad-$key] / 512))
		i=$((i + 1))
	done
	for key in "${!drive_limits[@]}"; do
		[ -z "${d[$key]:-}" ] || blocks+=,throttling.${drive_limits[$key]}=${d[$key]}
	done
	qemu+=(-drive "if=none,id=${d[name]}-blocks,cache=unsafe,discard=unmap,$blocks")
}

# The guest's side: a namespace, and its controllers, each behind a port of its own so that it can
# be pulled; the first has the drive's name, the others name-path2 and so on. Several controllers,
# or FDP, want an explicit subsystem.
drive_devices()
{
	local subsys='' id=${d[name]} path

	if [ -n "${d[fdp]:-}" ]; then
		subsys=,fdp=on,fdp.nruh=${d[fdp]},fdp.nrg=${d[rgs]},fdp.runs=${d[runs]}
		ns+=,fdp.ruhs=${d[ruhs]:-0-$((d[fdp] - 1))}
	fi
	if [ -n "$subsys" ] || [ "${d[paths]}" -gt 1 ]; then
		qemu+=(-device "nvme-subsys,id=${d[name]}-subsys$subsys")
		ctrl+=,subsys=${d[name]}-subsys
	fi
	ctrl+=${d[mdts]:+,mdts=${d[mdts]}}${d[queues]:+,max_ioqpairs=${d[queues]}}${d[ocp]:+,ocp=${d[ocp]}}
	for ((path = 1; path <= d[paths]; path++)); do
		drive_ports=$((drive_ports + 1))
		[ "$path" = 1 ] || id=${d[name]}-path$path
		qemu+=(-device "pcie-root-port,id=port$drive_ports,chassis=$drive_ports,slot=$drive_ports"
			-device "nvme,id=$id,bus=port$drive_ports,serial=${d[serial]}$ctrl")
	done
	ns+=,ms=${d[ms]}${d[mset]:+,mset=${d[mset]}}${d[pi]:+,pi=${d[pi]}}
	ns+=,logical_block_size=${d[lba]},physical_block_size=${d[lba]}
	qemu+=(-device "nvme-ns,bus=${d[name]},drive=${d[name]}-blocks,nsid=${d[nsid]:-1}$ns")
}
