#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# The engine's options from the outside: what they leave in the run log and in
# files of their own, and what is refused.

load beside_iozone.bash

setup_file()
{
	bats_require_minimum_version 1.5.0
	beside_setup_file
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return 1
}

# run_tests TESTS LINE...: four children of four records each, unless lines say otherwise.
run_tests()
{
	local tests=$1

	shift
	write_job job "$tests" numjobs=4 size=64k bs=64k iozone_record=16k iozone_log=log "$@"
	"$FIO" job >out 2>&1 </dev/null
}

# column NAME [TEST]: a column of the run log, sorted by child; no cell here has a comma in it.
column()
{
	tr -d '"' <log | awk -F, -v name="$1" -v test="${2:-}" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	test == "" || $at["test"] == test { print $at["child"], $at[name] }' | sort -n | cut -d' ' -f2-
}

@test "-V: a byte changed on disk is found in every test that reads, and named" {
	for test in read reread reverse_read stride_read random_read pread fread; do
		rm -f log
		run_tests write iozone_verify=7 iozone_record=4k
		printf X | dd of=iozone.DUMMY.2 bs=1 seek=33333 conv=notrunc 2>/dev/null
		run ! run_tests "$test" iozone_verify=7 iozone_record=4k iozone_stride=1 iozone_stonewall=0
		grep -F "fio-iozone: $test: child 2 of 4: ./iozone.DUMMY.2: verify at offset 33333: found 0x58, expected 0x07" out
		[ "$(grep -c "^fio-iozone: " out)" -eq 1 ]
		[ "$(column end "$test" | tr '\n' ' ')" = "finished finished failed finished " ]
		# EILSEQ
		[ "$(column error "$test" | tr '\n' ' ')" = "0 0 84 0 " ]
		[ "$(column error_offset "$test" | tr '\n' ' ')" = "0 0 33333 0 " ]
	done
}

@test "-+d: the data of another child is found" {
	run_tests write iozone_verify_bytes=1
	run_tests read iozone_verify_bytes=1 iozone_stonewall=0
	cp iozone.DUMMY.3 iozone.DUMMY.1
	run ! run_tests read iozone_verify_bytes=1 iozone_stonewall=0
	grep -F "child 1 of 4: ./iozone.DUMMY.1: verify at offset 0: found" out
}

@test "iozone's own check: a mark at the start of a page is looked at, the rest is not" {
	run_tests "write read" iozone_check=1
	printf X | dd of=iozone.DUMMY.0 bs=1 seek=$((4096 + 8)) conv=notrunc 2>/dev/null
	run_tests read iozone_check=1 iozone_stonewall=0
	printf X | dd of=iozone.DUMMY.0 bs=1 seek=$((4096 + 7)) conv=notrunc 2>/dev/null
	run_tests read
	run ! run_tests read iozone_check=1 iozone_stonewall=0
	grep -F "child 0 of 4: ./iozone.DUMMY.0: verify at offset 4103: found 0x58, expected 0x5f" out
}

@test "what does not go together is refused, and no file is touched" {
	while IFS='|' read -r tests lines reason; do
		# shellcheck disable=SC2086 # words
		! run_tests "$tests" $lines || { echo "not refused: $tests $lines"; return 1; }
		grep -F "fio-iozone: job $tests: " out
		grep -F "$reason" out
		[ "$(find . -name 'iozone.DUMMY*')" = "" ]
	done <<-'END'
		write|iozone_same_record=1|iozone_same_record is for rewrite
		write|iozone_mmap=1 iozone_async=2|iozone_mmap does not go with iozone_async
		fwrite|iozone_mmap=1|stdio neither maps
		fread|iozone_async=2|stdio neither maps
		write|iozone_async_nocopy=1|iozone_async_nocopy wants iozone_async
		write|iozone_dedup=50 iozone_verify=7|iozone_dedup's data cannot be checked
		write|iozone_dedup=50 iozone_verify_bytes=1|iozone_dedup's data cannot be checked
		fwrite|iozone_multi_buffer=1 iozone_verify=7|iozone_multi_buffer writes zeros
		pwrite|iozone_write_telemetry=/dev/null|telemetry is for
		write|iozone_write_telemetry=/dev/null|/dev/null: no records in it
		write|iozone_write_telemetry=nowhere|nowhere: No such file or directory
		write|iozone_write_telemetry=x iozone_jitter=1|telemetry does not go with iozone_jitter
		read|iozone_read_telemetry=x iozone_mmap=1|telemetry goes with neither iozone_mmap
	END
}

