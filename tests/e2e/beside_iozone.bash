# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The same work by the real iozone and by fio with the engine, side by side.
# Sourced by bats.

# shellcheck disable=SC2034 # for those who source this
ALL_TESTS="write rewrite read reread reverse_read stride_read random_read mixed random_write
	pwrite pread fwrite fread"

beside_setup_file()
{
	export BUILD=${BUILD:-$PWD/build} FIO=${FIO:-fio} ROOT=$PWD
	export SHIM=$BATS_FILE_TMPDIR/hurry.so FAULT_SHIM=$BATS_FILE_TMPDIR/faults.so
	[ -e "$BUILD/fio-iozone.so" ] || { echo "$BUILD/fio-iozone.so: not built" >&2; return 1; }
	# shellcheck disable=SC2086 # CC may be two words
	{
		${CC:-cc} -O1 -fPIC -shared -o "$SHIM" tests/shim/hurry.c
		${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -fPIC -shared -o "$FAULT_SHIM" \
			tests/shim/faults.c -ldl
	}
}

have_iozone()
{
	command -v iozone >/dev/null
}

# Does the file system of the working directory have O_DIRECT?
have_direct()
{
	dd if=/dev/zero of=direct.probe bs=4096 count=1 oflag=direct 2>/dev/null
}

# write_job FILE TESTS LINE...: a job of these tests, one group each.
write_job()
{
	local file=$1 tests=$2 test

	shift 2
	{
		echo "[global]"
		printf '%s\n' "ioengine=external:$BUILD/fio-iozone.so" directory=. \
			filename_format=iozone.DUMMY.\$jobnum iozone_settle=0 "$@"
		for test in $tests; do
			printf '[%s]\nstonewall\niozone_test=%s\n' "$test" "$test"
		done
	} >"$file"
}

# hurried COMMAND...: iozone without its pauses, and not for ever.
hurried()
{
	LD_PRELOAD=$SHIM timeout 100 "$@" </dev/null
}
