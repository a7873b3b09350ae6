#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# fio2iozone from the outside: real runs whose figures awk works out again from
# the run log, fio's output of many versions, and ways in and out that fail.

bats_require_minimum_version 1.5.0

setup_file()
{
	export BUILD=${BUILD:-$PWD/build} FIO=${FIO:-fio} TZ=UTC
	[ -e "$BUILD/fio-iozone.so" ] || { echo "$BUILD/fio-iozone.so: not built" >&2; return 1; }
}

setup()
{
	CASES=$PWD/tests/cases
	FIXTURES=$PWD/tests/fixtures/fio
	WORK=$BATS_TEST_TMPDIR
	cd "$WORK" || return 1
	PROGRAM=$BUILD/fio2iozone
}

# write_job TESTS [LINE...]: a small job of three children.
write_job()
{
	local tests=$1 test

	shift
	mkdir -p data
	{
		printf '%s\n' "[global]" "ioengine=external:$BUILD/fio-iozone.so" \
			"directory=$WORK/data" "filename_format=iozone.DUMMY.\$jobnum" size=1m bs=256k \
			iozone_record=4k iozone_settle=0 numjobs=3 iozone_log=run.csv "$@"
		for test in $tests; do
			printf '[%s]\nstonewall\niozone_test=%s\n' "$test" "$test"
		done
	} >job.fio
}

run_job()
{
	"$FIO" --output-format=json --output=out.json job.fio </dev/null
}

# The figures of a run log, a line a test: children, Children, Parent, Min,
# Max, Avg, Min xfer.  Not one cell of these logs has a comma or a quote in it.
figures_of_log()
{
	tr -d '"' <"${1:-run.csv}" | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		g = $at["group"] + 0
		kb = $at["bytes"] / 1024
		t = ($at["stop_ns"] - $at["start_ns"] - $at["excluded_ns"]) / 1e9
		if (t < 1e-6) t = 1e-6
		n[g]++; sum[g] += kb / t; all[g] += kb
		if (n[g] == 1 || kb / t < min[g]) min[g] = kb / t
		if (kb / t > max[g]) max[g] = kb / t
		if (n[g] == 1 || kb < xfer[g]) xfer[g] = kb
		release[g] = $at["release_ns"]
		if ($at["done_ns"] > done[g]) done[g] = $at["done_ns"]
		if (g > last) last = g
	}
	END {
		for (g = 0; g <= last; g++)
			printf "%d %.2f %.2f %.2f %.2f %.2f %.2f\n", n[g], sum[g],
			       all[g] / ((done[g] - release[g]) / 1e9), min[g], max[g], sum[g] / n[g],
			       xfer[g]
	}'
}

# The same from a report.
figures_of_report()
{
	awk -F= '
	/Children see/ { n = $1; sub(/.*for +/, "", n); sub(/ .*/, "", n); line = n }
	/throughput|Min xfer/ { split($2, part, " "); line = line " " part[1] }
	/Min xfer/ { print line }' "$1"
}

# Equal but for the last digit, which awk and C may round apart.
same_figures()
{
	paste -d' ' "$1" "$2" | awk '
	{
		if (NF % 2) exit bad = 1
		for (i = 1; i <= NF / 2; i++) {
			d = $i - $(i + NF / 2)
			if (d > 0.0101 || d < -0.0101) { print; exit bad = 1 }
		}
	}
	END { exit bad }' && [ "$(wc -l <"$1")" -eq "$(wc -l <"$2")" ] && [ -s "$1" ]
}

@test "a real run of every test has the figures of its log" {
	write_job "write rewrite read reread reverse_read stride_read random_read mixed random_write pwrite pread fwrite fread"
	run_job
	"$PROGRAM" out.json >report.txt
	figures_of_log >expected
	figures_of_report report.txt >got
	[ "$(wc -l <got)" -eq 13 ]
	same_figures expected got
}

@test "fio's output comes through a pipe" {
	write_job "write read"
	"$FIO" --output-format=json job.fio </dev/null | "$PROGRAM" >report.txt
	figures_of_log >expected
	figures_of_report report.txt >got
	same_figures expected got
}

