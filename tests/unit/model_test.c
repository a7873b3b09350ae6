// SPDX-License-Identifier: GPL-2.0-only
/* How fio's output and run logs come together, and what is said when they do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "caught_stderr.h"
#include "job_options.h"
#include "made_run.h"
#include "model.h"

#define OTHER_RUN "fedcba9876543210"

struct built {
	struct made made;
	struct made second; /* its log is that of another host */
	struct run_log logs[2];
	size_t log_count;
	struct group_name names[2];
	size_t name_count;
	struct run run;
	struct caught_stderr caught;
};

static int begin(void **state)
{
	struct built *built = calloc(1, sizeof(*built));

	if (!built)
		return -1;
	made_begin(&built->made);
	made_begin(&built->second);
	*state = built;
	return 0;
}

static int end(void **state)
{
	struct built *built = *state;

	run_free(&built->run);
	free(built);
	return 0;
}

static int build(struct built *built)
{
	int status;

	if (!built->log_count && built->made.log.count)
		built->log_count = 1;
	built->logs[0] = built->made.log;
	built->logs[1] = built->second.log;
	catch_stderr(&built->caught);
	status = run_build(&built->made.output, built->logs, built->log_count, built->names,
			   built->name_count, &built->run);
	release_stderr(&built->caught);
	return status;
}

static void expect_whole(struct built *built)
{
	if (build(built) || !built->run.whole)
		fail_msg("%s", built->caught.text);
}

/* A report can be made, and something is missing from it: that is said. */
static void expect_part(struct built *built, const char *said)
{
	if (build(built))
		fail_msg("%s", built->caught.text);
	assert_false(built->run.whole);
	if (!strstr(built->caught.text, said))
		fail_msg("\"%s\" says not \"%s\"", built->caught.text, said);
}

static void expect_none(struct built *built, const char *said)
{
	assert_int_equal(build(built), -1);
	if (!strstr(built->caught.text, said))
		fail_msg("\"%s\" says not \"%s\"", built->caught.text, said);
}

static void add_tests(struct made *made, const char *const *names, size_t count)
{
	for (unsigned int i = 0; i < count; i++) {
		made_pair(made, i, names[i], 0, 2, 100, 10);
		made_pair(made, i, names[i], 1, 2, 40, 10);
	}
}

static const char *const four[] = { "write", "rewrite", "read", "reread" };

/* ---- with a run log ----------------------------------------------------------- */

static void four_tests_in_their_order(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 4);
	expect_whole(built);
	assert_int_equal(built->run.count, 4);
	for (unsigned int i = 0; i < 4; i++) {
		assert_int_equal(built->run.test[i].test->id, i);
		assert_int_equal(built->run.test[i].children, 2);
		assert_int_equal(built->run.test[i].round, 0);
		assert_ptr_equal(built->run.test[i].child[1].line, &built->made.lines[2 * i + 1]);
		assert_ptr_equal(built->run.test[i].child[1].job, &built->made.jobs[2 * i + 1]);
	}
	assert_true(built->run.logged);
	assert_string_equal(built->run.engine, "1.0");
	assert_string_equal(built->run.id, MADE_RUN);
	assert_int_equal(built->run.began, 1700000000);
	assert_string_equal(built->caught.text, "");
}

/* fio has the jobs of a section in the order 0, n-1, ... 1. */
static void jobs_in_the_order_of_fio(void **state)
{
	static const unsigned int order[] = { 0, 3, 2, 1, 4, 6, 5 };
	struct built *built = *state;

	for (unsigned int i = 0; i < 7; i++) {
		struct fio_job *job = made_job(&built->made, 0, i < 4 ? "a" : "b", "write",
					       (10 + order[i]) * 1024, 10);

		made_option(job, RUN_LOG_RUN_OPTION, MADE_RUN);
		made_option(job, "numjobs", i < 4 ? "4" : "3");
		made_line(&built->made, 0, "write", i, 7, 10 + i, 10);
	}
	expect_whole(built);
	for (unsigned int i = 0; i < 7; i++)
		assert_ptr_equal(built->run.test[0].child[order[i]].job, &built->made.jobs[i]);
}

