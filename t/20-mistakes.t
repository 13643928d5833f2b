#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the plugin says to a user's mistakes, as far as no NVMe drive is needed: one clear line, an
# exit status that is not 0, and nothing created or changed. t/vm/mistakes.sh has the rest.

# shellcheck source=t/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=t/mistakes.sh
. "$(dirname "$0")/mistakes.sh"

command -v fio >/dev/null || skip_all "fio is not installed"
plugin=$(cd "$top" && realpath "$build/nvmept.so")
[ -e "$plugin" ] || bail "$plugin is not built: make"
# shellcheck disable=SC2034 # the table's rows use it
engine="--name=t --ioengine=external:$plugin --bs=4k"
scratch=$work/scratch

# All there is in the scratch folder, and the names of all NVMe nodes.
state()
{
	find "$scratch" -printf '%p %y %m %s %T@ %l\n' | sort
	cksum "$scratch/file"
	ls /dev/ng* /dev/nvme* 2>/dev/null
}

mkdir -p "$scratch/folder" "$scratch/by-path"
cd "$scratch" || exit 1
head -c 1M /dev/urandom >file
mkfifo fifo
ln -s file link
ln -s nowhere dangling
ln -s circle circle
ln -s ../file by-path/pci-0000:01:00.0-nvme-1
deep=$scratch/$(printf 'd%.0s' {1..120})/$(printf 'e%.0s' {1..120})
mkdir -p "$deep"
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "socket", Listen => 1) or die'
printf '[psync]\nioengine=psync\nnvme_poll=1\nfilename=made\nsize=4k\nrw=write\n' >section.fio
printf '[job]\nnvme_poll=1\nioengine=external:%s\nfilename=/dev/ng99n99\n' "$plugin" >order.fio

# What the job names.
mistakes <<'END'
a path that is not there          | $engine --rw=write --size=1M --filename=/dev/ng99n99 | nvmept: /dev/ng99n99: no such device; `nvme list` or `ls /dev/ng\*` names those that are here$ | 1
... to read                       | $engine --rw=read --filename=/dev/ng99n99  | nvmept: /dev/ng99n99: no such device | 1
... with threads                  | $engine --rw=write --thread --filename=/dev/nvme99n99 | nvmept: /dev/nvme99n99: no such device | 1
... by four jobs                  | $engine --rw=write --numjobs=4 --filename=/dev/ng99n99 | nvmept: /dev/ng99n99: no such device | 4
... in a folder that is not there | $engine --rw=write --filename=nowhere/ng0n1 | nvmept: nowhere/ng0n1: no such device | 1
... below a file                  | $engine --rw=write --filename=file/ng0n1   | nvmept: file/ng0n1: no such device | 1
... the second of two             | $engine --rw=write --filename=/dev/ng99n99:file | nvmept: /dev/ng99n99: no such device | 1
... of 240 characters and more    | $engine --rw=write --filename=$deep/ng0n1 | nvmept: /.*/e*/ng0n1: no such device | 1
a dash                            | $engine --rw=write --filename=-            | nvmept: -: no such device | 1
no filename=                      | $engine --rw=write --size=1M               | nvmept: t.0.0: no such device; fio makes up such a name where none is given: give filename=/dev/ngXnY$ | 1
no filename=, nrfiles=2           | $engine --rw=write --size=1M --nrfiles=2   | nvmept: t.0.0: no such device; fio makes up | 1
directory=                        | $engine --rw=write --size=1M --directory=folder | nvmept: folder/t.0.0: no such device; fio makes up | 1
a link to nowhere                 | $engine --rw=write --filename=dangling     | nvmept: dangling: is a link to nowhere, which is not there$ | 1
a link to itself                  | $engine --rw=write --filename=circle       | nvmept: circle: Too many levels of symbolic links$ | 1
a link with colons, not escaped   | $engine --rw=write --filename=by-path/pci-0000:01:00.0-nvme-1 | nvmept: by-path/pci-0000: no such device: fio splits names at ':'. Write filename=by-path/pci-0000\\:01\\:00.0-nvme-1$ | 1
... and not there                 | $engine --rw=write --filename=/dev/disk/by-path/pci-0000:99:00.0 | nvmept: /dev/disk/by-path/pci-0000: no such device; fio splits names at ':', a colon in filename= must be written \\:$ | 1
a regular file                    | $engine --rw=write --filename=file         | nvmept: file: is a regular file, not an NVMe namespace, and not a model drive; give /dev/ngXnY, make a model drive with `nvsim create`, or use another ioengine$ | 1
... by four jobs                  | $engine --rw=write --numjobs=4 --filename=file | nvmept: file: is a regular file | 4
... with threads                  | $engine --rw=randwrite --thread --filename=file | nvmept: file: is a regular file | 1
... to trim                       | $engine --rw=trim --filename=file          | nvmept: file: is a regular file | 1
... to overwrite, larger          | $engine --rw=write --size=4M --overwrite=1 --filename=file | nvmept: file: is a regular file | 1
... to unlink                     | $engine --rw=write --unlink=1 --filename=file | nvmept: file: is a regular file | 1
... behind a link                 | $engine --rw=write --filename=link         | nvmept: link: is a regular file | 1
... with nvme_force=1             | $engine --rw=write --nvme_force=1 --filename=file | nvmept: file: is a regular file | 1
a folder                          | $engine --rw=write --filename=folder       | nvmept: folder: is a folder; give a namespace such as /dev/ng0n1$ | 1
a fifo                            | $engine --rw=write --filename=fifo         | nvmept: fifo: is a pipe, neither a device nor a model drive.s file; give a namespace such as /dev/ng0n1, or make a model drive with `nvsim create`$ | 1
a socket                          | $engine --rw=write --filename=socket       | nvmept: socket: is a socket, neither a device nor a model drive.s file; | 1
another character device          | $engine --rw=write --filename=/dev/null    | nvmept: /dev/null: is the character device "null", not an NVMe namespace; give /dev/ngXnY or /dev/nvmeXnY$ | 1
END

