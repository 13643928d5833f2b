#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-peak's arithmetic: merging, comparing and naming, against values worked out by hand, against
# fio's own samples, and against golden outputs (t/data/fio-peak, made by fio's null engine; to
# renew them look at the difference first, then run this with GOLDEN=write).
. "$(dirname "$0")/lib.sh"

peak=$(realpath "$build")/fio-peak
data=$(realpath "$(dirname "$0")")/data/fio-peak
cd "$work" || exit 1

# entry NAME DIR IOS RUNTIME_MS MEAN_NS BINS: one job, 4096-byte I/Os, json+ when BINS are given.
entry()
{
	printf '{ "jobname": "%s", "groupid": 0, "error": 0, "%s": { "io_bytes": %d,
		"io_kbytes": %d, "iops": %s, "runtime": %d, "total_ios": %d, "clat_ns": { "min": 1000,
		"max": 50000, "mean": %s, "stddev": 0, "N": %d, "percentile": { "50.0": %d,
		"99.0": %d } %s } } }\n' \
		"$1" "$2" $(($3 * 4096)) $(($3 * 4)) $(($3 * 1000 / $4)) "$4" "$3" "$5" "$3" "$5" \
		$(($5 * 10)) "${6:+, \"bins\": { $6 \}}" | sed 's/\\}/}/'
}

# document ENTRIES...
document()
{
	local IFS=,
	printf '{ "fio version": "fio-3.36", "jobs": [ %s ] }\n' "$*"
}

# value FILE COLUMN [DIRECTION]: of the first drive's first point.
value()
{
	"$peak" --format=csv "$1" | awk -F , -v want="$2" -v dir="${3:-all}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == want) c = i; next }
		$4 == dir { print $c; exit }'
}

# Two copies of a job: 100 I/Os in 1 s and 200 in 2 s. 300 I/Os over the longer 2 s are 150 IOPS
# (not 100 + 100); the mean is (100 x 3000 + 200 x 6000) / 300 = 5000 ns. Of the 300 samples the
# 150th is in the first bin (190), the 297th in the last.
document "$(entry j read 100 1000 3000 '"1000": 90, "2000": 9, "10000": 1')" \
	"$(entry j read 200 2000 6000 '"1000": 100, "50000": 100')" >merged.json
is "$(value merged.json jobs)" 2 "copies of a job become one"
is "$(value merged.json iops)" 150 "IOPS: all I/Os over the longest runtime"
is "$(value merged.json mb_s)" 0.6144 "MB/s: decimal"
is "$(value merged.json mean_us)" 5 "mean: by count"
is "$(value merged.json p50_us)" 1 "p50 of the merged histogram"
is "$(value merged.json p99_us)" 50 "p99 of the merged histogram"
is "$(value merged.json p99_9_us)" 50 "p99.9 though fio did not list it"
is "$(value merged.json iops_from)" \
	"sum(jobs[0..1].read.total_ios)*1000/max(jobs[0..1].read.runtime)" "... and where IOPS come from"
is "$(value merged.json percentiles_from)" "merged jobs[0..1].read.clat_ns.bins" "... and percentiles"

# The pooled deviation: within each copy 0, so it is that of the two means:
# sqrt((100 x 2000^2 + 200 x 1000^2) / 300) = 1414.2 ns.
like "$(value merged.json stddev_us)" '^1\.4142' "the deviation is pooled about the common mean"

# Without bins in one copy the worst stands, as a bound.
document "$(entry j read 100 1000 3000 '"1000": 90')" "$(entry j read 200 1000 6000)" >worst.json
is "$(value worst.json p99_us)" 60 "no bins: the worst p99"
is "$(value worst.json percentiles_from)" "max(jobs[0..1].read.clat_ns.percentile)" "... told in csv"
"$peak" worst.json >out
like "$(cat out)" '<=6\.00 +<=60\.0 +n/a +n/a +SFW|<=6\.00 +<=60\.0 +n/a +n/a +WF' "... and in the table"

# Upper bounds are shown, and not compared: the true 99th percentile of "worst" may be 50 or 1 us.
document "$(entry j read 300 1000 7000)" >single.json
"$peak" worst.json single.json >out
like "$(grep 'p99 us' out)" 'lower +<=60\.0 +70\.0 *$' "a bound beside a measured value: no percent, no best"
like "$(grep 'mean us' out)" 'lower +5\.00 best +7\.00 \+40\.0%' "... the mean is compared all the same"
"$peak" --format=json worst.json single.json | tr -d ' \n' >out
like "$(sed 's/.*"metric":"p99_us"//' out)" \
	'"drive":"worst","value":60[.0]*,"upper_bound":true,"best":false,"percent":null}' "... so in json"
