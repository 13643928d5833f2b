#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The sidecar (nvme_telemetry=) on model drives, whose counts are exact: against fio's own figures and
# nvsim's. On QEMU's drives, through the kernel: 49-vm-telemetry.

# shellcheck source=t/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/vm/engine.sh"

use_model_drives
# fio in the place of a subshell, so that its process is known
bare=(fio)
[ -z "${PRELOAD:-}" ] || bare=(env "LD_PRELOAD=$PRELOAD" fio)
command -v jq >/dev/null || skip_all "needs jq"
peak=$(realpath "$build/fio-peak")
cd "$work" || exit 1

drive()
{
	local name=$1
	shift
	"$nvsim" create "$name" --timing=none --seed=1 "$@" >create.out 2>&1 ||
		bail "nvsim create $name: $(<create.out)"
}
drive a.nvsim --capacity=64M --ruhs=4
drive b.nvsim --capacity=16M --ruhs=2

# s FILTER [FILE]: of the sidecar, one line
s()
{
	jq -rc "$1" "${2:-side.json}"
}

# f DIRECTION: fio's bytes of all jobs
f()
{
	jq "[.jobs[].$1.io_bytes] | add" out
}

# run NAME ARGS...: on drive a, sidecar in side.json
run()
{
	local name=$1
	shift
	rm -f side.json
	works "$name" --filename=a.nvsim --nvme_telemetry=side.json "$@"
}

# --- the file ------------------------------------------------------------------------------------

run 'a job with a sidecar' --rw=write --bs=4k --iodepth=8 --size=4M
is "$(s '.schema, .version, .complete, (.why_incomplete|length), (.missing|length)' | paste -sd ' ')" \
	'nvmept-sidecar 1 true 0 0' '... schema 1, complete, nothing is missing'
is "$(s '.fio')" "$(fio --version | sed 's/^fio-//')" "... fio's release"
is "$(s '.device | .name, .kind, .model, .bytes, .block_bytes, .namespace, .endurance_group' | paste -sd ' ')" \
	"a.nvsim model nvsim 67108864 4096 1 1" '... the drive'
is "$(s .device.serial)" "$("$nvsim" info --json a.nvsim | jq -r .serial)" '... its serial number'
is "$(s '.fdp.configuration | .reclaim_unit_bytes, .handles, .reclaim_groups, .handle_types[0]' | paste -sd ' ')" \
	'262144 4 1 initially isolated' '... its FDP configuration'
is "$(s '[.fdp.handles[] | [.index, .pid, .ruhid, .ruamw_blocks, .type]]')" \
	'[[0,0,0,64,1],[1,1,1,64,1],[2,2,2,64,1],[3,3,3,64,1]]' '... Reclaim Unit Handle Status'
is "$(s '[.groups[0] | .begin, .end | .smart.celsius, .power_state]')" '[40,0,40,0]' '... temperature and power state at both edges'
is "$(ls ./*.part 2>/dev/null)" '' '... no file is left half written'
is "$(find . -name side.json -perm /222 | wc -l)" 1 '... the sidecar is an ordinary file'

# --- bytes: the drive's count, fio's count ----------------------------------------------------------

# exact NAME ARGS...: in every group and all together the drive's host bytes are fio's; nobody else wrote
exact()
{
	run "$@"
	is "$(s '[.groups[].deltas.host_bytes] | add')" "$(f write)" '... host bytes (HBMW): what fio counts'
	is "$(s '[.groups[] | .host_bytes.others, (.host_bytes.drive - .host_bytes.fio)] | unique')" '[0]' \
		'... no byte more, no byte less'
}