@test "values out of range are refused" {
	for line in iozone_verify=256 iozone_dedup=101 iozone_dedup_within=101 iozone_msync=often \
		iozone_madvise=5 iozone_stride=0 iozone_async=65 iozone_async=-1 iozone_first_cpu=-1 \
		iozone_verify=-1 iozone_dedup=-1 iozone_compute=x iozone_compute=-1 iozone_op_rate=-1 \
		iozone_cache_size=1 iozone_cache_size=-1 iozone_cache_line=0; do
		! run_tests write "$line" || { echo "not refused: $line"; return 1; }
	done
}

# ---- iozone's own files ---------------------------------------------------------------

# All but the latencies.
offsets_and_sizes()
{
	local file

	for file in "$1"/Child_*.dat; do
		echo "${file##*/}"
		sed -E 's/^( *[0-9]+ ) *-?[0-9]+ /\1 * /' "$file"
	done
}

@test "-Q: the same files as iozone's, latencies aside" {
	have_iozone || skip "iozone is not there"
	mkdir theirs ours
	(cd theirs && hurried iozone -t 4 -x -s 64k -r 16k -Q >../theirs.log)
	run_tests "$ALL_TESTS" iozone_latency_log=ours iozone_stonewall=0
	[ "$(find ours -type f | wc -l)" -eq 48 ]
	diff <(offsets_and_sizes theirs) <(offsets_and_sizes ours)
	# They are added to, not written anew.
	run_tests write iozone_latency_log=ours iozone_stonewall=0
	[ "$(wc -l <ours/Child_3_wol.dat)" -eq 10 ]
}

# Counts are summed up: a line a test.
histogram_totals()
{
	sed -E ':next; s/(us|ms|s):[0-9]+ */\1:* /; t next' "$1" | grep -v '^Child'
	awk '/^Child/ { if (op) print op, sum; op = $0; sum = 0; next }
	{ n = split($0, part, ":"); for (i = 3; i <= n; i++) sum += part[i] + 0 }
	END { print op, sum }' "$1"
}

@test "-+z: the same histograms as iozone's, and every record in them" {
	have_iozone || skip "iozone is not there"
	mkdir theirs ours
	(cd theirs && hurried iozone -t 2 -x -s 64k -r 16k -+z >../theirs.log)
	run_tests "$ALL_TESTS" iozone_histogram=ours numjobs=2 iozone_stonewall=0
	for child in 0 1; do
		name=Iozone_histogram_child_$child.txt
		diff <(histogram_totals "theirs/$name") <(histogram_totals "ours/$name")
		[ "$(histogram_totals "ours/$name" | grep -c '^Child.* 4$')" -eq 13 ]
	done
}

@test "a directory for files that is not there" {
	run ! run_tests write iozone_latency_log=nowhere
	grep -F "nowhere/Child_0_wol.dat" out
	run ! run_tests write iozone_histogram=nowhere
	grep -F "nowhere/Iozone_histogram_child_0.txt" out
}

# ---- time -----------------------------------------------------------------------------

@test "-J: computing is left out of the time, with -+J it is not" {
	run_tests write iozone_compute=20 iozone_stonewall=0 numjobs=2
	for excluded in $(column excluded_ns); do
		[ "$excluded" -ge 80000000 ]
	done
	paste <(column start_ns) <(column stop_ns) <(column excluded_ns) |
		awk '{ if ($2 - $1 < $3) exit 1 }'
	rm log
	run_tests write iozone_compute=20 iozone_compute_counts=1 iozone_stonewall=0 numjobs=2
	[ "$(column excluded_ns | sort -u)" = 0 ]
	paste <(column start_ns) <(column stop_ns) | awk '{ if ($2 - $1 < 80000000) exit 1 }'
}

