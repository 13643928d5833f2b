# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
# For the tests of fio-curve, after t/lib.sh: the programs, drives, and questions to its results. In
# the end it stands in a scratch folder.

command -v fio >/dev/null || skip_all 'fio is not installed'
command -v perl >/dev/null || skip_all 'needs perl'
cd "$top" || bail "cannot enter $top"
curve=$(realpath "$build/fio-curve")
peak=$(realpath "$build/fio-peak")
nvsim=$(realpath "$build/nvsim")
plugin=$(realpath "$build/nvmept.so")
for file in "$curve" "$peak" "$nvsim" "$plugin"; do
	[ -e "$file" ] || bail "$file is not built: make"
done
fio=$(command -v fio)
# A sanitized plugin in a fio that is not: its runtime must come first, and what fio leaks is fio's.
if [ -n "${PRELOAD:-}" ]; then
	printf '#!/bin/sh\nLD_PRELOAD=%s ASAN_OPTIONS=detect_leaks=0 exec %s "$@"\n' "$PRELOAD" "$fio" >"$work/fio"
	chmod +x "$work/fio"
	fio=$work/fio
fi
mkdir "$work/scratch"
cd "$work/scratch" || exit 1

# curve ARGS...: fio-curve with the job library, no terminal; leaves $out, $err, $status.
curve()
{
	capture "$curve" --fio="$fio" --jobs="$top/jobs" "$@" </dev/null
}

# complaints: what fio-curve said, but what a busy machine makes of a figure
complaints()
{
	grep -v 'IOPS where .* were asked, less than its maximum: ' <<<"$err"
}

# make_drive FILE OPTION...: without timing unless an option says otherwise.
make_drive()
{
	local file=$1
	shift
	rm -f "$file"
	"$nvsim" create "$file" --timing=none --seed=1 "$@" >"$work/nvsim.out" 2>&1 ||
		bail "nvsim create $file $*: $(cat "$work/nvsim.out")"
}

# info FILE KEY...: a figure of the drive
info()
{
	local file=$1
	shift
	"$nvsim" info "$file" --json | perl -MJSON::PP -0777 -e '
		my $j = decode_json(<STDIN>);
		$j = $j->{$_} for @ARGV;
		print $j // "null"' "$@"
}

# state OUT/DRIVE POINT KEY: what run.json says of a point
state()
{
	perl -MJSON::PP -0777 -e '
		my ($file, $point, $key) = @ARGV;
		open my $f, "<", "$file/run.json" or die "$file/run.json: $!\n";
		for (@{decode_json(<$f>)->{points}}) {
			print $_->{$key} // "null" if $_->{point} eq $point;
		}' "$@"
}

# made FOLDER: the files below, sorted, in one line; not the sidecars, which only our engine writes
made()
{
	(cd "$1" && find . -type f ! -name "*.nvme.json" | sed 's,^\./,,' | sort | paste -sd ' ')
}

# option FILE SECTION NAME: a value in a generated job file
option()
{
	sed -n "/^\[$2\]/,/^\$/s/^$3=//p" "$1"
}

# fill FILE: every block of a drive is written; what never was is read in no time
fill()
{
	"$fio" --name=fill --ioengine="external:$plugin" --filename="$1" --rw=write --bs=256k --iodepth=8 \
		--output="$work/fill.log" || bail "fill $1: $(cat "$work/fill.log")"
}