/* Lines are in the order in which children end; the report's order is another. */
static void lines_in_any_order(void **state)
{
	struct built *built = *state;
	struct run_log_line line;

	add_tests(&built->made, four, 2);
	line = built->made.lines[0];
	built->made.lines[0] = built->made.lines[3];
	built->made.lines[3] = line;
	expect_whole(built);
	assert_int_equal(built->run.test[0].test->id, TEST_WRITE);
	assert_int_equal(built->run.test[0].child[0].line->child, 0);
	assert_int_equal(built->run.test[1].child[1].line->child, 1);
}

static void rounds_begin_when_a_test_comes_again(void **state)
{
	static const char *const tests[] = { "write", "read", "write", "read" };
	struct built *built = *state;

	add_tests(&built->made, tests, 4);
	expect_whole(built);
	assert_int_equal(built->run.rounds, 2);
	assert_int_equal(built->run.test[1].round, 0);
	assert_int_equal(built->run.test[2].round, 1);
	assert_int_equal(built->run.test[3].round, 1);
}

static void log_of_another_run(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.lines[0].run = built->made.lines[1].run = OTHER_RUN;
	expect_none(built, "run.csv:2: run log of another run: " OTHER_RUN
			   ", where out.json is of run " MADE_RUN);
}

static void lines_of_another_run_are_left_out(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	made_line(&built->made, 0, "write", 0, 2, 1, 10)->run = OTHER_RUN;
	expect_whole(built);
	assert_int_equal(built->run.test[0].child[0].line->records, 100);
	assert_non_null(strstr(built->caught.text, "run.csv: 1 lines of other runs are left out"));
}

static void output_without_run_id_takes_the_log(void **state)
{
	struct built *built = *state;

	made_job(&built->made, 0, "w", "write", 100 * 1024, 10);
	made_line(&built->made, 0, "write", 0, 1, 100, 10);
	built->made.output.format = FIO_TERSE;
	expect_whole(built);
	assert_non_null(strstr(built->caught.text, "does not tell the run's id"));
}

static void output_without_run_id_and_two_runs(void **state)
{
	struct built *built = *state;

	made_job(&built->made, 0, "w", "write", 100 * 1024, 10);
	made_line(&built->made, 0, "write", 0, 1, 100, 10);
	made_line(&built->made, 0, "write", 0, 1, 100, 10)->run = OTHER_RUN;
	expect_none(built, "run.csv:3: lines of two runs");
}

static void output_without_run_id_of_another_fio(void **state)
{
	struct built *built = *state;

	made_job(&built->made, 0, "w", "write", 100 * 1024, 10);
	made_line(&built->made, 0, "write", 0, 1, 100, 10)->fio = "fio-3.39";
	expect_none(built, "run log of another run: of fio-3.39, where out.json is of fio-3.33");
}

static void child_twice(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.lines[1].child = 0;
	expect_none(built, "run.csv:3: child 0 of group 0 has a line already: line 2 of this file");
}

static void children_that_disagree(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.lines[1].children = 3;
	expect_none(built, "run.csv:3: group 0 has 3 children here and 2 in line 2");
}

static void two_tests_in_a_group(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.lines[1].test = "read";
	expect_none(built, "run.csv:3: group 0 does read here and write in line 2");
}

static void two_releases_in_a_group(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.lines[1].release_ns -= 1;
	expect_none(built, "run.csv:3: group 0 has a release here that is not the one of line 2");
}

static void child_without_a_line(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 2);
	built->made.log.count--;
	expect_part(built, "rewriters: child 1 of 2 (rewrite): left no line in the run log");
	assert_false(built->run.test[0].failed);
	assert_true(built->run.test[1].failed);
}

static void test_without_a_line(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 3);
	built->made.log.count = 4;
	expect_part(built, "readers: children 0-1 of 2 (read): did not run");
	assert_int_equal(built->run.count, 3);
	assert_true(built->run.test[2].failed);
}

static void failed_child(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 2);
	built->made.lines[1].end = "failed";
	built->made.lines[1].error = 28;
	built->made.lines[1].error_offset = 40960;
	built->made.lines[1].message = "write";
	built->made.jobs[1].error = 28;
	expect_part(
		built,
		"out.json:20: initial writers: child 1 of 2 (/mnt/iozone.DUMMY): failed at offset 40960: write: No space left on device (errno 28)\n");
	assert_true(built->run.test[0].failed);
	assert_false(built->run.test[1].failed);
}

