# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The commands in the documents, as files that a test can run. Sourced after t/lib.sh.
#
# In Markdown a block that begins with ```sh is run, in a man page what stands between .EX and .EE.
# Where: "```sh host" and a line `.\" run: host` before .EX on this machine, without any NVMe
# drive; "any" there and in the virtual machine; without a word in the virtual machine only.

# docs_blocks FILE FOLDER: each block becomes FOLDER/NN-WHERE.sh.
docs_blocks()
{
	mkdir -p "$2"
	case $1 in
	*.md) awk -v folder="$2" '
		/^```sh/ { on = 1; file = sprintf("%s/%02d-%s.sh", folder, ++n, $2 ? $2 : "vm"); next }
		/^```/ { on = 0 }
		on { print >file }' "$1" ;;
	*) awk -v folder="$2" '
		/^\.\\" run: / { where = $3 }
		/^\.EX/ { on = 1; file = sprintf("%s/%02d-%s.sh", folder, ++n, where ? where : "vm"); next }
		/^\.EE/ { on = 0; where = "" }
		on { print >file }' "$1" | cat
		sed -i 's/\\-/-/g; s/\\e/\\/g; s/\\&//g' "$2"/*.sh ;;
	esac
}

# docs_prepare BLOCK...: the only changes before they run. A second instead of minutes; what the
# documents call by its place after `make install` stands in the source tree.
docs_prepare()
{
	sed -i -E -e 's/(--|^)runtime=[0-9]+/\1runtime=1/g' -e 's/--ramp_time=[0-9]+/--ramp_time=0/g' \
		-e 's,/usr/local/lib/fio-peak/,build/,g' -e 's,/usr/local/share/fio-peak/,,g' "$@"
}

# docs_folder: makes $work/run, where the documents' relative paths lead to what they mean. The job
# files are copies in which published times are a second.
docs_folder()
{
	mkdir -p "$work/run"
	cp -r "$top/jobs" "$work/run/"
	ln -sfn "$(realpath "$build")" "$work/run/build"
	sed -i -E 's/^(runtime|ramp_time)=[0-9]+/\1=1/' "$work"/run/jobs/*/published/*.fio
}

# did_its_io BLOCK: a block that runs fio and shows its report has done I/O.
did_its_io()
{
	! grep -q "^ *fio " "$1" || grep -q -e --output= -e --parse-only -e --enghelp "$1" ||
		grep -Eq "issued rwts: total=[0-9,]*[1-9]" "$1.log"
}

# docs_run NAME BLOCK...: the blocks run in $work/run, in order, in one bash, which ends at the first
# command that fails. One test for each block.
docs_run()
{
	local name=$1 block first
	shift

	rm -f "$work"/blocks.*
	(
		cd "$work/run" || exit 1
		set -e
		n=0
		for block; do
			n=$((n + 1))
			# shellcheck source=/dev/null
			. "$block" >"$block.log" 2>&1 </dev/null
			did_its_io "$block" || {
				echo "no I/O was done" >>"$block.log"
				exit 1
			}
			: >"$work/blocks.$n"
		done
	)
	n=0
	for block; do
		n=$((n + 1))
		first=$(grep -m 1 . "$block")
		if [ -e "$work/blocks.$n" ]; then
			pass "$name: $first"
		else
			fail "$name: $first" "$(cat "$block" "$block.log" 2>&1)"
		fi
	done
}
