#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# The engine's loops and options, each once and small: what "make check-asan"
# and "make check-valgrind" run the engine through.  A checker's word on
# standard error, or its exit status, fails the test.

setup()
{
	top=$BATS_TEST_DIRNAME/../..
	: "${BUILD:=$top/build}" "${FIO:=fio}"
	cd "$BATS_TEST_TMPDIR"
	mkdir data
}

# All tests there are, from the table that the engine reads.
all_tests()
{
	sed -n 's/^\tIOZONE_TEST([A-Z_]*, "\([a-z_]*\)".*/\1/p' "$top/include/iozone_tests.h"
}

# run_tests "TEST..." [OPTION...]: two children, 16 records and a bit.
run_tests()
{
	local test

	{
		printf '%s\n' '[global]' "ioengine=external:$BUILD/fio-iozone.so" directory=data \
			'filename_format=iozone.DUMMY.$jobnum' numjobs=2 size=66k bs=16k \
			iozone_record=4k iozone_log=log.csv iozone_settle=0 "${@:2}"
		for test in $1; do
			printf '%s\n' "[$test]" stonewall "iozone_test=$test"
		done
	} >job.fio
	"$FIO" --output-format=json --output=fio.json job.fio >said 2>&1 || {
		echo "fio: exit status $?"
		cat job.fio said
		return 1
	}
	cat said
	[ ! -s said ]
	[ "$(wc -l <log.csv)" -eq $((1 + 2 * $(wc -w <<<"$1"))) ]
	! grep -q '"failed"' log.csv
}

@test "all tests, processes" {
	[ "$(all_tests | wc -l)" -eq 13 ]
	run_tests "$(all_tests)"
}

@test "all tests, threads" {
	run_tests "$(all_tests)" thread=1
}

@test "all tests, no stonewalling, -e -c" {
	run_tests "$(all_tests)" iozone_stonewall=0 iozone_flush=1 iozone_close=1
}

# What reads data back checks what has been written before.
@test "patterns of the data: -V, -+d, deduplication" {
	run_tests "write rewrite read reread random_read" iozone_verify=85
	run_tests "write rewrite read reread random_read" iozone_verify_bytes=1
	run_tests "write rewrite read" iozone_dedup=30 iozone_dedup_within=40
	run_tests "write rewrite read" iozone_dedup_between=50
}

@test "mapped files, with each kind of msync" {
	for msync in none async sync; do
		run_tests "write rewrite read reread random_read random_write" iozone_mmap=1 \
			iozone_msync=$msync
	done
}

@test "POSIX asynchronous I/O, with and without copying" {
	run_tests "write rewrite read reread" iozone_async=4
	run_tests "write rewrite read reread" iozone_async=4 iozone_async_nocopy=1
}

@test "locks, computing, purging, many buffers, a rate" {
	run_tests "write rewrite read reread" iozone_lock=1
	run_tests "write rewrite read reread" iozone_record_lock=1
	run_tests "write read" iozone_compute=1 iozone_compute_counts=1
	run_tests "write read" iozone_purge=1 iozone_cache_size=64k iozone_cache_line=64
	run_tests "write read" iozone_multi_buffer=1
	run_tests "write read" iozone_op_rate=1000 iozone_start_delay=5
}

@test "logs of latencies and their histogram" {
	mkdir latencies histogram
	run_tests "write rewrite read reread" iozone_latency_log=latencies
	run_tests "write rewrite read reread" iozone_histogram=histogram
}

@test "the report of all tests" {
	run_tests "$(all_tests)"
	"$BUILD/fio2iozone" fio.json >report
	[ "$(grep -c 'Children see throughput for ' report)" -eq 13 ]
}
