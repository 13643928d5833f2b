#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In the VM, for make demo-vm: the four corners, some seconds each, on two NVMe drives, through the
# plugin. Leaves fio's JSON in $OUT/<drive>/corners/<workload>/max.json.
set -eu
for drive in fast slow; do
	for corner in seqwrite-256k-1t64q seqread-256k-1t64q randread-4k-8t32q randwrite-4k-8t32q; do
		folder=$OUT/$drive/corners/$corner
		mkdir -p "$folder"
		echo "fio jobs/corners/$corner.fio --ioengine=external:build/nvmept.so" \
			"--filename=/dev/drive/$drive --ramp_time=1 --runtime=3"
		fio "jobs/corners/$corner.fio" --ioengine=external:build/nvmept.so \
			"--filename=/dev/drive/$drive" --ramp_time=1 --runtime=3 \
			--output-format=json+ --output="$folder/max.json"
	done
done
