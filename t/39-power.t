#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# nvme_power_state= on a model drive: set before the first I/O, shared, refused, restored however the
# run ends. On QEMU's drives, through the kernel: 49-vm-power.t; each kind of kill 50 times:
# long/39-power-kill.t.
# shellcheck source=t/lib.sh disable=SC2154,SC2119
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/vm/engine.sh"
# shellcheck source=t/39-power.sh
. "$(dirname "$0")/39-power.sh"

use_model_drives
cd "$work" || exit 1
run_folder=/run/fio-peak
[ "$(id -u)" = 0 ] || run_folder=${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/fio-peak}
run_folder=${run_folder:-/tmp/fio-peak-$(id -u)}
make_drive a.nvsim --timing=none --seed=1 --serial="POWER$$"
make_drive b.nvsim --timing=none --seed=2 --serial="POWER$$"
"$nvsim" create one.nvsim --capacity=64M --timing=none --power-states=9W:idle=5W >create.out 2>&1
read_some=(--rw=read --bs=4k --size=1M)

# says REGEX NAME: exactly one line of the last run is like it.
says()
{
	is "$(grep -Ec "^nvmept: $1" "$work/err")" 1 "$2"
}

# files PATTERN: how many of this test's drives are in the folder of journals and lock files
files()
{
	find "$run_folder" -name "POWER$$-$1" 2>/dev/null | wc -l
}

journals()
{
	files "*.journal"
}

# --- a run ---------------------------------------------------------------------------------------

works 'a run at state 2' --filename=a.nvsim "${read_some[@]}" --nvme_power_state=2 --nvme_verbose=1
says 'note: a.nvsim: power state 2 set in [0-9.]+ us and read back, at most 8.00 W, entered in 1000 us; found: state 0, workload hint 0$' \
	'... says what it set'
says 'note: a.nvsim: power state 2: the first I/O took [0-9.]+ us$' '... how long the first I/O took'
says 'note: a.nvsim: power state 0 restored$' '... that it restored'
is "$(power_state a.nvsim) $(power_changes a.nvsim)" '0 2' '... and it did: two changes in all'
ok '... without a guardian left' within 5 no_guardian
is "$(files "*")" 0 '... nor a file'
works 'without nvme_verbose' --filename=a.nvsim "${read_some[@]}" --nvme_power_state=1
is "$(cat "$work/err")" '' '... it says nothing'
works 'two drives in a job' --filename=a.nvsim:b.nvsim "${read_some[@]}" --nvme_power_state=1
is "$(power_changes a.nvsim) $(power_changes b.nvsim) $(power_state a.nvsim)$(power_state b.nvsim)" \
	'6 2 00' '... each set and restored'
works 'the state that is in force' --filename=a.nvsim "${read_some[@]}" --nvme_power_state=0
works 'nvme_power_state=none' --filename=a.nvsim "${read_some[@]}" --nvme_power_state=none
is "$(power_changes a.nvsim)" 6 '... and neither changes anything'

start --runtime=3 --numjobs=2 --nvme_verbose=1
ok 'it is in force while jobs run' within 10 in_state 2
guardian=$(guardians)
is "$(wc -w <<<"$guardian")" 1 '... with one guardian for two jobs'
is "$(ls -l "/proc/$guardian/fd" | sed -n 's/.* \([0-9]*\) -> \(.*\)/\1 \2/p' | grep -c ' /dev/null$')" 3 \
	'... whose descriptors 0 to 2 lead to /dev/null'
