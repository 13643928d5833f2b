#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the VM: the sidecar of QEMU's drives, against fio's own figures and nvme-cli's. Drives f (FDP) and o
# (OCP's log C0h), a (neither).
. t/lib.sh
. t/vm/engine.sh

drive=/dev/drive/f
ctrl=$drive-ctrl
side=$work/side.json

s()
{
	jq -rc "$1" "$side"
}

# run NAME ARGS...
run()
{
	local name=$1
	shift
	rm -f "$side"
	works "$name" "--nvme_telemetry=$side" "$@"
}

# statistics: HBMW and MBMW by nvme-cli, as a JSON array
statistics()
{
	nvme fdp stats "$ctrl" -e 1 | sed -n 's/.*(\(HBMW\|MBMW\)): *\([0-9,]*\).*/\2/p' | tr -d , | jq -sc .
}

# exact NAME ARGS...: HBMW's delta is what fio counts; nvme-cli saw the same counts before and after
exact()
{
	local before after
	before=$(statistics)
	run "$@"
	after=$(statistics)
	is "$(s '[.groups[].deltas.host_bytes] | add')" "$(jq '[.jobs[].write.io_bytes] | add' "$work/out")" \
		'... host bytes (HBMW): what fio counts'
	is "$(s '[.groups[0].begin.fdp, .groups[-1].end.fdp | .host_bytes, .media_bytes]')" \
		"$(jq -nc --argjson a "$before" --argjson b "$after" '$a + $b')" "... nvme-cli's figures at both edges"
}

exact 'one job' --filename=$drive --rw=write --bs=64k --size=4M
is "$(s '.complete, .version, .device.kind, .device.controller' | paste -sd ' ')" \
	"true 1 nvme $(realpath "$ctrl")" '... complete, read from the controller'
is "$(s .device.serial)/$(s .device.model)" \
	"$(nvme id-ctrl "$ctrl" -o json | jq -r '"\(.sn)/\(.mn)" | gsub(" +/"; "/") | sub(" +$"; "")')" '... the drive'
is "$(s '[.fdp.configuration | .reclaim_unit_bytes, .handles, .reclaim_groups]')" '[16777216,4,1]' '... its FDP configuration'
is "$(s '[.fdp.handles[] | [.pid, .ruhid, .ruamw_blocks]]')" \
	"$(nvme fdp status "$drive" >"$work/status"; s '[.fdp.handles[] | [.index, .index, .ruamw_blocks]]')" '... its handles'
exact 'four jobs, a handle each' --filename=$drive --rw=write --bs=16k --size=1M --numjobs=4 --offset_increment=1M \
	--iodepth=4 --nvme_placement=ruh:0-3 --nvme_placement_select=job
is "$(s '[.groups[0].placement[] | .bytes]')" '[1048576,1048576,1048576,1048576]' '... bytes of each identifier'
exact '... as threads' --filename=$drive --rw=write --bs=16k --size=1M --numjobs=4 --offset_increment=1M --iodepth=4 --thread
exact 'with ramp time' --filename=$drive --rw=randwrite --bs=4k --iodepth=8 --size=8M --time_based --ramp_time=1 --runtime=2
is "$(s '[.groups[0] | .window.from, (.host_bytes.discarded_in_ramp > 0), .host_bytes.others]')" '["ramp_end",true,0]' '... from its end on'
exact '... several jobs' --filename=$drive --rw=randwrite --bs=4k --iodepth=4 --size=4M --numjobs=3 --offset_increment=4M \
	--time_based --ramp_time=1 --runtime=2 --nvme_telemetry_interval=100
is "$(s '[.groups[0] | .window.from, (.host_bytes.discarded_in_ramp > 0), .host_bytes.others]')" '["ramp_end",true,0]' '... from its end on'
ok '... samples' jq -e '.samples.list | length > 5 and (map(.host_bytes) | . == sort)' "$side"

# An update closes the unit: QEMU counts what is left of it as media bytes.
engine_fio --filename=$drive --rw=write --bs=4k --size=4k --nvme_placement=ruh:3
left=$(($(nvme fdp status "$drive" | sed -n 's/.*(RUAMW): \(0x[0-9a-f]*\|[0-9]*\).*/\1/p' | sed -n 4p)))
run 'nvme_ruh_update=start' --filename=$drive --rw=write --bs=4k --size=4k --nvme_placement=ruh:3 --nvme_ruh_update=start
is "$(s '[.groups[0].deltas | .host_bytes, .media_bytes]')" "[4096,$((4096 + 4096 * left))]" \
	'... what was left of the unit stands in the media bytes'

