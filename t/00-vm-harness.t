#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The VM harness keeps its word: what goes in arrives, what comes out is the guest's, and it stops.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
run=$top/t/vm/run

# Usage: no boot is needed to refuse.
refused()
{
	local name=$1 regex=$2
	shift 2
	capture "$run" "$@"
	is "$status" 2 "$name: exit status 2"
	like "$err" "$regex" "$name: says why"
	is "$(wc -l <"$work/capture.err")" 1 "$name: in one line"
}

refused "no script" "^t/vm/run: which script\?"
refused "a script that is not there" "^t/vm/run: /nowhere: no such script" /nowhere
refused "an unknown option" "^t/vm/run: --frob: unknown option" --frob /bin/true
refused "a timeout of 0" "wants whole seconds" --timeout=0 /bin/true

command -v qemu-system-x86_64 >/dev/null || {
	skip "everything that boots" "needs qemu-system-x86_64 (ci/deps vm)"
	done_testing
}
"$top/t/vm/image" >/dev/null || bail "t/vm/image cannot make the guest"

# What a run says, but for the news that the guest had to be packed anew.
unpacked()
{
	grep -v "^t/vm/image: packing" <<<"$1"
}

refused "an unknown drive key" "unknown key 'colour'" --drive=name=a,colour=red /bin/true
refused "a drive without a name" "needs name=" --drive=size=64M /bin/true
refused "a drive size that is none" "size= wants a number" --drive=name=a,size=big /bin/true
refused "a property that QEMU lacks" "QEMU refuses: .*'nvme.frob' not found" \
	--drive=name=a,ctrl.frob=1 /bin/true

# Two lives in the background: one that hangs, one that dies.
"$run" --timeout=45 -c 'echo started; sleep 1000' >"$work/hang.out" 2>"$work/hang.err" &
hang=$!
"$run" -c 'echo c >/proc/sysrq-trigger; sleep 1000' >"$work/dead.out" 2>"$work/dead.err" &
dead=$!

# One long life: what the guest sees, in files that come back.
cat >"$work/script" <<'END'
#!/bin/bash
echo "args: $# $1"
echo "to stderr" >&2
echo "again" >/dev/stderr
printf 'no newline at the end, a tab\t, a \r'
cd "$OUT"
echo "$IN_VM $HELLO" >env
cat /proc/cmdline >cmdline
mkdir -p deep/er
head -c 3000000 /dev/urandom >deep/er/random
sha256sum <deep/er/random >sum
for drive in a b c f m u; do
	{
		[ -b /dev/drive/$drive ] && echo block
		[ -c /dev/drive/$drive-ng ] && echo char
		nvme id-ctrl /dev/drive/$drive-ctrl
		nvme id-ns /dev/drive/$drive
		echo "sectors $(cat /sys/block/"$(basename "$(readlink /dev/drive/$drive)")"/size)"
	} >$drive 2>&1
done
nvme fdp configs /dev/drive/f-ctrl -e 1 >fdp 2>&1
nvme ocp smart-add-log /dev/drive/f-ctrl >ocp 2>&1
dd if=/dev/drive/b of=/dev/null bs=64k count=32 iflag=direct 2>&1 | tail -n 1 >b.bad
dd if=/dev/drive/b of=/dev/null bs=64k skip=16 count=16 iflag=direct >b.worse 2>&1 || echo failed >b.bad
start=$(date +%s%N)
dd if=/dev/drive/c of=/dev/null bs=4k count=300 iflag=direct 2>/dev/null
echo $((($(date +%s%N) - start) / 1000000)) >c.ms
fio --name=x --filename=/dev/drive/u --ioengine=io_uring --rw=randread --runtime=60 --time_based \
	>u.fio 2>&1 &
fio=$!
while [ "$(nvme smart-log /dev/drive/u-ctrl | awk -F: '/host_read_commands/ { print $2 + 0 }')" -lt 500 ]; do
	kill -0 $fio || break
	sleep 0.1
done
vm-control unplug u
for ((i = 0; i < 200; i++)); do
	[ -e /dev/drive/u ] || { echo gone >u.gone; break; }
	sleep 0.1
