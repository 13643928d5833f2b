#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-peak's options that change no figure: plots (gnuplot's commands against t/data/fio-peak/
# golden.gnuplot, to be renewed with GOLDEN=write), baselines and CI's gate, order, selection.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"

peak=$(realpath "$build")/fio-peak
data=$(realpath "$(dirname "$0")")/data
cd "$work" || exit 1

# job IOPS MEAN_US [NAME [RATE]]: a document with one job of a second.
job()
{
	printf '{ "fio version": "fio-3.36", "jobs": [ { "jobname": "%s", "error": 0, "job options": { "rw":
		"randread", "bs": "4k" %s }, "read": { "io_bytes": %d, "io_kbytes": 4, "iops": %d, "runtime": 1000,
		"total_ios": %d, "clat_ns": { "min": 1, "max": 9, "mean": %d, "stddev": 0, "N": %d, "percentile": {
		"99.0": %d } } } } ] }\n' "${3:-w}" "${4:+, \"rate_iops\": \"$4\"}" $(($1 * 4096)) "$1" "$1" \
		$(($2 * 1000)) "$1" $(($2 * 3000))
}

# refuses NAME LINE ARGS...: status 2, that line on stderr.
refuses()
{
	capture "$peak" "${@:3}"
	is "$status ${err%%$'\n'*}" "2 fio-peak: $2" "$1"
}