# QEMU's C0h has the host's bytes: a WAF of 1, but by SMART's units.
run "a drive with OCP's log" --filename=/dev/drive/o --rw=write --bs=128k --size=128M
ok '... WAF by C0h over SMART: 1' jq -e '.groups[0].waf | .source == "ocp" and .ratio > 0.98 and .ratio < 1.02' "$side"
is "$(s '.groups[0].deltas.ocp_media_bytes_written')" $((128 << 20)) '... media bytes'
run 'a drive with neither' --filename=/dev/drive/a --rw=write --bs=128k --size=1M
is "$(s '[.complete, .groups[0].waf.source, .groups[0].waf.ratio, (.groups[0].waf.why_not | length > 0)]')" \
	'[true,null,null,true]' '... no WAF, and why'
is "$(s '[.missing[].what]')" '["FDP statistics (log 22h)","OCP SMART (log C0h)"]' '... what is missing'
run 'by the block node' --filename="$(realpath /dev/drive/a)" --rw=read --bs=4k --size=64k
is "$(s .device.node)" "$(basename "$(realpath /dev/drive/a-ng)")" '... is the same device'
engine_fio --filename=$drive --rw=write --bs=4k --size=4M --offset=120M --io_size=64M "--nvme_telemetry=$side" --number_ios=4
is "$(s '.groups[0] | [.temperature.begin_celsius != null, .power.state_end, .power.source]')" \
	"[true,0,$(jq 'if .power_states[0].max_watts > 0 then "rated" else null end' "$side")]" '... temperature, power'

# From kernel 6.2 on a user may do I/O, but not read logs.
kernel=$(uname -r | sed 's/\([0-9]*\)\.\([0-9]*\).*/\1 * 100 + \2/')
if [ $((kernel)) -ge 602 ] && command -v setpriv >/dev/null; then
	chmod 644 "$(realpath /dev/drive/a-ng)"
	chmod 777 "$work"
	rm -f "$side"
	setpriv --reuid=65534 --regid=65534 --clear-groups fio --name=t "--ioengine=$plugin" --filename=/dev/drive/a-ng \
		--rw=read --bs=4k --size=1M "--nvme_telemetry=$side" "--output=$work/user.out" 2>"$work/err"
	is "$?" 0 'no right to read logs: the run goes on'
	is "$(s '[.complete, .groups[0].bytes.read.fio, .groups[0].waf.ratio]')" '[true,1048576,null]' '... complete, without WAF'
	is "$(s '[.missing[] | select(.what | startswith("SMART")).why | test("^EACCES: .*run as root$")]')" '[true]' \
		'... what is missing, and why'
else
	skip 'a user without rights' "kernel 6.2 or newer lets users do I/O, this is $(uname -r)"
fi

# SIGKILL: the guardian reads the end and writes it.
before=$(statistics)
rm -f "$side"
(exec fio --name=t "--ioengine=$plugin" --filename=$drive --rw=randwrite --bs=4k --iodepth=4 --size=8M --time_based \
	--runtime=60 --numjobs=2 "--nvme_telemetry=$side" >"$work/out" 2>"$work/err") &
parent=$!
jobs()
{
	ps -o pid,ppid | awk -v p=$parent '$2 == p { print $1 }'
}
for _ in {1..300}; do
	[ "$(statistics)" = "$before" ] || break
	sleep 0.1
done
sleep 1
# shellcheck disable=SC2046
kill -KILL $parent $(jobs)
wait $parent 2>/dev/null
for _ in {1..300}; do
	! jq -e '.groups[0].end != null' "$side" >/dev/null 2>&1 || break
	sleep 0.1
done
is "$(s '[.complete, (.groups[0].deltas.host_bytes > 0), .groups[0].host_bytes.others]')" '[false,true,0]' \
	'all of fio is killed: the end is there all the same'
is "$(s '.groups[0].end.fdp | [.host_bytes, .media_bytes]')" "$(statistics)" "... nvme-cli's figures"
done_testing
