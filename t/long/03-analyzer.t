#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Clang's static analyser, by .clang-tidy: seconds a file. t/03-lint.t has the other checks.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
command -v clang-tidy >/dev/null || skip_all 'needs clang-tidy (ci/deps lint)'

tidy()
{
	clang-tidy --quiet "$1" -- -std=gnu11 -D_GNU_SOURCE -I. \
		-I/usr/include/libmount -I/usr/include/libsmartcols 2>/dev/null
}
for file in $(find engine tools -name '*.c' | sort); do
	ok "clang-tidy $file" tidy "$file"
done
done_testing
