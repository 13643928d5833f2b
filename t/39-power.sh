# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Power runs on a model drive that are killed. Sourced after t/lib.sh and t/vm/engine.sh by 39-power.t
# and long/39-power-kill.t, with the drive a.nvsim in the current folder, in state 0.

# make_drive NAME [OPTIONS...]: four power states, the last one not operational.
make_drive()
{
	local name=$1
	shift
	"$nvsim" create "$name" --capacity=64M "$@" --power-states=25W:idle=5W,12W:idle=5W:entry=100us:exit=200us,8W:idle=5W:entry=1ms:exit=2ms,1W:idle=1W:nonop:entry=1ms:exit=2ms \
		>create.out 2>&1 || bail "nvsim create: $(<create.out)"
}

# power_state DRIVE: the state in force.
power_state()
{
	"$nvsim" info --json "$1" | sed -n 's/^ *"state": \([0-9]*\).*/\1/p'
}

# power_changes DRIVE: how often it was changed, ever.
power_changes()
{
	"$nvsim" info --json "$1" | sed -n 's/^ *"changes": \([0-9]*\).*/\1/p'
}

# guardians: the guardians of this test's runs that are alive: processes that have our plugin on their
# command line.
guardians()
{
	local dir comm
	for dir in /proc/[0-9]*; do
		read -r comm 2>/dev/null <"$dir/comm" || continue
		[ "$comm" = nvmept-guardian ] || continue
		tr "\0" "\n" 2>/dev/null <"$dir/cmdline" | grep -qxF -- "--description=$work" || continue
		runs "${dir#/proc/}" && echo "${dir#/proc/}"
	done
}

# within SECONDS COMMAND...: the command succeeds before that.
within()
{
	local end=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
	shift
	until "$@"; do
		[ "${EPOCHREALTIME/[.,]/}" -lt $end ] || return 1
		sleep 0.01
	done
}

# in_state STATE [DRIVE]
in_state()
{
	[ "$(power_state "${2:-a.nvsim}")" = "$1" ]
}

no_guardian()
{
	[ -z "$(guardians)" ]
}

# start ARGS...: a power run on $POWER_DRIVE (a.nvsim) in the background, $pid: fio itself, not a shell around it.
start()
{
	LD_PRELOAD=${PRELOAD:-} command fio --name=t "--description=$work" "--ioengine=$ENGINE" --filename="${POWER_DRIVE:-a.nvsim}" --rw=randread \
		--bs=4k --size=4M --time_based --runtime=30 --nvme_power_state=2 "$@" \
		>"$work/start.out" 2>"$work/start.err" &
	pid=$!
}

# tree: fio and its jobs. The guest has no pgrep.
tree()
{
	echo "$pid"
	grep -lsx "PPid:[[:space:]]*$pid" /proc/[0-9]*/status | cut -d / -f 3
}

# runs PID: it does; one that has ended but whose parent has not looked (Z) does not.
runs()
{
	grep -qs "^State:[[:space:]]*[^ZX]" "/proc/$1/status"
}

# kill_run KIND: start a run, kill it in that way a while after; it has ended then, and whatever it left.
# Return: whether the state is restored and no guardian left.
kill_run()
{
	local kind=$1 args=(--numjobs=3) pids
	[ "$kind" != thread ] || args+=(--thread)
	# These leave jobs, which end by themselves.
	case $kind in
	parent) args+=(--runtime=2) ;;
	job) args+=(--runtime=1) ;;
	esac
	start "${args[@]}"
	if [ "$kind" = anytime ]; then
		sleep "0.$(printf %03d $((RANDOM % 200)))"
	else
		within 10 in_state 2 || { echo "never in state 2: $(<"$work/start.err")"; return 1; }
		sleep "0.$(printf %03d $((RANDOM % 150)))"
	fi
	[ "$kind" = job ] || kill -STOP "$pid" # no job more
	mapfile -t pids < <(tree)
	case $kind in
	parent | thread) kill -KILL "$pid" ;;
	job) kill -KILL "${pids[1]}" ;;
	group | anytime) kill -KILL "${pids[@]}" 2>/dev/null ;;
	esac
	if [ "$kind" = parent ] && ! in_state 2 && runs "${pids[1]}"; then
		echo 'restored while jobs run'
		return 1
	fi
	wait "$pid" 2>/dev/null
	within 20 in_state 0 || { echo "state $(power_state a.nvsim) stays"; return 1; }
	within 20 no_guardian || { echo "guardians: $(guardians)"; return 1; }
}

# kills KIND TIMES NAME: so many runs that are killed in that way.
kills()
{
	local i good=0 why=()
	for ((i = 0; i < $2; i++)); do
		if out=$(kill_run "$1" 2>&1); then
			good=$((good + 1))
		else
			why+=("$out")
		fi
	done
	if [ $good = "$2" ]; then
		pass "$3: $good of $2"
	else
		fail "$3: $good of $2" "${why[@]}"
	fi
}
