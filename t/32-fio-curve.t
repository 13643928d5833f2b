#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-curve on model drives and files: mistakes, job files, values in force, rates and mixes, resuming,
# being stopped, failures, refusals, preconditioning.
# shellcheck disable=SC2317 # functions that ok calls
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/curve.sh
. "$(dirname "$0")/curve.sh"

make_drive a.nvsim --capacity=64M
make_drive b.nvsim --capacity=64M --serial=B
make_drive timed.nvsim --capacity=64M --timing=real --t-read=400us --t-program=400us --dies=4 \
	--t-transfer=10us --buffer=64k
fill timed.nvsim

# job NAME HEADER LINES...: a job file jobs/NAME.fio with one line per option
job()
{
	local file=jobs/$1.fio header=$2
	shift 2
	mkdir -p jobs
	{
		echo '# A test.'
		echo "# fio-peak: $header"
		printf '%s\n' "$@"
	} >"$file"
}
common=(direct=1 norandommap=1 time_based=1 thread=1 iodepth=1)
job read 'mode=curve shape=random destroys=no time=1+1s' '[read]' rw=randread bs=4k numjobs=4 "${common[@]}"
job mixed 'mode=curve shape=mixed destroys=yes time=1+1s' '[mixed]' rw=randrw rwmixread=70 bs=4k \
	numjobs=8 "${common[@]}"
job stream 'mode=curve shape=stream destroys=no time=1+1s' '[stream]' rw=read:48k bs=16k \
	offset_increment=16k numjobs=4 "${common[@]}"
job two 'mode=curve shape=mixed destroys=yes time=1+1s shares=data:90,log:10' '[global]' "${common[@]}" \
	'[data]' rw=randrw rwmixread=80 bs=8k size=75% numjobs=6 stonewall new_group \
	'[log]' rw=write bs=16k offset=75% size=25% numjobs=2 new_group
job grid 'mode=grid shape=random destroys=no time=0+1s grid=1x2,2x2' '[grid]' rw=randread bs=4k \
	numjobs=2 iodepth=2 direct=1 time_based=1
job rated 'mode=rated shape=random destroys=no time=0+1s' '[rated]' rw=randread bs=4k numjobs=1 \
	rate_iops=200 "${common[@]}"
job once 'mode=once shape=stream destroys=no time=1-pass' '[once]' rw=read bs=256k direct=1
job liar 'mode=once shape=random destroys=no time=0+1s' '[liar]' rw=randwrite bs=4k
job bare 'mode=curve shape=mixed destroys=yes time=1+1s' '[a]' rw=read '[b]' rw=write
printf '[x]\nrw=read\n' >jobs/foreign.fio

# --- help, mistakes ------------------------------------------------------------------------------
curve --help
is "$status$err" 0 '--help'
ok '... fits into 80 columns' test "$(wc -L <<<"$out")" -le 80
curve --version
is "$status$out" '0fio-curve 0.1' '--version'

