#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs a command on a real kernel NFSv3 mount, without root and without NFS in this kernel.
#
# usage: run-in-uml.sh [-m MEMORY] [-t SECONDS] [-d SIZE] [-o DIR] [-n OPTIONS] [-e NAME=VALUE]...
#                      [--] COMMAND [ARGUMENT...]
#
# Boots User Mode Linux, an ordinary process, on this machine's own root file system.  In it the
# kernel's NFS server exports $EXPORT, the kernel's client mounts that at $NFS, and COMMAND runs,
# as root, in the caller's folder.  All of this machine's files can be read at their own paths;
# what is written there stays in the guest's memory and goes when it ends.  Only what is written
# to $OUT reaches this machine.
#
#   -m MEMORY	the guest's memory (default 768M)
#   -t SECONDS	how long it may take before it is killed (default 300)
#   -d SIZE	export an ext4 on a disk of that size; without it, a tmpfs in the guest's memory
#   -o DIR	$OUT
#   -n OPTIONS	of the mount (default vers=3,proto=tcp,hard)
#   -e NAME=VALUE	an environment variable for COMMAND
#
# Exit status: COMMAND's, or 125 when none came back: no boot, no mount, a panic, out of time.
set -u

die() {
	printf 'run-in-uml.sh: %s\n' "$*" >&2
	exit 125
}

usage() {
	sed -n '5,6s/^# //p' "$0" >&2
	exit 125
}

# need PROGRAM PACKAGE
need() {
	PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null ||
		die "$1 is missing: install the package $2"
}

memory=768M seconds=300 disk='' out='' mount=vers=3,proto=tcp,hard variables=()
while getopts m:t:d:o:n:e: option; do
	case $option in
	m) memory=$OPTARG ;;
	t) seconds=$OPTARG ;;
	d) disk=$OPTARG ;;
	o) out=$OPTARG ;;
	n) mount=$OPTARG ;;
	e) variables+=("$OPTARG") ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage

need linux.uml user-mode-linux
need modprobe kmod
need rpc.nfsd nfs-kernel-server
need mount.nfs nfs-common
need rpcbind rpcbind
need ip iproute2
[ -z "$disk" ] || need mkfs.ext4 e2fsprogs

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# The kernel's command line knows no quotes: no spaces in the paths on it.
scratch=${TMPDIR:-/tmp}
case $scratch in *[[:space:]]*) scratch=/tmp ;; esac
job=$(mktemp -d "$scratch/nfs-in-uml.XXXXXX") && job=$(cd "$job" && pwd -P) || exit 125

guest='' tail=''
clean_up() {
	trap - INT TERM HUP
	if [ -n "$guest" ]; then
		kill "$guest" 2>/dev/null
		wait "$guest"
	fi
	[ -z "$tail" ] || kill "$tail" 2>/dev/null
	rm -rf "$job"
}
trap clean_up EXIT
trap 'exit 125' INT TERM HUP

control=$job/control
mkdir "$control" "$job/uml" "$job/out" || exit 125
if [ -n "$out" ]; then
	mkdir -p "$out" && out=$(cd "$out" && pwd -P) || exit 125
else
	out=$job/out
fi
cp "$here/init.sh" "$control/init.sh" || exit 125
pwd -P >"$control/folder"
printf '%s\0' "$@" >"$control/command"
printf '%s\0' "OUT=$out" "NFS_OPTIONS=$mount" ${variables[@]+"${variables[@]}"} \
	>"$control/environment"
: >"$control/log"

drive=()
if [ -n "$disk" ]; then
	truncate -s "$disk" "$job/disk" && PATH=$PATH:/usr/sbin:/sbin mkfs.ext4 -q -F "$job/disk" ||
		die "cannot make a disk of $disk"
	drive=("ubd0=$job/disk")
fi

# The guest's memory is an unlinked sparse file that has to be mapped executable.
memory_folder=$job
[ ! -w /dev/shm ] || memory_folder=/dev/shm

env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
	HOME="$job" TMPDIR="$memory_folder" \
	timeout -k 10 "$seconds" linux.uml mem="$memory" umid="u$$" uml_dir="$job/uml/" \
	root=/dev/root rootfstype=hostfs rootflags=/ ro selinux=0 \
	con=null con0=null,fd:1 ssl=null panic=-1 ${drive[@]+"${drive[@]}"} \
	init="$control/init.sh" JOB="$control" </dev/null >"$job/console" 2>&1 &
guest=$!
# What the command says is seen as it says it.
tail -n +1 -s 0.3 -f --pid="$guest" "$control/log" &
tail=$!
wait "$guest" 2>/dev/null
end=$?
guest=''
wait "$tail"
tail=''

[ ! -s "$control/status" ] || exit "$(<"$control/status")"
echo "run-in-uml.sh: no exit status came back (linux.uml ended with $end); its console:" >&2
tail -n 30 "$job/console" >&2
exit 125
