#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=faults
# The run log: it cannot be made, the disk is full, two runs at once, odd paths,
# a thousand children.  A clear error or a right log; no line lost, none torn.

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
	faults_teardown
}

# The run is refused with one line, before a file is touched.
refused()
{
	[ -z "${1:-}" ] || LOG=$1
	fio_runs && status=0 || status=$?
	cat "$ERR" >&2
	[[ $status -ne 0 && $status -ne 124 ]]
	[ "$(grep -c "^fio-iozone: " "$ERR")" = 1 ]
	grep -qF "fio-iozone: job write: iozone_log=$LOG: $2" "$ERR"
	[ -z "$(ls "$DIR")" ]
}

whole_run()
{
	fio_runs && status=0 || status=$?
	show
	[ "$status" -eq 0 ]
	log_is_sound
	run translate
	echo "$output" >&2
	[ "$status" -eq 0 ]
	[[ "$output" = *"iozone test complete."* ]]
}

# ---- it cannot be made -----------------------------------------------------------------

@test "the log's directory is not there" {
	LOG=$BATS_TEST_TMPDIR/none/run.csv
	job write
	refused "$LOG" "No such file or directory"
}

@test "the log's path is a directory" {
	mkdir "$LOG"
	job write
	refused "$LOG" "Is a directory"
	rmdir "$LOG"
}

@test "the log's path is a FIFO" {
	mkfifo "$LOG"
	job write
	refused "$LOG" "is not a regular file"
	[ -p "$LOG" ]
}

@test "the log's path is a device" {
	LOG=/dev/null
	job write
	refused "$LOG" "is not a regular file"
	[ -c /dev/null ]
}

@test "the log's path is a file of the user's: it stays as it is" {
	echo "my thesis" >"$LOG"
	job write
	refused "$LOG" "exists and is not a run log: left as it is"
	[ "$(cat "$LOG")" = "my thesis" ]
}

@test "the log's path is a symbolic link to a file of the user's" {
	echo "my thesis" >"$BATS_TEST_TMPDIR/thesis"
	ln -s thesis "$LOG"
	job write
	refused "$LOG" "exists and is not a run log: left as it is"
	[ "$(cat "$BATS_TEST_TMPDIR/thesis")" = "my thesis" ]
}

@test "the log's directory must not be written to" {
	[ "$(id -u)" = 0 ] || skip "it takes root"
	DIR=$(mktemp -d /tmp/fio-iozone-faults-XXXXXX)
	mkdir "$DIR/data" "$DIR/closed"
	cp "$BUILD/fio-iozone.so" "$DIR"
	LOG=$DIR/closed/run.csv OUT=$DIR/data/fio.json JOB=$DIR/job.fio
	chmod 755 "$DIR"
	DIR=$DIR/data
	job write
	sed -i "s#external:.*#external:${DIR%/data}/fio-iozone.so#" "$JOB"
	chown nobody "$DIR"
	AS='setpriv --reuid=65534 --regid=65534 --clear-groups' fio_runs && status=0 || status=$?
	cat "$ERR" >&2
	[[ $status -ne 0 && $status -ne 124 ]]
	grep -qF "fio-iozone: job write: iozone_log=$LOG: Permission denied" "$ERR"
	[ "$(ls "$DIR")" = fio.json ]
	rm -r "${DIR%/data}"
}

@test "no room for the log's first line" {
	[ "$(id -u)" = 0 ] || skip "it takes root"
	MOUNTED=$BATS_TEST_TMPDIR/small
	mkdir "$MOUNTED"
	mount -t tmpfs -o size=4k faults "$MOUNTED"
	head -c 4096 /dev/zero >"$MOUNTED/filler"
	LOG=$MOUNTED/run.csv
	job write
	refused "$LOG" "No space left on device"
}

# ---- its disk is full in mid-run -------------------------------------------------------------

@test "no room for the lines: the children fail, and none is torn" {
	[ "$(id -u)" = 0 ] || skip "it takes root"
	MOUNTED=$BATS_TEST_TMPDIR/small
	mkdir "$MOUNTED"
	mount -t tmpfs -o size=8k faults "$MOUNTED"
	LOG=$MOUNTED/run.csv
	job "write read"
	sed -i 's/^numjobs=3/numjobs=16/' "$JOB"
	fio_runs && status=0 || status=$?
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[ "$(wc -l <"$LOG")" -gt 4 ]
	[ "$(wc -l <"$LOG")" -lt 33 ]
	grep -Eq "fio-iozone: (write|read): child [0-9]+ of 16: run log $LOG: No space left on device" "$ERR"
	run translate
	echo "$output" >&2
	[ "$status" -eq 1 ]
	[[ "$output" = *"left no line in the run log"* || "$output" = *"is not in the run log"* ||
		"$output" = *"did not run"* ]]
	[[ "$output" != *"iozone test complete."* ]]
}