exact 'one job' --rw=randwrite --bs=4k --iodepth=16 --size=8M
exact 'several jobs' --rw=write --bs=16k --size=2M --numjobs=4 --offset_increment=2M --iodepth=4
is "$(s '.groups|length')/$(s '[.groups[0].jobs[].number]')" '1/[1,2,3,4]' '... one group'
exact '... as threads' --rw=write --bs=16k --size=2M --numjobs=4 --offset_increment=2M --iodepth=4 --thread
is "$(s '.groups|length')/$(s '[.groups[0].jobs[].state] | unique')" '1/["done"]' '... one group'
exact 'reads beside writes' --rw=randrw --bs=4k --iodepth=8 --size=8M
is "$(s '.groups[0].bytes.read.fio')" "$(f read)" '... the reads too'
exact 'verified, with reads between' --rw=randwrite --bs=4k --iodepth=16 --size=4M --verify=crc32c --verify_backlog=32
exact 'I/Os that are split' --rw=write --bs=4m --iodepth=2 --size=16M
exact 'trims' --rw=trimwrite --bs=4k --size=4M
is "$(s '.groups[0].bytes.trim.fio')" "$(f trim)" '... the trims too'
exact 'with ramp time' --rw=randwrite --bs=4k --iodepth=16 --size=8M --time_based --ramp_time=1 --runtime=1
ramped='[.groups[0] | .window.from, (.host_bytes.discarded_in_ramp > 0), (.ramp_end.fdp.host_bytes > .begin.fdp.host_bytes), (.deltas.seconds < 1.5)]'
is "$(s "$ramped")" '["ramp_end",true,true,true]' '... from its end on'
is "$(s '.groups[0] | .deltas.host_bytes - .deltas.host_bytes_raw - .host_bytes.in_flight_at_ramp_end')" 0 \
	'... the counts at its end differ by what was in flight'
exact '... four jobs' --rw=randwrite --bs=4k --iodepth=4 --size=2M --numjobs=4 --offset_increment=2M --time_based \
	--ramp_time=1 --runtime=1
is "$(s "$ramped")" '["ramp_end",true,true,true]' '... from its end on'
exact '... as threads' --rw=randwrite --bs=4k --iodepth=4 --size=2M --numjobs=4 --offset_increment=2M --time_based \
	--ramp_time=1 --runtime=1 --thread
is "$(s "$ramped")" '["ramp_end",true,true,true]' '... from its end on'
exact '... of one job, beside another without' --rw=randwrite --bs=4k --size=4M --rate_iops=2000 --time_based --runtime=2 \
	--ramp_time=1 --name=bare "--ioengine=$ENGINE" --filename=a.nvsim --nvme_telemetry=side.json --rw=write --bs=4k \
	--size=4M --offset=8M --rate_iops=2000 --time_based --runtime=2 --ramp_time=0
ok "... from the one's end on, not from the other's" jq -e '.groups[0] | .window.from == "ramp_end" and
	.ramp_end.seconds > 0.9 and .window.seconds > 1.3' side.json

# --- groups ------------------------------------------------------------------------------------------

cat >groups.fio <<END
[global]
ioengine=${ENGINE}
filename=a.nvsim
bs=4k
nvme_telemetry=side.json
[fill]
rw=write
size=8M
[read]
stonewall
rw=randread
size=4M
numjobs=2
rate_iops=4000
[mix]
stonewall
rw=randrw
size=2M
END
rm -f side.json
fio --output-format=json --output=out groups.fio >stdout 2>err
is "$?" 0 'jobs in sequence'
is "$(s '[.groups[] | [.jobs[].name]]')" '[["fill"],["read","read"],["mix"]]' '... three groups in one file'
is "$(s '[.groups[].deltas.host_bytes]')" "[8388608,0,$(jq '.jobs[-1].write.io_bytes' out)]" '... each has its own bytes'
is "$(s '[.groups[].bytes.read.fio]')" "[0,8388608,$(jq '.jobs[-1].read.io_bytes' out)]" '... read, too'
is "$(s '.groups[1].waf.ratio')" null '... where nothing was written there is no WAF'
ok '... and the reason' test -n "$(s '.groups[1].waf.why_not // ""')"
is "$(s .complete)" true '... complete'

# --- two devices ---------------------------------------------------------------------------------------