# Plots. Two drives, two workloads with names that gnuplot could take for more than text.
mkdir -p bin
printf '#!/bin/sh\n[ "$*" = "--default-settings -" ] && cat\n' >bin/gnuplot
chmod +x bin/gnuplot
name="it's_\"x\" \`id\` @y <&>"
{ for at in 1000:80 2000:100 3000:400; do job ${at%:*} ${at#*:} w ${at%:*}; done; job 2900 900
	for at in 20000:90 40000:95; do job ${at%:*} ${at#*:} "${name//\"/\\\"}" ${at%:*}; done; } >a.json
{ for at in 1500:60 2500:70; do job ${at%:*} ${at#*:} w ${at%:*}; done; job 500 10 single; } >"it's.json"
PATH=$PWD/bin:$PATH "$peak" --cap=200us --plot=out.svg a.json "it's.json" >table 2>err
is "$? $(cat err)" "0 " "--plot: drawn"
"$peak" --cap=200us a.json "it's.json" | cmp -s - table
is "$?" 0 "... beside the report, not instead of it"
[ "$GOLDEN" = write ] && cp out.svg "$data/fio-peak/golden.gnuplot"
ok "golden gnuplot: commands and data" diff "$data/fio-peak/golden.gnuplot" out.svg
PATH=$PWD/bin:$PATH "$peak" --plot=out.png --plot-scale=log --latency=p99 a.json >/dev/null
is "$(grep -c '^set logscale y$' out.png) $(sed -n 's/^set yrange //p' out.png | xargs) $(sed -n 's/^set ytics //p' \
	out.png | head -1)" "1 [160:4.05e+03] [180:428] (200, 500, 1000, 2000)" "--plot-scale=log: the axis"
is "$(grep -c '^1000 240$' out.png) $(grep -c "ylabel 'p99 latency, microseconds'" out.png)" "1 2" \
	"... of --latency=p99"
like "$(sed -n 2p out.png)" '^set terminal pngcairo .*size 1520,480$' "... as PNG, two panels"

if command -v gnuplot >/dev/null; then
	capture "$peak" --cap=200us --plot=real.svg --plot-scale=log a.json "it's.json"
	is "$status $err" "0 " "gnuplot draws"
	if command -v xmllint >/dev/null; then
		ok "... SVG that is well-formed" xmllint --noout real.svg
		texts=$(xmllint --xpath '//*[local-name()="text"]' real.svg | sed 's/<[^>]*>//g')
		for text in "it's" a w "200us" "it's_\"x\" \`id\` @y &lt;&amp;&gt;" "thousand IOPS"; do
			ok "... has the text $text" grep -qF -- "$text" <<<"$texts"
		done
	else
		skip "SVG that is well-formed" "needs xmllint"
	fi
	"$peak" --plot=real.png a.json >/dev/null
	is "$(head -c 4 real.png | tail -c 3)" PNG "... PNG"
else
	skip "gnuplot draws" "needs gnuplot"
fi

mkdir empty
capture env PATH="$PWD/empty" "$peak" --plot=none.svg a.json
is "$status $err" "2 fio-peak: --plot=none.svg: needs gnuplot, which is not installed (Debian's package gnuplot-nox)" \
	"--plot without gnuplot: which package"
is "$out $(find . -name none.svg)" "$("$peak" a.json) " "... the report is there, no file"
printf '#!/bin/sh\necho "line 1: no such thing" >&2\nexit 1\n' >bin/gnuplot
capture env PATH="$PWD/bin:$PATH" "$peak" --plot=none.svg a.json
is "$status $err" "2 fio-peak: --plot=none.svg: gnuplot failed: line 1: no such thing" "gnuplot fails: what it says"
refuses "--plot of another kind" "--plot=x.pdf: not a name that ends in .svg or .png" --plot=x.pdf a.json
refuses "--plot-scale=x" "--plot-scale=x: unknown; linear or log" --plot-scale=x a.json
job 1000 50 >one.json
refuses "nothing to draw" "--plot=x.svg: no workload ran at two loads or more, so there is no curve to draw" \
	--plot=x.svg one.json
refuses "a folder that is not there" "--plot=gone/x.svg: cannot be written: No such file or directory" \
	--plot=gone/x.svg a.json
cp a.json in.svg
refuses "--plot onto the input" "--plot=in.svg: is the input in.svg; name another file" --plot=in.svg in.svg

refuses "--plot onto the output" "--plot=x.svg: is the --output; name another file" --plot=x.svg --output=x.svg a.json
ln -sf in.svg link.svg
refuses "... by another name" "--plot=link.svg: is the --output; name another file" --plot=link.svg --output=in.svg a.json
"$peak" --format=csv --output=- one.json | cmp -s - <("$peak" --format=csv one.json)
is "$? $(find . -name -)" "0 " "--output=-: standard output"

# Baseline: 950 IOPS are 5% less than 1,000.
job 1000 50 >old.json
job 950 40 >new.json
job 1200 60 >other.json
"$peak" --baseline=old old.json new.json other.json >table
like "$(cat table)" $'\nCOMPARISON: percent against old \(' "--baseline: told"
like "$(grep 'IOPS *higher' table)" '1,000 base +950\.0 -5\.0% +1,200 \+20\.0%' "... percent against it"
like "$(grep 'mean us' table)" '50\.0 base +40\.0 -20\.0% +60\.0 \+20\.0%' "... of every metric"
"$peak" --baseline=old --format=json old.json new.json other.json | jq -r '.baseline, (.comparison[0].drives[] | "\(.drive) \(.best) \(.percent + 0)")' >out
is "$(xargs <out)" "old old false 0 new false -5 other true 20" \
	"... in json"
refuses "--baseline of no drive" "--baseline=odl: no such drive; there are old, new" --baseline=odl old.json new.json

# CI's gate: the status, and a line for each workload that fell.
capture "$peak" --baseline=old --fail-below=5% old.json new.json other.json
is "$status $err" "0 " "--fail-below=5%: 5% less is not below"
capture "$peak" --baseline=old --fail-below=4.9% old.json new.json other.json
is "$status $err" "1 fio-peak: w on new, read: 950.0 IOPS, 5.0% below old's 1,000 (--fail-below=4.9%)" \
	"--fail-below=4.9%: it is, and status 1"
is "$(grep -c '^w' <<<"$out")" 2 "... the report is printed all the same"
job 1000 50 v >v.json
cat old.json v.json >both.json
capture "$peak" --baseline=both --fail-below=5% both.json new.json
is "$status $err" "1 fio-peak: v on new: no run; both has it (--fail-below)" "a workload that is missing fell, too"
sed 's/"io_bytes": [0-9]*/"io_bytes": 262144000/' old.json >large.json
sed 's/"io_bytes": [0-9]*/"io_bytes": 200000000/' old.json >less.json
capture "$peak" --baseline=large --fail-below=5% large.json less.json
is "$err" "fio-peak: w on less, read: 200.0 MB/s, 23.7% below large's 262.1 (--fail-below=5%)" \
	"large I/Os by bandwidth"
refuses "--fail-below=x" "--fail-below=x: not a percentage of 0 to 100, such as 5%" --fail-below=x old.json
refuses "--fail-below alone" "--fail-below: below what? Add --baseline=LABEL" --fail-below=5% old.json
refuses "--fail-below with nothing to compare" \
	"--fail-below: no drive but old, the --baseline: nothing to compare; give another drive's PATH" \
	--baseline=old --fail-below=5% old.json
sed 's/randread/randwrite/' old.json | cat new.json - >kinds.json
capture "$peak" --baseline=old --fail-below=5% old.json kinds.json
is "$status $err" "0 fio-peak: w on kinds: its runs have different settings (rw): --fail-below judges only the one \
with the most IOPS; --group-by=jobname,rw,bs tells them apart" "reads and writes in one: what the gate does not see"
sed 's/"error": 0/"error": 5/' old.json >failed.json
capture "$peak" failed.json new.json
is "$status $(grep -c '^w' <<<"$out")" "1 2" "failed runs: printed, status 1"

# Order.
order() { "$peak" "$@" | sed -n '/^WORKLOAD/,/^$/p' | awk 'NF < 5 { exit } NR > 1 { print $(NF - 9) }' | xargs; }
rows() { "$peak" --format=csv --summary "$@" | awk -F , 'NR > 1 { print $1 }' | xargs; }
is "$(rows new.json old.json other.json)" "new old other" "as given"
is "$(rows --sort=iops new.json old.json other.json)" "other old new" "--sort=iops: the most first"
is "$(rows --sort=mean other.json old.json new.json)" "new old other" "--sort=mean: the least first"
is "$(rows --sort=iops failed.json new.json)" "new failed" "... what failed is last"
is "$("$peak" --sort=iops new.json old.json other.json | sed -n 's/^w* *\(new\|old\|other\) *read .*/\1/p' | xargs)" \
	"other old new" "... in the table"
job 10 10 16k >10.json
job 10 10 4k >9.json
is "$("$peak" --sort=name --format=csv --summary 10.json 9.json | awk -F , 'NR > 1 { print $2, $1 }' | xargs)" \
	"4k 9 16k 10" "--sort=name: 4k before 16k"
refuses "--sort=x" "--sort=x: unknown; name, iops, mb_s, mean, p50, p99, p99.9 or p99.99" --sort=x old.json

# Units.
"$peak" --units=ms,GiB/s --cap=1ms a.json one.json >table
like "$(cat table)" $'completion latency in milliseconds; GiB/s are 2.30 bytes/s\n' "--units: told"
is "$(grep "^ *one .*1,000" table | xargs)" "one read 1,000 0.00381 0.0500 n/a 0.150 n/a n/a FQ 1" "... in the table"
like "$(grep "LOW\|^w *a .*%" table | xargs)" "LOW ms MAX ms .* 0\.0800 3,000 0\.400 " "... in curves"
like "$(sed "1,/^COMP/d" table | grep " ms " | xargs)" "^mean ms lower 0\.400 .* p99 ms lower 1\.20 " "... in the comparison"
"$peak" --units=GB/s,ms --format=prose large.json >out
like "$(head -1 out)" "^w: large reaches 0\.262 GB/s at 0\.0500 ms\." "... in prose"
"$peak" --units=ms --format=html a.json >out
is "$(grep -c "mean latency, milliseconds" out) $(grep -c ": 1,000 IOPS, 0.0800 ms</title>" out)" "2 1" "... in charts"
"$peak" --units=ms,GB/s --format=csv --summary a.json >out
"$peak" --format=csv --summary a.json | cmp -s - out
is "$?" 0 "... not in csv"
refuses "--units=x" "--units=x: unknown; of us, ns, ms, s; MB/s, GB/s, MiB/s, GiB/s" --units=ms,x a.json

# Selection.
capture "$peak" --workloads='[uv]*,x' --format=csv both.json
is "$status $(cut -d, -f2 <<<"$out" | sort -u | xargs)" "0 v workload" "--workloads"
is "$err" "fio-peak: --workloads=x: no such workload; there are w, v" "... a pattern that none matches is told"
refuses "--workloads of none" "--workloads=x*: no such workload; there are w, v" --workloads='x*' both.json

# A terminal: its width, colour that NO_COLOR and TERM=dumb turn off.
if command -v script >/dev/null; then
	# on_terminal COLUMNS [NAME=VALUE...]: what a terminal of that width shows, into shown.
	on_terminal()
	{
		env TERM=xterm "${@:2}" script -qec "stty cols $1; '$peak' failed.json new.json other.json" \
			/dev/null </dev/null | tr -d "\r" >shown
	}
	blocks() { grep -c "^WORKLOAD METRIC" shown; }
	on_terminal 140
	is "$(blocks)" 1 "140 columns: three drives side by side"
	is "$(grep -c $'\e\\[1mRESULTS\e\\[0m' shown) $(grep -c $'\e\\[32mbest' shown)" "1 4" "... in colour"
	like "$(grep "failed *read" shown)" $'\e\\[31mEF\e\\[0m' "... what failed in red"
	on_terminal 60
	is "$(blocks)" 3 "60 columns: one after another"
	on_terminal 60 NO_COLOR=1
	is "$(grep -c $'\e' shown) $(blocks)" "0 3" "NO_COLOR: no colour"
	on_terminal 60 NO_COLOR=
	is "$(($(grep -c $'\e' shown) > 0))" 1 "... but empty it says nothing"
	on_terminal 60 TERM=dumb
	is "$(grep -c $'\e' shown)" 0 "TERM=dumb: no colour"
else
	skip "a terminal" "needs script (bsdutils)"
fi
is "$(TERM=xterm "$peak" old.json new.json | grep -c $'\e')" 0 "no terminal: no colour"

# In a locale that does not know UTF-8 a table ends all the same.
sed 's/"jobname": "w"/"jobname": "w±"/' old.json >utf8.json
is "$(LC_ALL=C timeout 10 "$peak" utf8.json | sed -n 's/^\(w[^ ]*\) .*/\1/p')" 'w\xc2\xb1' "LC_ALL=C: what is not ASCII is spelt"

# The page on a narrow screen: it does not scroll sideways, and no chart is cut.
if command -v chromium >/dev/null && timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom about:blank >/dev/null 2>&1; then
	{ "$peak" --format=html a.json "it's.json"; cat <<-'END'; } >narrow.html
		<script>
		const page = document.documentElement, wide = page.clientWidth;
		document.title = wide + " " + (page.scrollWidth <= wide) + " " + [...document.querySelectorAll("figure > svg")]
			.map(svg => svg.getBoundingClientRect().right <= wide && svg.getBBox().x > -4).join(" ");
		</script>
	END
	timeout 60 chromium --headless --no-sandbox --disable-gpu --window-size=500,900 --dump-dom "file://$PWD/narrow.html" \
		2>/dev/null >dom.html
	like "$(sed -n 's/.*<title>\([45].*\)<.title>.*/\1/p' dom.html | head -1)" '^[45][0-9][0-9] true true true$' \
		"html on a narrow screen: all in sight"
else
	skip "html on a narrow screen" "needs chromium"
fi

man=$top/tools/fio-peak/fio-peak.1
for option in $("$peak" --help | sed -n 's/^ .* --\([a-z-]*\).*/\1/p' | grep -vx 'help\|usage\|version'); do
	ok "fio-peak.1 has --$option" grep -qE "^\.(It|Op|Oo|Fl).* Fl -$option\\b" "$man"
done
done_testing
