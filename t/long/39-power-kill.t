#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Power runs that are killed, each way 50 times: every time the state is restored, and no guardian left.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
# shellcheck source=t/vm/engine.sh
. "$(dirname "$0")/../vm/engine.sh"
# shellcheck source=t/39-power.sh
. "$(dirname "$0")/../39-power.sh"

use_model_drives
cd "$work" || exit 1
make_drive a.nvsim --timing=none --serial="POWER$$"
times=${TIMES:-50}

kills parent "$times" 'SIGKILL of the parent: restored when the jobs end'
kills job "$times" 'SIGKILL of one job'
kills group "$times" 'SIGKILL of parent and jobs'
kills thread "$times" 'SIGKILL with threads'
kills anytime "$times" 'SIGKILL at any moment'
done_testing
