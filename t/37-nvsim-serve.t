#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# nvsim serve on the command line: options, mistakes, what it says, how it ends. PDUs are for
# t/unit/tcp_session.c, Linux' driver for t/long/49-vm-serve.t.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
nvsim=$(cd "$top" && realpath "$build/nvsim")
[ -x "$nvsim" ] || bail "$nvsim is not built: make"
cd "$work" || exit 1
"$nvsim" create d.nvsim --capacity=16M --timing=none --seed=1 >/dev/null || bail 'no drive'
nqn='nqn\.2014-08\.org\.nvmexpress:uuid:[0-9a-f-]{36}'

# refused NAME STATUS REGEX ARGS...: one line that says why, nothing on stdout
refused()
{
	local name=$1 want=$2 regex=$3
	shift 3
	capture timeout 20 "$nvsim" serve "$@"
	is "$status" "$want" "$name: exit status"
	like "$err" "^nvsim( serve)?: $regex\$" '... one line'
	is "$out" '' '... and nothing else'
}

refused 'no FILE' 2 'no FILE given'
refused 'two FILEs' 2 'e.nvsim: one FILE at a time' d.nvsim e.nvsim
refused 'no such file' 2 'none.nvsim: .*' none.nvsim
echo text >text
refused 'no drive' 2 'text: .*' text
refused '--queues=0' 2 '--queues=0: not a number from 1 to 64' d.nvsim --queues=0
refused '--queues=65' 2 '--queues=65: not a number from 1 to 64' d.nvsim --queues=65
for name in drive nqn.2026-13.org.example:d nqn.26-12.org.example:d nqn.2026-12. 'nqn.2026-12.org.example:a b'; do
	refused "--nqn=$name" 2 "--nqn=$name: not an NVMe Qualified Name; nqn\.YYYY-MM\.DOMAIN:TEXT" d.nvsim \
		"--nqn=$name"
done
refused 'the NQN of discovery' 2 '--nqn=nqn\.2014-08\.org\.nvmexpress\.discovery: the name of discovery; .*' \
	d.nvsim --nqn=nqn.2014-08.org.nvmexpress.discovery
refused 'a host without NQN' 2 '--allow-host=me: not an NVMe Qualified Name; .*' d.nvsim --allow-host=me
for address in 127.0.0.1: 127.0.0.1:x '[::1' '[::1]x' ::1 '' :4420 127.0.0.1:99999999; do
	refused "--listen=$address" 2 '--listen=.*: not an address of this machine; write .*' d.nvsim \
		"--listen=$address"
done
refused 'an address that this machine lacks' 1 '--listen=192.0.2.1:4420: Cannot assign requested address' \
	d.nvsim --listen=192.0.2.1:4420

# serve ARGS...: in the background, on a free port; $server then; its lines in serve.out and serve.err
serve()
{
	local i

	rm -f serve.out
	"$nvsim" serve d.nvsim "$@" >serve.out 2>serve.err &
	server=$!
	for ((i = 0; i < 200; i++)); do
		[ ! -s serve.out ] || return 0
		sleep 0.1
	done
}

# stop [SIGNAL]: $status then
stop()
{
	status=0
	kill "-${1:-TERM}" $server
	wait $server || status=$?
}

serve --listen=127.0.0.1:0
like "$(cat serve.out)" "^d.nvsim: served; nvme connect -t tcp -a 127.0.0.1 -s [0-9]+ -n $nqn\$" \
	'it says how to connect'
port=$(sed 's/.* -s \([0-9]*\) .*/\1/' serve.out)
is "$(cat serve.err)" '' '... and nothing of loopback'
refused 'served twice' 1 'd.nvsim: is served already; a drive has one controller .*' d.nvsim \
	--listen=127.0.0.1:0
"$nvsim" create e.nvsim --capacity=16M --timing=none >/dev/null
refused 'a port that is taken' 1 "--listen=127.0.0.1:$port: Address already in use" e.nvsim \
	"--listen=127.0.0.1:$port"
ok 'the drive may be looked at' "$nvsim" info d.nvsim
capture "$nvsim" reset d.nvsim
like "$err" 'is in use' '... but not emptied'
exec 3<>"/dev/tcp/127.0.0.1/$port"
echo 'GET / HTTP/1.0' >&3
timeout 20 cat <&3 >answer
ok 'a host that speaks something else: the connection ends' test "$(head -c 1 answer | od -An -tu1)" -eq 3
exec 3>&-
like "$(cat serve.err)" 'nvsim serve: 127\.0\.0\.1:[0-9]+: connection ended: a PDU type that hosts do not send' \
	'... and it says why'
