#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-curve and the guardians of the engine: a fio that is killed under it leaves the drive in the
# power state that it found, a finished sidecar, and no process.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/39-power.sh
. "$(dirname "$0")/39-power.sh"
# shellcheck source=t/curve.sh
. "$(dirname "$0")/curve.sh"

make_drive a.nvsim --capacity=64M --timing=real --power-states=25W:idle=5W,12W:idle=5W,8W:idle=5W
POWER_STATE=2 "$curve" --fio="$fio" --jobs="$top/jobs" --out=results --drive=a=a.nvsim --runtime=60 \
	--ramp=0 --precondition=none --yes power/randread-4k >curve.out 2>curve.err </dev/null &
pid=$!
ok 'the run reaches the power state' within 20 in_state 2
kill -KILL "$(pgrep -P "$pid" -x -o fio)"
wait "$pid"
is "$?" 1 'a killed fio is a failed run'
ok 'the state before is back' in_state 0
is "$(pgrep -f -- "$work/scratch/" | wc -l)" 0 'no process stays behind'
sidecar=$(find results -name '*.nvme.json')
is "$(perl -MJSON::PP -0777 -ne 'print decode_json($_)->{complete} ? "yes" : "no"' "$sidecar")" no \
	'the sidecar is there and says that the run is not complete'
done_testing
