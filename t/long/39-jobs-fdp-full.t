#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# jobs/fdp/ on model drives like those of t/data/jobs/fdp.table, 1,024 units of 1 MiB: within 5%. Takes
# three minutes and 1 GiB of disk.

# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/../vm/engine.sh"
# shellcheck source=t/fdp.sh
. "$(dirname "$0")/../fdp.sh"

use_model_drives
cd "$work" || exit 1
check_fdp 1G 1M 5 1 2
done_testing
