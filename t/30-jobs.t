#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The job files: they parse, name no device and no engine, say truly what they do, and do it with
# fio's own engines on an existing file. Our engine runs them in the VM's tests.

# shellcheck disable=SC2317 # functions that ok calls

# shellcheck source=t/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../jobs" || exit 1
mib=64

value() { # FILE OPTION: its value in the file's section
	sed -n "s/^$2=//p" "$1"
}

header() { # FILE KEY: its value in the "# fio-peak:" line
	sed -n "2s/^# fio-peak: .*\b$2=\([^ ]*\).*/\1/p" "$1"
}

section() { # FILE: without comments and empty lines
	sed '/^#/d; /^$/d' "$1"
}

# A file stands alone: one section, named as the file is, nothing that the command line must give.
stands_alone() {
	local name
	name=$(basename "$1" .fio)
	[ "$(grep '^\[' "$1")" = "[$name]" ] || { echo "sections: $(grep '^\[' "$1")"; return 1; }
	! grep -nE '^(filename|filename_format|directory|ioengine|include|size=.*[a-zA-Z])' "$1"
}

# The second line is for programs: mode, shape, destroys, time. It must agree with the section.
header_is_true() {
	local f=$1 shape destroys=no time run
	case $(value "$f" rw) in
	read | write) shape=stream ;;
	randread | randwrite) shape=random ;;
	rw | randrw) shape=mixed ;;
	*) echo "unexpected rw=$(value "$f" rw)"; return 1 ;;
	esac
	case $(value "$f" rw) in *write | *rw) destroys=yes ;; esac
	[ "$(header "$f" mode)" = once ] || { echo "mode=$(header "$f" mode)"; return 1; }
	[ "$(header "$f" shape)" = "$shape" ] || { echo "shape is $shape"; return 1; }
	[ "$(header "$f" destroys)" = "$destroys" ] || { echo "destroys is $destroys"; return 1; }
	if [ "$destroys" = yes ]; then
		sed -n 1p "$f" | grep -q 'OVERWRITES' || { echo "no warning in line 1"; return 1; }
	fi
	time=$(header "$f" time)
	case $f in
	*/published/*)
		run=$(value "$f" ramp_time)
		[ "$time" = "${run:-0}+$(value "$f" runtime)s" ] || { echo "time=$time"; return 1; }
		;;
	*)
		[ -z "$(value "$f" runtime)$(value "$f" ramp_time)" ] ||
			{ echo "only published/ sets the time"; return 1; }
		case $time in
		*+*s) [ "$(value "$f" time_based)" = 1 ] || { echo "not time_based"; return 1; } ;;
		*-pass*) [ -z "$(value "$f" time_based)" ] || { echo "time_based"; return 1; } ;;
		*) echo "time=$time"; return 1 ;;
		esac
		;;
	esac
}

# published/X is X with its times and nothing else.
published_is_same() {
	diff <(section "$1") <(section "${1/published\//}") | grep '^[<>]' >"$work/diff"
	! grep -vE '^< (runtime|ramp_time)=[0-9]+$' "$work/diff" && grep -q runtime "$work/diff"
}

fill_file() { # a scratch file without a block of zeroes
	rm -f "$work/target"
	head -c "${mib}M" /dev/urandom >"$work/target"
}

run_job() { # FILE ENGINE [OPTION...]
	local f=$1 engine=$2
	shift 2
	rm -f "$work/out.json"
	timeout 120 fio --ioengine="$engine" --filename="$work/target" "$@" \
		--output-format=json --output="$work/out.json" "$f"
}

# What fio says it did against what the file asks for, as "name=value" words.
report() {
	perl -MJSON::PP -0777 -e '
		my $jobs = decode_json(<STDIN>)->{jobs};
		my $j = $jobs->[0];
		my ($dir) = grep { $j->{$_}{total_ios} } qw(read write);
		my $levels = $j->{iodepth_level};
		my ($depth) = sort { $levels->{$b} <=> $levels->{$a} } keys %$levels;
		printf "jobs=%d name=%s error=%d rw=%s bs=%g ios=%d depth=%s busy=%d\n",
			scalar @$jobs, $j->{jobname}, $j->{error}, $dir,
			$j->{$dir}{io_bytes} / $j->{$dir}{total_ios}, $j->{$dir}{total_ios},
			$depth, $j->{job_runtime};
	' <"$work/out.json"
}

word() { # NAME LINE
	sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" <<<"$2"
}

runs_as_declared() { # FILE ENGINE
	local f=$1 engine=$2 options=() before after got rw=write bs depth busy
	[ -n "$(value "$f" time_based)" ] && options+=(--runtime=1)
	[ "$(header "$f" destroys)" = no ] && options+=(--readonly) && rw="read"
	before=$(cksum <"$work/target")
	run_job "$f" "$engine" "${options[@]}" || return 1
	after=$(cksum <"$work/target")
	got=$(report) || { cat "$work/out.json"; return 1; }
	echo "$got"
	[ "$(word jobs "$got") $(word name "$got")" = "1 $(basename "$f" .fio)" ] || return 1
	[ "$(word error "$got") $(word rw "$got")" = "0 $rw" ] || return 1
	bs=$(($(value "$f" bs | tr -d k) * 1024))
	[ "$(word bs "$got")" = "$bs" ] || return 1
	# fio counts depths in classes: the one most I/Os were submitted at
	depth=$(value "$f" iodepth)
	[ "$engine" = psync ] && depth=1
	[ "$depth" -ge 64 ] && depth='>=64'
	[ "$(word depth "$got")" = "$depth" ] || return 1
	# the jobs' run times add up: 8 jobs of 1 s are 8 s
	if [ -n "$(value "$f" time_based)" ]; then
		busy=$(($(value "$f" numjobs) * 1000))
		[ "$(word busy "$got")" -ge $((busy * 9 / 10)) ] || return 1
	fi
	[ "$(stat -c %s "$work/target")" = $((mib << 20)) ] || { echo "the size changed"; return 1; }
	if [ "$rw" = read ]; then
		[ "$before" = "$after" ] || { echo "a reader changed the file"; return 1; }
	else
		[ "$before" != "$after" ] || { echo "a writer changed nothing"; return 1; }
	fi
}

engine_works() { # ENGINE: with direct=1, here
	fio --name=probe --ioengine="$1" --filename="$work/target" --rw=read --bs=4k --size=4k \
		--direct=1 >"$work/probe" 2>&1
}

# Every block of the file was written, the given number of times in all.
covers_target() { # FILE PASSES
	head -c "${mib}M" /dev/zero >"$work/target"
	run_job "$1" io_uring || return 1
	local got
	got=$(report)
	[ "$(word ios "$got")" = $(($2 * (mib << 20) / ($(value "$1" bs | tr -d k) * 1024))) ] ||
		{ echo "$got"; return 1; }
	perl -e '$/ = \4096; while (<STDIN>) { /[^\0]/ or die "block ", $. - 1, " was not written\n" }' \
		<"$work/target"
}

command -v fio >"$work/probe" || skip_all "fio is not installed"

mapfile -t files < <(find . -name '*.fio' | sed 's,^\./,,' | sort)
ok "there are job files" test ${#files[@]} -ge 8
for f in "${files[@]}"; do
	ok "$f parses" fio --parse-only "$f"
	ok "$f stands alone, without device and engine" stands_alone "$f"
	ok "$f: its header is true" header_is_true "$f"
	ok "$f is in the index" grep -qF "$f" README.md
	case $f in */published/*) ok "$f is the open file with its times" published_is_same "$f" ;; esac
done

fill_file
for engine in psync io_uring libaio; do
	if ! engine_works $engine; then
		skip "running with $engine" "$(grep -m 1 . "$work/probe" | tr '#' ' ')"
		continue
	fi
	for f in "${files[@]}"; do
		case $f in */published/*) continue ;; esac
		ok "$f runs as declared with $engine" runs_as_declared "$f" $engine
	done
done
if engine_works io_uring; then
	ok "seq-fill-2x writes everything twice" covers_target precondition/seq-fill-2x.fio 2
	ok "rand-fill-once writes every block once" covers_target precondition/rand-fill-once.fio 1
else
	skip "the fills cover the target" "no io_uring with direct=1 here"
fi
done_testing
