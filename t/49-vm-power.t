#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# nvme_power_state= on QEMU's drives, through the kernel. They have one state (NPSS 0), and answer Set
# Features with Feature Not Changeable: so what is seen here is how a run that cannot have its state
# ends. Everything else: 39-power.t, on a model drive.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
in_vm --timeout=400 --drive=name=a --drive=name=m,paths=2
. t/vm/engine.sh

drive=/dev/drive/a
read_some=("--filename=$drive" --rw=read --bs=4k --size=1M)

# left: guardians that are alive, journals and lock files. The guest's init looks after those that ended.
left()
{
	local status nr=0
	for status in /proc/[0-9]*/status; do
		grep -qs '^Name:[[:space:]]*nvmept-guardian' "$status" && grep -qs '^State:[[:space:]]*[^ZX]' "$status" &&
			nr=$((nr + 1))
	done
	echo "$nr $(ls -A /run/fio-peak 2>/dev/null | wc -l)"
}

# says REGEX NAME: exactly one line of the last run is like it.
says()
{
	is "$(grep -Ec "^nvmept: $1" "$work/err")" 1 "$2"
}

for state in 0 1; do
	refused "state $state" "$drive: nvme_power_state=$state: the controller has one power state only \(NPSS 0\)" \
		"${read_some[@]}" --nvme_power_state=$state
	is "$(ios read)" 0 '... and no I/O was done'
done
works 'nvme_power_optional=1' "${read_some[@]}" --nvme_power_state=1 --nvme_power_optional=1 --numjobs=2
says "note: $drive: nvme_power_state=1: .*\(NPSS 0\).*; nvme_power_optional=1: the job runs at state 0$" '... says why'
for args in '' --thread; do
	refused "nvme_power_force=1 sends the command ${args:+with threads }" \
		"$drive: Set Features, Power Management: Feature Not Changeable \(SCT 1h SC 0Eh.*\): the drive does not let its power state be changed" \
		"${read_some[@]}" --nvme_power_state=1 --nvme_power_force=1 --numjobs=3 $args
	is "$(ios read)" 0 '... and no I/O was done'
done
is "$(left)" '0 0' '... no guardian and no file is left'
works '... optional' "${read_some[@]}" --nvme_power_state=1 --nvme_power_force=1 --nvme_power_optional=1
says "note: $drive: Set Features, .*Feature Not Changeable.*; nvme_power_optional=1: the job runs at state 0$" '... says why'
works 'by the block node' --filename="$(realpath $drive)" --rw=read --bs=4k --size=1M --nvme_power_state=1 \
	--nvme_power_optional=1
is "$(left)" '0 0' 'no guardian and no file is left'
for node in /dev/drive/m /dev/drive/m-ng; do
	refused "$node" "$node: nvme_power_state=0: several controllers lead to it, and each has a power state of its own" \
		--filename=$node --rw=read --bs=4k --size=1M --nvme_power_state=0
	is "$(ios read)" 0 '... and no I/O was done'
done

# --- a drive that has states, behind Linux' own driver --------------------------------------------------

# shellcheck source=t/vm/attach.sh
. t/vm/attach.sh
# shellcheck source=t/39-power.sh
. t/39-power.sh
ENGINE=$plugin
make_drive "$work/p.nvsim" --timing=none
serve p --listen=127.0.0.1:0
attach || bail "cannot connect: $(cat "$work/connect.out" "$work/p.err")"
a=$work/p.nvsim
works 'a run at state 2' --filename="$ng" --rw=read --bs=4k --size=1M --nvme_power_state=2 --nvme_verbose=1
says "note: $ng: power state 2 set in [0-9.]+ us and read back, at most 8.00 W, .*; found: state 0, workload hint 0$" \
	'... is set'
says "note: $ng: power state 0 restored$" '... and restored'
is "$(power_state "$a") $(power_changes "$a") $(left)" '0 2 0 0' '... with nothing left'
refused 'a state that is not operational' "$disk: nvme_power_state=3: this state is not operational" \
	--filename="$disk" --rw=read --bs=4k --size=1M --nvme_power_state=3
# Opening the node takes a mode, the power state a capability.
chmod 666 "$ng"
capture setpriv --reuid=65534 --regid=65534 --clear-groups fio --name=t "--ioengine=$plugin" "--filename=$ng" --rw=read \
	--bs=4k --size=1M --nvme_power_state=2 --output=/dev/null
ok 'not root: refused' test "$status" -ne 0
like "$err" "^nvmept: $ng: (.*no permission: |the kernel refuses NVMe commands .* to this user).*run as root" '... says why'
is "$(power_state "$a") $(left)" '0 0 0' '... and nothing is left'

# run_there NAME ARGS...: two jobs on it, in the background, at state 2 by now
run_there()
{
	local name=$1
	shift
	POWER_DRIVE=$ng start --numjobs=2 "$@"
	ok "$name: state 2 is in force" within 30 in_state 2 "$a"
}

# ended: restored, nothing left
ended()
{
	wait "$pid" 2>/dev/null
	ok '... restored' within 30 in_state 0 "$a"
	ok '... no guardian left' within 30 no_guardian
}
run_there "SIGKILL of parent and jobs" --runtime=20
mapfile -t pids < <(tree)
kill -KILL "${pids[@]}"
ended
run_there "SIGKILL with threads" --thread --runtime=20
kill -KILL "$pid"
ended
run_there "SIGKILL of the parent" --runtime=3
kill -KILL "$pid"
is "$(power_state "$a")" 2 '... jobs that outlive their parent keep it'
ended
run_there "SIGKILL of run and guardian" --runtime=20
mapfile -t pids < <(tree)
kill -KILL "$(guardians)" "${pids[@]}"
wait "$pid" 2>/dev/null
works '... the next run' --filename="$ng" --rw=read --bs=4k --size=1M
says "note: $ng: power state 0 is in force again: a run that was killed had left it at 2$" '... puts it back'
is "$(power_state "$a") $(left)" '0 0 0' '... and nothing is left'
detach
stop
done_testing
