// SPDX-License-Identifier: GPL-2.0-only
/* A run: fio's output and the run logs that belong to it, brought together. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job_options.h"
#include "message.h"
#include "model.h"
#include "model_parts.h"

/* fio has room for so many jobs, and a group has one at least. */
#define TESTS_MAX 4096
#define HOSTS_MAX 1024
#define MISSING_MAX 65536
/* Global options times jobs: 100 servers have a tenth of it. */
#define OPTIONS_MAX (1 << 24)

static int out_of_memory(const struct builder *builder)
{
	complain(builder->output->name, 0, "not enough memory for the run");
	return -1;
}

/* ---- what is said ------------------------------------------------------- */

static void keep_note(struct run *run, const char *text)
{
	/* At every power of two the list doubles. */
	if (!(run->note_count & (run->note_count - 1))) {
		size_t room = run->note_count ? run->note_count * 2 : 1;
		const char **notes = reallocarray(run->notes, room, sizeof(*notes));

		if (!notes)
			return;
		run->notes = notes;
	}
	run->notes[run->note_count] = arena_string(run->memory, text, strlen(text));
	if (run->notes[run->note_count])
		run->note_count++;
}

static void say(struct run *run, const char *file, unsigned long long line, const char *format,
		va_list arguments)
{
	char text[2048];

	vsnprintf(text, sizeof(text), format, arguments);
	complain(file ? file : run->output->name, line, "%s", text);
	keep_note(run, text);
}

void run_note(struct run *run, const char *file, unsigned long long line, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(run, file, line, format, arguments);
	va_end(arguments);
}

void run_lacks(struct run *run, const char *file, unsigned long long line, const char *format, ...)
{
	va_list arguments;

	run->whole = false;
	va_start(arguments, format);
	say(run, file, line, format, arguments);
	va_end(arguments);
}

/* ---- sources: the fios that ran children -------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct source *add_source(struct builder *builder)
{
	unsigned int count = builder->source_count;
	struct source *sources;

	if (!(count & (count - 1))) {
		sources = reallocarray(builder->sources, count ? count * 2 : 1, sizeof(*sources));
		if (!sources)
			return NULL;
		builder->sources = sources;
	}
	builder->sources[count] = (struct source){ .name = NULL };
	builder->source_count++;
	return &builder->sources[count];
}

/* The source of a job, by number; -1 when there is none yet. */
static int source_of_job(const struct builder *builder, const struct fio_job *job)
{
	if (!builder->output->client_server)
		return builder->source_count ? 0 : -1;
	for (unsigned int i = 0; i < builder->source_count; i++)
		if (same_text(builder->sources[i].host, job->host) &&
		    builder->sources[i].port == job->port)
			return (int)i;
	return -1;
}

static int learn_source(struct builder *builder, const struct fio_job *job)
{
	const char *run_id = fio_job_option(builder->output, job, RUN_LOG_RUN_OPTION);
	int number = source_of_job(builder, job);
	struct source *source = number < 0 ? add_source(builder) : &builder->sources[number];

	if (!source)
		return out_of_memory(builder);
	if (builder->source_count > HOSTS_MAX) {
		complain(builder->output->name, job->line, "more than %d hosts", HOSTS_MAX);
		return -1;
	}
	if (number < 0 && builder->output->client_server) {
		source->host = job->host;
		source->port = job->port;
	}
	if (!source->run_id)
		source->run_id = run_id;
	if (!same_text(source->run_id, run_id) && run_id) {
		complain(builder->output->name, job->line,
			 "jobs of two runs in one output: %.40s and %.40s", source->run_id, run_id);
		return -1;
	}
	return 0;
}

/* Two servers on one host have the port in their names. */
static int name_sources(struct builder *builder)
{
	if (builder->source_count < 2 && !builder->output->client_server)
		return 0;
	for (unsigned int i = 0; i < builder->source_count; i++) {
		struct source *source = &builder->sources[i];
		unsigned int alike = 0;

		for (unsigned int j = 0; j < builder->source_count; j++)
			alike += same_text(builder->sources[j].host, source->host);
		if (!source->host && builder->source_count == 1)
			continue;
		if (!source->host)
			source->name = arena_print(builder->arena, "host %u", i);
		else if (alike > 1 && source->port)
			source->name =
				arena_print(builder->arena, "%s:%u", source->host, source->port);
		else if (alike > 1)
			source->name = arena_print(builder->arena, "%s (%.16s)", source->host,
						   source->run_id ? source->run_id : "");
		else
			source->name = source->host;
		if (!source->name)
			return out_of_memory(builder);
	}
	return 0;
}

