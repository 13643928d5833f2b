#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The commands in the documents that need an NVMe drive, in the order in which they stand, on
# /dev/ng0n1 and /dev/ng1n1 of a virtual machine. docs_prepare in t/docs.sh says what is changed.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
# The documents stand in no folder that the guest has: they travel in the script.
if [ -z "${IN_VM:-}" ]; then
	command -v qemu-system-x86_64 >/dev/null || skip_all "needs qemu-system-x86_64 (ci/deps vm)"
	{
		echo "#!/bin/bash"
		echo "mkdir /docs"
		for doc in README.md engine/nvmept.7; do
			echo "cat >/docs/${doc##*/} <<'END OF THE DOCUMENT'"
			cat "$top/$doc"
			echo "END OF THE DOCUMENT"
		done
		echo "exec t/71-docs-vm.t"
	} >"$work/script"
	"$top/t/vm/run" --timeout=900 --drive=name=a,size=16M --drive=name=b,size=16M \
		--append=nvme.poll_queues=1 "$work/script"
	exit
fi
# shellcheck source=t/docs.sh
. t/docs.sh

# The guest has no udev to make this link, which the man page's example names.
mkdir -p /dev/disk/by-path
ln -s /dev/nvme0n1 /dev/disk/by-path/pci-0000:00:04.0-nvme-1

# prepare FILE: the blocks of a document that run here, in the array blocks.
prepare()
{
	docs_blocks "$1" "$work/blocks-$2"
	docs_prepare "$work/blocks-$2"/*.sh
	mapfile -t blocks < <(find "$work/blocks-$2" -name '*-vm.sh' -o -name '*-any.sh' | sort)
}

docs_folder
prepare "/docs/README.md" readme
ok 'README.md has commands for here' test ${#blocks[@]} -ge 6
# "The next one, then the same steps": the short variant again for the second drive.
short=$(grep -l rand-fill-once "${blocks[@]}")
steps=()
for block in "${blocks[@]}"; do
	steps+=("$block")
	if grep -q 'ng1n1' "$block"; then
		cp "$short" "$work/blocks-readme/again.sh"
		steps+=("$work/blocks-readme/again.sh")
	fi
done
is "$((${#steps[@]} - ${#blocks[@]}))" 1 'README.md: the steps for the second drive'
docs_run README.md "${steps[@]}"

# good_result FILE: fio's JSON of a job that did I/O without an error.
good_result()
{
	grep -Eq '"total_ios" : [1-9]' "$1" && ! grep -E '"error" : [1-9]' "$1"
}
for drive in a b; do
	for corner in seqwrite-256k-1t64q seqread-256k-1t64q randread-4k-8t32q randwrite-4k-8t32q; do
		ok "README.md: drive-$drive has $corner" \
			good_result "$work/run/results/drive-$drive/$corner.json"
	done
done
is "$(tail -n +2 "$work/run/drives.csv" | cut -d , -f 1 | sort -u | tr '\n' ' ')" 'a b ' \
	'README.md: drives.csv is of the two drives'

prepare jobs/README.md jobs
ok 'jobs/README.md has commands for here' test ${#blocks[@]} -ge 1
docs_run jobs/README.md "${blocks[@]}"
ok 'jobs/README.md: the result' good_result "$work/run/randread.json"

prepare "/docs/nvmept.7" man
ok 'nvmept.7 has commands for here' test ${#blocks[@]} -ge 6
docs_run nvmept.7 "${blocks[@]}"
ok 'nvmept.7: the result of the job file' good_result "$work/run/two.json"
done_testing