if [ -b /dev/loop0 ]; then
	mistakes <<-'END'
	another block device | $engine --rw=write --filename=/dev/loop0 | nvmept: /dev/loop0: is the block device "loop0", not an NVMe namespace | 1
	END
else
	skip "another block device" "this machine has no /dev/loop0"
fi

# What it asks for. These are fio's own lines: that it checks our options as it does its own.
mistakes <<'END'
an option that is not ours        | $engine --nvme_pole=1 --filename=file      | fio: unrecognized option '--nvme_pole=1' | 1
a value out of range              | $engine --nvme_poll=2 --filename=file      | max value out of range: 2 \(1 max\) | 1
a value that is no number         | $engine --nvme_poll=x --filename=file      | fio: failed parsing nvme_poll=x | 1
no value                          | $engine --nvme_split= --filename=file      | fio: failed parsing nvme_split= | 1
our option before --ioengine      | --name=t --nvme_poll=1 ${engine#--name=t} --filename=file | fio: unrecognized option '--nvme_poll=1' | 1
our option for another engine     | section.fio                                | Bad option <nvme_poll=1> | 1
... but in a file any order goes  | order.fio                                  | nvmept: /dev/ng99n99: no such device | 1
a plugin that is not there        | --name=t --ioengine=external:/nowhere/nvmept.so --filename=file | fio: invalid external ioengine path "/nowhere/nvmept.so" | 1
a plugin without "external:"      | --name=t --ioengine=nvmept --filename=file | fio: engine nvmept not loadable | 1
a plugin that is a text file      | --name=t --ioengine=external:$scratch/section.fio --filename=file | fio: engine .*/section.fio not loadable | 1
io_submit_mode=offload            | $engine --io_submit_mode=offload --filename=file | nvmept: can't be used with offloaded submit | 1
--readonly and a job that writes  | --readonly $engine --rw=write --filename=file | fio: job <t> has write or trim bit set, but fio is in read-only mode | 1
END
done_testing
