#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-peak with input that is not what it wants: one clear line that names the file, what is
# wrong and what would be right, and the exit status.
. "$(dirname "$0")/lib.sh"

peak=$(realpath "$build")/fio-peak
cases=$(realpath "$(dirname "$0")")/data/fio-json
good=$cases/v3.36__basic-randrw70-2jobs-norep.json
cd "$work" || exit 1

# refuses NAME REGEX ARGS...: status 2, nothing on stdout, one line on stderr.
refuses()
{
	local name=$1 regex=$2 status
	shift 2
	"$peak" "$@" >out 2>err </dev/null
	status=$?
	if [ $status = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && [[ $(cat err) =~ $regex ]]; then
		pass "$name"
	else
		fail "$name" "status $status, want 2; one line like: $regex" "$(cat err)" "$(head -5 out)"
	fi
}

: >empty.json
head -c 5000 /dev/zero >zero.bin
head -c 20000 /dev/urandom >random.bin
printf '{ "name": "x", "jobs": [ { "steps": 3 } ] }\n' >foreign.json
printf 'hello, this is a report\n' >text.txt
printf 'fio: job nvme: engine nvmept not loadable\nfio: failed to load engine\n' >failed.txt
printf '{ "fio version" : "fio-3.36", "client_stats" : [] }\n' >nojobs.json
head -c 2000 "$good" >cut.json
mkdir folder other one two
printf 'notes\n' >other/notes.txt
cp "$good" one/same.json
cp "$good" two/same.json

refuses "empty file" '^fio-peak: empty\.json: empty file; expected .*--output-format=json' empty.json
refuses "empty folder" '^fio-peak: folder: no files in this folder' folder
refuses "folder without results" '^fio-peak: other: none of its 1 files holds fio results' other
refuses "zeros" '^fio-peak: zero\.bin: binary data; expected' zero.bin
refuses "binary junk" '^fio-peak: random\.bin: (binary data|no JSON object in it); expected' random.bin
refuses "JSON of another program" '^fio-peak: foreign\.json: JSON of another program' foreign.json
refuses "text" '^fio-peak: text\.txt: no JSON object in it; expected' text.txt
refuses "only fio's errors" 'failed\.txt: no results, fio says: fio: job nvme: engine nvmept' failed.txt
refuses "a run without jobs" 'nojobs\.json: fio ran no job' nojobs.json
refuses "cut off in the first job" 'cut\.json: cut off inside fio.s first job' cut.json
refuses "no such file" '^fio-peak: gone\.json: cannot be opened: No such file' gone.json
refuses "empty standard input" '^fio-peak: \(stdin\): empty file' -
refuses "two drives of one name" 'would both be drive "same"; name them: LABEL=' \
	one/same.json two/same.json
refuses "one labelled, the other not" 'would both be drive "same"' same=one/same.json two/same.json
refuses "output that cannot be made" '^fio-peak: gone/x: cannot be written' --output=gone/x "$good"

refuses "LABEL without PATH" '^fio-peak: "a=" names no file or folder' a=
refuses "an empty PATH" '^fio-peak: "" names no file or folder' ""
refuses "one file given twice" '^fio-peak: a=one/same.json and a=./one/same.json are the same; give it once' \
	a=one/same.json a=./one/same.json

"$peak" --output=/dev/full "$good" 2>err
is "$? $(cat err)" "2 fio-peak: /dev/full: cannot be written: No space left on device" "a full disk"
"$peak" a=one/same.json a=two/same.json >out 2>err
is "$? $(grep -c ^base out)" "0 1" "one label given twice: one drive"
"$peak" "$good" empty.json >out 2>err
is "$? $(grep -c ^base out) $(wc -l <err)" "2 1 1" "a good and a bad file: printed, told, status 2"

# Usage errors: the first line says it, argp adds where help is.
"$peak" 2>err
is "$?" 2 "no PATH: status 2"
like "$(head -1 err)" "no PATH given; name a file" "... and what to give"
"$peak" --format=xml "$good" 2>err
is "$?" 2 "an unknown format: status 2"
like "$(head -1 err)" "--format=xml: unknown; one of table, markdown, prose, html, " "... and which there are"
"$peak" --format=$'x\e[31m' "$good" 2>err
is "$(grep -c $'\e' err)" 0 "... its control bytes are written out"
usage_error()
{
	"$peak" "$1" "$good" >out 2>err
	is "$? $(wc -c <out)" "2 0" "$1: status 2"
	like "$(head -1 err)" "$2" "... and what is right"
}
usage_error --cap=1 "--cap=1: not a time with its unit, such as 500us or 1ms"
usage_error --cap=1ms, "--cap=: not a time"
usage_error --cap=1s,2s,3s,4s,5s,6s,7s,8s,9s "--cap: no more than 8 times"
usage_error --cap=1ms,1000us "--cap=1000us: given twice"
usage_error --output= "--output=: names no file"
usage_error --plateau=101% "--plateau=101%: not a percentage of 0 to 100"
usage_error --latency=p98 "--latency=p98: unknown; mean, p50, "
usage_error --group-by=host "--group-by=host: unknown or given twice; of jobname, bs, "
usage_error --group-by=bs,bs "--group-by=bs: unknown or given twice"
usage_error --summary "--summary: for --format=csv only"
"$peak" --help >out
is "$? $(($(wc -l <out) <= 40)) $(grep -c "^.\{81\}" out)" "0 1 0" "--help fits a screen"
like "$("$peak" --version)" "^fio-peak [0-9.]+$" "--version"

# A run that failed is printed and flagged; status 1.
"$peak" "$cases/v3.30__one-job-ok-one-job-error28.json" >out
is $? 1 "a failed job: status 1"
like "$(grep ^bad out)" "E" "... flagged in its row"
like "$(cat out)" "bad on .*: error 28 \(No space left on device\)" "... with its error"
like "$(grep ^ok out)" "16,369 .*[0-9] *$" "... the good job beside it is not flagged"

# Odd but readable: what others put around fio's JSON.
"$peak" --format=csv "$good" | cut -d, -f4-11 >want
same_figures()
{
	"$peak" --format=csv "$2" 2>err | cut -d, -f4-11 >got
	ok "$1" cmp want got
}
{ echo '$ fio job.fio'; cat "$good"; echo 'exit code 0 {'; } >x.txt && same_figures "text around" x.txt
{ printf '[ '; cat "$good"; printf ']\n'; } >x.txt && same_figures "in an array" x.txt
{ printf '{"host":"a","results":['; cat "$good"; printf '],"end":1}\n'; } >x.txt &&
	same_figures "wrapped in another object" x.txt
{ head -c 9000 "$good" | head -c 700; printf '\n'; cat "$good"; } >x.txt &&
	same_figures "after a document that was cut off" x.txt
{ printf '{ "unclosed": "text\n'; cat "$good"; } >x.txt && same_figures "after an open string" x.txt
tr '\n' '\r' <"$good" >x.txt && same_figures "carriage returns only" x.txt
tr -d '\n' <"$good" >x.txt && same_figures "one line" x.txt
sed 's/"iops_stddev" : [0-9.]*/"iops_stddev" : -nan/' "$good" >x.txt && same_figures "nan" x.txt
sed 's/"usr_cpu" : [0-9.]*,/"usr_cpu" : inf,,/' "$good" >x.txt && same_figures "inf, two commas" x.txt
"$peak" --format=csv - <"$good" | cut -d, -f4-11 >got
ok "standard input" cmp want got

sed 's/"jobname" : "[^"]*"/"jobname" : ""/' "$good" >noname.json
is "$("$peak" --format=csv noname.json | sed -n 2p | cut -d, -f2)" "(no name)" "a job without a name"

# Compressed by gzip, where zlib was there to build with.
if pkg-config --exists zlib && command -v gzip >/dev/null; then
	gzip -c "$good" >x.json.gz
	same_figures "gzip" x.json.gz
	is "$("$peak" --format=csv x.json.gz | sed -n '2s/,.*//p')" x "... the drive is named without .json.gz"
	"$peak" --format=csv - <x.json.gz | cut -d, -f4-11 >got
	ok "... on standard input" cmp want got
	other=$cases/v3.30__one-job-ok-one-job-error28.json
	gzip -c "$other" | cat x.json.gz - >two.gz
	cat "$good" "$other" | "$peak" --format=csv - | cut -d, -f4-11 >want.two
	"$peak" --format=csv two.gz | cut -d, -f4-11 >got
	ok "... two in one file" cmp want.two got
	mkdir packed && cp x.json.gz packed/a.json.gz
	head -c -200 x.json.gz >packed/b.json.gz
	"$peak" packed >out 2>err
	is "$? $(cat err)" "1 fio-peak: packed/b.json.gz: its compressed data ends early; what came before is used" \
		"... cut off: told, status 1"
	printf 'xxxx' | dd of=x.json.gz bs=1 seek=300 conv=notrunc status=none
	refuses "gzip that is damaged" '^fio-peak: x\.json\.gz: cannot be read: its compressed data is damaged$' x.json.gz
	cp x.json.gz packed/b.json.gz
	"$peak" packed >out 2>err
	is "$? $(grep -c ^base out) $(grep -c 'damaged; left out$' err)" "1 1 1" "... in a folder: left out"
else
	skip "gzip" "needs zlib"
fi
name=$'\xff\e[31m'
cp "$good" "$name.json"
for format in table markdown csv json; do
	"$peak" --format=$format "$name.json" >out 2>err
	is "$? $(grep -c $'\e' out) $(wc -c <err)" "0 0 0" "a name of control bytes in $format"
done
mkfifo folder/pipe
cp "$good" folder
"$peak" --format=csv folder | cut -d, -f4-11 >got
ok "a folder with a FIFO in it" cmp want got

# --output onto what is read: refused before anything is written.
keeps()
{
	local name=$1 before after
	shift
	before=$(cksum <input.json)
	refuses "$name" 'is the input .*; name another file$' "$@"
	after=$(cksum <input.json)
	is "$after" "$before" "... and the input is whole"
}
mkdir outputs
cp "$good" input.json
ln input.json outputs/hard.json
ln -s ../input.json outputs/soft.json
keeps "--output onto the input" --output=input.json input.json
keeps "... by another spelling" -o ./outputs/../input.json a=input.json
keeps "... by a hard link" -o outputs/hard.json input.json
keeps "... by a symbolic link" -o outputs/soft.json input.json
keeps "... that is a link itself" -o input.json outputs/soft.json
keeps "... onto a file of a folder" -o outputs/hard.json outputs
stdin_kept()
{
	"$peak" "$@" 2>err <input.json
	is "$? $(grep -c 'is the input' err) $(cksum <input.json)" "2 1 $(cksum <"$good")" \
		"$* with the input as standard input: refused, and it is whole"
}
stdin_kept -o input.json -
stdin_kept -o input.json /dev/stdin
stdin_kept -o /dev/stdin input.json
"$peak" -o outputs/new.csv -f csv outputs 2>err
is "$? $(wc -c <err) $(wc -l <outputs/new.csv)" "0 0 $(($("$peak" -f csv input.json | wc -l) * 2 - 1))" \
	"a new file beside the inputs is written"

# What cannot be read in a folder: a line each, the rest is printed, status 1.
mkdir -p gaps/deep
cp "$good" gaps/one.json
ln -s nothing gaps/dangling.json
ln -s circle.json gaps/circle.json
# leaves_out NAME LINES REGEX
leaves_out()
{
	"$peak" gaps >out 2>err
	is "$? $(wc -l <err) $(grep -c ^base out)" "1 $2 1" "$1: told, the rest is printed, status 1"
	like "$(cat err)" "$3" "... with its name and why"
}
leaves_out "links to nothing, links to themselves" 2 \
	$'^fio-peak: gaps/circle.json: link to nothing; left out\nfio-peak: gaps/dangling.json: link'
rm gaps/*cle.json gaps/dangling.json
(
	cd gaps/deep || exit
	name=$(printf '%0250d' 0)
	for _ in {1..20}; do
		mkdir "$name" && cd -P "$name" || exit
	done
	cp "$good" .
)
leaves_out "a path that is too long" 1 ': cannot be read.*: File name too long; .*left out$'
rm -r gaps/deep
mkdir gaps/closed
cp "$good" gaps/closed
cp "$good" gaps/secret.json
chmod 0 gaps/closed gaps/secret.json
if [ "$(id -u)" != 0 ]; then
	leaves_out "a folder and a file that we may not read" 2 'gaps/closed: .*Permission denied'
elif command -v setpriv >/dev/null; then
	# root may read everything
	chmod 711 . && cp "$peak" tool
	peak="setpriv --reuid=65534 --regid=65534 --clear-groups ./tool"
	touch out err && chmod 666 out err
	$peak gaps >out 2>err
	is "$? $(wc -l <err) $(grep -c ^base out)" "1 2 1" \
		"a folder and a file that we may not read: told, the rest is printed, status 1"
	like "$(cat err)" 'gaps/closed: cannot be read: Permission denied; left out' "... the folder"
	like "$(cat err)" 'gaps/secret.json: cannot be opened: Permission denied; left out' "... the file"
	peak=$(realpath tool)
else
	skip "a folder and a file that we may not read" "needs setpriv to stop being root"
fi
chmod 700 gaps/closed
mkdir none && ln -s nothing none/x.json
"$peak" none 2>err >out
is $? 2 "nothing but what was left out: status 2"
like "$(tail -1 err)" "none: no results besides what was left out; expected" "... told"

# Names that would move a terminal's cursor or turn its writing: nowhere.
csi=$'\xc2\x9b' rlo=$'\xe2\x80\xae' lri=$'\xe2\x81\xa6'
sed "s/\"jobname\" : \"base\"/\"jobname\" : \"j${csi}31m$rlo\"/; s/\"error\" : 0/\"error\" : 5/" "$good" >bad.json
{ echo "fio: pid=1, err=5/file:x$csi$rlo, error=Input"; cat bad.json; } >"a$lri.json"
echo x >"b$rlo.txt"
mkdir names && mv "a$lri.json" "b$rlo.txt" names
clean() { ! LC_ALL=C grep -n -e "$csi" -e "$rlo" -e "$lri" -e $'\e' "$@"; }
for format in table csv; do
	LC_ALL=C.UTF-8 "$peak" --format=$format "d$csi=names" "e$rlo=names" >out 2>err
	is $? 1 "names of C1 controls and directional marks in $format: read"
	ok "... written out where they were" grep -q 'j\\xc2\\x9b31m\\xe2\\x80\\xae' out
	ok "... not as they are" clean out err
done
ok "... nor on stderr" grep -q 'skipped 1 file.*b\\xe2\\x80\\xae' err

done_testing
