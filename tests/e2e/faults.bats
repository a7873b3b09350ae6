#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=faults
# Faults in the children, made for real or by tests/shim/faults.c.  In each:
# nobody hangs, the others do their part, the message names test, child, file,
# offset and errno, fio's exit status is not 0, the run log tells the story and
# the report marks the test as failed.  docs/reliability.md has the table.

load faults

setup_file()
{
	faults_setup_file
}

setup()
{
	faults_setup
}

teardown()
{
	[ -z "${MOUNTED:-}" ] || umount -l "$MOUNTED"
	[ -z "${CGROUP:-}" ] || rmdir "$CGROUP"
	faults_teardown
}

needs_root()
{
	[ "$(id -u)" = 0 ] || skip "it takes root"
}

# mounts TYPE OPTIONS [SOURCE]: DIR becomes a file system of its own.
mounts()
{
	needs_root
	mount -t "$1" -o "$2" "${3:-faults}" "$DIR" 2>/dev/null || skip "$1: cannot be mounted here"
	MOUNTED=$DIR
}

# fails_in TEST CHILD ERRNO OFFSET TEXT: one child failed so, the others did their part.
fails_in()
{
	local test=$1 child=$2 errno=$3 offset=$4 text=$5

	show
	[[ $status -ne 0 && $status -ne 124 && $status -lt 128 ]]
	log_is_sound
	[ "$(cell "$test" "$child" end)" = failed ]
	[ "$(cell "$test" "$child" error)" = "$errno" ]
	[ "$(cell "$test" "$child" error_offset)" = "$offset" ]
	[[ "$(cell "$test" "$child" message)" = *"$text"* ]]
	grep -qF "fio-iozone: $test: child $child of 3: $DIR/iozone.DUMMY.$child: $(cell "$test" "$child" message)" "$ERR"
	report_tells "$test" "$child" "$text"
}

# The report shows that the test failed, who it was, and nothing as if whole.
report_tells()
{
	local label

	case $1 in
	write) label="initial writers" ;;
	rewrite) label=rewriters ;;
	read) label=readers ;;
	*) label=$1 ;;
	esac
	run translate
	echo "$output" >&2
	[ "$status" -eq 1 ]
	[[ "$output" = *"Test failed: "*" of 3 $label gave no figure"* ]]
	! grep -q "see throughput for.* $label" <<<"$output" || return 1
	[[ "$output" = *"$label: child"*"$2"*" of 3"*"$3"* ]]
	[[ "$output" != *"iozone test complete"* ]]
}

# others_did TEST CHILD: all but this one finished, or were stopped by the flag.
others_did()
{
	local i

	for i in 0 1 2; do
		[ "$i" = "$2" ] && continue
		[[ "$(cell "$1" "$i" end)" = finished || "$(cell "$1" "$i" end)" = stopped ]] || return 1
	done
}

# killed_in TEST CHILD SIGNAL
killed_in()
{
	show
	[[ $status -ne 0 && $status -ne 124 && $status -lt 128 ]]
	log_is_sound
	[ "$(cell "$1" "$2" end)" = killed ]
	[[ "$(cell "$1" "$2" message)" = "killed by signal $3 ("*")" ]]
	grep -qF "fio-iozone: $1: child $2 of 3: $DIR/iozone.DUMMY.$2: killed by signal $3" "$ERR"
	report_tells "$1" "$2" "killed by signal $3"
}

# ---- killed ---------------------------------------------------------------------

@test "killed before the release: nobody waits for the dead" {
	FAULTS='open:*.1::kill=9'
	job "write read"
	fio_runs && status=0 || status=$?
	killed_in write 1 9
	[ "$(cell write 0 end)" = failed ]
	[ "$(cell write 2 end)" = failed ]
	[ "$(cell write 0 message)" = "not started: child 1 of 3 died before the start" ]
	[ "$(cells records write)" = "0 0 0" ]
}

