#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-peak reads a file of a gigabyte, of many json+ documents, in the memory that its largest document
# takes.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"

peak=$(realpath "$build")/fio-peak
file=$top/t/data/fio-json/v3.42__jsonplus-bins-ns.json
command -v perl >/dev/null || skip_all "needs perl"
cd "$work" || exit 1
avail=$(df --output=avail -B1 . | tail -1)
[ "$avail" -gt 1200000000 ] || skip_all "needs 1.2 GB in $work"

# memory FILE: the most that fio-peak had, KiB; csv of it into out.
memory()
{
	perl -e '
		open STDOUT, ">", "out";
		system(@ARGV) and exit 1;
		my $usage = "\0" x 144; # struct rusage of x86-64
		syscall 98, -1, $usage; # SYS_getrusage, RUSAGE_CHILDREN
		print STDERR ((unpack "q18", $usage)[4]);
	' "$peak" --format=csv "$1" 2>&1
}

"$top/t/documents.pl" "$file" 60 1 >one.json
one=$(memory one.json)
"$top/t/documents.pl" "$file" 60 770 >many.json
ok "a file of a gigabyte" test "$(stat -c %s many.json)" -gt 1000000000
many=$(memory many.json)
is "$(grep -c ',all,' out)" 770 "each of its 770 documents is a point"
# A point is kept of each, about 3 KB.
ok "one document takes $one KiB, 770 take $many: no more than a third more" test "$many" -le $((one * 4 / 3))
"$top/t/documents.pl" "$file" 600 1 >large.json
large=$(memory large.json)
ok "one of ten times the size takes $large KiB: up to ten times that" test "$large" -le $((one * 10))
done_testing
