#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# The build itself: what it leaves, what it refuses, what it installs.

setup()
{
	cd "$BATS_TEST_DIRNAME/../.."
	: "${BUILD:=$PWD/build}" "${FIO:=fio}"
	src=${FIO_SRC:-build/fio-src-$("$FIO" --version | sed s/^fio-//)}
	# make is run as a user would, not as part of the make that runs the tests.
	unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES FIO_SRC
}

# A tree of fio to be changed.
copy_tree()
{
	cp -a "$(realpath "$src")" "$BATS_TEST_TMPDIR/tree"
	tree=$BATS_TEST_TMPDIR/tree
}

# What was built, to be built on.
copy_build()
{
	mkdir "$BATS_TEST_TMPDIR/out"
	tar c -C "$BUILD" --exclude='fio-*-*' --exclude=apt --exclude=run --exclude='check*' . |
		tar x -C "$BATS_TEST_TMPDIR/out"
	BUILD=$BATS_TEST_TMPDIR/out
}

# What make says about a fio and its headers: one line of ours.
refuses()
{
	run make BUILD="$BATS_TEST_TMPDIR/out" "$@" engine
	echo "$output"
	[ "$status" -ne 0 ]
	[ "$(grep -c '^host-fio: ' <<<"$output")" -eq 1 ]
	[ ! -e "$BATS_TEST_TMPDIR/out/fio-iozone.so" ]
	! grep -q '  CC ' <<<"$output"
}

@test "the engine exports the symbol ioengine and no other" {
	run nm -D --defined-only "$BUILD/fio-iozone.so"
	[ "$status" -eq 0 ]
	[ "$(awk '$2 ~ /[A-Z]/ { print $3 }' <<<"$output")" = ioengine ]
}

@test "the programs are position independent" {
	for program in fio2iozone fiozone; do
		file=$BUILD/$program
		readelf -h "$file" | grep -q 'Type: *DYN'
		readelf -d "$file" | grep -q 'FLAGS_1.*PIE'
	done
}

@test "engine and programs have full RELRO, no executable stack" {
	for file in fio-iozone.so fio2iozone fiozone; do
		readelf -W -l "$BUILD/$file" | grep -q GNU_RELRO
		readelf -d "$BUILD/$file" | grep -q BIND_NOW
		readelf -W -l "$BUILD/$file" | grep GNU_STACK | grep -q 'RW '
	done
}

@test "engine and programs have stack protectors and checked libc calls" {
	for file in fio-iozone.so fio2iozone fiozone; do
		nm -D "$BUILD/$file" >"$BATS_TEST_TMPDIR/symbols"
		grep -q __stack_chk_fail "$BATS_TEST_TMPDIR/symbols"
		grep -qE '__[a-z]+_chk(@|$)' "$BATS_TEST_TMPDIR/symbols"
	done
}

@test "a second make has nothing to do" {
	make BUILD="$BUILD" FIO="$FIO" FIO_SRC="$src" all >/dev/null
	run make BUILD="$BUILD" FIO="$FIO" FIO_SRC="$src" all
	echo "$output"
	[ "$status" -eq 0 ]
	! grep -qE '^  (CC|LD|AR) ' <<<"$output"
}

@test "headers of another version are refused" {
	copy_tree
	rm -f "$tree/FIO-VERSION-FILE"
	sed -i 's/^DEF_VER=.*/DEF_VER=fio-3.99/' "$tree/FIO-VERSION-GEN"
	refuses FIO="$FIO" FIO_SRC="$tree"
	grep -q "headers of fio-3.99, but .* is $("$FIO" --version)" <<<"$output"
}

@test "headers of the same version with other options are refused" {
	copy_tree
	sed -i -E 's/^\tunsigned int odirect;/\tunsigned long long inserted;\n&/' \
		"$tree/thread_options.h"
	refuses FIO="$FIO" FIO_SRC="$tree"
	grep -q 'not the headers that .* was built with: option ' <<<"$output"
}

@test "headers of the same version with another struct thread_data are refused" {
	copy_tree
	sed -i 's/^\tvoid \*eo;/\tunsigned long long inserted[4];\n&/' "$tree/fio.h"
	refuses FIO="$FIO" FIO_SRC="$tree"
	grep -q 'not the headers that .* was built with' <<<"$output"
}

@test "headers of the same version with another struct io_u are refused" {
	copy_tree
	sed -i -E 's/^\tunsigned long long buflen;/\tunsigned long long inserted[2];\n&/' \
		"$tree/io_u.h"
	refuses FIO="$FIO" FIO_SRC="$tree"
	grep -q 'not the headers that .* was built with' <<<"$output"
}

@test "a tree that is not configured is refused" {
	copy_tree
	rm "$tree/config-host.h"
	refuses FIO="$FIO" FIO_SRC="$tree"
	grep -q 'not configured' <<<"$output"
}

@test "no fio, no tree: refused" {
	refuses FIO=/nonexistent/fio
	refuses FIO="$FIO" FIO_SRC=/nonexistent/tree
}

@test "make install, what is installed runs, make uninstall takes it away" {
	copy_build
	prefix=$BATS_TEST_TMPDIR/opt
	set -- BUILD="$BUILD" FIO="$FIO" FIO_SRC="$src" PREFIX="$prefix"
	make "$@" install
	for file in bin/fio2iozone bin/fiozone lib/fio/fio-iozone.so; do
		[ -e "$prefix/$file" ]
	done
	for job in jobfiles/*.fio; do
		[ -e "$prefix/share/fio-iozone/${job##*/}" ]
	done
	for page in docs/*.1; do
		[ ! -e "$page" ] || [ -e "$prefix/share/man/man1/${page##*/}" ]
	done

	make "$@" DESTDIR="$BATS_TEST_TMPDIR/stage" install
	diff <(cd "$prefix" && find . -type f | sort) \
		<(cd "$BATS_TEST_TMPDIR/stage$prefix" && find . -type f | sort)
	make "$@" DESTDIR="$BATS_TEST_TMPDIR/stage" uninstall
	[ -z "$(find "$BATS_TEST_TMPDIR/stage" -type f)" ]

	mkdir "$BATS_TEST_TMPDIR/data"
	(cd "$BATS_TEST_TMPDIR" && DIR=data SIZE=1m "$FIO" --output-format=json --output=run.json \
		"$prefix/share/fio-iozone/iozone-t2-s64m-r16k.fio" &&
		"$prefix/bin/fio2iozone" run.json >report)
	grep -q 're-readers' "$BATS_TEST_TMPDIR/report"
}

