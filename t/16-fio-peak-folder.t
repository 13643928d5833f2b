#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A folder as people have it, with fio's JSON of years, logs, notes and other programs' files in it: fio-peak .
# tells what there is at the first try.
. "$(dirname "$0")/lib.sh"

peak=$(realpath "$build")/fio-peak
cases=$(realpath "$(dirname "$0")")/data/fio-json
mkdir "$work/lab" && cd "$work/lab" || exit 1

mkdir -p old/{2023,2024}/raw misc .git
cp "$cases/v2.2.10__basic-randrw70-2jobs-norep.json" old/2023/raw/test1.json
cp "$cases/v3.12__basic-randrw70-2jobs-norep.json" old/2023/raw/test2.json
cp "$cases/v3.42__randtrim-64k.json" "$cases/v3.42__jsonplus-bins-ns.json" old/2024/raw
cp "$cases/v3.36__group_reporting-4jobs-to-1.json" old/2024/with\ blanks.json
cp "$cases"/ratesweep_2drives/drvA-4k7030-{max,rate050,rate100}.json misc
echo notes >notes.txt
printf '%%PDF-1.4 \0\0\0' >report.pdf
echo '{"name": "package"}' >package.json
: >empty.log
printf '[randread]\nrw=randread\n' >job.fio
printf '1, 2, 3, 4\n' >old/2024/lat.1.log
cp "$cases/v3.42__randtrim-64k.json" .git

names() { "$peak" --format=csv --summary "$@" 2>err | awk -F , 'NR > 1 { print $1 "," $2 }' | xargs -d '\n'; }
is "$(names .)" "lab,drvA-max lab,drvA-4k7030-50 lab,drvA-4k7030-100 lab,base lab,jp lab,t lab,g1" \
	"a drive of the folder's name, workloads of the jobs', whatever the folders are called"
is "$(cat err)" "fio-peak: .: skipped 6 files without fio results (./empty.log, ...)" "a line for what was no result"
"$peak" . >out 2>err
is "$?" 0 "status 0"
is "$(sed -n '/^base /,/^ .* all /p' out | sed -n '1p' | tr -s ' ' | cut -d' ' -f2,3)" "lab read" "... in a table"
for format in markdown prose html csv json; do
	"$peak" --format=$format . >out 2>err
	is "$? $(($(wc -c <out) > 300))" "0 1" "... as $format"
done

# The same tree with a manifest, or with the names that points have, is the results layout.
mkdir -p results/a/vdbench/mix results/b/vdbench/mix
cp "$cases/ratesweep_2drives/drvA-4k7030-max.json" results/a/vdbench/mix/max.json
cp "$cases/ratesweep_2drives/drvA-4k7030-rate050.json" results/a/vdbench/mix/050.json
cp "$cases/ratesweep_2drives/drvB-4k7030-max.json" results/b/vdbench/mix/first.json
echo '{}' >results/b/drive.json
is "$(names results)" "a,mix b,mix" "the results layout: by the points' names, or a drive.json"
rm results/b/drive.json
is "$(names results)" "a,mix results,drvB-max" "... else a tree like others"

# A result beside the folders of two drives: they are none any more, which is told.
mkdir -p beside/a beside/b
cp "$top/t/data/fio-json/v3.36__basic-randrw70-2jobs-norep.json" beside/a/j.json
cp beside/a/j.json beside/b/
is "$("$peak" --format=csv --summary beside 2>&1 | awk -F , 'NR > 1 { print $1 }' | sort -u | paste -sd ' ')" 'a b' \
	'two folders with the same job: two drives'
cp beside/a/j.json beside/
"$peak" beside 2>&1 >out | grep -c '^fio-peak: beside: results lie in it and in folders below, which are not taken for drives; LABEL=FOLDER' >told
is "$(cat told)" 1 '... with a result beside them: told'
done_testing
