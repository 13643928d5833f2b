#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Clang's static analyser, by .clang-tidy: seconds a file. t/03-lint.t has the other checks.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
# shellcheck source=t/tidy.sh
. "$(dirname "$0")/../tidy.sh"
cd "$top" || exit 1
command -v clang-tidy >/dev/null || skip_all 'needs clang-tidy (ci/deps lint)'
tidy_all
done_testing
