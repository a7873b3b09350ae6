#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# What each child asks of the kernel for its file, call by call: fio with the
# engine against the real iozone, all tests, option by option.  One process;
# then four with -x, so that the order in each child is still fixed.  Then two
# of which one is slow, to see what a child does when it is told to stop.
#
# Where iozone is not to be had, the lists in fixtures/iozone-calls serve for
# one process.  RECORD=1 writes them anew, from the real iozone.

load beside_iozone.bash

# Mappings and POSIX AIO are not for stdio.
DESCRIPTOR_TESTS=${ALL_TESTS% fwrite*}
DESCRIPTOR_FLAGS="-i 0 -i 1 -i 2 -i 3 -i 5 -i 8 -i 9 -i 10"
# iozone's own check fails when it reads what it has written with -m.
UNREAD_TESTS=${ALL_TESTS% *}
UNREAD_FLAGS="$DESCRIPTOR_FLAGS -i 6"

# Calls that can touch a file or its pages, or make or bind a thread.  Not every machine has all.
TRACED="?open,?openat,?creat,close,?read,?readv,?pread64,?preadv,?preadv2,?write,?writev,?pwrite64"
TRACED+=",?pwritev,?pwritev2,lseek,fsync,fdatasync,?sync_file_range,ftruncate,?truncate,?fallocate"
TRACED+=",?fadvise64,fcntl,?flock,?readahead,?sendfile,?copy_file_range,mmap,munmap,?mremap,msync"
TRACED+=",madvise,?io_submit,?io_uring_enter,?fork,?vfork,clone,?clone3,sched_setaffinity"
export TRACED

# NAME|iozone's options|the job's lines|all, descriptor or unread tests|size|record
cases()
{
	cat <<-'END'
		default|||all|64k|16k
		e|-e|iozone_flush=1|all|64k|16k
		c|-c|iozone_close=1|all|64k|16k
		ec|-e -c|iozone_flush=1 iozone_close=1|all|64k|16k
		I|-I|direct=1|all|64k|16k
		o|-o|sync=sync|all|64k|16k
		plusD|-+D|sync=dsync|all|64k|16k
		plusr|-+r|sync=sync|all|64k|16k
		r12|||all|100k|12k
		j2|-j 2|iozone_stride=2|all|80k|16k
		j5|-j 5|iozone_stride=5|all|272k|16k
		W|-W|iozone_lock=1|all|64k|16k
		Wec|-W -e -c|iozone_lock=1 iozone_flush=1 iozone_close=1|all|64k|16k
		plusl|-+l|iozone_record_lock=1|all|64k|16k
		K|-K|iozone_jitter=1|all|1632k|16k
		KI|-K -I|iozone_jitter=1 direct=1|all|64k|16k
		Q|-Q|iozone_latency_log=.|all|64k|16k
		plusz|-+z|iozone_histogram=.|all|64k|16k
		plusO|-+O 1000|iozone_op_rate=1000|all|64k|16k
		QzOWl|-Q -+z -+O 1000 -W -+l|iozone_latency_log=. iozone_histogram=. iozone_op_rate=1000 iozone_lock=1 iozone_record_lock=1|all|64k|16k
		V|-V 7|iozone_verify=7|all|64k|16k
		plusd|-+d|iozone_verify_bytes=1|all|64k|16k
		plusw|-+w 50|iozone_dedup=50|all|64k|16k
		J|-J 1|iozone_compute=1|all|64k|16k
		p|-p|iozone_purge=1|all|64k|16k
		m|-m|iozone_multi_buffer=1|unread|64k|16k
		P|-P 0|iozone_first_cpu=0|all|64k|16k
		plusN|-+N|iozone_recreate=0|all|64k|16k
		plusB|-+B|iozone_mix_sequential=1|all|64k|16k
		plusBF|-+B -+F|iozone_mix_sequential=1 iozone_truncate=1|all|64k|16k
		plusp|-+p 75|iozone_mix_read=75|all|64k|16k
		B|-B|iozone_mmap=1|descriptor|64k|16k
		Br6|-B -D|iozone_mmap=1 iozone_msync=async|descriptor|64k|6k
		D|-D|iozone_mmap=1 iozone_msync=async|descriptor|64k|16k
		BG|-B -G|iozone_mmap=1 iozone_msync=sync|descriptor|64k|16k
		DG|-D -G|iozone_mmap=1 iozone_msync=both|descriptor|64k|16k
		G|-G|iozone_msync=sync|descriptor|64k|16k
		Be|-B -e|iozone_mmap=1 iozone_flush=1|descriptor|64k|16k
		Bc|-B -c|iozone_mmap=1 iozone_close=1|descriptor|64k|16k
		Bec|-B -e -c|iozone_mmap=1 iozone_flush=1 iozone_close=1|descriptor|64k|16k
		BI|-B -I|iozone_mmap=1 direct=1|descriptor|64k|16k
		BplusA|-B -+A 1|iozone_mmap=1 iozone_madvise=1|descriptor|64k|16k
		BWlQK|-B -W -+l -Q -K|iozone_mmap=1 iozone_lock=1 iozone_record_lock=1 iozone_latency_log=. iozone_jitter=1|descriptor|64k|16k
		H|-H 4|iozone_async=4|descriptor|160k|16k
		H1|-H 1|iozone_async=1|descriptor|64k|16k
		k|-k 4|iozone_async=4 iozone_async_nocopy=1|descriptor|160k|16k
		Hec|-H 4 -e -c|iozone_async=4 iozone_flush=1 iozone_close=1|descriptor|64k|16k
		HI|-H 4 -I|iozone_async=4 direct=1|descriptor|64k|16k
		Hj3|-H 4 -j 3|iozone_async=4 iozone_stride=3|descriptor|256k|16k
		HWl|-H 4 -W -+l|iozone_async=4 iozone_lock=1 iozone_record_lock=1|descriptor|64k|16k
		X|-X|telemetry|telemetry|0|0
	END
}

