# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What the scripts that run in the guest have in common: TAP, the NFS server's counters, the
# server itself, and a run of ours.
#
# From outside: NFS, EXPORT, OUT (run-in-uml.sh), TOP (the project), BUILD, FIO (check-nfs).

# shellcheck disable=SC2034 # for the callers
guest=$TOP/tests/nfs/guest
tests=0

# ok STATUS WORDS: a line of TAP; STATUS 0 is a pass.  Returns STATUS.
ok() {
	tests=$((tests + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tests - $2"
	else
		echo "not ok $tests - $2"
	fi
	return "$1"
}

plan() {
	echo "1..$tests"
}

# show TITLE FILE: what a file says, for people.
show() {
	printf '\n# ---- %s\n' "$1"
	cat "$2"
	echo
}

# Which counter is which: the line proc3 of /proc/net/rpc/nfsd, from its third word.
nfs_operations=(null getattr setattr lookup access readlink read write create mkdir symlink mknod
	remove rmdir rename link readdir readdirplus fsstat fsinfo pathconf commit)

# note_calls FILE LABEL: a line with the time since boot, the label, and all counters.
# Without a fork, so that it takes no time that matters.
note_calls() {
	local words uptime

	while read -r -a words; do
		[ "${words[0]}" != proc3 ] || break
	done </proc/net/rpc/nfsd
	read -r uptime _ </proc/uptime
	echo "$2 $uptime ${words[*]:2}" >>"$1"
}

# calls OPERATION: how many the server has had until now.
calls() {
	local words i

	while read -r -a words; do
		[ "${words[0]}" != proc3 ] || break
	done </proc/net/rpc/nfsd
	for i in "${!nfs_operations[@]}"; do
		[ "${nfs_operations[i]}" != "$1" ] || echo "${words[i + 2]}"
	done
}

server_stop() {
	rpc.nfsd 0
}

server_start() {
	rpc.nfsd -N 4 4
	echo Y >/proc/fs/nfsd/v4_end_grace
}

# mount_again OPTIONS: the export at $NFS, with these options of mount(8).
mount_again() {
	umount "$NFS" && mount -t nfs -o "vers=3,proto=tcp,$1" "127.0.0.1:$EXPORT" "$NFS"
}

# our_job JOB NAME [LINE...]: the shipped JOB as $OUT/NAME.fio, with LINEs added behind the
# engine's name, and the run log in $OUT/NAME.csv.  The files are small here, and fio wants none
# smaller than bs.
our_job() {
	local from=$TOP/jobfiles/$1.fio name=$2 line

	shift 2
	{
		sed '/^ioengine=/,$d' "$from"
		echo "ioengine=external:$BUILD/fio-iozone.so"
		for line; do
			echo "$line"
		done
		sed -e '1,/^ioengine=/d' -e "s|^iozone_log=.*|iozone_log=$OUT/$name.csv|" \
			-e 's/^bs=.*/bs=1m/' "$from"
	} >"$OUT/$name.fio"
}

# run_ours JOB [NAME]: runs $OUT/JOB.fio.  The report is in $OUT/NAME.report (NAME is JOB, if not
# given), what was said besides in NAME.said; fio_status and status are how fio and fio2iozone
# ended.
# shellcheck disable=SC2034 # for the callers
run_ours() {
	local job=$1 name=${2:-$1}

	(cd "$TOP" && exec "$FIO" --output-format=json --output="$OUT/$name.json" "$OUT/$job.fio") \
		>"$OUT/$name.said" 2>&1
	fio_status=$?
	"$BUILD/fio2iozone" "$OUT/$name.json" >"$OUT/$name.report" 2>>"$OUT/$name.said"
	status=$?
}

# ended_well NAME WORDS: whether the last run_ours did, as a line of TAP; if not, what was said.
ended_well() {
	[ "$fio_status" -eq 0 ] && [ "$status" -eq 0 ]
	ok $? "$2" || show "fio ended with $fio_status, fio2iozone with $status" "$OUT/$1.said"
}

# log_columns FILE COLUMN...: these columns of a run log, a line a child.
log_columns() {
	local file=$1

	shift
	awk -F, -v wanted="$*" '
	{ gsub(/"/, "") }
	NR == 1 { for (i = 1; i <= NF; i++) where[$i] = i; count = split(wanted, name, " "); next }
	{
		for (i = 1; i <= count; i++)
			printf "%s%s", $where[name[i]], i < count ? " " : "\n"
	}' "$file"
}
