// SPDX-License-Identifier: GPL-2.0-only
/* A test of a run, from what fio tells alone: some other engine, or no run log. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job_options.h"
#include "model_parts.h"

static const char not_there[] = "not in fio's output";
static const char interrupted[] = "interrupted: fio was told to stop";
static const char nothing_moved[] = "moved no byte, though fio saw no error";

struct fio_direction job_total(const struct fio_job *job)
{
	struct fio_direction total = { .sane = true };
	const struct fio_direction *read = &job->read, *write = &job->write;

	/* unified_rw_reporting: the sum of both, in place of them or beside them. */
	if (job->mixed.present && (job->mixed.bytes || !(read->bytes || write->bytes)))
		return job->mixed;
	total.present = read->present || write->present;
	total.sane = (!read->present || read->sane) && (!write->present || write->sane) &&
		     !__builtin_add_overflow(read->bytes, write->bytes, &total.bytes) &&
		     !__builtin_add_overflow(read->ios, write->ios, &total.ios);
	total.ios_known = (!read->bytes || read->ios_known) && (!write->bytes || write->ios_known);
	total.runtime_ms =
		read->runtime_ms > write->runtime_ms ? read->runtime_ms : write->runtime_ms;
	return total;
}

static bool has_options(const struct fio_output *output, const struct fio_job *job)
{
	return job->options.count || output->global.count || output->host_global_count;
}

/* ---- which test it is ---------------------------------------------------- */

static enum job_rw rw_by_bytes(const struct fio_job *job)
{
	if (job->mixed.bytes || (job->read.bytes && job->write.bytes))
		return RW_MIXED;
	if (job->read.bytes)
		return RW_READ;
	return job->write.bytes ? RW_WRITE : RW_UNKNOWN;
}

/* Readers beside writers, in one group, are the mixed test. */
static enum job_rw rw_of_group(const struct builder *builder, const struct group_parts *parts)
{
	enum job_rw group = RW_UNKNOWN;

	for (size_t i = 0; i < parts->job_count; i++) {
		const struct fio_job *job = parts->jobs[i].job;
		enum job_rw rw = job_rw(builder->output, job);

		if (rw == RW_UNKNOWN)
			rw = rw_by_bytes(job);
		/* fio's default, where options are told and this is not among them. */
		if (rw == RW_UNKNOWN && has_options(builder->output, job) &&
		    !fio_job_option(builder->output, job, "rw") &&
		    !fio_job_option(builder->output, job, "readwrite"))
			rw = RW_READ;
		if (rw == RW_UNKNOWN)
			continue;
		if (group == RW_UNKNOWN)
			group = rw;
		else if (group != rw)
			group = RW_MIXED;
	}
	return group;
}

static const struct fio_job *job_of_test(const struct run_test *test)
{
	for (size_t i = 0; i < test->child_count; i++)
		if (test->child[i].job)
			return test->child[i].job;
	return NULL;
}

static bool on_same_files(const struct builder *builder, const struct fio_job *job,
			  const struct run_test *before)
{
	const struct fio_job *other = job_of_test(before);

	if (!other)
		return false;
	/* Nothing tells: then as in IOzone's own runs. */
	if (!has_options(builder->output, job))
		return true;
	return job_same_files(builder->output, job, other);
}

/* Is there a test of one of two kinds before, on the same files? */
static bool comes_after(const struct builder *builder, const struct fio_job *job,
			const struct run_test *before, size_t count, enum iozone_test_id first,
			enum iozone_test_id second)
{
	for (size_t i = 0; i < count; i++)
		if ((before[i].test->id == first || before[i].test->id == second) &&
		    on_same_files(builder, job, &before[i]))
			return true;
	return false;
}

static const struct iozone_test *find_test(const struct builder *builder,
					   const struct group_parts *parts,
					   const struct run_test *before, size_t count)
{
	const struct iozone_test *named = named_test(builder, parts);
	const struct fio_job *job = parts->jobs[0].job;
	const char *name = job->name ? job->name : "";
	bool again;

	if (named)
		return named;
	switch (rw_of_group(builder, parts)) {
	case RW_READ:
		again = !strcmp(name, "reread") ||
			comes_after(builder, job, before, count, TEST_READ, TEST_REREAD);
		return iozone_test_row(again ? TEST_REREAD : TEST_READ);
	case RW_WRITE:
		/* With overwrite=1 fio has laid out the file beforehand. */
		again = !strcmp(name, "rewrite") || job_flag(builder->output, job, "overwrite") ||
			comes_after(builder, job, before, count, TEST_WRITE, TEST_REWRITE);
		return iozone_test_row(again ? TEST_REWRITE : TEST_WRITE);
	case RW_RANDOM_READ:
		return iozone_test_row(TEST_RANDOM_READ);
	case RW_RANDOM_WRITE:
		return iozone_test_row(TEST_RANDOM_WRITE);
	case RW_MIXED:
		return iozone_test_row(TEST_MIXED);
	default:
		return NULL;
	}
}

/* ---- how many children there are ---------------------------------------- */