rm -f side-*.json
works 'two drives, a file each' --filename=a.nvsim --rw=write --bs=4k --size=1M --nvme_telemetry=side-%d.json \
	--name=second "--ioengine=$ENGINE" --filename=b.nvsim --rw=write --bs=4k --size=2M --nvme_telemetry=side-%d.json
is "$(s '[.device.name, .groups[0].deltas.host_bytes]' side-a.nvsim.json)$(s '[.device.name, .groups[0].deltas.host_bytes]' side-b.nvsim.json)" \
	'["a.nvsim",1048576]["b.nvsim",2097152]' '... each of its own'
rm -f side-*.json
works '... in one job' --filename=a.nvsim:b.nvsim --rw=write --bs=4k --size=4M --nvme_telemetry=side-%d.json
is "$(s '[.groups[0].deltas.host_bytes, .groups[0].host_bytes.fio]' side-a.nvsim.json)$(s '[.groups[0].deltas.host_bytes, .groups[0].host_bytes.fio]' side-b.nvsim.json)" \
	'[2097152,2097152][2097152,2097152]' '... each has its half'
rm -f side.json
works 'a drive that is named twice' --filename=a.nvsim:./a.nvsim --rw=write --bs=4k --size=4M --nvme_telemetry=side.json
is "$(s '[.groups[0].deltas.host_bytes, .groups[0].host_bytes.others, (.groups[0].jobs|length)]')" "[$(f write),0,1]" \
	'... is one'
refused 'two drives, one file' \
	'nvme_telemetry=x.json: a.nvsim and b.nvsim need a file each: write %d where the device.s name belongs$' \
	--filename=a.nvsim:b.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=x.json
mkdir other && drive other/a.nvsim --capacity=16M
refused '... %d that does not help' 'nvme_telemetry=x%d.json: a.nvsim and other/a.nvsim would share a file: ' \
	--filename=a.nvsim:other/a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=x%d.json
refused 'one drive, two files' 'nvme_telemetry=y.json: an earlier job on a.nvsim has x.json; a device has one file a run$' \
	--filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=x.json \
	--name=second "--ioengine=$ENGINE" --filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=y.json
rm -f x.json # the first one ran
refused 'a folder that is not there' 'nvme_telemetry=none/x.json: cannot be written: No such file or directory$' \
	--filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=none/x.json
refused '... as a name' 'nvme_telemetry=none/: cannot be written: No such file or directory$' \
	--filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=none/
refused 'a name that no file can have' 'nvme_telemetry=nnn.*: cannot be written: File name too long$' \
	--filename=a.nvsim --rw=read --bs=4k --size=64k "--nvme_telemetry=$(printf 'n%.0s' {1..300})"
refused 'a folder that takes no files' 'nvme_telemetry=/proc/x: cannot be written: No such file or directory$' \
	--filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=/proc/x
# Whatever is no sidecar is left alone; fio has made its output's file, empty, by then.
echo precious >text.txt
ln -s side.json link.json
mkfifo pipe
drive_before=$(cksum <b.nvsim)
for file in b.nvsim text.txt link.json pipe . out; do
	refused "nvme_telemetry=$file" "nvme_telemetry=$file: exists and is not a sidecar, which alone is replaced, and not by a link; give another name" \
		--filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=$file
done
is "$(cksum <b.nvsim) $(<text.txt) $(readlink link.json) $(find pipe -type p)" "$drive_before precious side.json pipe" \
	'... all are as they were'
rm -f text.txt link.json pipe
works 'times without a sidecar' --filename=a.nvsim --rw=read --bs=4k --size=64k --numjobs=2 \
	--nvme_telemetry_interval=1s --nvme_telemetry_settle=2m
is "$(cat err)" "nvmept: note: nvme_telemetry_interval=1s without nvme_telemetry=: no samples are taken; give nvme_telemetry=FILE, too
nvmept: note: nvme_telemetry_settle=2m without nvme_telemetry=: nobody waits; give nvme_telemetry=FILE, too" \
	'... are told of once, and nobody waits'
