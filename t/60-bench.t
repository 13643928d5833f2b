#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The benchmark runs, with far too few I/Os for figures to mean anything, and leaves a complete
# table and JSON file. No time is judged.
# shellcheck disable=SC2016 # perl, not shell
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 1
command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
[ -x "$build/t/bench/table" ] || skip_all "needs make bench-programs"

rm -f "$build/bench.json"
capture ci/bench --quick
is "$status" 0 'ci/bench --quick runs'
table=$out
[ "$status" = 0 ] || printf '%s\n' "$err" | sed 's/^/# /'

# rows REGEX: how many lines of the table match
rows()
{
	grep -cE "$1" <<<"$table"
}
is "$(rows '^rand(read|write) +(1|32|256) +[1-9][0-9]*\+[1-9].* (met|NOT met) ')" 12 \
	'two set-ups, two patterns, three depths: a row each, with costs and a verdict'
is "$(rows '^CPU time per I/O, .* ratio (met|NOT met)$')" 2 'a goal for each set-up'

# json EXPRESSION: of the JSON file, $j
json()
{
	perl -MJSON::PP -0777 -e 'my $j = decode_json(<STDIN>); print '"$1" <"$build/bench.json"
}
is "$(json 'scalar @{$j->{cpu_time}}')" 12 'bench.json: 12 measurements'
is "$(json 'scalar grep { $_->{unit} } map { @{$j->{$_}} } qw(cpu_time own goals)')" \
	"$(json 'scalar map { @{$j->{$_}} } qw(cpu_time own goals)')" 'each has a unit'
is "$(json 'scalar grep { my $c = $_->{cost}; grep { $c->{$_}{user} <= 0 || $c->{$_}{system} <= 0 }
	qw(nvmept io_uring_cmd io_uring) } @{$j->{cpu_time}}')" 0 'every engine took user and system time'
is "$(json 'scalar grep { $_->{to_io_uring_cmd}{min} > $_->{to_io_uring_cmd}{ratio} + 1e-6 }
	@{$j->{cpu_time}}')" 0 'ratios lie in their spread'

reason=$(sed -n '/^skipped: model/d; s/^skipped: //p' <<<"$table")
if [ -n "$reason" ]; then
	skip 'own instructions' "$reason"
else
	is "$(json 'join " ", map { "$_->{iodepth}/$_->{batch}" } @{$j->{own}}')" \
		'1/1 32/1 256/1 1024/1 32/16 256/16 1024/16' 'own instructions: depths and batches'
	is "$(json 'scalar grep { my $o = $_; grep { !($o->{$_} >= 1) }
		qw(queue commit getevents event) } @{$j->{own}}')" 0 'every phase costs something'
	is "$(json 'scalar grep { $_->{name} =~ /^own/ && defined $_->{met} } @{$j->{goals}}')" 2 \
		'two goals of them'
fi

is "$(rows '^(sequential|random) (read|write)(, steady)? +[0-9.]+ +\([0-9.]+\.\.[0-9.]+\)')" 4 \
	'the model drive: four workloads, best and worst rounds'
is "$(rows '^model, (sequential|random) .* million/s (met|NOT met)$')" 4 'a goal for each'
is "$(json 'join " ", map { $_->{rw} } grep { $_->{worst} > 0 && $_->{worst} <= $_->{best} &&
	$_->{best} < 100 } @{$j->{model}}')" 'seqread randread seqwrite randwrite' \
	'bench.json: rates that can be'
is "$(json 'join " ", map { sprintf "%s %.2f", $_->{rw}, $_->{waf} }
	grep { $_->{rw} ne "randwrite" } @{$j->{model}}')" \
	'seqread 0.00 randread 0.00 seqwrite 1.00' 'nothing is relocated but for random writes'
# Uniform, with 7% of spare units: about 8 on a drive of 1 GiB, here it is smaller.
is "$(json 'scalar grep { $_->{rw} eq "randwrite" && $_->{waf} > 2 && $_->{waf} < 12 }
	@{$j->{model}}')" 1 'random writes make garbage'
skipped=$(sed -n 's/^skipped: model, //p' <<<"$table")
if [ -n "$skipped" ]; then
	skip 'the share of the tables' "$skipped"
else
	# A map and a reverse map of 4 bytes a page are 0.2%.
	is "$(json 'scalar grep { $_->{name} =~ /8 GiB/ && $_->{figure} > 0.19 &&
		$_->{figure} < 1 && $_->{met} } @{$j->{goals}}')" 1 \
		'of a drive of 8 GiB less than 1% are no data'
fi
is "$(rows '^ +(1|64|128) +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+% +(5us|8%) (met|NOT met)$')" 3 \
	"what the host adds to a model drive's time: three rows"
is "$(json 'join " ", map { $_->{jobs} } grep { $_->{iops} > 0 && $_->{mean_us} > 95 &&
	$_->{added_us} > 0 && $_->{added_us} < $_->{mean_us} } @{$j->{host}}')" '1 64 128' \
	'bench.json: the same'
is "$(rows '^telemetry, .* ratio (met|NOT met)$')" 2 'telemetry: two goals'
# A quick run may take less for a reading than the clock shows.
is "$(json 'join " ", map { $_->{figure} > 0 || $_->{name} =~ /every 100 ms/ ? 1 : 0 }
	grep { $_->{name} =~ /^telemetry/ } @{$j->{goals}}')" '1 1' 'bench.json: the same'
capture "$build/t/bench/model" "$work/none/out.json"
is "$status" 1 'a file that cannot be made: fails'
like "$err" 'out.json.nvsim: No such file' '... and names it'

capture ci/bench --nonsense
is "$status" 2 'an unknown option: exit status 2'
like "$err" '--quick' '... and the usage'
capture "$build/t/bench/table" "$work" "$work/out.json" 16
is "$status" 1 'table without input fails'
like "$err" 'own.txt: No such file' '... and names the file'
done_testing
