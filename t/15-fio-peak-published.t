#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The reviews' figures (jobs/published): they are those of t/data/jobs/reviews.table, each and no other; what
# the reviews say of them comes out of them; beside own results they are marked in every format. With it
# --feed, and pairs of off and on.
. "$(dirname "$0")/lib.sh"

peak=$(realpath "$build")/fio-peak
table=$top/t/data/jobs/reviews.table
notes=$top/t/data/jobs/published.notes
published=$top/jobs/published
ln -s "$top/jobs" "$work/jobs"
cd "$top" || exit 1

# --- the files are what their tables say ------------------------------------------------------------
if command -v jq >/dev/null; then
	ok "ci/published makes them" "$top/ci/published" "$work/made"
	ok "... and jobs/published is that" diff -r "$work/made" "$published"
else
	skip "ci/published" "needs jq"
fi
cd "$work" || exit 1

# columns NAME...: of CSV on stdin; those that do not come behind a text with commas.
columns()
{
	awk -F , -v names="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, want, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[want[i]], i < n ? " " : "\n" }'
}
"$peak" --published=all --format=csv >all.csv 2>err
is "$? $(wc -c <err)" "0 0" "all of them are read"

# Each figure of the table, by another way than ci/published: review, workload of the job, drive, column.
awk '!/^#/ && $2 != "application" && $2 != "derived" {
	n = split($7, job, "/"); name = job[n]; sub(/^vdi-/, "", name)
	v = $6; col = ""
	if ($5 == "peak_IOPS") col = "iops"
	if ($5 == "peak_MB/s") col = "mb_s"
	if ($5 == "peak_GB/s" || $5 == "bandwidth_GBps") { col = "mb_s"; v *= 1000 }
	if ($5 == "latency_us_at_peak") col = "mean_us"
	if ($5 == "avg_latency_ms") { col = "mean_us"; v *= 1000 }
	if ($5 == "max_latency_ms") { col = "max_us"; v *= 1000 }
	if ($5 == "stdev_latency_ms") { col = "stddev_us"; v *= 1000 }
	if (col != "") print $1 " " $4 " " name " " col " " v
}' "$table" | sort >want
awk -F '\t' '$1 == "sheet" {
	col = $5 == "peak_IOPS" ? "iops" : "mb_s"; v = $6
	if ($5 == "peak_MiB/s") v = sprintf("%.1f", v * 1.048576)
	print $2 " " $3 " datasheet-" $4 " " col " " v
}' "$notes" | sort >sheets
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
	{ drive = $1; sub(/ \(published\)$/, "", drive)
	  split($2, w, ":"); sub(/^(vdbench|enterprise)\//, "", w[2])
	  for (i = 5; i <= 19; i++) if ($i != "") print w[1] " " drive " " w[2] " " name[i] " " $i }' all.csv |
	sort >got
is "$(wc -l <want)" $(($(grep -vc '^#' "$table") - 9 - 18)) "338 figures less 9 of transactions and sums and 18 limits"
ok "every figure of the table is there, and no other" diff <(sort want sheets) got
is "$(awk '!/^#/ && $5 == "sub_1ms_until_iops" { print $4, $6 }' "$table" | sort)" \
	"$("$peak" --published=sn630-vsan --format=csv --summary --cap=1ms | columns drive cap_1ms_iops |
		sed -n "s/ (published) / /; / [0-9]/p" | sort)" "... every limit of 1 ms"