for time in 1us 5 x -1; do
	refused "an interval that is none: $time" "nvme_telemetry_interval=$time: a time of at least 10 ms is wanted" \
		--filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=x.json "--nvme_telemetry_interval=$time"
done
refused 'a time to settle that is none' 'nvme_telemetry_settle=soon: a time is wanted: 30, 30s, 2m$' \
	--filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=x.json --nvme_telemetry_settle=soon
refused 'create_serialize=0' 'nvme_telemetry= needs create_serialize=1' \
	--filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=x.json --create_serialize=0
is "$(ls x* 2>/dev/null)" '' '... no file from any of these'

# --- samples, in flight, settling -------------------------------------------------------------------------

run 'samples' --rw=randwrite --bs=4k --iodepth=8 --size=8M --time_based --runtime=2 --nvme_telemetry_interval=100
# A busy machine may miss some.
ok '... about twenty' test "$(s '.samples.list|length')" -ge 12 -a "$(s '.samples.list|length')" -le 22
is "$(s '.samples.list | map(.written_bytes) | . == sort and .[-1] > .[0]')" true '... bytes rise'
is "$(s '.samples.list | map(.host_bytes) | . == sort')" true '... host bytes rise'
is "$(s '[.samples.list[] | .celsius, .power_state] | unique')" '[0,40]' '... temperature and power state in each'
ok '... about eight are in flight' jq -e '.groups[0].in_flight_mean > 6 and .groups[0].in_flight_mean <= 8' side.json
run '... of jobs that take turns' --rw=write --bs=4k --size=1M --numjobs=3 --time_based --runtime=1 \
	--nvme_telemetry_interval=50ms --name=late "--ioengine=$ENGINE" --filename=a.nvsim --rw=write --bs=4k --size=1M \
	--time_based --runtime=1 --startdelay=500ms --nvme_telemetry=side.json
ok '... go on after the first have ended' jq -e '.samples.list[-1].seconds > 1.2' side.json
# A job at a known rate: 100 I/Os a second on a drive that answers at once.
run 'a job that idles' --rw=randread --bs=4k --iodepth=4 --size=1M --rate_iops=100 --runtime=1 --time_based
ok '... has next to nothing in flight' jq -e '.groups[0].in_flight_mean < 0.5' side.json
run 'time to settle' --rw=write --bs=4k --size=1M --nvme_telemetry_settle=300ms
ok '... the counters once more, after it' jq -e '.groups[0] | .settled.seconds >= 0.3 and .settled.host_bytes == 0' side.json

# --- write amplification ------------------------------------------------------------------------------------

# A full drive that is overwritten at random: nvsim's own counts are what the sidecar must say.
"$nvsim" reset a.nvsim >reset.out
engine_fio --filename=a.nvsim --rw=write --bs=1m
counts()
{
	"$nvsim" info --json a.nvsim | jq -c "[.counters.host_bytes, .counters.media_bytes]"
}
read -r before <<<"$(counts)"
run 'a full drive, overwritten at random' --rw=randwrite --bs=4k --iodepth=8 --io_size=128M --norandommap
read -r after <<<"$(counts)"
is "$(s '[.groups[0].waf | .host_bytes, .media_bytes]')" \
	"$(jq -nc --argjson a "$before" --argjson b "$after" '[$b[0] - $a[0], $b[1] - $a[1]]')" "... what nvsim counts"
ok "... WAF of their quotient, far above 1" jq -e '.groups[0].waf | .ratio > 3 and
	(.ratio - .media_bytes / .host_bytes | fabs) < 1e-9 and .source == "fdp" and .doubts == []' side.json
# C0h counts the same bytes of the media.
is "$(s '.groups[0] | .deltas.ocp_media_bytes_written - .deltas.media_bytes')" 0 "... OCP's C0h agrees"

