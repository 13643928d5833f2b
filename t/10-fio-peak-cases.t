#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-peak's reader against outputs of fio 2.0.14 to 3.42 (t/data/fio-json): every job entry and
# direction, its figures, settings and error, and the documents of each file.
. "$(dirname "$0")/lib.sh"

peak=$build/fio-peak
data=$(dirname "$0")/data/fio-json

# The reader's view: one line per document, entry and direction, tab-separated. Reads CSV.
rows()
{
	awk '
	function split_csv(line, f,    n, i, c, quoted) {
		n = 1; f[1] = ""
		for (i = 1; i <= length(line); i++) {
			c = substr(line, i, 1)
			if (c == "\"") quoted = !quoted
			else if (c == "," && !quoted) f[++n] = ""
			else f[n] = f[n] c
		}
		return n
	}
	BEGIN { OFS = "\t" }
	{ n = split_csv($0, f) }
	NR == 1 { for (i = 1; i <= n; i++) col[f[i]] = i; next }
	{
		entry = f[col["iops_from"]]
		sub(/^[^[]*\[/, "", entry); sub(/\].*/, "", entry)
		print file, f[col["document"]], entry, f[col["direction"]],
		      f[col["iops"]], f[col["mb_s"]] * 1e6 / 1024, f[col["mean_us"]],
		      f[col["p99_us"]], f[col["total_mean_us"]], f[col["total_p99_us"]],
		      f[col["rw"]], f[col["bs"]], f[col["iodepth"]], f[col["numjobs"]],
		      f[col["rate_iops"]], f[col["error"]], f[col["flags"]]
	}' "file=$1" -
}

status_bad=
while IFS=$'\t' read -r file _; do
	[ "$file" = file ] && continue
	"$peak" --entries --format=csv "$data/$file" >"$work/csv" 2>"$work/err"
	status=$?
	[ $status -le 1 ] || status_bad+="$file: status $status: $(cat "$work/err")"$'\n'
	rows "$file" <"$work/csv"
done <"$data/EXPECTED-DOCS.tsv" >"$work/got"
is "$status_bad" "" "every file is read"

# Where the expectations are wrong or mean something else, and we know why:
# - v2.18 with a cut option: the extractor behind the expectations gave the document up; its
#   missing quote and comma can be supplied, and the job is whole.
# - v3.42 truncated: the extractor lost the settings with the end of the document.
# - lat_percentiles=1 in fio 3.1 to 3.12: what stands under clat are percentiles of the total
#   latency (their p50 is three times the mean of clat); we count them as such.
compare_rows()
{
	awk -F '\t' '
	function near(got, want, digits) {
		if (want == "-") return got == ""
		if (got == "") return 0
		d = got - want; if (d < 0) d = -d
		return d <= want * 0.001 + digits
	}
	function same(got, want) { return want == "-" ? got == "" : got == want }
	function check(ok, what, got, want) {
		checks++
		if (!ok) print key ": " what ": got \"" got "\", want \"" want "\""
	}
	NR == FNR { got[$1 FS $2 FS $3 FS $4] = $0; next }
	FNR == 1 { next }
	{
		dir = $6 == "mixed" ? "all" : $6
		key = $1 FS $2 FS $3 FS dir
		if (!(key in got)) { print key ": missing"; next }
		seen[key] = 1
		split(got[key], g, FS)
		check(near(g[5], $12, 0.001), "iops", g[5], $12)
		check(near(g[6], $13, 1), "KiB/s", g[6], $13)
		check(near(g[7], $14, 0.006), "mean", g[7], $14)
		total = $1 ~ /lat_percentiles-misplaced/
		check(near(g[total ? 10 : 8], $15, 0.0006), "p99", g[8], $15)
		check(near(g[9], $16, 0.006), "total mean", g[9], $16)
		if (!total) check(near(g[10], $17, 0.0006), "total p99", g[10], $17)
		if ($1 ~ /truncated/) next
		check(same(g[11], $7), "rw", g[11], $7)
		check(same(g[12], $8), "bs", g[12], $8)
		check(same(g[13], $9), "iodepth", g[13], $9)
		check(same(g[14], $10), "numjobs", g[14], $10)
		check(same(g[15], $11), "rate_iops", g[15], $11)
		check(g[16] == $18, "error", g[16], $18)
	}
	END {
		for (key in got)
			if (key !~ /\tall$/ && !(key in seen) && key !~ /option-over-1024/)
				print key ": not expected"
		print "checks " checks > "/dev/stderr"
	}' "$work/got" "$data/EXPECTED.tsv"
}

is "$(compare_rows 2>"$work/checks")" "" "figures, settings and errors of every entry and direction"
is "$(cat "$work/checks")" "checks $((12 * 426 - 2 - 2 * 6))" "... and all of them were compared"

# Documents and entries of each file.
docs=$(awk -F '\t' '
	NR == FNR { if (!(($1,$2,$3) in e)) { e[$1,$2,$3] = 1; n[$1]++ }
		    if (!(($1,$2) in d)) { d[$1,$2] = 1; docs[$1]++ }; next }
	FNR == 1 || $1 ~ /option-over-1024/ { next }
	n[$1] != $5 { print $1 ": entries: got " n[$1] + 0 ", want " $5 }
	docs[$1] != $2 { print $1 ": documents: got " docs[$1] + 0 ", want " $2 }
	' "$work/got" "$data/EXPECTED-DOCS.tsv")
is "$docs" "" "documents and job entries of each file"

got=$(grep option-over "$work/got" | cut -f 2-5)
is "$got" $'0\t0\tread\t150000\n0\t0\tall\t150000' "fio 2.18 with an option cut at 1024 bytes is read"

# The same files as a newcomer gives them: merged, interim documents replaced by the last.
column()
{
	awk -F , -v want="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == want) c = i; next }
		$4 == "all" { print $c }'
}
is "$("$peak" --format=csv "$data/v3.42__status-interval-5docs.json" | column document)" 4 \
	"status-interval: only the last document counts"
is "$("$peak" --format=csv "$data/v2.2.10__status-interval-5docs.json" | column document)" 4 \
	"... and without job_start (fio 2.2.10)"
is "$("$peak" --format=csv "$data/v3.16__3runs-appended.json" | column document | tr '\n' ' ')" \
	"0 1 2 " "three appended runs stay three"
is "$("$peak" --format=csv "$data/v3.42__64jobs-one-document.json" | column jobs)" 64 \
	"64 copies of a job are one row"
is "$("$peak" --format=csv "$data/v3.42__client-2servers-allclients-with-percentiles.txt" |
	column jobs)" 2 "client mode: two servers, and \"All clients\" is not added to them"
like "$("$peak" --format=csv "$data/v3.42__truncated-mid-number.json" | column flags)" "cut-off" \
	"a truncated file gives its whole jobs and says so"
like "$("$peak" --format=csv "$data/v3.42__signal15-first.json" | column flags)" "interim" \
	"a run that a signal ended is marked"
is "$("$peak" --format=csv "$data/v3.5__gtod_reduce-no-latency.json" | column mean_us)" "" \
	"a latency that was not measured is empty, not 0"
"$peak" "$data/v3.5__gtod_reduce-no-latency.json" >"$work/out"
like "$(cat "$work/out")" "n/a +n/a +n/a +n/a +n/a" "... and n/a in the table"

"$peak" "$data" >"$work/out" 2>"$work/err"
is $? 1 "the folder of all cases: status 1, for it holds failed runs"
like "$(cat "$work/err")" "skipped 2 files without fio results" "... and its two other files are named"

done_testing