static bool any_run_id(const struct builder *builder)
{
	for (unsigned int i = 0; i < builder->source_count; i++)
		if (builder->sources[i].run_id)
			return true;
	return false;
}

static bool same_fio(const struct builder *builder, const struct run_log_line *line)
{
	return !*builder->output->version || !strcmp(builder->output->version, line->fio);
}

/*
 * fio's output says nothing of the run's id: it is terse, or has no options.
 * The logs were named by hand, so what they hold is taken as this run's.
 */
static int trust_logs(struct builder *builder)
{
	const struct fio_output *output = builder->output;
	unsigned int runs = 0;

	for (size_t i = 0; i < builder->log_count; i++) {
		const struct run_log *log = &builder->logs[i];

		for (size_t k = 0; k < log->count; k++) {
			const struct run_log_line *line = &log->lines[k];
			unsigned int known = 0;

			while (known < runs &&
			       !same_text(builder->sources[known].run_id, line->run))
				known++;
			if (known < runs)
				continue;
			if (!same_fio(builder, line)) {
				complain(log->name, log->numbers[k],
					 "run log of another run: of %.40s, where %s is of %s",
					 line->fio, output->name, output->version);
				return -1;
			}
			if (runs && !output->client_server) {
				complain(
					log->name, log->numbers[k],
					"lines of two runs, %s and %s, and %s does not say which it is",
					builder->sources[0].run_id, line->run, output->name);
				return -1;
			}
			if (runs >= builder->source_count && !add_source(builder))
				return out_of_memory(builder);
			builder->sources[runs].run_id = line->run;
			if (output->client_server) {
				builder->sources[runs].host = line->host;
				builder->sources[runs].port = 0;
			}
			runs++;
		}
	}
	if (!runs)
		return 0;
	builder->source_count = runs;
	builder->jobs_have_source = !output->client_server;
	run_note(builder->run, NULL, 0,
		 "does not tell the run's id: the run log is taken as this run's");
	return 0;
}

/* Every job is asked for dozens of options: a made-up file could make that last for hours. */
static bool has_too_many_options(const struct fio_output *output)
{
	uint64_t options = output->global.count + output->host_global_count;

	return options * output->job_count > OPTIONS_MAX;
}

static int find_sources(struct builder *builder)
{
	const struct fio_output *output = builder->output;

	if (has_too_many_options(output)) {
		complain(output->name, 0, "more options than the jobs of any fio have");
		return -1;
	}
	for (size_t i = 0; i < output->job_count; i++)
		if (!output->jobs[i].all_clients && learn_source(builder, &output->jobs[i]))
			return -1;
	builder->jobs_have_source = true;
	if (!any_run_id(builder) && builder->log_count && trust_logs(builder))
		return -1;
	return name_sources(builder);
}

/* ---- jobs and lines, in order ------------------------------------------- */

static int by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_jobs(const void *left, const void *right)
{
	const struct job_ref *a = left, *b = right;
	int order = by_number(a->job->group, b->job->group);

	if (!order)
		order = by_number(a->source, b->source);
	/* They lie in one array, in fio's order. */
	return order ? order : by_number((uintptr_t)a->job, (uintptr_t)b->job);
}

static int compare_lines(const void *left, const void *right)
{
	const struct line_ref *a = left, *b = right;
	int order = by_number(a->line->group, b->line->group);

	if (!order)
		order = by_number(a->source, b->source);
	if (!order)
		order = by_number(a->line->child, b->line->child);
	return order ? order : by_number(a->number, b->number);
}

static struct job_ref *sorted_jobs(const struct builder *builder, size_t *count)
{
	const struct fio_output *output = builder->output;
	struct job_ref *jobs = calloc(output->job_count + 1, sizeof(*jobs));

	*count = 0;
	for (size_t i = 0; jobs && i < output->job_count; i++) {
		const struct fio_job *job = &output->jobs[i];
		int source = builder->jobs_have_source ? source_of_job(builder, job) : 0;

		if (!job->all_clients)
			jobs[(*count)++] = (struct job_ref){ job, (unsigned int)source };
	}
	if (jobs)
		qsort(jobs, *count, sizeof(*jobs), compare_jobs);
	return jobs;
}

static int source_of_line(const struct builder *builder, const struct run_log_line *line)
{
	for (unsigned int i = 0; i < builder->source_count; i++)
		if (builder->sources[i].run_id && !strcmp(builder->sources[i].run_id, line->run))
			return (int)i;
	return -1;
}

