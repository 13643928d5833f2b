#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What fio-peak tells of runs besides their figures: steadiness, processor time, the engine's sidecar,
# meters, power states, drive.json. By values worked out by hand.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"

peak=$(realpath "$build")/fio-peak
data=$(realpath "$(dirname "$0")")/data
cd "$work" || exit 1

# entry NAME IOPS [MEMBERS]: ten seconds from 2026-12-02 18:38:10 on, with these members of the job.
entry()
{
	printf '{ "jobname": "%s", "error": 0, "job_start": 1796236690000, "job options": { "rw": "randread" },
		"read": { "io_bytes": %d, "io_kbytes": 4, "iops": %d, "runtime": 10000, "total_ios": %d,
		"clat_ns": { "min": 1, "max": 9, "mean": 5000, "stddev": 0, "N": %d } } %s }\n' \
		"$1" $(($2 * 40960)) "$2" $(($2 * 10)) $(($2 * 10)) "${3:+, $3}"
}
# document ENTRIES...
document()
{
	local IFS=,
	printf '{ "fio version": "fio-3.42", "jobs": [ %s ] }\n' "$*"
}
# value FILE COLUMN [JOB]: of its row for all directions.
value()
{
	"$peak" --format=csv "${@:4}" "$1" 2>/dev/null | awk -F , -v want="$2" -v job="${3:-w}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == want) c = i; next }
		$4 == "all" && $2 == job { print $c; exit }'
}

# Steady state, as fio judged it.
steady=$data/fio-json/v3.42__steadystate.json
"$peak" "$steady" >out
like "$(sed -n '/^CONDITIONS/,$p' out | tr -s " \n" " ")" 'WORKLOAD DRIVE STEADY CPU % CPU us/IO ss .* yes ' "steady: yes"
is "$(grep -c 'not steady' out) $("$peak" --format=csv "$steady" | grep -c ',attained,')" "0 2" "... and in csv"
sed 's/"attained" : 1/"attained" : 0/' "$steady" >unsteady.json
"$peak" unsteady.json >out
like "$(cat out)" 'ss  *unsteady NO .*ss on unsteady: not steady: fio waited for iops:10\.000000%' "... NO, and what for"
is "$("$peak" "$data/fio-json/v3.36__basic-randrw70-2jobs-norep.json" | grep -c CONDITIONS)" 0 \
	"nothing known but fio's figures: no table"

# Processor time: 50% of 20 s (two copies in one entry) for 100,000 I/Os are 100 us each, 100% of a CPU.
document "$(entry w 10000 '"job_runtime": 20000, "usr_cpu": 30, "sys_cpu": 20')" >cpu.json
is "$(value cpu.json cpu_percent) $(value cpu.json cpu_us_per_io)" "100 100" "CPU: by job_runtime"
document "$(entry w 10000 '"usr_cpu": 30, "sys_cpu": 20')" | sed 's/"randread"/&, "numjobs": "4"/' >cpu.json
is "$(value cpu.json cpu_percent) $(value cpu.json cpu_us_per_io)" "200 200" "... before fio 3.8: by the copies"
document "$(entry w 10000)" >cpu.json
is "$(value cpu.json cpu_percent)$(value cpu.json cpu_us_per_io)" "" "... not told"

# The sidecar. group JOBS WAF POWER: a group of these jobs.
group()
{
	local names
	names=$(printf '{ "name": "%s" },' $1)
	printf '{ "complete": true, "jobs": [ %s ], "window": { "from": "begin" }, "waf": { %s }, "power": { %s },
		"begin": { "time": "2026-12-02T18:38:11.000Z" }, "end": { "time": "2026-12-02T18:38:20.000Z" },
		"temperature": { "max_celsius": 47 } }' "${names%,}" "$2" "$3"
}
sidecar()
{
	local IFS=,
	printf '{ "schema": "nvmept-sidecar", "version": 1, "device": { "model": "Model <1>", "firmware": "F1",
		"bytes": 2000000000000 }, "groups": [ %s ] }\n' "$*"
}
document "$(entry w 10000)" "$(entry v 5000)" >a.json
sidecar "$(group w '"source": "fdp", "ratio": 2.5, "doubts": [ "few units", "other writers" ]' \
	'"watts": 8, "source": "measured", "state_end": 1')" \
	"$(group v '"source": null, "ratio": null, "why_not": "nothing could be read"' \
	'"watts": 25, "source": "rated", "state_end": 0')" >a.nvme.json
