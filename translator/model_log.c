// SPDX-License-Identifier: GPL-2.0-only
/* A test of a run, from the lines that its children left in the run log. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job_options.h"
#include "message.h"
#include "model_parts.h"

static const char no_line[] = "left no line in the run log";
static const char never_ran[] = "did not run";
static const char interrupted[] = "interrupted: fio was told to stop";
static const char no_flag[] = "stopped before its end, though no child raised the stop flag";

/* The lines and the jobs of one source in a group. */
struct share {
	const struct line_ref *lines;
	size_t line_count;
	const struct job_ref *jobs;
	size_t job_count;
	unsigned int children;
	unsigned int first; /* number of its first child in the test */
};

static int contradiction(const struct line_ref *ref, const char *what)
{
	complain(ref->log->name, ref->number, "%s", what);
	return -1;
}

static bool succeeded(const struct run_log_line *line)
{
	return !strcmp(line->end, RUN_LOG_END_FINISHED) || !strcmp(line->end, RUN_LOG_END_STOPPED);
}

/* Two lines of one group and source, neighbours in order of the children. */
static int check_pair(const struct line_ref *a, const struct line_ref *b)
{
	char text[160];

	if (a->line->child == b->line->child) {
		snprintf(text, sizeof(text),
			 "child %" PRIu64 " of group %" PRIu64
			 " has a line already: line %llu of %.60s",
			 b->line->child, b->line->group, a->number,
			 a->log == b->log ? "this file" : a->log->name);
		return contradiction(b, text);
	}
	if (a->line->children != b->line->children) {
		snprintf(text, sizeof(text),
			 "group %" PRIu64 " has %" PRIu64 " children here and %" PRIu64
			 " in line %llu",
			 b->line->group, b->line->children, a->line->children, a->number);
		return contradiction(b, text);
	}
	return 0;
}

/* All children of a group do the same test, and one release lets them go. */
static int check_group(const struct group_parts *parts)
{
	const struct line_ref *first = &parts->lines[0];
	const struct line_ref *released = NULL;

	for (size_t i = 0; i < parts->line_count; i++) {
		const struct line_ref *ref = &parts->lines[i];
		char text[160];

		if (strcmp(ref->line->test, first->line->test) != 0) {
			snprintf(text, sizeof(text),
				 "group %u does %s here and %s in line %llu of %.60s", parts->group,
				 ref->line->test, first->line->test, first->number,
				 first->log == ref->log ? "this file" : first->log->name);
			return contradiction(ref, text);
		}
		if (i && ref[-1].source == ref->source && check_pair(&ref[-1], ref))
			return -1;
		if (released && released->source != ref->source)
			released = NULL;
		if (!succeeded(ref->line))
			continue;
		if (released && released->line->release_ns != ref->line->release_ns) {
			snprintf(text, sizeof(text),
				 "group %u has a release here that is not the one of line %llu",
				 parts->group, released->number);
			return contradiction(ref, text);
		}
		released = ref;
	}
	return 0;
}

/* The next source's lines and jobs: both are in order of their sources. */
static struct share next_share(const struct builder *builder, struct group_parts *rest,
			       unsigned int source)
{
	struct share share = { .lines = rest->lines, .jobs = rest->jobs };

	while (share.line_count < rest->line_count &&
	       share.lines[share.line_count].source == source)
		share.line_count++;
	while (builder->jobs_have_source && share.job_count < rest->job_count &&
	       share.jobs[share.job_count].source == source)
		share.job_count++;
	rest->lines += share.line_count;
	rest->line_count -= share.line_count;
	rest->jobs += share.job_count;
	rest->job_count -= share.job_count;
	if (share.line_count)
		share.children = (unsigned int)share.lines[0].line->children;
	else if (share.job_count == 1)
		share.children = job_numjobs(builder->output, share.jobs[0].job);
	else
		share.children = (unsigned int)share.job_count;
	return share;
}

static const char *error_text(const struct builder *builder, uint64_t error)
{
	return error && error < 4096 ? strerror((int)error) :
				       arena_print(builder->arena, "error %" PRIu64, error);
}

/* What the engine's words leave out of where and why. */
static const char *failure_details(const struct builder *builder, const struct run_log_line *line)
{
	const char *error = error_text(builder, line->error);
	char offset[48] = "";

	if (line->start_ns && !strstr(line->message, "offset"))
		snprintf(offset, sizeof(offset), " at offset %" PRIu64, line->error_offset);
	if (error && strstr(line->message, error))
		error = NULL;
	return arena_print(builder->arena, "failed%s%s%s%s%s (errno %" PRIu64 ")", offset,
			   *line->message ? ": " : "", line->message, error ? ": " : "",
			   error ? error : "", line->error);
}

