#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-curve over one workload of each family of the library, on two model drives: three points of half
# a second, to the end, and fio-peak folds it. A long curve of everything is t/long's.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/curve.sh
. "$(dirname "$0")/curve.sh"

make_drive a.nvsim --capacity=64M
make_drive b.nvsim --capacity=64M --serial=B

# Of each family the first file (but those for a later fio), and one whose sections have shares. Those that only our engine can
# run say so in line 1; those for shares want a folder.
workloads=(database/oracle)
for family in "$top"/jobs/*/; do
	family=$(basename "$family")
	[ "$family" = precondition ] && continue
	file=$(find "$top/jobs/$family" -maxdepth 1 -name '*.fio' ! -name '*-native.fio' | sort | head -n 1)
	[ -n "$file" ] || continue
	grep -q '^filename_format=' "$file" || workloads+=("$family/$(basename "$file" .fio)")
done
ok 'there are families' test ${#workloads[@]} -ge 5

export POWER_STATE=0 # for power/
curve --drive=a=a.nvsim --drive=b=b.nvsim --points=25,50,100 --grid=2x2,4x4,16x16 --runtime=0.5 --ramp=0 \
	--precondition=fill --yes "${workloads[@]}"
is "$status" 0 "${#workloads[@]} workloads on two drives"
[ "$status" = 0 ] || echo "# $err"
for drive in a b; do
	is "$(perl -MJSON::PP -0777 -ne 'my %s; $s{$_->{state}}++ for @{decode_json($_)->{points}};
		print join " ", sort keys %s' results/$drive/run.json)" 'done' "$drive: every point is done"
done
capture "$peak" --format=csv results
for workload in "${workloads[@]}"; do
	for drive in a b; do
		ok "fio-peak has ${workload##*/} of $drive" grep -qE "^$drive,\"?(${workload%%/*}/)?${workload##*/}[,:\"]" <<<"$out"
	done
done
# share FILE: reads of all I/Os in percent, rounded
share()
{
	perl -MJSON::PP -0777 -ne 'my ($r, $n) = (0, 0);
		for (@{decode_json($_)->{jobs}}) {
			$r += $_->{read}{total_ios};
			$n += $_->{read}{total_ios} + $_->{write}{total_ios};
		}
		printf "%.0f", 100 * $r / $n' "$1"
}
reads=$(share results/a/database/oracle/100.json)
ok "database/oracle reads 79% at 100% ($reads)" test "$reads" -ge 77 -a "$reads" -le 81
done_testing
