#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio on model drives, from end to end: data, options, faults, refusals; and that fio never changes
# the file but by commands. What the drives count and how they behave in time is for other tests.

# shellcheck source=t/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/mistakes.sh
. "$(dirname "$0")/mistakes.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/vm/engine.sh"

use_model_drives
scratch=$work/scratch
mkdir "$scratch"
chmod 755 "$work" "$scratch"
cd "$scratch" || exit 1

# make_drive FILE OPTION...: without timing unless an option says otherwise.
make_drive()
{
	local file=$1
	shift
	rm -f "$file"
	"$nvsim" create "$file" --timing=none --seed=1 "$@" >"$work/nvsim.out" 2>&1 ||
		bail "nvsim create $file $*: $(cat "$work/nvsim.out")"
}

make_drive a.nvsim --capacity=64M
make_drive b.nvsim --capacity=64M
make_drive small.nvsim --capacity=16M --lba=512
make_drive timed.nvsim --capacity=64M --timing=real --t-read=2ms --t-program=3ms --t-transfer=50us \
	--dies=4

# The data are the last part of the file, by logical address. data FILE BYTES
data()
{
	tail -c "$2" "$1" | cksum
}

# ran NAME READS WRITES: the last run sent so many commands.
ran()
{
	is "$(commands Read) $(commands Write)" "$2 $3" "$1: commands"
}

# --- data ----------------------------------------------------------------------------------------

works 'the whole drive, written and verified' --filename=a.nvsim --rw=write --bs=64k --iodepth=16 \
	--verify=crc32c --nvme_verbose=1
ran '... which is 64 MiB' 1024 1024
works '... in random order, with sizes that vary' --filename=a.nvsim --rw=randwrite \
	--bsrange=4k-128k --iodepth=32 --verify=crc32c
works 'random reads and writes' --filename=a.nvsim --rw=randrw --bs=4k --iodepth=8 \
	--number_ios=4000 --verify=crc32c
works 'blocks of 512 bytes' --filename=small.nvsim --rw=randwrite --bs=512 --iodepth=32 \
	--verify=crc32c --size=2M --nvme_verbose=1
ran '... each a command' 4096 4096
works '... of 512 to 8192' --filename=small.nvsim --rw=randwrite --bsrange=512-8k --bs_unaligned=0 \
	--iodepth=32 --verify=crc32c
works 'forked jobs, each its own quarter' --filename=a.nvsim --rw=randwrite --bs=4k --iodepth=32 \
	--numjobs=4 --size=25% --offset_increment=25% --verify=crc32c --nvme_verbose=1
ran '... which are 16384 blocks' 16384 16384
works 'threads' --thread --filename=a.nvsim --rw=randwrite --bs=4k --iodepth=32 \
	--numjobs=4 --size=25% --offset_increment=25% --verify=crc32c --nvme_verbose=1
ran '... which are 16384 blocks' 16384 16384
works 'jobs that write the same blocks' --filename=a.nvsim --rw=randrw --bs=4k --iodepth=32 \
	--numjobs=4 --number_ios=5000 --nvme_verbose=1
is "$(($(commands Read) + $(commands Write)))" 20000 '... 5000 commands each'

# A drive of its own that nobody closes while others work: two fio at once.
engine_fio --filename=a.nvsim --rw=randwrite --bs=4k --iodepth=8 --size=32M --verify=crc32c \
	--verify_backlog=64 &
fio --name=other "--ioengine=$ENGINE" --filename=a.nvsim --rw=randwrite --bs=4k --iodepth=8 \
	--offset=32M --size=32M --verify=crc32c --output="$work/other" >"$work/other.err" 2>&1
is $? 0 'two fio processes on one drive: the one'
wait $!
is $? 0 '... and the other'

pattern()
{
	engine_fio --bs=64k --verify=pattern --rw=write "$@"
}
for f in a b; do
	pattern --filename=$f.nvsim --verify_pattern=0x5a --do_verify=0
done
works 'two drives in one job' --filename=a.nvsim:b.nvsim --rw=write --bs=64k --iodepth=8 \
	--verify=pattern --verify_pattern=0x77 --nvme_verbose=1
ran '... one after the other' 2048 2048
for f in a b; do
	ok "... $f has its data" pattern --filename=$f.nvsim --verify_pattern=0x77 --verify_only
done
works '... at random' --filename=a.nvsim:b.nvsim --rw=randrw --bs=4k --iodepth=32 --number_ios=4000
engine_fio --filename=a.nvsim:./a.nvsim --rw=read --bs=64k --number_ios=4
like "$(<"$work/err")" 'note: a.nvsim and ./a.nvsim are the same namespace .inode [0-9]+ of device' \
	'one drive under two names: a note'