"$peak" a.json >out 2>err
is "$(wc -c <err)" 0 "a sidecar"
is "$(sed -n '/^CONDITIONS/,/^WAF/p' out | sed '1,3d; /^WAF/d; /^$/d' | tr -s ' ')" \
	"w a 2.50 fdp 8.00 measured 1,250 47.0
v a 25.0 rated 47.0" "... WAF, watts, efficiency where they are measured, temperature"
like "$(cat out)" 'w on a: WAF is in doubt: few units; other writers' "... doubts"
like "$(cat out)" 'v on a: no WAF: nothing could be read' "... why there is none"
is "$(for c in waf waf_source watts watts_source iops_per_watt power_state celsius_max; do value a.json $c; done |
	xargs)" "2.5 fdp 8 measured 1250 1 47" "... in csv"
"$peak" --format=json a.json >own.json
is "$(jq -c '.points[0] | [.power.watts + 0, .power.state, .write_amplification.ratio, .device.model,
	.interval.begin + 0]' own.json)" '[8,1,2.5,"Model <1>",1796236691]' "... in json"
rm -rf moved && mkdir moved && mv own.json moved
"$peak" --format=html a.json >want
(cd moved && "$peak" --format=html own.json) >got
ok "... which is read back" cmp want got
is "$(xmllint --xpath 'string((//table)[last()]/tbody/tr)' want 2>&1)" "aModel <1>F12,000" "... the drive in html"

# Jobs that ran together share the drive's power.
sidecar "$(group 'w v' '"source": "ocp", "ratio": 1.5' '"watts": 8, "source": "measured"')" >a.nvme.json
"$peak" a.json >out
is "$(value a.json waf) $(value a.json watts)$(value a.json iops_per_watt)" "1.5 8" "jobs at once: no efficiency"
like "$(cat out)" 'w on a: other jobs ran beside it, so its watts are theirs, too' "... and why"
sed -i 's/"complete": true/"complete": false/' a.nvme.json
like "$("$peak" a.json)" 'w on a: the sidecar is not complete' "a sidecar that is not complete"

# It is of the file's last run.
document "$(entry w 20000 '"elapsed": 1')" | sed 's/1796236690000/1796236000000/' >two.json
cat a.json >>two.json
cp a.nvme.json two.nvme.json
is "$("$peak" --format=csv two.json | awk -F , '$4 == "all" && $2 == "w" { print $5, /,ocp,/ }' | sort | xargs)" \
	"10000 1 20000 0" "of several runs in a file it is the last one's"

# Whatever is missing or odd in it is unknown; a file that is no JSON as well.
for odd in '' '{' '[]' '{}' '{"groups":5}' '{"groups":[1,{"jobs":"x"},{"jobs":[3,{"name":7},{"name":"w"}]}]}' \
	'{"groups":[{"jobs":[{"name":"w"}],"waf":[],"power":{"watts":"x","source":3,"state_end":-1,"option":7},
	"temperature":{"max_celsius":-4},"window":{"from":"settle"},"begin":{"time":"yesterday"}}],"device":9}'; do
	printf '%s' "$odd" >a.nvme.json
	capture "$peak" a.json
	is "$status $err $(grep -c CONDITIONS <<<"$out")" "0  0" "a sidecar like ${odd:0:30}: unknown"
done
rm a.nvme.json

