// SPDX-License-Identifier: GPL-2.0-only
/* The figures, against ones worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "caught_stderr.h"
#include "figures.h"
#include "made_run.h"
#include "model.h"

struct worked_out {
	struct made made;
	struct run run;
	struct figures figures;
	struct caught_stderr caught;
};

static int begin(void **state)
{
	struct worked_out *out = calloc(1, sizeof(*out));

	if (!out)
		return -1;
	made_begin(&out->made);
	*state = out;
	return 0;
}

static int end(void **state)
{
	struct worked_out *out = *state;

	figures_free(&out->figures);
	run_free(&out->run);
	free(out);
	return 0;
}

static struct test_figures *work_out(struct worked_out *out, size_t count)
{
	size_t logs = out->made.log.count ? 1 : 0;
	int status;

	catch_stderr(&out->caught);
	status = run_build(&out->made.output, &out->made.log, logs, NULL, 0, &out->run);
	release_stderr(&out->caught);
	if (status)
		fail_msg("%s", out->caught.text);
	assert_int_equal(figures_of_run(&out->run, &out->figures), 0);
	assert_int_equal(out->figures.count, count);
	return out->figures.test;
}

static void assert_near(double figure, double expected)
{
	double difference = figure - expected;

	if (difference < -1e-6 * (expected + 1) || difference > 1e-6 * (expected + 1))
		fail_msg("%.9f is not %.9f", figure, expected);
}

/*
 * Child 0: 100 KiB in 10 ms, 10000 KiB/s.  Child 1: 40 KiB in 8 ms, 5000.
 * They leave 1 ms after their stops: the last at 11 ms, unless told otherwise.
 */
static void two_children(struct made *made, const char *test)
{
	made_pair(made, 0, test, 0, 2, 100, 10);
	made_pair(made, 0, test, 1, 2, 40, 8);
}

static void sums_of_a_run_log(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	two_children(&out->made, "read");
	test = work_out(out, 1);
	assert_int_equal(test->state, FIGURES_WHOLE);
	assert_int_equal(test->test->id, TEST_READ);
	assert_int_equal(test->children, 2);
	assert_near(test->kb.children, 15000);
	assert_near(test->kb.parent, 140 / 0.011);
	assert_near(test->kb.min, 5000);
	assert_near(test->kb.max, 10000);
	assert_near(test->kb.avg, 7500);
	assert_near(test->kb.min_xfer, 40);
	/* A record is a KiB here, so with -O the figures are the same. */
	assert_near(test->ops.children, 15000);
	assert_near(test->ops.parent, 140 / 0.011);
	assert_near(test->ops.min_xfer, 40);
	assert_string_equal(out->caught.text, "");
	assert_true(out->run.whole);
}

static void records_count_by_their_number(void **state)
{
	struct worked_out *out = *state;
	struct run_log_line *line = made_line(&out->made, 0, "read", 0, 1, 100, 10);
	struct fio_job *job = made_job(&out->made, 0, "r", "read", 25 * 4096, 10);
	struct test_figures *test;

	made_option(job, RUN_LOG_RUN_OPTION, MADE_RUN);
	line->record = 4096;
	line->records = 25;
	line->bytes = line->file_size = 25 * 4096;
	test = work_out(out, 1);
	assert_near(test->ops.children, 2500);
	assert_near(test->ops.min_xfer, 25);
	assert_near(test->kb.children, 10000);
}

static void parent_counts_the_tail(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	two_children(&out->made, "write");
	/* 60 records more, and it leaves at 35 ms. */
	out->made.lines[1].tail_bytes = 60 * 1024;
	out->made.lines[1].done_ns = 1035000000;
	test = work_out(out, 1);
	assert_near(test->kb.children, 15000);
	assert_near(test->kb.min_xfer, 40);
	assert_near(test->kb.parent, 140 / 0.035);
	assert_int_equal(test->bytes, 140 * 1024);
	assert_int_equal(test->tail_bytes, 60 * 1024);
	assert_near(test->release_to_end_s, 0.035);
	assert_near(test->stop_spread_s, 0.002);
	assert_near(test->settle_s, 0.025);
}

static void parent_begins_at_the_release(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	two_children(&out->made, "read");
	/* The last one gets a processor 3 ms late: its own clock starts then. */
	out->made.lines[1].start_ns += 3000000;
	test = work_out(out, 1);
	assert_near(test->kb.parent, 140 / 0.011);
	assert_near(test->child[1].kb_per_s, 40 / 0.005);
	assert_near(test->start_spread_s, 0.003);
}

static void excluded_time_is_taken_out(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	made_pair(&out->made, 0, "read", 0, 1, 100, 10)->excluded_ns = 6000000;
	test = work_out(out, 1);
	assert_near(test->kb.children, 100 / 0.004);
	assert_near(test->kb.parent, 100 / 0.011);
}

static void no_time_is_below_a_tick(void **state)
{
	struct worked_out *out = *state;
	struct run_log_line *line = made_pair(&out->made, 0, "read", 0, 1, 100, 0);
	struct test_figures *test;

	line->stop_ns = line->start_ns + 3;
	line->done_ns = line->stop_ns;
	test = work_out(out, 1);
	assert_near(test->kb.children, 100 / 1e-6);
	assert_near(test->kb.parent, 100 / 1e-6);
}

/* IOzone takes the first child's 0 for "not set yet"; the smallest is 0. */
static void smallest_may_be_zero_and_first(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	made_pair(&out->made, 0, "read", 0, 2, 0, 10);
	made_pair(&out->made, 0, "read", 1, 2, 100, 10);
	/* A child that was stopped before its first record has done its part. */
	out->made.jobs[0].read.runtime_ms = 0;
	test = work_out(out, 1);
	assert_int_equal(test->state, FIGURES_WHOLE);
	assert_near(test->kb.min, 0);
	assert_near(test->kb.min_xfer, 0);
	assert_near(test->kb.max, 10000);
	assert_near(test->kb.avg, 5000);
}

