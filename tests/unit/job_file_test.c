// SPDX-License-Identifier: GPL-2.0-only
/* What is run for a command line, with which files, and the job files' text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "auto_mode.h"
#include "caught_stderr.h"
#include "command_line.h"
#include "job_file.h"

#define WORDS_MAX 64

struct planned {
	struct command_line line;
	struct job_plan plan;
	struct caught_stderr caught;
	char words[1024];
	char *argv[WORDS_MAX];
	char *text;
	size_t length;
};

static int begin(void **state)
{
	*state = calloc(1, sizeof(struct planned));
	return *state ? 0 : -1;
}

static int end(void **state)
{
	struct planned *planned = *state;

	command_line_free(&planned->line);
	free(planned->text);
	free(planned);
	return 0;
}

static int plan(struct planned *planned, const char *words)
{
	char *save, *word;
	int argc = 0, status;

	command_line_free(&planned->line);
	assert_in_range(strlen(words), 0, sizeof(planned->words) - 1);
	strcpy(planned->words, words);
	planned->argv[argc++] = (char *)"fiozone";
	for (word = strtok_r(planned->words, " ", &save); word; word = strtok_r(NULL, " ", &save))
		planned->argv[argc++] = word;
	planned->argv[argc] = NULL;
	catch_stderr(&planned->caught);
	status = command_line_read(&planned->line, argc, planned->argv) ||
		 job_plan_make(&planned->line, &planned->plan);
	release_stderr(&planned->caught);
	return status;
}

static const struct job_plan *accept(void **state, const char *words)
{
	struct planned *planned = *state;

	if (plan(planned, words))
		fail_msg("%s: %s", words, planned->caught.text);
	return &planned->plan;
}

static void refuse(void **state, const char *words, const char *text)
{
	struct planned *planned = *state;

	if (!plan(planned, words))
		fail_msg("%s: taken", words);
	if (!strstr(planned->caught.text, text))
		fail_msg("%s: \"%s\" has no \"%s\"", words, planned->caught.text, text);
}

/* The tests of a step by name, each with the seconds before it. */
static void assert_tests(const struct job_step *step, const char *expected)
{
	char names[512];
	size_t length = 0;

	names[0] = '\0';
	for (size_t i = 0; i < step->group_count; i++)
		length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s:%u",
					   i ? " " : "", step->groups[i].test->name,
					   step->groups[i].settle_s);
	assert_string_equal(names, expected);
}

static const char *job(void **state, size_t step)
{
	struct planned *planned = *state;
	FILE *out;

	free(planned->text);
	out = open_memstream(&planned->text, &planned->length);
	assert_non_null(out);
	job_write(out, &planned->line, &planned->plan, &planned->plan.steps[step], "/e/engine.so",
		  "/l/log.csv");
	fclose(out);
	return planned->text;
}

/* ---- throughput mode -------------------------------------------------------- */

static void iozones_tests_and_pauses(void **state)
{
	assert_tests(accept(state, "-t 2")->steps,
		     "write:0 rewrite:2 read:2 reread:2 reverse_read:4 stride_read:4 random_read:4 "
		     "mixed:4 random_write:4 pwrite:4 pread:4 fwrite:2 fread:2");
	assert_tests(accept(state, "-t 2 -i 1 -i 0 -+n -+q 3")->steps, "write:0 read:5");
	/* asked for alone, the second half of -i 2 has the pause of its own only */
	assert_tests(accept(state, "-t 2 -i 2 -+q 3")->steps, "random_read:2 random_write:7");
	assert_tests(accept(state, "-t 2 -i 6 -i 7")->steps, "fwrite:0 fread:2");
	refuse(state, "-t 2 -i 4", "there is no test to run: -i 4");
	refuse(state, "-t 2 -i 11", "there is no test to run: -i 11");
}

static void tests_that_iozone_leaves_out(void **state)
{
	const struct job_plan *made = accept(state, "-t 1 -i 0 -i 4 -i 11 -i 12 -+n");

	assert_tests(made->steps, "write:0");
	assert_int_equal(made->note_count, 3);
	made = accept(state, "-t 1 -B -+n");
	assert_int_equal(made->steps[0].group_count, 9);
	assert_int_equal(made->note_count, 1);
	refuse(state, "-t 1 -H 2 -i 6", "stdio neither maps nor is asynchronous");
	assert_tests(accept(state, "-t 1 -F a -+E -i 1 -i 3")->steps,
		     "read:0 reread:2 reverse_read:4");
}

