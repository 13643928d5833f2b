#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# jobs/fdp/ on model drives: write amplification as in t/data/jobs/fdp.table, in short (t/long has it
# in full), and each section's bytes by its own identifier, also with fio's own options. What the files
# say has 30-jobs.t.

# shellcheck disable=SC2317 # functions that ok calls

# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/vm/engine.sh"
# shellcheck source=t/fdp.sh
. "$(dirname "$0")/fdp.sh"

use_model_drives
cd "$work" || exit 1

# A drive of a quarter of the table's: 512 units of 512 KiB. Beside them the jobs' blocks of 16 KiB are
# not quite small, and one run is less steady than two: 8% instead of 5%.
check_fdp 256M 512k 8 1 1

# --- identifiers -----------------------------------------------------------------------------------

# identifiers_are WORKLOAD KIND KIB...: as fdp_identifiers prints them: each has what the table
# says, and every write had one. KIND fill: by region; run: by WRITES, which flow= keeps to a few rounds.
identifiers_are()
{
	local workload=$1 kind=$2
	shift 2
	awk -v workload="$workload" -v kind="$kind" -v got="$*" '
		$1 == "stream" && $2 == workload {
			split($4, region, "-")
			want[n++] = kind == "fill" ? region[2] - region[1] : $5
			sum += want[n - 1]
		}
		END {
			nr = split(got, kib, " ")
			for (i = 1; i < nr; i++)
				placed += kib[i]
			bad = placed != kib[nr] || !placed
			for (i = 0; i < n; i++) {
				share = 100 * kib[i + 1] / placed
				printf "%s %d: %.1f%%, should be %.1f%%\n", kind, i, share, 100 * want[i] / sum
				if ((share - 100 * want[i] / sum)^2 > 1.5^2) bad = 1
			}
			print "placed " placed " of " kib[nr] " KiB"
			exit bad
		}' "$fdp_table"
}

# places JOB: its fill, then a moment of it; longer where others have the cores.
places()
{
	local workload=${1%-native} fill all
	fdp_drive 64M 128k 28
	fdp_run "fill/$1" || return
	read -ra fill < <(fdp_identifiers)
	identifiers_are "$workload" fill "${fill[@]}" || return
	"$nvsim" reset drive.nvsim >/dev/null && fdp_run "$1" --runtime=10 || return
	read -ra all < <(fdp_identifiers)
	identifiers_are "$workload" run "${all[@]}"
}
mapfile -t workloads < <(awk '$1 == "waf" { print $2 }' "$fdp_table")
for workload in "${workloads[@]}"; do
	ok "$workload.fio: each section by its identifier" places "$workload"
done

# --- fio's own options ----------------------------------------------------------------------------

has_dataplacement()
{
	# shellcheck disable=SC2086 # a command and its options
	$FIO --cmdhelp=dataplacement 2>&1 | grep -q 'to use' &&
		$FIO --enghelp="${ENGINE#external:}" >enghelp 2>&1
}

# check_native: with $FIO
check_native()
{
	local version
	version=$($FIO --version 2>&1)
	if ! has_dataplacement; then
		skip "$version: placement by its own options" 'it has none, or does not load our engine'
		return
	fi
	for workload in "${workloads[@]}"; do
		ok "$version: $workload-native.fio: each section by its identifier" places "$workload-native"
	done
}

FIO=fio
check_native
for root in "${FIO_ROOTS:-$top/build/vm/roots}"/*/; do
	[ -x "$root/usr/bin/fio" ] || continue
	lib=$root/usr/lib/x86_64-linux-gnu
	FIO="$root/lib64/ld-linux-x86-64.so.2 --library-path $lib/ceph:$lib $root/usr/bin/fio"
	check_native
done
done_testing
