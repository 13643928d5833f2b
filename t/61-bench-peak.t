#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The benchmark of fio-peak's reader runs, with far too little input for its figures to mean anything,
# and leaves a table and a JSON file.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 1
command -v jq >/dev/null || skip_all "needs jq"

rm -f "$build/bench-peak.json"
capture ci/bench-peak --quick
is "$status $err" "0 " 'ci/bench-peak --quick runs'
is "$(grep -cE '^(100 results of 10 KB in a folder|8 json\+ documents of 60 jobs) +[0-9.]+( +[0-9]+\.[0-9]+){4} *$' <<<"$out")" 2 \
	'two rows: CPU time and memory, and those of jq'
is "$(jq -c '[.reader[] | .bytes, (."fio-peak".seconds > 0), (.jq.mb > 1), .unit != null]' "$build/bench-peak.json")" \
	'[1044900,true,true,true,10468232,true,true,true]' 'bench-peak.json: the same, with units'
capture ci/bench-peak --nonsense
is "$status" 2 'an unknown option: exit status 2'
like "$err" '--quick' '... and the usage'
done_testing
