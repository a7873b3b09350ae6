#!/usr/bin/env -S bats --tap
# SPDX-License-Identifier: GPL-2.0-only
# What is in the files: those that fio with the engine leaves are those of the
# real iozone, byte for byte, for each of the tests that write, in processes
# and in threads.
#
# Where iozone is not to be had, the checksums in fixtures/iozone-data serve.
# RECORD=1 writes them anew, from the real iozone.

load beside_iozone.bash

# NAME|iozone's options|the job's lines|processes, or threads too|children|sizes of records|endings
#
# In threads iozone's children share the state of rand(): what they write with
# -+d or -+w is chance, and its own check fails.  One alone is left to compare.
kinds()
{
	local all='write rewrite random_write pwrite fwrite mixed' few='write pwrite fwrite'
	local shared='iozone_dedup=50 iozone_dedup_within=50 iozone_dedup_between=50'
	local odd='iozone_dedup=33 iozone_dedup_within=47 iozone_dedup_between=21'

	cat <<-END
		default|||both|3|16k 6k|$all
		V|-V 7|iozone_verify=7|both|3|12k|$all
		plusd|-+d|iozone_verify_bytes=1|processes|3|12k|$all
		plusd1|-+d|iozone_verify_bytes=1|both|1|16k|$few
		w100|-+w 100|iozone_dedup=100|processes|3|16k|$few
		w50|-+w 50|iozone_dedup=50|processes|3|12k|$all
		w50y50C50|-+w 50 -+y 50 -+C 50|$shared|processes|3|16k|$all
		w33y47C21|-+w 33 -+y 47 -+C 21|$odd|processes|3|6k|$few
		w40one|-+w 40 -+y 30|iozone_dedup=40 iozone_dedup_within=30|both|1|16k|$few
		y50|-+y 50|iozone_dedup_within=50|processes|3|16k|$few
		S64|-S 64|iozone_cache_size=64k|processes|6|16k|$few
		L128|-L 128|iozone_cache_line=128|processes|3|16k|$few
		L64V|-L 64 -V 3|iozone_cache_line=64 iozone_verify=3|processes|3|6k|$few
		m|-m|iozone_multi_buffer=1|processes|3|16k|$few
		B|-B|iozone_mmap=1|both|3|12k|$all
		BV|-B -V 9|iozone_mmap=1 iozone_verify=9|processes|3|16k|$few
		Bplusd|-B -+d|iozone_mmap=1 iozone_verify_bytes=1|processes|3|12k|$few
		H|-H 4|iozone_async=4|both|3|12k|$few
		Hw|-H 2 -+w 40|iozone_async=2 iozone_dedup=40|processes|3|16k|$few
		k|-k 4|iozone_async=4 iozone_async_nocopy=1|processes|3|12k|$few
		kV|-k 4 -V 9|iozone_async=4 iozone_async_nocopy=1 iozone_verify=9|processes|3|16k|$few
	END
}

# What is run, so that each of the tests that write is the last one to.
endings()
{
	cat <<-'END'
		write|-i 0 -+n|write
		rewrite|-i 0|write rewrite
		random_write|-i 0 -i 2|write rewrite random_read random_write
		pwrite|-i 0 -i 9|write rewrite pwrite
		fwrite|-i 0 -i 6|write rewrite fwrite
		mixed|-i 0 -i 8|write rewrite mixed
	END
}

sums_of()
{
	(cd "$1" && cksum iozone.DUMMY.*)
}

