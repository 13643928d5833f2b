#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The layout table's measured rows are what ci/fio-layout prints from fio's sources, for every
# release whose source Debian carries today.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 1

# row RELEASE FILE: the table's row, from its opening brace to the closing one.
row()
{
	awk -v want=".release = \"$1\"," '
		/^\t\{/ { text = ""; on = 0 }
		{ text = text $0 "\n" }
		index($0, want) { on = 1 }
		/^\t\},/ { if (on) printf "%s", text; on = 0 }' "$2"
}

capture ci/fio-layout "$work"
is "$status" 2 'a folder that is no fio source: exit status 2'
like "$err" '^usage: ci/fio-layout FIO_SRC' '... and what it wants'

for suite in bookworm trixie sid; do
	capture ci/fio-source "$suite"
	if [ "$status" != 0 ]; then
		skip "$suite's fio" "$err"
		continue
	fi
	tree=$out
	capture ci/fio-layout "$tree"
	is "$status" 0 "$suite: ci/fio-layout reads ${tree##*/}"
	printf '%s\n' "$out" >"$work/printed"
	release=$(sed -n 's/.*\.release = "\(.*\)",/\1/p' "$work/printed")
	row "$release" engine/fio_layouts.h >"$work/table"
	if [ ! -s "$work/table" ]; then
		skip "$suite's fio $release" "no measured row: ci/fio-layout $tree >> engine/fio_layouts.h"
	else
		ok "$suite: the row of $release is what its source says" \
			diff "$work/table" "$work/printed"
	fi
done
done_testing