pattern --filename=a.nvsim --verify_pattern=0x11 --do_verify=0
ok 'before the trim it does not read as zeros' eval \
	'! pattern --filename=a.nvsim --verify_pattern=0x00 --verify_only'
works 'trim' --filename=a.nvsim --rw=trim --bs=1M --iodepth=4 --nvme_verbose=1
is "$(commands 'Dataset Management')" 64 '... one command each'
ok '... afterwards it reads as zeros' pattern --filename=a.nvsim --verify_pattern=0x00 --verify_only
works 'trims above what one write carries' --filename=a.nvsim --rw=trim --bs=16M --nvme_split=0 --nvme_verbose=1
is "$(commands 'Dataset Management') $(grep -c 'takes [0-9]* commands' "$work/err")" '4 0' \
	'... are not split, and no note says so'
works 'random trims between writes' --filename=a.nvsim --rw=randtrimwrite --bs=4k --iodepth=8 \
	--number_ios=2000

works 'fsync=10' --filename=a.nvsim --rw=write --bs=4k --size=400k --fsync=10 --nvme_verbose=1
is "$(commands Flush)" 9 '... is a Flush each, none after the last write'
works 'end_fsync=1' --filename=a.nvsim --rw=write --bs=4k --size=40k --end_fsync=1 --nvme_verbose=1
is "$(commands Flush)" 1 '... is one Flush'

works 'an I/O of 4 MiB is split' --filename=a.nvsim --rw=write --bs=4m --iodepth=4 --verify=crc32c \
	--nvme_verbose=1
like "$(<"$work/err")" 'note: a.nvsim: one command carries ([0-9]+) KiB; an I/O of 4096 KiB takes' \
	'... a note says how'
parts=$((4096 / ${BASH_REMATCH[1]:-4096}))
ran "... $parts commands each" $((16 * parts)) $((16 * parts))
refused '... but not with nvme_split=0' 'a.nvsim: bs of 4194304 bytes is above what one command' \
	--filename=a.nvsim --rw=write --bs=4m --nvme_split=0

works 'a job that only reads' --readonly --filename=a.nvsim --rw=randread --bs=4k --iodepth=32 \
	--number_ios=5000 --nvme_verbose=1
ran '... sends no write' 5000 0
works 'depth 32768' --filename=a.nvsim --rw=randread --bs=4k --iodepth=32768 --number_ios=50000
works 'nvme_fixedbufs=0 and nvme_poll=1' --filename=a.nvsim --rw=randread --bs=4k --number_ios=5000 \
	--nvme_fixedbufs=0 --nvme_poll=1
works 'batches' --filename=a.nvsim --rw=randread --bs=4k --iodepth=64 --iodepth_batch=16 \
	--iodepth_batch_complete_min=8 --number_ios=5000
works '... and none waited for' --filename=a.nvsim --rw=randread --bs=4k --iodepth=64 \
	--iodepth_batch=16 --iodepth_batch_complete_min=0 --number_ios=5000

# --- time ----------------------------------------------------------------------------------------

# least DIRECTION: the shortest completion latency of the last run, ns.
least()
{
	awk -v want="\"$1\"" '$1 == want { found = 1 } found && /"clat_ns"/ { clat = 1 }
		clat && $1 == "\"min\"" { print $3 + 0; exit }' "$work/out"
}

engine_fio --filename=timed.nvsim --rw=write --bs=64k --size=4M
works 'a drive that takes its time' --filename=timed.nvsim --rw=randread --bs=4k --size=4M \
	--number_ios=50 --nvme_verbose=1
ok '... no read ends before its 2.05 ms are over' test "$(least read)" -ge 2050000
is "$(grep -c 'this host added' "$work/err")" 1 '... nvme_verbose=1: what the host added'
works '... at depth' --filename=timed.nvsim --rw=randread --bs=4k --size=4M --iodepth=512 \
	--number_ios=2000 --nvme_verbose=1
ok '... nor here' test "$(least read)" -ge 2050000
works '... four jobs' --filename=timed.nvsim --rw=randread --bs=4k --size=4M --numjobs=4 \
	--number_ios=50 --nvme_verbose=1
is "$(grep -c 'this host added' "$work/err")" 1 '... one line for all'
works '... polled' --filename=timed.nvsim --rw=randread --bs=4k --size=4M --nvme_poll=1 \
	--number_ios=50
works '... with another that does not' --filename=timed.nvsim:a.nvsim --rw=randread --bs=4k \
	--size=4M --iodepth=8 --number_ios=400

# A drive of the same figures but --timing=none: a read would take 100 s.
make_drive none.nvsim --capacity=16M --t-read=1s --t-program=1s
works '--timing=none takes none of it' --filename=none.nvsim --rw=randwrite --bs=4k --number_ios=100 \
	--verify=crc32c --nvme_verbose=1