# run_data KIND OPTIONS LINES CHILDREN RECORD ENDING FLAGS TESTS [-T]
run_data()
{
	local kind=$1 options=$2 lines=$3 children=$4 record=$5 ending=$6 flags=$7 tests=$8 mode=$9
	local here=$BATS_FILE_TMPDIR/$kind/$ending.$record$mode

	mkdir -p "$here/iozone" "$here/fio"
	[ -z "$mode" ] || lines+=" thread=1"
	# shellcheck disable=SC2086 # words
	write_job "$here/job" "$tests" "numjobs=$children" size=64k "bs=$record" \
		"iozone_record=$record" iozone_stonewall=0 $lines
	if have_iozone; then
		cd "$here/iozone" || return 1
		# shellcheck disable=SC2086
		hurried iozone -t "$children" $mode -x -w -s 64k -r "$record" $flags $options \
			>"$here/theirs.log" 2>&1
		sums_of . >"$here/theirs"
	fi
	cd "$here/fio" && "$FIO" "$here/job" >"$here/ours.log" 2>&1 </dev/null
	sums_of . >"$here/ours"
	rm -rf "$here/iozone" "$here/fio"
}

# Mappings and POSIX AIO are not for stdio.
is_possible()
{
	[[ $2 != fwrite || $1 != *iozone_mmap* && $1 != *iozone_async* ]]
}

list_runs()
{
	local kind options lines modes children records endings record ending flags tests mode

	while IFS='|' read -r kind options lines modes children records endings; do
		for record in $records; do
			while IFS='|' read -r ending flags tests; do
				[[ " $endings " = *" $ending "* ]] || continue
				is_possible "$lines" "$ending" || continue
				for mode in '' -T; do
					[ "$modes" = both ] || [ -z "$mode" ] || continue
					printf '%s\0' run_data "$kind" "$options" "$lines" "$children" \
						"$record" "$ending" "$flags" "$tests" "$mode"
				done
			done < <(endings)
		done
	done < <(kinds)
}

setup_file()
{
	bats_require_minimum_version 1.5.0
	beside_setup_file
	export -f run_data sums_of have_iozone write_job hurried
	cd "$BATS_FILE_TMPDIR" || return 1
	list_runs | xargs -0 -n 10 -P $((4 * $(nproc))) bash -c '"$@"' run 3>&-
}

# all_sums KIND theirs|ours: the checksums of all its runs
all_sums()
{
	local here

	for here in "$BATS_FILE_TMPDIR/$1"/*; do
		sed "s|^|${here##*/} |" "$here/$2"
	done
}

# same_data KIND
same_data()
{
	local recorded=$ROOT/tests/fixtures/iozone-data/$1

	if have_iozone; then
		[ -z "${RECORD:-}" ] || { mkdir -p "${recorded%/*}"; all_sums "$1" theirs >"$recorded"; }
		echo "the recorded checksums against the real iozone:"
		diff "$recorded" <(all_sums "$1" theirs)
	fi
	[ -s "$recorded" ]
	diff "$recorded" <(all_sums "$1" ours) || { tail -n 3 "$BATS_FILE_TMPDIR/$1"/*/ours.log; return 1; }
}

@test "default data" {
	same_data default
}

@test "-V: one byte" {
	same_data V
}

@test "-+d: words" {
	same_data plusd
}

@test "-+d: words of a single child" {
	same_data plusd1
}

@test "-+w 100: all shared" {
	same_data w100
}

@test "-+w 50: half shared" {
	same_data w50
}

@test "-+w -+y -+C: shared, common and own" {
	same_data w50y50C50
}

@test "-+w -+y -+C: shares that do not divide the record" {
	same_data w33y47C21
}

@test "-+w -+y: a single child" {
	same_data w40one
}

@test "-+y without -+w: default data" {
	same_data y50
}

@test "-S: a small cache, in which six records have four places" {
	same_data S64
}

@test "-L: long lines" {
	same_data L128
}

@test "-L -V: a byte in long lines" {
	same_data L64V
}

@test "-m: many buffers" {
	same_data m
}

@test "-B: default data by mappings" {
	same_data B
}

@test "-B -V: one byte by mappings" {
	same_data BV
}

@test "-B -+d: words by mappings" {
	same_data Bplusd
}

@test "-H: default data by POSIX AIO" {
	same_data H
}

@test "-H -+w: shared data by POSIX AIO" {
	same_data Hw
}

@test "-k: default data in place" {
	same_data k
}

@test "-k -V: one byte in place" {
	same_data kV
}
