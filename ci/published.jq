# SPDX-License-Identifier: GPL-2.0-only
# jq: reviews.table and published.notes, as lines -> {"REVIEW/DRIVE.json": fio-peak's own JSON}. A figure
# that a review does not print is not there; see ci/published.
def lines: split("\n") | map(select(test("^(#|$)") | not));
def words: [splits(" +")];
def bs: [capture("-(?<k>[0-9]+k)").k] | if . == [] then {} else { bs: .[0] } end;

# What the name of a workload tells of it.
def settings:
	({ seqread: "read", seqwrite: "write", randread: "randread", randwrite: "randwrite",
	   randrw70: "randrw" }[split("-")[0]] | if . then { rw: . } else {} end) + bs
	+ ([capture("-(?<numjobs>[0-9]+)t(?<iodepth>[0-9]+)q$")] | .[0] // {});

# Families and names as fio-curve lays results out; the same workload on other data or over a network is
# the same workload.
def placed:
	split("/") as [$family, $name]
	| if $family == "nas" then ["enterprise", $name]
	  elif $family == "reduction" then
		[(if $name | startswith("vdi-") then "vdi" else "database" end), ($name | ltrimstr("vdi-"))]
	  else [$family, $name] end;

def figure($metric; $v):
	if $metric == "peak_IOPS" then { iops: { value: $v } }
	elif $metric == "peak_MB/s" then { mb_s: { value: $v } }
	elif $metric == "peak_MiB/s" then { mb_s: { value: ($v * 1.048576 * 10 | round / 10) } }
	elif $metric == "peak_GB/s" or $metric == "bandwidth_GBps" then { mb_s: { value: ($v * 1000 | round) } }
	elif $metric == "latency_us_at_peak" then { mean_us: { value: $v } }
	elif $metric == "avg_latency_ms" then { mean_us: { value: ($v * 1000 | round) } }
	elif $metric == "max_latency_ms" then { max_us: ($v * 1000 | round) }
	elif $metric == "stdev_latency_ms" then { stddev_us: ($v * 1000 | round) }
	else {} end;

# Transactions are no I/Os: their figures are told in notes.
def figures: map(select(.suite != "application") | figure(.metric; .figure)) | add // {};

def within: map(select(.metric == "sub_1ms_until_iops") | { us: 1000, iops: .figure }) | .[0];

def point($info):
	.[0] as $row | ($row.job | placed) as [$family, $name]
	| { drive: $row.drive, workload: $name, family: $family, review: $info.titles[$row.review],
	    note: $info.notes[[$row.review, $row.drive, $row.suite, $row.workload] | join(" ")],
	    within: within, settings: ($name | ltrimstr("datasheet-") | settings), flags: ["published"],
	    file: "published/\($row.review)/\($row.drive).json",
	    directions: { all: figures } }
	| with_entries(select(.value != null and .value != {}));

def keep_order(f): reduce .[] as $x ([]; ($x | f) as $k
	| (map(.[0] | f) | index([$k])) as $i | if $i == null then . + [[$x]] else .[$i] += [$x] end);

($table | lines | map(words | { review: .[0], suite: .[1], workload: .[2], drive: .[3], metric: .[4],
	figure: (.[5] | try tonumber catch null), job: .[6] }
	| select(.suite != "derived" and .drive != "-"))) as $printed
| ($notes | lines | map(split("\t"))) as $notes
| ($notes | map(select(.[0] == "sheet") | { review: .[1], suite: "sheet", drive: .[2], workload: .[3],
	metric: .[4], figure: (.[5] | tonumber), job: "datasheet/datasheet-\(.[3])" })) as $sheets
| ($notes | map(select(.[0] == "review") | { (.[1]): .[2] }) | add) as $titles
| ($notes | map(select(.[0] == "review") | { (.[1]): .[3] }) | add) as $hosts
| ($notes | map(select(.[0] == "note") | { (.[1:5] | join(" ")): .[5] }) | add) as $texts
| [$notes[] | select(.[0] == "drive") | . as [$kind, $review, $drive, $name]
   | { "\($review)/\($drive).json": {
	"fio-peak schema": 1,
	about: "\($name), as \($titles[$review]) prints it; on \($hosts[$review])",
	points: [$printed + $sheets | map(select(.review == $review and .drive == $drive))
		 | keep_order([.suite, .workload])[] | point({ titles: $titles, notes: $texts })] } }]
| add