static void failure_in_the_engines_words_is_not_said_twice(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.lines[1].end = "failed";
	built->made.lines[1].error = 28;
	built->made.lines[1].message = "write at offset 40960: No space left on device";
	expect_part(built, "failed: write at offset 40960: No space left on device (errno 28)\n");
}

static void killed_child(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.lines[1].end = "killed";
	built->made.lines[1].message = "killed by signal 9 (Killed)";
	built->made.jobs[1].write.bytes = 0;
	built->made.output.killed = 1;
	expect_part(built, "child 1 of 2 (/mnt/iozone.DUMMY): killed: killed by signal 9");
	/* It is named once. */
	assert_int_equal(built->run.note_count, 1);
}

static void neighbours_share_a_message(void **state)
{
	struct built *built = *state;

	for (unsigned int i = 0; i < 9; i++) {
		struct run_log_line *line = made_pair(&built->made, 0, "write", i, 9, 0, 1);

		line->end = "failed";
		line->error = 125;
		line->message = "not started: child 8 died";
	}
	built->made.lines[8].message = "died";
	expect_part(built,
		    "initial writers: children 0-7 of 9 (write): failed at offset 0: not started");
	assert_int_equal(built->run.note_count, 2);
}

static void interrupted_children(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 2);
	for (unsigned int i = 2; i < 4; i++)
		built->made.lines[i].end = "interrupted";
	built->made.output.interrupted = true;
	expect_part(built, "rewriters: children 0-1 of 2 (rewrite): interrupted");
	assert_false(built->run.test[0].interrupted);
	assert_true(built->run.test[1].interrupted);
	assert_false(built->run.test[1].failed);
}

static void interrupted_before_a_test(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 3);
	built->made.log.count = 4;
	built->made.output.interrupted = true;
	expect_part(built, "readers: children 0-1 of 2 (read): interrupted");
	assert_true(built->run.test[2].interrupted);
	assert_false(built->run.test[2].failed);
}

static void error_that_only_fio_saw(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.jobs[1].error = 5;
	expect_part(built,
		    "child 1 of 2 (/mnt/iozone.DUMMY): fio saw an error: Input/output error");
	assert_true(built->run.test[0].failed);
}

static void bytes_that_disagree(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.jobs[1].write.bytes += 1024;
	expect_part(built, "40960 bytes in the run log, 41984 in fio's output");
	assert_true(built->run.test[0].failed);
}

static void terse_bytes_are_whole_kib(void **state)
{
	struct built *built = *state;
	struct run_log_line *line = made_pair(&built->made, 0, "write", 0, 1, 100, 10);

	line->record = 100;
	line->file_size = line->bytes = 100 * 100;
	built->made.output.format = FIO_TERSE;
	built->made.jobs[0].write.bytes = 9 * 1024;
	expect_whole(built);
}

static void group_reporting_with_a_log_has_it_all(void **state)
{
	struct built *built = *state;

	made_pair(&built->made, 0, "write", 0, 2, 100, 10);
	made_line(&built->made, 0, "write", 1, 2, 40, 10);
	built->made.jobs[0].write.bytes = 140 * 1024;
	expect_whole(built);
	assert_false(built->run.test[0].summed);
	assert_int_equal(built->run.test[0].child_count, 2);
}

static void group_reporting_sum_that_disagrees(void **state)
{
	struct built *built = *state;

	made_pair(&built->made, 0, "write", 0, 2, 100, 10);
	made_line(&built->made, 0, "write", 1, 2, 40, 10);
	built->made.jobs[0].write.bytes = 141 * 1024;
	expect_part(built, "143360 bytes in the run log, 144384 in fio's output");
}

static void stopped_without_a_flag(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.lines[1].flag_ns = 0;
	expect_part(built, "child 1 of 2 (/mnt/iozone.DUMMY): stopped before its end, though");
	assert_true(built->run.test[0].failed);
}

static void stopped_by_an_interruption(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.lines[0].end = "interrupted";
	built->made.lines[1].flag_ns = 0;
	built->made.output.interrupted = true;
	expect_part(built, "initial writers: children 0-1 of 2 (write): interrupted");
	assert_true(built->run.test[0].interrupted);
}

static void fewer_lines_than_numjobs(void **state)
{
	struct built *built = *state;

	made_pair(&built->made, 0, "write", 0, 2, 100, 10);
	made_line(&built->made, 0, "write", 1, 2, 40, 10);
	made_option(&built->made.jobs[0], "numjobs", "3");
	built->made.jobs[0].write.bytes = 140 * 1024;
	expect_part(built, "initial writers: 2 children by the run log, where numjobs is 3");
	assert_true(built->run.test[0].failed);
}

