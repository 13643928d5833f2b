# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs a table of mistakes that a user can make with the plugin. Sourced after t/lib.sh, by
# t/20-mistakes.t on the host and t/vm/mistakes.sh in the VM, which have the tables.

# mistakes: rows from stdin, "name | fio's arguments | the line, a regex | exit status". In the
# arguments $engine is --ioengine=..., quotes and variables are the shell's.
# Each row proves: the exit status; exactly one line of ours, and it is the one that the row shows;
# where that line is fio's own, none of ours. And that "state", the caller's function that gets the
# arguments, prints the same before and after: nothing was created or changed. $as, if set, is a
# command that runs fio as another.
mistakes()
{
	local name args line want

	while IFS='|' read -r name args line want; do
		[[ $name = *[![:space:]]* && $name != '#'* ]] || continue
		mistake "$(trim "$name")" "$(trim "$args")" "$(trim "$line")" "$(trim "$want")"
	done
}

trim()
{
	local s=${1#"${1%%[![:space:]]*}"}

	echo "${s%"${s##*[![:space:]]}"}"
}

# mistake NAME ARGS LINE STATUS
mistake()
{
	local before after status ours theirs

	before=$(state "$2")
	# In a folder of its own, where a file that fio makes would be seen.
	(cd "$scratch" && eval "timeout 60 ${as:-} ${PRELOAD:+env LD_PRELOAD=$PRELOAD} fio --output=/dev/null $2") \
		>"$work/stdout" 2>"$work/err" </dev/null
	status=$?
	after=$(state "$2")
	ours=$(grep -c '^nvmept: ' "$work/err")
	theirs=$(grep -Ec "^$3" "$work/err")
	case $3 in
	nvmept:*) [ "$ours" = 1 ] && [ "$theirs" = 1 ] ;;
	*) [ "$ours" = 0 ] && [ "$theirs" -ge 1 ] ;;
	esac && [ "$status" = "$4" ] && [ "$before" = "$after" ]
	# shellcheck disable=SC2181
	if [ $? = 0 ]; then
		pass "$1"
	else
		fail "$1" "fio $2" "exit status $status, want $4; want one line: $3" \
			"$(cat "$work/err")" "$(diff <(echo "$before") <(echo "$after"))"
	fi
}
