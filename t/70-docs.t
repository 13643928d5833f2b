#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the documents say is so: options, errors, releases, paths, targets of make, and the commands
# that need no NVMe drive. 71-docs-vm.t runs those that do.
# shellcheck source=t/lib.sh disable=SC2154
. "$(dirname "$0")/lib.sh"
cd "$top" || bail "cannot enter $top"
# shellcheck source=t/docs.sh
. t/docs.sh

man=engine/nvmept.7
docs=(README.md jobs/README.md "$man" tools/nvsim/nvsim.1)

# --- what the engine has against what is written ---
if command -v fio >/dev/null && fio --enghelp="$build/nvmept.so" >"$work/enghelp" 2>&1; then
	for option in $(sed -n 's/^\(nvme_[a-z0-9_]*\) .*/\1/p' "$work/enghelp"); do
		echo "$option $(fio --enghelp="$build/nvmept.so,$option" |
			sed -n 's/^ *default: //p')"
	done | sort >"$work/options"
	ok 'the engine has options' test -s "$work/options"
	sed -n 's/^| `\(nvme_[a-z0-9_]*\)` | \([^ |]*\) .*/\1 \2/p' README.md | sort >"$work/readme"
	sed -n 's/^\.BR \(nvme_[a-z0-9_]*\)= .*(default \(.*\))"$/\1 \2/p' "$man" | sort >"$work/man"
	ok 'README.md has these options and defaults' diff "$work/options" "$work/readme"
	ok "$man has these options and defaults" diff "$work/options" "$work/man"
	grep -ohE 'nvme_[a-z_]+' "${docs[@]}" | sort -u >"$work/mentioned"
	ok 'no document mentions another option' diff <(cut -d ' ' -f 1 "$work/options") \
		"$work/mentioned"
else
	skip 'options in the documents' 'the fio of this machine does not load the engine'
fi

# --- ERRORS of the man page against engine/status.c ---
sed -n '/^\.SH ERRORS/,/^\.SH PERF/p' "$man" >"$work/errors"
ok 'the man page names the errnos that the engine gives' diff \
	<(sed "/^\/\*/,/\*\//d" engine/status.c | grep -oE "\bE[A-Z]{2,}\b" | grep -vxE 'ENGINE|EINTR|ECANCELED' | sort -u) \
	<(grep -oE '\bE[A-Z]{2,}\b' "$work/errors" | grep -vx ERRORS | sort -u)

# wrong_statuses: prints "name: not errno" of the statuses in the man page that status.c does not have like that.
wrong_statuses()
{
	perl -e '
		open my $c, "<", "engine/status.c" or die; local $/; $c = <$c>;
		my ($errno, $n, $wrong);
		for (split /\n/, <STDIN>) {
			$errno = $1 if /^\.B (E[A-Z]+)$/;
			next unless /^\.IR "([^"]+)"/;
			$n++;
			next if $c =~ /"\Q$1\E",\s*(?:"(?:[^"])*"|[A-Z_]+),\s*$errno \}/;
			print "$1: not $errno\n";
			$wrong = 1;
		}
		die "$n statuses only\n" if $n < 20;
		exit !!$wrong' <"$work/errors"
}
ok '... and the statuses that become them' wrong_statuses

# --- fio releases ---
ok 'the man page lists the releases of the layout table' diff \
	<(${CC:-cc} -E -P -I. -D_GNU_SOURCE engine/fio_abi.c | grep -oE '\.release = "[0-9.]+"' |
		cut -d '"' -f 2 | sort -Vu) \
	<(sed -n '/^\.\\" releases:/{n;s/\.$//;s/, */\n/g;p}' "$man")

# --- paths, targets of make ---
for path in $(grep -ohE '`(jobs|engine|t|ci|build)/[^` ]*' "${docs[@]}" | tr -d '`' | sort -u); do
	ok "$path exists" test -e "${path/#build/$build}"
done
does_something()
{
	local plan
	plan=$(env -u MAKEFLAGS -u MAKELEVEL make -n "$1" 2>&1) || { tail -n 3 <<<"$plan"; return 1; }
	! grep "Nothing to be done for '$1'" <<<"$plan"
}
for target in $(grep -ohE '(^|`)make [a-z-]+' README.md | sed 's/.*make //' | sort -u); do
	ok "make $target does something" does_something "$target"
done

# --- the README's example of a comparison ---
for line in RESULTS: COMPARISON: 'WORKLOAD +DRIVE' 'WORKLOAD +METRIC'; do
	is "$(grep -E -m 1 "^$line" README.md | sed -E 's/ +(gen4|fast) .*(read|slow)$//' | tr -s " " | sed "s/ $//")" \
		"$("$build/fio-peak" t/data/fio-peak/fast.json t/data/fio-peak/slow.json |
			grep -E -m 1 "^$line" | sed -E 's/ +(gen4|fast) .*(read|slow) *$//; s/ *$//' | tr -s " " | sed "s/ $//")" \
		"README.md shows fio-peak's \"$line\" as it is"
done

# --- the commands ---
if ! command -v fio >/dev/null; then
	skip 'the commands' 'needs fio'
	done_testing
fi
# The man pages name the tools as installed.
PATH=$(cd "$build" && pwd):$PATH
docs_folder
for label in fast slow; do
	drive=${label/fast/a} && drive=${drive/slow/b}
	mkdir -p "$work/run/results/drive-$drive"
	cp "t/data/fio-peak/$label.json" "$work/run/results/drive-$drive/"
done
dd if=/dev/zero of="$work/run/probe" bs=4k count=1 oflag=direct 2>"$work/probe" && direct=yes
for doc in "${docs[@]}"; do
	folder=$work/${doc//\//_}
	docs_blocks "$doc" "$folder"
	docs_prepare "$folder"/*.sh
	blocks=()
	for block in "$folder"/*-{host,any}.sh; do
		if [ -z "${direct:-}" ] && grep -q '\.img' "$block"; then
			skip "$doc: $(head -n 1 "$block")" 'the scratch folder has no direct I/O'
		elif [ -e "$block" ]; then
			blocks+=("$block")
		fi
	done
	ok "$doc has commands for here" test "${#blocks[@]}" -gt 0 -o -z "${direct:-}"
	docs_run "$doc" "${blocks[@]}"
done
like "$(cat "$work"/README.md/*-any.sh.log)" 'COMPARISON.*nvme_poll' \
	'README.md: the comparison and the options were printed'
like "$(head -n 2 "$work/run/drives.csv")" $'\n(a|b),' 'README.md: drives.csv is of the two drives'
done_testing