/* The sum of how many children an entry is; 1 for an ordinary one. */
static unsigned int children_in_sum(const struct builder *builder, const struct fio_job *job,
				    const struct run_test *before, size_t count)
{
	const struct fio_output *output = builder->output;
	unsigned int numjobs = job_numjobs(output, job);
	uint64_t whole, bytes = job_total(job).bytes;
	bool told = job_whole_bytes(output, job, &whole);

	if (numjobs > 1)
		return job_flag(output, job, "group_reporting") || !told || bytes > whole ?
			       numjobs :
			       1;
	/* fio before 3.2x does not tell numjobs: the bytes do. */
	if (!told || fio_job_option(output, job, "numjobs"))
		return 1;
	if (bytes > whole && bytes % whole == 0 && bytes / whole <= UINT16_MAX)
		return (unsigned int)(bytes / whole);
	for (size_t i = 0; i < count; i++)
		if (before[i].summed && on_same_files(builder, job, &before[i]))
			return before[i].children;
	return 1;
}

static size_t jobs_of_source(const struct group_parts *parts, size_t first)
{
	size_t count = 1;

	while (first + count < parts->job_count &&
	       parts->jobs[first + count].source == parts->jobs[first].source)
		count++;
	return count;
}

/* Jobs of one section: neighbours of one name, on one source. */
static size_t jobs_of_section(const struct group_parts *parts, size_t first)
{
	size_t count = 1;

	while (first + count < parts->job_count &&
	       parts->jobs[first + count].source == parts->jobs[first].source &&
	       parts->jobs[first + count].job->name && parts->jobs[first].job->name &&
	       !strcmp(parts->jobs[first + count].job->name, parts->jobs[first].job->name))
		count++;
	return count;
}

/* ---- what became of a job ------------------------------------------------ */

/*
 * Our engine stops all children when the first one is done: one that is short
 * did as it should, if some other one of its group did all.
 */
static bool may_stop_short(const struct builder *builder, const struct group_parts *parts)
{
	const struct fio_output *output = builder->output;
	uint64_t whole;

	for (size_t i = 0; i < parts->job_count; i++) {
		const struct fio_job *job = parts->jobs[i].job;
		const char *stonewall = fio_job_option(output, job, "iozone_stonewall");

		if (job_is_ours(output, job) && (!stonewall || strcmp(stonewall, "0") != 0) &&
		    job_whole_bytes(output, job, &whole) && job_total(job).bytes >= whole)
			return true;
	}
	return false;
}

/* A job of one direction that has bytes in both: their sum is no figure of either. */
static bool did_both(const struct fio_output *output, const struct fio_job *job)
{
	enum job_rw rw = job_rw(output, job);

	return (rw == RW_READ || rw == RW_WRITE) && job->read.bytes && job->write.bytes;
}

static const char *failure_of_job(const struct builder *builder, const struct group_parts *parts,
				  const struct fio_job *job, unsigned int children)
{
	const struct fio_output *output = builder->output;
	struct fio_direction total = job_total(job);
	uint64_t whole;
	const char *text;

	if (job->error) {
		text = job->error < 0 ?
			       NULL :
			       arena_print(builder->arena, "fio saw an error: %s (errno %d)",
					   strerror(job->error), job->error);
		return text ? text : "fio saw an error";
	}
	if (!total.present)
		return "fio's output has no figures of it";
	if (!total.sane)
		return "its figures are no numbers that can be true";
	if (!total.bytes)
		return output->interrupted ? interrupted : nothing_moved;
	if (did_both(output, job))
		return "it read and wrote, as with verify=, though it is one of them only";
	if (job_whole_bytes(output, job, &whole) && total.bytes / children < whole &&
	    !may_stop_short(builder, parts)) {
		if (output->interrupted)
			return interrupted;
		text = arena_print(builder->arena,
				   "moved %" PRIu64 " bytes of %" PRIu64
				   ", and nothing says why it stopped",
				   total.bytes, whole * children);
		return text ? text : "stopped short of its size";
	}
	if (!total.runtime_ms)
		return "its runtime is 0 ms, too short for fio's clock";
	return NULL;
}

static void seat_job(const struct builder *builder, const struct group_parts *parts, size_t i,
		     unsigned int children, struct run_child *child)
{
	const struct job_ref *ref = &parts->jobs[i];

	child->job = ref->job;
	child->host = builder->sources[ref->source].name;
	child->failure = failure_of_job(builder, parts, ref->job, children);
	child->interrupted = child->failure == interrupted;
}

/* ---- the test ------------------------------------------------------------ */

/* Is there one entry for all children, from every source? */
static bool is_summed(const struct builder *builder, const struct group_parts *parts,
		      const struct run_test *before, size_t count)
{
	bool summed = false;

	for (size_t i = 0, n; i < parts->job_count; i += n) {
		n = jobs_of_source(parts, i);
		if (n > 1)
			return false;
		if (children_in_sum(builder, parts->jobs[i].job, before, count) > 1)
			summed = true;
	}
	return summed;
}

