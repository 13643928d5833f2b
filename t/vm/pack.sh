# SPDX-License-Identifier: GPL-2.0-only
# Copies programs, with the libraries that they load, into a folder that becomes the guest's root.
# Sourced by image (what every guest has) and run (what one run adds). Not for the guest itself.

# The folders where a program of Debian is looked for, and its libraries.
pack_bin_dirs="/usr/local/sbin /usr/local/bin /usr/sbin /usr/bin /sbin /bin"
pack_lib_dirs="/usr/local/lib/x86_64-linux-gnu /usr/local/lib /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu"
pack_loader=/lib64/ld-linux-x86-64.so.2

# pack_skeleton TREE: the folders and links of a merged-/usr system.
pack_skeleton()
{
	local tree=$1 dir

	mkdir -p "$tree"/{dev,proc,sys,run,tmp,root,mnt,etc,usr/bin,usr/sbin,usr/lib,usr/lib64}
	for dir in bin sbin lib lib64; do
		ln -sfn "usr/$dir" "$tree/$dir"
	done
}

# pack_find ROOT PROGRAM: prints the program's path on this host, ROOT's own before the host's.
# ROOT is another Debian's root folder, or empty. Status 1 when neither has the program.
pack_find()
{
	local root=$1 program=$2 base dir

	for base in ${root:+"$root"} ''; do
		for dir in $pack_bin_dirs; do
			if [ -x "$base$dir/$program" ]; then
				echo "$base$dir/$program"
				return 0
			fi
		done
	done
	return 1
}

# pack_libs ROOT FILE: the libraries that FILE loads, one path a line, the loader among them.
# With ROOT its own loader is asked, and its libraries come before the host's: programs of an
# older host run with a newer root's libc, so both kinds can share one guest.
pack_libs()
{
	local root=$1 file=$2 path

	if [ -z "$root" ]; then
		ldd "$file"
	else
		path=$(pack_lib_path "$root")
		echo "$root$pack_loader"
		"$root$pack_loader" --library-path "$path" --list "$file"
	fi 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3; next } $1 ~ /^\// { print $1 }'
}

# pack_lib_path ROOT: where ROOT's loader shall look, separated by colons. Folders of private
# libraries are named too: the run path in a library of ROOT would lead to the host's.
pack_lib_path()
{
	local root=$1 dir

	{
		for dir in $pack_lib_dirs; do
			echo "$root$dir"
		done
		find "$root/usr/lib/x86_64-linux-gnu" -mindepth 2 -maxdepth 2 -name 'lib*.so.*' \
			-printf '%h\n' | sort -u
		printf '%s\n' $pack_lib_dirs
	} | paste -sd :
}

# pack_copy ROOT TREE FILE...: each file, at its own path (less ROOT) below TREE.
pack_copy()
{
	local root=$1 tree=$2 file to
	shift 2

	for file; do
		to=$tree${file#"$root"}
		[ -e "$to" ] && continue
		mkdir -p "${to%/*}"
		cp -L --preserve=mode "$file" "$to"
	done
}

# pack_program ROOT TREE FILE...: each file, with its libraries.
pack_program()
{
	local root=$1 tree=$2 file libs
	shift 2

	for file; do
		mapfile -t libs < <(pack_libs "$root" "$file")
		pack_copy "$root" "$tree" "$file" "${libs[@]}"
	done
}

# pack_cpio TREE FILE: TREE as an initramfs that root owns, whoever runs this. Padded to a multiple
# of 4 bytes: the kernel wants the next archive of a concatenation there.
pack_cpio()
{
	(cd "$1" && find . -mindepth 1 -print0 | LC_ALL=C sort -z |
		cpio --quiet --null --create --format=newc --owner=+0:+0) >"$2"
	truncate -s %4 "$2"
}