static int check_share(struct builder *builder, const struct run_log *log, size_t ours)
{
	if (log->count && !ours) {
		complain(log->name, log->numbers[0],
			 "run log of another run: %s, where %s is of run %.40s", log->lines[0].run,
			 builder->output->name,
			 builder->source_count && builder->sources[0].run_id ?
				 builder->sources[0].run_id :
				 "?");
		return -1;
	}
	if (ours < log->count)
		run_note(builder->run, log->name, 0, "%zu lines of other runs are left out",
			 log->count - ours);
	if (log->torn)
		run_lacks(builder->run, log->name, log->torn,
			  "the run log's last line is cut short");
	return 0;
}

/* Each of several hosts has a run log of its own. */
static int check_hosts(struct builder *builder, const struct line_ref *lines, size_t count)
{
	if (!builder->log_count || builder->log_count >= builder->source_count)
		return 0;
	for (unsigned int i = 0; i < builder->source_count; i++) {
		size_t k = 0;

		while (k < count && lines[k].source != i)
			k++;
		if (k < count)
			continue;
		complain(builder->output->name, 0,
			 "no run log of %s (run %.40s) was given: --log FILE names one more",
			 builder->sources[i].name,
			 builder->sources[i].run_id ? builder->sources[i].run_id : "?");
		return -1;
	}
	return 0;
}

/* The lines of this run; NULL after saying why there are none. */
static struct line_ref *sorted_lines(struct builder *builder, size_t *count)
{
	struct line_ref *lines;
	size_t all = 0;

	for (size_t i = 0; i < builder->log_count; i++)
		all += builder->logs[i].count;
	lines = calloc(all + 1, sizeof(*lines));
	if (!lines)
		out_of_memory(builder);
	*count = 0;
	for (size_t i = 0; lines && i < builder->log_count; i++) {
		const struct run_log *log = &builder->logs[i];
		size_t before = *count;

		for (size_t k = 0; k < log->count; k++) {
			int source = source_of_line(builder, &log->lines[k]);

			if (source >= 0)
				lines[(*count)++] = (struct line_ref){
					&log->lines[k],
					log,
					log->numbers[k],
					(unsigned int)source,
				};
		}
		if (check_share(builder, log, *count - before)) {
			free(lines);
			return NULL;
		}
	}
	if (!lines || check_hosts(builder, lines, *count)) {
		free(lines);
		return NULL;
	}
	qsort(lines, *count, sizeof(*lines), compare_lines);
	return lines;
}

/* ---- tests -------------------------------------------------------------- */

int allocate_children(struct builder *builder, struct run_test *test, size_t count, size_t known)
{
	/* What a number in a file claims must not cost more than what is there. */
	builder->missing += count > known ? count - known : 0;
	if (builder->missing > MISSING_MAX) {
		complain(builder->output->name, 0, "more children are missing than any fio has");
		return -1;
	}
	test->child = arena_zeros(builder->arena, count, sizeof(*test->child));
	if (!test->child)
		return out_of_memory(builder);
	test->child_count = count;
	for (size_t i = 0; i < count; i++)
		test->child[i].number = (unsigned int)i;
	return 0;
}

const struct iozone_test *named_test(const struct builder *builder, const struct group_parts *parts)
{
	for (size_t i = builder->name_count; i-- > 0;)
		if (builder->names[i].group == parts->group)
			return builder->names[i].test;
	for (size_t i = 0; i < parts->job_count; i++) {
		const char *name =
			fio_job_option(builder->output, parts->jobs[i].job, "iozone_test");

		if (name && iozone_test_named(name))
			return iozone_test_named(name);
	}
	return NULL;
}

/* A group that our engine ran, and that ought to be in the logs. */
static bool is_logged(const struct builder *builder, const struct group_parts *parts)
{
	if (parts->line_count)
		return true;
	if (!builder->log_count)
		return false;
	/* Without options there is no telling: a log means our engine. */
	return builder->output->format == FIO_TERSE ||
	       job_is_ours(builder->output, parts->jobs[0].job);
}

/* Range of children, "child 3" or "children 4-31". */
static const char *range_text(unsigned int first, unsigned int last, char *text, size_t size)
{
	if (first == last)
		snprintf(text, size, "child %u", first);
	else
		snprintf(text, size, "children %u-%u", first, last);
	return text;
}

