#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A namespace in use is not written to: t/vm/guard.sh.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
in_vm --timeout=900 \
	--drive=name=a,size=8M
exec t/vm/guard.sh
