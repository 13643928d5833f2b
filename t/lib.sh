# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# TAP for the bash tests, on the host and in the VM. Sourced first; ends with done_testing.
# A scratch folder stands ready in $work and goes away at the end.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${BUILD:-build}
tap_run=0
tap_failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# pass NAME
pass()
{
	tap_run=$((tap_run + 1))
	echo "ok $tap_run - $1"
}

# fail NAME [LINES...]: the lines explain it.
fail()
{
	local name=$1
	shift
	tap_run=$((tap_run + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_run - $name"
	[ $# = 0 ] || printf '%s\n' "$@" | head -40 | sed 's/^/# /'
	# prove keeps the output to itself: what failed once has to be seen.
	[ -z "${HARNESS_ACTIVE:-}" ] || printf '%s\n' "$0: not ok $tap_run - $name" "$@" | head -12 >&2
}

# ok NAME COMMAND...: passes if the command does; its output explains a failure.
ok()
{
	local name=$1 out
	shift
	if out=$("$@" 2>&1); then
		pass "$name"
	else
		fail "$name" "$*" "$out"
	fi
}

# is GOT WANT NAME
is()
{
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		fail "$3" "got:  $1" "want: $2"
	fi
}

# like GOT REGEX NAME
like()
{
	if [[ $1 =~ $2 ]]; then
		pass "$3"
	else
		fail "$3" "got:      $1" "not like: $2"
	fi
}

# skip NAME REASON: one test that this machine cannot do.
skip()
{
	tap_run=$((tap_run + 1))
	echo "ok $tap_run - $1 # SKIP $2"
}

# skip_all REASON: the whole file.
skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

# bail REASON: stops prove altogether, where no later test could pass.
bail()
{
	echo "Bail out!  $1"
	exit 255
}

# capture COMMAND...: runs it; leaves its output in $out and $err, its exit status in $status.
capture()
{
	status=0
	"$@" >"$work/capture.out" 2>"$work/capture.err" || status=$?
	out=$(cat "$work/capture.out")
	err=$(cat "$work/capture.err")
}

# in_vm OPTIONS...: the rest of this test runs in a virtual machine, for example with
# --drive=name=a; t/vm/run has the options. In there it does nothing.
in_vm()
{
	[ -z "${IN_VM:-}" ] || return 0
	command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
	rm -rf "$work"
	exec "$top/t/vm/run" ${HARNESS_ACTIVE:+--env=HARNESS_ACTIVE=1} "$@" "$(realpath "$0")"
}

# guest NAME OPTIONS... SCRIPT: all checks of a script that runs in a virtual machine, as one; t/vm/run
# has the options. Its skips and the notes that match $guest_notes are shown.
guest()
{
	local name=$1
	shift
	capture "$top/t/vm/run" "$@"
	if [ "$status" = 0 ] && grep -q '^1\.\.[1-9]' <<<"$out" && ! grep -q '^not ok' <<<"$out"; then
		pass "$name: $(grep -c '^ok' <<<"$out") checks"
		grep -E "^ok.*# SKIP${guest_notes:+|$guest_notes}" <<<"$out" | sed 's/^/# /'
	else
		fail "$name" "exit status $status" "$(grep -A30 -E '^not ok|^Bail' <<<"$out")" "$err"
	fi
}

# guest_each_fio OPTIONS... SCRIPT: with this machine's fio, then with trixie's
guest_each_fio()
{
	local root
	guest "this machine's fio" "$@"
	capture "$top/ci/fio-root" trixie
	root=$out
	if [ "$status" = 0 ]; then
		guest "trixie's fio" "--root=$root" "$@"
	else
		skip "trixie's fio" "no root of trixie: $err"
	fi
}

# done_testing: prints the plan; ends with 0 or 1.
done_testing()
{
	echo "1..$tap_run"
	exit $((tap_failed > 0))
}