static void say_failure(struct run *run, const struct run_test *test, size_t first, size_t last)
{
	const struct run_child *child = &test->child[first];
	const char *file = child->line && first == last ? child->line->file : NULL;
	const char *name = child->job ? child->job->name : NULL;
	char range[40];

	if (test->summed)
		snprintf(range, sizeof(range), "the sum");
	else
		range_text(child->number, test->child[last].number, range, sizeof(range));
	run_lacks(run, NULL, child->job ? child->job->line : 0, "%s: %s of %u%s%s%s%s%s: %s",
		  test->test->label, range, test->children, child->host ? " on " : "",
		  child->host ? child->host : "", file || name ? " (" : "",
		  file ? file :
		  name ? name :
			 "",
		  file || name ? ")" : "", child->failure);
}

/* Neighbours that share a failure. */
static bool same_failure(const struct run_child *a, const struct run_child *b)
{
	return a->failure == b->failure && same_text(a->host, b->host);
}

void say_failures(struct builder *builder, struct run_test *test)
{
	bool failed = false, interrupted = false;

	for (size_t i = 0, last; i < test->child_count; i = last + 1) {
		const struct run_child *child = &test->child[i];

		last = i;
		if (!child->failure)
			continue;
		while (last + 1 < test->child_count && same_failure(child, &test->child[last + 1]))
			last++;
		say_failure(builder->run, test, i, last);
		if (child->interrupted)
			interrupted = true;
		else
			failed = true;
	}
	test->failed |= failed;
	test->interrupted |= interrupted;
}

static void cut_out(struct group_parts *parts, const struct job_ref *jobs, size_t job_count,
		    const struct line_ref *lines, size_t line_count)
{
	*parts = (struct group_parts){ .jobs = jobs, .lines = lines };
	if (job_count && line_count)
		parts->group =
			(unsigned int)(jobs->job->group < lines->line->group ? jobs->job->group :
									       lines->line->group);
	else
		parts->group = job_count ? jobs->job->group : (unsigned int)lines->line->group;
	while (parts->job_count < job_count && jobs[parts->job_count].job->group == parts->group)
		parts->job_count++;
	while (parts->line_count < line_count &&
	       lines[parts->line_count].line->group == parts->group)
		parts->line_count++;
}

static int add_test(struct builder *builder, const struct group_parts *parts)
{
	struct run *run = builder->run;
	struct run_test test = { .group = parts->group };
	struct run_test *tests;
	int status;

	if (is_logged(builder, parts))
		status = test_from_log(builder, parts, &test);
	else
		status = test_from_fio(builder, parts, run->test, run->count, &test);
	if (status)
		return status;
	if (!test.test)
		return 0;
	if (run->count == TESTS_MAX) {
		complain(builder->output->name, 0, "more than %d groups, which no fio has",
			 TESTS_MAX);
		return -1;
	}
	tests = reallocarray(run->test, run->count + 1, sizeof(*tests));
	if (!tests)
		return out_of_memory(builder);
	run->test = tests;
	tests[run->count++] = test;
	say_failures(builder, &tests[run->count - 1]);
	return 0;
}

static int build_tests(struct builder *builder, const struct job_ref *jobs, size_t job_count,
		       const struct line_ref *lines, size_t line_count)
{
	while (job_count || line_count) {
		struct group_parts parts;

		cut_out(&parts, jobs, job_count, lines, line_count);
		if (add_test(builder, &parts))
			return -1;
		jobs += parts.job_count;
		job_count -= parts.job_count;
		lines += parts.line_count;
		line_count -= parts.line_count;
	}
	return 0;
}

static void count_rounds(struct run *run)
{
	bool seen[TEST_COUNT] = { false };

	run->rounds = run->count ? 1 : 0;
	for (size_t i = 0; i < run->count; i++) {
		enum iozone_test_id id = run->test[i].test->id;

		if (seen[id]) {
			memset(seen, 0, sizeof(seen));
			run->rounds++;
		}
		seen[id] = true;
		run->test[i].round = run->rounds - 1;
	}
}

/* ---- the run as a whole ------------------------------------------------- */

static const struct run_log_line *first_line(const struct run *run)
{
	for (size_t i = 0; i < run->count; i++)
		for (size_t k = 0; k < run->test[i].child_count; k++)
			if (run->test[i].child[k].line)
				return run->test[i].child[k].line;
	return NULL;
}

static const struct fio_job *first_job(const struct fio_output *output)
{
	for (size_t i = 0; i < output->job_count; i++)
		if (!output->jobs[i].all_clients)
			return &output->jobs[i];
	return NULL;
}