like "$(sed 's/.*"metric":"p99_us"//' out)" \
	'"drive":"single","value":70[.0]*,"best":false,"percent":null}' "... for both"

# Bandwidth needs bytes: IOPS times a block size would be a guess.
sed 's/"io_bytes": [0-9]*,//; s/"io_kbytes": [0-9]*,//' single.json >nobytes.json
"$peak" nobytes.json >out
like "$(grep '^j ' out)" 'read +300\.0 +n/a +7\.00' "no io_bytes: MB/s is n/a"
is "$(value nobytes.json mb_s)$(value nobytes.json bytes)" "" "... and empty in csv"

# Settings that fio takes for the same, whatever way they were written.
# with OPTIONS FILE: the file's jobs with these job options.
with() { sed "s/\"groupid\": 0/\"groupid\": 0, \"job options\": { $1 }/g" "$2"; }
remark() { "$peak" x.json y.json | sed -n 's/.*different settings (\(.*\))$/\1/p'; }
document "$(entry j read 100 1000 3000)" "$(entry j read 100 1000 3000)" >two.json
with '"bs": "4k"' single.json >x.json
with '"bs": "4096", "iodepth": "1"' single.json >y.json
is "$(remark)" "" "bs=4k is 4096, no iodepth is 1: no remark"
with '"bs": "4k", "iodepth": "2"' single.json >y.json
is "$(remark)" "iodepth" "iodepth 2 beside none: a remark"
with '"bs": "8k"' single.json >y.json
is "$(remark)" "bs" "another block size: a remark"
with '"numjobs": "2", "group_reporting": ""' single.json >x.json
with '"numjobs": "2"' two.json >y.json
is "$(remark)" "" "two jobs with group_reporting and without: no remark"
with '"numjobs": "1"' single.json >x.json
is "$(remark)" "number of jobs" "one job beside two: a remark"

# Short: told of the job that was, with its own figure. 1.9 s of 2 s asked is 5% less.
document "$(entry j read 100 2000 3000)" "$(entry j read 100 1900 3000)" >short.json
with '"runtime": "2"' short.json >x.json
"$peak" x.json >out
like "$(cat out)" 'j on x: a job ran 1\.9 s, asked for 2 s' "S: the job that ran less than asked"
with '"runtime": "1900ms"' short.json >x.json
is "$("$peak" --format=csv x.json | grep -c short)" 0 "... not when both ran as long as asked"
with '"size": "1g"' short.json >x.json
is "$("$peak" --format=csv x.json | grep -c short)" 0 "no runtime asked, 5% apart: not short"
sed 's/"runtime": 1900/"runtime": 1500/; s/"groupid": 0/"groupid": 0, "job options": {}/g' short.json >x.json
like "$("$peak" x.json)" 'j on x: a job ran 1\.5 s, the longest 2 s' "... 25% apart: short"

# Asked against achieved, and Little's law: 1,000 I/Os a second of 1 ms each are 1 in flight.
document "$(entry j read 1000 1000 1000000)" >one.json
with '"rate_iops": "1030"' one.json >x.json
is "$("$peak" --format=csv x.json | grep -c 'saturated\|in-flight,')" 0 "1,000 of 1,030 IOPS: reached"
with '"rate_iops": "1031"' one.json >x.json
"$peak" x.json >out
like "$(grep '^j ' out)" ' FR$' "1,000 of 1,031 IOPS, under 97%: saturated"
like "$(cat out)" 'j on x: 1,000 IOPS, asked for 1,031' "... with the figures"
# 400 IOPS where 500 were asked, of a drive that does 1,000; below 1,000 IOPS asked the maximum is no news.
with '"rate_iops": "500"' one.json | sed 's/"iops": 1000,/"iops": 400,/; s/"total_ios": 1000/"total_ios": 400/' >low.json
with '"rate_iops": "1500"' one.json >high.json
mkdir two && mv low.json high.json two
"$peak" two >out
is "$(grep 'than they were asked' out)" \
	'j on two: 1 of 2 points did less than they were asked though the drive can do more, the worst 400 of 500 IOPS: was the host busy?' \
	"R below the maximum: told"
# fio 2.0.14 lists no options: the others' median is not shown, which has to be told.
mkdir mix && cp "$top/t/data/fio-json/"v2.{12,99}__basic-randrw70-2jobs-norep.json "$top/t/data/fio-json/"v2.0.14__basic-randrw70-2jobs-norep.json mix
is "$("$peak" mix | grep -c '^base on mix: 1 of 3 runs list no options (fio before 2.3), so that repeats cannot be told')" 1 \
	"runs with and without listed options"