is "$(grep -c 'this host added' "$work/err")" 0 '... there is nothing to add to'

# --- the file is left alone ----------------------------------------------------------------------

# What fio could do to a file that it takes for its own. Name, size, place; and data, where nothing
# or only reads are asked for.
state()
{
	stat -c '%n %i %s %a %U' a.nvsim
	ls
}

# untouched NAME ARGS...
untouched()
{
	local name=$1 before after
	shift
	before=$(state; data a.nvsim 64M)
	works "$name" --filename=a.nvsim "$@"
	after=$(state; data a.nvsim 64M)
	is "$after" "$before" '... leaves it as it is'
}

engine_fio --filename=a.nvsim --rw=randwrite --bs=4k --number_ios=100
untouched 'a read' --rw=read --bs=64k
untouched 'create_on_open=1' --rw=read --bs=64k --create_on_open=1
untouched 'unlink=1' --rw=read --bs=64k --unlink=1
untouched 'unlink_each_loop=1' --rw=read --bs=64k --unlink_each_loop=1 --loops=2
untouched 'fallocate=native' --rw=read --bs=64k --fallocate=native
untouched 'pre_read=1' --rw=read --bs=64k --pre_read=1
untouched 'size= above the drive' --rw=read --bs=64k --size=128M
untouched 'filesize= above the drive' --rw=read --bs=64k --filesize=128M
untouched 'openfiles=1 and loops' --rw=read --bs=64k --openfiles=1 --loops=3
untouched 'allow_file_create=0' --rw=read --bs=64k --allow_file_create=0
untouched 'invalidate=1' --rw=read --bs=64k --invalidate=1
before=$(state; data a.nvsim 64M)
engine_fio --filename=a.nvsim --rw=write --bs=64k --size=1M --file_append=1
like "$(<"$work/err")" "can't append" 'file_append=1: fio refuses it'
is "$(state; data a.nvsim 64M)" "$before" '... and leaves the drive as it is'
engine_fio --filename=a.nvsim --rw=write --bs=64k --create_only=1
is $? 0 'create_only=1'
is "$(state; data a.nvsim 64M)" "$before" '... leaves it as it is'
engine_fio --filename=a.nvsim --rw=write --bs=64k --create_only=1 --size=128M --overwrite=1
is "$(state; data a.nvsim 64M)" "$before" '... also with size= above the drive and overwrite=1'

# written NAME ARGS...: writes only to the first MiB; the rest and the file stay.
written()
{
	local name=$1 before after
	shift
	before=$(state; data a.nvsim 63M)
	works "$name" --filename=a.nvsim --rw=write --bs=64k --io_size=1M "$@"
	after=$(state; data a.nvsim 63M)
	is "$after" "$before" '... changes what it writes to'
}
written 'writes with unlink=1' --unlink=1
written 'writes with overwrite=1' --overwrite=1
written 'writes with fallocate=posix, create_fsync=1' --fallocate=posix --create_fsync=1
written 'writes with fallocate=truncate and size= above the drive' --fallocate=truncate --size=128M
written 'writes with filesize= above the drive' --filesize=1G
written 'writes with file_append=0, fsync_on_close=1' --file_append=0 --fsync_on_close=1
written 'writes with create_serialize=0 by four jobs' --create_serialize=0 --numjobs=4
mkdir folder
mv b.nvsim folder
engine_fio --directory=folder --filename=b.nvsim --rw=write --bs=64k --verify=crc32c
is $? 0 'directory= and filename='
is "$(ls folder)" b.nvsim '... makes nothing'

# --- faults --------------------------------------------------------------------------------------

"$nvsim" fail a.nvsim read-error --lba=100-103 >/dev/null || bail "nvsim fail"
refused 'an unrecovered read error' \
	'a.nvsim: Read of 16 blocks at LBA 96 failed: Unrecovered Read Error .SCT 2h SC 81h, DNR.; the data is lost: see `nvsim log a.nvsim smart`$' \
	--filename=a.nvsim --rw=read --bs=64k
works '... elsewhere there is none' --filename=a.nvsim --rw=read --bs=64k --offset=1M
works '... nor for writes' --filename=a.nvsim --rw=write --bs=64k --size=1M
engine_fio --filename=a.nvsim --rw=read --bs=4k --size=1M --continue_on_error=io --nvme_verbose=1
is $? 0 '... continue_on_error=io goes on'
like "$(<"$work/err")" 'commands: 256 Read.*; 4 failed' '... over four of 256'
"$nvsim" fail a.nvsim --clear >/dev/null || bail "nvsim fail --clear"
works '... cleared, it is gone' --filename=a.nvsim --rw=read --bs=64k
"$nvsim" fail a.nvsim internal-error --every=10 --times=1 >/dev/null || bail "nvsim fail"
refused 'an internal error' 'a.nvsim: Write of 1 blocks at LBA 9 failed: Internal Error .SCT 0h SC 06h.; asked for by nvsim fail. see `nvsim fail a.nvsim --list`$' \
	--filename=a.nvsim --rw=write --bs=4k
