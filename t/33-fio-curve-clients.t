#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fio-curve --client: three fio servers on ports of this machine, each with a drive of its own behind
# one name; a host that is not there, one that dies, being stopped, resuming.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/curve.sh
. "$(dirname "$0")/curve.sh"

engine=external:$plugin
servers=()
ports=()
trap 'kill "${servers[@]}" 2>/dev/null; rm -rf "$work"' EXIT

# serve NUMBER [PORT]: a server in a folder of its own, so that the same relative name is another drive;
# without PORT the first that is free
serve()
{
	local port
	mkdir -p "host$1"
	for port in ${2:-$(seq $((20000 + RANDOM % 20000)) 7 65000 | head -n 20)}; do
		(cd "host$1" && exec "$fio" --server=ip:127.0.0.1,"$port" >server.log 2>&1 </dev/null) &
		servers[$1]=$!
		for _ in {1..50}; do
			kill -0 "${servers[$1]}" 2>/dev/null || break
			(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && { ports[$1]=$port; return 0; }
			sleep 0.1
		done
		wait "${servers[$1]}" 2>/dev/null
	done
	return 1
}
# stop_server NUMBER: it and what it has started for its client, by their numbers
stop_server()
{
	local children
	children=$(pgrep -P "${servers[$1]}")
	# shellcheck disable=SC2086 # one word for each
	kill -KILL "${servers[$1]}" $children
	wait "${servers[$1]}" 2>/dev/null
}

for host in 1 2 3; do
	serve $host || skip_all "no fio server comes up on a port here"
	make_drive host$host/d.nvsim --capacity=32M --serial=HOST$host --timing=real --t-read=400us \
		--t-program=400us --dies=4 --buffer=64k
	fill host$host/d.nvsim
done
hosts=127.0.0.1:${ports[1]},127.0.0.1:${ports[2]},127.0.0.1:${ports[3]}

cat >read.fio <<'E2'
# A test.
# fio-peak: mode=curve shape=random destroys=no time=1+1s
[read]
rw=randread
bs=4k
numjobs=2
iodepth=1
direct=1
norandommap=1
time_based=1
thread=1
E2
sed -e 's/destroys=no/destroys=yes/; s/shape=random/shape=mixed/; s/rw=randread/rw=randrw/; s/\[read\]/[mixed]/' \
	read.fio >mixed.fio

# clients OUT ARGS...: a curve on all of them
clients()
{
	local out=$1
	shift
	curve --out="$out" --drive=d=d.nvsim --ioengine="$engine" --points=50 --runtime=1 --ramp=0.5 "$@"
}

# --- three hosts ---------------------------------------------------------------------------------
clients good --client="$hosts" read.fio
is "$status$(complaints)" 0 'three hosts'
is "$(made good/d)" "drive.json run.json scratch/read/050.fio scratch/read/050.json scratch/read/max.fio \
scratch/read/max.json" '... leave the same files as one'
for host in 1 2 3; do
	ok "host $host has done its part" test "$(info host$host/d.nvsim counters reads)" -gt 100
	is "$(info host$host/d.nvsim counters host_bytes)" 33554432 '... and changed nothing'
done
hosts_in()
{
	perl -MJSON::PP -0777 -ne 's/^.*?\n\{/{/s;
		print join " ", sort map { $_->{jobname} eq "All clients" ? "all" : $_->{port} }
			@{decode_json($_)->{client_stats}}' "$1"
}
is "$(hosts_in good/d/scratch/read/050.json)" \
	"$(printf '%s\n' "${ports[@]}" | sort | paste -sd ' ') all" "fio's JSON has each host, and all of them"
capture "$peak" good/d
is "$(grep -c "^read  *d  *read " <<<"$out") $(grep -c "@" <<<"$out")" "1 0" 'fio-peak folds them into one'
is "$(option good/d/scratch/read/050.fio read rate_process)" poisson 'the rate stands in the job file'
# the hosts share what is asked: rate_iops is of one job on one host
sum=$(($(option good/d/scratch/read/050.fio read rate_iops) * 2 * 3))
asked=$(state good/d scratch/read/050 asked_iops)
ok '... each host is asked for its part' test $((sum * 100)) -gt $((asked * 95)) -a $((sum * 100)) -lt $((asked * 103))
is "$(perl -MJSON::PP -0777 -ne 'print scalar @{decode_json($_)->{clients}}' good/d/drive.json)" 3 \
	'drive.json names the hosts'
clients good --client="$hosts" read.fio
like "$err" 'nothing to do' 'the same again has nothing to do'
printf '%s\n' "# hosts" "127.0.0.1:${ports[1]}" "" "127.0.0.1:${ports[2]}  # second" >hosts
clients file --client=hosts read.fio
is "$status" 0 'a file of hosts'
is "$(hosts_in file/d/scratch/read/max.json | wc -w)" 3 '... two of them'

# --- writing ----------------------------------------------------------------------------------------
clients write --client="$hosts" mixed.fio
is "$status" 2 'what writes needs --yes'
like "$err" 'with --client what is overwritten cannot be looked at from here: --yes' '... and says why'
is "$(info host1/d.nvsim counters host_bytes)" 33554432 '... and has changed nothing'
clients write --client="$hosts" --precondition=fill --yes mixed.fio
is "$status" 0 'with --yes'
for host in 1 2 3; do
	ok "host $host was filled and written to" \
		test "$(info host$host/d.nvsim counters host_bytes)" -gt $((64 << 20))
done

# --- hosts that fail -----------------------------------------------------------------------------------
clients gone --client="$hosts,127.0.0.1:1" read.fio
is "$status" 1 'a host that is not there: exit status 1'
like "$err" 'read/max: failed: no result from 127.0.0.1,1: is `fio --server` running there' '... is named'
(
	sleep 2
	stop_server 2
) &
killer=$!
clients died --client="$hosts" --runtime=4 --points=50 read.fio
wait $killer
is "$status" 1 'a host that dies in the middle: exit status 1'
like "$err" "failed: no result from 127.0.0.1,${ports[2]}: " '... is named'
is "$(state died/d scratch/read/max state)" failed '... the point has no result'
serve 2 "${ports[2]}" || bail 'the server does not come back'
clients died --client="$hosts" --runtime=4 --points=50 read.fio
is "$status" 0 'it is back: the same command goes on'

# --- being stopped --------------------------------------------------------------------------------------
"$curve" --fio="$fio" --out=stop --drive=d=d.nvsim --ioengine="$engine" --client="$hosts" --points=50 \
	--runtime=20 --ramp=0 read.fio >stop.out 2>stop.err </dev/null &
pid=$!
sleep 2
kill -INT $pid
status=0
wait $pid || status=$?
is "$status" 130 'SIGINT ends it with 130'
reads=$(info host1/d.nvsim counters reads)
sleep 1
is "$(info host1/d.nvsim counters reads)" "$reads" '... and the hosts have stopped'
clients after --client="$hosts" read.fio
is "$status" 0 '... and take the next run'
done_testing
