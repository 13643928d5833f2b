#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The file of a model drive in bad hands: a file system without room, a file that is cut short or
# overwritten while fio uses it, one that may only be read. Each has one line that says what to do, and a
# run that fails; what was written before stays.

# shellcheck source=t/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/vm/engine.sh"

use_model_drives
chmod 755 "$work"
cd "$work" || exit 1

# nv ARGS...: runs nvsim; leaves $out, $err, $status.
nv()
{
	capture "$nvsim" "$@"
}

# info FIELD FILE: a field name stands once in nvsim's JSON.
info()
{
	"$nvsim" info --json "$2" | sed -n "s/^ *\"$1\": \([0-9.]*\),*$/\1/p" | head -1
}

make_drive()
{
	rm -f "$1"
	"$nvsim" create "$@" --timing=none >"$work/nvsim.out" 2>&1 ||
		bail "nvsim create $*: $(<"$work/nvsim.out")"
}

# --- a file that is failing under fio ------------------------------------------------------------

# meanwhile FILE COMMAND FIO-ARGS...: COMMAND once fio has begun to use the file; leaves $status.
meanwhile()
{
	local file=$1 command=$2 before i
	shift 2
	before=$(info writes "$file")
	LD_PRELOAD=${PRELOAD:-} timeout -k 1 60 fio --name=t "--ioengine=$ENGINE" --output-format=json \
		--output="$work/out" --filename="$file" --rw=randrw --bs=4k --iodepth=8 --time_based \
		--runtime=30 "$@" >"$work/stdout" 2>"$work/err" &
	for i in {1..100}; do
		[ "$(info writes "$file")" = "$before" ] || break
		sleep 0.1
	done
	eval "$command"
	wait $!
	status=$?
}

# fails NAME COMMAND REGEX ARGS...: the run ends before its time, by one line a name and no signal.
fails()
{
	local name=$1 command=$2 regex=$3 lines names=1 begin=$SECONDS
	shift 3
	# The first of two names may end the job before the other one is asked.
	[[ $* != *./a.nvsim* ]] || names=2
	make_drive a.nvsim --capacity=8M --seed=1
	make_drive b.nvsim --capacity=8M --seed=2
	engine_fio --filename=a.nvsim:b.nvsim --rw=write --bs=64k
	meanwhile a.nvsim "$command" "$@"
	lines=$(grep -c "^nvmept: \(./\)\?a.nvsim: $regex; the job ends\$" err)
	if [ $status != 0 ] && [ "$lines" -ge 1 ] && [ "$lines" -le $names ] && [ "$(grep -c '^nvmept: [^n]' err)" = "$lines" ] &&
		[ $((SECONDS - begin)) -lt 25 ] && ! grep -q 'got signal' err stdout out && ! reported; then
		pass "$name"
	else
		fail "$name" "exit status $status, $lines lines like \"$regex\"" "$(head -20 err)"
	fi
}

cut='was cut short while in use: 4194304 of [0-9]\+ bytes are left; make the drive anew'
overwritten='was overwritten while in use; make the drive anew'
zeros='dd if=/dev/zero of=a.nvsim bs=64k count=128 conv=notrunc status=none'
noise='dd if=/dev/urandom of=a.nvsim bs=64k count=128 conv=notrunc status=none'
fails 'a file that is cut short in use' 'truncate -s 4M a.nvsim' "$cut"
fails '... by threads' 'truncate -s 4M a.nvsim' "$cut" --thread --numjobs=2
fails '... by three processes' 'truncate -s 4M a.nvsim' "$cut" --numjobs=3
fails '... also under continue_on_error' 'truncate -s 4M a.nvsim' "$cut" --continue_on_error=all
fails '... under two names, beside another' 'truncate -s 4M a.nvsim' "$cut" --filename=./a.nvsim:b.nvsim
fails 'a file that is emptied' 'truncate -s 0 a.nvsim' \
	'was cut short while in use: 0 of [0-9]\+ bytes are left; make the drive anew'
