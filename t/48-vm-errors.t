#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What fails is reported and counted, and removal ends the job: t/vm/errors.sh.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
in_vm --timeout=900 \
	--drive=name=r,size=16M,bad-read=8M \
	--drive=name=w,size=16M,bad-write=8M \
	--drive=name=c,size=32M,iops=1500 \
	--drive=name=s,size=32M,mdts=5,bad-read=8904704 \
	--drive=name=u,iops=2000 \
	--drive=name=v,mdts=5,iops=400 \
	--drive=name=p,paths=2,iops=1000
exec t/vm/errors.sh