static const char *failure_of_line(const struct builder *builder, const struct run_log_line *line)
{
	const char *text;

	if (!strcmp(line->end, RUN_LOG_END_STOPPED) && !line->flag_ns)
		return builder->output->interrupted ? interrupted : no_flag;
	if (succeeded(line))
		return NULL;
	if (!strcmp(line->end, RUN_LOG_END_INTERRUPTED))
		return interrupted;
	if (!strcmp(line->end, RUN_LOG_END_KILLED))
		text = arena_print(builder->arena, "killed%s%s", *line->message ? ": " : "",
				   line->message);
	else if (line->error)
		text = failure_details(builder, line);
	else
		text = arena_print(builder->arena, "failed%s%s", *line->message ? ": " : "",
				   line->message);
	/* The same words are the same text, so that neighbours can share a message. */
	if (text)
		text = arena_string(builder->arena, text, strlen(text));
	return text ? text : "failed";
}

/* fio counted what the engine told it, so the two have to agree. */
static bool bytes_agree(const struct builder *builder, const struct fio_job *job, uint64_t bytes)
{
	uint64_t counted = job_total(job).bytes;

	/* Terse figures are whole KiB. */
	if (builder->output->format == FIO_TERSE)
		return counted / 1024 == bytes / 1024;
	return counted == bytes;
}

static void judge_child(const struct builder *builder, struct run_child *child)
{
	const struct fio_job *job = child->job;
	const char *text;

	if (child->line)
		child->failure = failure_of_line(builder, child->line);
	else
		child->failure = builder->output->interrupted ? interrupted : no_line;
	child->interrupted = child->failure == interrupted;
	if (!job || (child->line && child->failure))
		return;
	if (job->error) {
		text = job->error < 0 ? "error" : error_text(builder, (unsigned int)job->error);
		text = arena_print(builder->arena, "fio saw an error: %s%s", text,
				   child->line ? "" : ", and it left no line in the run log");
	} else if (child->line && !bytes_agree(builder, job, child->line->bytes)) {
		text = arena_print(builder->arena,
				   "%" PRIu64 " bytes in the run log, %" PRIu64 " in fio's output",
				   child->line->bytes, job_total(job).bytes);
	} else {
		return;
	}
	child->failure = text ? text : "fio saw an error";
	child->interrupted = false;
}

/* How many of the jobs from first on are of one section. */
static unsigned int section_length(const struct builder *builder, const struct share *share,
				   unsigned int first)
{
	const struct fio_job *job = share->jobs[first].job;
	unsigned int length = 1, numjobs = job_numjobs(builder->output, job);

	while (first + length < share->job_count && job->name &&
	       share->jobs[first + length].job->name &&
	       !strcmp(share->jobs[first + length].job->name, job->name))
		length++;
	/* Terse output has names only. */
	return builder->output->format == FIO_TERSE || length < numjobs ? length : numjobs;
}

/*
 * Gives each child its job.  fio has the jobs of a section in the order 0,
 * n-1, n-2, ... 1; the engine's children have the numbers of their files.
 */
static void seat_jobs(const struct builder *builder, const struct share *share,
		      struct run_test *test)
{
	for (unsigned int first = 0, length; first < share->job_count; first += length) {
		struct run_child *section = &test->child[share->first + first];

		length = section_length(builder, share, first);
		section[0].job = share->jobs[first].job;
		for (unsigned int i = 1; i < length; i++)
			section[length - i].job = share->jobs[first + i].job;
	}
}

static void seat_children(const struct builder *builder, const struct share *share,
			  const char *host, struct run_test *test)
{
	for (unsigned int i = 0; i < share->children; i++)
		test->child[share->first + i].host = host;
	if (share->job_count == share->children)
		seat_jobs(builder, share, test);
	for (size_t i = 0; i < share->line_count; i++)
		test->child[share->first + share->lines[i].line->child].line = share->lines[i].line;
	for (unsigned int i = 0; i < share->children; i++) {
		struct run_child *child = &test->child[share->first + i];

		judge_child(builder, child);
		if (!share->line_count && child->failure == no_line)
			child->failure = never_ran;
	}
}