is "$(grep -c '^note' "$notes")" "$("$peak" --published=all | sed -n '/^P /,/^$/p' | grep -c '^     ')" "every note is told"
nr=$(cat "$published"/*/*.json | grep -c '^  {"drive"')
is "$(grep -c ',all,' all.csv) $(grep -c ',published,' all.csv)" "$nr $nr" "every point has the flag"

# --- what the reviews say ---------------------------------------------------------------------------
"$peak" --published=sn861-7.68tb --format=prose >prose
corner() { sed -n "s/^$1: \([a-z0-9-]*\) (published) leads with \([0-9,]* [A-Z/a-z]*\),.*/\1 \2/p" prose; }
is "$(for c in seqread-256k-1t64q seqwrite-256k-1t64q randread-4k-8t32q randwrite-4k-8t32q; do corner $c; done)" \
	"pm1743 14,495 MB/s
sn861 7,696 MB/s
sn861 2,108,065 IOPS
sn861 473,658 IOPS" "the SN861 takes three of the four corners"
is "$(grep '^sql:' prose | sed 's/ Then.*//')" "sql: sn861 (published) leads with 407,000 IOPS at 78.0 us, \
2.8% ahead of cm7-r (published) with 396,000 IOPS." "SQL: 407K at 78 us against 396K, 2.8%"
"$peak" --published=sn630-vsan --cap=1ms --format=prose >prose
limits() { sed -n "s/^$1: .* Within 1ms \([^.]*\)\..*/\1/p" prose | sed 's/sn630-vsan-dr-//g; s/ (published)//g'; }
is "$(limits randread-4k)" "off reaches 350,000 IOPS" "vSAN: 4K reads below 1 ms to 350K"
is "$(limits randwrite-4k)" "off reaches 110,000 IOPS, on reaches 90,000 IOPS" "... writes to 110K and 90K"
is "$(limits oracle-90-10)" "off reaches 300,000 IOPS, on reaches 225,000 IOPS" "... Oracle 90-10 to 300K and 225K"
is "$(limits full-clone-boot)" "off reaches 200,000 IOPS, on reaches 85,000 IOPS" "... booting to 200K and 85K"
is "$(limits sql)" "" "... where no limit is printed there is none"
is "$("$peak" --published=sn630-vsan --cap=2ms --format=prose | grep -c Within)" 0 "... and none of 2 ms"
"$peak" --published=sn655,sn861 --feed=64GB/s >feed
is "$(sed -n '/^FEED/,$s/ *$//p' feed | tail -n +3 | tr -s ' ')" "WORKLOAD DRIVE MB/s DRIVES
datasheet-seqread sn655 (published) 6,800 10
seqread-256k-1t64q sn861 (published) 13,283 5
seqread-16k sn861 (published) 5,100 13
datasheet-seqread-128k sn861 (published) 13,700 5" "64 GB/s take ten drives of Gen4 or five of Gen5"
"$peak" --published=pm9a3,sn861 --feed=64GB/s --format=prose >prose
is "$(grep '^To feed' prose | head -1)" \
	"To feed 64GB/s by seqread-256k-1t64q takes 5 drives of sn861 (published), 10 of pm9a3 (published)." "... in prose, as measured"
is "$("$peak" --published=pm9a3 --feed=64GB/s --format=csv --summary | columns workload feed_drives | grep " [0-9]")" \
	"seqread-256k-1t64q 10" "... in the summary"
is "$("$peak" --published=pm9a3 --feed=64GB/s --format=json | jq -c .feed)" \
	'{"mb_s":64000,"drives":[{"drive":"pm9a3 (published)","workload":"seqread-256k-1t64q","mb_s":6751,"needed":10}]}' \
	"... in json"

# --- off and on -------------------------------------------------------------------------------------
# (442,089 - 387,937) / 442,089 = 12.2%; 7,500 us are 56.2% (to the even digit) more than 4,800.
"$peak" --published=sn630-vsan >out
is "$(sed -n '/^OFF AND ON/,$p' out | grep '^randread-4k' | tr -s ' ' | sed 's/ $//')" \
	"randread-4k sn630-vsan-dr (published) IOPS 442,089 387,937 12.2% 4,800 7,500 56.2%" "a row for off and on, with the cost"
is "$(sed -n '/^OFF AND ON/,$p' out | grep -c '(published)')" 16 "... for each workload that has both"

# --- beside own results -----------------------------------------------------------------------------
cp "$top/t/data/fio-peak/fast.json" fast.json
golden=$top/t/data/fio-peak
for format in table markdown prose json; do
	inputs=("--published=sn655,ps1010,sn630-vsan/sn630-vsan-dr-off,sn630-vsan/sn630-vsan-dr-on" fast.json)
	[ $format != json ] || inputs=("--published=sn655,svn3400")
	"$peak" --format=$format --cap=1ms --feed=64GB/s "${inputs[@]}" >out
	[ "$GOLDEN" = write ] && cp out "$golden/published.$format"
	ok "golden $format" diff "$golden/published.$format" out
done
"$peak" --published=ps1010 fast.json >out
like "$(grep -A 1 "^randread-4k .*fast" out | tail -1)" "ps1010 \(published\) .* 729,000 +n/a +96\.60? .* P *$" "a row below one's own, marked"
like "$(cat out)" $'\nP  published: as a review printed it; not measured here\n' "... explained"
like "$(sed -n "/^COMPARISON/,\$p" out | grep "^WORKLOAD")" " fast +ps1010 \(published\)" "... named in the comparison"
like "$(sed -n "/^COMPARISON/,\$p" out | grep "^randread-4k .*IOPS")" "11,928 -98\.4% +729,000 best" "... with the percent"
for format in markdown prose html csv json; do
	"$peak" --format=$format --published=ps1010 fast.json >out
	like "$(grep -m 1 "ps1010" out)" "[(]published[)]" "... marked in $format"
done
is "$("$peak" --published=ps1010 fast.json | grep -c "different settings")" 0 "settings that a review does not print are not different"
"$peak" --format=json --published=ps1010 fast.json >again.json
"$peak" --format=json again.json >twice.json
ok "its json is read again as it was" cmp again.json twice.json

# Names: one drive of two reviews is two; families that share a name of a workload are told apart.
is "$("$peak" --published=cm7-r --format=csv --summary | columns drive workload | cut -d" " -f1-4 | sort -u | wc -l)" 2 \
	"a drive of two reviews: each for itself"
like "$("$peak" --published=cm7-r)" "cm7-r \(published in sn861-7\.68tb\)" "... named by them"
like "$("$peak" --published=ps1010-7.68tb/cm7-r)" "cm7-r \(published\)" "... or one of them"
is "$("$peak" --published=cm7-r,cm7-r,ps1010-7.68tb/cm7-r --format=csv --summary | wc -l)" \
	"$("$peak" --published=cm7-r --format=csv --summary | wc -l)" "labels that say the same: once"
"$peak" --published=sn700-4tb --format=csv --summary | columns workload drive | grep randread-4k >out
is "$(sort out)" "enterprise/randread-4k sn700-iscsi (published)
enterprise/randread-4k sn700-smb (published)
vdbench/randread-4k sn700 (published)" "the enterprise profile is not the curve of the same name"
for family in vdbench enterprise; do
	mkdir -p "mine/d/$family/randread-4k"
	cp "$top/t/data/fio-json/ratesweep_2drives/drvA-4k7030-max.json" "mine/d/$family/randread-4k/max.json"
done
"$peak" --published=sn700 --format=csv --summary mine | columns workload drive | grep "/randread-4k" | sort >out
is "$(cat out)" "enterprise/randread-4k d
vdbench/randread-4k d
vdbench/randread-4k sn700 (published)" "... nor in own results"
rm -r mine
for family in database reduction; do
	mkdir -p "mine/d/$family/sql"
	cp "$top/t/data/fio-json/ratesweep_2drives/drvA-4k7030-max.json" "mine/d/$family/sql/max.json"
done
is "$("$peak" --format=csv --summary mine | columns workload | sort | paste -sd ' ')" "database/sql reduction/sql" \
	"one drive's families are told apart, whatever they are"
rm -r mine

# What is wrong is one line.
refused()
{
	"$peak" "${@:3}" >out 2>err
	is "$? $(wc -l <err) $(wc -c <out)" "2 1 0" "$1: status 2, one line"
	like "$(cat err)" "$2" "... says what"
}
refused "an unknown label" "^fio-peak: --published=sn862: unknown; all, a drive \(cm7-r, pm1743, ps1010, .*sn861\), a review \
\(ps1010-7.68tb, sn630-vsan, sn700-4tb, sn861-7.68tb\), or REVIEW/DRIVE$" --published=sn861,sn862
refused "an empty one" "--published=: unknown" --published=sn861, fast.json
refused "a drive that the review lacks" "--published=sn700-4tb/sn861: unknown" --published=sn700-4tb/sn861
rm jobs
if [ ! -e "$(dirname "$peak")/../jobs/published" ]; then
	refused "no folder" "no folder jobs/published beside fio-peak; it is installed with the jobs" --published=all
fi
mkdir -p root/bin root/share/fio-peak && cp "$peak" root/bin && cp -r "$top/jobs" root/share/fio-peak/jobs
is "$(root/bin/fio-peak --published=sn655 --format=csv --summary | columns drive mb_s)" "sn655 (published) 6800" "installed: found beside it"
for unit in 64 64G 64GB 64Gb/s 64gb/s 0GB/s -1GB/s "64 GB/s" 64GB/s/s; do
	"$peak" --feed="$unit" fast.json >out 2>err
	is "$? $(wc -c <out)" "2 0" "--feed=$unit: refused"
	like "$(head -1 err)" "not a bandwidth with its unit, such as 64GB/s or 60GiB/s" "... and what would be right"
done
like "$("$peak" --feed=64GB/s fast.json)" "No workload is a sequential read with a bandwidth: how many drives feed 64GB/s cannot be told\." \
	"--feed without a sequential read: told"

done_testing
