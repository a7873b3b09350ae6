#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=faults
# Ctrl-C and SIGTERM in each phase of a run: no process and no shared memory
# stays behind, files go as unlink says, the log has what was measured, and the
# report says that the run was interrupted.

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
	faults_teardown
}

# fio keeps its jobs in a segment of System V.  Nothing of ours has another name.
shared_memory_of_run()
{
	awk -v creator="$MAIN" 'NR > 1 && $5 == creator' /proc/sysvipc/shm
	grep -l "$JOB" /dev/shm/* 2>/dev/null
}

files()
{
	find "$DIR" -name 'iozone.DUMMY.*' | wc -l
}

# told SIGNAL: sends it to fio's main process; the run has to end soon, and clean.
told()
{
	SECONDS=0
	kill -s "$1" "$MAIN"
	fio_ends
	status=$STATUS
	show
	[ "$SECONDS" -lt 20 ]
	# fio itself says 128, and adds the failures of its jobs.
	[[ $STATUS -ne 0 && $STATUS -ne 124 ]]
	! leftovers || return 1
	[ -z "$(shared_memory_of_run)" ]
	grep -q "terminating on signal" "$OUT" "$ERR"
	[ ! -s "$LOG" ] || log_is_sound
}

one_has_finished()
{
	grep -qs '"finished"' "$LOG"
}

# The report of the run: interrupted, in this test, and no figures of it.
report_is_interrupted()
{
	run translate
	echo "$output" >&2
	[ "$status" -eq 1 ]
	[[ "$output" = *nterrupted* ]]
	[[ "$output" = *"fio was told to stop"* ]]
	! grep -q "see throughput for.* $1" <<<"$output" || return 1
	[[ "$output" != *"iozone test complete"* ]]
}

# ---- in the settle phase ---------------------------------------------------------------

in_settle()
{
	job "write read" "iozone_before=touch $DIR/settling" iozone_settle=60s "${@:2}"
	fio_starts
	until_true all_wait
	told "$1"
	[ "$(cells end)" = "interrupted interrupted interrupted" ]
	[ "$(cells bytes)" = "0 0 0" ]
	[ "$(files)" = 0 ]
	report_is_interrupted "initial writers"
}

@test "Ctrl-C in the settle phase" {
	in_settle INT
}

@test "SIGTERM in the settle phase" {
	in_settle TERM
}

@test "Ctrl-C in the settle phase, one child" {
	job write "iozone_before=touch $DIR/settling" iozone_settle=60s
	sed -i 's/^numjobs=3/numjobs=1/' "$JOB"
	fio_starts
	until_true is_settling
	told INT
	[ "$(cells end)" = interrupted ]
}

@test "Ctrl-C in the settle phase, in threads" {
	job write "iozone_before=touch $DIR/settling" iozone_settle=60s thread
	fio_starts
	until_true is_settling
	told INT
	[ "$(cells end)" = "interrupted interrupted interrupted" ]
}

# ---- while children wait for the release ---------------------------------------------------

# One child takes its time to open its file.
before_release()
{
	FAULTS='open:*.1::slow=3000'
	job "write read" "${@:2}"
	fio_starts
	until_true has_opened 0
	until_true has_opened 2
	told "$1"
	[ "$(cells end)" = "interrupted interrupted interrupted" ]
	[ "$(cells release_ns)" = "0 0 0" ]
	report_is_interrupted "initial writers"
}

@test "Ctrl-C while children wait for the release" {
	before_release INT
	[ "$(files)" = 3 ]
}

@test "SIGTERM while children wait for the release, and the files go" {
	before_release TERM unlink=1
	[ "$(files)" = 0 ]
}

# ---- in the loop --------------------------------------------------------------------------------

in_loop()
{
	FAULTS='write:*::slow=10'
	job "write read" size=16m "${@:2}"
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.0" ]
	until_true [ -s "$DIR/iozone.DUMMY.1" ]
	until_true [ -s "$DIR/iozone.DUMMY.2" ]
	sleep 0.3
	told "$1"
	[ "$(cells end)" = "interrupted interrupted interrupted" ]
	[[ " $(cells bytes) " != *" 0 "* ]]
	[[ " $(cells stop_ns) " != *" 0 "* ]]
	report_is_interrupted "initial writers"
}

@test "Ctrl-C in the loop" {
	in_loop INT
	[ "$(files)" = 3 ]
}

@test "SIGTERM in the loop, and the files go" {
	in_loop TERM unlink=1
	[ "$(files)" = 0 ]
}

@test "Ctrl-C in the loop, in threads" {
	in_loop INT thread
}

@test "Ctrl-C in the loop, with turns that take minutes" {
	in_loop INT bs=16m
}

@test "Ctrl-C in the loop of a test that pays no attention to the stop flag" {
	job fwrite size=1g iozone_record=4k
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.0" ]
	told INT
	[[ "$(cells end)" = *interrupted* ]]
}

@test "Ctrl-C in the loop of a single child" {
	FAULTS='write:*::slow=10'
	job write size=16m
	sed -i 's/^numjobs=3/numjobs=1/' "$JOB"
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.0" ]
	told INT
	[ "$(cells end)" = interrupted ]
}

# ---- in the tail -----------------------------------------------------------------------------------

# One child has finished; the others go on to the end of their files, untimed.
in_tail()
{
	FAULTS="write:*.[12]::slow=${SLOW:-10}"
	job "write read" size=${SIZE:-16m} "${@:2}"
	fio_starts
	until_true one_has_finished
	sleep 0.3
	told "$1"
	[ "$(cell write 0 end)" = finished ]
	[ "$(cell write 1 end)" = interrupted ]
	[ "$(cell write 2 end)" = interrupted ]
	[ "$(cell write 1 stop_ns)" -gt 0 ]
	[ -z "$(cell read 0 end)" ]
	report_is_interrupted "initial writers"
}

@test "Ctrl-C in the untimed tail" {
	in_tail INT
	[ "$(files)" = 3 ]
}

@test "SIGTERM in the untimed tail, and the files go" {
	in_tail TERM unlink=1
	[ "$(files)" = 0 ]
}

@test "Ctrl-C in the tail of children that did not one record in time" {
	SLOW=400 SIZE=256k in_tail INT
	[ "$(cell write 1 records)" = 0 ]
}

@test "Ctrl-C in the untimed tail, in threads" {
	in_tail INT thread
}

# ---- after the loop, and between tests -----------------------------------------------------------------

@test "Ctrl-C in the fsync after the loop: what was measured stays" {
	FAULTS='fsync:*::slow=2000'
	job "write read"
	fio_starts
	until_true all_in_fsync
	told INT
	[[ "$(cells end)" != *interrupted* ]]
	[ "$(cells end write | wc -w)" = 3 ]
	run translate
	echo "$output" >&2
	[ "$status" -eq 1 ]
	[[ "$output" = *"Children see throughput for  3 initial writers"* ]]
	[[ "$output" = *nterrupted* ]]
}

# All files are whole, and their children still there.
all_in_fsync()
{
	local i

	for i in 0 1 2; do
		[ "$(stat -c %s "$DIR/iozone.DUMMY.$i" 2>/dev/null)" = 262144 ] || return 1
		has_opened "$i" || return 1
	done
}

@test "Ctrl-C in the second test: the first one's figures are reported" {
	FAULTS='read:*::slow=50'
	job "write read" iozone_stonewall=0
	fio_starts
	until_true [ -s "$LOG" ]
	until_true has_lines 3
	until_true has_opened 1
	sleep 0.3
	told INT
	[ "$(cells end write)" = "finished finished finished" ]
	[ "$(cells end read)" = "interrupted interrupted interrupted" ]
	run translate
	echo "$output" >&2
	[ "$status" -eq 1 ]
	[[ "$output" = *"Children see throughput for  3 initial writers"* ]]
	[[ "$output" = *nterrupted*readers* ]]
	! grep -q "see throughput for.* readers" <<<"$output" || return 1
}

has_lines()
{
	[ "$(wc -l <"$LOG")" -gt "$1" ]
}

@test "Ctrl-C while fio starts its children" {
	job write
	sed -i 's/^numjobs=3/numjobs=200/' "$JOB"
	fio_starts
	until_true has_children
	told INT
	[[ "$(cells end)" != *finished* ]]
	[[ "$(cells end)" != *killed* ]]
}

@test "Ctrl-C twice" {
	FAULTS='write:*.[12]::slow=10'
	job write size=16m
	fio_starts
	until_true one_has_finished
	kill -INT "$MAIN"
	told INT
}

@test "Ctrl-C of a run without a log" {
	FAULTS='write:*::slow=10'
	job write size=16m
	sed -i /^iozone_log/d "$JOB"
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.0" ]
	told INT
	run translate
	echo "$output" >&2
	[ "$status" -ne 0 ]
	! grep -q "see throughput" <<<"$output" || return 1
}

# ---- signals that are not for the main process ---------------------------------------------------------------

@test "SIGTERM to a child: fio stops the run, and does not call it a success" {
	FAULTS='write:*::slow=10'
	job "write read" size=16m
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.1" ]
	kill -TERM "$(child_with 1)"
	fio_ends
	status=$STATUS
	show
	[[ $status -ne 0 && $status -ne 124 ]]
	log_is_sound
	[ "$(cells end write)" = "interrupted interrupted interrupted" ]
	[ -z "$(shared_memory_of_run)" ]
	report_is_interrupted "initial writers"
}

@test "a child is stopped and goes on later: that is no fault" {
	FAULTS='write:*::slow=20'
	job write
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.1" ]
	victim=$(child_with 1)
	kill -STOP "$victim"
	sleep 0.5
	kill -CONT "$victim"
	fio_ends
	show
	[ "$STATUS" = 0 ]
	log_is_sound
}

@test "SIGHUP: the terminal is gone, and so are the children" {
	FAULTS='write:*::slow=10'
	job write size=16m
	fio_starts
	until_true [ -s "$DIR/iozone.DUMMY.2" ]
	kill -HUP "$MAIN"
	wait "$MAIN" || true
	until_true nobody_left
	log_is_sound
	[ "$(cells end)" = "interrupted interrupted interrupted" ]
	[ -z "$(shared_memory_of_run)" ]
}

nobody_left()
{
	! leftovers >/dev/null
}