with '"iodepth": "32"' one.json >x.json
"$peak" x.json >out
like "$(grep '^j ' out)" ' FQ$' "1 in flight where 32 were asked for: flagged"
like "$(cat out)" 'j on x: 1\.00 I/Os in flight, jobs x iodepth 32\.0' "... with the figures"
is "$(value x.json asked_iops) $(value x.json outstanding) $(value x.json in_flight)" "inf 32 1" \
	"... and in csv"
with '"iodepth": "1"' one.json >x.json
is "$("$peak" x.json | grep -c Q)" 0 "1 in flight at depth 1: fine"
is "$(value one.json asked_iops)$(value one.json outstanding)" "" "no options listed: nothing is known"

# A mix: reads and writes of one job.
sed 's/} } }$/} }/' <<<"$(entry m read 300 1000 2000 '"1000": 300')" >read.part
entry m write 100 1000 6000 '"9000": 100' | sed 's/.*"write"/, "write"/' >write.part
document "$(cat read.part write.part)" >mix.json
is "$(value mix.json iops read) $(value mix.json iops write) $(value mix.json iops)" "300 100 400" \
	"a mix: each direction and the sum"
is "$(value mix.json mean_us)" 3 "... mean of all by count: (300 x 2 + 100 x 6) / 400"
is "$(value mix.json p50_us) $(value mix.json p99_us)" "1 9" "... percentiles of all"

# Comparison: 1000 against 800 IOPS is -20%; 50 against 40 us is +25%.
document "$(entry w read 1000 1000 50000)" >a.json
document "$(entry w read 800 1000 40000)" >b.json
"$peak" a.json b.json >out
like "$(grep '^w .*IOPS' out)" 'IOPS +higher +1,000 best +800\.0 -20\.0%' "more IOPS are better"
like "$(grep 'mean us' out)" 'mean us +lower +50\.0 \+25\.0% +40\.0 best' "less latency is better"
sed 's/"error": 0/"error": 5/' a.json >failed.json
"$peak" failed.json b.json >out
is $? 1 "a failed run: status 1"
like "$(grep '^w .*IOPS' out)" '1,000 \+25\.0%! +800\.0 best' "... compared, but never best"
like "$(cat out)" $'\n!  a run that failed or was cut off \\(E, C\\): never best' "... and ! is explained"
document "$(entry w read 1000 1000 50000)" "$(entry v read 1000 1000 50000)" | head -c -60 >cut.json
"$peak" cut.json b.json >out
like "$(grep '^w .*IOPS' out)" '1,000 \+25\.0%! +800\.0 best' "a run that was cut off is never best"
like "$(cat out)" $'\nC  cut off: .*never marked best' "... says the legend"
cp a.json c.json
is "$("$peak" a.json c.json | grep -c 'best .*best')" 5 "equal values are both best"
like "$("$peak" a.json merged.json)" "No workload ran on two drives" "nothing in common: told"

# The point with the most IOPS stands for several.
document "$(entry w read 900 1000 10000)" >p1.json
{ cat p1.json; document "$(entry w read 1200 1000 20000)"; cat b.json; } >points.json
"$peak" points.json >out
like "$(grep '^w ' out)" '1,200 .* 3$' "three points: the highest, and how many"
is "$("$peak" --format=csv points.json | grep -c ',all,')" 3 "csv has them all"

# Repeats, runs with the same options: the median stands for them, failed ones aside.
repeat() { with '"bs": "4k"' <(document "$(entry w read "$1" 1000 50000)"); }
{ repeat 1200; repeat 900; repeat 1000; repeat 3000 | sed 's/"error": 0/"error": 5/'; } >repeats.json
"$peak" repeats.json >out
like "$(grep '^w ' out)" ' read +1,000 .* EFQ +4 +30\.0%$' "three repeats and a failed run: the median, and their spread"
like "$(cat out)" $'\nSPREAD: ' "... which is explained"
{ repeat 1200; repeat 900; } >repeats.json
like "$("$peak" repeats.json | grep '^w ')" ' read +900\.0 .* 2 +33\.3%$' "two: the lower one"
{ repeat 1200; repeat 900 | sed 's/"4k"/"8k"/'; } >repeats.json
"$peak" repeats.json >out
like "$(grep -m 1 '^w ' out)" ' read +1,200 .* 2$' "other options: no repeats"
like "$(cat out)" 'w on repeats: no curve, its runs have different settings \(bs\); shown is the one with the most '\
'IOPS, --group-by=jobname,rw,bs tells them apart' "... and no curve, but what helps"
like "$("$peak" --format=prose repeats.json)" ' The runs of repeats have different settings \(bs\)\.' "... in prose"
is "$("$peak" --group-by=jobname,rw,bs --format=csv --summary repeats.json | cut -d, -f2,3 | xargs)" \
	"workload,iops w read bs=4k,1200 w read bs=8k,900" "... which shows both"
{ with '"filename": "nvme0n1"' <(document "$(entry w read 1200 1000 50000)")
	with '"filename": "nvme1n1"' <(document "$(entry w read 900 1000 50000)"); } >files.json
