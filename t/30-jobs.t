#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What is written in the job files: they parse in each fio at hand, name no device and no engine, say
# truly in line 2 what their sections ask for, and stand in the index; every figure of the reviews has
# one. What they do when they run has 31-jobs-behaviour.t.

# shellcheck disable=SC2317 # functions that ok calls

# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
cd "$top/jobs" || exit 1

# --- a file, read ---------------------------------------------------------------------------------
# Of the file that load has read: its sections in order, opt[SECTION/OPTION] with [global] in it, and
# header[KEY] of line 2.
sections=()
declare -A opt header

load() # FILE
{
	local line section='' key word
	local -A global=()
	sections=()
	opt=()
	header=()
	while read -r line; do
		case $line in
		'' | '#'*) ;;
		'['*)
			section=${line//[][]/}
			[ "$section" != global ] || continue
			sections+=("$section")
			for key in "${!global[@]}"; do
				opt[$section/$key]=${global[$key]}
			done
			;;
		*)
			key=${line%%=*}
			case $line in *=*) line=${line#*=} ;; *) line=1 ;; esac
			if [ "$section" = global ]; then
				global[$key]=$line
			else
				opt[$section/$key]=$line
			fi
			;;
		esac
	done <"$1"
	line=$(sed -n '2s/^# fio-peak: //p' "$1")
	for word in $line; do
		header[${word%%=*}]=${word#*=}
	done
}

# wrong WORDS...: why a check fails
wrong()
{
	echo "$*"
	return 1
}

# OPTION is like REGEX in every section.
all_match() # OPTION REGEX
{
	local s value
	for s in "${sections[@]}"; do
		value=${opt[$s/$1]-}
		[[ $value =~ $2 ]] || wrong "[$s] $1=$value" || return
	done
}

none_has() # OPTION...
{
	local s o
	for o; do
		for s in "${sections[@]}"; do
			[ -z "${opt[$s/$o]+set}" ] || wrong "[$s] has $o" || return
		done
	done
}

# rw= without ":SKIP"
rw_of() # SECTION
{
	echo "${opt[$1/rw]%%:*}"
}

# --- checks ---------------------------------------------------------------------------------------

# Nothing that the command line or the machine has to give; sizes in percent only, within the target.
stands_alone() # FILE
{
	local s o value end
	if grep -nE "^(filename|directory|ioengine|include)" "$1" | grep -v ":filename_format=nas"; then
		return 1
	fi
	if [ ${#sections[@]} = 1 ]; then
		[ "${sections[0]}" = "$(basename "$1" .fio)" ] || wrong "section ${sections[0]}" || return
	fi
	[ "$(printf '%s\n' "${sections[@]}" | sort | uniq -d)" = '' ] || wrong "a section twice" || return
	for s in "${sections[@]}"; do
		for o in size offset; do
			value=${opt[$s/$o]-0%}
			[[ $value =~ ^[0-9]+%$ ]] || wrong "[$s] $o=$value" || return
		done
		[ -n "${opt[$s/size]-}" ] || continue
		value=${opt[$s/offset]-0%}
		end=$((${opt[$s/size]%\%} + ${value%\%}))
		[ $end -le 100 ] || wrong "[$s] ends at $end%" || return
	done
}

# Sections together make a shape: reads and writes are mixed, else all sequential or not.
shape_is() # SHAPE DESTROYS
{
	local s reads=0 writes=0 random=0 shape=stream destroys=no
	for s in "${sections[@]}"; do
		case $(rw_of "$s") in
		read) reads=1 ;;
		write) writes=1 ;;
		randread) reads=1 random=1 ;;
		randwrite) writes=1 random=1 ;;
		rw | readwrite | randrw) reads=1 writes=1 ;;
		*) wrong "[$s] rw=${opt[$s/rw]-}" || return ;;
		esac
	done
	[ $random = 0 ] || shape=random
	[ $reads$writes != 11 ] || shape=mixed
	[ $writes = 0 ] || destroys=yes
	[ "$shape $destroys" = "$1 $2" ] || wrong "shape is $shape, destroys is $destroys"
}

