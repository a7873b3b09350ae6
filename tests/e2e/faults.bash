# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the tests of faults have in common: a small run that a test breaks, and
# questions to the run log.  Sourced by bats.

# Longer than any run here takes, shorter than fio's own 300 s for a stuck job.
LIMIT=60
[ -z "${FIO_IOZONE_CHECKER:-}" ] || LIMIT=240

faults_setup_file()
{
	export BUILD=${BUILD:-$PWD/build} FIO=${FIO:-fio}
	export SHIM=$BATS_FILE_TMPDIR/faults.so
	[ -e "$BUILD/fio-iozone.so" ] || { echo "$BUILD/fio-iozone.so: not built" >&2; return 1; }
	# shellcheck disable=SC2086 # CC may be two words
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -fPIC -shared -o "$SHIM" tests/shim/faults.c -ldl
}

faults_setup()
{
	DIR=$BATS_TEST_TMPDIR/data
	LOG=$BATS_TEST_TMPDIR/run.csv
	JOB=$BATS_TEST_TMPDIR/job.fio
	OUT=$BATS_TEST_TMPDIR/fio.json
	ERR=$BATS_TEST_TMPDIR/fio.err
	FAULTS=
	mkdir -p "$DIR"
}

faults_teardown()
{
	local pids

	# Whatever the test did: nothing of it may stay behind.
	pids=$(leftovers) || return 0
	echo "left behind: $pids" >&2
	# shellcheck disable=SC2086
	kill -9 $pids
	return 1
}

# Processes that work on the job, or whose parent did.
leftovers()
{
	pgrep -f -- "$JOB"
}

# job TESTS [LINE...]: three children, 64 records of 4 KiB, and the lines.
job()
{
	local tests=$1 test

	shift
	{
		echo "[global]"
		echo "ioengine=external:$BUILD/fio-iozone.so"
		printf '%s\n' "directory=$DIR" "iozone_log=$LOG" filename_format=iozone.DUMMY.\$jobnum \
			size=256k bs=16k iozone_record=4k iozone_settle=0 numjobs=3 "$@"
		for test in $tests; do
			printf '[%s]\nstonewall\niozone_test=%s\n' "$test" "$test"
		done
	} >"$JOB"
}

# Runs a command with the shim, when the test has rules for it.
with_faults()
{
	if [ -n "$FAULTS" ]; then
		export FAULTS LD_PRELOAD=$SHIM
	fi
	"$@"
}

# Runs the job to its end.
fio_runs()
(
	# shellcheck disable=SC2086 # the wrapper of a test is a command line
	with_faults timeout -k 5 "$LIMIT" ${AS:-} "$FIO" --output-format=json --output="$OUT" \
		"$JOB" </dev/null >"$ERR" 2>&1
)

# The same in the background: MAIN is fio's main process.
fio_starts()
{
	with_faults exec "$FIO" --output-format=json --output="$OUT" "$JOB" </dev/null >"$ERR" 2>&1 \
		3>&- &
	MAIN=$!
}

# Waits for that run; STATUS is its exit status, 124 when it did not end in time.
fio_ends()
{
	local i

	for ((i = 0; i < LIMIT * 20; i++)); do
		kill -0 "$MAIN" 2>/dev/null || break
		[ "$(ps -o stat= -p "$MAIN" | cut -c1)" = Z ] && break
		sleep 0.05
	done
	STATUS=124
	if ((i < LIMIT * 20)); then
		wait "$MAIN" && STATUS=0 || STATUS=$?
	fi
}

# until_true COMMAND...: waits for what has to come true in time.
until_true()
{
	local i

	for ((i = 0; i < LIMIT * 20; i++)); do
		"$@" && return 0
		sleep 0.05
	done
	echo "waited in vain for: $*" >&2
	return 1
}

# The children's process ids, in the order in which they were started.
children()
{
	ps -o pid= --ppid "$MAIN" --sort start_time | tr -d ' '
}

children_number()
{
	[ "$(children | wc -l)" -eq "$1" ]
}

# child N: the process that has N as its number; the files of its work tell.
child_with()
{
	local pid

	for pid in $(children); do
		[ -z "$(find "/proc/$pid/fd" -lname "*/iozone.DUMMY.$1" 2>/dev/null)" ] || echo "$pid"
	done
}

has_opened()
{
	[ -n "$(child_with "$1")" ]
}

# Splits a line of CSV into cell[1..n] and returns n, or 0 when it is no line of CSV.
CSV='
function csv(line,    n, i, c, quoted) {
	for (i in cell) delete cell[i]
	cell[n = 1] = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\"") {
			if (quoted && substr(line, i + 1, 1) == "\"") { cell[n] = cell[n] c; i++ }
			else quoted = !quoted
		} else if (c == "," && !quoted) cell[++n] = ""
		else cell[n] = cell[n] c
	}
	return quoted ? 0 : n
}
NR == 1 { columns = csv($0); for (i = 1; i <= columns; i++) at[cell[i]] = i; next }
{ cells = csv($0) }
'

# cell TEST CHILD COLUMN: from the run log, "" when there is no such line.
cell()
{
	awk -v test="$1" -v child="$2" -v column="$3" "$CSV"'
	cell[at["test"]] == test && cell[at["child"]] == child { print cell[at[column]] }' "$LOG"
}

# cells COLUMN [TEST]: that of all lines, sorted, in one line.
cells()
{
	awk -v column="$1" -v test="${2:-}" "$CSV"'
	test == "" || cell[at["test"]] == test { print cell[at[column]] }' "$LOG" | sort | xargs
}

# Fails when the log has a line that is not whole, or two of a child.
log_is_sound()
{
	awk "$CSV"'
	cells != columns { print "line " NR ": " cells " cells, not " columns ": " $0; bad = 1 }
	seen[cell[at["group"]] "," cell[at["child"]]]++ { print "line " NR ": the child has one"; bad = 1 }
	cell[1] != run && NR > 2 { print "line " NR ": another run"; bad = 1 }
	{ run = cell[1] }
	END { exit bad }' "$LOG" >&2 || return 1
	[ "$(tail -c 1 "$LOG" | od -An -tx1 | tr -d ' ')" = 0a ]
}

# translate [OPTION...]: fio2iozone on the run.
translate()
{
	"$BUILD/fio2iozone" "$@" "$OUT"
}

# Shows what there was to see when a test fails.
show()
{
	echo "status ${STATUS:-$status}" >&2
	[ ! -s "$ERR" ] || sed 's/^/fio: /' "$ERR" >&2
	[ ! -s "$LOG" ] || cut -d, -f6-11,16-18,28-31 "$LOG" | sed 's/^/log: /' >&2
	[ -z "${output:-}" ] || sed 's/^/out: /' <<<"$output" >&2
}

is_settling()
{
	[ -e "$DIR/settling" ]
}

has_children()
{
	[ -n "$(children)" ]
}

# Where each child sleeps, in the words of the kernel: call and first argument.
sleeps_at()
{
	local pid

	for pid in $(children); do
		echo "$(cut -d' ' -f1,2 "/proc/$pid/syscall") $pid"
	done
}

# The child that settles: it alone waits at another futex than its peers.
settler()
{
	sleeps_at | awk '{ count[$2]++; pid[$2] = $3 }
		END { for (at in count) if (count[at] == 1) print pid[at] }'
}

# Two of three children wait for the one that settles.
all_wait()
{
	is_settling && [ -n "$(settler)" ] && [ "$(sleeps_at | cut -d' ' -f2 | sort -u | wc -l)" = 2 ]
}
