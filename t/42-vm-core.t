#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The core tests with this machine's fio; 43 and 44 run them with other Debians'.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
in_vm --timeout=600 --drive=name=a --drive=name=b,mdts=5
exec t/vm/core.sh
