#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Each job file for a moment: on a model drive with our engine, its I/O held against
# t/data/jobs/behaviour.table; with fio's own engines on a file that exists. What is written in the
# files has 30-jobs.t.

# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 1
plugin=$(realpath "$build/nvmept.so")
nvsim=$(realpath "$build/nvsim")
command -v fio >/dev/null || skip_all "fio is not installed"
[ -e "$plugin" ] || bail "$plugin is not built: make"
[ -x "$nvsim" ] || bail "$nvsim is not built: make"
table=$top/t/data/jobs/behaviour.table
drive_mib=256
file_mib=64
log=(--write_bw_log=log --log_offset=1)
export POWER_STATE=0 # for power/

# The job files, as the table names them. What is in published/ is another file with long times.
mapfile -t jobs < <(cd jobs && find . -name '*.fio' ! -path '*/published/*' |
	sed 's,^\./,,; s,\.fio$,,' | sort)

# --- the model drive -----------------------------------------------------------------------------

# new_drive SIZE: an empty drive.nvsim here
new_drive()
{
	rm -f drive.nvsim log_bw.*.log
	"$nvsim" create drive.nvsim --timing=none --seed=1 --capacity="$1" >/dev/null
}

# on_drive JOB OPTION...: with our engine on drive.nvsim; leaves out.json
on_drive()
{
	local job=$top/jobs/$1.fio
	shift
	timeout 100 fio --ioengine="external:$plugin" --filename=drive.nvsim "$@" \
		--output-format=json --output=out.json "$job" 2>&1
}

# options JOB TIME: what the command line gives for a short run. Those whose shares flow= keeps end by
# themselves, late.
options()
{
	grep -qE '^(time_based|flow)' "$top/jobs/$1.fio" && echo "--runtime=$2"
	sed -n 2p "$top/jobs/$1.fio" | grep -q 'destroys=yes' || echo --readonly
}

# The twin of a job in reduction/ has the same sections (30-jobs.t).
row_of()
{
	echo "${1%-incompressible}"
}

# size_option JOB: --size= confines a file of one section that leaves it open.
size_option()
{
	awk -v job="$(row_of "$1")" '
		$1 == job && $2 == "=" { job = $3 }
		{ rows[$1]++; region[$1] = $7 }
		END { if (rows[job] == 1 && region[job] == "0-50") print "--size=50%" }' "$table"
}

# does_as_table JOB TIME ENOUGH
does_as_table()
{
	local args
	mapfile -t args < <(options "$1" "$2"; size_option "$1")
	new_drive ${drive_mib}M && on_drive "$1" "${log[@]}" "${args[@]}" || return 1
	"$top/t/jobs-check.pl" "$table" "$(row_of "$1")" . $((drive_mib << 20)) "$3"
}

# Jobs may get no turn within a moment when the cores are busy, so longer the second time. How much those
# do that are not curves or grids is up to their rates and sizes.
does_what_it_says()
{
	local enough=300
	case $1 in */idle)
		does_as_table "$1" 3 2
		return
		;;
	esac
	sed -n 2p "$top/jobs/$1.fio" | grep -qE "mode=(curve|grid)" || enough=1
	does_as_table "$1" 100ms $enough || does_as_table "$1" 1 $((enough / 3))
}

# --- fio's engines -------------------------------------------------------------------------------

engine_works() # ENGINE: with direct=1, here
{
	fio --name=probe --ioengine="$1" --filename="$work/file" --rw=read --bs=4k --size=4k \
		--direct=1 >"$work/probe.$1" 2>&1
}

# directions JOB: "0 READS WRITES", as the table has it
directions()
{
	awk -v job="$(row_of "$1")" '
		$1 == job && $2 == "=" { job = $3 }
		{ rows[$1] = rows[$1] " " $5 }
		END {
			n = split(rows[job], read)
			for (i = 1; i <= n; i++) {
				reads += read[i] > 0
				writes += read[i] < 100
			}
			print 0, (reads ? "true" : "false"), (writes ? "true" : "false")
		}' "$table"
}

