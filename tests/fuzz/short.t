#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A few seconds of each fuzzer, as a test.
set -u
cd "$(dirname "$0")/../.." || exit 1
fuzzers="json_filter fio_json fio_terse run_log translate"
echo "1..5"
number=0 status=0
for fuzzer in $fuzzers; do
	number=$((number + 1))
	if said=$(FUZZERS=$fuzzer tests/fuzz/run "${FUZZ_SECONDS:-5}" 2>&1); then
		echo "ok $number - $said"
	else
		echo "not ok $number - $fuzzer"
		printf '%s\n' "$said" | sed 's/^/# /'
		tail -n 40 "${BUILD:-build}/fuzz/$fuzzer.log" | sed 's/^/# /'
		status=1
	fi
done
exit $status