@test "the only child is killed before it comes to the meeting point" {
	job write numjobs=1 startdelay=0 exec_prerun=true
	FAULTS='open:*.0::kill=9'
	# fio leaves what such a command says in the current directory
	(cd "$BATS_TEST_TMPDIR" && fio_runs) && status=0 || status=$?
	show
	[ "$status" -ne 0 ]
	[ "$(cell write 0 end)" = killed ]
}

@test "the child that settles is killed" {
	job write "iozone_before=touch $DIR/settling" iozone_settle=40s
	fio_starts
	until_true all_wait
	kill -9 "$(settler)"
	fio_ends
	status=$STATUS
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[ "$(cells end write)" = "failed failed killed" ]
	grep -q "not started: child . of 3 died before the start" "$ERR"
	run translate
	[ "$status" -eq 1 ]
}

@test "killed in the loop by SIGKILL: the others finish" {
	FAULTS='write:*.1:131072:kill=9'
	job "write read" iozone_stonewall=0
	fio_runs && status=0 || status=$?
	killed_in write 1 9
	others_did write 1
	[ "$(cell write 1 records)" -gt 0 ]
	[ "$(cell write 1 records)" -lt 64 ]
}

@test "killed in the loop by SIGSEGV" {
	FAULTS='write:*.1:131072:kill=11'
	job write iozone_stonewall=0
	fio_runs && status=0 || status=$?
	killed_in write 1 11
	others_did write 1
}

@test "killed in the loop of a reader" {
	FAULTS='read:*.2:131072:kill=9'
	job "write read" iozone_stonewall=0
	fio_runs && status=0 || status=$?
	killed_in read 2 9
	others_did read 2
	[ "$(cells end write)" = "finished finished finished" ]
	run translate
	[[ "$output" = *"Children see throughput for  3 initial writers"* ]]
}

@test "killed in the untimed tail" {
	FAULTS='write:*.[12]::slow=5 write:*.1:131072:kill=9'
	job write
	fio_runs && status=0 || status=$?
	killed_in write 1 9
	[ "$(cell write 0 end)" = finished ]
	[ "$(cell write 2 end)" = stopped ]
	[ "$(stat -c %s "$DIR/iozone.DUMMY.2")" = 262144 ]
}

@test "killed in the fsync after the loop" {
	FAULTS='fsync:*.1::kill=9'
	job write
	fio_runs && status=0 || status=$?
	killed_in write 1 9
	others_did write 1
}

@test "the file size limit of a shell kills a child with SIGXFSZ" {
	job write iozone_stonewall=0
	FAULTS='write:*.[02]:100000:short=0'
	AS='prlimit --fsize=131072' fio_runs && status=0 || status=$?
	show
	[ "$status" -ne 0 ]
	[ "$(cell write 1 end)" = killed ]
	[[ "$(cell write 1 message)" = "killed by signal 25 "* ]]
}

@test "killed by the kernel, out of memory" {
	mounts tmpfs size=128m
	CGROUP=/sys/fs/cgroup/memory/faults-$BASHPID
	mkdir "$CGROUP" 2>/dev/null || { CGROUP=; skip "no memory control group"; }
	job write size=32m iozone_stonewall=0 "iozone_before=touch $DIR/settling" iozone_settle=3s
	fio_starts
	until_true children_number 3
	until_true is_settling
	victim=$(children | tail -n 1)
	# What it has is charged elsewhere; what it will write does not fit.
	echo $((8 << 20)) >"$CGROUP/memory.limit_in_bytes"
	echo "$victim" >"$CGROUP/cgroup.procs"
	fio_ends
	status=$STATUS
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[ "$(cells end write)" = "finished finished killed" ]
	grep -q "killed by signal 9" "$ERR"
	run translate
	[ "$status" -eq 1 ]
}

@test "all children are killed" {
	FAULTS='write:*:131072:kill=9'
	job write iozone_stonewall=0
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[ "$(cells end write)" = "killed killed killed" ]
	run translate
	[ "$status" -eq 1 ]
	[[ "$output" = *"Test failed: 3 of 3 initial writers"* ]]
}

@test "a thread that is killed takes all with it, and no figure comes of it" {
	FAULTS='write:*.1:131072:kill=9'
	job write thread
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	run translate
	[ "$status" -eq 2 ]
	[[ "$output" != *"throughput"* ]]
}