run 'a few blocks' --rw=write --bs=4k --size=16k
is "$(s '.groups[0].waf.doubts | map(split(":")[0])')" \
	'["less than 4 reclaim units were written","less than 1% of the endurance group was written"]' '... two doubts'
drive off.nvsim --capacity=64M --fdp=off
drive none.nvsim --capacity=64M --fdp=none
for kind in off none; do
	rm -f side.json
	works "FDP $kind" --filename=$kind.nvsim --rw=write --bs=64k --size=64M --loops=2 --nvme_telemetry=side.json
	ok "... WAF by OCP's log over SMART" jq -e '.groups[0].waf | .source == "ocp" and .ratio > 0.98 and .ratio < 1.02' side.json
	is "$(s '.complete, .fdp.enabled' | paste -sd ' ')" 'true false' '... the run is complete'
done
is "$(s '.missing[] | select(.what == "FDP statistics (log 22h)").why')" \
	'the controller has no Flexible Data Placement (CTRATT bit 19)' '... what is missing, and why'

# --- placement ----------------------------------------------------------------------------------------------

"$nvsim" reset a.nvsim >reset.out
run 'placement' --rw=write --bs=4k --iodepth=4 --size=4M --nvme_placement=ruh:1,3 --nvme_placement_select=weighted:3,1
is "$(s '[.groups[0].placement[] | [.pid, .ruhid, .bytes]]')" \
	"$("$nvsim" info --json a.nvsim | jq -c '[.placement.handles[].identifier_bytes] | to_entries | map([.key, .key, .value])')" \
	'... bytes of each identifier, as nvsim has them'
is "$(s '.groups[0].jobs[0].placement | [.by, .option, .select, (.map | map(.pid))]')" \
	'["nvme_placement","ruh:1,3","weighted:3,1",[1,3]]' '... the map that the job used'
run '... none' --rw=write --bs=4k --size=1M
is "$(s '[.groups[0].placement[] | select(.bytes > 0) | [.pid, .bytes]]')/$(s '.groups[0].jobs[0].placement')" \
	'[[null,1048576]]/null' '... all goes without an identifier'
run 'fresh reclaim units' --rw=write --bs=4k --size=4k --nvme_placement=ruh:2 --nvme_ruh_update=start
is "$(s '.groups[0] | .begin.fdp.host_bytes != .end.fdp.host_bytes')" true '... the begin is before them'

# --- statuses -------------------------------------------------------------------------------------------------

"$nvsim" fail b.nvsim read-error --lba=100-103 >fail.out
rm -f side.json
engine_fio --filename=b.nvsim --rw=read --bs=4k --size=4M --continue_on_error=all --nvme_telemetry=side.json
is "$(s '[.groups[0].statuses[] | [.name, .sct, .sc, .command, .count]]')" \
	'[["Successful Completion",0,0,null,1020],["Unrecovered Read Error",2,129,"Read",4]]' 'statuses by name'
is "$(s '.groups[0].deltas.media_errors')" 4 '... media errors, by SMART'

# --- runs that fail ------------------------------------------------------------------------------------------

rm -f side.json
engine_fio --filename=b.nvsim --rw=read --bs=4k --size=4M --nvme_telemetry=side.json
is "$?/$(s '[.complete, .groups[0].complete, .groups[0].jobs[0].state, .why_incomplete[0]]')" \
	'1/[false,false,"failed","job t (1) failed: Input/output error"]' 'a run that fails has its sidecar'
ok '... with its end' jq -e '.groups[0].end.fdp.host_bytes >= 0' side.json
"$nvsim" fail b.nvsim --clear >fail.out
rm -f side.json
engine_fio --filename=a.nvsim --rw=write --bs=4k --size=4M --nvme_telemetry=side.json --nvme_placement=ruh:9
is "$?/$(s '[.complete, .groups[0].jobs[0].state]')" '1/[false,"failed"]' 'a job that is refused'
engine_fio --filename=a.nvsim --rw=write --bs=4k --size=4M --nvme_telemetry=side.json
is "$(s .complete)" true '... the next run replaces the file'
full=$(ulimit -f 1; trap '' XFSZ; fio --name=t "--ioengine=$ENGINE" --filename=a.nvsim --rw=read --bs=4k --size=64k \
	--nvme_telemetry=full.json 2>&1)