static void a_round_for_each_number_of_children(void **state)
{
	const struct job_plan *made = accept(state, "-l 2 -u 4 -s 1m -r 16k -i 0");

	assert_int_equal(made->step_count, 3);
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(made->steps[i].children, 2 + i);
		assert_int_equal(made->steps[i].round, i);
		assert_true(made->steps[i].ends_round);
	}
	assert_int_equal(made->file_count, 4);
	assert_tests(&made->steps[0], "write:0 rewrite:2");
	assert_tests(&made->steps[1], "write:6 rewrite:2");
	made = accept(state, "-t 4 -t 2 -i 0 -w");
	assert_int_equal(made->step_count, 2);
	assert_int_equal(made->steps[0].children, 4);
	assert_tests(&made->steps[1], "write:4 rewrite:2");
	assert_int_equal(accept(state, "-u 3 -i 0")->step_count, 3);
	assert_int_equal(accept(state, "-l 3 -i 0")->step_count, 1);
}

/* fio has room for 4096 jobs. */
static void many_children_take_several_runs(void **state)
{
	const struct job_plan *made = accept(state, "-t 1024");
	unsigned int groups = 0;

	assert_int_equal(made->step_count, 5);
	for (size_t i = 0; i < made->step_count; i++) {
		assert_in_range(made->steps[i].group_count * 1024, 1, 4096);
		assert_int_equal(made->steps[i].round, 0);
		assert_int_equal(made->steps[i].ends_round, i == 4);
		groups += (unsigned int)made->steps[i].group_count;
	}
	assert_int_equal(groups, TEST_COUNT);
}

static void sizes_of_files_and_records(void **state)
{
	const struct job_step *step = accept(state, "-t 3 -i 0")->steps;

	assert_int_equal(step->size, 512 << 10);
	assert_int_equal(step->record, 4 << 10);
	step = accept(state, "-t 3 -s 1m -r 12k -i 0 -+k")->steps;
	assert_int_equal(step->size, 341 << 10);
	refuse(state, "-t 2 -s 16k -r 64k -i 0", "64 kB is above the file size of 16 kB");
	refuse(state, "-t 8 -s 16k -r 4k -i 0 -+k", "4 kB is above the file size of 2 kB");
}

/* ---- the text --------------------------------------------------------------- */

static void the_job_of_a_plain_run(void **state)
{
	accept(state, "-t 2 -s 4m -r 16k -i 0 -i 1 -+n -e");
	assert_string_equal(job(state, 0), "; iozone -t 2 -s 4m -r 16k -i 0 -i 1 -+n -e\n"
					   "[global]\n"
					   "ioengine=external:/e/engine.so\n"
					   "size=4m\n"
					   "iozone_record=16k\n"
					   "bs=4m\n"
					   "gtod_reduce=1\n"
					   "iozone_flush=1\n"
					   "iozone_check=1\n"
					   "iozone_log=/l/log.csv\n"
					   "numjobs=2\n"
					   "filename_format=iozone.DUMMY.$jobnum\n"
					   "\n"
					   "[write]\n"
					   "iozone_test=write\n"
					   "iozone_settle=0s\n"
					   "\n"
					   "[read]\n"
					   "stonewall\n"
					   "iozone_test=read\n"
					   "iozone_settle=2s\n");
}

/* A section a child: all but the first of a group without stonewall. */
static void names_take_a_section_each(void **state)
{
	const char *text;
	unsigned int sections = 0, walls = 0;

	accept(state, "-t 2 -F x:y /z/$a -s 64k -i 0 -+n -i 1");
	text = job(state, 0);
	assert_non_null(strstr(text, "\nfilename=x\\:y\n"));
	assert_non_null(strstr(text, "\nfilename=/z/$a\n"));
	assert_null(strstr(text, "numjobs"));
	for (const char *at = text; (at = strstr(at, "\n[")); at++)
		sections++;
	for (const char *at = text; (at = strstr(at, "\nstonewall\n")); at++)
		walls++;
	assert_int_equal(sections, 5);
	assert_int_equal(walls, 1);
}

