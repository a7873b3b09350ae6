#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# fiozone from the outside: iozone's command lines in, iozone's reports out, by
# the real fio; beside the real iozone where it is to be had.

bats_require_minimum_version 1.5.0

setup_file()
{
	export BUILD=${BUILD:-$PWD/build} FIO=${FIO:-fio} ROOT=$PWD
	export SHIM=$BATS_FILE_TMPDIR/hurry.so
	[ -x "$BUILD/fiozone" ] || { echo "$BUILD/fiozone: not built" >&2; return 1; }
	# shellcheck disable=SC2086 # CC may be two words
	${CC:-cc} -O1 -fPIC -shared -o "$SHIM" tests/shim/hurry.c
}

setup()
{
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir -p "$TMPDIR" "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return 1
	FIOZONE=$BUILD/fiozone
}

# Nothing of fiozone's may stay behind, whatever the test did.
teardown()
{
	[ -z "$(ls -A "$TMPDIR")" ] || { echo "left in TMPDIR: $(ls -A "$TMPDIR")" >&2; return 1; }
	! pgrep -f -- "$TMPDIR/fiozone" || return 1
}

fiozone()
{
	timeout 120 "$FIOZONE" --settle 0 "$@" </dev/null
}

# iozone without its pauses, and not for ever.
iozone_or_skip()
{
	command -v iozone >/dev/null || skip "no iozone here"
}

hurried_iozone()
{
	LD_PRELOAD=$SHIM timeout 60 iozone "$@" </dev/null
}

# A report's lines with every figure made F, from behind "Run began" on.
lines_of_report()
{
	sed '0,/^\tRun began/d' | sed -E \
		-e 's/(wall|cpu|%)= *[0-9.]+/\1=F/g' \
		-e 's/time +[0-9.]+/time F/g; s/utilization +[0-9.]+ %/utilization F %/' \
		-e 's/ *[0-9]+\.[0-9]{2}( |$)/ F\1/g' \
		-e 's/(CPU utilization Resolution) = [0-9.]+/\1 = F/' \
		-e 's/^\tMachine = .*/\tMachine/'
}

# -M: iozone prints the next line twice when the machine's line is long.
without_repeats()
{
	awk '!($0 == before && /File size/) { print } { before = $0 }'
}

# one_line: standard error of the last `run --separate-stderr` is one line of fiozone's.
one_line()
{
	# shellcheck disable=SC2154 # bats sets it
	[ "$(wc -l <<<"$stderr")" -eq 1 ] && [[ $stderr == "fiozone: "* ]] ||
		{ echo "not one line: $stderr" >&2; return 1; }
}

# ---- reports ------------------------------------------------------------------

