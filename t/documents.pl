#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# documents.pl FILE COPIES DOCUMENTS: the fio document in FILE with its only job COPIES times, printed
# DOCUMENTS times as so many runs. For inputs that are too large to be kept.
use strict;
use warnings;

my ($file, $copies, $documents) = @ARGV;
local $/;
open my $in, '<', $file or die "$file: $!\n";
my ($head, $job, $tail) = <$in> =~ /^(.*?"jobs" : \[\n)(.*\n    \})(\n  \].*)$/s
	or die "$file: no list of jobs as fio prints it\n";
my $document = $head . join(",\n", ($job) x $copies) . $tail;
for my $run (1 .. $documents) {
	my $text = $document;
	# A run a minute: the same start would be the same run, seen again.
	$text =~ s/("job_start" : )(\d+)/$1 . ($2 + $run * 60000)/ge;
	print $text;
}