# ---- fio's main process ----------------------------------------------------------------

# The main process is killed in a phase: the children end by themselves, soon.
main_is_killed()
{
	kill -9 "$MAIN"
	wait "$MAIN" 2>/dev/null || true
	until_true nobody_left
	show
}

nobody_left()
{
	! leftovers >/dev/null
}

@test "fio's main process is killed in the settle phase" {
	job write "iozone_before=touch $DIR/settling" iozone_settle=40s
	fio_starts
	until_true all_wait
	SECONDS=0
	main_is_killed
	[ "$SECONDS" -lt 20 ]
	log_is_sound
	[ "$(cells end)" = "interrupted interrupted interrupted" ]
	[ ! -e "$DIR/iozone.DUMMY.0" ]
}

@test "fio's main process is killed while children wait for the release" {
	FAULTS='open:*.1::slow=3000'
	job write
	fio_starts
	until_true has_opened 0
	main_is_killed
	log_is_sound
	[ "$(cells end)" = "interrupted interrupted interrupted" ]
}

@test "fio's main process is killed in the loop" {
	FAULTS='write:*::slow=20'
	job "write read" size=16m bs=16m unlink=1
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.2" ]
	SECONDS=0
	main_is_killed
	[ "$SECONDS" -lt 20 ]
	log_is_sound
	[ "$(cells end)" = "interrupted interrupted interrupted" ]
	[ ! -e "$DIR/iozone.DUMMY.0" ]
}

@test "fio's main process is killed in the tail" {
	FAULTS='write:*.[12]::slow=20'
	job write size=4m
	fio_starts
	until_true grep -q '"finished"' "$LOG"
	main_is_killed
	log_is_sound
	[ "$(cells end)" = "finished interrupted interrupted" ]
}

@test "fio's main process is killed before all children are started" {
	# Until then they sit in fio's own semaphore, which nobody will raise.
	job write numjobs=200
	fio_starts
	until_true has_children
	main_is_killed
}

# ---- open ------------------------------------------------------------------------------------

@test "open: permission denied to a user" {
	needs_root
	DIR=$(mktemp -d /tmp/fio-iozone-faults-XXXXXX)
	LOG=$DIR/run.csv OUT=$DIR/fio.json JOB=$DIR/job.fio ERR=$DIR/fio.err
	cp "$BUILD/fio-iozone.so" "$DIR"
	job write
	sed -i "s#external:.*#external:$DIR/fio-iozone.so#" "$JOB"
	install -m 600 /dev/null "$DIR/iozone.DUMMY.1"
	chmod 755 "$DIR" && chown nobody "$DIR"
	AS='setpriv --reuid=65534 --regid=65534 --clear-groups' fio_runs && status=0 || status=$?
	fails_in write 1 13 0 "open at offset 0: Permission denied"
	[ "$(cell write 0 message)" = "not started: child 1 of 3 failed: open at offset 0: Permission denied" ]
	rm -r "$DIR"
}

@test "open: no such file for the readers" {
	job read
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[ "$(cells end)" = "failed failed failed" ]
	grep -q "fio-iozone: read: child . of 3: $DIR/iozone.DUMMY..: open at offset 0: No such file or directory" "$ERR"
	[ -z "$(ls "$DIR")" ]
	report_tells read "" "No such file or directory"
}

@test "open: no such directory" {
	job write
	rmdir "$DIR"
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	mkdir -p "$DIR"
}

@test "open: read-only file system" {
	mounts tmpfs size=1m
	touch "$DIR/iozone.DUMMY.0" "$DIR/iozone.DUMMY.1" "$DIR/iozone.DUMMY.2"
	mount -o remount,ro "$DIR"
	job write
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[[ "$(cells error)" = *30* ]]
	grep -q "open at offset 0: Read-only file system" "$ERR"
	report_tells write "" "Read-only file system"
}

@test "open: too many open files" {
	FAULTS='open:*.1::EMFILE'
	job write
	fio_runs && status=0 || status=$?
	fails_in write 1 24 0 "open at offset 0: Too many open files"
}