# on_file JOB ENGINE TIME: it runs without an error on the file that exists, and leaves its size alone.
on_file()
{
	local args got
	mapfile -t args < <(options "$1" "$3")
	timeout 100 fio --ioengine="$2" --filename=file "${args[@]}" --output-format=json \
		--output=out.json "$top/jobs/$1.fio" 2>&1 || return 1
	got=$(perl -MJSON::PP -0777 -ne '
		my ($error, @ios) = (0, 0, 0);
		for my $job (@{ decode_json($_)->{jobs} }) {
			$error ||= $job->{error};
			$ios[0] += $job->{read}{total_ios};
			$ios[1] += $job->{write}{total_ios};
		}
		print join " ", $error, map { $_ ? "true" : "false" } @ios' out.json) ||
		{ cat out.json; return 1; }
	[ "$got" = "$(directions "$1")" ] || { echo "error, reads, writes: $got"; return 1; }
	[ "$(stat -c %s file)" = $((file_mib << 20)) ] || { echo "the size changed"; return 1; }
}

# What is rare in a job may not come up in a moment, so longer the second time.
runs_with()
{
	on_file "$1" "$2" 100ms || on_file "$1" "$2" 1
}

# --- every job -----------------------------------------------------------------------------------

# result NAME COMMAND...: a line "NAME" if it succeeds, or "NAME<TAB>why not"
result()
{
	local name=$1 out
	shift
	if out=$("$@" 2>&1); then
		echo "$name"
	else
		printf '%s\t%s\n' "$name" "${out//$'\n'/$'\r'}"
	fi
}

# needs OPTION JOB: it has it.
needs()
{
	grep -q "^$1" "$top/jobs/$2.fio"
}

run_one() # JOB
{
	local engine
	if needs dataplacement "$1" && ! fio --cmdhelp=dataplacement 2>&1 | grep -q 'to use'; then
		printf '%s\tSKIP %s\n' "$1.fio" "$(fio --version) has no dataplacement="
		return
	fi
	result "$1.fio does what it says" does_what_it_says "$1"
	case $1 in *-incompressible) return ;; esac
	needs nvme_ "$1" || needs dataplacement "$1" && return
	for engine in $engines; do
		result "$1.fio runs with $engine" runs_with "$1" "$engine"
	done
}