like "$full" 'nvme_telemetry=full.json: cannot write .*/full.json: File too large' 'a file that cannot be written is told'
is "$(ls full.json* 2>/dev/null)" '' '... and not left half there'

# --- runs that are cut short ----------------------------------------------------------------------------------

# started ARGS...: fio runs in the background; $parent and $jobs when it writes, which it does when all
# jobs are there.
started()
{
	local before
	before=$(writes)
	rm -f side.json
	(exec "${bare[@]}" --name=t "--ioengine=$ENGINE" --filename=a.nvsim --rw=randwrite --bs=4k --iodepth=4 --size=8M \
		--time_based --output-format=json --output=out --nvme_telemetry=side.json "$@" >stdout 2>err) &
	parent=$!
	for _ in {1..300}; do
		[ "$(writes)" = "$before" ] || break
		sleep 0.1
	done
	sleep 0.5
	jobs=$(pgrep -P "$parent" | paste -sd ' ')
}

writes()
{
	"$nvsim" info --json a.nvsim | jq .counters.writes
}

# finished FILTER: waits until it holds of the sidecar
finished()
{
	for _ in {1..300}; do
		! jq -e "$1" side.json >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	return 1
}

started --runtime=20 --numjobs=2
is "$(s '[.complete, .groups[0].end]')" '[false,null]' 'while it runs the file says so'
# shellcheck disable=SC2086
kill -KILL "$parent" $jobs
wait "$parent" 2>/dev/null
ok 'all of fio is killed: the end is there all the same' finished '.groups[0].end != null'
is "$(s '[.complete, [.groups[0].jobs[].state], (.groups[0].waf.doubts | index("the run was cut short") != null)]')" \
	'[false,["killed","killed"],true]' '... and that it was cut short'
ok '... bytes up to the end' jq -e '.groups[0].deltas.host_bytes > 0 and .groups[0].host_bytes.others == 0' side.json
started --runtime=20 --numjobs=2 --thread
kill -KILL "$parent"
wait "$parent" 2>/dev/null
ok '... threads' finished '.groups[0].end != null and .complete == false'
started --runtime=5 --numjobs=3
kill -KILL "${jobs%% *}"
wait "$parent" 2>/dev/null
ok 'one job is killed: the others finish the file' finished '.groups[0].end != null'
is "$(s '[.complete, ([.groups[0].jobs[].state] | sort)]')" '[false,["done","done","killed"]]' '... which tells of it'
started --runtime=5 --numjobs=2
kill -KILL "$parent"
wait "$parent" 2>/dev/null
ok "fio's parent is killed: its jobs finish the file" finished '.complete == true'
started --runtime=20
kill -INT "$parent"
wait "$parent" 2>/dev/null
is "$(s '[.complete, .why_incomplete[0]]')" '[false,"the run was interrupted by a signal"]' 'SIGINT'
# Another program writes meanwhile.
started --runtime=60
fio --name=o "--ioengine=$ENGINE" --filename=a.nvsim --rw=write --bs=4k --size=1M --offset=32M --output=other.out
kill -INT "$parent"
wait "$parent" 2>/dev/null
is "$(s '.groups[0] | [.host_bytes.others, .waf.other_bytes]')" '[1048576,1048576]' "another writer's bytes are told apart"
is "$(s '.groups[0].waf.doubts | map(select(startswith("other writers"))) | length')" 1 '... a doubt'
started --runtime=20 --nvme_telemetry_interval=50 --numjobs=2
kill -KILL "${jobs%% *}"
sleep 2.5
kill -INT "$parent"
wait "$parent" 2>/dev/null
ok 'the sampler is killed: another one goes on' jq -e '.samples.list[-1].seconds > 2' side.json

# --- power ------------------------------------------------------------------------------------------------------