# A sidecar that an earlier run left: it ended 100 s before this one began, or 3 s, which clocks may be apart.
document "$(entry w 10000 | sed 's/1796236690000/1796236800000/')" >late.json
sidecar "$(group w '"source": "fdp", "ratio": 2.5' '"watts": 8, "source": "measured", "state_end": 1')" >late.nvme.json
"$peak" late.json >out
is "$(grep -c 'w on late: the sidecar beside it is of a run at another time: left out$' out) $(value late.json waf)$(value late.json watts)" \
	'1 ' "a sidecar of another run: left out, and told"
is "$("$peak" --format=json late.json | jq -c '[.points[0] | .sidecar_foreign, .power]')" '[true,null]' "... and in the JSON"
sed -i 's/1796236800000/1796236703000/' late.json
is "$(value late.json waf)" 2.5 "... 3 s apart: its own"

# Power states: no repeats, a table by state.
for state in 0 1 2; do
	document "$(entry w $((30000 - state * 10000)))" >p$state.json
	sidecar "$(group w '' "\"watts\": $((20 - state * 5)), \"source\": \"measured\", \"state_end\": $state")" \
		>p$state.nvme.json
done
mkdir drive && mv p[012].* drive
"$peak" drive >out
is "$(sed -n '/^POWER/,/^$/d; p' out | sed -n '/STATE/,/^$/p' | tr -s ' ' | sed 's/ $//; /^$/d')" \
	"WORKLOAD DRIVE STATE IOPS MB/s mean us WATTS BY IOPS/W MB/s/W
w drive 0 30,000 122.9 5.00 20.0 measured 1,500 6.14
 drive 1 20,000 81.9 5.00 15.0 measured 1,333 5.46
 drive 2 10,000 41.0 5.00 10.0 measured 1,000 4.10" "power states: a table"
is "$(grep -c 'SPREAD\|FALL-OFF' out)" 0 "... and no repeats, and no curve"
is "$(grep -c 'w on drive: no curve, its runs have different settings (power state); .* the table of power states has a line for each$' out)" \
	1 "... told"
"$peak" x=drive/p0.json y=drive/p1.json >out
like "$(cat out)" 'w: the drives ran it with different settings \(power state\)' "... told where drives differ"

# With placement and without are no repeats either.
mkdir fdp
for placed in 'null' '{ "by": "nvme_placement", "option": "ruh:0-1", "select": "roundrobin", "map": [] }' \
	'{ "by": "fio" }'; do
	n=$(find fdp -name '*.nvme.json' | wc -l)
	document "$(entry w $((30000 + n * 1000)))" >fdp/p$n.json
	sidecar "$(group w '"source": "fdp", "ratio": 1.5' '' | sed "s/\"name\": \"w\"/&, \"placement\": $placed/")" >fdp/p$n.nvme.json
done
"$peak" fdp >out
is "$(grep -c SPREAD out)" 0 "placement: no repeats"
is "$(grep -c 'w on fdp: no curve, its runs have different settings (placement); .* LABEL=PATH each tells them apart$' out)" 1 \
	"... told"
is "$("$peak" --format=json fdp | jq -r '[.points[].placement] | sort | join(",")')" 'fio,none,ruh:0-1 roundrobin' \
	"... and in the JSON"
"$peak" x=fdp/p0.json y=fdp/p1.json >out
like "$(cat out)" 'w: the drives ran it with different settings \(placement\)' "... told where drives differ"

# A meter. The run is from :10 to :20; from 10 W at :05 to 30 W at :25 are 20 W on average.
document "$(entry w 10000)" >m.json
metered() { value m.json watts w --watts="$1"; }
printf 'time,watts\n2026-12-02T18:38:05Z,10\n2026-12-02T18:38:25Z,30\n' >watts.csv
is "$(metered watts.csv) $(value m.json watts_source w --watts=watts.csv) \
$(value m.json iops_per_watt w --watts=watts.csv)" "20 metered 500" "--watts: the mean while it ran"
printf '1796236685,10\n1796236695,10\n1796236695.001;40\n"1796236705"\t"40"\tx\n' >watts.csv
like "$(metered watts.csv)" '^2[45]\.[0-9]' "... a step in the middle, other separators"
printf '# meter\n2026-12-02 19:38:05+01:00, 5.5\n\n2026-12-02 13:38:25-0500, 5.5\n' >watts.csv
is "$(metered watts.csv)" "5.5" "... time zones"
cp m.json other.json
is "$("$peak" --watts=m=watts.csv --format=json m.json other.json | jq -c '[.points[] | .drive, .power.watts]')" \
	'["m",5.5,"other",null]' "... for one drive"