# run_share N OF: every OFth job from the Nth on, in a folder of its own
run_share()
{
	local i
	mkdir "$work/$1"
	cd "$work/$1" || return
	cp "$work/file" .
	for ((i = $1; i < ${#jobs[@]}; i += $2)); do
		run_one "${jobs[i]}" >"$work/$i.result"
	done
}

head -c ${file_mib}M /dev/urandom >"$work/file"
engines=
for engine in psync io_uring libaio; do
	if engine_works $engine; then
		engines+=" $engine"
	else
		skip "running with $engine" "$(grep -m 1 . "$work/probe.$engine" | tr '#' ' ')"
	fi
done

# Much of a short run is waiting: three at a time.
for share in 0 1 2; do
	run_share $share 3 &
done
wait
ok "there are job files" test ${#jobs[@]} -ge 60
for i in "${!jobs[@]}"; do
	ok "${jobs[i]}.fio was run" test -s "$work/$i.result"
	while IFS=$'\t' read -r name why; do
		if [ -z "$why" ]; then
			pass "$name"
		elif [[ $why == SKIP* ]]; then
			skip "$name" "${why#SKIP }"
		else
			mapfile -t lines <<<"${why//$'\r'/$'\n'}"
			fail "$name" "${lines[@]}"
		fi
	done <"$work/$i.result"
done

# --- where a moment shows too little -------------------------------------------------------------
cd "$work" || exit 1

# covers JOB BYTES PASSES [MISSED]: all but so many of the drive's blocks are written PASSES times.
covers()
{
	new_drive "$2" && on_drive "$1" "${log[@]}" || return 1
	cat log_bw.*.log | awk -F ', *' -v bytes="$2" -v passes="$3" -v missed="${4:-0}" '
		{ size = $4; times[$5]++ }
		END {
			for (at in times) {
				blocks++
				if (times[at] != passes) bad++
			}
			printf "%d blocks of %d, %d not %d times\n", blocks, size, bad, passes
			exit !(blocks == int(bytes / size) - missed && !bad)
		}'
}
mib=$((1 << 20))
ok 'seq-fill-1x writes everything' covers precondition/seq-fill-1x $((32 * mib)) 1
ok 'seq-fill-2x writes everything twice' covers precondition/seq-fill-2x $((32 * mib)) 2
ok 'snia-fill-2x writes everything twice' covers precondition/snia-fill-2x $((32 * mib)) 2
ok 'rand-fill-once writes every block once' covers precondition/rand-fill-once $((32 * mib)) 1
ok '... all but three of a drive with 12 KiB more than a multiple of 16' \
	covers precondition/rand-fill-once $((32 * mib + 12288)) 1 3

# streams JOB SIZE BLOCKS [OPTION...]: over and over, the threads of a stream reach all of the first
# BLOCKS blocks of the drive and nothing beyond.
streams()
{
	local job=$1 capacity=$2 blocks=$3
	shift 3
	new_drive "$capacity" && on_drive "$job" --runtime=400ms "${log[@]}" "$@" || return 1
	cat log_bw.*.log | awk -F ', *' -v blocks="$blocks" '
		{ times[$5]++; n++; if ($5 + $4 > end) end = $5 + $4; size = $4 }
		END {
			printf "%d I/Os on %d blocks, up to %d\n", n, length(times), end / size
			exit !(length(times) == blocks && end == blocks * size && n > 3 * blocks)
		}'
}
ok 'one stream of 32 threads on a quarter of the drive' \
	streams vdbench/seqread-16k 16M 256 --size=25%
ok '... on all of it, with its size less 31 blocks' \
	streams vdbench/seqread-16k 16M 1024 --size=$((16 * mib - 31 * 16384))
ok '... on all of it, without a size' streams vdbench/seqread-16k 16M 1024
ok '... and of 16 writers' streams vdbench/seqwrite-16k 16M 256 --size=25%

# data JOB DUPLICATES ZEROES: of the blocks of 4 KiB that a job leaves on the drive, in percent. At a
# rate at which hardly a block is written twice. There are more originals than asked: each job's first.
data()
{
	local threads
	threads=$(awk -F = '/^numjobs/ { n += $2 } END { print n }' "$top/jobs/$1.fio")
	new_drive 128M && on_drive "$1" --runtime=200ms --rate_iops=$((10000 / threads)) || return 1
	tail -c 128M drive.nvsim | perl -MDigest::MD5=md5 -e '
		my ($duplicates, $zeroes) = @ARGV;
		@ARGV = ();
		my ($blocks, $tail, %seen) = (0, 0);
		$/ = \4096;
		while (<STDIN>) {
			next if !tr/\0//c;
			$blocks++;
			$seen{md5 $_}++;
			/(\0*)\z/ and $tail += length $1;
		}
		$blocks > 500 or die "$blocks blocks only\n";
		my $got = 100 - 100 * keys(%seen) / $blocks;
		$tail = 100 * $tail / 4096 / $blocks;
		printf "%d blocks, %.1f%% duplicates, %.1f%% zeroes\n", $blocks, $got, $tail;
		exit !($got > $duplicates - 8 && $got < $duplicates + 4 && abs($tail - $zeroes) < 1);
	' "$2" "$3"
}
ok 'data of SQL: half duplicates, half zeroes' data reduction/sql-80-20 50 50
ok 'data of Oracle: two thirds' data reduction/oracle-80-20 67 67
ok 'data of full clones: 86 and 88%' data reduction/vdi-full-clone-monday-login 86 88
ok 'data of linked clones: the same' data reduction/vdi-linked-clone-monday-login 86 88
ok 'data of a twin: none' data reduction/oracle-80-20-incompressible 0 0
done_testing