@test "the log is deleted in mid-run: there is nothing to report from" {
	FAULTS='write:*::slow=10'
	job write
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.0" ]
	rm "$LOG"
	fio_ends
	run translate
	echo "$output" >&2
	[ "$status" -eq 2 ]
	[[ "$output" = *"$LOG"*"No such file"* ]]
}

# ---- two runs ---------------------------------------------------------------------------------

@test "two runs at once with one log: the second one is refused, the first one's log is right" {
	FAULTS='write:*::slow=60'
	job write
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.0" ]
	FAULTS= OUT=$OUT.second ERR=$ERR.second fio_runs && status=0 || status=$?
	cat "$ERR.second" >&2
	[[ $status -ne 0 && $status -ne 124 ]]
	grep -qF "fio-iozone: job write: iozone_log=$LOG: is in use by another run" "$ERR.second"
	fio_ends
	show
	[ "$STATUS" -eq 0 ]
	log_is_sound
	[ "$(cells child)" = "0 1 2" ]
	run translate
	[ "$status" -eq 0 ]
}

@test "the log of a run that was killed is free again" {
	FAULTS='write:*::slow=10'
	job write size=4m
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.0" ]
	kill -9 "$MAIN"
	wait "$MAIN" || true
	until_true nobody_left
	FAULTS=
	job write
	whole_run
}

nobody_left()
{
	! leftovers >/dev/null
}

@test "a second run starts a new log" {
	job "write read"
	fio_runs
	first=$(sed -n 2p "$LOG" | cut -d, -f1)
	job "write"
	whole_run
	! grep -qF "$first" "$LOG" || return 1
	[ "$(wc -l <"$LOG")" = 4 ]
}

@test "several jobs, several logs" {
	job write
	printf '[more]\nstonewall\niozone_test=read\niozone_log=%s\n' "$LOG.2" >>"$JOB"
	fio_runs
	log_is_sound
	[ "$(cells test)" = "write write write" ]
	LOG=$LOG.2
	log_is_sound
	[ "$(cells test)" = "read read read" ]
	run translate
	[ "$status" -eq 0 ]
}

# ---- odd paths ------------------------------------------------------------------------------------

# A run whose log and whose files lie in a folder of this name.
odd_folder()
{
	DIR="$BATS_TEST_TMPDIR/$1"
	LOG="$DIR/run $1.csv"
	mkdir -p "$DIR"
	job write "filename_format=$1.\$jobnum"
	sed -i '/^filename_format=iozone/d' "$JOB"
	whole_run
	[ "$(cell write 0 file)" = "$DIR/$1.0" ]
	[ -s "$DIR/$1.0" ]
}

@test "a path with spaces" {
	odd_folder "a b  c"
}

@test "a path with commas" {
	odd_folder "a,b,,c"
}

@test "a path with quotes" {
	odd_folder "a\"b'c\"\""
}

@test "a path with letters beyond ASCII" {
	odd_folder "größe-大小"
}

@test "a path with a newline, the worst a file system allows" {
	DIR=$BATS_TEST_TMPDIR/data
	job write "iozone_log=$LOG"
	mkdir -p "$DIR"$'\n'"x"
	"$FIO" --name=write --ioengine=external:"$BUILD/fio-iozone.so" --directory="$DIR"$'\n'"x" \
		--iozone_log="$LOG" --size=64k --bs=4k --iozone_settle=0 --iozone_test=write \
		--output="$OUT" >"$ERR" 2>&1
	[ "$(grep -c '^"[0-9a-f]\{16\}",' "$LOG")" = 1 ]
	grep -q "/data$" "$LOG"
}

@test "a long path" {
	name=$(printf 'x%.0s' {1..200})
	DIR=$BATS_TEST_TMPDIR/$name/$name/$name/$name
	LOG=$DIR/$name.csv
	mkdir -p "$DIR"
	job write
	whole_run
}

# ---- many children ------------------------------------------------------------------------------------

many()
{
	job write size=16k "$@"
	sed -i 's/^numjobs=3/numjobs=1000/' "$JOB"
	fio_runs && status=0 || status=$?
	tail -n 3 "$ERR" >&2
	[ "$status" -eq 0 ]
	log_is_sound
	[ "$(wc -l <"$LOG")" = 1001 ]
	[ "$(cells child | tr ' ' '\n' | sort -n | uniq | wc -l)" = 1000 ]
	[ "$(cells release_ns | tr ' ' '\n' | uniq | wc -l)" = 1 ]
	run translate
	[ "$status" -eq 0 ]
	[[ "$output" = *"Children see throughput for 1000 initial writers"* ]]
}

@test "a thousand children at once, processes" {
	many
}

@test "a thousand children at once, threads" {
	many thread
}
