#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Process 1 of the guest that run-in-uml.sh boots: makes a root file system that can be written,
# starts the NFS server, mounts its export, runs the command.
#
# JOB, from the kernel's command line, is the folder of this machine that run-in-uml.sh has
# prepared: folder, command and environment go in, log and status come out.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root LC_ALL=C.UTF-8 NFS=/mnt/nfs EXPORT=/mnt/export

power_off() {
	echo o >/proc/sysrq-trigger
	sleep 60
}
trap power_off EXIT
set -e
modules=/usr/lib/uml/modules/$(uname -r)

# First stage: a tmpfs laid over the root of this machine, which is mounted read-only.
if [ "${1-}" != second-stage ]; then
	mount -t proc proc /proc
	insmod "$modules/kernel/fs/overlayfs/overlay.ko"
	mount -t tmpfs tmpfs /run
	mkdir /run/upper /run/work /run/root
	mount -t overlay -o lowerdir=/,upperdir=/run/upper,workdir=/run/work overlay /run/root
	cd /run/root
	mkdir -p mnt/host mnt/control mnt/nfs mnt/export
	mount -t hostfs -o "$JOB" none mnt/control
	mount --move /proc proc
	mount --move /dev dev
	pivot_root . mnt/host
	exec chroot . /mnt/control/init.sh second-stage
fi

exec </dev/null >>/mnt/control/log 2>&1
mapfile -d '' -t command </mnt/control/command
mapfile -d '' -t variables </mnt/control/environment
export "${variables[@]}"

mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
mkdir -p /run/rpcbind /run/lock /dev/shm /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t devpts devpts /dev/pts
mkdir -p "$OUT"
mount -t hostfs -o "$OUT" none "$OUT"

# This kernel has no IPv6, which the RPC programs would complain about.
sed -i '/6/d' /etc/netconfig
ip link set lo up

mkdir -p /lib/modules
ln -sfn "$modules" "/lib/modules/$(uname -r)"
modprobe -a nfsd nfsv3 lockd
# Locks would wait for half a minute of grace after the start.
echo 1 >/proc/sys/fs/nfs/nlm_grace_period
mount -t nfsd nfsd /proc/fs/nfsd
if [ -b /dev/ubda ]; then
	mount -t ext4 /dev/ubda "$EXPORT"
	chmod 1777 "$EXPORT"
else
	mount -t tmpfs -o size=90%,mode=1777 tmpfs "$EXPORT"
fi
rpcbind
exportfs -i -o rw,sync,no_root_squash,no_subtree_check,insecure,fsid=1 "127.0.0.1:$EXPORT"
rpc.nfsd -N 4 4
# NFSv4's grace of 90 s would hold the locks of NFSv3 up too.
echo Y >/proc/fs/nfsd/v4_end_grace
rpc.mountd -N 4
rpc.statd
mount -t nfs -o "$NFS_OPTIONS" "127.0.0.1:$EXPORT" "$NFS"

set +e
cd "$(</mnt/control/folder)" && "${command[@]}"
status=$?
echo "$status" >/mnt/control/status.new && mv /mnt/control/status.new /mnt/control/status
cd /
sync