done
wait $fio
echo $? >u.status
exit 3
END
capture "$run" --out="$work/got" --env='HELLO=hello there' --append=frob=7 \
	--drive=name=a,size=48M,serial=FAST \
	--drive=name=b,mdts=5,bad-read=1M \
	--drive=name=c,iops=100 \
	--drive=name=f,fdp=8,ocp=on,lba=4096 \
	--drive=name=m,lba=4096,ms=8 \
	--drive=name=u,iops=2000 \
	"$work/script" 'one argument'
got=$work/got

is "$status" 3 "the script's exit status is the harness's"
is "$out" "args: 1 one argument"$'\n'"no newline at the end, a tab"$'\t'", a "$'\r' \
	"its arguments arrive; its output comes back, byte by byte and nothing else"
is "$(unpacked "$err")" "to stderr"$'\n'"again" "its stderr comes back apart"
is "$(cat "$got/env")" "1 hello there" "--env sets a variable"
like "$(cat "$got/cmdline")" "frob=7" "--append reaches the kernel"
is "$(sha256sum <"$got/deep/er/random")" "$(cat "$got/sum")" "--out brings 3 MB back whole"

# has NAME FILE LINE...: the lines are in FILE, blanks aside.
has()
{
	local name=$1 file=$2 line
	shift 2
	for line; do
		tr -s ' \t' ' ' <"$file" | sed 's/ $//' | grep -qxF -- "$line" || {
			fail "$name" "no line \"$line\" in:" "$(cat "$file")"
			return
		}
	done
	pass "$name"
}
has "drive a: nodes, size and serial number" "$got/a" block char "sn : FAST" "sectors 98304" "mdts : 7"
has "drive b: mdts" "$got/b" block char "sn : b" "mdts : 5" "sectors 131072"
has "drive b: reading the bad place fails" "$got/b.bad" failed
like "$(cat "$got/b.worse")" "No data available" "... as a medium error does"
like "$(cat "$got/f")" "ms:0 +lbads:12 .*\(in use\)" "drive f: LBAs of 4096 bytes"
like "$(cat "$got/fdp")" "Number of Reclaim Unit Handles: 8" "drive f: FDP with 8 reclaim unit handles"
like "$(cat "$got/ocp")" "Physical media units written" "drive f: OCP SMART log"
like "$(cat "$got/m")" "ms:8 +lbads:12 .*\(in use\)" "drive m: 8 bytes of metadata"
has "drive m: full capacity beside the metadata" "$got/m" "nsze : 0x4000"
ok "drive c: 300 reads at 100 IOPS take two seconds and more" test "$(cat "$got/c.ms")" -ge 2000
is "$(cat "$got/u.gone" 2>&1)" gone "drive u: unplugged during I/O, its node goes away"
ok "drive u: ... and the I/O fails" test "$(cat "$got/u.status")" -ne 0

capture "$run" -c true
is "$status $out $(unpacked "$err")" "0  " "a script that succeeds without a word: status 0, no output"
capture env VM_PATIENCE=1 "$run" -c true
is "$status" 125 "a guest that stands still while it boots, twice: status 125"
is "$(grep -c "booting again" <<<"$err")" 1 "... it was booted once more"
capture "$run" --append=rdinit=/none -c true
is "$status" 125 "a guest that dies while it boots, twice: status 125"
is "$(grep -c "died while it booted; booting again" <<<"$err")" 1 "... it was booted once more"
wait $dead
is $? 125 "a guest that panics: status 125"
like "$(cat "$work/dead.err")" "the guest died.*sysrq" "a guest that panics: the console's end is shown"
wait $hang
is $? 124 "a script that hangs: status 124"
is "$(cat "$work/hang.out")" started "a script that hangs: its output came before"
like "$(cat "$work/hang.err")" "stopped after 45 seconds" "a script that hangs: says so"

# Folders are named after their process.
is "$(cd "$top" && find "$build/vm" -name "run.$hang.*" -o -name "run.$dead.*")" "" \
	"nothing is left behind"
done_testing
