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
cp a.json c.json
is "$("$peak" a.json c.json | grep -c 'best .*best')" 5 "equal values are both best"
like "$("$peak" a.json merged.json)" "No workload ran on two drives" "nothing in common: told"

# The point with the most IOPS stands for several.
document "$(entry w read 900 1000 10000)" >p1.json
{ cat p1.json; document "$(entry w read 1200 1000 20000)"; cat b.json; } >points.json
"$peak" points.json >out
like "$(grep '^w ' out)" '1,200 .* 3$' "three points: the highest, and how many"
is "$("$peak" --format=csv points.json | grep -c ',all,')" 3 "csv has them all"

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

# Golden outputs.
for format in table csv json; do
	(cd "$data" && "$peak" --format=$format fast.json slow.json err.json) >out
	[ "$GOLDEN" = write ] && cp out "$data/golden.$format"
	ok "golden $format" diff "$data/golden.$format" out
done
ok "the json is JSON" sh -c 'tr -d "\n" <"$1" | grep -q "^{.*}$"' _ "$data/golden.json"

done_testing
