#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A user's mistakes get one clear line: t/vm/mistakes.sh.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
in_vm --timeout=900 \
	--drive=name=a,size=64M \
	--drive=name=k,lba=4096 \
	--drive=name=m,lba=4096,ms=8 \
	--drive=name=z,ns.zoned=on,ns.zoned.zone_size=4M \
	--drive=name=p,paths=2 \
	--drive=name=g
exec t/vm/mistakes.sh