# reads lines "ARGUMENTS | REGEX": one line on stderr, exit status 2, no file made
mistakes()
{
	local args regex before after
	while IFS='|' read -r args regex; do
		before=$(find . -newermt @0 | sort)
		eval "curve $args"
		after=$(find . -newermt @0 | sort)
		if [ "$status" = 2 ] && [[ $err =~ ${regex# } ]] && [ -z "$out" ] &&
			[ "$(wc -l <<<"$err")" = 1 ] && [ "$before" = "$after" ]; then
			pass "mistake: $args"
		else
			fail "mistake: $args" "exit status $status" "err: $err" "out: $out" "want: $regex"
		fi
	done
}
mistakes <<'END'
jobs/read.fio | no drive given
--drive=a=a.nvsim | no WORKLOAD given
--drive=a.nvsim jobs/read.fio | LABEL=TARGET
--drive==a.nvsim jobs/read.fio | a label has
--drive=a/b=a.nvsim jobs/read.fio | a label has
--drive=..=a.nvsim jobs/read.fio | a label has
--drive='a=a$b' jobs/read.fio | fio cannot take such a name
--drive=a=no.nvsim jobs/read.fio | `nvsim create` makes
--drive=a=no.img jobs/read.fio | does not exist; --file-size
--drive=a=/dev/no-such jobs/read.fio | no such device
--drive=a=no/where jobs/read.fio | its folder does not exist
--drive=a=. jobs/read.fio | is a folder: say with --file-size
--drive=a=/dev/null jobs/read.fio | not an NVMe namespace
--drive=a=a.nvsim --drive=a=b.nvsim jobs/read.fio | two drives are called a
--drive=a=a.nvsim --drive=b=./a.nvsim jobs/read.fio | the same drive
--drive=a=a.nvsim --file-size=1M jobs/read.fio | --file-size is for plain files
--drive=a=a.nvsim no-such-family | no such job file or family
--drive=a=a.nvsim jobs/foreign.fio | line 2 does not say how to measure it
--drive=a=a.nvsim jobs/liar.fio | says destroys=no, but \[liar\] writes
--drive=a=a.nvsim jobs/bare.fio | lacks shares=
--drive=a=a.nvsim --points=120-10 jobs/read.fio | --points=120-10: .*write 10-120/10
--drive=a=a.nvsim --grid=4 jobs/grid.fio | --grid=4: .*write 2x2
--drive=a=a.nvsim --runtime=soon jobs/read.fio | --runtime=soon: not a time
--drive=a=a.nvsim --runtime=0 jobs/read.fio | --runtime=0: not a time
--drive=a=a.nvsim --working-set=0% jobs/read.fio | --working-set=0%: not a part
--drive=a=a.nvsim --working-set=1T jobs/read.fio --dry-run | has only 67108864 bytes
--drive=a=a.nvsim --working-set=4k jobs/two.fio --dry-run | less than a block
--drive=a=a.nvsim --precondition=wash jobs/read.fio | --precondition=wash: "wash" is unknown
--drive=a=a.nvsim --set=x jobs/read.fio | --set=x: write NAME=VALUE
--drive=a=a.nvsim --client=a:99999 jobs/read.fio | --client=a:99999: .*is no host
--drive=a=a.nvsim --client=a jobs/read.fio --dry-run | say with --ioengine=
--drive=a=a.nvsim --fio=/no/fio jobs/read.fio | --fio=/no/fio: cannot be run
--drive=a=a.nvsim --jobs=/no/jobs jobs/read.fio | --jobs=/no/jobs: no such folder
END

job variable 'mode=once shape=random destroys=no time=0+1s' '[v]' rw=randread "bs=\${SIZE}k" "${common[@]}"
curve --drive=a=a.nvsim --dry-run jobs/variable.fio
is "$status" 2 'a variable that the environment lacks'
like "$err" 'variable.fio:[0-9]+: "bs=\$\{SIZE\}k": the environment has no SIZE; set it: SIZE=VALUE fio-curve' '... is named'
SIZE=8 curve --drive=a=a.nvsim --dry-run jobs/variable.fio
like "$out" $'\nbs=8k\n' '... else it has its value'
POWER_STATE=0 curve --drive=a=a.nvsim --dry-run power
like "$out" $'\nnvme_power_state=0\n' 'jobs/power: the state comes from the environment'
# --- dry run -------------------------------------------------------------------------------------
before=$(cksum <a.nvsim)
curve --drive=a=a.nvsim --drive=b=b.nvsim --dry-run --points=20,50 --precondition=fill jobs/two.fio
is "$status$err" 0 'a dry run'
is "$(grep -c '^### ' <<<"$out")" 10 '... names each file of each drive'
is "$(grep -c '^\$ .*fio --output-format=json+' <<<"$out")" 10 '... and its command line'
is "$(cksum <a.nvsim)$([ -e results ] || echo 1)" "${before}1" '... and writes nothing'

# Every point of the whole library is a job file that fio takes.
parses()
{
	rm -rf parse
	mkdir parse
	curve --drive=a=a.nvsim --drive=s=parse --ioengine=psync --set=thread=1 --file-size=64M --dry-run \
		--points=50 --grid=2x2 "$@"
	[ "$status" = 2 ] || { echo "a folder's option for a model drive: $status"; return 1; }
	curve --drive=a=a.nvsim --ioengine=psync --dry-run --points=50 --grid=2x2 "$@"
	[ "$status" = 0 ] || { echo "$err"; return 1; }
	awk '/^### /{ f = sprintf("parse/%03d.fio", ++n); next } /^\$ /{ f = "" } f{ print >f }' <<<"$out"
	# many at a time: fio is slow to start
	find parse -name "*.fio" | sort | xargs -n 16 "$fio" --parse-only >parse/log 2>&1 || { cat parse/log; return 1; }
	[ "$(find parse -name "*.fio" | wc -l)" -ge 100 ]
}
ok 'every point of every family is a job file that fio takes' parses all
curve --drive=a=a.nvsim --dry-run all
is "$(grep -c precondition/published <<<"$out")" 0 'all: without the published times'

# --- a curve: what it leaves, values in force -----------------------------------------------------
curve --drive=t=timed.nvsim --points=20,50,80 --runtime=2 --ramp=1 jobs/read.fio
is "$status$(complaints)" 0 'a curve that only reads needs no question'
like "$out" $'^4 points on 1 drive, 0:12\nt jobs/read/max: [0-9,]+ IOPS, [0-9.]+ us\n' \
	'... it says what it costs, and a line for each point'
is "$(made results/t)" "drive.json jobs/read/020.fio jobs/read/020.json jobs/read/050.fio \
jobs/read/050.json jobs/read/080.fio jobs/read/080.json jobs/read/max.fio jobs/read/max.json run.json" \
	'... and leaves these files'
is "$(cd results/t/jobs/read && ls -- *.nvme.json | paste -sd ' ')" \
	'020.nvme.json 050.nvme.json 080.nvme.json max.nvme.json' '... and a sidecar beside each result'
is "$(perl -MJSON::PP -0777 -e '$d = decode_json(<STDIN>); print join " ", map { $d->{$_} // "" }
	qw(label kind serial capacity_bytes model firmware)' <results/t/drive.json)" \
	"t model drive $(info timed.nvsim serial) 67108864 $(info timed.nvsim model) 1.0" \
	'drive.json knows the drive'
is "$(state results/t jobs/read/050 state) $(state results/t jobs/read/050 pace)" 'done poisson' \
	'run.json knows the point'

# in_force FILE: every line of the job file stands in fio's JSON, with its value
in_force()
{
	perl -MJSON::PP -0777 -e '
		my ($name) = @ARGV;
		open my $f, "<", "$name.fio" or die; my @lines = split /\n/, <$f>;
		open $f, "<", "$name.json" or die; my $j = decode_json(<$f>);
		my ($global, $n) = (0, 0);
		for (@lines) {
			$global = $1 eq "global" if /^\[(.*)\]/;
			next if /^(#|\[|$)/;
			my ($key, $value) = split /=/, $_, 2;
			my $from = $global ? $j->{"global options"} : $j->{jobs}[0]{"job options"};
			# before 3.39 fio leaves out an option without a value
			next if !defined $value && !exists $from->{$key};
			die "$_: fio says " . ($from->{$key} // "nothing") . "\n"
				if ($from->{$key} // "none") ne ($value // "");
			$n++;
		}
		die "only $n options\n" if $n < 10' "$1"
}
for point in max 020 050 080; do
	ok "$point: every value is in force" in_force results/t/jobs/read/$point
done
is "$(option results/t/jobs/read/050.fio read rate_process)" poisson 'rated points are Poisson'
is "$(option results/t/jobs/read/max.fio read rate_iops)" '' '... and the maximum is not rated'
is "$(option results/t/jobs/read/max.fio read size)" 16777216 'a quarter of the drive is used'

# target POINT: what vdbench would ask for at that percentage of max
target()
{
	perl -MJSON::PP -0777 -e '
		my ($percent) = @ARGV;
		my $j = decode_json(<STDIN>);
		my $max = 0;
		$max += $_->{read}{iops} + $_->{write}{iops} for @{$j->{jobs}};
		my $t = int($max) * $percent / 100;
		my $step = $t > 1000 ? 100 : 10;
		my $up = int($t / $step) * $step;
		print $up < $t ? $up + $step : $up' "$1"
}
for percent in 20 50 80; do
	is "$(state results/t "jobs/read/0$percent" asked_iops)" \
		"$(target $percent <results/t/jobs/read/max.json)" "0$percent asks as vdbench does"
done

# accurate FOLDER POINT SHARE: IOPS within max(3%, 3/sqrt(n)) of asked, read share within
# max(1 point, 3 sigma), n being the point's I/Os
accurate()
{
	perl -MJSON::PP -0777 -e '
		my ($dir, $family, $point, $p) = @ARGV;
		open my $f, "<", "$dir/$family/$point.json" or die; my $j = decode_json(<$f>);
		open $f, "<", "$dir/run.json" or die;
		my ($entry) = grep { $_->{point} eq "$family/$point" } @{decode_json(<$f>)->{points}};
		my ($n, $reads, $iops) = (0, 0, 0);
		for (@{$j->{jobs}}) {
			$n += $_->{read}{total_ios} + $_->{write}{total_ios};
			$reads += $_->{read}{total_ios};
			$iops += $_->{read}{iops} + $_->{write}{iops};
		}
		my $off = $iops / $entry->{asked_iops} - 1;
		my $may = 3 / sqrt $n;
		$may = 0.03 if $may < 0.03;
		my $share = $reads / $n - $p;
		my $sigma = 3 * sqrt($p * (1 - $p) / $n);
		$sigma = 0.01 if $sigma < 0.01;
		printf "%s: %d of %d asked, %+.1f%% (%.1f%%); reads %+.2f points (%.2f)\n", $point, $iops,
			$entry->{asked_iops}, 100 * $off, 100 * $may, 100 * $share, 100 * $sigma;
		exit !(abs($off) <= $may && abs($share) <= $sigma)' "$@"
}
# sweep JOB SHARE: a machine that is busy starts jobs late and loses time: three tries, then it counts.
sweep()
{
	local try point fine log
	for try in 1 2 3; do
		rm -rf "sweep/t/jobs/$1"
		curve --out=sweep --drive=t=timed.nvsim --points=10,50,90 --runtime=3 --ramp=1 --yes "jobs/$1.fio"
		[ "$status" = 0 ] || { echo "$err"; return 1; }
		fine=1 log=''
		for point in 010 050 090; do
			log+="try $try, $(accurate sweep/t "jobs/$1" $point "$2")"$'\n' || fine=0
		done
		echo "$log"
		[ $fine = 1 ] && return 0
	done
	return 1
}
ok 'reads: each point achieves what is asked' sweep read 1
# unhurried FOLDER/POINT: half of the reads take no more than what the drive needs, 400 + 10 us, within 5%:
# the pacing adds nothing. That a machine is busy shows in the mean, not in the median.
unhurried()
{
	perl -MJSON::PP -0777 -e '
		for (@{decode_json(<STDIN>)->{jobs}}) {
			my $us = $_->{read}{clat_ns}{percentile}{"50.000000"} / 1000;
			printf "%.1f us\n", $us;
			exit 1 unless $us >= 0.99 * 410 && $us <= 1.05 * 410;
		}' <"$1.json"
}
# low_load: a busy machine wakes late: three tries, then it counts
low_load()
{
	for _ in 1 2 3; do
		unhurried sweep/t/jobs/read/010 && return 0
		rm -rf sweep/t/jobs/read
		curve --out=sweep --drive=t=timed.nvsim --points=10 --runtime=3 --ramp=1 --yes jobs/read.fio
	done
	return 1
}
ok 'reads: the latency at low load is the drive'"'"'s, not the pacing'"'"'s' low_load
ok 'a mix: each point achieves what is asked, and keeps the read share' sweep mixed 0.7
ok 'threads that share a stream: the same' sweep stream 1
ok 'two sections: the same, all together' sweep two 0.72
# bytes_share FOLDER POINT: writes of 16k among all I/Os, from the mean size of a write
log_share()
{
	perl -MJSON::PP -0777 -e '
		my ($ios, $writes, $bytes) = (0, 0, 0);
		for (@{decode_json(<STDIN>)->{jobs}}) {
			$ios += $_->{read}{total_ios} + $_->{write}{total_ios};
			$writes += $_->{write}{total_ios};
			$bytes += $_->{write}{io_bytes};
		}
		my $log = ($bytes / 8192 - $writes) / $ios;
		printf "log %.2f%%\n", 100 * $log;
		my $sigma = 3 * sqrt(0.09 / $ios);
		exit !(abs($log - 0.1) < ($sigma > $ARGV[0] ? $sigma : $ARGV[0]))' "$2" <"sweep/t/jobs/two/$1.json"
}
for point in 010 050 090; do
	ok "two sections: the log has its tenth at $point" log_share $point 0.02
done
# its rate comes from a run without it, which was a little faster
ok "two sections: ... and about a tenth at max" log_share max 0.035
is "$(made sweep/t/jobs/two)" ".calibrate.fio .calibrate.json 010.fio 010.json 050.fio 050.json \
090.fio 090.json max.fio max.json" 'two sections: the larger one was calibrated first, out of sight'
is "$(option sweep/t/jobs/two/max.fio data offset)$(option sweep/t/jobs/two/max.fio data size) \
$(option sweep/t/jobs/two/max.fio log offset) $(option sweep/t/jobs/two/max.fio log size)" \
	'12582912 12582912 4194304' '... and each has its part of the working set'
capture "$peak" sweep/t
like "$out" $'\n''two +t ' 'fio-peak folds the sections into one workload'

# --- other modes -----------------------------------------------------------------------------------
curve --out=modes --drive=a=a.nvsim --runtime=0.5 jobs/grid.fio jobs/rated.fio jobs/once.fio
is "$status$(complaints)" 0 'a grid, a rated and a single run'
is "$(made modes/a/jobs)" "grid/1x2.fio grid/1x2.json grid/2x2.fio grid/2x2.json once/max.fio \
once/max.json rated/rated.fio rated/rated.json" '... have these points'
is "$(option modes/a/jobs/grid/1x2.fio grid numjobs)$(option modes/a/jobs/grid/1x2.fio grid iodepth)" 12 \
	'a grid sets jobs and depth'
is "$(option modes/a/jobs/rated/rated.fio rated rate_iops)" 200 "a rated file's rates stay"
is "$(option modes/a/jobs/once/max.fio once size)" '' 'a run as it stands has the whole drive'
curve --out=modes --drive=a=a.nvsim --runtime=0.5 --grid=4x1 --set=nvme_verbose=1 --working-set=50% jobs/grid.fio
is "$(option modes/a/jobs/grid/4x1.fio grid numjobs) $(option modes/a/jobs/grid/4x1.fio global nvme_verbose)" \
	'4 1' '--grid and --set hold'
is "$(option modes/a/jobs/grid/4x1.fio grid size)" 33554432 '--working-set holds'

# --- resuming ---------------------------------------------------------------------------------------
again()
{
	curve --out=again --drive=a=a.nvsim --points=50,100 --runtime=0.5 --ramp=0 "$@" jobs/read.fio
}
again
is "$status" 0 'a curve'
before=$(find again -name '*.json' -path '*read*' -printf '%p %T@\n' | sort)
again
is "$status$out" 0 'the same again'
like "$err" 'nothing to do' '... has nothing to do'
is "$(find again -name '*.json' -path '*read*' -printf '%p %T@\n' | sort)" "$before" '... and touches nothing'
rm again/a/jobs/read/050.json
again
like "$out" $'^1 point on 1 drive[^\n]*\na jobs/read/050: [^\n]*$' 'one result less: that point is run'
echo '{}' >again/a/jobs/read/100.json
again
like "$out" $'^1 point on 1 drive[^\n]*\na jobs/read/100: [^\n]*$' 'a result that is none: that point is run'
again --points=50,100 --runtime=0.6
like "$err" 'the plan has changed since jobs/read/max was measured \(runtime=500ms, now runtime=600ms\)' \
	'another plan is said'
like "$out" '^3 points' '... and everything is run again'
again --runtime=0.6 --points=50
like "$err" 'again/a/jobs/read/100.json: 1 result of points that are not in this plan' \
	'a result of an earlier plan is said'
capture "$curve" --fio="$fio" --jobs="$top/jobs" --out=again --drive=a=b.nvsim jobs/read.fio
is "$status" 2 "another drive's results are refused"
like "$err" 'results of another drive lie there .*a.nvsim.*serial' '... and whose they are is said'

# --- being stopped -----------------------------------------------------------------------------------
# stop SIGNAL...: sent to fio-curve while its second point runs; leaves $status
stop()
{
	local pid signal
	"$curve" --fio="$fio" --jobs="$top/jobs" --out=stop --drive=a=a.nvsim --points=50,100 --runtime=3 \
		--ramp=0 jobs/read.fio >stop.out 2>stop.err </dev/null &
	pid=$!
	for _ in {1..300}; do
		grep -q '"running"' stop/a/run.json 2>"$work/none" && [ -e stop/a/jobs/read/050.fio ] && break
		sleep 0.1
	done
	sleep 0.5
	for signal; do
		kill -"$signal" $pid
		sleep 0.05
	done
	status=0
	wait $pid || status=$?
}
# nobody: no fio runs on a.nvsim any more; those that are killed need a moment
nobody()
{
	for _ in {1..50}; do
		pgrep -f "fio.*$PWD/stop|fio.*stop/a/" >"$work/left" || return 0
		sleep 0.1
	done
	cat "$work/left"
	return 1
}
stop INT
is "$status" 130 'SIGINT ends it with 130'
like "$(cat stop.err)" 'stopped by signal 2; the same command goes on' '... says how to go on'
ok '... and no fio is left' nobody
is "$(state stop/a jobs/read/max state) $(state stop/a jobs/read/050 state) $(state stop/a jobs/read/100 state)" \
	'done interrupted to run' '... run.json says how far it came'
is "$(find stop -name '050.json')" '' '... and what was cut off is no result'
stop TERM INT
is "$status" 143 'SIGTERM ends it with 143, a second signal kills fio'
ok '... and no job is left' nobody
curve --out=stop --drive=a=a.nvsim --points=50,100 --runtime=3 --ramp=0 jobs/read.fio
is "$status" 0 'it goes on'
like "$out" $'^2 points on 1 drive' '... where it was'

# --- one at a time -----------------------------------------------------------------------------------
"$curve" --fio="$fio" --jobs="$top/jobs" --out=both --drive=a=a.nvsim --points=50 --runtime=2 --ramp=0 \
	jobs/read.fio >both.log 2>&1 </dev/null &
first=$!
for _ in {1..100}; do
	grep -q '"running"' both/a/run.json 2>"$work/none" && break
	sleep 0.1
done
curve --out=both --drive=a=a.nvsim --points=50 --runtime=2 --ramp=0 jobs/read.fio
is "$status" 1 'a second run into the same folder is refused'
like "$err" 'both/a: another fio-curve is at work there' '... and says why'
wait $first
is $? 0 '... and the first one ends well'

# --- failures ---------------------------------------------------------------------------------------
"$nvsim" fail a.nvsim read-error --lba=0-4095
curve --out=fail --drive=a=a.nvsim --points=50 --runtime=0.5 --ramp=0 jobs/read.fio jobs/rated.fio
is "$status" 1 'a drive that fails: exit status 1'
like "$err" 'a jobs/read/max: failed: .*Error' '... the point and the reason'
is "$(state fail/a jobs/read/max state) $(state fail/a jobs/read/050 state)" 'failed skipped' \
	'... what builds on it is not run'
"$nvsim" fail a.nvsim --clear
curve --out=fail --drive=a=a.nvsim --points=50 --runtime=0.5 --ramp=0 jobs/read.fio jobs/rated.fio
is "$status" 0 'the drive is well again: the rest is run'
is "$(state fail/a jobs/read/max state) $(state fail/a jobs/read/max reason)" 'done null' '... and done'
curve --out=fail --drive=x=a.nvsim --set=no_such_option=1 jobs/rated.fio
is "$status" 2 "an option that fio does not know"
like "$err" "no_such_option" "... fio's own words are passed on"
curve --out=/dev/null/x --drive=a=a.nvsim jobs/rated.fio
is "$status" 1 'results that cannot be written'
like "$err" '/dev/null.*cannot be made' '... are named'

# --- what is asked and not reached ---------------------------------------------------------------------
make_drive slow.nvsim --capacity=64M --serial=S
curve --out=slow --drive=s=slow.nvsim --points=max --runtime=0.5 --ramp=0 jobs/read.fio
"$nvsim" fail slow.nvsim delay=20ms --opcode=read
curve --out=slow --drive=s=slow.nvsim --points=50 --runtime=0.5 --ramp=0 jobs/read.fio
is "$status" 0 'a drive that became slow: its 50% point is run'
like "$err" 's jobs/read/050: [0-9]+ IOPS where [0-9,]+ were asked, less than its maximum: .*without slow/s/jobs/read/050.json the same command' \
	'... and its figure doubted'
like "$(state slow/s jobs/read/050 note)" 'less than its maximum' '... in run.json, too'

# --- nothing is overwritten without a word -------------------------------------------------------------
before=$(info a.nvsim counters writes)
curve --out=ask --drive=a=a.nvsim --drive=b=b.nvsim --points=50 --runtime=0.5 jobs/mixed.fio
is "$status" 2 'no terminal, no --yes: refused'
like "$err" "This destroys everything on"$'\n'"  a: .*/a.nvsim .*serial $(info a.nvsim serial), 67.1 MB"$'\n'"  b: .*serial B, " \
	'... and says what would be lost'
is "$(info a.nvsim counters writes) $([ -e ask ] || echo 1)" "$before 1" '... nothing is written'
if command -v script >/dev/null; then
	# answer TEXT: at the question, on a terminal
	answer()
	{
		status=0
		out=$(printf '%s\n' "$1" | script -qec "'$curve' --fio='$fio' --out=ask --drive=a=a.nvsim --points=50 \
			--runtime=0.5 --ramp=0 jobs/mixed.fio" /dev/null) || status=$?
	}
	answer y
	is "$status" 2 'y is not yes'
	like "$out" 'Type yes to go on: .*not confirmed; nothing was done' '... nothing was done'
	is "$(info a.nvsim counters writes)" "$before" '... indeed'
	answer yes
	is "$status" 0 'yes is'
	like "$out" '\[1/2\] a jobs/mixed/max: 0:00 of 0:01, 0:01 left' 'a terminal shows progress'
else
	skip 'the question' 'needs script (util-linux)'
fi
curve --out=ask2 --drive=a=a.nvsim --points=50 --runtime=0.5 --ramp=0 --yes --quiet jobs/mixed.fio
is "$status$out$err" 0 '--yes --quiet: not a word'
# A loop device needs root and a kernel that has them.
truncate -s 16M disk.img
if loop=$(losetup --find --show disk.img 2>"$work/losetup"); then
	curve --out=ask3 --drive=d=disk.img --yes --runtime=0.5 jobs/mixed.fio
	is "$status" 2 'a file that is a disk to the kernel'
	like "$err" 'will not be overwritten: it is the disk behind loop' '... is refused'
	losetup -d "$loop"
else
	skip 'a file that is a disk to the kernel' "$(head -n 1 "$work/losetup")"
fi

# --- preconditioning -------------------------------------------------------------------------------------
make_drive fresh.nvsim --capacity=64M
curve --out=pre --drive=f=fresh.nvsim --precondition=fill,steady --points=50 --runtime=0.5 --ramp=0 --yes \
	jobs/read.fio
is "$status" 0 'fill and steady'
is "$(info fresh.nvsim counters host_bytes)" 67108864 'the fill is one pass over the whole drive'
like "$out" 'writes at least 67.1 MB' '... the cost says so'
is "$(state pre/f precondition/seq-fill-1x state) $(state pre/f jobs/read/steady state)" 'done done' \
	'... both are in run.json'
like "$(option pre/f/jobs/read/.steady.fio read steadystate)" '^iops_slope:' "steady is fio's steadystate"
capture "$peak" pre/f
like "$out" $'\n''read +f +read ' 'fio-peak sees the curve'
is "$(grep -c 'fill\|steady' <<<"$out")" 0 '... not what came before'
curve --out=pre --drive=f=fresh.nvsim --precondition=fill,steady --points=50,90 --runtime=0.5 --ramp=0 jobs/read.fio
is "$status" 0 'one more point'
is "$(info fresh.nvsim counters host_bytes)" 67108864 '... is measured without another fill'
curve --out=pre2 --drive=f=fresh.nvsim --precondition=random --runtime=0.5 --yes jobs/rated.fio
is "$(made pre2/f/.precondition)" \
	'rand-fill-once.fio rand-fill-once.json seq-fill-1x.fio seq-fill-1x.json' 'random: after a fill'
is "$(info fresh.nvsim counters host_bytes)" $((3 * 67108864)) '... every block once more'

# --- files and folders -------------------------------------------------------------------------------------
if fio --name=probe --filename=probe.img --size=64k --rw=write --direct=1 --ioengine=psync >probe.log 2>&1; then
	mkdir "my share: it's"
	curve --out='the results' --drive=s="my share: it's" --file-size=8M --ioengine=psync --points=50 \
		--runtime=0.5 --ramp=0 --grid=2x1 jobs/read.fio nas/randread-4k nas/randwrite-4k
	is "$status" 0 'a folder whose name has blanks, a colon and a quote; no question for what is new'
	is "$(find "my share: it's" -type f -printf '%f %s\n' | sort | paste -sd ' ')" \
		'fio-curve.data 8388608 nas.0 8388608 nas.1 8388608' '... gets one file, and one for each job of a share'
	curve --out='other results' --drive=s="my share: it's" --file-size=8M --ioengine=psync --runtime=0.5 \
		--ramp=0 --grid=2x1 nas/randwrite-4k
	like "$status $err" "^2 .*s: .*/my share: it's/nas.\\* " '... what is there by then is asked for'
	curve --out=files --drive=f=new.img --file-size=16M --ioengine=psync --points=50 --runtime=0.5 --ramp=0 \
		jobs/mixed.fio
	is "$status" 0 'a new file'
	is "$(stat -c %s new.img)" 16777216 '... of the size that was given'
	ok '... is filled before it is measured' perl -e '$/ = \4096; while (<STDIN>) {
		/[^\0]/ or die "block ", $. - 1, " was not written\n" }' <new.img
else
	skip 'files and folders' 'direct I/O does not work here'
fi

# --- two drives ---------------------------------------------------------------------------------------------
curve --out=pair --drive=one=a.nvsim --drive=two=b.nvsim --points=50 --runtime=0.5 --ramp=0 --yes jobs/mixed.fio
capture "$peak" --format=csv pair
is "$(cut -d , -f 1-2 <<<"$out" | grep -c '^one,mixed\|^two,mixed')" \
	"$(grep -c ',mixed,' <<<"$out")" 'fio-peak puts two drives side by side'
ok '... and both are there' test "$(cut -d , -f 1 <<<"$out" | grep -c 'one\|two')" -ge 2

# --- the man page's examples ---------------------------------------------------------------------------------
# shellcheck source=t/docs.sh
. "$top/t/docs.sh"
build=${curve%/*} # absolute: we are not at the top
docs_folder
docs_blocks "$top/tools/fio-curve/fio-curve.1" "$work/examples"
docs_prepare "$work"/examples/*.sh
ok 'the man page has examples' test "$(find "$work/examples" -name '*-host.sh' | wc -l)" -ge 2
PATH=$build:$PATH
if [ -n "${PRELOAD:-}" ]; then
	skip "the man page's examples" 'a sanitized plugin needs its runtime first'
else
	docs_run fio-curve.1 "$work"/examples/*-host.sh
fi
done_testing