like "$("$peak" files.json)" 'w on files: its runs have different filenames; if they are drives: LABEL=PATH each, or '\
'--group-by=jobname,filename' "runs on two drives are told of"

# --entries: numjobs is of all copies of a job, of which each is a point of its own.
with '"numjobs": "2", "rate_iops": "100", "iodepth": "4"' \
	<(document "$(entry j read 100 1000 50000)" "$(entry j read 100 1000 50000)") >copies.json
loads() { "$peak" "$@" --format=json | jq -c '[.points[] | .load.asked_iops, .load.outstanding, .flags[]]'; }
is "$(loads copies.json)" '[200,8,"worst","few-ios"]' "two copies: what both were asked for"
is "$(loads --entries copies.json)" '[100,4,"few-ios",100,4,"few-ios"]' "--entries: a copy's share, which it reached"
"$peak" --entries --format=json copies.json >apart.json
is "$(loads apart.json)" "$(loads --entries copies.json)" "... from our own JSON, too"
# 200 IOPS of 2,000: saturated, but for what is known of a document that lacks its second job.
with '"numjobs": "2", "rate_iops": "1000"' <(document "$(entry j read 200 1000 50000)") >half.json
is "$(loads half.json)" '[2000,2,"few-ios","saturated","in-flight"]' "under 97% of the rate: saturated"
sed 's/ \] }$/, { "jobname": "j", /' half.json >cut.json
is "$(loads cut.json)" '[2000,2,"cut-off","few-ios"]' "... not of what was cut off"

# Curves: a sweep of rates on two drives, the run without a limit among them. Drive A does 43,547 IOPS
# without a limit and 52,225 at 120% of that; 100 us lie between 43,523 IOPS at 94.9 us and 47,868 at
# 105.0: 43,523 + 4,345 x 5.13 / 10.17 = 45,716.
for drive in A B; do
	mkdir -p sweep/drv$drive/mix/4k7030
	for file in "$data"/../fio-json/ratesweep_2drives/drv$drive-*.json; do
		cp "$file" "sweep/drv$drive/mix/4k7030/${file##*-}"
	done
done
"$peak" --cap=100us,1ms --cap=40us sweep >out
is "$(sed -n '/^CURVES/,/^LOW/p' out | sed -n '3,5s/ *$//p' | tr -s ' ')" \
	"WORKLOAD DRIVE STEPS LOW us MAX us PRACTICAL us KNEE us FALL-OFF <=100us <=1ms <=40us
4k7030 drvA 13 63.1 52,225 141.0 52,225 141.0 30,466 63.7 16.6% 45,716 >=52,225 none
 drvB 13 58.3 709,183 44.1 709,183 44.1 709,183 44.1 12.0% >=709,183 >=709,183 none" "a line for each curve"
like "$(cat out)" 'lowest latency within 1% of that' "... with its terms"
"$peak" --plateau=17% sweep >out
like "$(grep '^4k7030 .*%$' out)" ' 52,225 +141\.0 +43,523 +94\.9 ' "--plateau=17%: a lower latency within that"
"$peak" --format=json --cap=100us sweep | tr -d ' \n' | sed 's/.*"curves"//; s/"drvB".*//' >out
like "$(cat out)" '"cap_us":100\.0,"iops":45716\.[0-9]*,"at_least":false,"result":"crossed"' "caps in json"
like "$(cat out)" '"fall_off_percent":16\.6[0-9]*,' "fall-off in json"
is "$("$peak" --format=csv sweep | awk -F , '$1 == "drvA" && $4 == "all" && ($NF || $3) {
	print $(NF - 1), $3, $NF }')" "12 1 1" "csv: peak and practical peak are step 12 of 13"
