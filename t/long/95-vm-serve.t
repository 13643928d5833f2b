#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio killed fifty times in a power run on a drive that nvsim serves to the kernel: t/vm/serve.sh.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/../lib.sh"
in_vm --timeout=1800
exec t/vm/serve.sh kills_50
