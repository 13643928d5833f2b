#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What a reader meets in every file: the licence line, kernel style in C, bash that parses.
# shellcheck source=t/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$top" || bail "cannot enter $top"
dirs="engine tools t ci"

# Other releases of clang-format lay some lines out differently.
formats_like_debian_12()
{
	clang-format --version 2>/dev/null | grep -q 'version 14\.'
}

has_licence_line()
{
	head -n 3 "$1" | grep -qE 'SPDX-License-Identifier: GPL-2.0-only( \*/)?$'
}

no_blanks_at_line_ends()
{
	! grep -nE '[[:blank:]]+$' "$1"
}

mapfile -t c_files < <(find $dirs -name '*.[ch]' | sort)
mapfile -t scripts < <(grep -rlE '^#!/bin/(ba)?sh' $dirs .ci | sort)
ok "there are C files and scripts to look at" test ${#c_files[@]} -gt 5 -a ${#scripts[@]} -gt 5

for file in "${c_files[@]}"; do
	ok "$file: licence" has_licence_line "$file"
	if formats_like_debian_12; then
		ok "$file: clang-format" clang-format --dry-run --Werror "$file"
	else
		skip "$file: clang-format" "needs clang-format 14"
	fi
done
for file in "${scripts[@]}"; do
	ok "$file: licence" has_licence_line "$file"
	ok "$file: parses" bash -n "$file"
	ok "$file: no blanks at line ends" no_blanks_at_line_ends "$file"
done
done_testing