# Two children, the second of which is slow: what it does when it is told to stop.
stopped_cases()
{
	cat <<-'END'
		default||
		e|-e|iozone_flush=1
		c|-c|iozone_close=1
		ec|-e -c|iozone_flush=1 iozone_close=1
		WlJQ|-W -+l -J 1 -Q|iozone_lock=1 iozone_record_lock=1 iozone_compute=1 iozone_latency_log=.
	END
}

# The list of a program's calls goes to OUT, its output to OUT.log.
# traced OUT COMMAND...
traced()
{
	local out=$1 status=0

	shift
	timeout 200 strace -f --seccomp-bpf -y -s 0 -e trace="$TRACED" -o "$out.strace" "$@" \
		>"$out.log" 2>&1 </dev/null || status=$?
	"$ROOT/tests/e2e/child-calls" "$out.strace" >"$out"
	rm -f "$out.strace"
	echo "exit status $status" >>"$out.log"
	return $status
}

trace_iozone()
{
	local out=$1

	shift
	have_iozone && [ -z "${FIO_IOZONE_CHECKER:-}" ] || return 0
	traced "$out" env LD_PRELOAD="$SHIM${EXTRA_SHIM:+:$EXTRA_SHIM}" iozone "$@"
}

trace_fio()
{
	local out=$1 job=$2

	if [ -n "${FIO_IOZONE_CHECKER:-}" ]; then
		"$FIO" "$job" >"$out.log" 2>&1 </dev/null
		echo "exit status $?" >>"$out.log"
	else
		traced "$out" env LD_PRELOAD="${EXTRA_SHIM:-}" "$FIO" "$job"
	fi
}

# run_case NAME OPTIONS LINES TESTS SIZE RECORD CHILDREN [-T]
run_case()
{
	local name=$1 options=$2 lines=$3 kind=$4 size=$5 record=$6 children=$7 threads=${8:-}
	local here=$BATS_FILE_TMPDIR/$name.$children$threads tests=$ALL_TESTS flags=

	case $kind in
	descriptor) tests=$DESCRIPTOR_TESTS flags=$DESCRIPTOR_FLAGS ;;
	unread) tests=$UNREAD_TESTS flags=$UNREAD_FLAGS ;;
	esac
	mkdir -p "$here/iozone" "$here/fio"
	flags="$flags $options -s $size -r $record"
	lines="$lines size=$size bs=$record iozone_record=$record"
	if [ "$kind" = telemetry ]; then
		printf '# a comment\n\n0 16384\n32768 16384 2\n16384 8192\n40000 1000 1\n' >"$here/list"
		tests="write rewrite read reread mixed"
		flags="-X $here/list -Y $here/list -i 0 -i 1 -i 8 -+B"
		lines="iozone_mix_sequential=1 size=64k bs=64k"
		lines+=" iozone_write_telemetry=$here/list iozone_read_telemetry=$here/list"
	fi
	[ "$children" = 1 ] || { flags+=" -x" lines+=" iozone_stonewall=0"; }
	[ -z "$threads" ] || lines+=" thread=1"
	# shellcheck disable=SC2086 # words
	write_job "$here/job" "$tests" numjobs=$children $lines
	cd "$here/iozone" || return 1
	# shellcheck disable=SC2086
	trace_iozone "$here/theirs" -t "$children" $threads $flags || return 0
	cd "$here/fio" && trace_fio "$here/ours" "$here/job"
}