static void torn_log_is_said(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->made.log.count = 1;
	built->made.log.torn = 3;
	expect_part(built, "run.csv:3: the run log's last line is cut short");
	assert_non_null(strstr(built->caught.text, "child 1 of 2"));
}

static void name_against_the_log(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 1);
	built->names[0] = (struct group_name){ 0, iozone_test_row(TEST_READ) };
	built->name_count = 1;
	expect_none(built, "--test 0=read: the run log says it is write");
}

/* ---- the cache -------------------------------------------------------------------- */

static void reads_of_the_cache(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 4);
	for (size_t i = 0; i < built->made.log.count; i++)
		built->made.lines[i].memory = 2 * 100 * 1024;
	expect_whole(built);
	assert_non_null(strstr(built->caught.text, "what readers, re-readers show is the cache"));
}

static void no_reads_of_the_cache(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 4);
	for (size_t i = 0; i < built->made.log.count; i++)
		built->made.lines[i].memory = 2 * 100 * 1024 - 1;
	expect_whole(built);
	assert_string_equal(built->caught.text, "");
}

static void direct_and_remounted_reads(void **state)
{
	struct built *built = *state;

	add_tests(&built->made, four, 4);
	for (size_t i = 0; i < built->made.log.count; i++) {
		built->made.lines[i].memory = 1 << 30;
		built->made.lines[i].flags = i < 6 ? "stonewall direct" : "remount";
	}
	expect_whole(built);
	assert_string_equal(built->caught.text, "");
}

/* ---- several hosts ------------------------------------------------------------------ */

static void on_host(struct fio_job *job, const char *host, unsigned int port, const char *run)
{
	job->host = host;
	job->port = port;
	made_option(job, RUN_LOG_RUN_OPTION, run);
}

/* Two hosts with two children each. */
static void two_hosts(struct built *built)
{
	built->made.output.client_server = true;
	for (unsigned int i = 0; i < 4; i++) {
		struct made *made = i < 2 ? &built->made : &built->second;
		struct fio_job *job = made_job(&built->made, 0, "w", "write", (10 + i) * 1024, 10);

		on_host(job, "127.0.0.1", i < 2 ? 8765 : 8766, i < 2 ? MADE_RUN : OTHER_RUN);
		made_line(made, 0, "write", i % 2, 2, 10 + i, 10)->run =
			i < 2 ? MADE_RUN : OTHER_RUN;
	}
	*made_job(&built->made, 0, "All clients", "write", 46 * 1024, 10) =
		(struct fio_job){ .name = "All clients", .all_clients = true };
	built->log_count = 2;
}

static void children_of_two_hosts(void **state)
{
	struct built *built = *state;
	const struct run_test *test;

	two_hosts(built);
	/* The clocks of two hosts have nothing in common. */
	built->second.lines[0].release_ns = built->second.lines[1].release_ns = 5;
	expect_whole(built);
	test = built->run.test;
	assert_int_equal(built->run.count, 1);
	assert_int_equal(built->run.hosts, 2);
	assert_int_equal(test->hosts, 2);
	assert_int_equal(test->children, 4);
	for (unsigned int i = 0; i < 4; i++) {
		assert_int_equal(test->child[i].number, i);
		assert_int_equal(test->child[i].line->records, 10 + i);
		assert_string_equal(test->child[i].host,
				    i < 2 ? "127.0.0.1:8765" : "127.0.0.1:8766");
	}
}

static void logs_in_the_other_order(void **state)
{
	struct built *built = *state;
	struct run_log log;

	two_hosts(built);
	log = built->made.log;
	built->made.log = built->second.log;
	built->second.log = log;
	expect_whole(built);
	assert_int_equal(built->run.test->child[0].line->records, 10);
	assert_int_equal(built->run.test->child[3].line->records, 13);
}

static void host_without_a_log(void **state)
{
	struct built *built = *state;

	two_hosts(built);
	built->log_count = 1;
	expect_none(built, "no run log of 127.0.0.1:8766 (run " OTHER_RUN ") was given");
}