static void names_that_no_job_file_holds(void **state)
{
	static const char *const names[] = { "",	":a",	   " a",  "a ", "a\nb",
					     "${HOME}", "x$ncpus", "a;b", "a#" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_non_null(job_name_trouble(names[i]));
	assert_null(job_name_trouble("/a b/c:d$e\\"));
	refuse(state, "-t 1 -F :a -i 0", "begins with a colon");
	refuse(state, "-s 64k -f :a", "begins with a colon");
}

static void children_are_bound_in_turn(void **state)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	char expected[64];
	const char *text;

	accept(state, "-t 3 -s 64k -i 0 -i 6 -+n -P 0");
	text = job(state, 0);
	snprintf(expected, sizeof(expected), "\nfilename=iozone.DUMMY.2\ncpus_allowed=%ld\n",
		 2 % online);
	assert_non_null(strstr(text, expected));
	/* fwrite binds none */
	assert_null(strstr(strstr(text, "[fwrite]"), "cpus_allowed"));
}

static void one_file_for_all(void **state)
{
	const struct job_plan *made = accept(state, "-t 3 -s 64k -i 0 -+V");
	const char *text;

	assert_int_equal(made->file_count, 1);
	text = job(state, 0);
	assert_non_null(strstr(text, "\nnumjobs=3\nfilename=iozone.DUMMY.0\n"));
	assert_null(strstr(text, "filename_format"));
}

/* ---- auto mode -------------------------------------------------------------- */

static void assert_rows(const struct job_plan *made, const char *expected)
{
	char rows[1024];
	size_t length = 0;

	rows[0] = '\0';
	for (size_t i = 0; i < made->step_count && length < sizeof(rows); i++)
		length += (size_t)snprintf(rows + length, sizeof(rows) - length, "%s%llu/%llu",
					   i ? " " : "",
					   (unsigned long long)made->steps[i].size / 1024,
					   (unsigned long long)made->steps[i].record / 1024);
	assert_string_equal(rows, expected);
}

static void rows_of_auto_mode(void **state)
{
	assert_rows(accept(state, "-i 0"), "512/4");
	assert_rows(accept(state, "-s 64k -r 16k"), "64/16");
	assert_rows(accept(state, "-a -s 64k -i 0"), "64/4 64/8 64/16 64/32 64/64");
	assert_rows(accept(state, "-a -n 64k -g 128k -q 8k -i 0"), "64/4 64/8 128/4 128/8");
	assert_rows(accept(state, "-a -n 64k -g 512k -y 16k -q 16k -+x 4 -i 0"), "64/16 256/16");
	assert_rows(accept(state, "-s 64k -s 256k -r 4k -r 64k -i 0"), "64/4 64/64 256/4 256/64");
	/* iozone goes from a size to a larger one, and never back */
	assert_rows(accept(state, "-s 256k -s 64k -r 64k -i 0"), "256/64");
	assert_rows(accept(state, "-A -s 64k -q 8k"), "64/4 64/8");
	refuse(state, "-s 1k -r 4k", "4 kB is above the file size of 1 kB");
	refuse(state, "-a -n 64k -g 128k -y 256k", "256 kB is above the file size of 64 kB");
}

/* Above 16 MB, records below 64 kB are left out, unless sizes were asked for or -z. */
static void small_records_of_large_files(void **state)
{
	assert_rows(accept(state, "-a -n 16m -g 32m -i 0"),
		    "16384/4 16384/8 16384/16 16384/32 16384/64 16384/128 16384/256 16384/512 "
		    "16384/1024 16384/2048 16384/4096 16384/8192 16384/16384 "
		    "32768/64 32768/128 32768/256 32768/512 32768/1024 32768/2048 32768/4096 "
		    "32768/8192 32768/16384");
	assert_int_equal(accept(state, "-az -n 32m -g 32m -i 0")->step_count, 13);
	assert_int_equal(accept(state, "-a -s 32m -i 0")->step_count, 13);
}