like "$(ls -l "/proc/$guardian/fd" | sed -n 's/.* -> //p' | grep -v '^/dev/null$' | sed "s,$run_folder,R,; s,\[.*,," | sort | tr '\n' ' ')" \
	'^R R/POWER[0-9]+-[0-9a-f]+\.lock pipe: $' '... and which has else its lock, and the end of the run'
is "$(readlink "/proc/$guardian/cwd") $(cut -d ' ' -f 6 "/proc/$guardian/stat")" "/ $(cut -d ' ' -f 5 "/proc/$guardian/stat")" \
	'... in no folder, in a session of its own'
wait "$pid"
is "$(power_state a.nvsim) $(journals)" '0 0' '... restored when fio has ended'
ok '... and the guardian has gone' within 5 no_guardian

# --- refusals --------------------------------------------------------------------------------------

before=$(power_changes a.nvsim)
refused 'a state that is not operational' 'a.nvsim: nvme_power_state=3: this state is not operational.*; operational are 0, 1, 2; nvme_power_force=1 ' \
	--filename=a.nvsim "${read_some[@]}" --nvme_power_state=3
refused 'a state that it lacks' 'a.nvsim: nvme_power_state=4: the controller has power states 0 to 3$' \
	--filename=a.nvsim "${read_some[@]}" --nvme_power_state=4
for wrong in x -1 32 1x 99999999999999999999; do
	refused "nvme_power_state=$wrong" "nvme_power_state=$wrong: give the number of a power state, 0 to 31, or none$" \
		--filename=a.nvsim "${read_some[@]}" "--nvme_power_state=$wrong"
done
refused 'a drive with one state' 'one.nvsim: nvme_power_state=0: the controller has one power state only \(NPSS 0\)' \
	--filename=one.nvsim "${read_some[@]}" --nvme_power_state=0
"$nvsim" fail b.nvsim power >fail.out 2>&1
refused 'a drive that does not let it be changed' \
	'b.nvsim: Set Features, Power Management: Feature Not Changeable \(SCT 1h SC 0Eh.*\): the drive does not let' \
	--filename=b.nvsim "${read_some[@]}" --nvme_power_state=1
is "$(ios read)" 0 '... and no I/O was done'
refused 'the first of two drives could be set, the second not' 'b.nvsim: Set Features, Power Management: ' \
	--filename=a.nvsim:b.nvsim "${read_some[@]}" --nvme_power_state=1
is "$(power_state a.nvsim) $(power_state b.nvsim) $(journals)" '0 0 0' '... all is as it was'
ok '... and no guardian stays' within 5 no_guardian
is "$(($(power_changes a.nvsim) - before))" 2 '... the other refusals changed nothing'

works 'nvme_power_optional=1' --filename=b.nvsim "${read_some[@]}" --nvme_power_state=1 --nvme_power_optional=1
says 'note: b.nvsim: Set Features, .*; nvme_power_optional=1: the job runs at state 0$' '... says why, and at which state'
works '... a drive with one state' --filename=one.nvsim "${read_some[@]}" --nvme_power_state=1 --nvme_power_optional=1
says 'note: one.nvsim: .*NPSS 0.*; nvme_power_optional=1: the job runs at state 0$' '... says so, too'
refused '... but a word that is no state' 'nvme_power_state=low: ' --filename=a.nvsim "${read_some[@]}" \
	--nvme_power_state=low --nvme_power_optional=1
"$nvsim" fail b.nvsim --clear >fail.out 2>&1
works 'nvme_power_force=1: a state that is not operational' --filename=a.nvsim "${read_some[@]}" \
	--nvme_power_state=3 --nvme_power_force=1 --nvme_verbose=1
says 'note: a.nvsim: power state 3 set ' '... is set'
is "$(power_state a.nvsim)" 0 '... and restored'

# --- several jobs ------------------------------------------------------------------------------------

start --runtime=20
within 10 in_state 2
refused 'another fio that wants another state' \
	'a.nvsim: nvme_power_state=1: jobs that are running have set 2; all that run at once must ask for the same' \
	--filename=a.nvsim "${read_some[@]}" --nvme_power_state=1
refused '... optional or not, by whatever name' 'other.nvsim: nvme_power_state=1: jobs that are running have set 2; ' \
	--filename="$(ln -s a.nvsim other.nvsim && echo other.nvsim)" "${read_some[@]}" --nvme_power_state=1 --nvme_power_optional=1
works 'another fio that wants the same' --filename=a.nvsim "${read_some[@]}" --nvme_power_state=2 --nvme_verbose=1
is "$(power_state a.nvsim) $(grep -c 'restored\|set in' "$work/err")" '2 0' '... has it, and leaves it'
works 'another that does not care' --filename=a.nvsim "${read_some[@]}"
is "$(power_state a.nvsim) $(wc -c <"$work/err")" '2 0' '... leaves it, too'
works 'another drive at another state' --filename=b.nvsim "${read_some[@]}" --nvme_power_state=1
kill -INT "$pid"
wait "$pid"
is "$(power_state a.nvsim)" 0 'the first one, at SIGINT, restores'

cat >jobs.fio <<END
[global]
ioengine=$ENGINE
filename=a.nvsim
rw=randread
bs=4k
size=4M
time_based
nvme_verbose=1
description=$work

[first]
runtime=2
nvme_power_state=1

[second]
startdelay=1
runtime=1
nvme_power_state=2
END
fio jobs.fio >"$work/stdout" 2>"$work/err"
is "$? $(grep -c '^nvmept: a.nvsim: nvme_power_state=2: jobs that are running have set 1' "$work/err")" '1 1' \
	'two states at once in a job file are refused'
is "$(power_state a.nvsim)" 0 '... and what was found is restored'
for thread in 0 1; do
	sed "s/startdelay=1/stonewall/; s/^time_based/time_based\nthread=$thread/; s/runtime=2/runtime=1/" jobs.fio >sequence.fio
	before=$(power_changes a.nvsim)
	fio sequence.fio >"$work/stdout" 2>"$work/err"
	is "$? $(grep -c 'power state [12] set in .*found: state 0' "$work/err") $(grep -c 'killed' "$work/err")" '0 2 0' \
		"two in sequence have their own (thread=$thread)"
	is "$(power_state a.nvsim) $(($(power_changes a.nvsim) - before))" '0 4' '... each restored'
done
before=$(power_changes a.nvsim)
works 'eight jobs at once' --filename=a.nvsim --rw=randread --bs=4k --size=4M --time_based --runtime=3 --numjobs=8 \
	--nvme_power_state=2
is "$(power_state a.nvsim) $(($(power_changes a.nvsim) - before))" '0 2' '... set it once, restore it once'
for i in 1 2 3 4 5; do
	# They end while others begin: whoever finds no state sets it anew.
	engine_fio --filename=a.nvsim --rw=read --bs=4k --size=64k --numjobs=8 --nvme_power_state=2
	[ $? = 0 ] && ! grep -q killed "$work/err" && in_state 0 || break
done
is "$i$(power_state a.nvsim)" 50 'eight short jobs, five times'
ok '... and no guardian is left' within 5 no_guardian

# --- what a state does -------------------------------------------------------------------------------

make_drive slow.nvsim --preset=gen4 --seed=3 2>/dev/null
# iops STATE: of writes
iops()
{
	engine_fio --filename=slow.nvsim --rw=randwrite --bs=4k --iodepth=16 --size=64M --time_based --ramp_time=1 \
		--runtime=2 "--nvme_power_state=$1"
	sed -n '/"write" : {/,/}/s/.*"iops" : \([0-9]*\).*/\1/p' "$work/out" | head -1
}
# A busy machine may keep the faster one down: so up to three times.
for _ in 1 2 3; do
	high=$(iops 0) low=$(iops 2)
	[ $((low * 10)) -lt $((high * 8)) ] && break
done
ok "a lower state lowers throughput: $high and $low IOPS" test $((low * 10)) -lt $((high * 8))
works 'I/O ends a state that is not operational' --filename=slow.nvsim "${read_some[@]}" --nvme_power_state=3 --nvme_power_force=1
says 'note: slow.nvsim: power state 0 is in force at the end, not 3: that one is not operational, I/O ends it$' \
	'... which is said'

# --- however it ends -----------------------------------------------------------------------------------

"$nvsim" fail a.nvsim status=0x281 --opcode=read >fail.out 2>&1 || fail 'nvsim fail' "$(<fail.out)"
engine_fio --filename=a.nvsim --rw=read --bs=4k --size=1M --nvme_power_state=2
ok 'a job that fails' test $? != 0
is "$(power_state a.nvsim)" 0 '... restores'
"$nvsim" fail a.nvsim --clear >fail.out 2>&1
for signal in INT TERM; do
	for thread in '' --thread; do
		start --numjobs=2 $thread
		within 10 in_state 2
		kill -$signal "$pid"
		wait "$pid"
		is "$(power_state a.nvsim)" 0 "SIG$signal ${thread:+with threads }restores"
		ok '... without a guardian left' within 5 no_guardian
	done
done
kills parent 2 'SIGKILL of the parent: restored when the jobs end'
kills job 2 'SIGKILL of one job'
kills group 3 'SIGKILL of parent and jobs'
kills thread 3 'SIGKILL with threads'
kills anytime 4 'SIGKILL at any moment'
is "$(journals)" 0 'no journal is left'

# --- the guardian killed as well -------------------------------------------------------------------------

# leave_journal: a run and its guardian are killed.
leave_journal()
{
	start
	within 10 in_state 2
	mapfile -t pids < <(tree)
	kill -KILL "$(guardians)" "${pids[@]}"
	wait "$pid" 2>/dev/null
	within 10 no_guardian
}

for option in force optional; do
	works "nvme_power_$option=1 alone" --filename=a.nvsim "${read_some[@]}" --nvme_power_$option=1
	says "note: nvme_power_$option=1 without nvme_power_state=: does nothing$" '... says so'
done
leave_journal
is "$(power_state a.nvsim) $(journals)" '2 1' 'run and guardian killed: the state stays, and the journal'
works 'the next run, at no state of its own' --filename=a.nvsim "${read_some[@]}"
says 'note: a.nvsim: power state 0 is in force again: a run that was killed had left it at 2$' '... puts it back, and says so'
is "$(power_state a.nvsim) $(journals)" '0 0' '... the journal is gone'
leave_journal
works 'the next run, at another state' --filename=a.nvsim "${read_some[@]}" --nvme_power_state=1 --nvme_verbose=1
says 'note: a.nvsim: power state 0 is in force again: ' '... puts it back'
says 'note: a.nvsim: power state 1 set .*found: state 0, ' '... before it sets its own'
is "$(power_state a.nvsim) $(journals)" '0 0' '... and restores what was found first'
leave_journal
works 'a run on another drive' --filename=b.nvsim "${read_some[@]}"
is "$(power_state a.nvsim) $(journals) $(wc -c <"$work/err")" '2 1 0' '... does not touch it'
mv a.nvsim moved.nvsim
works 'the drive under another name' --filename=moved.nvsim "${read_some[@]}"
mv moved.nvsim a.nvsim
is "$(power_state a.nvsim) $(journals)" '0 0' '... is put right all the same'

curve=$(realpath "$top/$build/fio-curve" 2>/dev/null || realpath "$build/fio-curve")
# restores STATUS REGEX NAME: fio-curve --restore, which says one line like that on a drive of this test
restores()
{
	capture "$curve" --restore
	is "$status $(grep -c "^fio-curve: $work/$2" <<<"$err")" "$1 1" "$3"
}
leave_journal
mv a.nvsim gone.nvsim
restores 1 "a.nvsim: power state 0 is not restored: nvmept: .*no such file.*; if the drive is gone, remove $run_folder/POWER" \
	"fio-curve --restore: a drive that is not there"
make_drive a.nvsim --timing=none
restores 1 "a.nvsim: power state 0 is not restored: another drive has that name now; if the drive is gone, remove $run_folder/POWER" \
	"... another drive in its place"
mv gone.nvsim a.nvsim
is "$(power_state a.nvsim) $(journals)" "2 1" "... changes nothing"
restores 0 "a.nvsim: power state 0 is restored; a killed run had left it at 2" "fio-curve --restore"
is "$(power_state a.nvsim) $(journals)" "0 0" "... does so"
start --runtime=20
within 10 in_state 2
restores 0 "a.nvsim: a run at power state 2 is still going; left alone" "... leaves a run alone"
kill -INT "$pid"
wait "$pid"
is "$(power_state a.nvsim)" 0 "... which restores by itself"
capture "$curve" --restore --drive=a=a.nvsim all
is "$status" 2 "... stands alone"

leave_journal
journal=$(ls "$run_folder"/POWER$$-*.journal)
cp "$journal" whole
printf 'x' | dd of="$journal" bs=1 seek=60 conv=notrunc 2>/dev/null
refused 'a damaged journal' "a.nvsim: $journal, of a power run, is damaged: remove it, and set the power state " \
	--filename=a.nvsim "${read_some[@]}" --nvme_power_state=1
is "$(power_state a.nvsim) $(journals)" '2 1' '... changes nothing'
works '... a run at no state of its own goes on' --filename=a.nvsim "${read_some[@]}"
says "note: a.nvsim: $journal, of a power run, is damaged" '... and says so'
rm "$journal"
ln -s "$work/whole" "$journal"
refused '... a link in its place' "a.nvsim: $journal, of a power run, is damaged" --filename=a.nvsim "${read_some[@]}" --nvme_power_state=1
rm "$journal"
cp whole "$journal"
works 'as it was' --filename=a.nvsim "${read_some[@]}"
is "$(power_state a.nvsim) $(journals)" '0 0' '... it is carried out'

# --- another user -------------------------------------------------------------------------------------------

# An id that no account has: nobody's folder is touched.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	user=64517
	cp "${ENGINE#external:}" user.so
	make_drive user.nvsim --timing=none
	chmod 755 . && chmod 666 user.nvsim && mkdir home && chown $user home
	rm -rf "/tmp/fio-peak-$user"
	as_user()
	{
		(cd home && env -u XDG_RUNTIME_DIR setpriv --reuid=$user --regid=$user --clear-groups fio --name=t \
			"--ioengine=external:$work/user.so" --filename=../user.nvsim --rw=read --bs=4k --size=64k \
			--nvme_power_state=2 --nvme_verbose=1) >user.out 2>"$work/err"
	}
	as_user
	is "$? $(grep -c 'power state 0 restored' "$work/err") $(power_state user.nvsim)" '0 1 0' 'a user without rights, on a model drive'
	is "$(stat -c '%u %a' "/tmp/fio-peak-$user")" "$user 700" '... has a folder of its own for it'
	rm -rf "/tmp/fio-peak-$user" && mkdir away && chown $user away && ln -s "$work/away" "/tmp/fio-peak-$user"
	as_user
	is "$? $(grep -c "^nvmept: nvme_power_state=2: no place for the journal: /tmp/fio-peak-$user: " "$work/err")" '1 1' \
		'... but a link in its place is refused'
	rm "/tmp/fio-peak-$user" && mkdir -m 777 "/tmp/fio-peak-$user" && chown $user "/tmp/fio-peak-$user" && chmod 777 "/tmp/fio-peak-$user"
	as_user
	is "$? $(grep -c ": no place for the journal: /tmp/fio-peak-$user: must belong to user $user and be writable by no other" "$work/err")" \
		'1 1' '... and a folder that others can write to'
	chown 0 "/tmp/fio-peak-$user" && chmod 755 "/tmp/fio-peak-$user"
	as_user
	is "$? $(grep -c ': no place for the journal: ' "$work/err") $(power_state user.nvsim)" '1 1 0' "... and another's"
	rm -rf "/tmp/fio-peak-$user"
else
	skip 'a user without rights' 'needs root and setpriv'
fi
done_testing