@test "open: a file system that refuses O_DIRECT" {
	mounts ramfs mode=755
	job write direct=1
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[[ "$(cells error)" = *22* ]]
	grep -q "open at offset 0: Invalid argument" "$ERR"
	grep -q "does not support O_DIRECT" "$ERR"
	report_tells write "" "Invalid argument"
}

@test "write: a record that O_DIRECT does not take" {
	job write direct=1 iozone_record=1000 size=100000
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[[ "$(cells end)" != *finished* ]]
	[[ "$(cells error)" = *22* ]]
}

@test "open fails again and again, and fio would try for ever" {
	FAULTS='open:*.1::ENOENT'
	job write file_service_type=random
	fio_runs && status=0 || status=$?
	fails_in write 1 2 0 "open at offset 0: No such file or directory"
}

# ---- write and read -------------------------------------------------------------------------------

@test "write: input/output error" {
	FAULTS='write:*.1:131072:EIO'
	job "write read" iozone_stonewall=0
	fio_runs && status=0 || status=$?
	fails_in write 1 5 131072 "write at offset 131072: Input/output error"
	others_did write 1
	[ "$(cell write 1 bytes)" = 131072 ]
	[ "$(cell read 0 end)" = finished ]
}

@test "write: input/output error, in threads" {
	FAULTS='write:*.1:131072:EIO'
	job write iozone_stonewall=0 thread
	fio_runs && status=0 || status=$?
	fails_in write 1 5 131072 "write at offset 131072: Input/output error"
	others_did write 1
}

@test "write: input/output error in the tail" {
	FAULTS='write:*.[12]::slow=5 write:*.1:131072:EIO'
	job write
	fio_runs && status=0 || status=$?
	fails_in write 1 5 131072 "write at offset 131072: Input/output error"
	others_did write 1
	[ "$(cell write 1 tail_bytes)" -gt 0 ]
}

@test "write: a failure that fio is told to ignore" {
	FAULTS='write:*.1:131072:EIO'
	job write iozone_stonewall=0 continue_on_error=all
	fio_runs && status=0 || status=$?
	fails_in write 1 5 131072 "write at offset 131072: Input/output error"
}

@test "write: no space left, on a small ext4" {
	truncate -s 4m "$BATS_TEST_TMPDIR/image"
	mkfs.ext4 -q -F -m 0 "$BATS_TEST_TMPDIR/image"
	mounts ext4 loop "$BATS_TEST_TMPDIR/image"
	job "write read" size=2m iozone_stonewall=0
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[[ "$(cells end write)" = *failed* ]]
	[[ "$(cells error write)" = *28* ]]
	grep -Eq "fio-iozone: write: child . of 3: $DIR/iozone.DUMMY..: write at offset [0-9]+: No space left" "$ERR"
	report_tells write "" "No space left on device"
}

@test "write: no space left, on a small tmpfs, and a record cut short" {
	mounts tmpfs size=500k
	job write size=400k iozone_record=100k bs=100k numjobs=2
	sed -i 's/^numjobs=3/numjobs=2/' "$JOB"
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[[ "$(cells error write)" = *28* ]]
	grep -Eq "write at offset [0-9]+: (No space left|short after [0-9]+ of 102400 bytes)" "$ERR"
	run translate
	[ "$status" -eq 1 ]
}

@test "fwrite: no space left" {
	mounts tmpfs size=500k
	job fwrite iozone_stonewall=0
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[[ "$(cells error fwrite)" = *28* ]]
	grep -q "No space left on device" "$ERR"
	run translate
	[ "$status" -eq 1 ]
}

@test "write: disk quota exceeded" {
	FAULTS='write:*.1:131072:EDQUOT'
	job write iozone_stonewall=0
	fio_runs && status=0 || status=$?
	fails_in write 1 122 131072 "write at offset 131072: Disk quota exceeded"
	others_did write 1
}

