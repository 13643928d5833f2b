#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-peak reads its own JSON: all figures come back, so that every format is the same again; names,
# folders that hold both, schemas that it does not know, damage.
. "$(dirname "$0")/lib.sh"

peak=$(realpath "$build")/fio-peak
data=$(realpath "$(dirname "$0")")/data
cd "$work" || exit 1

# All that fio ever wrote, 2.0.14 to 3.42, in one file: flags, merges, several hosts, failures.
(cd "$data" && "$peak" --cap=100us,1ms --format=json fio-json) >all.json 2>/dev/null
"$peak" --cap=100us,1ms --format=json all.json >again.json 2>err
is "$? $(wc -c <err)" "1 0" "its own JSON is read; failed runs are failed still"
ok "json of json: identical" cmp all.json again.json
for format in table markdown prose html; do
	(cd "$data" && "$peak" --latency=p99.9 --cap=1ms --format=$format fio-json) >want 2>/dev/null
	"$peak" --latency=p99.9 --cap=1ms --format=$format all.json >got
	ok "... $format is as from fio's files" cmp want got
done
# 12 digits of what was rounded to 15: half of a last digit may be up or down.
round() { sed -E 's/([0-9]{9})[0-9]*/\1/g'; }
(cd "$data" && "$peak" --format=csv fio-json) 2>/dev/null | round >want
"$peak" --format=csv all.json | round >got
ok "... csv, but for the last digits" cmp want got
(cd "$data" && "$peak" --group-by=rw,bs --format=json fio-json) >want 2>/dev/null
"$peak" --group-by=rw,bs --format=json all.json >got
ok "... other names of workloads" cmp want got

# Beside fio's own.
cp "$data"/fio-peak/{fast,slow}.json .
"$peak" --format=json fast.json >own.json
is "$(jq -c '[."fio-peak schema", (.points | length), .points[0].drive]' own.json)" '[1,2,"fast"]' "schema 1"
"$peak" fast.json slow.json >want
"$peak" own.json slow.json >got
ok "beside fio's JSON as fio's would be" cmp want got
names() { "$peak" --format=csv "$@" | awk -F , 'NR > 1 { print $1 }' | sort -u | xargs; }
is "$(names own.json)" "fast" "names of drives: as they were"
is "$(names new=own.json old=slow.json)" "new old" "... LABEL"
"$peak" --format=json fast.json slow.json >both.json
is "$(names x=both.json)" "x/fast x/slow" "... LABEL before several"
"$peak" both.json fast.json >out 2>err
is "$? $(cat err)" \
	'2 fio-peak: both.json and fast.json would both be drive "fast"; name them: LABEL=both.json LABEL=fast.json' \
	"... two of one name"
"$peak" --explain own.json 2>err >out
like "$(cat err)" $'drive "fast" by fio-peak\'s JSON, workload ".*" by fio-peak\'s JSON; ' "... explained"
{ echo 'a line'; cat own.json; cat slow.json; } >mixed.txt
is "$(names mixed.txt)" "fast mixed" "both in a file"
gzip -c own.json >own.json.gz
if pkg-config --exists zlib; then
	is "$(names own.json.gz)" fast "compressed"
else
	skip "compressed" "built without zlib"
fi
is "$(names - <own.json)" fast "standard input"

# A report that was written into the folder that it is of must not double its runs.
mkdir results && cp fast.json slow.json results
"$peak" --format=csv results >want
"$peak" --format=json --output=results/report.json results
"$peak" --format=csv results >got 2>err
ok "a folder with its own report: each run once" cmp want got
is "$(wc -c <err)" 0 "... without a word"
"$peak" --explain results 2>&1 >got | grep left >err
like "$(cat err)" "results: 4 points of fio-peak's JSON left out: fio's own files of their runs are there" \
	"... unless asked"
rm results/fast.json results/slow.json
cp results/report.json results/copy.json
"$peak" --format=csv results >got
ok "two reports of the same runs: each once" cmp want got
rm results/copy.json
"$peak" --format=json -o results/report.json results 2>err
is "$? $(cat err)" "2 fio-peak: --output=results/report.json: is the input results/report.json; name another file" \
	"a report does not overwrite what it was made of"

# What is not as it should be.
refused()
{
	"$peak" "$3" >out 2>err
	is "$? $(wc -l <err) $(wc -c <out)" "2 1 0" "$1: one line, status 2"
	like "$(cat err)" "$2" "... says what"
}
jq '."fio-peak schema" = 7' own.json >later.json
refused "a later schema" \
	"^fio-peak: later.json: fio-peak's JSON of schema 7; this fio-peak knows schema 1: use the newer one" later.json
jq '."fio-peak schema" = "x"' own.json >odd.json
refused "a schema that is no number" "schema without a number; this fio-peak knows schema 1" odd.json
jq '.points = []' own.json >none.json
refused "no points" "none.json: fio-peak's JSON without points" none.json
mkdir later && cp later.json slow.json later
"$peak" later >out 2>err
is "$? $(cat err)" "1 fio-peak: later/later.json: fio-peak's JSON of schema 7; this fio-peak knows schema 1: use \
the newer one, or fio's own files; left out" "... in a folder it is left out"
head -c $(($(wc -c <own.json) / 2)) own.json >cut.json
"$peak" --format=csv cut.json >out 2>err
is "$? $(cat err)" "1 fio-peak: cut.json: fio-peak's JSON, cut off; the points before are used" "cut off"
is "$(awk -F , '$4 == "all"' out | wc -l)" 1 "... whole points only"
jq '.points[0] |= del(.drive)' own.json >gap.json
"$peak" --format=csv gap.json >out 2>err
is "$? $(cat err)" "1 fio-peak: gap.json: 1 of its points have no drive, workload or directions; the others are used" \
	"a point without a drive"
echo '{"fio-peak schema": 1, "points": [{"drive": "d", "workload": "w", "directions": {"all": {"iops": {"value": 5}}}}]}' \
	>least.json
is "$("$peak" --format=csv --summary least.json | tail -1 | cut -d, -f1-10)" "d,w,5,,,,,,," "the least that a point can be"
for format in table markdown prose html csv json; do
	"$peak" --format=$format --cap=1ms least.json >out 2>err
	is "$? $(wc -c <err)" "0 0" "... as $format"
done
echo '{"fio-peak schema": 1, "points": [{"drive": "d", "workload": "w", "jobs": -3, "document": 1e300, "flags":
[1, "nothing", {}], "settings": [], "load": 5, "error": "x", "within": 3, "directions": {"read": [], "all":
{"iops": {"value": -5}, "mb_s": 7, "ios": "x", "percentiles_us": null}}}]}' >absurd.json
is "$("$peak" --format=csv --summary absurd.json | tail -1 | cut -d, -f1-10)" "d,w,,,,,,,," "absurd values: unknown"

done_testing
