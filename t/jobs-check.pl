#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What one run of a job file did, against its rows in t/data/jobs/behaviour.table.
#
# usage: jobs-check.pl TABLE FILE RESULTS BYTES ENOUGH
#   FILE     the job file as the table names it, without .fio
#   RESULTS  folder with out.json and log_bw.N.log, as t/31-jobs-behaviour.t has fio write them:
#            a log for each job, a line for each I/O: time, value, direction, size, offset
#   BYTES    of the target
#   ENOUGH   I/Os of a section, fewer tell too little
#
# Prints what is wrong, a line each, and ends with 1; prints n and the figures and ends with 0.
#
# Shares are checked within 5 sigma of what n I/Os allow (about 1 of 2 million checks fails by chance)
# and 0.3 points, for the ends of the region, where large blocks do not fit.
use strict;
use warnings;
use JSON::PP;

my ($table, $file, $results, $bytes, $enough) = @ARGV;
my @wrong;
my @seen;
my $logged = 0;

sub wrong { push @wrong, join '', @_ }

# The rows of a file: one for each section, in the file's order. "A = B": A does what B does.
sub rows {
	my ($name) = @_;
	my @rows;
	open my $in, '<', $table or die "$table: $!\n";
	while (<$in>) {
		next if /^#/ or !/\S/;
		my @f = split;
		next if $f[0] ne $name;
		return rows($f[2]) if $f[1] eq '=';
		my %row;
		@row{qw(section jobs depth read random region sizes)} = @f[1 .. 7];
		push @rows, \%row;
	}
	@rows or die "$name has no row in $table\n";
	return @rows;
}

# "16k", "1m" in bytes
sub size {
	my ($text) = @_;
	my ($n, $unit) = $text =~ /^(\d+)([km]?)$/ or die "$table: size $text\n";
	return $n * { '' => 1, k => 1 << 10, m => 1 << 20 }->{$unit};
}

# "8k/90:32k/10" as a hash from bytes to percent; "8k" is all of it.
sub mix {
	my %mix;
	for (split /:/, $_[0]) {
		my ($size, $percent) = split m{/};
		$mix{ size($size) } = $percent // 100;
	}
	return \%mix;
}

# A share in percent that came out of n trials.
sub share_is {
	my ($what, $got, $n, $want) = @_;
	return wrong("$what: no I/O") if !$n;
	my $p = $want / 100;
	my $bound = 0.3 + 500 * sqrt($p * (1 - $p) / $n);
	my $percent = 100 * $got / $n;
	push @seen, sprintf '%s %.1f (%g)', $what, $percent, $want;
	wrong(sprintf '%s: %.2f%% of %d, should be %g%% within %.2f', $what, $percent, $n, $want, $bound)
		if abs($percent - $want) > $bound;
}

# The I/Os of job N: [direction, size, offset], direction 0 for reads and 1 for writes; the first
# 4,000 of each job. Adds all to $logged.
sub ios {
	my ($n) = @_;
	my @ios;
	open my $in, '<', "$results/log_bw.$n.log" or return;
	while (<$in>) {
		$logged++;
		next if @ios == 4000;
		my (undef, undef, $dir, $size, $offset) = split /, */;
		push @ios, [ $dir, $size, $offset ];
	}
	return @ios;
}

# A job's I/Os after its first, and how many of them neither follow one of its last I/Os in that
# direction nor, for a stream, start it anew. Several: as many may be outstanding, and logs are in the order
# in which I/Os end.
sub jumps {
	my ($ios, $gap, $last, $wraps) = @_;
	my $first = shift @$ios or return (0, 0);
	my @ends = ($first->[2] + $first->[1] + $gap);
	my %next = ($ends[0] => 1);
	my $jumps = 0;
	for my $io (@$ios) {
		my ($size, $offset) = @$io[ 1, 2 ];
		$jumps++ if !$next{$offset} && !($wraps && $offset == $first->[2]);
		push @ends, $offset + $size + $gap;
		$next{ $ends[-1] }++;
		if (@ends > $last) {
			my $old = shift @ends;
			delete $next{$old} if !--$next{$old};
		}
	}
	return (scalar @$ios, $jumps);
}

# Offsets stay in the region, and random ones reach its ends.
sub region_is {
	my ($row, $ios, $random) = @_;
	my ($from, $to) = map { $_ / 100 * $bytes } split /-/, $row->{region};
	my ($low, $high) = ($bytes, 0);
	for (@$ios) {
		my (undef, $size, $offset) = @$_;
		$low = $offset if $offset < $low;
		$high = $offset + $size if $offset + $size > $high;
	}
	my $slack = ($to - $from) / 20;
	my $where = "$row->{section}: I/O at $low to $high, should be $from to $to";
	wrong($where) if $low < $from - $row->{smallest} || $high > $to + $row->{smallest};
	wrong("$where, and reach both")
		if $random >= 50 && @$ios >= 400 && ($low > $from + $slack || $high < $to - $slack);
}