"$peak" --cap=100us,1ms,60us,1us sweep >out
like "$(grep 'PRACTICAL us' out)" 'lower +141\.0 \+220% +44\.1 best' "compared: the practical peak's latency"
like "$(grep '^ .*LOW us' out)" 'lower +63\.1 \+8\.3% +58\.3 best' "... the latency at low load"
like "$(grep '^ .*<=60us' out)" 'higher +18,688 -97\.4% +>=709,183 best' "... a cap: one that never left it is best"
like "$(grep '^ .*<=1ms' out)" 'higher +>=52,225 +>=709,183 *$' "... of two that never left it none is"
is "$(grep -c '^ .*<=1us' out)" 0 "... a cap that neither reached is no row"
"$peak" --format=json --cap=60us sweep | tr -d ' \n' | sed 's/.*"metric":"cap_iops"//' >out
like "$(cat out)" '^,"latency":"mean","cap_us":60\.0,.*"at_least":true,"best":true,"percent":0\.0' "... in json"
"$peak" --cap=600us,100us --latency=p99 sweep >out
like "$(grep -m 1 '^4k7030 .*%  ' out)" ' <=643\.1 +52,225 +<=798\.7 .* >=45,135 +n/a *$' \
	"--latency=p99: bounds, and caps that they do not tell"
like "$(grep 'LOW p99' out)" 'LOW p99 us +lower +<=643\.1 +<=199\.7 *$' "... named in the comparison"
for load in 100 200; do
	with "\"rate_iops\": \"$load\"" <(document "$(entry j read $load 1000 $((load * 100 + 40000)))")
done >rates.json
"$peak" --latency=p99 --cap=550us rates.json >out
like "$(grep '^j .*%\|^j .*-' out)" ' 2 +500\.0 +200\.0 +600\.0 +200\.0 +600\.0 .* 150\.0 *$' "... of single jobs: measured"
like "$("$peak" --latency=p99.99 rates.json)" $'\nCURVES: none has a p99.99 latency at two loads' "... not measured"
"$peak" --format=csv --summary --cap=100us,1us sweep >summary.csv
is "$(wc -l <summary.csv) $(awk -F , '{ print NF }' summary.csv | sort -u)" "3 27" "--summary: a row for each curve"
is "$(awk -F , '/^drvA/ { printf "%s %d %s %d %s %d %.1f %d %s [%s] %s %.2f", $1, $3, $10, $11, $13, $17, $18,
	$23, $24, $25, $26, $27 }' summary.csv)" \
	"drvA 52225 worst 13 mean 52225 141.0 45716 crossed [] never reached 16.62" "... with peak, caps and fall-off"
is "$("$peak" --format=csv --summary p1.json | tail -n +2)" "p1,w,900,3.6864,10,10,100,,,few-ios,1,,,,,,,,,,,," \
	"... and where there is no curve the peak"

# --group-by: a sweep whose jobs have names of their own is a curve once they are left out.
steps=$data/../fio-json/v3.42__rate-sweep-12steps-one-document-numjobs4.json
"$peak" --group-by=rw,bs,numjobs "drive=$steps" >out
like "$(grep -m 1 '^randread' out)" '^randread bs=4k numjobs=4 drive +read +38,248 .* 12$' "--group-by: twelve jobs are one workload"
like "$(grep '^randread .*us\|^randread .* -$' out)" ' 12 +112\.1 +38,248 +103\.5 ' "... and a curve"
group() { "$peak" --format=csv --group-by="$1" "$2" | awk -F , '$4 == "all" { print $2 }' | sort -u | xargs -d '\n'; }
is "$(group bs,jobname rates.json)" "bs=4k j" "... fio's default where nothing is listed, names in the order given"
is "$(group rate_iops rates.json)" "rate_iops=100 rate_iops=200" "... by rate"
is "$(group bs,iodepth one.json)" "bs=? iodepth=?" "... where fio lists no options"
with '"filename": "x.img"' one.json >x.json
is "$(group filename,jobname,hostname x.json)" "filename=x.img j" "... by file; a host is named where there are several"
is "$(cd sweep && group rw .)" "randrw" "... it goes before the names of folders"

# --explain: where names come from and what points became, on stderr.
"$peak" --explain --format=csv repeats.json "LABEL=$steps" 2>err >out
is "$(wc -l <err)" 14 "--explain: a line for each point"
like "$(cat err)" 'repeats.json, document 0, jobs\[0\]: drive "repeats" by the file given, workload "w" by the job; step 1 of 2, no rate, jobs x iodepth 1; shown' \
	"... with its names and its place"