static void hosts_of_logs_without_run_ids(void **state)
{
	struct built *built = *state;

	two_hosts(built);
	for (unsigned int i = 0; i < 4; i++)
		built->made.jobs[i].options.count = 1;
	built->second.lines[0].host = built->second.lines[1].host = "there";
	expect_whole(built);
	assert_string_equal(built->run.test->child[0].host, "here");
	assert_string_equal(built->run.test->child[3].host, "there");
}

static void no_server_ran_it(void **state)
{
	struct built *built = *state;

	built->made.output.client_server = true;
	expect_part(built, "client_stats is empty");
	assert_int_equal(built->run.count, 0);
}

/* ---- fio alone ------------------------------------------------------------------------ */

static void four_groups(struct made *made)
{
	static const char *const rw[] = { "write", "write", "read", "read" };

	for (unsigned int group = 0; group < 4; group++)
		for (unsigned int i = 0; i < 2; i++)
			made_job(made, group, "j", rw[group], 64 * 1024, 10);
	made_global(made, "size", "64k");
	made_global(made, "bs", "16k");
	made_global(made, "numjobs", "2");
}

static void groups_become_tests(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	expect_whole(built);
	assert_int_equal(built->run.count, 4);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(built->run.test[i].test->id, i);
	assert_false(built->run.logged);
	assert_int_equal(built->run.test[0].record_size, 16384);
	assert_int_equal(built->run.test[0].file_size, 65536);
	assert_non_null(strstr(built->caught.text, "no run log"));
	assert_non_null(
		strstr(built->caught.text, "Parent is worked out from the longest runtime"));
	assert_non_null(strstr(built->caught.text, "0=write, 1=rewrite, 2=read, 3=reread"));
}

static void other_files_are_no_rewrite(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	for (unsigned int i = 2; i < 4; i++)
		made_option(&built->made.jobs[i], "filename", "other");
	expect_whole(built);
	assert_int_equal(built->run.test[1].test->id, TEST_WRITE);
	assert_int_equal(built->run.test[1].round, 1);
}

static void names_that_are_told(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	built->names[0] = (struct group_name){ 2, iozone_test_row(TEST_PREAD) };
	built->names[1] = (struct group_name){ 3, iozone_test_row(TEST_FREAD) };
	built->name_count = 2;
	expect_whole(built);
	assert_int_equal(built->run.test[2].test->id, TEST_PREAD);
	assert_int_equal(built->run.test[3].test->id, TEST_FREAD);
}

static void random_and_mixed(void **state)
{
	static const char *const rw[] = { "randread", "randwrite:8", "randrw" };
	static const enum iozone_test_id ids[] = { TEST_RANDOM_READ, TEST_RANDOM_WRITE,
						   TEST_MIXED };
	struct built *built = *state;

	for (unsigned int group = 0; group < 3; group++)
		made_job(&built->made, group, "j", rw[group], 64 * 1024, 10);
	expect_whole(built);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(built->run.test[i].test->id, ids[i]);
}

/* Terse output tells no options: what moved tells the direction. */
static void directions_without_options(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	built->made.output.global.count = 0;
	for (unsigned int i = 0; i < 8; i++)
		built->made.jobs[i].options.count = 0;
	expect_whole(built);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(built->run.test[i].test->id, i);
}

static void fio_failures(void **state)
{
	static const char *const said[] = {
		"out.json:10: initial writers: child 0 of 2 (j): fio saw an error: No space left",
		"out.json:30: rewriters: child 0 of 2 (j): moved no byte, though fio saw no error",
		"out.json:50: readers: child 0 of 2 (j): moved 32768 bytes of 65536, and nothing",
		"out.json:70: re-readers: child 0 of 2 (j): its figures are no numbers",
	};
	struct built *built = *state;

	four_groups(&built->made);
	built->made.jobs[0].error = 28;
	built->made.jobs[2].write.bytes = 0;
	built->made.jobs[4].read.bytes = 32768;
	built->made.jobs[6].read.sane = false;
	expect_part(built, said[0]);
	for (unsigned int i = 0; i < 4; i++) {
		assert_true(built->run.test[i].failed);
		if (!strstr(built->caught.text, said[i]))
			fail_msg("\"%s\" says not \"%s\"", built->caught.text, said[i]);
	}
}