# The jobs of a section share one stream: each starts a block behind another.
sub starts_are {
	my ($row, @starts) = @_;
	my @first = sort { $a <=> $b } @starts;
	my $bs = $row->{smallest};
	for my $i (0 .. $#first) {
		wrong("$row->{section}: a job starts at $first[$i], should be ", $i * $bs)
			if $first[$i] != $i * $bs;
	}
}

sub check_direction {
	my ($row, $dir, $mix, $random, $ios) = @_;
	my $name = "$row->{section} " . ($dir ? 'writes' : 'reads');
	my $gap = $random eq 'shared' ? ($row->{jobs} - 1) * $row->{smallest} : 0;
	$random = 0 if $random eq 'shared';
	my $last = $row->{depth} == 1 || $random == 100 ? 1 : 4 * $row->{depth};
	my ($n, $moves, $jumps, %sizes) = (0, 0, 0);
	for my $job (@$ios) {
		my @own = grep { $_->[0] == $dir } @$job;
		$n += @own;
		$sizes{ $_->[1] }++ for @own;
		my ($all, $far) = jumps(\@own, $gap, $last, $random == 0);
		$moves += $all;
		$jumps += $far;
	}
	for (sort { $a <=> $b } keys %{ { %$mix, %sizes } }) {
		share_is("$name of $_ bytes", $sizes{$_} // 0, $n, $mix->{$_} // 0);
	}
	share_is("$name random", $jumps, $moves, $random);
}

# out.json: no error, the depth that most I/Os were submitted at, as many I/Os as in the logs.
sub check_json {
	my ($rows) = @_;
	open my $in, '<', "$results/out.json" or die "out.json: $!\n";
	local $/;
	my $jobs = decode_json(<$in>)->{jobs};
	my $total = 0;
	for my $i (0 .. $#$jobs) {
		my $job = $jobs->[$i];
		wrong("$job->{jobname}: error $job->{error}") if $job->{error};
		$total += $job->{read}{total_ios} + $job->{write}{total_ios};
		my $levels = $job->{iodepth_level};
		my ($most) = sort { $levels->{$b} <=> $levels->{$a} } keys %$levels;
		my ($depth, $n) = @{ $rows->[ @$jobs == @$rows ? $i : 0 ] }{qw(depth jobs)};
		next if $job->{read}{total_ios} + $job->{write}{total_ios} < 4 * $depth * $n;
		my ($level) = grep { $_ <= $depth } 64, 32, 16, 8, 4, 2, 1;
		wrong("$job->{jobname}: most I/Os at depth $most, should be $depth")
			if $most =~ s/>=//r != $level;
	}
	wrong("JSON has $total I/Os, the logs $logged") if abs($total - $logged) > 0.01 * $total;
}

# A section's I/Os; its logs are the ones from number $job on.
sub check_section {
	my ($row, $job) = @_;
	my @mixes = map { mix($_) } split /,/, $row->{sizes};
	my @random = split /,/, $row->{random};
	($row->{smallest}) = sort { $a <=> $b } map { keys %$_ } @mixes;
	my @ios = map { [ ios($_) ] } $job .. $job + $row->{jobs} - 1;
	my $idle = grep { !@$_ } @ios;
	wrong("$row->{section}: $idle of $row->{jobs} jobs did nothing") if $idle;
	my @all = map { @$_ } @ios;
	wrong("$row->{section}: only ", scalar @all, " I/Os") if @all < $enough;
	return if !@all;

	my $reads = grep { $_->[0] == 0 } @all;
	share_is("$row->{section} reads", $reads, scalar @all, $row->{read});
	check_direction($row, 0, $mixes[0], $random[0], \@ios) if $row->{read} > 0;
	check_direction($row, 1, $mixes[-1], $random[-1], \@ios) if $row->{read} < 100;
	if ($random[0] eq 'shared') {
		starts_are($row, map { $_->[0] ? $_->[0][2] : -1 } @ios);
		@random = (0);
	}
	region_is($row, \@all, $random[-1]);
	push @seen, 'n ' . @all;
}

my @rows = rows($file);
my $job = 1;
for my $row (@rows) {
	check_section($row, $job);
	$job += $row->{jobs};
}
wrong('more jobs than ', $job - 1) if -e "$results/log_bw.$job.log";
check_json(\@rows);
print "$_\n" for @wrong, @seen;
exit(@wrong > 0);