@test "threads, and a run without stonewall" {
	write_job "write read" thread iozone_stonewall=0
	run_job
	"$PROGRAM" -C out.json >report.txt
	grep -q "Command line used: iozone -x -w -T -t 3 -s 1m -r 4k -i 0 -i 1 -+n -C$" report.txt
	grep -q "Throughput test with 3 threads$" report.txt
	[ "$(grep -c "Child\[[012]\] xfer count =    1024.00 kB" report.txt)" -eq 6 ]
	figures_of_log >expected
	figures_of_report report.txt >got
	same_figures expected got
}

@test "terse output with the log named by hand" {
	write_job "write rewrite"
	"$FIO" --output-format=terse --output=out.terse job.fio </dev/null
	"$PROGRAM" --log run.csv out.terse >report.txt
	figures_of_log >expected
	figures_of_report report.txt >got
	same_figures expected got
}

@test "group_reporting with a run log has all figures" {
	write_job "write read" group_reporting
	run_job
	"$PROGRAM" out.json >report.txt
	figures_of_log >expected
	figures_of_report report.txt >got
	same_figures expected got
}

@test "the log of the next run is not taken for this one's" {
	write_job "write"
	run_job
	mv out.json first.json
	run_job
	run "$PROGRAM" first.json
	[ "$status" -eq 2 ]
	[[ $output == "fio2iozone: run.csv:2: run log of another run: "* ]]
}

