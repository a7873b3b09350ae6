#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Starts and stops runs of 32 children, over and over, and kills some of them,
# or fio's main process, at random moments.  After each: it came to its end in
# time, no process and no shared memory stayed behind, every line of the run log
# is whole, each child has one, and fio's exit status tells whether all is well.
# CYCLES says how many (20); SEED repeats what an earlier run did.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/faults.bash

CYCLES=${CYCLES:-20}
SEED=${SEED:-$RANDOM}
CHILDREN=32
export BUILD=${BUILD:-$PWD/build} FIO=${FIO:-fio}
BATS_TEST_TMPDIR=$(mktemp -d) || exit 1
trap 'rm -rf "$BATS_TEST_TMPDIR"' EXIT
RANDOM=$SEED
faults_setup

# What went wrong, a line each; empty is well.
wrong=$BATS_TEST_TMPDIR/wrong
: >"$wrong"
killed=0
interrupted=0
mains=0
longest=0

complain()
{
	echo "cycle $cycle: $*" >>"$wrong"
}

# A moment of up to this many hundredths of a second.
moment()
{
	sleep "$(printf '0.%02d' $((RANDOM % $1)))"
}

kill_some()
{
	local pids i

	for ((i = RANDOM % 5; i > 0; i--)); do
		moment 20
		mapfile -t pids < <(children)
		[ ${#pids[@]} -gt 0 ] || continue
		kill -9 "${pids[RANDOM % ${#pids[@]}]}" 2>/dev/null && killed=$((killed + 1))
	done
}

# Each child of a test that has begun has its line, when fio could see to it.
each_has_a_line()
{
	awk -v children=$CHILDREN "$CSV"'
	NR > 1 { lines[cell[at["group"]]]++ }
	END { for (group in lines) if (lines[group] != children) { print lines[group] " lines in group " group; bad = 1 }
	exit bad }' "$LOG" >>"$wrong"
}

all_well()
{
	[ "$(cells end | tr ' ' '\n' | grep -Ecv '^(finished|stopped)$')" = 0 ] &&
		[ "$(wc -l <"$LOG")" = $((2 * CHILDREN + 1)) ]
}

check_cycle()
{
	local pids

	[ "$STATUS" != 124 ] || complain "hangs"
	# The children of a main process that was killed need a moment more.
	[ "$how" != KILL ] || until_true nobody_left 2>>"$wrong"
	pids=$(leftovers) && complain "left behind: $pids" && kill -9 $pids
	awk -v creator="$MAIN" 'NR > 1 && $5 == creator { bad = 1 } END { exit bad }' /proc/sysvipc/shm ||
		complain "shared memory stays behind"
	[ -s "$LOG" ] || return
	log_is_sound 2>>"$wrong" || complain "the run log is not sound"
	[ "$how" = KILL ] && return
	[ "$how" = INT ] || each_has_a_line || complain "some child has no line"
	if all_well; then
		[ "$STATUS" = 0 ] || complain "all is well, and the status is $STATUS"
	else
		[ "$STATUS" != 0 ] || complain "something is wrong, and the status is 0"
	fi
}

nobody_left()
{
	! leftovers >/dev/null
}

run_cycle()
{
	local began=$SECONDS

	rm -rf "$DIR" "$LOG" && mkdir "$DIR"
	job "write read" unlink=1 "iozone_settle=$((cycle % 3 * 50))ms"
	sed -i "s/^numjobs=.*/numjobs=$CHILDREN/" "$JOB"
	how=
	fio_starts
	kill_some
	case $((cycle % 10)) in
	3) how=INT interrupted=$((interrupted + 1)) ;;
	7) how=KILL mains=$((mains + 1)) ;;
	esac
	if [ -n "$how" ]; then
		moment 50
		kill -s $how "$MAIN" 2>/dev/null || how=
	fi
	fio_ends 2>/dev/null
	check_cycle
	((SECONDS - began <= longest)) || longest=$((SECONDS - began))
}

echo 1..1
for ((cycle = 1; cycle <= CYCLES; cycle++)); do
	run_cycle
	((cycle % 100)) || echo "# $cycle cycles, $SECONDS s"
done
echo "# $CYCLES cycles of $CHILDREN children in $SECONDS s, the longest $longest s: $killed children" \
	"killed, $interrupted runs interrupted, $mains main processes killed (SEED=$SEED)"
sed 's/^/# /' "$wrong"
if [ -s "$wrong" ]; then
	echo "not ok 1 - cycles with random kills"
	exit 1
fi
echo "ok 1 - cycles with random kills"
