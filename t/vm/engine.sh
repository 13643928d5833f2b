# SPDX-License-Identifier: GPL-2.0-only
# What the guest scripts that test the plugin share. Sourced in the VM, after t/lib.sh.

plugin=external:build/nvmept.so

# fio ARGS...: with $PRELOAD, the sanitizers' runtime, where a sanitized plugin is under test.
fio()
{
	if [ -n "${PRELOAD:-}" ]; then
		LD_PRELOAD=$PRELOAD command fio "$@"
	else
		command fio "$@"
	fi
}

# reported: did a sanitizer report anything in the last run?
reported()
{
	grep -qE 'runtime error:|AddressSanitizer' "$work/err"
}

# engine_fio ARGS...: fio with our engine; output in $work/out (JSON) and $work/err.
engine_fio()
{
	fio --name=t "--ioengine=${ENGINE:-$plugin}" --output-format=json --output="$work/out" \
		"$@" >"$work/stdout" 2>"$work/err"
}

# works NAME ARGS...: the run ends well, does I/O, and no job has an error.
works()
{
	local name=$1
	shift
	engine_fio "$@"
	local status=$?
	if [ $status = 0 ] && ! grep -q '"error" : [1-9]' "$work/out" && did_io && ! reported; then
		pass "$name"
	else
		fail "$name" "exit status $status: fio $*" "$(cat "$work/err")" "$(grep -v '^[ {}"]' "$work/out")"
	fi
}

# refused NAME REGEX ARGS...: fio fails, and exactly one line of ours matches REGEX.
refused()
{
	local name=$1 regex=$2
	shift 2
	engine_fio "$@"
	local status=$?
	local lines
	lines=$(grep -Ec "^nvmept: $regex" "$work/err")
	if [ $status != 0 ] && [ "$lines" = 1 ] && ! reported; then
		pass "$name"
	else
		fail "$name" "exit status $status, $lines lines like \"$regex\": fio $*" \
			"$(cat "$work/err")"
	fi
}

did_io()
{
	grep -Eq '"total_ios" : [1-9]' "$work/out"
}

# ios DIRECTION: total_ios of a direction, over all jobs of the last run.
ios()
{
	sed -n "/\"$1\" : {/,/}/s/.*\"total_ios\" : \([0-9]*\).*/\1/p" "$work/out" |
		awk '{ n += $1 } END { print n + 0 }'
}

# commands KIND: what the plugin says it sent (nvme_verbose=1), over all jobs: Read, Write, ...
commands()
{
	sed -n "s/.*commands:.* \([0-9]*\) $1[,;].*/\1/p" "$work/err" |
		awk '{ n += $1 } END { print n + 0 }'
}

# smart CONTROLLER: host read and write commands by the drive's own count.
smart()
{
	nvme smart-log "$1" -o json |
		sed -n 's/.*"host_\(read\|write\)_commands" *: *"*\([0-9]*\).*/\1 \2/p' | sort |
		awk '{ printf "%s%s", sep, $2; sep = " " }'
}

# use_model_drives: for tests on this machine, which need fio and the built plugin and nvsim: $plugin,
# $nvsim; engine_fio then has them.
use_model_drives()
{
	command -v fio >/dev/null || skip_all "fio is not installed"
	cd "$top" || bail "cannot enter $top"
	plugin=$(realpath "$build/nvmept.so")
	nvsim=$(realpath "$build/nvsim")
	[ -e "$plugin" ] || bail "$plugin is not built: make"
	[ -x "$nvsim" ] || bail "$nvsim is not built: make"
	ENGINE=external:$plugin
}