"$nvsim" fail a.nvsim --clear >/dev/null
"$nvsim" fail a.nvsim delay=300ms --opcode=read --times=1 >/dev/null || bail "nvsim fail"
works 'a command that is late' --filename=a.nvsim --rw=randread --bs=4k --iodepth=4 --number_ios=100
ok '... holds up nothing but itself' test "$(ios read)" = 100
like "$(sed -n 's/.*"max" : \([0-9]*\).*/\1/p' "$work/out" | sort -n | tail -1)" \
	'^[3-9][0-9]{8}$|^[1-9][0-9]{9,}$' '... and takes its 300 ms'
"$nvsim" fail a.nvsim --clear >/dev/null

# --- refused -------------------------------------------------------------------------------------

cp a.nvsim truncated.nvsim && truncate -s -4096 truncated.nvsim
cp a.nvsim damaged.nvsim && printf '\377' | dd of=damaged.nvsim bs=1 seek=70 conv=notrunc status=none
head -c 8 a.nvsim >magic.nvsim
head -c 1M /dev/zero >zeros.nvsim
cp a.nvsim readonly.nvsim && chmod 444 readonly.nvsim
cp a.nvsim secret.nvsim && chmod 0 secret.nvsim
chmod 666 a.nvsim
# shellcheck disable=SC2034 # the tables' rows use it
engine="--name=t --ioengine=$ENGINE --bs=4k"
state()
{
	stat -c '%n %i %s %a %U' *
	cksum truncated.nvsim damaged.nvsim magic.nvsim zeros.nvsim readonly.nvsim
	data a.nvsim 64M
}

mistakes <<'END'
a drive that is not there     | $engine --rw=write --filename=new.nvsim       | nvmept: new.nvsim: no such file; `nvsim create new.nvsim` makes a model drive$ | 1
... in a folder               | $engine --rw=write --filename=folder/n.nvsim --size=1M | nvmept: folder/n.nvsim: no such file; `nvsim create | 1
a file that is no drive       | $engine --rw=write --filename=zeros.nvsim     | nvmept: zeros.nvsim: is a regular file, not an NVMe namespace, and not a model drive; give /dev/ngXnY, make a model drive with `nvsim create`, or use another ioengine$ | 1
a drive cut short             | $engine --rw=write --filename=truncated.nvsim | nvmept: truncated.nvsim: is damaged: | 1
... by four jobs              | $engine --rw=write --filename=truncated.nvsim --numjobs=4 | nvmept: truncated.nvsim: is damaged: | 4
... the second of two         | $engine --rw=write --filename=a.nvsim:truncated.nvsim | nvmept: truncated.nvsim: is damaged: | 1
a drive with another header   | $engine --rw=write --filename=damaged.nvsim   | nvmept: damaged.nvsim: is damaged: | 1
nothing but the magic number  | $engine --rw=write --filename=magic.nvsim     | nvmept: magic.nvsim: is  | 1
nothing at all of it, to read | $engine --rw=read --filename=magic.nvsim      | nvmept: magic.nvsim: is  | 1
bs=512 of 4096-byte blocks    | $engine --rw=write --bs=512 --filename=a.nvsim | nvmept: a.nvsim: bs=512 is not a multiple of the logical block, 4096 bytes | 1
iodepth=40000                 | $engine --rw=read --iodepth=40000 --filename=a.nvsim | nvmept: iodepth=40000: .* 1 to 32768 | 1
END

# As root one may do everything.
as=
if [ "$(id -u)" = 0 ]; then
	as="setpriv --reuid=65534 --regid=65534 --clear-groups"
fi
if [ -z "$as" ] || $as true 2>/dev/null; then
	mistakes <<-'END'
	a drive that one may only read  | $engine --rw=write --filename=readonly.nvsim | nvmept: readonly.nvsim: cannot be written \(Permission denied\) | 1
	... to read it                  | $engine --rw=read --filename=readonly.nvsim  | nvmept: readonly.nvsim: cannot be written \(Permission denied\); a model drive counts reads too | 1
	a drive that one may not read   | $engine --rw=read --filename=secret.nvsim    | nvmept: secret.nvsim: cannot read it: Permission denied$ | 1
	END
else
	skip "drives that one may not write to" "needs setpriv to be another user"
fi
done_testing