static void cpu_is_a_sum_and_wall_the_longest(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	two_children(&out->made, "read");
	/* CPU time above wall time: the clocks tick apart. */
	out->made.lines[1].user_ns = 20000000;
	test = work_out(out, 1);
	assert_true(test->has_cpu);
	assert_near(test->cpu_s, 0.003 + 0.022);
	assert_near(test->wall_s, 0.022);
	assert_near(test->child[0].wall_s, 0.010);
	assert_near(test->child[1].wall_s, 0.022);
	assert_near(cpu_utilization(0.025, 0.022), 113.636363636);
	assert_near(cpu_utilization(1, 0), 0);
}

static void failed_test_has_no_sums(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	two_children(&out->made, "write");
	out->made.lines[1].end = "failed";
	out->made.lines[1].error = 28;
	out->made.lines[1].error_offset = 40960;
	test = work_out(out, 1);
	assert_int_equal(test->state, FIGURES_FAILED);
	assert_int_equal(test->missing, 1);
	assert_near(test->kb.children, 0);
	assert_near(test->kb.parent, 0);
	assert_null(test->child[0].failure);
	assert_near(test->child[0].kb_per_s, 10000);
	assert_non_null(test->child[1].failure);
	assert_int_equal(test->child[1].error, 28);
	assert_int_equal(test->child[1].error_offset, 40960);
}

/* ---- fio alone ---------------------------------------------------------------- */

static void fio_alone_with_the_longest_runtime(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	made_job(&out->made, 0, "r", "read", 100 * 1024, 10);
	made_job(&out->made, 0, "r", "read", 100 * 1024, 20);
	made_global(&out->made, "bs", "4k");
	made_global(&out->made, "numjobs", "2");
	test = work_out(out, 1);
	assert_int_equal(test->state, FIGURES_WHOLE);
	assert_near(test->kb.children, 10000 + 5000);
	assert_near(test->kb.parent, 200 / 0.020);
	assert_near(test->kb.min, 5000);
	assert_near(test->kb.min_xfer, 100);
	assert_near(test->ops.children, 2500 + 1250);
	assert_false(test->has_moments);
}

static void fio_alone_with_job_start(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	for (unsigned int i = 0; i < 2; i++) {
		struct fio_job *job = made_job(&out->made, 0, "r", "read", 100 * 1024, 10);

		job->has_start = true;
		job->start_ms = 1796065689008 + 5 * i;
	}
	test = work_out(out, 1);
	assert_near(test->kb.children, 20000);
	assert_near(test->kb.parent, 200 / 0.015);
}

static void fio_alone_reads_and_writes(void **state)
{
	struct worked_out *out = *state;
	struct fio_job *job = made_job(&out->made, 0, "m", "rw", 60 * 1024, 10);
	struct test_figures *test;

	job->read = (struct fio_direction){
		.present = true, .sane = true, .bytes = 40 * 1024, .runtime_ms = 8
	};
	test = work_out(out, 1);
	assert_int_equal(test->test->id, TEST_MIXED);
	assert_near(test->kb.children, 100 / 0.010);
	assert_near(test->kb.min_xfer, 100);
}

static void fio_alone_unified_counts_once(void **state)
{
	struct worked_out *out = *state;
	struct fio_job *job = made_job(&out->made, 0, "m", "rw", 60 * 1024, 10);
	struct test_figures *test;

	job->read = (struct fio_direction){
		.present = true, .sane = true, .bytes = 40 * 1024, .runtime_ms = 8
	};
	job->mixed = (struct fio_direction){
		.present = true, .sane = true, .bytes = 100 * 1024, .runtime_ms = 12
	};
	test = work_out(out, 1);
	assert_near(test->kb.children, 100 / 0.012);
}

static void fio_alone_cpu(void **state)
{
	struct worked_out *out = *state;
	struct fio_job *job = made_job(&out->made, 0, "r", "read", 100 * 1024, 100);
	struct test_figures *test;

	job->user_cpu = 10;
	job->system_cpu = 30;
	test = work_out(out, 1);
	assert_near(test->cpu_s, 0.040);
	assert_near(test->wall_s, 0.100);
}

static void group_reporting_has_sums_only(void **state)
{
	struct worked_out *out = *state;
	struct test_figures *test;

	made_job(&out->made, 0, "r", "read", 400 * 1024, 20);
	made_global(&out->made, "group_reporting", "");
	made_global(&out->made, "numjobs", "4");
	test = work_out(out, 1);
	assert_int_equal(test->state, FIGURES_SUMS);
	assert_int_equal(test->children, 4);
	assert_near(test->kb.children, 20000);
	assert_near(test->kb.avg, 5000);
}

#define UNIT(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT(sums_of_a_run_log),
		UNIT(records_count_by_their_number),
		UNIT(parent_counts_the_tail),
		UNIT(parent_begins_at_the_release),
		UNIT(excluded_time_is_taken_out),
		UNIT(no_time_is_below_a_tick),
		UNIT(smallest_may_be_zero_and_first),
		UNIT(cpu_is_a_sum_and_wall_the_longest),
		UNIT(failed_test_has_no_sums),
		UNIT(fio_alone_with_the_longest_runtime),
		UNIT(fio_alone_with_job_start),
		UNIT(fio_alone_reads_and_writes),
		UNIT(fio_alone_unified_counts_once),
		UNIT(fio_alone_cpu),
		UNIT(group_reporting_has_sums_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
