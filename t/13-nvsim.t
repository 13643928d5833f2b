#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# nvsim: every command, every mistake with its line and exit status, and figures that fit together.
# What a drive does under fio has 35-model.t.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
nvsim=$(cd "$top" && realpath "$build/nvsim")
[ -x "$nvsim" ] || bail "$nvsim is not built: make"
plugin=$(cd "$top" && realpath "$build/nvmept.so")
cd "$work" || exit 1

# nv ARGS...: runs nvsim; leaves $out, $err, $status.
nv()
{
	capture "$nvsim" "$@"
}

# look: all that info --json says of d.nvsim, by its keys: ${v[geometry units]}, ${v[power states 0
# max_mw]}.
declare -A v
look()
{
	local key value
	v=()
	while IFS=$'\t' read -r key value; do
		v[$key]=$value
	done < <("$nvsim" info --json d.nvsim | perl -MJSON::PP -0777 -e '
		sub walk {
			my ($j, @at) = @_;
			if (ref $j eq "HASH") { walk($j->{$_}, @at, $_) for keys %$j }
			elsif (ref $j eq "ARRAY") { walk($j->[$_], @at, $_) for 0 .. $#$j }
			else { print "@at\t", $j // "null", "\n" }
		}
		walk(decode_json(<STDIN>))')
	[ ${#v[@]} -gt 50 ] || bail "nvsim info --json d.nvsim: ${!v[*]}"
}

# made NAME ARGS...: a drive d.nvsim is made of these options, silently.
made()
{
	local name=$1
	shift
	rm -f d.nvsim
	nv create d.nvsim "$@"
	is "$status$out$err" 0 "create: $name"
	look
}

# near GOT WANT PERCENT NAME
near()
{
	if perl -e 'exit !(abs($ARGV[0] - $ARGV[1]) <= $ARGV[1] * $ARGV[2] / 100)' "$1" "$2" "$3"; then
		pass "$4"
	else
		fail "$4" "got:  $1" "want: $2 within $3%"
	fi
}

# All files here, and when they changed: all but d.nvsim, as opening a drive touches it.
files()
{
	find . -mindepth 1 ! -name 'capture.*' -printf '%p %s %T@\n' |
		sed 's/^\(.\/d.nvsim [0-9]*\).*/\1/' | sort
}

# mistakes: reads lines "NAME | ARGUMENTS | REGEX | EXIT STATUS". One line on stderr, none on stdout,
# and no file comes, goes or changes.
mistakes()
{
	local name args regex want before after
	while IFS='|' read -r name args regex want; do
		read -r name <<<"$name"
		read -r regex <<<"$regex"
		before=$(files)
		eval "nv $args"
		after=$(files)
		if [ "$status" = "${want// /}" ] && [[ $err =~ $regex ]] && [ -z "$out" ] &&
			[ "$(wc -l <capture.err)" = 1 ] && [ "$before" = "$after" ]; then
			pass "$name"
		else
			fail "$name" "nvsim $args: exit status $status, want $want" "err: $err" "out: $out" \
				"regex: $regex" "$(diff <(echo "$before") <(echo "$after"))"
		fi
	done
}

# --- help ---
for command in '' create info log reset fail; do
	# shellcheck disable=SC2086
	nv $command --help
	is "$status$err" 0 "nvsim $command --help"
	like "$out" "^Usage: nvsim $command" '... shows its usage'
	like "$out" 'nvsim '"${command:-create}"' [a-z]+\.nvsim' '... and an example'
	ok '... and fits into 80 columns' test "$(wc -L <<<"$out")" -le 80
done
ok 'nvsim --help fits a screen' test "$("$nvsim" --help | wc -l)" -le 24
nv --version
is "$status$out" '0nvsim 0.1' '--version'
nv --nonsense
is "$status" 2 'an unknown option'
like "$err" "^nvsim: unrecognized option '--nonsense'"$'\n' '... is named'
nv create --nonsense d.nvsim
is "$status" 2 "a command's unknown option"
like "$err" "^nvsim create: unrecognized option '--nonsense'"$'\n' '... is named'
ok '... and there is no file' test ! -e d.nvsim

# --- create: defaults and options ---
made 'defaults'
is "${v[geometry capacity_bytes]}" 1073741824 'a capacity of 1 GiB'
is "${v[geometry block_bytes]}" 4096 'blocks of 4 KiB'
is "${v[geometry units]}" 1096 '7% over-provisioning, in units'
is "${v[geometry unit_pages]}" 256 'units of 1 MiB'
is "${v[geometry reserve_units]}" 2 'two in reserve'
is "${v[placement fdp]}" on 'FDP is on'
is "${v[preset]}${v[factor]}" nullnull 'no preset, no factor'
is "${v[power states 0 max_mw]}" 25000 'state 0 has 25 W'
near "${v[timing read_iops]}" $((4 * 1000000 / 70)) 0.1 'reads: dies over read time'
near "${v[timing program_bytes_per_second]}" $((4 * 4096 * 1000000 / 120)) 1.1 \
	'programs: dies over program time, and erases take 1%'
first=${v[serial]}
made 'defaults again'
like "${v[serial]} $first" '^SIM[0-9A-F]{16} SIM[0-9A-F]{16}$' 'serial numbers are made'
ok '... and differ' test "$first" != "${v[serial]}"
ok 'a new drive takes up little space' test "${v[disk_bytes]}" -lt $((16 << 20))

made 'all options' --capacity=0.25GiB --units=600 --lba=512 --ru-size=512k --reserve=3 --ruhs=4 \
	--ruh-type=persistently --fdp=off --dies=8 --channels=4 --buffer=1M --t-read=50 \
	--t-program=0.2ms --t-erase=1000ns --t-transfer=4us --timing=real --e-read=100 \
	--e-program=0.5uJ --e-erase=1mJ --seed=0x2a --serial='A b-1' \
	--power-states=10W:idle=1500mW:entry=1ms:exit=2ms,5W,0.5W:nonop
while read -r want keys; do
	is "${v[$keys]}" "$want" "$keys is $want"
done <<'END'
268435456 geometry capacity_bytes
600 geometry units
512 geometry block_bytes
128 geometry unit_pages
3 geometry reserve_units
4 geometry units_apart
persistently placement isolation
off placement fdp
8 timing dies
4 timing channels
1048576 timing buffer_bytes
50000 timing read_ns
200000 timing program_ns
1000 timing erase_ns
4000 timing transfer_ns
real timing timing
100 power read_nj
500 power program_nj
1000000 power erase_nj
42 seed
10000 power states 0 max_mw
1500 power states 0 idle_mw
1000 power states 0 entry_us
2000 power states 0 exit_us
1 power states 0 operational
5000 power states 1 max_mw
1000 power states 1 idle_mw
0 power states 1 entry_us
500 power states 2 max_mw
500 power states 2 idle_mw
0 power states 2 operational
END
is "${v[serial]}" 'A b-1' 'the serial number is as given'
made 'a seed makes the serial number' --seed=42
is "${v[serial]}" SIM000000000000002A '... always the same'
made 'no timing' --timing=none
is "${v[timing read_iops]}${v[timing timing]}" nullnone '... and no peak'
made 'no FDP' --fdp=none
is "${v[placement handles 0 host_bytes]}${v[placement handles 1 host_bytes]-}" 0 '... one handle'
is "${v[placement fdp]}" none 'FDP: none'
made 'smallest' --capacity=1M --fdp=none
is "${v[geometry unit_pages]}" 16 '... has small units'

# --- over-provisioning and the WAF to expect, against published figures (table of a/(a + W0)) ---
for row in 1053:0.05:10.67 1073:0.07:7.82 1103:0.10:5.68 1128:0.125:4.68 1203:0.20:3.19 1253:0.25:2.69; do
	IFS=: read -r units rho waf <<<"$row"
	made "$units units for 1000" --capacity=1000M --ru-size=1M --units="$units"
	near "${v[geometry effective_over_provisioning]}" "$rho" 0.01 "... leave $rho"
	near "${v[geometry waf_uniform_random]}" "$waf" 0.2 "... and WAF $waf"
done
made '--op as a fraction' --op=0.125
near "${v[geometry over_provisioning]}" 0.125 0.001 '... counts physical over logical'
made '--op in percent' --op=12.5%
is "${v[geometry units]}" 1152 '... gives as many units'

# --- presets ---
for preset in gen5-read gen5-mixed gen4 nas-gen3; do
	made "--preset=$preset" --preset=$preset
	nv info d.nvsim
	is "$status$err" 0 "info of $preset"
	like "$out" 'multiply IOPS, bandwidth and outstanding I/Os'$'\n''by 64' '... says the factor'
	ok '... and fits into 100 columns' test "$(wc -L <<<"$out")" -le 100
	is "${v[preset]}${v[factor]}" "${preset}64" '... --json, too'
	reads=${v[timing read_iops]}
	ok '... reads no more than two cores can time' test "${reads%.*}" -le 60000
	ok '... has 256 units or more' test "${v[geometry units]}" -ge 256
	echo "$preset $reads ${v[timing program_bytes_per_second]} ${v[timing random_write_iops]} ${v[geometry waf_uniform_random]}" >>presets
done
# drive: MB/s read and written, random writes of the review, over 64
while read -r preset read write random; do
	read -r _ reads writes randoms _ < <(grep "^$preset " presets)
	near "$reads" "$(perl -e "print $read * 1e6 / 4096 / 64")" 0.1 "$preset: reads like its drive"
	near "$writes" "$(perl -e "print $write * 1e6 / 64")" 1.5 '... writes like it'
	[ "$random" = - ] || near "$randoms" $((random / 64)) 5 '... and randomly'
done <<'END'
gen5-read 13283 7696 473658
gen5-mixed 14848 7117 -
gen4 6751 4055 206660
nas-gen3 2850 500 70177
END
made 'a preset with another capacity' --preset=gen4 --capacity=64M
is "${v[factor]} ${v[geometry unit_pages]}" '64 64' '... keeps its factor'
made 'a preset with other dies' --dies=4 --preset=gen4
is "${v[factor]}${v[timing dies]}" null4 '... has none'
nv info d.nvsim
like "$out" 'no factor leads back to it' '... and says so'
made 'a preset without its FDP' --preset=gen5-read --fdp=none
is "${v[placement fdp]}" none '... has none'
made 'a preset that gets FDP' --preset=gen4 --ruhs=3
is "${v[placement fdp]}" on '... has it'

# --- create: mistakes; the drive that is there stays as it is ---
# shellcheck disable=SC2034 # the table's rows use them
cafe=$'caf\303\251' states33=1$(printf ',1%.0s' {1..32})
made 'small' --capacity=16M --timing=none
mistakes <<'END'
no command                 |                         | ^nvsim: no command given; one of create, info, log, reset, fail, serve$ | 2
an unknown command         | make d.nvsim            | ^nvsim: make: unknown; one of create | 2
no FILE                    | create                  | ^nvsim create: no FILE given$ | 2
two FILEs                  | create a b              | ^nvsim create: b: one FILE at a time$ | 2
a file that is there       | create d.nvsim          | ^nvsim: d.nvsim: exists; a drive is made as a new file | 2
... a folder               | create .                | ^nvsim: .: exists | 2
a folder that is not there | create nowhere/x        | ^nvsim: nowhere/x: No such file or directory$ | 2
an unknown preset          | create x --preset=gen6  | ^nvsim create: --preset=gen6: unknown; one of gen5-read, gen5-mixed, gen4, nas-gen3$ | 2
a size that is none        | create x --capacity=1X  | ^nvsim create: --capacity=1X: not a size; write 512M or 1.5GiB$ | 2
... in decimal units       | create x --capacity=1GB | --capacity=1GB: not a size | 2
... empty                  | create x --capacity=    | --capacity=: not a size | 2
... negative               | create x --capacity=-1G | --capacity=-1G: not a size | 2
... hexadecimal            | create x --capacity=0x1p30 | not a size | 2
... with two points        | create x --capacity=1.2.3G | not a size | 2
... that is no page        | create x --capacity=10000 | --capacity=10000: not a multiple of 4 KiB; the nearest is 8k$ | 2
... of no whole bytes      | create x --ru-size=4.0001k | --ru-size=4.0001k: not a multiple of 4 KiB; the nearest is 4k$ | 2
... of a fraction of a T   | create x --capacity=7.99T  | ^nvsim create: --capacity=7.99T: not a multiple of 4 KiB; the nearest is 8579197172k$ | 2
... zero                   | create x --capacity=0   | ^nvsim create: --capacity=0: must be above 0, a multiple of 4 KiB$ | 2
a capacity too small       | create x --capacity=64k | ^nvsim: x: a capacity of 64k is out of range; 1M to 8388607M \(--capacity\)$ | 2
... too large              | create x --capacity=8T  | a capacity of 8T is out of range; 1M to 8388607M \(--capacity\)$ | 2
... for the file system    | create x --capacity=7T --ru-size=64M | ^nvsim: x: .*the file system has .* MiB free; make room | 1
a unit too small           | create x --ru-size=8k   | ^nvsim: x: a reclaim unit of 8k is out of range; 16k to 4G \(--ru-size\)$ | 2
blocks of another size     | create x --lba=520      | --lba=520: unknown; one of 512, 4096$ | 2
no over-provisioning       | create x --op=0         | ^nvsim: x: too little over-provisioning: of 1024 reclaim units 1024 hold the capacity, 8 \+ 1 are open for the host and for garbage collection, 2 are reserve; at least 1037 units, 1.27%, or smaller units$ | 2
one unit too few           | create x --units=1036   | at least 1037 units | 2
... persistently isolated  | create x --units=1043 --ruh-type=persistently | 8 \+ 8 are open .* at least 1044 units | 2
... over-provisioning twice | create x --units=2000 --op=7% | --units and --op both give | 2
an --op that is none       | create x --op=x         | --op=x: not an over-provisioning; write 0.07 or 7%$ | 2
... negative               | create x --op=-0.1      | --op=-0.1: not an over-provisioning | 2
... huge                   | create x --op=5000000%  | not an over-provisioning | 2
too much flash             | create x --capacity=7T --op=90 --ru-size=4G | too much flash | 2
no handles                 | create x --ruhs=0       | ^nvsim create: --ruhs=0: must be above 0$ | 2
too many handles           | create x --ruhs=129     | reclaim unit handles of 129 is out of range; 1 to 128 \(--ruhs\)$ | 2
... beyond 32 bits         | create x --ruhs=5000000000 | reclaim unit handles of 4294967295 is out of range; 1 to 128 \(--ruhs\)$ | 2
handles without FDP        | create x --ruhs=2 --fdp=none | ^nvsim: x: 2 reclaim unit handles need FDP | 2
a type that is none        | create x --ruh-type=isolated | --ruh-type=isolated: unknown; one of initially, persistently$ | 2
an --fdp that is none      | create x --fdp=yes      | --fdp=yes: unknown; one of none, off, on$ | 2
a reserve too large        | create x --reserve=5000 | ^nvsim: x: a reserve of 5000 is out of range; 1 to 1024 \(--reserve\)$ | 2
a time that is none        | create x --t-read=1h    | --t-read=1h: not a time; write 70us or 1.5ms$ | 2
... too long               | create x --t-read=2s    | ^nvsim: x: a read time of 2s is out of range; 1ns to 1s \(--t-read\)$ | 2
... zero                   | create x --t-transfer=0 | ^nvsim create: --t-transfer=0: must be above 0$ | 2
... less than a nanosecond | create x --t-read=0.1ns | --t-read=0.1ns: not a time | 2
more dies than pages       | create x --dies=32 --ru-size=64k | ^nvsim: x: 32 dies, but a reclaim unit of 16 pages | 2
more channels than dies    | create x --channels=5   | a number of channels of 5 is out of range; 1 to 4 \(--channels; dies at most\)$ | 2
a buffer too small         | create x --buffer=4k    | a write buffer of 4k is out of range; 64k to 4G \(--buffer; 16k a die at least\)$ | 2
no buffer                  | create x --buffer=0     | --buffer=0: must be above 0, a multiple of 4 KiB$ | 2
an energy that is none     | create x --e-read=1W    | --e-read=1W: not an energy; write 700uJ or 3mJ$ | 2
... too large              | create x --e-read=5000mJ | ^nvsim create: --e-read=5000mJ: too much; up to 4294mJ$ | 2
a timing that is none      | create x --timing=fast  | --timing=fast: unknown; one of none, real$ | 2
a seed that is none        | create x --seed=x       | --seed=x: not a number up to 2\^64 - 1; write 42 or 0x2a$ | 2
... too large              | create x --seed=99999999999999999999 | not a number | 2
a serial number too long   | create x --serial=123456789012345678901 | --serial=.*: 1 to 20 characters$ | 2
... empty                  | create x --serial=      | --serial=: 1 to 20 characters$ | 2
... not ASCII              | create x --serial=$cafe | ^nvsim: x: the serial number has a character that is not printable ASCII$ | 2
power states: none         | create x --power-states= | ^nvsim create: --power-states: state 0: \"\" is not a power above 0; write 25W: | 2
... a word that is none    | create x --power-states=5W:foo | --power-states: state 0: \"foo\" is unknown; idle=POWER, entry=TIME, exit=TIME or nonop$ | 2
... a word too long        | create x --power-states=5W,2W:nonopt | state 1: \"nonopt\" is unknown | 2
... a word twice           | create x --power-states=5W,4W:entry=1ms:exit=1ms:entry=2ms | --power-states: state 1: \"entry=2ms\" is given twice$ | 2
... an idle that is none   | create x --power-states=5W:idle=2x | state 0: \"idle=2x\" is not a power above 0; write idle=5W or idle=500mW$ | 2
... a unit that is none    | create x --power-states=5kW | --power-states: state 0: \"5kW\" is not a power above 0; write 25W: | 2
... idle at nothing        | create x --power-states=5W:idle=0 | \"idle=0\" is not a power above 0; write idle=5W | 2
... 33                     | create x --power-states=$states33 | --power-states: state 32: \"1\" and what follows: more than 32 states$ | 2
... rising                 | create x --power-states=5W,6W | power state 1 has more power than state 0; give the highest first$ | 2
... the first asleep       | create x --power-states=5W:nonop | power state 0 is not operational; the first must be$ | 2
... nothing left           | create x --power-states=5W:idle=5W | power state 0: 5000 mW idle leave nothing of 5000 mW for operations$ | 2
... idle above maximum     | create x --power-states=5W,1W:nonop:idle=2W | power state 1: 2000 mW idle are more than its 1000 mW$ | 2
... too exact              | create x --power-states=5.001W | ^nvsim: x: power state 0: 5001 mW is not possible; 0.01 W to 655.35 W in steps of 0.01 W \(--power-states\)$ | 2
... too strong             | create x --power-states=1000W | power state 0: 1000000 mW is not possible; 0.01 W to 655.35 W | 2
... nothing                | create x --power-states=0W | state 0: \"0W\" is not a power above 0 | 2
... too slow               | create x --power-states=5W:entry=11s | entry latency of 11s is out of range; 0 to 10s \(--power-states\)$ | 2
... half a microsecond     | create x --power-states=5W:exit=0.5us | \"exit=0.5us\" is not a time in whole microseconds; write 100us or 1.5ms$ | 2
END

# --- files that are no sound drive ---
# broken NAME OFFSET BYTES: a copy of d.nvsim with other bytes in it
broken()
{
	cp --sparse=always d.nvsim "$1"
	printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
# offset N: the Nth of the header's offsets: state, units, map, reverse, buffer, data
offset()
{
	perl -e 'open(F, "<", "d.nvsim"); read(F, $h, 80); print unpack("x24 Q$ARGV[0]", $h) && (unpack("x24 Q*", $h))[$ARGV[0] - 1]' "$1"
}
head -c 1M /dev/urandom >foreign
: >empty
printf 'NVSIM\r\n\032' >magic
cp --sparse=always d.nvsim short && truncate -s -4096 short
cp --sparse=always d.nvsim long && truncate -s +4096 long
head -c 100 d.nvsim >stub
broken version 8 '\003'
broken checksum 12 'x'
broken geometry 100 '\377'
broken map "$(offset 3)" '\0\0\0\0'
broken unit "$(offset 2)" '\0\0\0\0\0\0\0\0\011'
mkfifo fifo
for command in info 'log smart' reset 'fail hang' 'fail --list' 'reset --faults' 'fail --clear'; do
	read -r verb rest <<<"$command"
	mistakes <<-END
	$command: no such file    | $verb nowhere $rest   | ^nvsim: nowhere: No such file or directory$ | 2
	$command: a foreign file  | $verb foreign $rest   | ^nvsim: foreign: is not a model drive; nvsim create makes one$ | 2
	$command: cut off         | $verb short $rest     | ^nvsim: short: is damaged: [0-9]+ bytes long, [0-9]+ belong to the drive | 2
	$command: another version | $verb version $rest   | ^nvsim: version: is a model drive of version 3, this program knows 2; make it anew | 2
	$command: header damaged  | $verb geometry $rest  | ^nvsim: geometry: is damaged: the header's checksum is wrong; make the drive anew$ | 2
	END
done
mistakes <<'END'
an empty file             | info empty     | ^nvsim: empty: is not a model drive | 2
nothing but the beginning | info magic     | ^nvsim: magic: is a model drive of version 0 | 2
a piece of the header     | info stub      | ^nvsim: stub: is damaged | 2
too long                  | info long      | ^nvsim: long: is damaged: [0-9]+ bytes long | 2
the checksum damaged      | info checksum  | ^nvsim: checksum: is damaged: the header's checksum is wrong | 2
a folder                  | info .         | ^nvsim: .: is not a regular file, so no model drive$ | 2
a device                  | info /dev/null | ^nvsim: /dev/null: is not a regular file, so no model drive$ | 2
a fifo                    | info fifo      | ^nvsim: fifo: is not a regular file, so no model drive$ | 2
END
nv info map
is "$status$out" 2 'a map that contradicts the units is refused'
like "$err" '^nvsim: map: page 0 is mapped to a place that does not hold it$' '... and how'
nv info unit
is "$status$out" 2 'a unit without sense is refused'
like "$err" '^nvsim: unit: reclaim unit 0 has no sense$' '... and which'
if [ "$(id -u)" != 0 ]; then
	chmod a-w map
	mistakes <<<'a file that cannot be written | info map | cannot be written .*must be writable | 2'
fi

# --- info, log, reset, fail: mistakes ---
mistakes <<'END'
info: no FILE           | info                     | ^nvsim info: no FILE given$ | 2
info: two FILEs         | info d.nvsim d.nvsim     | ^nvsim info: d.nvsim: one FILE at a time$ | 2
log: no FILE            | log                      | ^nvsim log: no FILE given$ | 2
log: no PAGE            | log d.nvsim              | ^nvsim log: no PAGE given$ | 2
log: two PAGEs          | log d.nvsim 02h 20h      | ^nvsim log: 20h: one PAGE at a time$ | 2
log: an unknown page    | log d.nvsim 09h          | ^nvsim log: 09h: unknown; one of smart \(02h\), | 2
log: a decimal number   | log d.nvsim 22           | ^nvsim log: 22: unknown | 2
log: nonsense           | log d.nvsim xh           | ^nvsim log: xh: unknown | 2
log: --raw=x            | log d.nvsim smart --raw=x | --raw=x: unknown; one of hex, binary$ | 2
log: --controller       | log d.nvsim smart --controller | --controller goes with fdp-events only$ | 2
reset: no FILE          | reset                    | ^nvsim reset: no FILE given$ | 2
reset: two FILEs        | reset d.nvsim d.nvsim    | one FILE at a time$ | 2
fail: no FILE           | fail                     | ^nvsim fail: no FILE given$ | 2
fail: no KIND           | fail d.nvsim             | ^nvsim fail: no KIND given; or --list, --clear$ | 2
fail: two KINDs         | fail d.nvsim hang hang   | ^nvsim fail: hang: one KIND at a time$ | 2
fail: an unknown KIND   | fail d.nvsim explode     | ^nvsim fail: explode: unknown; one of read-error, internal-error, hang, delay=TIME, status=CODE, power, drop, reset$ | 2
fail: half a KIND       | fail d.nvsim read        | ^nvsim fail: read: unknown | 2
fail: delay             | fail d.nvsim delay       | ^nvsim fail: delay: needs a value, delay=TIME$ | 2
fail: delay=            | fail d.nvsim delay=      | not a time; write delay=5ms$ | 2
fail: delay=0           | fail d.nvsim delay=0     | not a time | 2
fail: status            | fail d.nvsim status      | status: needs a value, status=CODE$ | 2
fail: status=0          | fail d.nvsim status=0    | status=0: not a status field; 0x001 to 0x7fff, such as 0x281$ | 2
fail: status=0x8000     | fail d.nvsim status=0x8000 | not a status field | 2
fail: hang=1            | fail d.nvsim hang=1      | hang=1: hang takes no value$ | 2
fail: read-error=1      | fail d.nvsim read-error=1 | read-error takes no value$ | 2
fail: --lba=x           | fail d.nvsim hang --lba=x | --lba=x: not logical blocks; write 8 or 8-15$ | 2
fail: --lba=9-8         | fail d.nvsim hang --lba=9-8 | --lba=9-8: not logical blocks | 2
fail: --lba=8-          | fail d.nvsim hang --lba=8- | --lba=8-: not logical blocks | 2
fail: beyond the drive  | fail d.nvsim hang --lba=4096 | ^nvsim: d.nvsim: --lba: block 4096 is beyond the drive; its last is 4095$ | 2
... the largest number    | fail d.nvsim hang --lba=0-18446744073709551615 | --lba: block 18446744073709551615 is beyond the drive | 2
fail: --opcode=x        | fail d.nvsim hang --opcode=x | --opcode=x: unknown; one of read, write, flush, deallocate, write-zeroes, any$ | 2
fail: --every=0         | fail d.nvsim hang --every=0 | --every=0: not a number from 1 on$ | 2
fail: --times=-1        | fail d.nvsim hang --times=-1 | --times=-1: not a number from 1 on$ | 2
fail: what reads only  | fail d.nvsim read-error --opcode=write | ^nvsim fail: --opcode: read-error strikes reads only; for others give internal-error, or status=0x280, a Write Fault$ | 2
... any                 | fail d.nvsim read-error --opcode=any | --opcode: read-error strikes reads only | 2
fail: --list and a KIND | fail d.nvsim hang --list | --list and --clear stand alone$ | 2
fail: --list --clear    | fail d.nvsim --list --clear | --list and --clear stand alone$ | 2
fail: --clear --every=2 | fail d.nvsim --clear --every=2 | --list and --clear stand alone$ | 2
fail: power --lba=1     | fail d.nvsim power --lba=1 | power: concerns no I/O command | 2
END

# --- fail: set, list, clear ---
nv fail d.nvsim --list
is "$status$out" '0no faults' 'a new drive has no faults'
for fault in 'read-error --lba=8-15' internal-error 'hang --opcode=flush' \
	'delay=5ms --opcode=write --every=10 --times=3' 'delay=70' 'status=0x4002 --opcode=any --lba=0' power; do
	# shellcheck disable=SC2086
	nv fail d.nvsim $fault
	is "$status$out$err" 0 "fail $fault"
done
nv fail d.nvsim --list
is "$out" ' 0  read: Unrecovered Read Error (SCT 2h SC 81h, DNR), blocks 8 to 15; 0 matched
 1  any: Internal Error (SCT 0h SC 06h); 0 matched
 2  flush: hang; 0 matched
 3  write: end 5 ms later, 1 of 10; 0 matched, 3 times left
 4  any: end 70 us later; 0 matched
 5  any: Invalid Field in Command (SCT 0h SC 02h, DNR), blocks 0 to 0; 0 matched
 6  set features: power states cannot be set; 0 matched' 'fail --list shows them'
look
is "${v[counters faults]}" 7 'info counts them'
for _ in {8..32}; do
	"$nvsim" fail d.nvsim hang
done
mistakes <<<'fail: the 33rd | fail d.nvsim hang | ^nvsim: d.nvsim: has 32 faults, no more fit; --clear takes them away$ | 1'
nv fail d.nvsim --clear
is "$status$out" 0 'fail --clear'
look
is "${v[counters faults]}" 0 '... takes them away'
"$nvsim" fail d.nvsim hang
nv reset --faults d.nvsim
look
is "$status$out$err${v[counters faults]}" 00 'reset --faults, too'

# --- logs ---
# bytes PAGE: how many --raw=binary gives
bytes()
{
	"$nvsim" log d.nvsim "$1" --raw=binary | wc -c
}
made 'with FDP' --capacity=16M --ruhs=3 --ruh-type=persistently --ru-size=128k
while read -r name number size regex; do
	nv log d.nvsim "$name"
	is "$status$err" 0 "log $name"
	like "$out" "$regex" '... is decoded'
	decoded=$out
	for alias in "$number" "0x${number%h}"; do
		nv log d.nvsim "$alias"
		is "$out" "$decoded" "... is $alias"
	done
	is "$(bytes "$name")" "$size" "... has $size bytes"
	is "$("$nvsim" log d.nvsim "$name" --raw | sed 's/^[0-9a-f]*://' | tr -d ' \n')" \
		"$("$nvsim" log d.nvsim "$name" --raw=binary | od -An -v -tx1 | tr -d ' \n')" '... --raw is the same in hex'
done <<'END'
smart 02h 512 power.cycles\ +1
fdp-configs 20h 96 reclaim.unit.nominal.size\ +131072.bytes.*2.persistently.isolated
fdp-usage 21h 32 2\ +host$
fdp-stats 22h 64 media.bytes.erased\ +0.bytes
fdp-events 23h 64 ^0.events
ocp C0h 512 c5af1028eabff2a49c4f6f7cc914d5af
END
nv log d.nvsim fdp-events --controller
like "$out" '^0 events' "log fdp-events --controller"
made 'with FDP disabled' --capacity=16M --fdp=off
ok '... fdp-configs is there' "$nvsim" log d.nvsim fdp-configs
mistakes <<'END'
... fdp-stats is not | log d.nvsim fdp-stats | ^nvsim: d.nvsim: log page 22h: FDP Disabled \(SCT 0h SC 29h, DNR\) | 1
END
made 'without FDP' --capacity=16M --fdp=none
mistakes <<'END'
... no FDP logs | log d.nvsim 20h | ^nvsim: d.nvsim: log page 20h: Invalid Log Page \(SCT 1h SC 09h, DNR\) | 1
END
if [ -w /dev/full ]; then
	for command in 'info d.nvsim' 'info --json d.nvsim' 'log d.nvsim smart'; do
		# shellcheck disable=SC2086
		"$nvsim" $command >/dev/full 2>full
		is "$? $(cat full)" '1 nvsim: standard output: cannot be written' "$command to a full disk"
	done
fi

# --- the man page ---
# Options in the man page are those of --help, and so are the presets.
man=$top/tools/nvsim/nvsim.1
ok 'the man page has the options of --help' diff \
	<(for command in create info log reset fail serve; do "$nvsim" $command --help; done |
		grep -oE '^ .*' | grep -oE -e '--[a-z-]+' | grep -vxE -e '--(help|usage|version)' | sort -u) \
	<(sed '/^.SH WITHOUT/,/^.SH SEE/d; s/\\-/-/g' "$man" | grep -oE -e '--[a-z-]+' |
		grep -vxE -e '--(rw|bs|name|ioengine|filename|norandommap|io|output)' | sort -u)

# --- under fio: counters that fit together, faults that strike, reset ---
if ! command -v fio >/dev/null; then
	skip 'under fio' 'needs fio'
	done_testing
fi
if readelf -dW "$plugin" | grep -q 'lib[a-z]*san\.so'; then
	skip 'under fio' 'a sanitizer build of the plugin needs its library loaded first'
	done_testing
fi
# run ARGS...: fio on d.nvsim
run()
{
	capture timeout 60 fio --name=t --ioengine="external:$plugin" --filename=d.nvsim --bs=4k --thread "$@"
}
made 'to be written' --capacity=16M --op=20% --timing=none --ruhs=2 --fdp=on
run --rw=randwrite --norandommap --io_size=64M --iodepth=8
is "$status" 0 'fio writes four capacities'
[ "$status" = 0 ] || fail 'fio writes' "$err" "$out"
look
host=${v[counters host_bytes]}
is "$host" $((64 << 20)) 'info counts what it wrote'
is "${v[placement handles 0 host_bytes]}" "$host" '... by handle'
is "${v[placement default_bytes]}" "$host" '... without an identifier'
is "${v[counters media_bytes]}" \
	$(((${v[counters host_pages]} + ${v[counters relocated_pages]}) * 4096)) \
	'... media bytes are those of host and relocation'
near "${v[counters waf]}" "$(perl -e "print ${v[counters media_bytes]} / $host")" 0.001 '... WAF'
ok '... garbage was collected' test "${v[counters relocated_pages]}" -gt 0
is "${v[counters writes]}" $((64 << 8)) '... commands'
nv log d.nvsim fdp-stats
like "$out" "written +$host bytes"$'\n'".*written +${v[counters media_bytes]} bytes"$'\n'".*erased +${v[counters erased_bytes]} bytes" \
	'log fdp-stats has the same'
nv log d.nvsim ocp
like "$out" "written +${v[counters media_bytes]} bytes" 'log ocp has the same'
nv log d.nvsim smart
like "$out" "units written +$(((host + 511999) / 512000)) " 'log smart has the same, rounded up'

ok 'fail read-error' "$nvsim" fail d.nvsim read-error --lba=100
run --rw=read --bs=4k --size=384k
is "$status" 0 '... blocks before it can be read'
run --rw=read --bs=4k --size=1M
is "$status" 1 '... it strikes'
like "$err$out" 'Unrecovered Read Error' '... by name'
nv fail d.nvsim --list
like "$out" '; 1 matched$' '... is counted'
look
is "${v[counters media_errors]}" 1 '... as a media error'
run --rw=write --bs=4k --size=1M
is "$status" 0 '... writes are not struck'
"$nvsim" fail d.nvsim --clear
ok 'fail status, the 10th, once' "$nvsim" fail d.nvsim status=0x4080 --opcode=write --every=10 --times=1
run --rw=write --size=80k --offset=0
is "$status" 1 '... it strikes'
like "$err$out" 'LBA Out of Range' '... by name'
run --rw=write --size=400k
is "$status" 0 '... and no more'
"$nvsim" reset --faults d.nvsim
run --rw=read --size=1M
is "$status" 0 'reset --faults: nothing strikes'
look
ok '... and the counters stay' test "${v[counters host_bytes]}" -gt "$host"

timeout 60 fio --name=t --ioengine="external:$plugin" --filename=d.nvsim --bs=4k --thread --rw=read \
	--time_based --runtime=50 --rate_iops=100 >busy.log 2>&1 &
busy=$!
reads=${v[counters reads]}
for _ in {1..200}; do
	sleep 0.1
	look
	[ "${v[counters reads]}" = "$reads" ] || break
done
nv info d.nvsim
is "$status$err" 0 'info of a drive in use'
nv reset d.nvsim
is "$status$out" 1 'reset of a drive in use is refused'
like "$err" '^nvsim: d.nvsim: is in use; end the processes that have it open' '... and says why'
is "$(kill -0 $busy 2>&1)" '' '... while it goes on'
kill $busy
wait $busy
look
ok '... and the data are there' test "${v[counters mapped_pages]}" -gt 0

before=${v[serial]}${v[created]}${v[geometry units]}
disk=${v[disk_bytes]}
"$nvsim" fail d.nvsim hang
nv reset d.nvsim
is "$status$out$err" 0 'reset'
look
for counter in host_bytes host_pages media_bytes erased_bytes relocated_pages mapped_pages reads \
	writes read_blocks written_blocks media_errors faults repairs killed_in_step; do
	is "${v[counters $counter]}" 0 "... $counter is 0"
done
is "${v[counters waf]}" null '... there is no WAF'
is "${v[counters free_units]}" "${v[geometry units]}" '... all units are free'
is "${v[serial]}${v[created]}${v[geometry units]}" "$before" '... it is the same drive'
ok '... and takes up less space' test "${v[disk_bytes]}" -lt "$disk"
run --rw=read --size=1M --verify=pattern --verify_pattern=0x00 --verify_only
run --rw=write --size=1M --verify=crc32c
is "$status" 0 '... and works'

# --- the man page's examples ---
# shellcheck source=t/docs.sh
. "$top/t/docs.sh"
build=${nvsim%/*} # absolute: we are not at the top
docs_folder
docs_blocks "$man" "$work/examples"
docs_prepare "$work"/examples/*.sh
ok 'the man page has examples' test "$(find "$work/examples" -name '*-host.sh' | wc -l)" -ge 5
PATH=$build:$PATH
docs_run nvsim.1 "$work"/examples/*-host.sh
done_testing