# run_stopped NAME OPTIONS LINES
run_stopped()
{
	local here=$MEMORY/stopped.$1

	mkdir -p "$here/iozone" "$here/fio"
	# shellcheck disable=SC2086
	write_job "$here/job" "$ALL_TESTS" numjobs=2 size=64k bs=16k iozone_record=16k $3
	# The first child gives the second one time to begin, and is done long before it.
	export FAULTS="write:*DUMMY.0::slow=30 read:*DUMMY.0::slow=30"
	export FAULTS="$FAULTS write:*DUMMY.1::slow=500 read:*DUMMY.1::slow=500"
	export EXTRA_SHIM=$FAULT_SHIM
	cd "$here/iozone" || return 1
	# shellcheck disable=SC2086
	trace_iozone "$here/theirs" -t 2 -s 64k -r 16k $2 || return 0
	cd "$here/fio" && trace_fio "$here/ours" "$here/job"
}

# With a checker fio is slow: these have each option once.
CHECKED="default ec KI QzOWl V plusd plusw J p m P plusN plusBF BWlQK BplusA DG H k X"

run_checked()
{
	while IFS='|' read -r name options lines kind size record; do
		[[ " $CHECKED " = *" $name "* ]] || continue
		printf '%s\0' "$name" "$options" "$lines" "$kind" "$size" "$record"
	done < <(cases) | xargs -0 -n 6 -P $((4 * $(nproc))) bash -c 'run_case "$@" 4' run
}

# Most of the time fio and iozone wait: many cases fit beside each other.
run_all()
{
	local most=$((4 * $(nproc)))

	{
		while IFS='|' read -r name options lines; do
			printf '%s\0' run_stopped "$name" "$options" "$lines" '' '' '' '' ''
		done < <(stopped_cases)
		while IFS='|' read -r name options lines kind size record; do
			for children in 1 4; do
				printf '%s\0' run_case "$name" "$options" "$lines" "$kind" "$size" \
					"$record" "$children" ''
			done
		done < <(cases)
		printf '%s\0' run_case default '' '' all 64k 16k 4 -T
		printf '%s\0' run_case W -W iozone_lock=1 all 64k 16k 4 -T
		printf '%s\0' run_case B -B iozone_mmap=1 descriptor 64k 16k 4 -T
	} | xargs -0 -n 9 -P "$most" bash -c '"$@"' run
}

setup_file()
{
	bats_require_minimum_version 1.5.0
	beside_setup_file
	command -v strace >/dev/null || skip "strace is not there"
	# Where an fsync takes no time, if there is such a place.
	MEMORY=$(mktemp -d -p /dev/shm iozone.XXXXXX) || MEMORY=$BATS_FILE_TMPDIR
	export MEMORY
	cd "$BATS_FILE_TMPDIR" || return 1
	export -f run_case run_stopped traced trace_iozone trace_fio have_iozone write_job
	export ALL_TESTS DESCRIPTOR_TESTS DESCRIPTOR_FLAGS UNREAD_TESTS UNREAD_FLAGS
	if [ -n "${FIO_IOZONE_CHECKER:-}" ]; then
		run_checked 3>&-
	else
		run_all 3>&-
	fi
}

teardown_file()
{
	[ "$MEMORY" = "$BATS_FILE_TMPDIR" ] || rm -rf "$MEMORY"
}

setup()
{
	FIXTURES=$ROOT/tests/fixtures/iozone-calls
}

# compare THEIRS HERE
compare()
{
	[ -s "$1" ] || { echo "no calls of iozone's" >&2; tail "$2/theirs.log" >&2; return 1; }
	diff "$1" "$2/ours" >&2 || { tail -n 3 "$2/ours.log" >&2; return 1; }
}

# same_calls NAME: one process, then four.
same_calls()
{
	local one=$BATS_FILE_TMPDIR/$1.1 four=$BATS_FILE_TMPDIR/$1.4 recorded=$FIXTURES/$1

	if [ -n "${FIO_IOZONE_CHECKER:-}" ]; then
		[[ " $CHECKED " = *" $1 "* ]] || skip "strace sees the checker too"
		tail -n 20 "$four/ours.log"
		[ "$(tail -n 1 "$four/ours.log")" = "exit status 0" ]
		return
	fi
	if have_iozone; then
		[ -z "${RECORD:-}" ] || { mkdir -p "$FIXTURES" && cp "$one/theirs" "$recorded"; }
		echo "the recorded list against the real iozone:"
		diff "$recorded" "$one/theirs"
		echo "four processes:"
		compare "$four/theirs" "$four"
	fi
	echo "one process:"
	compare "$recorded" "$one"
}

same_calls_direct()
{
	cd "$BATS_TEST_TMPDIR" && have_direct || skip "no O_DIRECT on this file system"
	same_calls "$1"
}

