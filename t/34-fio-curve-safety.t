#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-curve leaves alone what it was not given: by --set, by job files, by names that fio reads otherwise,
# by links; and what is sure to fail is refused before the question, with status 2.
# shellcheck disable=SC2317 # functions that ok calls
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/curve.sh
. "$(dirname "$0")/curve.sh"

make_drive a.nvsim --capacity=32M
echo precious >precious
mkdir x logs
echo 'fio version 2 iolog' >logs/io

# job FILE HEADER LINES...: a job file
job()
{
	local file=$1 header=$2
	shift 2
	mkdir -p "$(dirname "$file")"
	printf '# A test.\n# fio-peak: %s\n' "$header" >"$file"
	printf '%s\n' "$@" >>"$file"
}
reads='mode=once shape=random destroys=no time=0+1s'
job read.fio "$reads" '[read]' rw=randread bs=4k
job write.fio 'mode=once shape=random destroys=yes time=0+1s' '[write]' rw=randwrite bs=4k runtime=1

# refused NAME REGEX ARGS...: status 2, one line, nothing made, nothing written
refused()
{
	local name=$1 regex=$2 before
	shift 2
	before=$(find . | sort | xargs -d '\n' ls -ld; find . -type f | sort | xargs -d '\n' cksum)
	curve --yes "$@"
	like "$status $err" "^2 fio-curve: $regex" "refused: $name"
	is "$(wc -l <<<"$err") $out" '1 ' '... in one line'
	is "$(find . | sort | xargs -d '\n' ls -ld; find . -type f | sort | xargs -d '\n' cksum)" "$before" \
		'... and nothing is touched'
}

# --- --set -------------------------------------------------------------------------------------------

for set in filename=precious directory=x opendir=x read_iolog=logs/io unlink=1 allow_mounted_write=1; do
	refused "--set=$set" "--set=$set: ${set%%=*} is not for --set to give: --drive does$" --drive=a=a.nvsim \
		--set=$set write.fio
done
refused '--set of what a point is made of' '--set=numjobs=4: numjobs is not for --set to give: --grid or the job file does$' \
	--drive=a=a.nvsim --set=numjobs=4 read.fio
refused '... by its other name' '--set=blocksize=4k: bs is not for --set to give: the job file does$' \
	--drive=a=a.nvsim --set=blocksize=4k read.fio
refused '... two options in one' '--set=thread=1;filename=precious: write NAME=VALUE' --drive=a=a.nvsim \
	'--set=thread=1;filename=precious' read.fio
refused 'an option that fio does not know' '--set: a .*bogus' --drive=a=a.nvsim --set=bogus=1 read.fio

# --- job files ---------------------------------------------------------------------------------------

for line in opendir=x read_iolog=logs/io unlink=1 unlink_each_loop=1; do
	job bad.fio "$reads" '[bad]' rw=randread bs=4k $line
	refused "a job file with $line" "bad\.fio: \[bad\] ${line%%=*}=: would lead fio away from --drive's target, or delete it" \
		--drive=a=a.nvsim bad.fio
done
job bad.fio "$reads destroys=yes" '[bad]' rw=randwrite bs=4k
refused 'a key of line 2 twice' 'bad\.fio:2: destroys= is there twice; write it once' --drive=a=a.nvsim bad.fio
job bad.fio 'mode=once shape=random destroys=yes time=0+1s' '[bad]' rw=randwrite bs=4k offset=64M size=1M
refused 'an offset beyond the target' '.*\[bad\] offset=67108864: the target has only 33554432 bytes' --drive=a=a.nvsim bad.fio
job bad.fio "$reads" '[bad]' rw=randread bs=4k offset=25% offset_increment=25% numjobs=4 size=1M
refused "... of the last job" '.*\[bad\] offset=33554432 \(of the last job\): the target has only 33554432 bytes' \
	--drive=a=a.nvsim bad.fio
