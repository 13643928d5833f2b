#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The whole library with thirteen points for each curve, half a second each, on a model drive: to the
# end. Takes about half an hour.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
# shellcheck source=t/curve.sh
. "$(dirname "$0")/../curve.sh"

make_drive a.nvsim --capacity=128M
curve --drive=a=a.nvsim --runtime=0.5 --ramp=0 --precondition=fill --yes all
is "$status" 0 'everything on a model drive'
[ "$status" = 0 ] || sed 's/^/# /' <<<"$err"
is "$(perl -MJSON::PP -0777 -ne 'my %s; $s{$_->{state}}++ for @{decode_json($_)->{points}};
	print join " ", sort keys %s' results/a/run.json)" 'done' 'every point is done'
points=$(find results/a -name '[0-9]*.json' | wc -l)
ok "there are many ($points)" test "$points" -gt 500
capture "$peak" --format=csv results
# A section of a rated workload has a row of its own, behind a colon.
is "$(cut -d , -f 2 <<<"$out" | sed "s/:.*//" | sort -u | wc -l)" \
	"$(($(find results/a -mindepth 2 -maxdepth 2 -type d ! -path "*/.*" | wc -l) + 1))" \
	"fio-peak has each workload"
done_testing