@test "make run: the report on standard output, and nothing else" {
	make BUILD="$BUILD" FIO="$FIO" FIO_SRC="$src" DIR="$BATS_TEST_TMPDIR/data" SIZE=1m run \
		>"$BATS_TEST_TMPDIR/report"
	cat "$BATS_TEST_TMPDIR/report"
	[ "$(head -n 1 "$BATS_TEST_TMPDIR/report" | cut -c 1-8)" = "	Iozone:" ]
	[ "$(grep -c 'Children see throughput for 32 ' "$BATS_TEST_TMPDIR/report")" -eq 4 ]
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/report")" = "iozone test complete." ]
	[ -z "$(ls "$BATS_TEST_TMPDIR/data")" ]
}

@test "make run in a place that cannot be written to fails and reports nothing" {
	run make BUILD="$BUILD" FIO="$FIO" FIO_SRC="$src" DIR=/proc/nowhere SIZE=1m run
	[ "$status" -ne 0 ]
	! grep -q 'Children see' <<<"$output"
}

@test "make run fails when fio does" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\nfor a; do [ "$a" != --version ] || exec %s --version; done\nexit 3\n' \
		"$(command -v "$FIO")" >"$BATS_TEST_TMPDIR/bin/fio"
	chmod +x "$BATS_TEST_TMPDIR/bin/fio"
	run env BUILD="$BUILD" FIO="$BATS_TEST_TMPDIR/bin/fio" DIR="$BATS_TEST_TMPDIR" scripts/run-job
	[ "$status" -ne 0 ]
}