@test "write: stale file handle" {
	FAULTS='write:*.1:131072:ESTALE'
	job write iozone_stonewall=0
	fio_runs && status=0 || status=$?
	fails_in write 1 116 131072 "write at offset 131072: Stale file handle"
	others_did write 1
}

@test "write: interrupted system call, as on an interruptible mount" {
	FAULTS='write:*.1:131072:EINTR'
	job write iozone_stonewall=0
	fio_runs && status=0 || status=$?
	fails_in write 1 4 131072 "write at offset 131072: Interrupted system call"
	others_did write 1
}

@test "write: a short one" {
	FAULTS='write:*.1:131072:short=1000'
	job write iozone_stonewall=0
	fio_runs && status=0 || status=$?
	fails_in write 1 28 131072 "write at offset 131072: short after 1000 of 4096 bytes"
	others_did write 1
}

@test "pwrite: input/output error" {
	FAULTS='write:*.1:131072:EIO'
	job pwrite iozone_stonewall=0
	fio_runs && status=0 || status=$?
	show
	[ "$status" -ne 0 ]
	[ "$(cell pwrite 1 error_offset)" = 131072 ]
	grep -q "pwrite at offset 131072: Input/output error" "$ERR"
}

@test "read: a file that is shorter than it should be" {
	job write
	fio_runs
	truncate -s 132000 "$DIR/iozone.DUMMY.1"
	job read iozone_stonewall=0
	fio_runs && status=0 || status=$?
	fails_in read 1 61 131072 "read at offset 131072: end of file after 928 of 4096 bytes"
	others_did read 1
}

@test "read: an empty file" {
	job write
	fio_runs
	truncate -s 0 "$DIR/iozone.DUMMY.1"
	job read iozone_stonewall=0
	fio_runs && status=0 || status=$?
	fails_in read 1 61 0 "read at offset 0: end of file after 0 of 4096 bytes"
}

@test "read: stale file handle" {
	FAULTS='read:*.1:131072:ESTALE'
	job "write read" iozone_stonewall=0
	fio_runs && status=0 || status=$?
	fails_in read 1 116 131072 "read at offset 131072: Stale file handle"
	others_did read 1
}

@test "read: a random one fails at the offset of its record" {
	FAULTS='read:*.1:258048:EIO'
	job "write random_read" iozone_stonewall=0
	fio_runs && status=0 || status=$?
	show
	[ "$status" -ne 0 ]
	[ "$(cell random_read 1 error_offset)" = 258048 ]
}

# ---- fsync and close ----------------------------------------------------------------------------------

@test "fsync: input/output error after the loop" {
	FAULTS='fsync:*.1::EIO'
	job write
	fio_runs && status=0 || status=$?
	fails_in write 1 5 0 "fsync at offset 0: Input/output error"
	others_did write 1
}

@test "fsync: no space left within the clock, with iozone_flush" {
	FAULTS='fsync:*.1::ENOSPC'
	job write iozone_flush=1
	fio_runs && status=0 || status=$?
	fails_in write 1 28 0 "fsync at offset 0: No space left on device"
	others_did write 1
}

@test "close: disk quota exceeded, as on NFS" {
	FAULTS='close:*.1::EDQUOT'
	job write
	fio_runs && status=0 || status=$?
	fails_in write 1 122 0 "close at offset 0: Disk quota exceeded"
	others_did write 1
}

@test "close: input/output error within the clock, with iozone_close" {
	FAULTS='close:*.1::EIO'
	job write iozone_close=1
	fio_runs && status=0 || status=$?
	fails_in write 1 5 0 "close at offset 0: Input/output error"
	others_did write 1
}

# ---- in mid-run -------------------------------------------------------------------------------------------

@test "the directory is removed in mid-run" {
	FAULTS='write:*::slow=10'
	job "write read" iozone_stonewall=0
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.2" ]
	rm -r "$DIR"
	fio_ends
	status=$STATUS
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	# The files were open: the writers do not notice.  The readers do.
	[ "$(cells end write)" = "finished finished finished" ]
	[ "$(cells end read)" = "failed failed failed" ]
	grep -q "fio-iozone: read: child . of 3: $DIR/iozone.DUMMY..: open at offset 0: No such file or directory" "$ERR"
	report_tells read "" "No such file or directory"
	[[ "$output" = *"Children see throughput for  3 initial writers"* ]]
}

