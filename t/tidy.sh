# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# For the tests that lint, after t/lib.sh.

# tidy_all [OPTION...]: clang-tidy, by .clang-tidy, has nothing to say of any file of the engine and the tools
tidy_all()
{
	local file
	for file in $(find engine tools -name '*.c' | sort); do
		ok "clang-tidy $file" tidy "$file" "$@"
	done
}

tidy()
{
	local file=$1
	shift
	clang-tidy --quiet "$@" "$file" -- -std=gnu11 -D_GNU_SOURCE -I. \
		-I/usr/include/libmount -I/usr/include/libsmartcols 2>/dev/null
}
