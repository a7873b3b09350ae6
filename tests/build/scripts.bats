#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# The scripts that set up the machine and that count the tests.

setup()
{
	cd "$BATS_TEST_DIRNAME/../.."
	taps=$BATS_TEST_TMPDIR/taps
	bin=$BATS_TEST_TMPDIR/bin
	mkdir "$taps" "$bin"
}

# counted NAME: what standard input, as the TAP of a test, is counted as.
counted()
{
	cat >"$taps/$1.tap"
	tests/tap-count "$taps"
}

stand_in()
{
	printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
	chmod +x "$bin/$1"
}

@test "counts: passed, failed and skipped" {
	run counted a <<-'EOF'
	1..4
	ok 1 - one
	not ok 2 - two
	# ok 7 - not a result
	ok 3 three # skip no reason
	ok 4
	# exit status 1
	EOF
	[ "$output" = "2 passed, 1 failed, 1 skipped" ]
}

@test "counts: a test that broke off has failed" {
	run counted a <<-'EOF'
	1..3
	ok 1 - one
	# exit status 0
	EOF
	[ "$output" = "1 passed, 1 failed" ]
}

@test "counts: a test without a plan, or that only exits, has failed" {
	counted a <<<'ok 1 - one
# exit status 0'
	run counted b <<<'1..1
ok 1 - one
# exit status 139'
	[ "$output" = "2 passed, 2 failed" ]
}

@test "counts: a test that says nothing has failed" {
	run counted a <<<'# exit status 0'
	[ "$output" = "0 passed, 1 failed" ]
}

@test "counts: a test that is skipped as a whole" {
	run counted a <<<'1..0 # skip nothing to do
# exit status 0'
	[ "$output" = "0 passed, 0 failed, 1 skipped" ]
}

@test "tests/run fails when a test does, and says so in its last line" {
	printf '#!/bin/sh\necho 1..1; echo not ok 1\nexit 1\n' >"$bin/bad.t"
	printf '#!/bin/sh\necho 1..1; echo ok 1\n' >"$bin/good.t"
	chmod +x "$bin"/*.t
	run tests/run -o "$BATS_TEST_TMPDIR/out" "$bin/bad.t" "$bin/good.t"
	[ "$status" -ne 0 ]
	[ "${lines[-1]}" = "1 passed, 1 failed" ]
	run tests/run -o "$BATS_TEST_TMPDIR/out" "$bin/good.t"
	[ "$status" -eq 0 ]
	[ "${lines[-1]}" = "1 passed, 0 failed" ]
}

@test "tests/run ends a test that hangs" {
	printf '#!/bin/sh\necho 1..2; echo ok 1\nsleep 1000\n' >"$bin/hangs.t"
	chmod +x "$bin/hangs.t"
	TEST_TIMEOUT=1 run tests/run -o "$BATS_TEST_TMPDIR/out" "$bin/hangs.t"
	[ "$status" -ne 0 ]
	[ "${lines[-1]}" = "1 passed, 1 failed" ]
}

@test "tests/run without tests fails" {
	run tests/run -o "$BATS_TEST_TMPDIR/out"
	[ "$status" -ne 0 ]
}

@test "install: nothing missing, nothing said, nothing done" {
	stand_in dpkg-query 'printf installed'
	stand_in apt-get 'echo "apt-get $*"'
	PATH=$bin:$PATH run scripts/install build test
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "install: not root, one line that names what is missing" {
	stand_in dpkg-query 'case "$*" in *libcsv-dev | *bats) exit 1 ;; *) printf installed ;; esac'
	stand_in id 'echo 1000'
	PATH=$bin:$PATH run scripts/install build test
	[ "$status" -eq 1 ]
	[ "$output" = "install: not root, and these packages are missing: libcsv-dev bats" ]
}

@test "install: a fio of one's own leaves Debian's out" {
	stand_in dpkg-query 'exit 1'
	stand_in id 'echo 1000'
	PATH=$bin:$PATH run scripts/install build
	[[ $output == *" fio"* ]]
	FIO=/opt/fio PATH=$bin:$PATH run scripts/install build
	[[ $output != *" fio"* ]]
}

@test "install: what apt says when it cannot is passed on" {
	stand_in dpkg-query 'case "$*" in *libcsv-dev) exit 1 ;; *) printf installed ;; esac'
	stand_in id 'echo 0'
	stand_in apt-cache 'echo "  Candidate: 1.0"'
	stand_in apt-get 'echo "E: Unable to fetch some archives" >&2; exit 100'
	PATH=$bin:$PATH run scripts/install build
	[ "$status" -eq 1 ]
	[[ ${lines[-1]} == "install: apt-get "*"E: Unable to fetch some archives"* ]]
}

@test "a source that Debian does not have: one line, no folder" {
	command -v dpkg-source >/dev/null || skip "no dpkg-dev"
	run scripts/fio-source 1.99 "$BATS_TEST_TMPDIR/tree"
	[ "$status" -eq 1 ]
	[[ ${lines[-1]} == "fio-source: "*"set FIO_SRC to the configured tree that it was built from" ]] ||
		[[ ${lines[-1]} == "fio-source: "*"apt"* ]]
	[ ! -e "$BATS_TEST_TMPDIR/tree" ]
}