static uint64_t earliest_start(const struct fio_output *output)
{
	uint64_t start = 0;

	for (size_t i = 0; i < output->job_count; i++) {
		const struct fio_job *job = &output->jobs[i];

		if (!job->all_clients && job->has_start && (!start || job->start_ms < start))
			start = job->start_ms;
	}
	return start / 1000;
}

/* Is an option of our engine on, which has a default of its own? */
static bool engine_flag(const struct fio_output *output, const struct fio_job *job,
			const char *name, bool otherwise)
{
	const char *value = fio_job_option(output, job, name);

	return value ? strcmp(value, "0") != 0 : otherwise;
}

/* The words that our engine would have put into the run log. */
static const char *flags_of_job(struct builder *builder, const struct fio_job *job)
{
	const struct fio_output *output = builder->output;
	const char *sync = fio_job_option(output, job, "sync");
	bool ours = job_is_ours(output, job), dsync = sync && !strcmp(sync, "dsync");
	const struct {
		const char *word;
		bool on;
	} words[] = {
		{ "stonewall ", ours ? engine_flag(output, job, "iozone_stonewall", true) :
				       job_flag(output, job, "exitall") },
		{ "flush ", job_flag(output, job, ours ? "iozone_flush" : "end_fsync") },
		{ "close ", ours && job_flag(output, job, "iozone_close") },
		{ "direct ", job_flag(output, job, "direct") },
		{ "dsync ", dsync },
		{ "sync ", !dsync && sync && !same_text(sync, "0") && !same_text(sync, "none") },
	};
	const char *flags = "";

	for (size_t i = 0; flags && i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].on)
			flags = arena_print(builder->arena, "%s%s", flags, words[i].word);
	return flags;
}

static int learn_facts(struct builder *builder)
{
	struct run *run = builder->run;
	const struct run_log_line *line = first_line(run);
	const struct fio_job *job = first_job(builder->output);

	run->fio = builder->output->version;
	run->flags = "";
	run->mode = "process";
	if (line) {
		run->engine = line->engine;
		run->fio = line->fio;
		run->id = line->run;
		run->flags = line->flags;
		run->mode = line->mode;
		run->began = line->began;
	} else if (job) {
		run->flags = flags_of_job(builder, job);
		run->mode = job_flag(builder->output, job, "thread") ? "thread" : "process";
		run->began = earliest_start(builder->output);
	}
	run->logged = run->count > 0;
	for (size_t i = 0; i < run->count; i++)
		run->logged = run->logged && run->test[i].clock == CLOCK_RUN_LOG;
	return run->flags ? 0 : out_of_memory(builder);
}

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

bool run_flag(const struct run *run, const char *word)
{
	return has_word(run->flags, word);
}

/* Did the reads of this test come from the host's memory, as far as one can tell? */
static bool reads_from_cache(const struct run_test *test)
{
	const struct run_log_line *line = test->child_count ? test->child[0].line : NULL;
	uint64_t bytes;

	return !test->test->writes && line && test->file_size && !has_word(line->flags, "direct") &&
	       !has_word(line->flags, "remount") &&
	       !__builtin_mul_overflow(test->file_size, test->child_count / test->hosts, &bytes) &&
	       bytes <= line->memory;
}

static void warn_of_cache(struct builder *builder)
{
	struct run *run = builder->run;
	const struct run_test *cached = NULL;
	char labels[512] = "";

	for (size_t i = 0; i < run->count; i++) {
		const struct run_test *test = &run->test[i];
		size_t used = strlen(labels);

		if (!reads_from_cache(test))
			continue;
		if (!cached || !strstr(labels, test->test->label))
			snprintf(labels + used, sizeof(labels) - used, "%s%s", cached ? ", " : "",
				 test->test->label);
		cached = test;
	}
	if (cached)
		run_note(
			run, NULL, 0,
			"the data set (%zu files of %" PRIu64 " bytes) fits in memory (%" PRIu64
			" bytes) and was read neither direct nor after a remount: what %s show is the cache",
			cached->child_count, cached->file_size, cached->child[0].line->memory,
			labels);
}

/* fio was told to stop: some test must show it. */
static void place_interruption(struct run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->test[i].interrupted)
			return;
	if (run->count)
		run->test[run->count - 1].interrupted = true;
}

const struct run_test *run_sized_test(const struct run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->test[i].file_size)
			return &run->test[i];
	return NULL;
}