# A curve's threads are jobs with one I/O each, without a rate; those of a stream share it.
mode_curve()
{
	local s n bs
	none_has rate_iops rate || return
	all_match iodepth '^1$' && all_match thread '^1$' && all_match time_based '^1$' || return
	for s in "${sections[@]}"; do
		n=${opt[$s/numjobs]} bs=${opt[$s/bs]-}
		case $(rw_of "$s") in
		read | write)
			[ "$n" != 1 ] || continue
			[ "${opt[$s/rw]#*:} ${opt[$s/offset_increment]}" = "$(((n - 1) * ${bs%k}))k $bs" ] ||
				wrong "[$s] rw=${opt[$s/rw]}, of $n threads of $bs" || return
			;;
		esac
	done
}

# The file itself is one point of the grid.
mode_grid()
{
	local point="${opt[${sections[0]}/numjobs]}x${opt[${sections[0]}/iodepth]}"
	[ ${#sections[@]} = 1 ] || wrong "${#sections[@]} sections" || return
	[[ ${header[grid]-} =~ ^[0-9]+x[0-9]+(,[0-9]+x[0-9]+)*$ ]] || wrong "grid=${header[grid]-}" || return
	[[ ,${header[grid]}, == *,$point,* ]] || wrong "$point is not in grid=${header[grid]}" || return
	none_has rate_iops rate
}

mode_rated()
{
	local s
	for s in "${sections[@]}"; do
		[ -z "${opt[$s/rate_iops]-}${opt[$s/rate]-}" ] || return 0
	done
	wrong 'no section has a rate'
}

mode_once()
{
	none_has rate_iops rate
}

# Sections that run together have a share each, in whole percent, 100 together.
shares_are()
{
	local shares=${header[shares]-} names='' sum=0 share
	if [ -z "$shares" ]; then
		[ ${#sections[@]} = 1 ] || [ "${header[mode]}" = rated ] || wrong 'sections without shares'
		return
	fi
	for share in ${shares//,/ }; do
		[[ $share =~ ^[^:]+:[0-9]+$ ]] || wrong "share $share" || return
		names+=" ${share%:*}"
		sum=$((sum + ${share#*:}))
	done
	[ "$names" = "$(printf ' %s' "${sections[@]}")" ] || wrong "shares of$names" || return
	[ $sum = 100 ] || wrong "shares are $sum% in all"
}

# time=RAMP+RUNs: left open but in published/; time=N-pass: the file ends by itself.
time_is() # FILE
{
	local s=${sections[0]} time=${header[time]-}
	case $1 in
	*/published/*)
		[ "$time" = "${opt[$s/ramp_time]-0}+${opt[$s/runtime]-}s" ] || wrong "time=$time"
		return
		;;
	esac
	none_has runtime ramp_time || return
	if [[ $time =~ ^[0-9]+\+[0-9]+s$ ]]; then
		all_match time_based '^1$'
	elif [[ $time =~ ^[0-9]+-pass(es)?$ ]]; then
		none_has time_based
	else
		wrong "time=$time"
	fi
}

header_is_true() # FILE
{
	local key
	for key in "${!header[@]}"; do
		case $key in
		mode | shape | destroys | time | shares | grid | precondition | needs) ;;
		*) wrong "unknown key $key" || return ;;
		esac
	done
	case ${header[mode]-} in
	curve | grid | rated | once) "mode_${header[mode]}" || return ;;
	*) wrong "mode=${header[mode]-}" || return ;;
	esac
	[ -z "${header[grid]-}" ] || [ "${header[mode]}" = grid ] || wrong "a grid in mode ${header[mode]}" || return
	[[ ${header[precondition]-none} =~ ^(steady|fill|none)$ ]] ||
		wrong "precondition=${header[precondition]}" || return
	shape_is "${header[shape]-}" "${header[destroys]-}" && shares_are && time_is "$1" || return
	case ${header[destroys]} in
	yes) sed -n 1p "$1" | grep -q 'OVERWRITES THE TARGET\.$' || wrong 'no warning in line 1' ;;
	no) sed -n 1p "$1" | grep -q 'Read only\.$' || wrong 'line 1 does not say "Read only."' ;;
	esac
}

# What all have: whole percentiles up to 99.9999, direct I/O, one entry in the report for each group,
# random I/O without a map and not the same each time.
has_the_usual()
{
	local s
	all_match percentile_list '^1:.*:50:.*:99:.*:99\.9:.*:99\.99:99\.999:99\.9999$' || return
	all_match direct '^1$' && all_match group_reporting '^1$' && all_match numjobs '^[0-9]+$' || return
	all_match iodepth '^[0-9]+$' || return
	for s in "${sections[@]}"; do
		case $(rw_of "$s") in
		rand*)
			[ "${opt[$s/randrepeat]-}" = 0 ] || wrong "[$s] has no randrepeat=0" || return
			[ -n "${opt[$s/norandommap]-}" ] || [ "${opt[$s/random_generator]-}" = lfsr ] ||
				wrong "[$s] has no norandommap" || return
			;;
		esac
	done
}

# In the index: by its name below jobs/, in a row that says whether it overwrites.
in_the_index() # FILE
{
	local row
	row=$(grep -F "\`$1\`" README.md) || wrong 'not there' || return
	case $1 in */published/*) return ;; esac
	case ${header[destroys]} in
	yes) grep -q '\*\*yes\*\* |$\|\*\*overwrite\*\*' <<<"$row" || wrong "$row" ;;
	no) grep -q '| no |$' <<<"$row" || wrong "$row" ;;
	esac
}

# body FILE: options in order, without comments, empty lines and the one section's name
body()
{
	local name
	name=$(basename "$1" .fio)
	sed "/^#/d; /^\$/d; s/^\[$name\]\$/[]/" "$1"
}

# published/X is X with its times and nothing else.
published_is_same()
{
	diff <(body "$1") <(body "${1/published\//}") | grep '^[<>]' >"$work/diff"
	! grep -vE '^< (runtime|ramp_time)=[0-9]+$' "$work/diff" && grep -q runtime "$work/diff"
}

same_body()
{
	diff <(body "$1" | grep -vE "^(${3:-x})=") <(body "$2")
}

# reduces FILE MAIN DEDUPE COMPRESS: the main file with these data, wherever it writes.
reduces()
{
	local s
	same_body "$1" "$2" 'dedupe_percentage|buffer_compress_percentage|buffer_compress_chunk' || return
	for s in "${sections[@]}"; do
		case $(rw_of "$s") in
		*read) ;;
		*)
			[ "${opt[$s/dedupe_percentage]-} ${opt[$s/buffer_compress_percentage]-}" = "$3 $4" ] ||
				wrong "[$s]" || return
			[ "${opt[$s/buffer_compress_chunk]-}" = 4k ] || wrong "[$s] chunk" || return
			;;
		esac
	done
}

# --- every file -----------------------------------------------------------------------------------
mapfile -t files < <(find . -name '*.fio' | sed 's,^\./,,' | sort)
# Those with options that not every engine, not every fio has.
mapfile -t ours < <(grep -lE '^nvme_' "${files[@]}")
# shellcheck disable=SC2034 # by name, in parses
mapfile -t native < <(grep -lE '^dataplacement' "${files[@]}")
# shellcheck disable=SC2034
mapfile -t plain < <(grep -LE '^(nvme_|dataplacement)' "${files[@]}")
plugin=$(cd "$top" && realpath "$build/nvmept.so")
export POWER_STATE=0 # for power/
ok "there are job files" test ${#files[@]} -ge 60
for f in "${files[@]}"; do
	load "$f"
	ok "$f stands alone, without device and engine" stands_alone "$f"
	ok "$f: its header is true" header_is_true "$f"
	ok "$f has what all have" has_the_usual
	ok "$f is in the index" in_the_index "$f"
	case $f in */published/*) ok "$f is the open file with its times" published_is_same "$f" ;; esac
done
for f in $(grep -o '`[a-z-]*/[a-z0-9/-]*\.fio`' README.md | tr -d '`' | grep -v '^jobs/' | sort -u); do
	ok "$f of the index is there" test -f "$f"
done

# --- reduction/: Pure Storage's ratios, 2:1 and 2:1, 3:1 and 3:1, 7:1 and 8:1 ------------------------
for f in database/*.fio vdi/*.fio; do
	name=${f##*/}
	case $f in
	database/sql*) ratios='50 50' ;;
	database/oracle*) ratios='67 67' ;;
	*) ratios='86 88' name=vdi-$name ;;
	esac
	load "reduction/$name"
	# shellcheck disable=SC2086
	ok "reduction/$name is $f with other data" reduces "reduction/$name" "$f" $ratios
	ok '... and has its twin' same_body "reduction/${name%.fio}-incompressible.fio" "$f"
done
is "$(find reduction -name '*.fio' | wc -l)" $((2 * $(ls database/*.fio vdi/*.fio | wc -l))) \
	'reduction/ has nothing else'

# --- fdp/: as in fdp.table, three ways of placement, each with its fill ------------------------------

# Of fdp.table: the sections of a workload, a line each: NAME FROM TO WRITES ORDER.
streams_of() # WORKLOAD
{
	awk -v workload="$1" '$1 == "stream" && $2 == workload {
		split($4, region, "-"); print $3, region[1], region[2], $5, $6 }' \
		"$top/t/data/jobs/fdp.table"
}

# What a section writes of each round of flow=, in KiB, times 100.
writes_of() # SECTION
{
	local bs=${opt[$1/bs]}
	echo $((opt[$1/flow] * ${bs%k} * (opt[$1/rw] == randrw ? 100 - opt[$1/rwmixread] : 100)))
}

# as_the_table KIND WORKLOAD: regions, order and shares of the file that is loaded. In a fill, bytes and
# region go together.
as_the_table()
{
	local name from to writes order s i=0 sum=0 ends=''
	for s in "${sections[@]}"; do
		sum=$((sum + $(writes_of "$s")))
		[ "${opt[$s/loops]-}" = 1000000 ] || ends+=${opt[$s/loops]-}
	done
	while read -r name from to writes order; do
		s=${sections[i]-}
		i=$((i + 1))
		[ "$s ${opt[$s/offset]-0%} ${opt[$s/size]-}" = "$name $from% $((to - from))%" ] ||
			wrong "[$s] should be $name, $from to $to%" || return
		[ "$1" = fill ] && { order=sequential; writes=$(((to - from) * 100 / end)); }
		case ${opt[$s/rw]} in rand*) name=random ;; *) name=sequential ;; esac
		[ $name = "$order" ] || wrong "[$s] rw=${opt[$s/rw]}" || return
		[ $(($(writes_of "$s") * 100)) = $((writes * sum)) ] ||
			wrong "[$s] writes $(writes_of "$s") of $sum, should be $writes%" || return
	done < <(streams_of "$2")
	[ $i = ${#sections[@]} ] || wrong "${#sections[@]} sections" || return
	case $1 in
	run) [ "${header[time]}" = "$ends-passes" ] && all_match exitall '^1$' && all_match exit_what '^all$' ;;
	fill) [ -z "$ends" ] ;;
	esac || wrong "it ends after: $ends"
}

# placed HOW: each section by an identifier of its own, in the table's order, or none at all.
placed()
{
	local s i=0
	for s in "${sections[@]}"; do
		case $1 in
		'') [ "${opt[$s/nvme_placement]-}" = "ruh:$i" ] && none_has dataplacement plids ;;
		-native)
			[ "${opt[$s/dataplacement]-} ${opt[$s/plids]-}" = "fdp $i" ] &&
				none_has nvme_placement
			;;
		-unplaced) none_has dataplacement plids nvme_placement ;;
		esac || wrong "[$s]" || return
		i=$((i + 1))
	done
}

# Line 1 says what it needs.
says_what_it_needs() # FILE HOW
{
	local words
	case $2 in
	'') words='needs the nvmept engine' ;;
	-native) words='fio 3.38+, nvmept or io_uring_cmd' ;;
	*) words='no placement, any engine' ;;
	esac
	sed -n 1p "$1" | grep -qF "; $words. OVERWRITES"
}

# unplaced_body FILE: its options without those of placement
unplaced_body()
{
	body "$1" | grep -vE '^(nvme_placement|dataplacement|plids)='
}

for workload in $(awk '$1 == "waf" { print $2 }' "$top/t/data/jobs/fdp.table"); do
	end=$(streams_of "$workload" | awk '{ end = $3 } END { print end }')
	for how in '' -native -unplaced; do
		for f in "fdp/$workload$how.fio" "fdp/fill/$workload$how.fio"; do
			case $f in fdp/fill/*) kind=fill ;; *) kind=run ;; esac
			load "$f"
			ok "$f is as fdp.table has it" as_the_table $kind "$workload"
			ok '... places as its name says' placed "$how"
			ok '... says so in line 1' says_what_it_needs "$f" "$how"
			ok '... and is else the same' diff <(unplaced_body "$f") <(unplaced_body "${f/$how.fio/.fio}")
		done
		ok '... with a fill that names its own' grep -q "fill/$workload$how.fio" "fdp/$workload$how.fio"
	done
done
is "$(find fdp -name '*.fio' | wc -l)" 30 'fdp/ has nothing else'

# --- the reviews' figures ---------------------------------------------------------------------------
table=$top/t/data/jobs/reviews.table
figures=$(grep -vc '^#' "$table")
is "$figures" 338 "reviews.table has every figure"
is "$(awk '!/^#/ && NF != 7' "$table")" '' '... in seven columns'
while read -r count job; do
	ok "$job.fio is there for $count figures" test -f "$job.fio"
done < <(awk '!/^#/ { print $7 }' "$table" | sort | uniq -c)

table=$top/t/data/jobs/behaviour.table
for job in $(awk '!/^#/ { print $1 }' "$table" | sort -u); do
	ok "$job.fio of behaviour.table is there" test -f "$job.fio"
done

# --- they parse -------------------------------------------------------------------------------------
# parses LIST COMMAND...: the files of the list in one go, and then, if something is said, one by one.
parses()
{
	local -n list=$1
	local out f
	shift
	out=$("$@" --parse-only "${list[@]}" 2>&1) && [ -z "$out" ] && return
	for f in "${list[@]}"; do
		echo "$f: $("$@" --parse-only "$f" 2>&1)"
	done | grep -v ': $'
	wrong "$out"
}

# Options on the command line reach the first file only, so one by one.
parses_with_engine() # COMMAND...
{
	local out
	out=$(for f in "${ours[@]}"; do
		"$@" "--ioengine=external:$plugin" --parse-only "$f" 2>&1 || echo "$f"
	done)
	[ -z "$out" ] || wrong "$out"
}

# all_parse NAME COMMAND...: what needs our engine or fio's dataplacement= where there is that.
all_parse()
{
	local name=$1
	shift
	ok "they parse in $name" parses plain "$@"
	if "$@" --enghelp="$plugin" >"$work/enghelp" 2>&1; then
		ok '... with our engine those that need it' parses_with_engine "$@"
	else
		skip '... with our engine those that need it' 'it does not load here'
	fi
	if "$@" --cmdhelp=dataplacement 2>&1 | grep -q 'to use'; then
		ok '... those with dataplacement=' parses native "$@"
	else
		skip '... those with dataplacement=' "$name has no such option"
	fi
}

# The fio of a root folder of another Debian, with the loader and the libraries from there.
fio_of_root()
{
	local root=$1 lib=$1/usr/lib/x86_64-linux-gnu
	shift
	"$root/lib64/ld-linux-x86-64.so.2" --library-path "$lib/ceph:$lib" "$root/usr/bin/fio" "$@"
}

if command -v fio >/dev/null; then
	all_parse "$(fio --version)" fio
else
	skip 'they parse' 'fio is not installed'
fi
roots=0
for root in "${FIO_ROOTS:-$top/build/vm/roots}"/*/; do
	[ -x "$root/usr/bin/fio" ] || continue
	roots=$((roots + 1))
	version=$(fio_of_root "$root" --version 2>&1)
	like "$version" '^fio-3\.' "the fio of $(basename "$root") starts"
	all_parse "$version" fio_of_root "$root"
done
[ $roots -gt 0 ] || skip 'they parse in other releases' 'no roots of other Debians (ci/fio-root)'
done_testing