/* One entry of fio's for many children: it can only be held against their sum. */
static void compare_sum(struct builder *builder, const struct share *share, struct run_test *test)
{
	const struct fio_job *job = share->jobs[0].job;
	uint64_t bytes = 0;
	bool told = false;

	for (unsigned int i = 0; i < share->children; i++) {
		const struct run_child *child = &test->child[share->first + i];

		told |= child->failure != NULL;
		bytes += child->line ? child->line->bytes : 0;
	}
	if (told)
		return;
	if (!job->error && bytes_agree(builder, job, bytes))
		return;
	test->failed = true;
	if (job->error)
		run_lacks(builder->run, NULL, job->line, "%s: fio saw an error in group %u: %s",
			  test->test->label, test->group,
			  job->error < 0 ? "error" : strerror(job->error));
	else
		run_lacks(builder->run, NULL, job->line,
			  "%s: %" PRIu64 " bytes in the run log, %" PRIu64 " in fio's output",
			  test->test->label, bytes, job_total(job).bytes);
}

static void compare_jobs(struct builder *builder, const struct share *share, struct run_test *test)
{
	unsigned long long line;
	unsigned int numjobs;

	if (!share->job_count)
		return;
	line = share->jobs[0].job->line;
	/* Of one entry for many, the options are those of the last section. */
	numjobs = job_numjobs(builder->output, share->jobs[0].job);
	if (share->job_count == 1 && numjobs > share->children) {
		test->failed = true;
		run_lacks(builder->run, NULL, line,
			  "%s: %u children by the run log, where numjobs is %u", test->test->label,
			  share->children, numjobs);
	} else if (share->job_count == 1 && share->children > 1) {
		compare_sum(builder, share, test);
	} else if (share->job_count != share->children) {
		test->failed = true;
		run_lacks(builder->run, NULL, line,
			  "%s: %u children by the run log, %zu jobs in fio's output",
			  test->test->label, share->children, share->job_count);
	}
}

static void take_sizes(struct builder *builder, struct run_test *test)
{
	bool differ = false;

	for (size_t i = 0; i < test->child_count; i++) {
		const struct run_log_line *line = test->child[i].line;

		if (!line)
			continue;
		if (!test->record_size) {
			test->record_size = line->record;
			test->file_size = line->file_size;
		}
		differ |= line->record != test->record_size || line->file_size != test->file_size;
	}
	if (differ)
		run_note(
			builder->run, NULL, 0,
			"%s: the children's records or files differ in size; the header has the first's",
			test->test->label);
}

/* Which test it is: the log says it, or else the jobs' options. */
static int name_test(struct builder *builder, const struct group_parts *parts,
		     struct run_test *test)
{
	if (parts->line_count) {
		test->test = iozone_test_named(parts->lines[0].line->test);
		for (size_t i = 0; i < builder->name_count; i++)
			if (builder->names[i].group == parts->group &&
			    builder->names[i].test != test->test) {
				complain(builder->output->name, 0,
					 "--test %u=%s: the run log says it is %s", parts->group,
					 builder->names[i].test->name, test->test->name);
				return -1;
			}
		return 0;
	}
	test->test = named_test(builder, parts);
	if (!test->test)
		run_lacks(
			builder->run, NULL, parts->jobs[0].job->line,
			"group %u is not in the run log, and nothing says which test it is: left out",
			parts->group);
	return 0;
}

int test_from_log(struct builder *builder, const struct group_parts *parts, struct run_test *test)
{
	unsigned int sources = builder->source_count ? builder->source_count : 1;
	struct group_parts rest = *parts;
	struct share *shares;

	if (check_group(parts) || name_test(builder, parts, test))
		return -1;
	if (!test->test)
		return 0;
	shares = arena_zeros(builder->arena, sources, sizeof(*shares));
	for (unsigned int i = 0; shares && i < sources; i++) {
		shares[i] = next_share(builder, &rest, i);
		shares[i].first = test->children;
		test->children += shares[i].children;
		test->hosts += shares[i].children > 0;
	}
	if (!shares) {
		complain(builder->output->name, 0, "not enough memory for the run");
		return -1;
	}
	if (allocate_children(builder, test, test->children,
			      parts->line_count > parts->job_count ? parts->line_count :
								     parts->job_count))
		return -1;
	test->clock = CLOCK_RUN_LOG;
	for (unsigned int i = 0; i < sources; i++) {
		seat_children(builder, &shares[i],
			      builder->source_count ? builder->sources[i].name : NULL, test);
		compare_jobs(builder, &shares[i], test);
	}
	take_sizes(builder, test);
	return 0;
}
