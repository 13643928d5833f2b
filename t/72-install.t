#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make install puts what the README says where it says, and that works there. What the plugin asks
# of its host is what we mean it to ask.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
cd "$top" || bail "cannot enter $top"

# run_make ARGS...: as from the shell, also under make check.
run_make()
{
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u DESTDIR -u PREFIX make -s BUILD="$build" "$@"
}

root=$work/root
ok 'make install DESTDIR= PREFIX=/usr' run_make install DESTDIR="$root" PREFIX=/usr
[ -d "$root" ] || done_testing
installed=$root/usr/lib/fio-peak/nvmept.so

# --- every file in its place, and no other ---
{
	echo 755 usr/bin/fio-curve
	echo 755 usr/bin/fio-peak
	echo 755 usr/bin/nvsim
	echo 755 usr/lib/fio-peak/nvmept.so
	echo 644 usr/share/man/man1/fio-curve.1
	echo 644 usr/share/man/man1/fio-peak.1
	echo 644 usr/share/man/man1/nvsim.1
	echo 644 usr/share/man/man5/nvmept-sidecar.5
	echo 644 usr/share/man/man7/nvmept.7
	find jobs -type f -printf '644 usr/share/fio-peak/%p\n'
} | sort >"$work/expected"
(cd "$root" && find . -type f -printf '%m %P\n') | sort >"$work/found"
ok 'the files, their modes and places' diff "$work/expected" "$work/found"
ok 'the job files are the same' diff -r jobs "$root/usr/share/fio-peak/jobs"
ok 'the man pages are the same' diff <(cat engine/*.[57] tools/*/*.1) \
	<(cat "$root"/usr/share/man/man5/*.5 "$root"/usr/share/man/man7/*.7 "$root"/usr/share/man/man1/*.1)
# The README's table of what goes where is made of the same names.
while read -r place; do
	ok "README.md: $place is installed" test -e "$root/usr/$place"
done < <(sed -n '/^## Install/,/^## /p' README.md | grep '^|' | grep -o '`[a-z][a-z]*/[^`]*`' | tr -d '`')
ok 'without PREFIX' run_make install DESTDIR="$work/local"
ok '... into /usr/local' diff -r "$root/usr" "$work/local/usr/local"

# --- it works there ---
if readelf -dW "$installed" | grep -q 'lib[a-z]*san\.so'; then
	skip 'fio loads it' 'a sanitizer build needs its library loaded first'
elif ! command -v fio >/dev/null; then
	skip 'fio loads it' 'needs fio'
else
	capture fio --enghelp="$installed"
	like "$out" '(^|[[:space:]])nvme_force +:' 'fio loads it and prints its options'
	ok 'fio parses a job for it' fio --parse-only --name=t --ioengine="external:$installed" \
		--nvme_split=0 --filename=/dev/ng0n1 --rw=read
	job=$root/usr/share/fio-peak/jobs/corners/randread-4k-8t32q.fio
	ok '... and an installed job file' fio --parse-only --ioengine="external:$installed" \
		--nvme_poll=0 --filename=/dev/ng0n1 "$job"
fi
capture "$root/usr/bin/fio-peak" t/data/fio-peak/fast.json t/data/fio-peak/slow.json
like "$out" 'COMPARISON' 'fio-peak compares'

# --- man pages ---
# page FILE: rendered, without a warning; every section has arrived.
page()
{
	local text warnings section
	text=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings=w -l "$1" 2>"$work/warnings" | col -b)
	warnings=$(cat "$work/warnings")
	[ -z "$warnings" ] || { echo "$warnings"; return 1; }
	while read -r section; do
		grep -qxF "$section" <<<"$text" || { echo "section $section is missing"; return 1; }
	done < <(sed -n 's/^\.SH "*\([^"]*\)"*$/\1/p' "$1" | sed 's/\\-/-/g')
}
for page in man5/nvmept-sidecar.5 man7/nvmept.7 man1/fio-curve.1 man1/fio-peak.1 man1/nvsim.1; do
	file=$root/usr/share/man/$page
	name=${page#*/}
	if command -v man >/dev/null && command -v col >/dev/null; then
		is "$(man -M "$root/usr/share/man" -w "${name#*.}" "${name%.*}" 2>&1)" "$file" \
			"man finds $name"
		ok "man renders $name without warnings" page "$file"
	else
		skip "man renders $name" 'needs man and col'
	fi
	if command -v mandoc >/dev/null; then
		is "$(mandoc -Tlint -Wwarning "$file" 2>&1)" '' "mandoc has no complaint about $name"
	else
		skip "mandoc has no complaint about $name" 'needs mandoc'
	fi
done

# --- what the plugin asks of its host ---
# versions PREFIX: of the library's symbols that the plugin needs, ascending.
versions()
{
	objdump -T "$installed" | grep -oE "\\*UND\\*.*\\(?$1[0-9A-Za-z_.]+" |
		grep -oE "$1[0-9A-Za-z_.]+\$" | sort -Vu
}
dynamic=$(readelf -dW "$installed")
is "$(nm -D --defined-only "$installed" | awk '{ print $NF }')" get_ioengine \
	'it exports get_ioengine and nothing else'
like "$dynamic" 'FLAGS_1\).*[[:space:]]NOW' 'it is linked with -z now'
like "$dynamic" 'FLAGS_1\).*NODELETE' '... and -z nodelete'
needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic")
like "$needed" 'libnvme\.so\.1' 'it needs libnvme'
is "$(grep -c liburing <<<"$needed")" 0 '... and no liburing'
is "$(versions LIBNVME_)" LIBNVME_1_0 '... nothing that came after libnvme 1.0'
glibc=$(versions GLIBC_ | tail -n 1)
like "$glibc" '^GLIBC_2\.[0-9]+' 'it needs a glibc'
echo "# highest symbol versions: $glibc, $(versions LIBNVME_ | tail -n 1)"
echo "# libraries:" $needed
done_testing
