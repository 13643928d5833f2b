#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# cppcheck, clang-tidy (.clang-tidy says what it looks for and what not, and why) and shellcheck have
# nothing to say.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/tidy.sh
. "$(dirname "$0")/tidy.sh"
cd "$top" || exit 1

# have PROGRAM NAME: else skips the test of that name.
have()
{
	command -v "$1" >/dev/null && return 0
	skip "$2" "needs $1 (ci/deps lint)"
	return 1
}

# checked: all of our C files that are programs or parts of them
checked=$(find engine tools t/unit t/bench -name '*.c' | sort)
# useClosedFile: main.c closes a file or flushes stdout in one expression (cppcheck 2.10)
# shellcheck disable=SC2086
have cppcheck cppcheck && ok 'cppcheck' cppcheck --quiet --std=c11 --error-exitcode=1 -I. \
	--enable=warning,performance,portability -D_GNU_SOURCE --inline-suppr \
	--suppress=useClosedFile:tools/fio-peak/main.c $checked

# Without the analyser, which takes seconds a file: t/long/03-analyzer.t has it.
have clang-tidy clang-tidy && tidy_all '--checks=-clang-analyzer-*'

# Sourced files are seen through those that source them. SC1091: followed only where asked to.
scripts=$(grep -lE '^#!/bin/(ba)?sh' .ci/run ci/* t/*.t t/long/*.t t/vm/* t/*.sh 2>/dev/null)
# shellcheck disable=SC2086
have shellcheck shellcheck && ok 'shellcheck' shellcheck -x -S warning -e SC1091,SC2154 $scripts
done_testing
