#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs fio2iozone on every case and speaks TAP.  A case is a folder, named after
# what it has in it that others have not:
#	args	the arguments, as a shell reads them; the folder is the current one
#	stdin	standard input (optional)
#	stdout	what has to come out, to the byte (none: nothing)
#	stderr	a pattern of the shell for each line of standard error (none: nothing)
#	status	the exit status
# "tests/cases/cases.t --accept [CASE...]" writes what comes out into the case:
# look at it before it is committed.
set -u
cd "$(dirname "$0")" || exit 1
program=${BUILD:-$PWD/../../build}/fio2iozone
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export TZ=UTC LC_ALL=C

run_case()
{
	local -a arguments

	eval "arguments=($(cat "$1/args"))"
	(cd "$1" && timeout 60 "$program" "${arguments[@]}") >"$scratch/stdout" 2>"$scratch/stderr" \
		<"$([ -e "$1/stdin" ] && echo "$1/stdin" || echo /dev/null)"
}

# differs WHAT EXPECTED GOT: prints a difference as a comment of TAP.
differs()
{
	echo "# $1 is not as expected:"
	diff "$2" "$3" | head -n 30 | sed 's/^/# /'
}

stderr_fits()
{
	local -a patterns lines
	local i

	mapfile -t patterns < <([ ! -e "$1/stderr" ] || cat "$1/stderr")
	mapfile -t lines <"$scratch/stderr"
	[ ${#patterns[@]} -eq ${#lines[@]} ] || return 1
	for i in "${!lines[@]}"; do
		# shellcheck disable=SC2053 # it is a pattern
		[[ ${lines[i]} == ${patterns[i]} ]] || return 1
	done
}

check_case()
{
	local status good=0

	run_case "$1"
	status=$?
	if [ "$status" -ne "$(cat "$1/status")" ]; then
		echo "# exit status $status, not $(cat "$1/status")"
		good=1
	fi
	[ -e "$1/stdout" ] && cp "$1/stdout" "$scratch/expected" || : >"$scratch/expected"
	if ! cmp -s "$scratch/expected" "$scratch/stdout"; then
		differs "standard output" "$scratch/expected" "$scratch/stdout"
		good=1
	fi
	if ! stderr_fits "$1"; then
		differs "standard error" <([ ! -e "$1/stderr" ] || cat "$1/stderr") "$scratch/stderr"
		good=1
	fi
	return $good
}

# keep FROM TO: an empty file is left out.
keep()
{
	rm -f "$2"
	[ ! -s "$1" ] || cp "$1" "$2"
}

accept_case()
{
	run_case "$1"
	echo $? >"$1/status"
	keep "$scratch/stdout" "$1/stdout"
	sed 's/[][\\*?]/\\&/g' "$scratch/stderr" >"$scratch/patterns"
	keep "$scratch/patterns" "$1/stderr"
}

if [ "${1-}" = --accept ]; then
	shift
	[ $# -gt 0 ] || set -- */
	for case; do
		accept_case "${case%/}"
	done
	exit
fi

cases=(*/)
echo "1..${#cases[@]}"
number=0 failed=0
for case in "${cases[@]%/}"; do
	number=$((number + 1))
	if check_case "$case" >"$scratch/tap"; then
		echo "ok $number - $case"
	else
		echo "not ok $number - $case"
		cat "$scratch/tap"
		failed=1
	fi
done
exit $failed