/* Its figures are true, but of a part of the file: there is more to say. */
static void short_by_its_runtime_is_no_whole_run(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	made_global(&built->made, "runtime", "10");
	built->made.jobs[4].read.bytes = 32768;
	expect_part(built, "moved 32768 of 65536 bytes when its runtime was over");
	assert_null(built->run.test[2].child[0].failure);
}

/* "rw=read:4k" leaves out 4 KiB behind each block. */
static void short_by_holes_is_no_failure(void **state)
{
	struct built *built = *state;

	for (unsigned int i = 0; i < 2; i++) {
		made_job(&built->made, 0, "j", "read:4k", 52 * 1024, 10);
		built->made.jobs[i].read.bytes = 52 * 1024;
	}
	made_global(&built->made, "size", "64k");
	made_global(&built->made, "bs", "16k");
	made_global(&built->made, "numjobs", "2");
	expect_whole(built);
}

static void more_options_than_any_fio_has(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	built->made.output.global.count = 1 << 22;
	expect_none(built, "more options than the jobs of any fio have");
}

static void runtime_of_zero(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	built->made.jobs[1].write.runtime_ms = 0;
	expect_part(built, "child 1 of 2 (j): its runtime is 0 ms, too short for fio's clock");
}

static void fewer_children_than_numjobs(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	built->made.output.job_count--;
	expect_part(built, "re-readers: child 1 of 2: not in fio's output");
}

static void numjobs_beyond_all_bounds(void **state)
{
	struct built *built = *state;

	for (unsigned int i = 0; i < 20; i++)
		made_job(&built->made, 0, i % 2 ? "a" : "b", "write", 1024, 1);
	made_global(&built->made, "numjobs", "60000");
	made_global(&built->made, "size", "1k");
	made_global(&built->made, "bs", "1k");
	expect_none(built, "more children are missing than any fio has");
}

static void log_that_claims_too_many_children(void **state)
{
	struct built *built = *state;

	for (unsigned int i = 0; i < 2; i++)
		made_pair(&built->made, i, four[i], 0, 40000, 100, 10);
	expect_none(built, "more children are missing than any fio has");
}

static void sum_of_a_group(void **state)
{
	struct built *built = *state;

	made_job(&built->made, 0, "j", "write", 4 * 65536, 10);
	made_global(&built->made, "size", "64k");
	made_global(&built->made, "bs", "16k");
	made_global(&built->made, "numjobs", "4");
	expect_part(built, "group_reporting sums 4 children: no Min, Max and Min xfer");
	assert_true(built->run.test[0].summed);
	assert_false(built->run.test[0].failed);
	assert_int_equal(built->run.test[0].children, 4);
}

/* fio 2 and 3.1 tell neither numjobs nor group_reporting. */
static void sum_of_a_group_by_its_bytes(void **state)
{
	struct built *built = *state;

	made_job(&built->made, 0, "j", "write", 4 * 65536, 10);
	made_job(&built->made, 1, "j", "write", 65536, 10);
	made_global(&built->made, "size", "64k");
	made_global(&built->made, "bs", "16k");
	expect_part(built, "rewriters: the sum of 4 (j): moved 65536 bytes of 262144");
	assert_int_equal(built->run.test[0].children, 4);
	assert_false(built->run.test[0].failed);
	assert_true(built->run.test[1].failed);
}

static void interrupted_fio(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	built->made.output.interrupted = true;
	built->made.jobs[5].read.bytes = 32768;
	built->made.jobs[6].read.bytes = built->made.jobs[7].read.bytes = 0;
	expect_part(built, "interrupted: fio was told to stop before the end");
	assert_false(built->run.test[1].interrupted);
	assert_true(built->run.test[2].interrupted);
	assert_true(built->run.test[3].interrupted);
	assert_false(built->run.test[2].failed);
}

/* Nothing tells which test was cut: then it was the last. */
static void interrupted_without_a_trace(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	built->made.output.interrupted = true;
	expect_part(built, "interrupted");
	assert_false(built->run.test[2].interrupted);
	assert_true(built->run.test[3].interrupted);
}

static void output_cut_short(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	built->made.output.torn = 99;
	expect_part(built, "out.json:99: fio's output is cut short here");
}

static void nothing_moved_and_nothing_told(void **state)
{
	struct built *built = *state;

	four_groups(&built->made);
	built->made.output.global.count = 0;
	for (unsigned int i = 0; i < 8; i++)
		built->made.jobs[i].options.count = 0;
	built->made.jobs[6].read.bytes = built->made.jobs[7].read.bytes = 0;
	expect_part(built, "group 3 (j) moved nothing, and no option tells which test it is");
	assert_int_equal(built->run.count, 3);
}

