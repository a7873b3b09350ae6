// SPDX-License-Identifier: GPL-2.0-only
/* The figures of a run, test by test. */
#include <math.h>
#include <stdlib.h>

#include "arena_text.h"
#include "figures.h"
#include "model.h"

/* IOzone's clock ticks so often; no child is faster than a tick. */
#define TICK_S 1e-6

static double seconds_of(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0;
}

static double at_least_a_tick(double seconds)
{
	return seconds > TICK_S ? seconds : TICK_S;
}

double cpu_utilization(double cpu_s, double wall_s)
{
	return wall_s > 0 ? 100 * cpu_s / wall_s : 0;
}

/* ---- a child ------------------------------------------------------------- */

static void measure_by_log(const struct run_log_line *line, struct child_figures *child)
{
	child->bytes = line->bytes;
	child->records = line->records;
	child->file = line->file;
	child->job = line->job;
	child->error = line->error < 4096 ? (int)line->error : -1;
	child->error_offset = line->error_offset;
	child->seconds = at_least_a_tick(seconds_of(line->start_ns, line->stop_ns) -
					 (double)line->excluded_ns / 1e9);
	child->cpu_s = ((double)line->user_ns + (double)line->system_ns) / 1e9;
	child->wall_s = (double)line->wall_ns / 1e9;
}

static void measure_by_fio(const struct fio_job *job, uint64_t record_size,
			   struct child_figures *child)
{
	struct fio_direction total = job_total(job);
	double percent = job->user_cpu + job->system_cpu;

	child->bytes = total.bytes;
	child->records = record_size ? total.bytes / record_size : total.ios;
	child->job = job->name;
	child->error = job->error;
	child->seconds = (double)total.runtime_ms / 1e3;
	child->wall_s = child->seconds;
	child->cpu_s = isfinite(percent) && percent > 0 ? percent / 100 * child->seconds : 0;
}

static void finish_child(struct child_figures *child)
{
	child->kb = (double)child->bytes / 1024;
	child->ops = (double)child->records;
	if (child->seconds > 0) {
		child->kb_per_s = child->kb / child->seconds;
		child->ops_per_s = child->ops / child->seconds;
	}
	/* CPU clocks tick apart from the wall's. */
	if (child->wall_s < child->cpu_s)
		child->wall_s = child->cpu_s;
}

static void measure_child(const struct run_test *test, const struct run_child *from,
			  struct child_figures *child)
{
	child->number = from->number;
	child->host = from->host;
	child->failure = from->failure;
	if (from->line)
		measure_by_log(from->line, child);
	else if (from->job && (!from->failure || test->clock != CLOCK_RUN_LOG))
		measure_by_fio(from->job, test->record_size, child);
	finish_child(child);
}

/* ---- a test --------------------------------------------------------------- */

static void add_child(const struct child_figures *child, struct test_figures *figures, bool first)
{
	struct throughput *kb = &figures->kb, *ops = &figures->ops;

	kb->children += child->kb_per_s;
	ops->children += child->ops_per_s;
	kb->min = first ? child->kb_per_s : fmin(kb->min, child->kb_per_s);
	ops->min = first ? child->ops_per_s : fmin(ops->min, child->ops_per_s);
	kb->max = fmax(kb->max, child->kb_per_s);
	ops->max = fmax(ops->max, child->ops_per_s);
	kb->min_xfer = first ? child->kb : fmin(kb->min_xfer, child->kb);
	ops->min_xfer = first ? child->ops : fmin(ops->min_xfer, child->ops);
	figures->cpu_s += child->cpu_s;
	figures->wall_s = fmax(figures->wall_s, child->wall_s);
	figures->bytes += child->bytes;
}