capture "$peak" --watts=mm=watts.csv m.json
is "$status $err" "2 fio-peak: --watts=mm=watts.csv: no such drive; there is m" "... for none"
printf '2026-12-02T18:38:12Z,10\n2026-12-02T18:38:25Z,30\n' >watts.csv
capture "$peak" --watts=watts.csv m.json
is "$status $err" "0 fio-peak: --watts=watts.csv: 1 of 1 runs have no power by it: they do not lie within its \
readings, or fio does not tell when they ran" "... a run that it did not see whole"
printf '2026-12-02T18:38:12Z,10\nyesterday,30\n' >watts.csv
capture "$peak" --watts=watts.csv m.json
is "$status $err" "2 fio-peak: --watts=watts.csv: line 2 is not TIME,WATTS, such as 2026-12-02T18:38:19Z,12.5" \
	"... a line that is none"
: >watts.csv
capture "$peak" --watts=watts.csv m.json
is "$status $err" "2 fio-peak: --watts=watts.csv: no readings in it; expected lines of TIME,WATTS" "... none at all"
capture "$peak" --watts=gone.csv m.json
is "$status $err" "2 fio-peak: --watts=gone.csv: cannot be opened: No such file or directory" "... no such file"
printf '1796236685,8\n1796236705,8\n' >watts.csv
is "$(value a.json watts w --watts=watts.csv) $(value a.json iops_per_watt w --watts=watts.csv)" "8 " \
	"... of two jobs at once: no efficiency"

# The drive, by drive.json.
mkdir -p results/d1/enterprise/rr results/d1/precondition/fill
echo '{ "label": "d1", "model": "M9", "firmware": "F9", "capacity_bytes": 960000000000, "host": "lab",
	"kernel": "6.1.0" }' >results/d1/drive.json
cp m.json results/d1/enterprise/rr/1.json
cp m.json results/d1/precondition/fill/1.json
"$peak" --format=html results >page.html
if command -v xmllint >/dev/null; then
	is "$(xmllint --xpath 'string((//table)[last()]/tbody/tr)' page.html)" "d1M9F9960.0lab6.1.0fill" \
		"drive.json in html: model, firmware, capacity, host, kernel, preconditioning"
else
	skip "drive.json in html" "needs xmllint"
fi

# What the engine itself writes, where it was built with the option.
if command -v fio >/dev/null && grep -qa nvme_telemetry "$(realpath "$build")/nvmept.so" 2>/dev/null; then
	"$(realpath "$build")/nvsim" create drive.nvsim --preset=gen5-read --capacity=32M >/dev/null
	capture fio --name=w --ioengine="external:$(realpath "$build")/nvmept.so" --filename=drive.nvsim --rw=write \
		--bs=64k --iodepth=4 --nvme_telemetry=real.nvme.json --output-format=json --output=real.json
	is "$status $(jq -r .schema real.nvme.json)" "0 nvmept-sidecar" "the engine's sidecar"
	is "$(value real.json waf_source) $(jq '.groups[0].waf.ratio * 1000 | round' real.nvme.json)" \
		"fdp $(value real.json waf | awk '{ printf "%.0f", $1 * 1000 }')" "... its WAF"
	is "$(value real.json power_state)" "$(jq .groups[0].power.state_end real.nvme.json)" "... its power state"
else
	skip "the engine's sidecar" "needs fio and $build/nvmept.so with nvme_telemetry"
fi
done_testing