fails 'a file that is overwritten with zeros' "$zeros" "$overwritten"
fails '... with noise' "$noise" "$overwritten"
fails '... with noise, three processes' "$noise" "$overwritten" --numjobs=3
fails '... with another drive' 'dd if=b.nvsim of=a.nvsim bs=64k conv=notrunc status=none' "$overwritten"
rm -f ./*.nvsim

# --- only to be read -----------------------------------------------------------------------------

make_drive r.nvsim --capacity=8M
engine_fio --filename=r.nvsim --rw=write --bs=64k
"$nvsim" fail r.nvsim delay=1us --every=1000000 >/dev/null
chmod 444 r.nvsim
as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ ${#as[@]} = 0 ] || { "${as[@]}" true && "${as[@]}" test -x "$nvsim"; } 2>/dev/null; then
	reader=yes
else
	reader=
fi
# The runtime of a sanitized build wants to read what another user may not.
! readelf -dW "$nvsim" | grep -q 'lib[a-z]*san\.so' || reader=
if [ "$reader" ]; then
	before=$(stat -c '%Y %Z' r.nvsim; cksum r.nvsim)
	for command in 'info r.nvsim' 'info --json r.nvsim' 'log r.nvsim smart' 'log r.nvsim fdp-stats' \
		'fail r.nvsim --list'; do
		# shellcheck disable=SC2086
		capture "${as[@]}" "$nvsim" $command
		is "$status$err" 0 "a drive that one may only read: $command"
	done
	like "$out" '^ 0  any: end 1 us later' '... fail --list has the fault'
	is "$(stat -c '%Y %Z' r.nvsim; cksum r.nvsim)" "$before" '... and they leave the file as it is'
	for command in 'fail r.nvsim hang' 'fail r.nvsim --clear' 'reset r.nvsim' 'reset --faults r.nvsim'; do
		# shellcheck disable=SC2086
		capture "${as[@]}" "$nvsim" $command
		is "$status$out" 1 "... $command is refused"
		like "$err" '^nvsim: r.nvsim: cannot be written \(Permission denied\)' '... says why'
	done
	chmod 0 r.nvsim
	capture "${as[@]}" "$nvsim" info r.nvsim
	is "$status$out$err" '1nvsim: r.nvsim: Permission denied' 'a drive that one may not read'

	# In use: at any moment the figures fit together.
	make_drive r.nvsim --capacity=8M
	chmod 644 r.nvsim
	# shellcheck disable=SC2016 # meanwhile evaluates it
	look='i=0; while [ $i -lt 20 ]; do "${as[@]}" "$nvsim" info --json r.nvsim >look.$i 2>>look.err
		"${as[@]}" "$nvsim" log r.nvsim fdp-stats >>look.log 2>>look.err || echo failed >>look.err
		i=$((i + 1)); done; : >look.err.done'
	meanwhile r.nvsim "$look" --rw=randwrite --rate_iops=20000 --runtime=10
	is "$status" 0 'a drive in use that one may only read: fio goes on'
	is "$(cat look.err)" '' '... info and log work meanwhile'
	is "$(for i in look.*[0-9]; do
		awk '{ gsub(/[",:]/, ""); v[$1] = $2 }
			END { print v["media_bytes"] == 4096 * (v["host_pages"] + v["relocated_pages"]),
				v["host_bytes"] == v["writes"] * 4096 }' "$i"
	done | sort | uniq -c | tr -s ' ')" ' 20 1 1' '... with counters that add up'
	ok '... and that grow' test "$(sed -n 's/.*"writes": //p' look.0 | tr -d ,)" -lt \
		"$(sed -n 's/.*"writes": //p' look.19 | tr -d ,)"
else
	skip 'a drive that one may only read' 'needs setpriv to be another user, and no sanitizer'
fi
rm -f ./*.nvsim look.*

# --- no room -------------------------------------------------------------------------------------

(ulimit -f 1024 && "$nvsim" create x.nvsim --capacity=16M) >limit.out 2>&1
is "$?" 1 'create above the limit for a file fails'
is "$(<limit.out)" 'nvsim: x.nvsim: 17 MiB are more than a file may have here: raise the limit (ulimit -f), or give a smaller --capacity' \
	'... with one line'
ok '... and leaves nothing' test ! -e x.nvsim

# A file system of 24 MiB.
mkdir small
if ! mount -t tmpfs -o size=24M none small 2>/dev/null; then
	skip 'a full file system' 'needs the right to mount one'
	done_testing
fi
trap 'cd /; umount "$work/small"; rm -rf "$work"' EXIT
cd small || exit 1

# fill: leaves room for so many MiB
fill()
{
	rm -f fill
	fallocate -l $(($(stat -f -c '%a * %S / 1048576' .) - $1))M fill || bail "fallocate"
}

make_drive a.nvsim --capacity=16M
nv info a.nvsim
like "$out" 'room +may take 16\.[0-9] MiB more, of 2[34]\.[0-9] MiB free in its file system'$'\n' \
	'info says what the drive may take and what there is'
fill 6
nv info a.nvsim
is "$status$err" 0 'info with too little room for the rest'
like "$out" 'of 6\.[0-9] MiB free in its file system:'$'\n'' +TOO LITTLE: writes fail when that is used up; make room' \
	'... says so'
is "$(info free_bytes a.nvsim) $(($(info growth_bytes a.nvsim) >> 20))" \
	"$(($(stat -f -c '%a * %S' .))) 16" '... --json, too'

for how in --thread --thread=0; do
	"$nvsim" reset a.nvsim
	refused "fio on a full file system, $how" \
		'a.nvsim: Write of 16 blocks at LBA [0-9]+ failed: Capacity Exceeded .SCT 0h SC 81h, DNR.; its file system has no room left for it: make room$' \
		--filename=a.nvsim --rw=write --bs=64k "$how"
	like "$(<"$work/err")" 'note: a.nvsim: takes up to 1[67] MiB more as it is written, but its file system has 6 MiB free: writes fail when these are used up' \
		'... a note said so before'
	is "$(sed -n 's/.*"error" : //p' "$work/out" | tr -d ,)" 28 '... ENOSPC'
	written=$(info host_bytes a.nvsim)
	ok '... near the end of the room' test "$written" -ge $((5 << 20))
	like "$(<"$work/err")" "at LBA $((written / 4096)) " '... what was written before is counted'
done
works '... and there' --filename=a.nvsim --rw=read --bs=64k --size="$written"
works '... can be overwritten' --filename=a.nvsim --rw=randwrite --bs=4k --size="$written" \
	--verify=crc32c
works '... and trimmed' --filename=a.nvsim --rw=trim --bs=64k --size="$written"
is "$(info killed_in_step a.nvsim) $(info repairs a.nvsim)" '0 0' '... nothing had to be repaired'
fill 0
for command in 'info a.nvsim' 'log a.nvsim smart' 'fail a.nvsim hang' 'fail a.nvsim --list' \
	'fail a.nvsim --clear' 'reset --faults a.nvsim'; do
	# shellcheck disable=SC2086
	nv $command
	is "$status$err" 0 "... no room at all: $command"
done
nv create x.nvsim --capacity=4M
is "$status$out" 1 '... create fails'
like "$err" '^nvsim: x.nvsim: needs up to 5 MiB, the file system has 0 MiB free; make room, or a drive with a smaller --capacity$' \
	'... and says why'
ok '... and leaves nothing' test ! -e x.nvsim
rm fill
works '... with room again, all of it can be written' --filename=a.nvsim --rw=write --bs=64k \
	--verify=crc32c
fill 0
nv reset a.nvsim
is "$status$err" 0 'reset without room'
ok '... gives its own back' test "$(info free_bytes a.nvsim)" -ge $((15 << 20))
rm -f fill a.nvsim

nv create a.nvsim --capacity=22M --timing=none
is "$status$out" 0 'create of a drive that nearly fills its file system'
like "$err" '^nvsim: note: a.nvsim: takes up to 22 MiB more as it is written, of 2[34] MiB free in its file system; once these are used up writes fail \(--preallocate takes them now\)$' \
	'... has a note'
rm a.nvsim
nv create a.nvsim --capacity=16M --preallocate --timing=none
is "$status$out$err" 0 'create --preallocate'
ok '... takes all of its space' test "$(info disk_bytes a.nvsim)" -ge "$(info file_bytes a.nvsim)"
for when in 'a full file system' 'it after a reset'; do
	fill 0
	works "... so that $when stops no write" --filename=a.nvsim --rw=write --bs=64k --verify=crc32c
	is "$(grep -c note: "$work/err")" 0 '... and needs no note'
	"$nvsim" reset a.nvsim
done
rm -f fill a.nvsim
fill 8
nv create a.nvsim --capacity=16M --preallocate
is "$status$out" 1 '... without room for all it fails'
ok '... and leaves nothing' test ! -e a.nvsim
rm fill

# A file system that may only be read.
make_drive a.nvsim --capacity=16M
if mount -o remount,ro small . 2>/dev/null || mount -o remount,ro "$work/small" 2>/dev/null; then
	for command in 'info a.nvsim' 'log a.nvsim smart' 'fail a.nvsim --list'; do
		# shellcheck disable=SC2086
		nv $command
		is "$status$err" 0 "on a read-only file system: $command"
	done
	for command in 'fail a.nvsim hang' 'reset a.nvsim'; do
		# shellcheck disable=SC2086
		nv $command
		is "$status" 1 "... $command is refused"
		like "$err" '^nvsim: a.nvsim: cannot be written \(Read-only file system\)' '... says why'
	done
	nv create x.nvsim --capacity=1M
	is "$status$err" '1nvsim: x.nvsim: Read-only file system' '... create, too'
else
	skip 'on a read-only file system' 'it cannot be remounted here'
fi
done_testing