# In these the command lines are iozone's own, and so are the lines of the report.
@test "a report for each command line of the recorded reports, line for line" {
	local file words failed=0

	for file in "$ROOT"/tests/fixtures/iozone/*.txt; do
		words=$(sed -n 's/^\tCommand line used: iozone //p' "$file")
		[ -n "$words" ] || continue
		rm -rf ./*
		# shellcheck disable=SC2086 # they are words
		if ! fiozone $words >out 2>err; then
			echo "$words: $(cat err)" >&2
			failed=1
			continue
		fi
		{ printf '\tRun began\n'; cat "$file"; } | lines_of_report | without_repeats >expected
		lines_of_report <out | without_repeats >got
		diff expected got >&2 || { echo "^ $words" >&2; failed=1; }
	done
	[ "$failed" -eq 0 ]
}

@test "the header says who measured" {
	fiozone -t 1 -s 64k -r 16k -i 0 >out
	head -1 out | grep -x "$(printf '\tIozone: Performance Test of File I/O')"
	grep "Report by fio2iozone" out
	! grep 'Revision' out
}

@test "each round of -l and -u begins with new files, and -R has a column each" {
	fiozone -l 1 -u 3 -s 64k -r 16k -i 0 -+n -R --keep kept >out
	[ "$(grep -c 'initial writers' out)" -eq 6 ]
	grep -E '^"  Initial write "( +[0-9.]+ ){3}$' out
	ls kept >files
	printf '%s\n' fio.{1,2,3}.json job.{1,2,3}.fio run-log.{1,2,3}.csv | diff - files
	rm -r kept
	[ -z "$(ls iozone.* 2>/dev/null)" ]
}

@test "auto mode prints iozone's table" {
	iozone_or_skip
	local words failed=0

	while read -r words; do
		# shellcheck disable=SC2086
		hurried_iozone $words 2>/dev/null | auto_lines >expected
		# shellcheck disable=SC2086
		fiozone $words 2>err | auto_lines >got
		diff expected got >&2 || { echo "^ $words: $(cat err)" >&2; failed=1; }
	done <<-'END'
		-s 64k -r 16k
		-s 64k -r 16k -i 0 -i 9 -i 10 -E -N
		-s 64k -r 16k -i 0 -i 1 -+n -O -R
		-a -n 64k -g 128k -q 8k -i 0 -i 1
		-A -s 64k -q 8k
		-s 64k -r 16k -B -i 0 -i 1
		-s 64k -s 128k -r 4k -r 64k -i 0 -i 2 -R
	END
	[ "$failed" -eq 0 ]
	[ -z "$(ls iozone.*)" ]
}

# As lines_of_report, and a row's figures become dots of the same width.
auto_lines()
{
	lines_of_report | perl -pe 's/^(.{16}.{8})( .*)$/my ($h, $r) = ($1, $2); $r =~ tr{ 0-9}{.}; "$h$r"/e
		if /^ +\d+ +\d+ /; s/ +\d+ /F/g if /^"\d+"/'
}

# ---- beside iozone --------------------------------------------------------------

# calls PROGRAM OPTION...: what each child asks of the kernel for its file.
calls()
{
	local program=$1

	shift
	rm -rf calls.work && mkdir calls.work
	if [ "$program" = iozone ]; then
		(cd calls.work && timeout 100 strace -f -y -s 0 -E LD_PRELOAD="$SHIM" \
			-o ../calls.strace iozone "$@" </dev/null >/dev/null 2>&1)
	else
		(cd calls.work && timeout 100 strace -f -y -s 0 -o ../calls.strace \
			"$FIOZONE" --settle 0 "$@" </dev/null >/dev/null 2>&1)
	fi
	"$ROOT/tests/e2e/child-calls" -f "${PATTERN:-\.DUMMY\.\d+\$}" calls.strace
}

@test "the children's system calls are iozone's, through the whole command line" {
	iozone_or_skip
	command -v strace >/dev/null || skip "no strace here"
	[ -z "${FIO_IOZONE_CHECKER:-}" ] || skip "a checker makes calls of its own"
	local words failed=0

	while read -r words; do
		# shellcheck disable=SC2086
		calls iozone $words >expected
		# shellcheck disable=SC2086
		calls fiozone $words >got
		[ -s expected ] || { echo "$words: iozone did nothing" >&2; failed=1; }
		diff expected got >&2 || { echo "^ $words" >&2; failed=1; }
	done <<-'END'
		-t 4 -x -s 64k -r 16k
		-t 1 -s 64k -r 12k -e -c -i 0 -i 1 -i 2
		-t 2 -x -s 64k -r 16k -P 0 -i 0 -i 2 -i 6
		-t 2 -x -s 64k -r 16k -F a.DUMMY.7 b.DUMMY.9 -i 0 -i 1 -i 9
		-t 1 -s 64k -r 16k -+L -i 0 -i 1 -i 3
		-t 1 -s 64k -r 16k -D -G -i 0 -i 1 -i 10
		-t 1 -s 64k -r 16k -H 2 -I -i 0 -i 5
		-T -t 1 -s 64k -r 16k -i 0 -i 8 -i 7
		-t 1 -s 4m -r 2m -i 0 -i 1
		-t 1 -s 64k -i 0 -i 1 -o -+D -K -Q
	END
	[ "$failed" -eq 0 ]
}

@test "lists of records are gone through as iozone goes through them" {
	iozone_or_skip
	command -v strace >/dev/null || skip "no strace here"
	[ -z "${FIO_IOZONE_CHECKER:-}" ] || skip "a checker makes calls of its own"

	printf '# offset size\n0 16384\n16384 8192\n\n65536 4096\n32768 4096\n' >"$TMPDIR/list"
	calls iozone -t 1 -X "$TMPDIR/list" -Y "$TMPDIR/list" -+n >expected
	calls fiozone -t 1 -X "$TMPDIR/list" -Y "$TMPDIR/list" -+n >got
	rm "$TMPDIR/list"
	grep -q 'lseek(FD, 65536' expected
	diff expected got
}

# ---- data -----------------------------------------------------------------------

@test "-V finds a byte that was changed on the disk, and names it" {
	fiozone -t 2 -s 64k -r 16k -i 0 -+n -V 7 -w >/dev/null
	[ "$(tr -d '\007' <iozone.DUMMY.0 | wc -c)" -eq 0 ]
	printf X | dd of=iozone.DUMMY.1 bs=1 seek=20001 conv=notrunc status=none
	run --separate-stderr fiozone -t 2 -s 64k -r 16k -i 1 -x -+n -V 7 -w
	[ "$status" -eq 1 ]
	[[ $stderr == *iozone.DUMMY.1*"offset 20001"*"found 0x58"*"expected 0x07"* ]]
	! grep -q "test complete" <<<"$output"
}

@test "files that are not iozone's fail its check, and stay; with -+E they are read" {
	head -c 65536 /dev/urandom >mine
	run --separate-stderr fiozone -t 1 -F mine -s 64k -r 16k -i 1 -+n
	[ "$status" -eq 1 ]
	[[ $stderr == *mine*"offset 0"* ]]
	[ "$(stat -c %s mine)" -eq 65536 ]
	fiozone -t 1 -F mine -s 64k -r 16k -i 1 -+n -+E
	[ "$(stat -c %s mine)" -eq 65536 ]
}

@test "the files are removed, but for -w; and a file that was there is used as it is" {
	head -c 100000 /dev/zero | tr '\0' a >iozone.DUMMY.0
	fiozone -t 2 -s 64k -r 16k -i 0 -w >/dev/null
	[ "$(stat -c %s iozone.DUMMY.0)" -eq 100000 ]
	[ "$(stat -c %s iozone.DUMMY.1)" -eq 65536 ]
	fiozone -t 2 -s 64k -r 16k -i 1 >/dev/null
	[ -z "$(ls)" ]
}

@test "folders and files with awkward names" {
	mkdir 'a b;#$d' 'a b:$d'
	cd 'a b;#$d'
	fiozone -t 2 -s 64k -r 16k -i 0 -i 1 >/dev/null
	run --separate-stderr fiozone -t 1 -F 'c;d' -s 64k -i 0
	[ "$status" -eq 2 ]
	one_line
	run --separate-stderr fiozone -t 1 -s 64k -i 0 --keep kept
	[ "$status" -eq 2 ]
	one_line
	cd '../a b:$d'
	fiozone -t 2 -F 'x:y' "$PWD/z z" -s 64k -r 16k -i 0 -w >/dev/null
	[ "$(stat -c %s 'x:y')" -eq 65536 ]
	[ "$(stat -c %s 'z z')" -eq 65536 ]
}

# ---- what goes wrong ------------------------------------------------------------

@test "bad command lines: one line, no success, nothing left behind" {
	local words

	while read -r words; do
		# shellcheck disable=SC2086
		run --separate-stderr "$FIOZONE" $words </dev/null
		[ "$status" -eq 2 ] || { echo "$words: status $status" >&2; return 1; }
		[ -z "$output" ] || { echo "$words: $output" >&2; return 1; }
		one_line || { echo "^ $words" >&2; return 1; }
		[ -z "$(ls -A)" ] || { echo "$words: left $(ls -A)" >&2; return 1; }
	done <<-'END'
		-t 2 -y
		-+Y
		-t 2 -s 16k -r 64k -i 0
		-t 0 -s 64k -i 0
		-t 100000 -s 64k -i 0
		-t 2 -F a
		-t 2 -F a -s 64k -i 0
		-t 1 -F not/there/a -s 64k -i 0
		-t 1 -F /proc/version/a -s 64k -i 0
		-a -s 64k -f not/there/a
		-t 1 -s 64k -i 99
		-t 2 -s 64k -i 1
		-s 64k -i 1
		-t 2 -s 64k -i 2
		-t 2 -s 64k -i 4
		-t 2 -s 64k -f a
		-t 2 -+m clients
		-l 3 -u 2 -s 64k
	END
}

@test "a folder that may not be written to" {
	mkdir locked
	chmod 555 locked
	cd locked
	if [ "$(id -u)" -eq 0 ]; then
		# root may write everywhere, but for file systems that say no to everybody
		[ -d /sys/kernel ] || skip "no folder that root cannot write to"
		cd /sys/kernel
	fi
	run --separate-stderr "$FIOZONE" -t 2 -s 64k -i 0 </dev/null
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[[ $stderr == "fiozone: "* ]]
	[ -z "$(ls iozone.* 2>/dev/null)" ]
}

@test "a file that is too short to be read" {
	fiozone -t 2 -s 64k -r 16k -i 0 -w >/dev/null
	truncate -s 60000 iozone.DUMMY.1
	run --separate-stderr fiozone -t 2 -s 64k -r 16k -i 1
	[ "$status" -eq 2 ]
	one_line
	[[ $stderr == *iozone.DUMMY.1*60000*65536* ]]
	[ -e iozone.DUMMY.0 ]
}

@test "no space: the run fails, and its files go" {
	[ "$(id -u)" -eq 0 ] || skip "needs root for a small file system"
	mkdir small
	mount -t tmpfs -o size=256k none small 2>/dev/null || skip "cannot mount"
	cd small
	run --separate-stderr fiozone -t 2 -s 1m -r 16k -i 0 -i 1
	left=$(ls -A)
	cd ..
	umount small
	[ "$status" -ne 0 ]
	[[ $stderr == *iozone.DUMMY.*"No space left"* ]]
	[ -z "$left" ]
}

@test "no fio, another fio, no engine: what to do" {
	run --separate-stderr "$FIOZONE" --fio not-there/fio -t 1 -s 64k -i 0
	[ "$status" -eq 2 ]
	one_line
	[[ $stderr == *not-there/fio*--fio* ]]
	FIO=not-there/fio run --separate-stderr "$FIOZONE" -t 1 -s 64k -i 0
	[ "$status" -eq 2 ]
	one_line
	printf '#!/bin/sh\necho fio-2.99\n' >other
	chmod +x other
	run --separate-stderr "$FIOZONE" --fio ./other -t 1 -s 64k -i 0
	[ "$status" -eq 2 ]
	one_line
	[[ $stderr == *"fio-2.99, and fio-iozone was built for fio-"* ]]
	run --separate-stderr "$FIOZONE" --engine not-there.so -t 1 -s 64k -i 0
	[ "$status" -eq 2 ]
	one_line
	rm other
	[ -z "$(ls -A)" ]
}

# ---- being stopped --------------------------------------------------------------

# stopped SIGNAL STATUS: a long run that a signal ends.
stopped()
{
	local pid status=0

	"$FIOZONE" --settle 30 -t 2 -s 1m -r 4k -i 0 -i 1 >out 2>err </dev/null &
	pid=$!
	# the children are writing, or settle before the next test
	for _ in $(seq 300); do
		[ -e iozone.DUMMY.1 ] && break
		pgrep -f -- "$TMPDIR/fiozone" >/dev/null && [ -n "${EARLY:-}" ] && break
		sleep 0.1
	done
	kill -"$1" "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq "$2" ] || { echo "status $status: $(cat err)" >&2; return 1; }
	[ ! -s out ]
	[ -z "$(ls iozone.* 2>/dev/null)" ]
	! pgrep -f -- "$TMPDIR/fiozone"
}

@test "Ctrl-C stops fio, removes the files, prints no report, exits 130" {
	EARLY=1 stopped INT 130
}

@test "SIGTERM likewise, exits 143" {
	EARLY=1 stopped TERM 143
}

@test "SIGHUP likewise, exits 129" {
	EARLY=1 stopped HUP 129
}

@test "stopped while the children write" {
	local pid status=0

	"$FIOZONE" --settle 0 -t 2 -s 2g -r 4k -o -i 0 >out 2>err </dev/null &
	pid=$!
	for _ in $(seq 300); do
		[ -s iozone.DUMMY.1 ] && break
		sleep 0.1
	done
	[ -s iozone.DUMMY.1 ]
	kill -INT "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq 130 ]
	[ ! -s out ]
	[ -z "$(ls iozone.* 2>/dev/null)" ]
}

# ---- job files ------------------------------------------------------------------

@test "--job prints a job that fio runs and fio2iozone reports" {
	fiozone --job -t 2 -s 64k -r 16k -i 0 -i 1 -e >job.fio
	[ "$(ls)" = job.fio ]
	grep -x '; iozone -t 2 -s 64k -r 16k -i 0 -i 1 -e' job.fio
	"$FIO" --output-format=json --output=out.json job.fio </dev/null
	"$BUILD/fio2iozone" out.json >out
	grep -q 'Children see throughput for  2 initial writers' out
	grep -q 'Include fsync in write timing' out
	grep -q 'iozone test complete.' out
}

@test "--keep keeps job, output and log, and overwrites nothing" {
	fiozone --keep kept -t 2 -s 64k -r 16k -i 0 >first
	printf '%s\n' fio.json job.fio run-log.csv | diff - <(ls kept)
	"$BUILD/fio2iozone" --log kept/run-log.csv kept/fio.json | grep -q 'test complete'
	sum=$(cat kept/* | cksum)
	run --separate-stderr fiozone --keep kept -t 2 -s 64k -r 16k -i 0
	[ "$status" -eq 2 ]
	[ "$sum" = "$(cat kept/* | cksum)" ]
}

# ---- documents ------------------------------------------------------------------

@test "the page, the help and the code name the same options" {
	cd "$ROOT"
	grep -o '{ \.name = "[^"]*"' translator/command_options.c | cut -d'"' -f2 | sort >"$TMPDIR/code"
	"$FIOZONE" --help | sed -n 's/^  -\([^- ][^ ]*\) .*/\1/p' | sort >"$TMPDIR/help"
	sed -n 's/^| `-\([^-` ][^` ]*\)[^`]*` |.*/\1/p' docs/options.md | sort >"$TMPDIR/page"
	"$FIOZONE" --help | sed -n 's/^  \(--[a-z]*\) .*/\1/p' | sort >"$TMPDIR/help-own"
	sed -n 's/^| `\(--[a-z]*\)[^`]*` |.*/\1/p' docs/options.md | sort >"$TMPDIR/page-own"
	diff "$TMPDIR/code" "$TMPDIR/help"
	diff "$TMPDIR/code" "$TMPDIR/page"
	diff "$TMPDIR/help-own" "$TMPDIR/page-own"
	[ "$(wc -l <"$TMPDIR/code")" -gt 90 ]
	rm "$TMPDIR"/*
}

@test "the manual names every option of fiozone's own" {
	cd "$ROOT"
	for option in $("$FIOZONE" --help | sed -n 's/^  --\([a-z]*\) .*/\1/p'); do
		grep -q -- "\\\\-\\\\-$option" docs/fiozone.1 || { echo "$option" >&2; return 1; }
	done
}

@test "what the page says of the engine's options the engine has" {
	local name

	"$FIO" --enghelp="$BUILD/fio-iozone.so" >enghelp
	for name in $(grep -o 'iozone_[a-z][a-z_]*' "$ROOT/docs/options.md" | sort -u); do
		grep -q "^$name " enghelp || { echo "$name" >&2; return 1; }
	done
}