/* ---- sizes ------------------------------------------------------------------------------ */

static void sizes_as_fio_reads_them(void **state)
{
	static const struct {
		const char *text;
		unsigned int kb_base;
		uint64_t bytes;
	} sizes[] = {
		{ "0", 1024, 0 },	    { "512", 1024, 512 },
		{ "4k", 1024, 4096 },	    { "4K", 1024, 4096 },
		{ "4kb", 1024, 4096 },	    { "4KiB", 1024, 4000 },
		{ "4k", 1000, 4000 },	    { "4KiB", 1000, 4096 },
		{ "3m", 1024, 3 << 20 },    { "1G", 1024, 1 << 30 },
		{ "2t", 1024, 2ULL << 40 }, { "1p", 1024, 1ULL << 50 },
		{ "0x1000", 1024, 4096 },   { "18446744073709551615", 1024, UINT64_MAX },
	};
	static const char *const bad[] = {
		"",	    "k",     "-1",  "4q",   "10%",
		"1k-2k",    "(1+1)", "4kk", "4kbb", "18446744073709551616",
		"20000000t"
	};
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		assert_true(parse_size(sizes[i].text, sizes[i].kb_base, &bytes));
		assert_int_equal(bytes, sizes[i].bytes);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (parse_size(bad[i], 1024, &bytes))
			fail_msg("\"%s\" is no size", bad[i]);
}

#define UNIT(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT(four_tests_in_their_order),
		UNIT(jobs_in_the_order_of_fio),
		UNIT(lines_in_any_order),
		UNIT(rounds_begin_when_a_test_comes_again),
		UNIT(log_of_another_run),
		UNIT(lines_of_another_run_are_left_out),
		UNIT(output_without_run_id_takes_the_log),
		UNIT(output_without_run_id_and_two_runs),
		UNIT(output_without_run_id_of_another_fio),
		UNIT(child_twice),
		UNIT(children_that_disagree),
		UNIT(two_tests_in_a_group),
		UNIT(two_releases_in_a_group),
		UNIT(child_without_a_line),
		UNIT(test_without_a_line),
		UNIT(failed_child),
		UNIT(failure_in_the_engines_words_is_not_said_twice),
		UNIT(killed_child),
		UNIT(neighbours_share_a_message),
		UNIT(interrupted_children),
		UNIT(interrupted_before_a_test),
		UNIT(error_that_only_fio_saw),
		UNIT(bytes_that_disagree),
		UNIT(terse_bytes_are_whole_kib),
		UNIT(group_reporting_with_a_log_has_it_all),
		UNIT(group_reporting_sum_that_disagrees),
		UNIT(stopped_without_a_flag),
		UNIT(stopped_by_an_interruption),
		UNIT(fewer_lines_than_numjobs),
		UNIT(torn_log_is_said),
		UNIT(name_against_the_log),
		UNIT(reads_of_the_cache),
		UNIT(no_reads_of_the_cache),
		UNIT(direct_and_remounted_reads),
		UNIT(children_of_two_hosts),
		UNIT(logs_in_the_other_order),
		UNIT(host_without_a_log),
		UNIT(hosts_of_logs_without_run_ids),
		UNIT(no_server_ran_it),
		UNIT(groups_become_tests),
		UNIT(other_files_are_no_rewrite),
		UNIT(names_that_are_told),
		UNIT(random_and_mixed),
		UNIT(directions_without_options),
		UNIT(fio_failures),
		UNIT(short_by_its_runtime_is_no_whole_run),
		UNIT(short_by_holes_is_no_failure),
		UNIT(more_options_than_any_fio_has),
		UNIT(runtime_of_zero),
		UNIT(fewer_children_than_numjobs),
		UNIT(numjobs_beyond_all_bounds),
		UNIT(log_that_claims_too_many_children),
		UNIT(sum_of_a_group),
		UNIT(sum_of_a_group_by_its_bytes),
		UNIT(interrupted_fio),
		UNIT(interrupted_without_a_trace),
		UNIT(output_cut_short),
		UNIT(nothing_moved_and_nothing_told),
		UNIT(sizes_as_fio_reads_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
