# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Model drives as the kernel's own, in the VM: nvsim serves them on loopback, the kernel connects by
# NVMe over TCP. Sourced after t/lib.sh.

nvsim=build/nvsim
modprobe nvme-tcp 2>/dev/null || skip_all "the guest's kernel has no nvme-tcp"

# create NAME OPTIONS...: a drive, $file then
create()
{
	local name=$1
	shift
	file=$work/$name.nvsim
	rm -f "$file"
	"$nvsim" create "$file" "$@" >"$work/create.out" 2>&1 || bail "$(cat "$work/create.out")"
}

# serve NAME OPTIONS...: in the background; $server, $port and $nqn then. What it says is in
# $work/NAME.out and .err.
serve()
{
	local name=$1 i
	shift
	file=$work/$name.nvsim
	rm -f "$work/$name.out"
	"$nvsim" serve "$file" "$@" >"$work/$name.out" 2>"$work/$name.err" &
	server=$!
	for ((i = 0; i < 300; i++)); do
		grep -qs ' -n ' "$work/$name.out" && break
		kill -0 $server 2>/dev/null || break
		sleep 0.1
	done
	read -r port nqn < <(sed -n 's/.* -s \([0-9]*\) -n \(.*\)/\1 \2/p' "$work/$name.out")
	[ -n "$nqn" ] || bail "nvsim serve $name: $(cat "$work/$name.err")"
}

# stop [SIGNAL]: the server ends; $status then
# shellcheck disable=SC2034 # for the caller
stop()
{
	status=0
	kill "-${1:-TERM}" $server
	wait $server || status=$?
}

# connect OPTIONS...: by nvme-cli; where fio is another Debian's, nvme-cli finds the libnvme of that one,
# with which its fabrics commands take no options
connect()
{
	nvme connect -t tcp -a 127.0.0.1 -s "$port" -n "$nqn" "$@" >"$work/connect.out" 2>&1 && return
	grep -q 'unrecognized option .-t' "$work/connect.out" &&
		echo "transport=tcp,traddr=127.0.0.1,trsvcid=$port,nqn=$nqn" >/dev/nvme-fabrics
}

# attach OPTIONS...: connects; $ctrl, $disk and $ng then: /dev/nvme0, /dev/nvme0n1, /dev/ng0n1
attach()
{
	local i dir

	connect "$@" || return
	for ((i = 0; i < 100; i++)); do
		for dir in /sys/class/nvme/nvme*; do
			[ "$(cat "$dir/subsysnqn" 2>/dev/null)" = "$nqn" ] || continue
			ctrl=/dev/${dir##*/}
			disk=${ctrl}n1
			ng=/dev/ng${ctrl#/dev/nvme}n1
			[ ! -b "$disk" ] || [ ! -c "$ng" ] || return 0
		done
		sleep 0.1
	done
	return 1
}

detach()
{
	nvme disconnect -n "$nqn" >"$work/disconnect.out" 2>&1 ||
		echo 1 >"/sys/class/nvme/${ctrl#/dev/}/delete_controller"
}

# wait_for STATE [SECONDS]: of the controller: live, connecting, resetting. Emulation is slow: 60 s.
wait_for()
{
	local i

	for ((i = 0; i < ${2:-60} * 10; i++)); do
		[ "$(cat "/sys/class/nvme/${ctrl#/dev/}/state")" != "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

# info KEYS: a figure of "nvsim info --json", by the names of the objects on the way
info()
{
	"$nvsim" info --json "$file" >"$work/info.json" && json "$1" <"$work/info.json"
}

# json KEYS: the first value at the end of these keys. For jansson's indented output: the guest has no
# perl.
json()
{
	awk -v keys="$1" '
		BEGIN { n = split(keys, key, " "); at = 1 }
		{
			name = $0; sub(/^ *"/, "", name); sub(/".*/, "", name)
			if (name != key[at]) next
			if (at++ < n) next
			value = $0; sub(/^[^:]*: */, "", value); gsub(/^"|",?$|,$/, "", value)
			print value
			exit
		}'
}
