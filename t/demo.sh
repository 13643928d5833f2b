#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# For make demo: two model drives, filled, then the four corners on each, some seconds apiece,
# through the plugin. Leaves fio's JSON in $OUT/results/<drive>/corners/<workload>/max.json.
set -eu
: "${BUILD:=build}" "${OUT:=$BUILD/demo}"

# run DRIVE FIO-ARGUMENTS...
run()
{
	local drive=$1
	shift
	fio --ioengine="external:$BUILD/nvmept.so" --filename="$OUT/$drive.nvsim" "$@"
}

# fill DRIVE NAME
fill()
{
	echo "$1: jobs/precondition/$2.fio"
	run "$1" --output=/dev/null "jobs/precondition/$2.fio"
}

# corner DRIVE NAME
corner()
{
	local folder=$OUT/results/$1/corners/$2
	mkdir -p "$folder"
	echo "$1: jobs/corners/$2.fio --ramp_time=1 --runtime=3"
	run "$1" --ramp_time=1 --runtime=3 --output-format=json+ --output="$folder/max.json" \
		"jobs/corners/$2.fio"
}

rm -rf "$OUT"
mkdir -p "$OUT"
for drive in gen5-read gen4; do
	"$BUILD/nvsim" create "$OUT/$drive.nvsim" --preset="$drive" --capacity=64M
	fill "$drive" seq-fill-2x
	corner "$drive" seqwrite-256k-1t64q
	corner "$drive" seqread-256k-1t64q
	corner "$drive" randread-4k-8t32q
	fill "$drive" rand-fill-once
	corner "$drive" randwrite-4k-8t32q
done
rm -f "$OUT"/*.nvsim