like "$(cat err)" 'jobs\[0\]: drive "LABEL" by LABEL, workload "drvA-rate010" by the job; step 1 of 1, 3,492 IOPS asked for; shown' "... what was asked"
"$peak" --explain merged.json 2>err >out
like "$(cat err)" 'jobs\[0\.\.1\]: .*, 2 entries merged; step 1 of 1, load unknown; shown' "... and merged"
mkdir other && cp a.json other && echo hello >other/note.txt
"$peak" --explain other 2>err >out
like "$(cat err)" 'other/note\.txt: no JSON object in it; .*; skipped' "... and why a file gave nothing"

# Names.
mkdir -p out2/d1/corners/rr out2/d2/corners/rr
cp a.json out2/d1/corners/rr/max.json
cp b.json out2/d2/corners/rr/max.json
echo '{"label": "d1"}' >out2/d1/drive.json
echo '{"schema": 1}' >out2/d1/corners/rr/max.nvme.json
names() { "$peak" --format=csv "$@" 2>&1 | grep ',all,' | cut -d, -f1,2 | tr '\n' ' '; }
is "$(names out2)" "d1,rr d2,rr " "results layout: drives and workloads by folder"
is "$(names out2/d1)" "d1,rr " "one drive of it"
is "$(names x=out2/d1)" "x,rr " "... with a label"
mkdir -p flat/d1 flat/d2
cp a.json flat/d1 && cp b.json flat/d2
is "$(names flat)" "d1,w d2,w " "folders that ran the same jobs are drives"
is "$(names flat/d1)" "d1,w " "a folder of files is a drive, the job's name the workload"
is "$(names a.json b.json)" "a,w b,w " "files are drives"
is "$(cd flat/d1 && names .)" "d1,w " "the folder we are in has a name too"