@test "two servers on loopback: their children side by side, and no Parent" {
	local port=$((20000 + RANDOM % 20000)) i

	write_job "write read"
	for i in 1 2; do
		mkdir -p host$i/data
		sed "s|$WORK/data|$WORK/host$i/data|; s|run.csv|$WORK/host$i.csv|" job.fio >host$i.fio
		"$FIO" --server=127.0.0.1,$((port + i)) >server$i.log 2>&1 3>&- &
		eval "server$i=$!"
	done
	for i in 1 2; do
		for _ in $(seq 100); do
			(exec 9<>/dev/tcp/127.0.0.1/$((port + i))) 2>/dev/null && break
			sleep 0.1
		done
	done
	"$FIO" --output-format=json --output=out.json --client=127.0.0.1,$((port + 1)) host1.fio \
		--client=127.0.0.1,$((port + 2)) host2.fio </dev/null || failed=1
	# shellcheck disable=SC2154
	kill "$server1" "$server2"
	wait "$server1" "$server2" || true
	[ -z "${failed-}" ]
	"$PROGRAM" -C --log host1.csv --log host2.csv out.json >report.txt
	run ! grep -q "Parent sees" report.txt
	grep -q "Children see throughput for  6 initial writers" report.txt
	grep -q "Children see throughput for  6 readers" report.txt
	[ "$(grep -c "Child\[.*host=127.0.0.1:$((port + 1))$" report.txt)" -eq 6 ]
	[ "$(grep -c "Child\[.*host=127.0.0.1:$((port + 2))$" report.txt)" -eq 6 ]
	# The sum of both logs is the report's.
	for i in 1 2; do
		figures_of_log host$i.csv
	done | awk '{ sum[(NR - 1) % 2] += $2 } END { printf "%.2f\n%.2f\n", sum[0], sum[1] }' >expected
	awk -F= '/Children see/ { split($2, part, " "); print part[1] }' report.txt >got
	same_figures expected got
	run "$PROGRAM" --log host1.csv out.json
	[ "$status" -eq 2 ]
}

# ---- output of many versions of fio ----------------------------------------

# From a table of jobs (name, group, error, bytes and ms of read and write):
# what each group's lines are, or that it failed.
figures_of_jobs()
{
	awk -F'\t' '
	{
		g = $2; n[g]++
		kb = ($4 + $6) / 1024; ms = $5 > $7 ? $5 : $7
		if (!kb || !ms || $3) { bad[g]++; next }
		f = kb / (ms / 1000)
		sum[g] += f; all[g] += kb
		if (!seen[g]++ || f < min[g]) min[g] = f
		if (f > max[g]) max[g] = f
		if (seen[g] == 1 || kb < xfer[g]) xfer[g] = kb
		if (ms > longest[g]) longest[g] = ms
		if (g > last) last = g
	}
	END {
		for (g = 0; g <= last; g++)
			if (bad[g]) print bad[g], n[g]
			else printf "%d %.2f %.2f %.2f %.2f %.2f %.2f\n", n[g], sum[g],
				    all[g] / (longest[g] / 1000), min[g], max[g], sum[g] / n[g], xfer[g]
	}' "$1"
}

figures_or_failures()
{
	awk -F= '
	/Test failed/ { split($0, part, " "); print part[3], part[5]; next }
	/Children see/ { n = $1; sub(/.*for +/, "", n); sub(/ .*/, "", n); line = n }
	/throughput|Min xfer/ { split($2, part, " "); line = line " " part[1] }
	/Min xfer/ { print line }' "$1"
}

@test "every version of fio: the four tests of plain.fio" {
	local jobs file count=0 status

	for jobs in "$FIXTURES"/*/plain.*.jobs "$FIXTURES"/*/json+normal.txt.jobs; do
		file=${jobs%.jobs}
		# Those with job_start have a test of their own.
		if grep -q '"job_start"' "$file"; then
			continue
		fi
		echo "$file"
		status=0
		"$PROGRAM" "$file" >report.txt 2>errors || status=$?
		figures_of_jobs "$jobs" >expected
		figures_or_failures report.txt >got
		same_figures expected got
		if grep -q "Test failed" report.txt; then
			[ "$status" -eq 1 ]
		else
			[ "$status" -eq 0 ]
			[ "$(grep "see throughput" report.txt | sed 's/.*for *[0-9]* //; s/ *\t.*//' | tr '\n' ,)" = \
				"initial writers,rewriters,readers,re-readers," ]
		fi
		grep -q "Parent is worked out from the longest runtime" errors
		count=$((count + 1))
	done
	[ "$count" -ge 40 ]
}

@test "job_start of fio 3.36 and later makes the Parent line" {
	local version

	for version in 3.39 3.42; do
		"$PROGRAM" "$FIXTURES/$version/plain.json" >report.txt 2>errors
		grep -q "Parent is worked out from job_start and runtimes" errors
		awk '
		/"groupid" :/ { g = $3 + 0 }
		/"job_start" :/ { start = $3 + 0 }
		/^ *"read" : {/ || /^ *"write" : {/ { inside = 1 }
		/^ *"trim" : {/ { inside = 0 }
		inside && /"io_bytes" :/ { bytes = $3 + 0 }
		inside && /"runtime" :/ && bytes {
			end = start + $3; all[g] += bytes
			if (!n[g]++ || start < first[g]) first[g] = start
			if (end > last[g]) last[g] = end
			bytes = 0
		}
		END { for (g = 0; g < 4; g++) printf "%.2f\n", all[g] / 1024 / ((last[g] - first[g]) / 1000) }
		' "$FIXTURES/$version/plain.json" >expected
		awk -F= '/Parent sees/ { split($2, part, " "); print part[1] }' report.txt >got
		same_figures expected got
	done
}

@test "two hosts of fio alone: their names, and no sum entry" {
	"$PROGRAM" -C "$FIXTURES/quirks-3.33/client-2hosts.json" >report.txt
	[ "$(grep -c "Children see throughput for  4 " report.txt)" -eq 2 ]
	[ "$(grep -c "Child\[[0-3]\].*host=/run/fio/s[12].sock$" report.txt)" -eq 8 ]
	run ! grep -q "Parent" report.txt
}

@test "an interrupted fio says so, and exit status 1" {
	run --separate-stderr "$PROGRAM" "$FIXTURES/quirks-3.33/json-sigint.json"
	[ "$status" -eq 1 ]
	[[ $output == *"Test interrupted: "* ]]
	# shellcheck disable=SC2154
	[[ $stderr == *"interrupted: fio was told to stop"* ]]
}

# ---- ways out ---------------------------------------------------------------

whole_run()
{
	cp "$CASES/whole-run/out.json" "$CASES/whole-run/run.csv" .
}

@test "-o writes a new file with all of the report" {
	whole_run
	"$PROGRAM" out.json >expected
	(umask 027 && "$PROGRAM" -o report.txt out.json >printed)
	cmp expected report.txt
	[ ! -s printed ]
	[ "$(stat -c %a report.txt)" = 640 ]
	[ "$(ls | wc -l)" -eq 5 ]
}

@test "-o replaces a file, through a link and with its rights kept" {
	whole_run
	echo before >old.txt
	chmod 600 old.txt
	ln -s old.txt link.txt
	"$PROGRAM" -o link.txt out.json
	[ -L link.txt ]
	grep -q "iozone test complete." old.txt
	[ "$(stat -c %a old.txt)" = 600 ]
}

@test "-o leaves the file alone when there is no report" {
	whole_run
	echo before >report.txt
	rm run.csv
	run "$PROGRAM" -o report.txt out.json
	[ "$status" -eq 2 ]
	[ "$(cat report.txt)" = before ]
	[ "$(ls | wc -l)" -eq 2 ]
}

@test "a full disk, a closed output and a reader that left: exit status 2" {
	whole_run
	run "$PROGRAM" -o /dev/full out.json
	[ "$status" -eq 2 ]
	[ "$output" = "fio2iozone: /dev/full: No space left on device" ]
	run bash -c '"$0" out.json >/dev/full' "$PROGRAM"
	[ "$status" -eq 2 ]
	[ "$output" = "fio2iozone: standard output: No space left on device" ]
	run bash -c '"$0" out.json >&-' "$PROGRAM"
	[ "$status" -eq 2 ]
	[ "$output" = "fio2iozone: standard output: Bad file descriptor" ]
	run bash -c '{ "$0" out.json; echo $? >status; } | :; sleep 0.2' "$PROGRAM"
	wait
	# Whether the reader is gone by then is a matter of luck.
	[ "$(cat status)" -eq 0 ] || [[ $output == "fio2iozone: standard output: Broken pipe" ]]
}

@test "a reader that left for certain: exit status 2" {
	whole_run
	mkfifo pipe
	# The report is written when both have it open, and nobody reads.
	run bash -c 'exec 4<>pipe 5>pipe 4<&-; "$0" out.json >&5' "$PROGRAM"
	[ "$status" -eq 2 ]
	[ "$output" = "fio2iozone: standard output: Broken pipe" ]
}

@test "the report is one write" {
	[ -z "${FIO_IOZONE_CHECKER:-}" ] || skip "under a checker"
	whole_run
	strace -f -o trace -e trace=write "$PROGRAM" -C out.json >/dev/null
	[ "$(grep -c 'write(1,' trace)" -eq 1 ]
}

@test "no path of the input is opened for writing" {
	[ -z "${FIO_IOZONE_CHECKER:-}" ] || skip "under a checker"
	whole_run
	strace -f -o trace -e trace=open,openat,creat,unlink,unlinkat,rename,renameat,renameat2 \
		"$PROGRAM" out.json >/dev/null
	run ! grep -E 'O_WRONLY|O_RDWR|O_CREAT|creat\(|unlink|rename' trace
}

@test "a run log that is a FIFO does not make it wait" {
	whole_run
	rm run.csv
	mkfifo run.csv
	run timeout 10 "$PROGRAM" out.json
	[ "$status" -eq 2 ]
	[[ $output == *"not a regular file"* ]]
	# Named by hand it may be one.
	rm run.csv
	run bash -c '"$0" --log <(cat "$1") out.json' "$PROGRAM" "$CASES/whole-run/run.csv"
	[ "$status" -eq 0 ]
}

@test "help and version" {
	run "$PROGRAM" --help
	[ "$status" -eq 0 ]
	[[ $output == "usage: fio2iozone "* ]]
	run "$PROGRAM" --version
	[ "$status" -eq 0 ]
	[[ $output == "fio2iozone "[0-9]* ]]
	run bash -c '"$0" --help >/dev/full' "$PROGRAM"
	[ "$status" -eq 2 ]
}

@test "-+u and --cpu are the same, whatever stands behind them" {
	whole_run
	"$PROGRAM" -+u out.json >a
	"$PROGRAM" --cpu out.json >b
	cmp a b
	grep -q "CPU Utilization: " a
	"$PROGRAM" out.json -+u >c
	cmp a c
	cp out.json -- -+u
	"$PROGRAM" -- -+u >d
	run ! grep -q "CPU" d
}

@test "formats: CSV and JSON say the same as the text" {
	whole_run
	"$PROGRAM" out.json >report.txt
	"$PROGRAM" --format csv out.json >report.csv
	"$PROGRAM" --format json out.json >report.json
	figures_of_report report.txt >expected
	awk -F, '
	NR == 1 { gsub(/"/, ""); for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "\"test\"" {
		print $at["children"], $at["children_see_KiB_per_s"], $at["parent_sees_KiB_per_s"],
		      $at["min_KiB_per_s"], $at["max_KiB_per_s"], $at["avg_KiB_per_s"],
		      $at["min_transferred_KiB"]
	}' report.csv >from_csv
	same_figures expected from_csv
	perl -MJSON::PP -e '
	local $/; my $report = decode_json(<>);
	for my $test (@{$report->{tests}}) {
		print join(" ", map { $test->{$_} } qw(children children_see_KiB_per_s
			parent_sees_KiB_per_s min_KiB_per_s max_KiB_per_s avg_KiB_per_s
			min_transferred_KiB)), "\n";
	}' report.json >from_json
	same_figures expected from_json
}

# ---- size ---------------------------------------------------------------------

@test "4096 children of a test" {
	local limit=60

	whole_run
	awk 'BEGIN {
		printf "{\"fio version\":\"fio-3.33\",\"global options\":{\"iozone_log\":\"big.csv\"},\"jobs\":["
		for (i = 0; i < 4096; i++)
			printf "%s{\"jobname\":\"w\",\"groupid\":0,\"error\":0,\"job options\":{\"iozone_run\":\"00c0ffee00c0ffee\"},\"write\":{\"io_bytes\":4194304,\"runtime\":1000}}",
			       i ? "," : ""
		print "]}"
	}' >big.json
	awk -F, -v OFS=, 'NR == 1 { print } NR == 2 {
		for (i = 0; i < 4096; i++) { $9 = i; $10 = 4096; $13 = "\"/mnt/iozone.DUMMY." i "\""; print }
	}' run.csv >big.csv
	[ -n "${FIO_IOZONE_CHECKER:-}" ] || { limit=5; ulimit -v 65536; }
	timeout "$limit" "$PROGRAM" -C big.json >report.txt
	grep -q "Children see throughput for 4096 initial writers 	= 16777216.00 kB/sec" report.txt
	[ "$(grep -c "Child\[" report.txt)" -eq 4096 ]
}

@test "-o over fio's output or the run log: refused, both stay as they are" {
	write_job write
	run_job
	cp out.json kept.json
	cp run.csv kept.csv
	for source in out.json run.csv ./out.json; do
		run --separate-stderr "$PROGRAM" -o "$source" out.json
		[ "$status" -eq 2 ]
		[[ "$stderr" = *"$source: the report is made from this file"* ]]
	done
	cmp out.json kept.json
	cmp run.csv kept.csv
}

@test "a stock write job that also read, as verify= does: no figure of the sum" {
	"$FIO" --name=w --directory="$WORK" --size=1m --bs=64k --rw=write --verify=crc32c --ioengine=psync \
		--output-format=json --output=verify.json
	run --separate-stderr "$PROGRAM" verify.json
	[ "$status" -eq 1 ]
	[[ "$output" != *"see throughput"* ]]
	[[ "$stderr" = *"it read and wrote"* ]]
}