static void tests_of_a_row(void **state)
{
	assert_tests(accept(state, "-s 64k -r 16k")->steps,
		     "write:0 rewrite:0 read:0 reread:0 random_read:0 random_write:0 "
		     "reverse_read:0 rewrite:0 stride_read:0 fwrite:0 fwrite:0 fread:0 fread:0");
	assert_non_null(strstr(job(state, 0), "\n[rewrite]\nstonewall\niozone_test=rewrite\n"
					      "iozone_settle=0s\niozone_same_record=1\n"));
	assert_tests(accept(state, "-s 64k -r 16k -E -i 0 -i 9 -i 10")->steps,
		     "write:0 rewrite:0 pwrite:0 pwrite:0 pread:0 pread:0");
	assert_tests(accept(state, "-s 64k -r 16k -+n -i 0 -i 1 -i 6")->steps,
		     "write:0 read:0 fwrite:0");
	assert_tests(accept(state, "-s 64k -r 16k -B -i 0 -i 3")->steps,
		     "write:0 rewrite:0 reverse_read:0");
	assert_non_null(strstr(job(state, 0), "\niozone_stonewall=0\n"));
	assert_non_null(strstr(job(state, 0), "\nnumjobs=1\nfilename=iozone.tmp\n"));
	refuse(state, "-s 64k -i 8", "there is no test to run");
}

static const char *table(void **state, const char *words, const struct auto_row *rows, size_t count)
{
	struct planned *planned = *state;
	FILE *out;

	accept(state, words);
	free(planned->text);
	out = open_memstream(&planned->text, &planned->length);
	assert_non_null(out);
	auto_table_write(out, &planned->line, rows, count);
	fclose(out);
	return planned->text;
}

static void figures_of_the_table(void **state)
{
	const struct auto_row rows[] = { {
		.size = 64 << 10,
		.record = 16 << 10,
		.figures = { [0] = { .bytes = 64 << 10, .records = 4, .seconds = 0.001 },
			     [1] = { .bytes = 64 << 10, .records = 4, .seconds = 0.00031 } },
	} };

	assert_non_null(strstr(table(state, "-s 64k -r 16k -A", rows, 1),
			       "\n              64      16    64000   206451        0        0\n"));
	assert_non_null(strstr(table(state, "-s 64k -r 16k -A -O", rows, 1),
			       "\n              64      16     4000    12903        0        0\n"));
	assert_non_null(strstr(table(state, "-s 64k -r 16k -A -N", rows, 1),
			       "\n              64      16      250       77        0        0\n"));
	assert_non_null(strstr(table(state, "-s 64k -r 16k -i 0 -R", rows, 1),
			       "\niozone test complete.\nExcel output is below:\n\n"
			       "\"Writer report\"\n        \"16\"\n\"64\"   64000 \n\n"
			       "\"Re-writer report\"\n        \"16\"\n\"64\"   206451 \n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(iozones_tests_and_pauses, begin, end),
		cmocka_unit_test_setup_teardown(tests_that_iozone_leaves_out, begin, end),
		cmocka_unit_test_setup_teardown(a_round_for_each_number_of_children, begin, end),
		cmocka_unit_test_setup_teardown(many_children_take_several_runs, begin, end),
		cmocka_unit_test_setup_teardown(sizes_of_files_and_records, begin, end),
		cmocka_unit_test_setup_teardown(the_job_of_a_plain_run, begin, end),
		cmocka_unit_test_setup_teardown(names_take_a_section_each, begin, end),
		cmocka_unit_test_setup_teardown(names_that_no_job_file_holds, begin, end),
		cmocka_unit_test_setup_teardown(children_are_bound_in_turn, begin, end),
		cmocka_unit_test_setup_teardown(one_file_for_all, begin, end),
		cmocka_unit_test_setup_teardown(rows_of_auto_mode, begin, end),
		cmocka_unit_test_setup_teardown(small_records_of_large_files, begin, end),
		cmocka_unit_test_setup_teardown(tests_of_a_row, begin, end),
		cmocka_unit_test_setup_teardown(figures_of_the_table, begin, end),
	};

	return cmocka_run_group_tests_name("job_file", tests, NULL, NULL);
}