job one/w/read.fio "$reads" '[read]' rw=randread bs=4k
job two/w/read.fio "$reads" '[read]' rw=randread bs=8k
refused 'two job files with one folder of results' "two/w/read\.fio: its results would lie where those of one/w/read\.fio do, in w/read" \
	--drive=a=a.nvsim one/w/read.fio two/w/read.fio
refused '... as families' ".*two/w/read\.fio: its results would lie where" --drive=a=a.nvsim one/w two/w
curve --drive=a=a.nvsim --dry-run one/w/read.fio ./one/w/read.fio
is "$status $(grep -c '^###' <<<"$out")" '0 1' 'one job file by two paths is one'
job one/w/.hidden.fio "$reads" '[hidden]' rw=randread bs=4k
curve --drive=a=a.nvsim --dry-run one/w
is "$status $(grep -c '^###' <<<"$out")" '0 1' 'hidden job files of a family are left out'
refused 'a hidden job file by its name' '.*/\.hidden\.fio: is hidden' --drive=a=a.nvsim one/w/.hidden.fio

# --- options that nothing looks at -----------------------------------------------------------------------

refused '--points without a curve' '--points: none of these workloads is a curve' --drive=a=a.nvsim --points=50 read.fio
refused '--grid without a grid' '--grid: none of these workloads has a grid' --drive=a=a.nvsim --grid=2x2 read.fio
refused 'a working set beyond the drive' '.*has only 33554432 bytes' --drive=a=a.nvsim --working-set=1G write.fio
refused '--client without an engine' '.*--client: say with --ioengine=' --drive=a=/dev/sdz --client=host read.fio

# --- names -----------------------------------------------------------------------------------------------

truncate -s 1M img
cp img 'img#1'
cp img 'img;1'
for name in 'img#1' 'img;1'; do
	refused "a target that fio would cut: $name" "--drive=p=$name: fio cannot take such a name" --drive="p=$name" \
		--ioengine=psync write.fio
done
refused 'results in such a folder' '--out=o#8: fio cannot take such a name' --drive=a=a.nvsim '--out=o#8' read.fio
job 'odd#1.fio' "$reads" '[read]' rw=randread bs=4k
refused 'a job file of such a name' 'odd#1\.fio: fio cannot take such a name' --drive=a=a.nvsim 'odd#1.fio'
job remark.fio "$reads" '[read]' 'rw=randread ; as fio reads it' 'bs=4k # not 8k'
curve --drive=a=a.nvsim --dry-run remark.fio
like "$out" $'\nrw=randread\nbs=4k\n' "the rest of an option's line is a remark"

# --- links ---------------------------------------------------------------------------------------------------

ln -s img soft
ln img hard
for link in soft hard; do
	refused "one file by two names: $link" "--drive: .*/img and .*/$link are the same drive" --drive=i=img --drive=l=$link \
		--ioengine=psync write.fio
done
truncate -s 16M disk.img
ln -s disk.img soft.img
ln disk.img hard.img
if loop=$(losetup --find --show disk.img 2>"$work/losetup"); then
	for link in soft.img hard.img; do
		refused "a link to the file behind a loop device: $link" \
			".*/$link: will not be overwritten: it is the disk behind loop" --drive=d=$link write.fio
	done
	losetup -d "$loop"
else
	skip 'a link to the file behind a loop device' "$(head -n 1 "$work/losetup")"
fi

# --- folders -------------------------------------------------------------------------------------------------

mkdir share
echo mine >share/nas.0
job nas.fio 'mode=once shape=random destroys=no time=0+1s' '[nas]' rw=randread bs=4k 'filename_format=nas.$filenum' \
	numjobs=1 time_based=1
before=$(cksum share/nas.0)
curve --drive=n=share --file-size=1M --ioengine=psync nas.fio
is "$status" 2 'a file that is too short to be read, and would be written anew'
like "$err" "This destroys everything on"$'\n'".*share/nas\.\*" '... is asked about'
is "$(cksum share/nas.0)" "$before" '... and is as it was'
room=$(df --output=avail -B1 . | tail -n 1)
refused 'a file that there is no room for' '.*room' --drive=n=big.img --file-size=$((room * 2)) --ioengine=psync write.fio
done_testing