same_calls_in_threads()
{
	local here=$BATS_FILE_TMPDIR/$1.4-T

	[ -z "${FIO_IOZONE_CHECKER:-}" ] || skip "strace sees the checker too"
	have_iozone || skip "iozone is not there"
	compare "$here/theirs" "$here"
}

same_calls_when_stopped()
{
	local here=$MEMORY/stopped.$1

	[ -z "${FIO_IOZONE_CHECKER:-}" ] || skip "strace sees the checker too"
	have_iozone || skip "iozone is not there"
	compare "$here/theirs" "$here"
}

@test "all tests, no options" {
	same_calls default
}

@test "-e: fsync in the clock" {
	same_calls e
}

@test "-c: close in the clock" {
	same_calls c
}

@test "-e -c: both" {
	same_calls ec
}

@test "-I: O_DIRECT" {
	same_calls_direct I
}

@test "-o: O_SYNC" {
	same_calls o
}

@test "-+D: O_DSYNC" {
	same_calls plusD
}

@test "-+r: O_RSYNC" {
	same_calls plusr
}

@test "a record that does not divide the size" {
	same_calls r12
}

@test "-j 2: stride of two records" {
	same_calls j2
}

@test "-j 5: stride of five records" {
	same_calls j5
}

@test "-W: locked files" {
	same_calls W
}

@test "-W -e -c: locked files, fsync and close" {
	same_calls Wec
}

@test "-+l: locked records" {
	same_calls plusl
}

@test "-K: disrupted reading, more than a hundred records" {
	same_calls K
}

@test "-K -I: disrupted reading with O_DIRECT" {
	same_calls_direct KI
}

@test "-Q: offset and latency files" {
	same_calls Q
}

@test "-+z: histogram" {
	same_calls plusz
}

@test "-+O: limited rate" {
	same_calls plusO
}

@test "-Q -+z -+O -W -+l: all that asks where the file stands" {
	same_calls QzOWl
}

@test "-V: checked data" {
	same_calls V
}

@test "-+d: checked data that differs" {
	same_calls plusd
}

@test "-+w: data for deduplication" {
	same_calls plusw
}

@test "-J: computing" {
	same_calls J
}

@test "-p: purged cache" {
	same_calls p
}

@test "-m: many buffers" {
	same_calls m
}

@test "-P: bound to processors" {
	same_calls P
}

@test "-+N: pwrite into the old file" {
	same_calls plusN
}

@test "-+B: sequential mix" {
	same_calls plusB
}

@test "-+B -+F: sequential mix, truncated" {
	same_calls plusBF
}

@test "-+p: share of readers in the mix" {
	same_calls plusp
}

@test "-B: mapped files" {
	same_calls B
}

@test "-B -D: records that do not begin at pages" {
	same_calls Br6
}

@test "-D: mapped files, asynchronous msync" {
	same_calls D
}

@test "-B -G: mapped files, synchronous msync" {
	same_calls BG
}

@test "-D -G: mapped files, msync of both kinds" {
	same_calls DG
}

@test "-G alone: nothing mapped" {
	same_calls G
}

@test "-B -e: mapped files, msync in the clock" {
	same_calls Be
}

@test "-B -c: mapped files, munmap and close in the clock" {
	same_calls Bc
}

@test "-B -e -c: mapped files, both" {
	same_calls Bec
}

@test "-B -I: mapped files with O_DIRECT" {
	same_calls_direct BI
}

@test "-B -+A: mapped files with advice" {
	same_calls BplusA
}

@test "-B -W -+l -Q -K: mapped files, locks and the rest" {
	same_calls BWlQK
}

@test "-H: POSIX AIO" {
	same_calls H
}

@test "-H 1: POSIX AIO, least depth" {
	same_calls H1
}

@test "-k: POSIX AIO in place" {
	same_calls k
}

@test "-H -e -c: POSIX AIO, fsync and close" {
	same_calls Hec
}

@test "-H -I: POSIX AIO with O_DIRECT" {
	same_calls_direct HI
}

@test "-H -j 3: POSIX AIO reads nothing ahead" {
	same_calls Hj3
}

@test "-H -W -+l: POSIX AIO with locks" {
	same_calls HWl
}

@test "-X -Y: records listed in files" {
	same_calls X
}

@test "-T: threads" {
	same_calls_in_threads default
}

@test "-T -W: threads that lock" {
	same_calls_in_threads W
}

@test "-T -B: threads that map" {
	same_calls_in_threads B
}

@test "a slow child is told to stop" {
	same_calls_when_stopped default
}

@test "a slow child is told to stop, -e" {
	same_calls_when_stopped e
}

@test "a slow child is told to stop, -c" {
	same_calls_when_stopped c
}

@test "a slow child is told to stop, -e -c" {
	same_calls_when_stopped ec
}

@test "a slow child is told to stop, -W -+l -J -Q" {
	same_calls_when_stopped WlJQ
}
