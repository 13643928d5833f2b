#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# jobs/power/ on a model drive with the power states of a real one: each state is set and restored, a
# lower one gives less and draws less. What the files say has 30-jobs.t.

# shellcheck disable=SC2317 # functions that ok calls

# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/vm/engine.sh"

use_model_drives
peak=$(realpath "$build/fio-peak")
cd "$work" || exit 1
mkdir states
run=(fio "--ioengine=$ENGINE" --filename=drive.nvsim)

# Three states, 13, 10 and 8 W, with 4 W idle.
"$nvsim" create drive.nvsim --preset=gen4 --capacity=64M --seed=1 >create.out 2>&1 ||
	bail "nvsim create: $(<create.out)"
ok 'the drive is filled' "${run[@]}" --output=fill.txt "$top/jobs/precondition/seq-fill-1x.fio"

# at_state STATE JOB: for a moment; with a sidecar, from which fio-peak has the watts
at_state()
{
	POWER_STATE=$1 "${run[@]}" --runtime=500ms "--nvme_telemetry=states/$2-ps$1.nvme.json" \
		--output-format=json+ "--output=states/$2-ps$1.json" "$top/jobs/power/$2.fio"
}

# column JOB STATE NAME: what fio-peak makes of it
column()
{
	"$peak" --format=csv states | awk -F , -v job="$1" -v state="$2" -v name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["workload"] == job && $at["power_state"] == state && $at["direction"] == "all" {
			print $at[name]
		}'
}

# less JOB: at 8 W less than nine tenths of what it gives at 13 W, for less power, within the state's. What
# a model drive gives depends on the host when others have the cores: up to three times.
less()
{
	local seen
	for _ in 1 2 3; do
		at_state 0 "$1" && at_state 2 "$1" || return
		seen="$(column "$1" 0 iops) $(column "$1" 2 iops) $(column "$1" 0 watts) $(column "$1" 2 watts)"
		awk '{ exit !($2 > 0 && $2 < 0.9 * $1 && $4 > 4 && $4 < $3 && $4 <= 8.1) }' <<<"$seen" && return
	done
	echo "IOPS at 13 and 8 W, watts at both: $seen"
	return 1
}

for job in seqread-128k seqwrite-128k randread-4k randwrite-4k randrw70-4k; do
	ok "$job gives less at a lower power state" less "$job"
done
ok 'idle runs at each state' eval 'at_state 0 idle && at_state 1 idle && at_state 2 idle'
for state in 0 1 2; do
	like "$(column idle $state watts)" '^(3\.9|4\.0)' "... and draws the 4 W of rest at state $state"
done
is "$("$nvsim" info --json drive.nvsim | sed -n 's/^ *"state": \([0-9]*\).*/\1/p')" 0 'state 0 is in force again'

capture "${run[@]}" "$top/jobs/power/idle.fio"
is "$status" 1 'without POWER_STATE a file is refused'
like "$err$out" 'failed parsing nvme_power_state' '... by a line that names the option'
capture env POWER_STATE=3 "${run[@]}" --runtime=1 "$top/jobs/power/idle.fio"
like "$status $err" '^1 .*nvme_power_state=3: the controller has power states 0 to 2' 'a state that it lacks is refused'
done_testing
