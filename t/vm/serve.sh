#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the VM: model drives that nvsim serves, as the kernel's own drives, by NVMe over TCP.
#   t/vm/serve.sh PART...    fields data power faults life placement (these without a word); tutorial;
#                            kills_50
. t/lib.sh
. t/vm/engine.sh
. t/vm/attach.sh

# --- what nvme-cli sees is what the drive holds ---------------------------------------------------

# id COMMAND FIELD [NODE]: a field of Identify as nvme-cli prints it, blanks at its end off
id()
{
	nvme "$1" "${3:-$ctrl}" | sed -n "s/^$2 *: *\(.*[^ ]\) *$/\1/p" | head -1
}

# same_log NAME NUMBER BYTES [ENDURANCE-GROUP]: the log page through the kernel and from the file
same_log()
{
	nvme get-log "$ctrl" -i "$2" -l "$3" ${4:+-S "$4"} -b >"$work/kernel.log"
	"$nvsim" log "$file" "$1" --raw=binary >"$work/file.log"
	ok "log $1, byte by byte" cmp -n "$3" "$work/kernel.log" "$work/file.log"
}

fields()
{
	local i

	create d --capacity=64M --preset=gen5-read --timing=none --seed=7
	serve d
	attach || bail "cannot connect: $(cat "$work/connect.out" "$work/d.err")"
	is "$(id id-ctrl sn)" "$(info 'serial')" 'id-ctrl: serial number'
	is "$(id id-ctrl mn)" "$(info 'model')" '... model'
	is "$(id id-ctrl tnvmcap)" "$(info 'geometry capacity_bytes')" '... capacity'
	is "$(id id-ctrl subnqn)" "$nqn" '... subsystem'
	is "$(id id-ctrl npss)" 4 '... power states'
	is "$(id id-ctrl cntlid) $(id id-ctrl kas) $(id id-ctrl ioccsz) $(id id-ctrl iorcsz)" \
		'0x1 10 516 1' '... what a fabric needs'
	like "$(nvme id-ctrl "$ctrl" | grep -A1 '^ps *2 ')" 'mp:16.00W operational enlat:100 exlat:100' \
		'... a power state'
	is "$(id id-ns nsze "$disk")" 0x4000 'id-ns: size in blocks'
	is "$(blockdev --getsize64 "$disk" 2>/dev/null || echo $(($(cat "/sys/block/${disk#/dev/}/size") * 512)))" \
		67108864 '... and in the block layer'
	dd if=/dev/urandom of="$disk" bs=64k count=64 oflag=direct 2>/dev/null
	for log in 'smart 2 512' 'fdp-configs 0x20 112 1' 'fdp-usage 0x21 72 1' 'fdp-stats 0x22 64 1' \
		'ocp 0xc0 512'; do
		# shellcheck disable=SC2086 # words
		same_log $log
	done
	like "$(nvme fdp stats "$ctrl" -e 1 | tr -d ,)" '\(HBMW\): 4194304' 'fdp stats'
	is "$(nvme fdp status "$disk" | grep -c '^Placement Identifier')" 8 'fdp status: eight handles'
	like "$(nvme fdp configs "$ctrl" -e 1)" 'Number of Reclaim Unit Handles: 8' 'fdp configs'
	like "$(nvme fdp usage "$ctrl" -e 1)" '7.*Host Specified' 'fdp usage'
	ok 'fdp events' nvme fdp events "$ctrl" -e 1
	for ((i = 4; i >= 0; i--)); do
		capture nvme set-feature "$ctrl" -f 2 -v $i
		is "$status $(nvme get-feature "$ctrl" -f 2 | grep -o '[0-9a-f]*$') $(info 'power state')" \
			"0 0000000$i $i" "set-feature: power state $i, read back and in the file"
	done
	capture nvme set-feature "$ctrl" -f 2 -v 5
	like "$out$err" 'Invalid Field' '... 5 there is not'
	like "$(nvme get-feature "$ctrl" -f 7)" '00070007' 'get-feature: eight queues'
	like "$(nvme get-feature "$ctrl" -f 2 -s 3)" '0000004' '... changeable'
	like "$(nvme get-feature "$ctrl" -f 0x0f)" '1388' '... Keep Alive Timeout, 5000 ms'
	nvme set-feature "$ctrl" -f 2 -v 3 >"$work/out"
	ok 'nvme reset' nvme reset "$ctrl"
	wait_for live
	is "$(info 'power state')" 0 '... takes the power state back to 0'
	capture nvme list
	like "$out" "$disk .*$(info serial)" 'nvme list'
	detach
	stop
	is "$status" 0 'SIGTERM: exit status 0'
}

# --- data ----------------------------------------------------------------------------------------

# verified NAME BS ARGS...: the whole drive, in random order
verified()
{
	local name=$1 bs=$2
	shift 2
	capture fio --name=v --rw=randwrite "--bs=$bs" --iodepth=16 --verify=crc32c "$@"
	if [ "$status" = 0 ] && grep -q 'err= 0' <<<"$out"; then
		pass "$name, $bs"
	else
		fail "$name, $bs" "$out" "$err" "$(tail -3 "$work/d.err")"
	fi
}

data()
{
	local bs before

	create d --capacity=32M --timing=none
	serve d --queues=2
	attach || bail "cannot connect: $(cat "$work/connect.out" "$work/d.err")"
	for bs in 4k 64k 1m; do
		verified 'io_uring on the block node' $bs --ioengine=io_uring --direct=1 "--filename=$disk"
	done
	for bs in 4k 8k 12k 256k 1m; do
		verified 'io_uring_cmd on the ng node' $bs --ioengine=io_uring_cmd --cmd_type=nvme \
			"--filename=$ng"
	done
	before=$(info 'counters writes')
	for bs in 4k 16k 1m; do
		verified 'nvmept on the ng node' $bs "--ioengine=$plugin" "--filename=$ng"
	done
	verified 'nvmept, sizes that vary' 4k-512k "--ioengine=$plugin" "--filename=$ng" \
		--bsrange=4k-512k --numjobs=2 --size=16M --offset_increment=16M --group_reporting
	ok '... all of them commands to the drive' test "$(info 'counters writes')" -gt $((before + 10000))
	works 'trims' "--filename=$ng" --rw=randtrim --bs=64k --iodepth=8
	is "$(info 'counters mapped_pages')" 0 '... leave nothing'

	mkfs.ext4 -q -F "$disk"
	mkdir -p /mnt/served
	mount "$disk" /mnt/served
	verified 'a file in ext4' 16k --ioengine=io_uring --direct=1 --filename=/mnt/served/file --size=8M
	cp -R jobs t /mnt/served/
	ok 'unmount' umount /mnt/served
	mount "$disk" /mnt/served
	ok '... mounted again: the files are there' diff -r jobs /mnt/served/jobs
	umount /mnt/served
	ok '... and the file system is sound' fsck.ext4 -f -n "$disk"
	detach
	stop
	ok 'the file is clean' test "$(info 'counters killed_in_step')" = 0
}

# --- power ---------------------------------------------------------------------------------------

# rate ARGS...: completions a second of one run by our engine; 0 if it failed
rate()
{
	engine_fio "--filename=$ng" --time_based --runtime=3 "$@" || { echo 0; return; }
	sed -n 's/.*"iops" : \([0-9]*\).*/\1/p' "$work/out" | sort -n | tail -1
}

# state: the power state in force
state()
{
	nvme get-feature "$ctrl" -f 2 | sed 's/.*0*\([0-9a-f]\)$/\1/'
}

in_state()
{
	[ "$(state)" = "$1" ]
}

# within SECONDS COMMAND...: the command succeeds before that
within()
{
	local end=$((SECONDS + $1))

	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.05
	done
}

# kills TIMES: fio is killed in the middle of a power run, so often; the state is restored each time
kills()
{
	local i good=0 pid

	for ((i = 0; i < $1; i++)); do
		command fio --name=k "--ioengine=$plugin" "--filename=$ng" --rw=randread --bs=4k --iodepth=4 \
			--time_based --runtime=60 --nvme_power_state=1 >"$work/kill.out" 2>&1 &
		pid=$!
		within 30 in_state 1 || break
		sleep "0.$((RANDOM % 5))"
		# shellcheck disable=SC2046 # the jobs' processes
		kill -KILL $pid $(cat /proc/$pid/task/*/children)
		wait $pid 2>/dev/null
		within 30 in_state 0 && good=$((good + 1))
	done
	is "$good" "$1" "SIGKILL in a power run, $1 times: the state is restored each time" ||
		sed 's/^/# /' "$work/kill.out"
}

# kills_50: for t/long
kills_50()
{
	create p --capacity=32M --dies=4 --power-states=3W:idle=1W,1.2W:idle=1W
	serve p
	attach || bail "cannot connect: $(cat "$work/connect.out" "$work/p.err")"
	kills 50
	detach
	stop
}

# Caps that are far below what emulation gets through: 2 mJ a read or program of what a state has for
# operations, 2 W and 0.2 W.
power()
{
	local fast slow

	create p --capacity=32M --dies=4 --t-read=1ms --t-program=1ms --e-read=2mJ --e-program=2mJ \
		--power-states=3W:idle=1W,1.2W:idle=1W
	serve p
	attach || bail "cannot connect: $(cat "$work/connect.out" "$work/p.err")"
	works 'fill' "--filename=$ng" --rw=write --bs=64k --iodepth=2
	fast=$(rate --rw=randread --bs=4k --iodepth=32)
	nvme set-feature "$ctrl" -f 2 -v 1 >"$work/set.out"
	slow=$(rate --rw=randread --bs=4k --iodepth=32)
	echo "# $fast IOPS in state 0, of 1000 that it allows; $slow in state 1, of 100"
	ok 'throughput follows the state: no more than the cap' test "$slow" -le 105
	ok '... but near it' test "$slow" -ge 80
	ok '... and state 0 is faster' test "$fast" -gt $((slow * 2))
	"$nvsim" fail "$file" power
	capture nvme set-feature "$ctrl" -f 2 -v 0
	like "$out$err" '(Feature Not Changeable|not changeable)' 'nvsim fail power: a change is refused'
	"$nvsim" fail "$file" --clear
	capture nvme set-feature "$ctrl" -f 2 -v 0
	is "$status" 0 '... and is not afterwards'
	works 'nvme_power_state=1, by our engine' "--filename=$ng" --rw=randread --bs=4k --iodepth=8 \
		--time_based --runtime=2 --nvme_power_state=1 --nvme_verbose=1
	slow=$(sed -n 's/.*"iops" : \([0-9]*\).*/\1/p' "$work/out" | sort -n | tail -1)
	ok "... throughput of that state: $slow IOPS" test "$slow" -le 105 -a "$slow" -ge 50
	is "$(state)" 0 '... and it is restored'
	"$nvsim" fail "$file" power
	refused '... a change that is refused' '.*Feature Not Changeable.*' "--filename=$ng" --rw=randread \
		--bs=4k --size=64k --nvme_power_state=1
	"$nvsim" fail "$file" --clear
	kills 3
	detach
	stop
}

# --- faults --------------------------------------------------------------------------------------

# fault KIND...: set, alone
fault()
{
	"$nvsim" fail "$file" --clear && "$nvsim" fail "$file" "$@"
}

no_sigpipe()
{
	(trap '' PIPE && exec "$@")
}

# survives NAME ARGS...: I/O on the block node, where the kernel sends again what had no answer, up to
# nvme_core.max_retries times. All that was written is read; or the run ended with the kernel's word for
# a path that failed, never with other data. Linux 6.1 sends SIGPIPE to whoever submits I/O
# to a connection that broke: not to this fio.
survives()
{
	local name=$1
	shift
	capture no_sigpipe timeout 120 fio --name=s --ioengine=io_uring --direct=1 "--filename=$disk" \
		--rw=randwrite --bs=16k --iodepth=8 --size=8M --verify=crc32c "$@"
	if [ "$status" = 0 ] && grep -q 'err= 0' <<<"$out"; then
		pass "$name"
	elif [ "$status" = 1 ] && grep -q 'Link has been severed' <<<"$out$err" &&
		! grep -q 'verify:' <<<"$out$err"; then
		pass "$name: ended with an error of the path"
	else
		fail "$name" "exit status $status" "$out" "$err" "$(tail -5 "${file%.nvsim}.err")" \
			"$(dmesg | tail -8)"
	fi
	wait_for live || fail "$name: the controller is $(cat "/sys/class/nvme/${ctrl#/dev/}/state")"
}

# ends NAME REGEX ARGS...: our engine on the ng node ends, and with an error
ends()
{
	local name=$1 regex=$2
	shift 2
	status=0
	no_sigpipe timeout 120 fio --name=t "--ioengine=$plugin" "--filename=$ng" --output="$work/out" "$@" \
		>"$work/stdout" 2>"$work/err" || status=$?
	if [ $status != 0 ] && [ $status != 124 ] && grep -qE "$regex" "$work/out" "$work/err"; then
		pass "$name"
	else
		fail "$name" "exit status $status" "$(cat "$work/err" "$work/out")" "$(dmesg | tail -5)"
	fi
}

faults()
{
	# a command that nobody ends is given up after so many seconds, by connections to come
	echo 3 >/sys/module/nvme_core/parameters/io_timeout
	create f --capacity=32M --timing=none
	serve f
	attach --reconnect-delay=1 || bail "cannot connect: $(cat "$work/connect.out" "$work/f.err")"
	survives 'without a fault'

	fault read-error --lba=100
	ends 'a read error, by our engine' 'Unrecovered Read Error' --rw=read --bs=4k --size=1M
	capture dd if="$disk" of=/dev/null bs=4k skip=100 count=1 iflag=direct
	is "$status" 1 '... by the block layer'
	capture dd if="$disk" of=/dev/null bs=4k skip=101 count=1 iflag=direct
	is "$status" 0 '... its neighbour is read'
	fault status=0x4081 --opcode=write --every=50
	ends 'each 50th write with a status' 'Capacity Exceeded' --rw=write --bs=4k --size=1M
	fault internal-error --every=20
	survives '... one that may be sent again: the kernel does'

	fault delay=300ms --every=64
	survives 'a delay'
	fault drop --every=100 --times=2
	survives 'connections dropped'
	like "$(cat "$work/f.err")" 'fault: connection of I/O queue' '... the server says so'
	fault reset --every=150 --times=2
	survives 'controller resets'
	like "$(cat "$work/f.err")" 'fault: controller reset' '... the server says so'
	fault hang --every=200 --times=1
	survives 'a command is swallowed: the kernel times out and sends it again'

	for kind in drop reset hang; do
		fault $kind --opcode=write --times=1
		ends "$kind, by our engine: an error that says so" \
			'the kernel cancelled the command|Host Pathing Error' --rw=write --bs=4k --size=256k
		sleep 1 # the kernel may not have noticed yet
		wait_for live
	done
	"$nvsim" fail "$file" --clear
	works '... and afterwards all is well' "--filename=$ng" --rw=randwrite --bs=4k --size=4M \
		--iodepth=8 --verify=crc32c
	capture nvme admin-passthru "$ctrl" -o 0xc1
	like "$out$err" 'Invalid Command Opcode|INVALID_OPCODE' 'a vendor command: invalid opcode'
	echo 30 >/sys/module/nvme_core/parameters/io_timeout
	detach
	stop
	is "$status" 0 'SIGTERM: exit status 0'
}

# --- the server's life ---------------------------------------------------------------------------

refuses_another()
{
	local how=transport=tcp,traddr=127.0.0.1,trsvcid=$port,nqn=$nqn,duplicate_connect

	! echo "$how,hostnqn=nqn.2026-12.org.example:one" 2>/dev/null >/dev/nvme-fabrics
}

life()
{
	local fio

	create l --capacity=64M --timing=none
	serve l --allow-host=nqn.2026-12.org.example:one --nqn=nqn.2026-12.org.example:drive
	is "$nqn" nqn.2026-12.org.example:drive '--nqn'
	capture attach --hostnqn=nqn.2026-12.org.example:two
	is "$status" 1 '--allow-host: another host is refused'
	like "$(cat "$work/l.err")" 'example:two refused: not one of --allow-host' '... and the server says so'
	attach --hostnqn=nqn.2026-12.org.example:one --reconnect-delay=1 ||
		bail "cannot connect: $(cat "$work/l.err" "$work/connect.out")"
	pass '... this one is not'
	is "$(id id-ctrl subnqn)" "$nqn" '... Identify has the name'
	# nvme would not try; the kernel does as it is told
	ok 'a second controller is refused' refuses_another
	like "$(cat "$work/l.err")" 'one host at a time' '... and the server says why'

	# The server is killed under I/O, and comes back: the kernel goes on, no byte is lost.
	no_sigpipe fio --name=k --ioengine=io_uring --direct=1 "--filename=$disk" --rw=randwrite --bs=4k \
		--iodepth=8 --size=16M --verify=crc32c >"$work/k.out" 2>&1 &
	fio=$!
	sleep 2
	kill -KILL $server
	wait $server 2>/dev/null
	serve l --nqn="$nqn" --listen=127.0.0.1:"$port"
	wait $fio
	ok 'the server is killed and comes back: the run ends' \
		grep -qE 'err= 0|Link has been severed' "$work/k.out"
	ok '... without wrong data' test "$(grep -c verify: "$work/k.out")" = 0
	sed 's/^/# /' "$work/k.out" | head -5
	ok '... and the controller is back' wait_for live

	# SIGTERM under I/O: what was acknowledged is in the file.
	works 'a run by our engine' "--filename=$ng" --rw=write --bs=4k --size=8M --iodepth=8 \
		--verify=crc32c --do_verify=0
	no_sigpipe fio --name=k --ioengine=io_uring --direct=1 "--filename=$disk" --rw=randread --bs=4k \
		--iodepth=8 --time_based --runtime=60 >"$work/k.out" 2>&1 &
	fio=$!
	sleep 1
	stop
	is "$status" 0 'SIGTERM under I/O: exit status 0'
	detach
	wait $fio
	is "$(info 'counters repairs') $(info 'counters killed_in_step')" '0 0' '... the file is clean'
	works '... and has what was written' "--filename=$file" --rw=read --bs=4k --size=8M \
		--verify=crc32c --verify_only
	serve l --listen=0.0.0.0:0
	like "$(cat "$work/l.err")" '0.0.0.0 is not loopback: whoever reaches it' \
		'--listen beyond loopback: said'
	stop INT
	is "$status" 0 'SIGINT: exit status 0'
}

# --- placement -----------------------------------------------------------------------------------

# job FILE FILENAME: one of jobs/fdp by our engine
job()
{
	fio "--ioengine=$plugin" "--filename=$2" --flow_sleep=50 --output="$work/out" "jobs/fdp/$1.fio" \
		>"$work/stdout" 2>"$work/err" || fail "jobs/fdp/$1.fio on $2" "$(cat "$work/err" "$work/out")"
}

# waf JOB FILENAME: media bytes over host bytes, in thousandths, of a run after its fill
waf()
{
	local host media

	job "fill/$1" "$2"
	host=$(info 'counters host_bytes')
	media=$(info 'counters media_bytes')
	job "$1" "$2"
	host=$(($(info 'counters host_bytes') - host))
	media=$(($(info 'counters media_bytes') - media))
	echo $((media * 1000 / host))
}

new_drive()
{
	create w --capacity=32M --timing=none --op=14.3% --ru-size=64k --seed=3
}

# same_waf JOB: through the kernel as in this process, within 5%; in $waf
same_waf()
{
	local here difference

	new_drive
	here=$(waf "$1" "$file")
	new_drive
	serve w
	attach || bail "cannot connect: $(cat "$work/connect.out" "$work/w.err")"
	waf=$(waf "$1" "$ng")
	difference=$((waf > here ? waf - here : here - waf))
	ok "$1: WAF of $waf thousandths through the kernel, $here in this process: within 5%" \
		test $((difference * 20)) -le "$here"
	is "$(nvme fdp stats "$ctrl" -e 1 | sed -n 's/.*(MBMW): *//p' | tr -d ,)" \
		"$(info 'counters media_bytes')" '... and nvme-cli reads the media bytes'
}

placement()
{
	local waf mixed

	same_waf noisy-neighbour-unplaced
	mixed=$waf
	detach
	stop
	same_waf noisy-neighbour
	ok 'placement is worth it' test "$waf" -lt $((mixed * 8 / 10))
	if fio "--enghelp=${plugin#external:}" 2>/dev/null | grep -q nvme_telemetry && command -v jq >/dev/null; then
		sidecar
	else
		skip "the sidecar has nvme-cli's figures" 'needs jq and nvme_telemetry='
	fi
	if fio --cmdhelp=dataplacement 2>/dev/null | grep -q dataplacement; then
		native
	else
		skip "fio's own io_uring_cmd with dataplacement=fdp" "fio 3.38 and newer have it"
	fi
	detach
	stop
}

# workloads: for t/long, all of jobs/fdp
workloads()
{
	local job waf mixed

	for job in cachelib-50 cachelib-100 multi-tenant noisy-neighbour rocksdb; do
		same_waf $job-unplaced
		mixed=$waf
		detach
		stop
		same_waf $job
		# cachelib at 50% leaves the drive so much room that placement gains next to nothing.
		if [ "$mixed" -gt 1100 ]; then
			ok "$job: placement is worth it" test "$waf" -lt $((mixed * 9 / 10))
		else
			ok "$job: placement costs nothing" test "$waf" -le "$mixed"
		fi
		detach
		stop
	done
}

# statistics: host and media bytes by nvme-cli
statistics()
{
	nvme fdp stats "$ctrl" -e 1 | sed -n 's/.*(\(HBMW\|MBMW\)): *\([0-9,]*\).*/\2/p' | tr -d , |
		paste -sd ' '
}

# smart: nvme-cli's figures of the SMART log, without the temperature, which has its own pace, in one line
smart()
{
	nvme smart-log "$ctrl" -o json | jq -r '[.critical_warning, .avail_spare, .percent_used, .data_units_read,
		.data_units_written, .host_read_commands, .host_write_commands, .power_on_hours, .unsafe_shutdowns,
		.media_errors, .num_err_log_entries, .warning_temp_time, .critical_comp_time] | map(tonumber) | join(" ")'
}

# ocp: the first two counters of OCP's log, media bytes written and read
ocp()
{
	nvme get-log "$ctrl" -i 0xc0 -l 512 -b | od -A n -t u8 -N 32 | awk '{ printf "%s%s", n++ ? " " : "", $1 }'
}

# said EDGE: the same of the sidecar
said()
{
	jq -r "$1"' | .smart, .ocp | if has("host_reads") then [.critical_warning, .spare_percent, .used_percent,
		.data_units_read, .data_units_written, .host_reads, .host_writes, .power_on_hours, .unsafe_shutdowns,
		.media_errors, .error_log_entries, .warning_temperature_minutes, .critical_temperature_minutes]
		else [.media_bytes_written, .media_bytes_read] end | join(" ")' "$work/side.json"
}

sidecar()
{
	local before after smart_before kelvin

	smart_before=$(smart; ocp)
	before=$(statistics)
	works 'a run with a sidecar' "--filename=$ng" --rw=randwrite --bs=4k --size=2M --iodepth=8 \
		--nvme_placement=ruh:2 "--nvme_telemetry=$work/side.json"
	after=$(statistics)
	is "$(jq -r '[.groups[0].begin.fdp, .groups[-1].end.fdp | .host_bytes, .media_bytes] | join(" ")' \
		"$work/side.json")" "$before $after" "... which has nvme-cli's figures at both edges"
	is "$(said .groups[0].begin)" "$smart_before" "... of SMART and OCP's log, too"
	is "$(said .groups[-1].end)" "$(smart; ocp)" '... at the end'
	kelvin=$(nvme smart-log "$ctrl" -o json | jq '.temperature')
	ok '... the temperature, within a degree' jq -e --argjson kelvin "$kelvin" \
		'.groups[-1].end.smart.celsius + 273 - $kelvin | fabs <= 1' "$work/side.json"
	is "$(jq '.groups[-1].end.power_state' "$work/side.json")" \
		"$(nvme get-feature "$ctrl" -f 2 | sed 's/.*:0*\([0-9a-f]\)$/\1/')" '... and the power state'
	is "$(jq -r '[.device.kind, .device.serial, .device.controller] | join(" ")' "$work/side.json")" \
		"nvme $(info serial) $ctrl" '... and the drive'
}

# handles: host bytes of each handle
handles()
{
	"$nvsim" info --json "$file" | awk '/"identifier_bytes"/ { n = $2; sub(",", "", n); printf "%s ", n }'
}

# fio's own engine puts the bytes where ours does.
native()
{
	local i before after

	for engine in "$plugin" 'io_uring_cmd --cmd_type=nvme'; do
		read -r -a before <<<"$(handles)"
		# shellcheck disable=SC2086 # an option may come along
		fio --name=n --ioengine=$engine "--filename=$ng" --rw=randwrite --bs=4k --iodepth=8 --size=1M \
			--dataplacement=fdp --plids=2,5 >"$work/native.out" 2>&1
		read -r -a after <<<"$(handles)"
		for ((i = 0; i < 8; i++)); do
			after[i]=$((after[i] - before[i]))
		done
		is "${after[*]}" '0 0 524288 0 0 524288 0 0' "dataplacement=fdp by ${engine%% *}"
	done
}

# --- the tutorial in nvsim(1) --------------------------------------------------------------------

# t/long/49-vm-serve.t brings the man page along.
tutorial()
{
	# shellcheck source=t/docs.sh
	. t/docs.sh
	[ -e /docs/nvsim.1 ] || skip_all 'no man page here'
	PATH=$PWD/build:$PATH
	docs_blocks /docs/nvsim.1 "$work/blocks"
	docs_prepare "$work"/blocks/*-vm.sh
	docs_folder
	docs_run nvsim.1 "$work"/blocks/*-vm.sh
	like "$(cat "$work/run/serve.log")" 'nvme connect -t tcp -a 127.0.0.1 -s 4420' \
		'nvsim.1: the command to connect is the one that it prints'
}

# shellcheck disable=SC2048 # words
for part in ${*:-fields data power faults life placement}; do
	echo "# --- $part"
	$part
done
done_testing
