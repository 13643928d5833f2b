# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
# jobs/fdp/ on model drives, in full (t/long) and in short. Sourced after t/lib.sh and
# t/vm/engine.sh, which gives $nvsim and $ENGINE.

fdp_table=$top/t/data/jobs/fdp.table

# Throttled sections would otherwise spin, more of them than there are cores.
fdp_options=(--flow_sleep=50 --output-format=json)

# fdp_drive CAPACITY UNIT OP: an empty drive.nvsim here
fdp_drive()
{
	rm -f drive.nvsim
	"$nvsim" create drive.nvsim --timing=none --seed=1 --capacity="$1" --ru-size="$2" --op="$3%" \
		>create.out 2>&1 || bail "nvsim create: $(<create.out)"
}

# fdp_run JOB [OPTION...]: with $FIO, fio where that is empty
fdp_run()
{
	local job=$1
	shift
	# shellcheck disable=SC2086 # a command and its options
	${FIO:-fio} "--ioengine=$ENGINE" --filename=drive.nvsim "${fdp_options[@]}" "$@" \
		--output=out.json "$top/jobs/fdp/$job.fio" >out.log 2>&1 && return
	cat out.log
	return 1
}

# Pages so far: the host's, and those that garbage collection moved.
fdp_pages()
{
	"$nvsim" info --json drive.nvsim |
		sed -n 's/^ *"\(host\|relocated\)_pages": \([0-9]*\).*/\2/p' | paste -sd ' '
}

# fdp_identifiers: KiB of each placement identifier, then of all writes
fdp_identifiers()
{
	"$nvsim" info --json drive.nvsim | awk '
		/"host_bytes"/ { gsub(/[^0-9]/, ""); all = $0 / 1024 }
		/"identifier_bytes"/ { sub(/.*: /, ""); printf "%d ", $0 / 1024 }
		END { print all }'
}

# fdp_waf JOB WARM RUNS: fills, runs WARM times, prints the write amplification of RUNS more.
fdp_waf()
{
	local i before
	fdp_run "fill/$1" || return
	for ((i = 0; i < $2 + $3; i++)); do
		[ $i != "$2" ] || before=$(fdp_pages)
		fdp_run "$1" || return
	done
	echo "$before $(fdp_pages)" | awk '{ printf "%.3f\n", 1 + ($4 - $2) / ($3 - $1) }'
}

# near GOT WANT TOLERANCE NAME: in percent
near()
{
	if awk -v got="$1" -v want="$2" -v tolerance="$3" 'BEGIN {
		exit !(got ~ /^[0-9.]+$/ && (got - want)^2 <= (want * tolerance / 100)^2) }'; then
		pass "$4: $1, expected $2 within $3%"
	else
		fail "$4" "got:  $1" "want: $2 within $3%"
	fi
}

# check_fdp CAPACITY UNIT TOLERANCE WARM RUNS: each workload of the table, not placed and placed. With a
# fill that places what is placed later there is nothing to warm up.
check_fdp()
{
	local workload op unplaced placed
	while read -r workload op unplaced placed; do
		fdp_drive "$1" "$2" "$op"
		near "$(fdp_waf "$workload-unplaced" "$4" "$5" 2>&1)" "$unplaced" "$3" \
			"$workload without placement: WAF"
		fdp_drive "$1" "$2" "$op"
		near "$(fdp_waf "$workload" $(($4 - 1)) "$5" 2>&1)" "$placed" "$3" "$workload, placed: WAF"
	done < <(awk '$1 == "waf" { print $2, $3, $4, $5 }' "$fdp_table")
}