"$nvsim" create timed.nvsim --capacity=64M --seed=1 --dies=4 >create.out 2>&1 || bail "nvsim create: $(<create.out)"
rm -f side.json
before=$("$nvsim" info --json timed.nvsim | jq .power.life_energy_mj)
works 'a drive that takes its time' --filename=timed.nvsim --rw=randwrite --bs=4k --iodepth=4 --size=4M --time_based \
	--runtime=1 --nvme_telemetry=side.json
after=$("$nvsim" info --json timed.nvsim | jq .power.life_energy_mj)
ok '... watts are measured' jq -e '.groups[0].power | .source == "measured" and .watts > 0 and
	(.watts - .energy_joules / '"$(s '.groups[0].window.seconds')"' | fabs) < 0.01' side.json
ok '... not above what nvsim counts' jq -e ".groups[0].power.energy_joules * 1000 <= $after - $before + 1" side.json
run '... one that has no time draws none: rated' --rw=read --bs=4k --size=64k
is "$(s '.groups[0].power.source')" rated '... a cap, not a measurement'
is "$(s '.groups[0].power.watts == .power_states[0].max_watts')" true '... of the state in force'
run 'a power state for the run' --rw=read --bs=4k --size=64k --nvme_power_state=1
is "$(s '.groups[0].power.option | [.asked, .found, .in_force, .restored]')" '[1,0,1,true]' '... is told of'
is "$(s '.groups[0].power | [.state_begin, .state_end]')" '[0,1]' '... at both edges'
run 'a job with one, and then one without' --rw=read --bs=4k --size=64k --nvme_power_state=1 \
	--name=d --stonewall "--ioengine=$ENGINE" --filename=a.nvsim --nvme_telemetry=side.json --rw=read --bs=4k --size=64k
is "$(s '[.groups[] | .power | [.option.asked, .state_end]]')" '[[1,1],[null,0]]' '... each has what it asked for'

# What the engine asks the drive for itself is nobody's I/O: no fault of any opcode takes it.
"$nvsim" fail a.nvsim internal-error --times=1 || bail "nvsim fail"
status=0; engine_fio --filename=a.nvsim --rw=read --bs=4k --size=64k --nvme_telemetry=side.json || status=$?
ok 'one fault, once: a read fails' test "$status" -ne 0
like "$("$nvsim" fail a.nvsim --list)" '; 1 matched, 0 times left' '... the first command of the job'
like "$(cat "$work/err")" 'Read of 1 blocks at LBA 0 failed' '... as it says'
"$nvsim" fail a.nvsim --clear
"$nvsim" fail a.nvsim hang --times=1 || bail "nvsim fail"
engine_fio --filename=a.nvsim --rw=read --bs=4k --size=64k
like "$(cat "$work/err")" 'Command Abort Requested .*asked for by nvsim fail. see `nvsim fail a.nvsim --list`' 'a command that hangs: whom to ask'
"$nvsim" fail a.nvsim --clear

# --- the job that asks for all of it --------------------------------------------------------------------------

POWER_STATE=1 fio "--ioengine=$ENGINE" --filename=timed.nvsim --ramp_time=1 --runtime=3 --output-format=json \
	--output=timed.nvsim.json "$top/jobs/power/heat.fio" 2>err
is "$?" 0 'jobs/power/heat.fio'
is "$(s '[.complete, .samples.asked_every_ms, .groups[0].power.option.asked, .groups[0].window.from]' timed.nvsim.nvme.json)" \
	'[true,1000,1,"ramp_end"]' '... has its sidecar, with samples, at its power state'
ok '... a reading each second, and one when it has settled' jq -e '(.samples.list | length) >= 3 and
	.groups[0].settled.seconds >= 5 and ([.samples.list[] | .watts > 0 and .celsius > 0] | all)' timed.nvsim.nvme.json
like "$("$peak" --format=csv timed.nvsim.json)" 'fdp' '... which fio-peak finds'
done_testing