static int seat_sums(struct builder *builder, const struct group_parts *parts,
		     const struct run_test *before, size_t count, struct run_test *test)
{
	test->summed = true;
	if (allocate_children(builder, test, parts->job_count, parts->job_count))
		return -1;
	for (size_t i = 0; i < parts->job_count; i++) {
		unsigned int children = children_in_sum(builder, parts->jobs[i].job, before, count);

		seat_job(builder, parts, i, children, &test->child[i]);
		test->children += children;
	}
	return 0;
}

static size_t missing_in_section(const struct builder *builder, const struct group_parts *parts,
				 size_t first, size_t count)
{
	unsigned int numjobs = job_numjobs(builder->output, parts->jobs[first].job);

	return numjobs > count ? numjobs - count : 0;
}

static int seat_singles(struct builder *builder, const struct group_parts *parts,
			struct run_test *test)
{
	size_t all = 0, seat = 0;

	for (size_t i = 0, n; i < parts->job_count; i += n) {
		n = jobs_of_section(parts, i);
		all += n + missing_in_section(builder, parts, i, n);
	}
	if (allocate_children(builder, test, all, parts->job_count))
		return -1;
	for (size_t i = 0, n; i < parts->job_count; i += n) {
		size_t missing;

		n = jobs_of_section(parts, i);
		missing = missing_in_section(builder, parts, i, n);
		for (size_t k = 0; k < n; k++)
			seat_job(builder, parts, i + k, 1, &test->child[seat++]);
		for (; missing; missing--) {
			struct run_child *child = &test->child[seat++];

			child->host = builder->sources[parts->jobs[i].source].name;
			child->failure = not_there;
		}
	}
	test->children = (unsigned int)all;
	return 0;
}

static void take_sizes(const struct builder *builder, const struct fio_job *job,
		       struct run_test *test)
{
	const struct fio_output *output = builder->output;
	struct fio_direction total = job_total(job);

	if (!job_size(output, job, "iozone_record", &test->record_size) &&
	    !job_size(output, job, "bs", &test->record_size) &&
	    !job_size(output, job, "blocksize", &test->record_size))
		test->record_size = has_options(output, job) ? 4096 : 0;
	if (!test->record_size && total.ios_known && total.ios && total.bytes % total.ios == 0)
		test->record_size = total.bytes / total.ios;
	if (job_size(output, job, "size", &test->file_size) && test->record_size)
		test->file_size -= test->file_size % test->record_size;
	else if (!test->file_size && !test->summed)
		test->file_size = total.bytes;
}

static void choose_clock(const struct group_parts *parts, struct run_test *test)
{
	test->clock = CLOCK_JOB_START;
	for (size_t i = 0; i < parts->job_count; i++)
		if (!parts->jobs[i].job->has_start)
			test->clock = CLOCK_RUNTIME;
}

/*
 * A job that its runtime has ended before its size was done.  Its figures are
 * true, but of a part of the file only, as iozone's never are.
 */
static bool is_cut_by_runtime(const struct fio_output *output, const struct fio_job *job,
			      unsigned int children, uint64_t *whole)
{
	uint64_t bytes = job_total(job).bytes;

	if (job_is_ours(output, job) || !job_timed_bytes(output, job, whole))
		return false;
	return bytes && bytes / children < *whole;
}

/* Says it once a test, of its first such job. */
static void say_what_runtime_cut(const struct builder *builder, const struct group_parts *parts,
				 const struct run_test *before, size_t count,
				 const struct run_test *test)
{
	for (size_t i = 0; i < parts->job_count; i++) {
		const struct fio_job *job = parts->jobs[i].job;
		unsigned int children =
			test->summed ? children_in_sum(builder, job, before, count) : 1;
		uint64_t whole;

		if (!is_cut_by_runtime(builder->output, job, children, &whole))
			continue;
		run_lacks(builder->run, NULL, job->line,
			  "%s: %.60s moved %" PRIu64 " of %" PRIu64
			  " bytes when its runtime was over: the figures are of that part",
			  test->test->label, job->name ? job->name : "", job_total(job).bytes,
			  whole * children);
		return;
	}
}

int test_from_fio(struct builder *builder, const struct group_parts *parts,
		  const struct run_test *before, size_t before_count, struct run_test *test)
{
	int status;

	test->test = find_test(builder, parts, before, before_count);
	if (!test->test) {
		run_lacks(
			builder->run, NULL, parts->jobs[0].job->line,
			"group %u (%.60s) moved nothing, and no option tells which test it is: left out",
			parts->group, parts->jobs[0].job->name ? parts->jobs[0].job->name : "");
		return 0;
	}
	test->guessed = !named_test(builder, parts);
	if (is_summed(builder, parts, before, before_count))
		status = seat_sums(builder, parts, before, before_count, test);
	else
		status = seat_singles(builder, parts, test);
	if (status)
		return -1;
	test->hosts = 1;
	for (size_t i = 1; i < parts->job_count; i++)
		test->hosts += parts->jobs[i].source != parts->jobs[i - 1].source;
	take_sizes(builder, parts->jobs[0].job, test);
	choose_clock(parts, test);
	say_what_runtime_cut(builder, parts, before, before_count, test);
	return 0;
}