# Merged percentiles equal those of all samples within a bucket (1/64): every sample is logged.
if command -v fio >/dev/null; then
	head -c 4M /dev/zero >disk
	fio --name=s --filename=disk --ioengine=psync --rw=randread --bs=4k --size=4m --io_size=40m \
		--numjobs=2 --thread --write_lat_log=s --output-format=json+ --output=s.json >/dev/null
	cat s_clat.*.log | cut -d, -f2 | sort -n >samples
	n=$(wc -l <samples)
	is "$n" 20480 "fio logged every sample"
	is "$(value s.json ios)" "$n" "... as many as there were I/Os"
	for p in 50:p50_us 99:p99_us 99.9:p99_9_us 99.99:p99_99_us; do
		awk -v p="${p%%:*}" -v n="$n" -v got="$(value s.json "${p#*:}")" '
			BEGIN { k = p / 100 * n; at = int(k) < k ? int(k) + 1 : k }
			NR == at { d = got * 1000 - $1; if (d < 0) d = -d
				   print "got " got * 1000 ", sample " $1 " of " n; exit !(d <= $1 / 64 + 1) }' \
			samples >why && pass "p${p%%:*} is the pooled samples'" || fail "p${p%%:*}" "$(cat why)"
	done
else
	skip "percentiles against samples" "fio is not installed"
fi

# fio's own interim documents, and runs that are appended to a file with the same job.
points()
{
	"$peak" --format=csv "$1" | awk -F , -v want="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == want) c = i; next }
		$4 == "all" { printf "%s%s", sep, $c; sep = " " }'
}
if command -v fio >/dev/null; then
	run() { fio --name=r --ioengine=null --rw=read --size=1g --thread --rate_iops=2000 \
		--output-format=json --time_based "$@"; }
	run --runtime=2 --status-interval=300ms >interim.json
	docs=$(grep -c '"fio version"' interim.json)
	ok "fio printed interim documents, several a second" test "$docs" -ge 5
	is "$(points interim.json document)" $((docs - 1)) "they are one run, and the last counts"
	is "$(points interim.json interim_documents)" $((docs - 1)) "... the others are counted"
	is "$("$peak" --entries --format=csv interim.json | grep -c ',all,.*,[a-z -]*interim[a-z -]*,')" $((docs - 1)) \
		"... with --entries they are all there, marked"
	{ cat interim.json; run --runtime=1 --status-interval=300ms; run --runtime=2; } >appended.json
	is "$(points appended.json document | wc -w)" 3 "three runs in a file stay three"
	run --runtime=1 --ioengine=psync --rw=write --filename=target >good.json
	rm target && ln -s /dev/full target
	run --runtime=1 --ioengine=psync --rw=write --filename=target >bad.json 2>fio.err
	cat bad.json good.json >appended.json
	is "$(points appended.json error | xargs -n 1 | sort -n | xargs)" "0 28" "a failed and a good run stay two"
	cat good.json bad.json >appended.json
	is "$(points appended.json error | xargs -n 1 | sort -n | xargs)" "0 28" "... in either order"
else
	skip "interim documents and appended runs" "fio is not installed"
fi

text=$(cat a.json)
# A folder of 2,000 runs takes 0.3 s. The limit is on processor time and far above that: it catches
# what takes a square of the points, not a slow machine.
mkdir many
for i in {1..2000}; do
	printf '%s' "${text/\"w\"/\"w$i\"}" >"many/$i.json"
done
for format in table markdown csv json; do
	ok "2,000 runs as $format in 10 s of processor time" \
		bash -c 'ulimit -t 10; exec "$@" >many.out' _ "$peak" --format=$format many
done
is "$("$peak" --format=csv many | grep -c ,all,)" 2000 "... all of them"

# Prose: 407,000 IOPS are 2.8% more than 396,000.
prose() { "$peak" --format=prose "$@" | head -1; }
document "$(entry sql read 407000 1000 78000)" >first.json
document "$(entry sql read 396000 1000 80000)" >second.json
document "$(entry sql read 100 1000 70000)" >third.json
is "$(prose second.json first.json)" \
	"sql: first leads with 407,000 IOPS at 78.0 us, 2.8% ahead of second with 396,000 IOPS at 80.0 us." \
	"prose: who leads, and by how much"
is "$(prose third.json second.json first.json | sed 's/.*80.0 us\. //')" \
	"Then comes third with 100.0 IOPS at 70.0 us. The lowest latency there is that of third, 10.3% below first." \
	"... who follows, and whose latency is lower"
is "$(prose a.json c.json)" "w: a with 1,000 IOPS at 50.0 us and c with 1,000 IOPS at 50.0 us are level." "... a tie"
like "$(prose failed.json b.json)" '^w: b reaches 800\.0 IOPS at 40\.0 us\. failed failed and is not ranked\.$' \
	"... a run that failed is not ranked"
sed 's/"io_bytes": [0-9]*/"io_bytes": 262144000/' a.json >large.json
is "$(prose large.json)" "w: large reaches 262.1 MB/s at 50.0 us." "... large I/Os by bandwidth"
for depth in 64:251612:254000 1024:252452:4055000; do
	IFS=: read -r depth ios ns <<<"$depth"
	with "\"iodepth\": \"$depth\"" <(document "$(entry q read "$ios" 1000 "$ns")")
done >flat.json
like "$(prose flat.json)" '^q: flat reaches 252,452 IOPS at 4,055 us \(or 251,612 IOPS at 254\.0 us\)' "... the practical peak beside the maximum"
is "$(prose --cap=100us sweep | sed 's/.* us\. //')" \
	"Within 100us drvB reaches at least 709,183 IOPS, drvA reaches 45,716 IOPS." "... IOPS within a cap"

# Grids: jobs times depth; drive b has not run 2 x 16, and its 4 x 4 failed.
for drive in a b; do
	mkdir -p grids/$drive/enterprise/randrw
	for load in 2:4 2:16 4:4 4:16; do
		[ $drive:$load != b:2:16 ] || continue
		IFS=: read -r jobs depth <<<"$load"
		with "\"numjobs\": \"$jobs\", \"iodepth\": \"$depth\"" \
			<(document "$(entry x read $((jobs * depth * 100)) 1000 $((depth * 1000)))") |
			if [ $drive:$load = b:4:4 ]; then sed 's/"error": 0/"error": 5/'; else cat; fi \
			>grids/$drive/enterprise/randrw/$jobs-$depth.json
	done
done
"$peak" grids >out
is "$(sed -n '/^GRIDS/,/^COMP/s/ *$//p' out | sed '1,2d; /^$/d; /^COMP/d' | tr -s ' ')" \
	"WORKLOAD METRIC DRIVE JOBS DEPTH 4 DEPTH 16
randrw IOPS a 2 800.0 3,200
 4 1,600 6,400
 b 2 800.0 -
 4 - 6,400
 mean us a 2 4.00 16.0
 4 4.00 16.0
 b 2 4.00 -
 4 - 16.0
 max us a 2 50.0 50.0
 4 50.0 50.0
 b 2 50.0 -
 4 - 50.0
 stddev us a 2 0.00 0.00
 4 0.00 0.00
 b 2 0.00 -
 4 - 0.00" "a grid: a table by jobs and depth"
like "$("$peak" --latency=p99 grids)" 'p99 us +a +2 +40\.0 +160\.0' "... with another latency"
is "$("$peak" sweep flat.json | grep -c GRIDS)" 0 "a sweep of rates or of depths alone is none"

# HTML: one file, well-formed, that fetches nothing; what is named is escaped.
cp a.json "x&<y>\"'.json"
"$peak" --format=html --cap=100us sweep "x&<y>\"'.json" b.json >page.html
if command -v xmllint >/dev/null; then
	ok "html: well-formed" xmllint --noout page.html
	count() { xmllint --xpath "count($1)" page.html; }
	is "$(count '//figure')" 1 "... a chart for the workload that has curves"
	is "$(count '//figure//polyline')" 2 "... a line for each drive"
	is "$(count '//figure//*[@class="dot"]/title')" 26 "... all points, with their figures"
	is "$(xmllint --xpath 'string(//title)' page.html)" "fio-peak: drvA, drvB, x&<y>\"' and b" "... names as they are"
	is "$(xmllint --xpath 'string((//table)[1]/tbody/tr[1])' page.html)" "4k7030drvB709,183IOPS+1257.9%drvAdrvB" \
		"... winners"
else
	skip "html: well-formed" "needs xmllint"
fi
is "$(grep -ciE '(src|href)=|url\(|@import|fetch\(|https?:' page.html)" 0 "... nothing is fetched"
is "$(LC_ALL=C grep -c '[^ -~	]' page.html)" 0 "... plain ASCII of our own"
if command -v chromium >/dev/null && timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom about:blank >/dev/null 2>&1; then
	# The Results' IOPS by one click and by two, from a script at the end of the page.
	{ cat page.html; cat <<-'END'; } >click.html
		<script>
		const table = document.querySelector("[aria-label=Results] table");
		const first = () => table.tBodies[0].rows[0].cells[3].textContent;
		const button = table.tHead.rows[0].cells[3].querySelector("button");
		button.click(); const most = first(); button.click();
		document.title = most + " " + first() + " " + button.parentNode.getAttribute("aria-sort");
		</script>
	END
	timeout 60 chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --dump-dom "file://$PWD/click.html" \
		>dom.html 2>console
	like "$(cat dom.html)" '<title>709,183 800\.0 ascending</title>' "... sorted in a browser"
	is "$(grep -c CONSOLE console)" 0 "... which has nothing to complain about"
else
	skip "html in a browser" "needs chromium"
fi

# Golden outputs.
for format in table markdown prose html csv json; do
	(cd "$data" && "$peak" --format=$format fast.json slow.json err.json) >out
	[ "$GOLDEN" = write ] && cp out "$data/golden.$format"
	ok "golden $format" diff "$data/golden.$format" out
done
name=$'a|b*<i>_x_`#'
cp a.json "$name.json"
"$peak" --format=markdown "$name.json" b.json >out
ok "markdown: what has a meaning there is escaped" grep -qF '| w | a\|b\*\<i\>\_x\_\`\# | read | 1,000 |' out
is "$(grep '^|' out | sed 's/\\|//g' | tr -cd '|\n' | sort | uniq -c | xargs)" "7 |||||||| 4 ||||||||||||" \
	"... so that tables have as many columns in each row"
ok "the json is JSON" sh -c 'tr -d "\n" <"$1" | grep -q "^{.*}$"' _ "$data/golden.json"

# The man page has every column of csv, every member of json, every flag.
man=$(dirname "$data")/../../tools/fio-peak/fio-peak.1
# described WHAT WORDS...: which of them the man page does not have
described()
{
	local word missing=
	for word in "${@:2}"; do
		grep -qE "(^\.|[ (,])(It )?(Cm|Dq|.*, Cm) .*\b${word//./\\.}\b" "$man" || missing+=" $word"
	done
	is "$missing" "" "fio-peak.1 has every $1"
}
mapfile -t words < <(head -1 "$data/golden.csv" | tr , '\n')
described "column of csv" "${words[@]}"
mapfile -t words < <(head -1 summary.csv | tr , '\n' | sed 's/^cap_100us/cap_TIME/; /^cap_1us/d')
described "column of the summary" "${words[@]}"
mapfile -t words < <(grep -o '"[a-z_0-9 -]*":' "$data/golden.json" | tr -d '":' | sort -u)
described "member of json" "${words[@]}" upper_bound failed_ios
mapfile -t words < <(sed -n 's/.*FLAG_[A-Z_]*, .\(.\)., "\([a-z-]*\)".*/\1 , Cm \2/p' \
	"$(dirname "$man")/point.c")
is "${#words[@]} $(for word in "${words[@]}"; do grep -c "^.It $word\$" "$man"; done | sort -u)" \
	"$(grep -c '^	{ FLAG_' "$(dirname "$man")/point.c") 1" "fio-peak.1 has every flag"

done_testing