ok '... the server lives' kill -0 $server
stop
is "$status" 0 'SIGTERM: exit status 0'
serve --listen="127.0.0.1:$port" --nqn=nqn.2026-12.org.example:d --queues=1
like "$(cat serve.out)" " -s $port -n nqn.2026-12.org.example:d\$" 'the same port again, another name'
stop INT
is "$status" 0 'SIGINT: exit status 0'
serve --listen=0.0.0.0:0 --allow-host=nqn.2026-12.org.example:me
like "$(cat serve.err)" '0\.0\.0\.0 is not loopback: .* by naming itself one of --allow-host$' \
	'beyond loopback: it says so'
like "$(cat serve.out)" ' -a 127.0.0.1 -s ' '... and connects to an address'
stop
if grep -q ' lo$' /proc/net/if_inet6 2>/dev/null; then
	serve --listen='[::1]:0'
	like "$(cat serve.out)" ' -a ::1 -s ' 'IPv6'
	exec 3<>"/dev/tcp/::1/$(sed 's/.* -s \([0-9]*\) .*/\1/' serve.out)"
	echo 'GET / HTTP/1.0' >&3
	timeout 20 cat <&3 >answer
	exec 3>&-
	like "$(cat serve.err)" '^nvsim serve: \[::1\]:[0-9]+: ' '... in messages, too'
	stop
else
	skip 'IPv6' 'this machine has none'
fi

# Who reads "served" may end the server at once.
ended=0
for i in 1 2 3 4 5 6 7 8; do
	rm -f serve.out
	"$nvsim" serve d.nvsim --listen=127.0.0.1:0 >serve.out 2>serve.err &
	server=$!
	until [ -s serve.out ] || ! kill -0 $server 2>/dev/null; do :; done
	stop
	[ $status = 0 ] && ended=$((ended + 1))
done
is $ended 8 'SIGTERM as soon as it says that it serves, eight times: exit status 0'
serve --listen=127.0.0.1:0
stop HUP
is "$status" 0 'SIGHUP: exit status 0'

# Its messages have no reader any more.
mkfifo messages
(exec <messages; sleep 0.1) &
reader=$!
rm -f serve.out
"$nvsim" serve d.nvsim --listen=127.0.0.1:0 >serve.out 2>messages &
server=$!
until [ -s serve.out ] || ! kill -0 $server 2>/dev/null; do sleep 0.1; done
wait $reader
for i in 1 2; do
	exec 3<>"/dev/tcp/127.0.0.1/$(sed 's/.* -s \([0-9]*\) .*/\1/' serve.out)"
	echo 'GET / HTTP/1.0' >&3
	timeout 20 cat <&3 >answer
	exec 3>&-
done
stop
is "$status" 0 'nobody reads the messages: the server lives until SIGTERM'

# Standard output or error closed: what is printed does not land in the drive.
printed_to_full=$(timeout 20 "$nvsim" serve d.nvsim --listen=127.0.0.1:0 2>&1 >/dev/full)
is "$? $printed_to_full" '1 nvsim: standard output: cannot be written' 'its line cannot be written: exit status 1'
status=0
timeout 20 "$nvsim" serve d.nvsim --listen=127.0.0.1:0 >&- 2>serve.err || status=$?
is "$status $(cat serve.err)" '1 nvsim: standard output: cannot be written' '... closed: the same'
ok '... and the drive is whole' "$nvsim" info d.nvsim
rm -f serve.out
"$nvsim" serve d.nvsim --listen=0.0.0.0:0 >serve.out 2>&- &
server=$!
until [ -s serve.out ] || ! kill -0 $server 2>/dev/null; do sleep 0.1; done
stop
is "$status" 0 'standard error closed: it serves'
ok '... and the drive is whole' "$nvsim" info d.nvsim

# The file is cut short under its hands.
serve --listen=127.0.0.1:0
truncate -s 4096 d.nvsim
exec 3<>"/dev/tcp/127.0.0.1/$(sed 's/.* -s \([0-9]*\) .*/\1/' serve.out)"
exec 3>&-
stop
ok 'a file cut short: no crash' test "$status" -le 1

"$nvsim" create n.nvsim --capacity=16M >/dev/null
capture "$nvsim" fail n.nvsim drop=3
is "$status" 2 'nvsim fail drop=3: exit status'
like "$err" 'drop=3: drop takes no value' '... one line'
"$nvsim" fail n.nvsim drop --opcode=write --every=10
"$nvsim" fail n.nvsim reset --lba=8-15 --times=1
is "$("$nvsim" fail n.nvsim --list)" ' 0  write: the connection ends, 1 of 10; 0 matched
 1  any: the controller resets, blocks 8 to 15; 0 matched, 1 times left' 'nvsim fail --list: both'
done_testing