@test "-d: children start one after the other, and the parent's time begins with the last" {
	for test in write read; do
		rm -f log
		run_tests "$test" iozone_start_delay=50000 iozone_stonewall=0
		paste <(column release_ns) <(column start_ns) | awk -v test="$test" '
		{
			# The release is that of the last child: four times 50 ms after the first.
			late = $2 - ($1 - 200e6)
			wanted = (NR - (test == "read")) * 50e6
			if (late < wanted || late > wanted + 45e6) {
				print test ": child " NR - 1 " was " late " ns late"
				exit 1
			}
		}'
	done
}

@test "-+O: no more records a second than that" {
	run_tests write iozone_op_rate=50 iozone_stonewall=0
	paste <(column start_ns) <(column stop_ns) | awk '{ if ($2 - $1 < 80e6) exit 1 }'
}

@test "a child that computes for hours ends when it is told to" {
	write_job job "write read" numjobs=4 size=64k bs=64k iozone_record=16k iozone_log=log \
		iozone_compute=3600000
	"$FIO" job >out 2>&1 </dev/null 3>&- &
	sleep 2
	kill -INT $!
	began=$SECONDS
	wait $! || :
	[ $((SECONDS - began)) -lt 10 ]
	[ "$(column end write | sort -u)" = interrupted ]
}

# ---- files ------------------------------------------------------------------------------

@test "-+L: all children have one file, and lock what they do there" {
	run_tests "write rewrite read random_read random_write" filename=iozone.DUMMY.0 \
		iozone_share_file=1 iozone_record_lock=1 iozone_verify_bytes=1 \
		iozone_stonewall=0
	[ "$(find . -name 'iozone.DUMMY*')" = ./iozone.DUMMY.0 ]
	[ "$(column end | sort | uniq -c | tr -s ' ')" = " 20 finished" ]
}

@test "-+L: without locks too" {
	run_tests "write read" filename=iozone.DUMMY.0 iozone_share_file=1
	[ "$(column children | sort -u)" = 4 ]
}

@test "-X: bytes are those of the list" {
	printf '0 16384\n32768 16384 2\n16384 8192\n40000 1000 1\n' >list
	run_tests "write read" iozone_write_telemetry=list iozone_read_telemetry=list \
		iozone_stonewall=0
	[ "$(column bytes | sort -u)" = 41960 ]
	[ "$(column records | sort -u)" = 4 ]
	[ "$(stat -c %s iozone.DUMMY.0)" -eq 49152 ]
	# Two of the records say how long to compute.
	for excluded in $(column excluded_ns); do
		[ "$excluded" -ge 3000000 ]
	done
}

@test "a child's number is that of its file" {
	run_tests "write mixed" iozone_stonewall=0
	[ "$(column file mixed | tr '\n' ' ')" = \
		"./iozone.DUMMY.0 ./iozone.DUMMY.1 ./iozone.DUMMY.2 ./iozone.DUMMY.3 " ]
}

@test "the record rewrite of auto mode: the first record over and over" {
	[ -z "${FIO_IOZONE_CHECKER:-}" ] || skip "strace sees the checker too"
	write_job job "write rewrite" size=64k bs=64k iozone_record=16k iozone_same_record=0
	sed -i 's/iozone_test=rewrite/&\niozone_same_record=1/' job
	strace -f -y -s 0 -e trace=openat,write,lseek -o calls "$FIO" job >out 2>&1 </dev/null
	"$ROOT/tests/e2e/child-calls" calls | tail -n 8 >ours
	for _ in 1 2 3 4; do
		printf '\twrite(FD, BUF, 16384) = 16384\n\tlseek(FD, 0, SEEK_SET) = 0\n'
	done | diff - ours
}

@test "docs/engine.md and fio --enghelp name the same options" {
	"$FIO" --enghelp="$BUILD/fio-iozone.so" | sed -n 's/^\(iozone_[a-z_]*\) .*/\1/p' | sort >engine
	[ -s engine ]
	sed -n 's/^| `\(iozone_[a-z_]*\)` .*/\1/p' "$ROOT/docs/engine.md" | sort | diff engine -
}