@test "one child is much slower than the others: that is no fault" {
	FAULTS='write:*.1::slow=15 open:*.2::slow=700'
	job "write read"
	fio_runs && status=0 || status=$?
	show
	[ "$status" -eq 0 ]
	log_is_sound
	run translate
	[ "$status" -eq 0 ]
}

# ---- many, and few ----------------------------------------------------------------------------------------

@test "256 children that fail are not taken for none" {
	job read
	sed -i 's/^numjobs=3/numjobs=256/' "$JOB"
	fio_runs && status=0 || status=$?
	tail -n 3 "$ERR" >&2
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[ "$(cells end | tr ' ' '\n' | sort | uniq -c | xargs)" = "256 failed" ]
}

@test "no more processes are to be had" {
	needs_root
	DIR=$(mktemp -d /tmp/fio-iozone-faults-XXXXXX)
	LOG=$DIR/run.csv OUT=$DIR/fio.json JOB=$DIR/job.fio ERR=$DIR/fio.err
	cp "$BUILD/fio-iozone.so" "$DIR"
	job write
	sed -i "s#external:.*#external:$DIR/fio-iozone.so#; s/^numjobs=3/numjobs=40/" "$JOB"
	chmod 755 "$DIR" && chown 61234 "$DIR"
	# fio itself waits for 10 s for a child that it could not fork.
	AS='setpriv --reuid=61234 --regid=61234 --clear-groups prlimit --nproc=20' \
		fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	nobody_left
	[[ "$(cells end)" != *finished* ]]
	rm -r "$DIR"
}

@test "a job of another engine in the group: nobody waits for it" {
	job write
	printf '[other]\nioengine=null\nsize=64k\n' >>"$JOB"
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	[ "$(cells end)" = "failed failed failed" ]
}

@test "a job that is refused: nothing of the run starts" {
	job write
	printf '[bad]\nstonewall\niozone_test=read\nthinktime=1\n' >>"$JOB"
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	grep -q "job bad: thinktime does not go with ioengine=iozone" "$ERR"
	[ -z "$(ls "$DIR")" ]
}

@test "a job is done too early, by runtime: no figure comes of it" {
	FAULTS='write:*::slow=20'
	job write runtime=1 size=1m
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[ "$(cells end)" = "interrupted interrupted interrupted" ]
	run translate
	[ "$status" -eq 1 ]
	[[ "$output" != *"Children see"* ]]
}

# ---- the command before a test ------------------------------------------------------------------------------

@test "the command before a test fails" {
	job write "iozone_before=exit 7"
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	grep -q "iozone_before=exit 7: exit status 7" "$ERR"
	[ "$(cells end)" = "failed failed failed" ]
	[ -z "$(ls "$DIR")" ]
}

# ---- through a server -----------------------------------------------------------------------------------------

@test "a child is killed in a server's run: its line is missing, and the report says so" {
	FAULTS='write:*.1:131072:kill=9'
	job write iozone_stonewall=0
	socket=$BATS_TEST_TMPDIR/socket
	LD_PRELOAD=$SHIM FAULTS=$FAULTS "$FIO" --server=sock:"$socket" >"$BATS_TEST_TMPDIR/server" 2>&1 3>&- &
	server=$!
	until_true [ -S "$socket" ]
	timeout "$LIMIT" "$FIO" --client=sock:"$socket" --output-format=json --output="$OUT" "$JOB" \
		>"$ERR" 2>&1 3>&- || true
	kill "$server"
	wait "$server" 2>/dev/null || true
	show
	log_is_sound
	[ "$(cells end)" = "finished finished" ]
	run translate --log "$LOG"
	echo "$output" >&2
	[ "$status" -eq 1 ]
	[[ "$output" = *"child 1 of 3"*"left no line in the run log"* ]]
	[[ "$output" = *"Test failed: 1 of 3 initial writers"* ]]
}