/* From the release to the last child's end, by the run log. */
static double parent_by_log(const struct run_test *test, struct test_figures *figures)
{
	uint64_t first_start = UINT64_MAX, last_start = 0, first_stop = UINT64_MAX;
	uint64_t last_stop = 0, last_done = 0, release = UINT64_MAX;

	for (size_t i = 0; i < test->child_count; i++) {
		const struct run_log_line *line = test->child[i].line;

		release = line->release_ns < release ? line->release_ns : release;
		first_start = line->start_ns < first_start ? line->start_ns : first_start;
		last_start = line->start_ns > last_start ? line->start_ns : last_start;
		first_stop = line->stop_ns < first_stop ? line->stop_ns : first_stop;
		last_stop = line->stop_ns > last_stop ? line->stop_ns : last_stop;
		last_done = line->done_ns > last_done ? line->done_ns : last_done;
		figures->tail_bytes += line->tail_bytes;
	}
	figures->has_moments = test->hosts == 1;
	figures->start_spread_s = seconds_of(first_start, last_start);
	figures->stop_spread_s = seconds_of(first_stop, last_stop);
	figures->settle_s = seconds_of(last_stop, last_done);
	figures->release_to_end_s = at_least_a_tick(seconds_of(release, last_done));
	return figures->release_to_end_s;
}

static double parent_by_fio(const struct run_test *test)
{
	uint64_t first = UINT64_MAX, last = 0, longest = 0;

	for (size_t i = 0; i < test->child_count; i++) {
		const struct fio_job *job = test->child[i].job;
		uint64_t end, runtime = job_total(job).runtime_ms;

		if (__builtin_add_overflow(job->start_ms, runtime, &end))
			end = UINT64_MAX;
		first = job->start_ms < first ? job->start_ms : first;
		last = end > last ? end : last;
		longest = runtime > longest ? runtime : longest;
	}
	return (double)(test->clock == CLOCK_JOB_START ? last - first : longest) / 1e3;
}

static void finish_test(const struct run_test *test, struct test_figures *figures)
{
	double seconds =
		test->clock == CLOCK_RUN_LOG ? parent_by_log(test, figures) : parent_by_fio(test);

	figures->kb.avg = figures->kb.children / test->children;
	figures->ops.avg = figures->ops.children / test->children;
	if (seconds > 0) {
		double records = 0;

		for (size_t i = 0; i < figures->child_count; i++)
			records += figures->child[i].ops;
		figures->kb.parent = (double)figures->bytes / 1024 / seconds;
		figures->ops.parent = records / seconds;
	}
}

static bool knows_records(const struct run_test *test)
{
	if (test->record_size)
		return true;
	for (size_t i = 0; i < test->child_count; i++)
		if (!test->child[i].job || !job_total(test->child[i].job).ios_known)
			return false;
	return true;
}

static enum figures_state state_of(const struct run_test *test)
{
	if (test->failed || !test->children)
		return FIGURES_FAILED;
	if (test->interrupted)
		return FIGURES_INTERRUPTED;
	return test->summed ? FIGURES_SUMS : FIGURES_WHOLE;
}

static void measure_test(const struct run *run, const struct run_test *test,
			 struct test_figures *figures)
{
	figures->test = test->test;
	figures->round = test->round;
	figures->group = test->group;
	figures->children = test->children;
	figures->state = state_of(test);
	figures->has_parent = !run->output->client_server;
	figures->has_ops = knows_records(test);
	figures->has_cpu = true;
	figures->record_size = test->record_size;
	figures->file_size = test->file_size;
	for (size_t i = 0; i < test->child_count; i++) {
		measure_child(test, &test->child[i], &figures->child[i]);
		figures->missing += figures->child[i].failure && !test->summed;
	}
	if (figures->state != FIGURES_WHOLE && figures->state != FIGURES_SUMS)
		return;
	for (size_t i = 0; i < test->child_count; i++)
		add_child(&figures->child[i], figures, i == 0);
	finish_test(test, figures);
}

int figures_of_run(const struct run *run, struct figures *figures)
{
	struct arena *arena = arena_new();

	*figures = (struct figures){ .rounds = run->rounds, .memory = arena };
	if (!arena)
		return -1;
	figures->test = arena_zeros(arena, run->count + 1, sizeof(*figures->test));
	for (size_t i = 0; figures->test && i < run->count; i++) {
		const struct run_test *test = &run->test[i];
		struct test_figures *of = &figures->test[i];

		of->child = arena_zeros(arena, test->child_count + 1, sizeof(*of->child));
		if (!of->child)
			break;
		of->child_count = test->child_count;
		measure_test(run, test, of);
		figures->count++;
	}
	if (figures->test && figures->count == run->count)
		return 0;
	figures_free(figures);
	return -1;
}

void figures_free(struct figures *figures)
{
	arena_free(figures->memory);
	*figures = (struct figures){ .count = 0 };
}
