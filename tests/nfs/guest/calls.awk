# SPDX-License-Identifier: GPL-2.0-only
# Sets the NFS calls of iozone's runs and of ours side by side, test by test.
#
# Input: files FOLDER/iozone.N.calls and FOLDER/ours.N.calls as guest/calls notes them.  Variables: names
# (of the tests), operations (of the counters); table=1 prints the table, otherwise a line for
# each number that has to agree: "same" or "other", and what was compared.
#
# Ours agrees with iozone when the median of ours is no further from what some run of iozone had
# than iozone's own runs are from each other, the most less the least.  Where these are all alike,
# ours has to be the same.

function begin_file() {
	program = FILENAME ~ /\/ours\.[0-9]+\.calls$/ ? "ours" : "iozone"
	run = ++runs[program]
	tests = 0
}

# Adds what came since the last line to a test: the first one has the set-up with it, and the
# last one what comes after it.
function take(test,   i) {
	if (test < 1)
		test = 1
	if (test > test_count)
		test = test_count
	for (i = 1; i <= operation_count; i++)
		number[program, run, test, operation[i]] += $(i + 2) - last[i]
}

function remember(   i) {
	for (i = 1; i <= operation_count; i++)
		last[i] = $(i + 2)
}

function sort(values, count,   i, j, value) {
	for (i = 2; i <= count; i++) {
		value = values[i]
		for (j = i - 1; j >= 1 && values[j] > value; j--)
			values[j + 1] = values[j]
		values[j + 1] = value
	}
}

# Leaves median, least and most.
function sum_up(program, test, operation,   i, count, values) {
	count = runs[program]
	for (i = 1; i <= count; i++)
		values[i] = number[program, i, test, operation] + 0
	sort(values, count)
	least = values[1]
	most = values[count]
	median = (values[int((count + 1) / 2)] + values[int(count / 2) + 1]) / 2
}

function cell(program, test, operation) {
	sum_up(program, test, operation)
	if (least == most)
		return median ""
	return median " (" least ".." most ")"
}

function print_table(   t, i, p, row) {
	shown_count = split("write commit read getattr lookup access create setattr remove", shown, " ")
	row = sprintf("%-8s %-7s", "test", "program")
	for (i = 1; i <= shown_count; i++)
		row = row sprintf(" %-18s", toupper(shown[i]))
	print row
	for (t = 1; t <= test_count; t++)
		for (p = 1; p <= 2; p++) {
			row = sprintf("%-8s %-7s", name[t], programs[p])
			for (i = 1; i <= shown_count; i++)
				row = row sprintf(" %-18s", cell(programs[p], t, shown[i]))
			sub(/ +$/, "", row)
			print row
		}
}

function print_verdicts(   t, i, low, high, distance) {
	compared_count = split("write commit read", compared, " ")
	for (t = 1; t <= test_count; t++)
		for (i = 1; i <= compared_count; i++) {
			sum_up("iozone", t, compared[i])
			low = least
			high = most
			sum_up("ours", t, compared[i])
			distance = median < low ? low - median : median > high ? median - high : 0
			printf "%s %s: %s calls: ours %s, iozone %s..%s: %s beyond, %s allowed\n",
				distance <= high - low ? "same" : "other", name[t],
				toupper(compared[i]), median, low, high, distance, high - low
		}
}

BEGIN {
	test_count = split(names, name, " ")
	operation_count = split(operations, operation, " ")
	split("iozone ours", programs, " ")
}
FNR == 1 { begin_file() }
$1 == "begin" { remember() }
# iozone's line ends a test, ours begins one.
$1 == "test" {
	take(program == "ours" ? tests : tests + 1)
	tests++
	remember()
}
$1 == "end" {
	take(program == "ours" ? tests : test_count)
	if (tests != test_count) {
		printf "other %s: %d tests were noted, not %d\n", FILENAME, tests, test_count
		broken = 1
	}
}
END {
	if (!runs["iozone"] || !runs["ours"]) {
		print "other runs of both programs were not found"
		exit 1
	}
	if (broken)
		exit 1
	if (table)
		print_table()
	else
		print_verdicts()
}