/* The header has room for one size of file and record. */
static void say_which_sizes_differ(struct run *run)
{
	const struct run_test *first = run_sized_test(run);

	for (size_t i = 0; i < run->count; i++) {
		const struct run_test *test = &run->test[i];

		if (!test->file_size || (test->record_size == first->record_size &&
					 test->file_size == first->file_size))
			continue;
		run_note(run, NULL, 0,
			 "%s: files of %" PRIu64 " bytes in records of %" PRIu64
			 ", where %s have %" PRIu64 " and %" PRIu64 "; the header has these",
			 test->test->label, test->file_size, test->record_size, first->test->label,
			 first->file_size, first->record_size);
	}
}

/* How far a report without a run log can go. */
static void say_what_is_worked_out(struct run *run)
{
	const struct run_test *unlogged = NULL;
	char tests[512] = "";
	bool guessed = false;

	for (size_t i = 0; i < run->count; i++) {
		const struct run_test *test = &run->test[i];
		size_t used = strlen(tests);

		if (test->clock == CLOCK_RUN_LOG)
			continue;
		snprintf(tests + used, sizeof(tests) - used, "%s%u=%s", unlogged ? ", " : "",
			 test->group, test->test->name);
		guessed |= test->guessed;
		unlogged = test;
	}
	if (!unlogged)
		return;
	run_note(
		run, NULL, 0,
		"no run log: times are fio's, in ms, and hold no fsync, close or writing after the stop");
	if (!run->output->client_server)
		run_note(run, NULL, 0, "Parent is worked out from %s",
			 unlogged->clock == CLOCK_JOB_START ? "job_start and runtimes" :
							      "the longest runtime");
	if (guessed)
		run_note(run, NULL, 0,
			 "tests by rw and order: %s (--test GROUP=NAME says otherwise)", tests);
}

static void say_what_sums_lack(struct run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct run_test *test = &run->test[i];

		if (test->summed && !test->failed && !test->interrupted)
			run_lacks(
				run, NULL, test->child[0].job->line,
				"%s: group_reporting sums %u children: no Min, Max and Min xfer, and Children is their sum over the longest runtime",
				test->test->label, test->children);
	}
}

static void say_what_fio_said(struct builder *builder)
{
	const struct fio_output *output = builder->output;
	struct run *run = builder->run;

	if (output->torn)
		run_lacks(run, NULL, output->torn,
			  "fio's output is cut short here; what stands before it is reported");
	if (output->interrupted) {
		run_lacks(run, NULL, 0, "interrupted: fio was told to stop before the end");
		place_interruption(run);
	}
	if (output->killed && run->whole)
		run_lacks(run, NULL, 0, "%u jobs were killed by a signal, fio says",
			  output->killed);
	if (!first_job(output))
		run_lacks(run, NULL, 0,
			  output->client_server ?
				  "client_stats is empty: no server has run the jobs" :
				  "fio has run no job");
}

static int build(struct builder *builder)
{
	struct job_ref *jobs = NULL;
	struct line_ref *lines = NULL;
	size_t job_count = 0, line_count = 0;
	int status = -1;

	if (find_sources(builder))
		return -1;
	builder->run->hosts = builder->source_count ? builder->source_count : 1;
	lines = sorted_lines(builder, &line_count);
	if (!lines)
		return -1;
	jobs = sorted_jobs(builder, &job_count);
	if (!jobs)
		out_of_memory(builder);
	else
		status = build_tests(builder, jobs, job_count, lines, line_count);
	free(jobs);
	free(lines);
	return status;
}

int run_build(const struct fio_output *output, const struct run_log *logs, size_t log_count,
	      const struct group_name *names, size_t name_count, struct run *run)
{
	struct arena *arena = arena_new();
	struct builder builder = {
		.output = output,
		.logs = logs,
		.log_count = log_count,
		.names = names,
		.name_count = name_count,
		.run = run,
		.arena = arena,
	};
	int status;

	*run = (struct run){ .output = output, .whole = true, .memory = arena };
	status = arena ? build(&builder) : out_of_memory(&builder);
	if (!status) {
		count_rounds(run);
		status = learn_facts(&builder);
	}
	free(builder.sources);
	if (status) {
		run_free(run);
		return -1;
	}
	say_what_fio_said(&builder);
	say_which_sizes_differ(run);
	say_what_is_worked_out(run);
	say_what_sums_lack(run);
	warn_of_cache(&builder);
	return 0;
}

void run_free(struct run *run)
{
	free(run->test);
	free(run->notes);
	arena_free(run->memory);
	*run = (struct run){ .output = run->output };
}
