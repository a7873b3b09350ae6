// SPDX-License-Identifier: GPL-2.0-only
/* What stands above the first test, worked out from the run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena_text.h"
#include "header.h"
#include "job_options.h"

/* IOzone's defaults, which are the engine's too. */
#define CACHE_SIZE UINT64_C(1048576)
#define CACHE_LINE 32
#define STRIDE 17
/* The tick that no child's time is below, and the one of fio's runtimes. */
#define TICK_S 0.000001
#define FIO_TICK_S 0.001

#define LINES_MAX 64

struct writer {
	const struct run *run;
	const struct report_style *style;
	struct arena *arena;
	struct report_header *header;
	const char *command; /* so far; NULL when memory was short */
	bool expressible;    /* false: no command line of iozone is like the run */
	const char *lines[LINES_MAX];
	size_t line_count;
	const char *more_line;
};

/* ---- options as iozone spells them --------------------------------------- */

/*
 * word		of the run log's flags; NULL: see option
 * option	of the job; NULL: see word
 * value	which it has to be, NULL for any but 0
 * flag		iozone's
 * line		what iozone says of it, with the value in it; NULL for nothing
 */
struct option_words {
	const char *word;
	const char *option;
	const char *value;
	const char *flag;
	bool has_argument;
	const char *line;
};

static const struct option_words option_words[] = {
	{ .word = "flush", .flag = "-e", .line = "Include fsync in write timing" },
	{ .word = "close", .flag = "-c", .line = "Include close in write timing" },
	{ .word = "direct", .flag = "-I", .line = "O_DIRECT feature enabled" },
	{ .word = "sync", .flag = "-o", .line = "SYNC Mode. " },
	{ .word = "dsync", .flag = "-+D", .line = ">>> O_DSYNC mode enabled. <<<" },
	{ .word = "mmap", .flag = "-B", .line = "Using mmap files" },
	{ .option = "iozone_msync",
	  .value = "async",
	  .flag = "-D",
	  .line = "Using msync(MS_ASYNC) on mmap files" },
	{ .option = "iozone_msync",
	  .value = "sync",
	  .flag = "-G",
	  .line = "Using msync(MS_SYNC) on mmap files" },
	{ .word = "lock", .flag = "-W", .line = "Lock file when reading/writing." },
	{ .option = "iozone_record_lock",
	  .flag = "-+l",
	  .line = ">>> Record locking mode enabled. <<<" },
	{ .option = "iozone_purge", .flag = "-p", .line = "Purge Mode On" },
	{ .option = "iozone_multi_buffer",
	  .flag = "-m",
	  .line = "Multi_buffer. Work area 16777216 bytes" },
	{ .option = "iozone_mix_read",
	  .flag = "-+p",
	  .has_argument = true,
	  .line = "Percent read in mix test is " },
	{ .option = "iozone_mix_sequential",
	  .flag = "-+B",
	  .line = ">>> Sequential Mixed workload. <<<" },
	{ .option = "iozone_compute_counts",
	  .flag = "-+J",
	  .line = ">>> Think time is included in throughput cal. <<<" },
	{ .option = "iozone_start_delay", .flag = "-d", .has_argument = true },
	{ .option = "iozone_compressible", .flag = "-+a", .has_argument = true },
	{ .option = "iozone_remount", .flag = "-U", .has_argument = true },
};

static const char *job_value(const struct run *run, const char *name)
{
	const struct fio_output *output = run->output;

	for (size_t i = 0; i < output->job_count; i++) {
		const char *value = output->jobs[i].all_clients ?
					    NULL :
					    fio_job_option(output, &output->jobs[i], name);

		if (value && strcmp(value, "0") != 0)
			return value;
	}
	return NULL;
}

static void add_words(struct writer *writer, const char *flag, const char *argument)
{
	if (writer->command)
		writer->command = arena_print(writer->arena, "%s %s%s%s", writer->command, flag,
					      argument ? " " : "", argument ? argument : "");
}

static void add_line(struct writer *writer, const char *line)
{
	if (!line)
		writer->command = NULL;
	else if (writer->line_count < LINES_MAX)
		writer->lines[writer->line_count++] = line;
}

static void add_option(struct writer *writer, const struct option_words *words)
{
	const char *value = words->option ? job_value(writer->run, words->option) : NULL;

	if (words->word ? !run_flag(writer->run, words->word) :
			  !value || (words->value && strcmp(value, words->value) != 0))
		return;
	add_words(writer, words->flag, words->has_argument ? value : NULL);
	if (words->line)
		add_line(writer, words->has_argument ?
					 arena_print(writer->arena, "%s%s", words->line, value) :
					 words->line);
}

static void add_dedup(struct writer *writer)
{
	static const struct {
		const char *option, *flag, *line;
	} shares[] = {
		{ "iozone_dedup", "-+w", "Dedup activated %s percent." },
		{ "iozone_dedup_within", "-+y", "Dedup within & across %s percent." },
		{ "iozone_dedup_between", "-+C", "Dedup within %s percent." },
	};

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		const char *value = job_value(writer->run, shares[i].option);
		const char *place = strchr(shares[i].line, '%');

		if (!value)
			continue;
		add_words(writer, shares[i].flag, value);
		add_line(writer,
			 arena_print(writer->arena, "%.*s%s%s", (int)(place - shares[i].line),
				     shares[i].line, value, place + 2));
	}
}

/* A byte four times over is how iozone keeps, and prints, its pattern. */
static void add_verify(struct writer *writer)
{
	const char *value = job_value(writer->run, "iozone_verify");
	unsigned long byte = value ? strtoul(value, NULL, 10) & 0xff : 0;

	if (!run_flag(writer->run, "verify"))
		return;
	add_words(writer, "-V", value ? value : "0");
	add_line(writer, arena_print(writer->arena, "Verify Mode. Pattern %lx",
				     byte << 24 | byte << 16 | byte << 8 | byte));
	add_line(writer, "Performance measurements are invalid in this mode.");
}

static void add_async(struct writer *writer)
{
	const char *depth = job_value(writer->run, "iozone_async");
	bool no_copy = job_value(writer->run, "iozone_async_nocopy");

	if (!run_flag(writer->run, "async") || !depth)
		return;
	add_words(writer, no_copy ? "-k" : "-H", depth);
	add_line(writer, arena_print(writer->arena,
				     no_copy ? "POSIX Async I/O (no bcopy). Depth %s " :
					       "POSIX async I/O (with bcopy). Depth %s",
				     depth));
}

/* Milliseconds with us, and with iozone's -J; it prints seconds. */
static void add_compute(struct writer *writer)
{
	const char *value = job_value(writer->run, "iozone_compute");

	if (!value)
		return;
	add_words(writer, "-J", value);
	writer->more_line =
		arena_print(writer->arena, "Compute time %f seconds for reads and writes.",
			    (double)strtoul(value, NULL, 10) / 1000);
	if (!writer->more_line)
		writer->command = NULL;
}

/* Does fio's output tell the jobs' options? */
static bool tells_options(const struct fio_output *output)
{
	bool told = output->global.count || output->host_global_count;

	for (size_t i = 0; i < output->job_count; i++)
		told = told || output->jobs[i].options.count;
	return told;
}

/* IOzone removes its files at the end unless told not to; fio is the other way round. */
static void add_unlink(struct writer *writer)
{
	if (!tells_options(writer->run->output) || job_value(writer->run, "unlink"))
		return;
	add_words(writer, "-w", NULL);
	add_line(writer, "Setting no_unlink");
}

static void add_options(struct writer *writer)
{
	if (!run_flag(writer->run, "stonewall") &&
	    (writer->run->engine || tells_options(writer->run->output))) {
		add_words(writer, "-x", NULL);
		add_line(writer, "Stonewall disabled");
	}
	for (size_t i = 0; i < sizeof(option_words) / sizeof(option_words[0]); i++)
		add_option(writer, &option_words[i]);
	add_verify(writer);
	add_async(writer);
	add_dedup(writer);
	add_compute(writer);
	add_unlink(writer);
	if (!strcmp(writer->run->mode, "thread"))
		add_words(writer, "-T", NULL);
}

/* ---- sizes ---------------------------------------------------------------- */

/* As one would type it: "1g", "16k".  IOzone has no sizes but in KiB. */
static const char *short_size(struct writer *writer, uint64_t bytes)
{
	static const char units[] = "kmg";
	const char *unit = units;

	if (bytes % 1024)
		writer->expressible = false;
	bytes /= 1024;
	while (unit[1] && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	return arena_print(writer->arena, "%" PRIu64 "%c", bytes, *unit);
}

/* The size that was asked for: it need not be a whole number of records. */
static uint64_t asked_size(const struct run *run, const struct run_test *test)
{
	uint64_t size, record = test->record_size;

	for (size_t i = 0; i < test->child_count; i++)
		if (test->child[i].job &&
		    job_size(run->output, test->child[i].job, "size", &size) && record &&
		    size - size % record == test->file_size)
			return size;
	return test->file_size;
}

static void take_sizes(struct writer *writer)
{
	struct report_header *header = writer->header;
	const struct run_test *test = run_sized_test(writer->run);

	if (!test)
		return;
	if (!header->record_size)
		header->record_size = test->record_size;
	if (!header->file_size)
		header->file_size = asked_size(writer->run, test);
}

static void add_sizes(struct writer *writer)
{
	const struct report_header *header = writer->header;
	const char *unit = writer->style->layout == LAYOUT_3397 ? "KB" : "kB";

	if (header->file_size) {
		add_words(writer, "-s", short_size(writer, header->file_size));
		add_line(writer, arena_print(writer->arena, "File size set to %" PRIu64 " %s",
					     header->file_size / 1024, unit));
	}
	if (header->record_size) {
		add_words(writer, "-r", short_size(writer, header->record_size));
		add_line(writer, arena_print(writer->arena, "Record Size %" PRIu64 " %s",
					     header->record_size / 1024, unit));
	}
}

/* ---- tests and children --------------------------------------------------- */

static bool has_test(const struct run *run, enum iozone_test_id id)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->test[i].test->id == id)
			return true;
	return false;
}

bool run_has_no_retest(const struct run *run)
{
	bool pairs = false;

	for (unsigned int id = 1; id < TEST_COUNT; id++) {
		if (!iozone_test_row(id)->partner)
			continue;
		if (has_test(run, id))
			return false;
		pairs |= has_test(run, id - 1);
	}
	return pairs;
}

static void add_tests(struct writer *writer)
{
	uint64_t done = 0;

	for (unsigned int id = 0; id < TEST_COUNT; id++) {
		unsigned int number = iozone_test_row(id)->number;
		char text[16];

		if (!has_test(writer->run, id) || done >> number & 1)
			continue;
		done |= 1ULL << number;
		snprintf(text, sizeof(text), "%u", number);
		add_words(writer, "-i", text);
	}
}

/* -t for each number of children, in the order of the rounds. */
static void add_children(struct writer *writer)
{
	const struct run *run = writer->run;
	unsigned int most = 0;

	for (size_t i = 0; i < run->count; i++) {
		const struct run_test *test = &run->test[i];
		char text[16];

		if (test->children > most)
			most = test->children;
		if (i && test->round == run->test[i - 1].round)
			continue;
		snprintf(text, sizeof(text), "%u", test->children);
		add_words(writer, "-t", text);
	}
	if (!writer->header->children)
		writer->header->children = most;
}

static void add_style(struct writer *writer, bool no_retest)
{
	const struct report_style *style = writer->style;

	if (no_retest) {
		add_words(writer, "-+n", NULL);
		add_line(writer, "No retest option selected");
	}
	if (style->excel) {
		add_words(writer, "-R", NULL);
		add_line(writer, "Excel chart generation enabled");
	}
	if (style->children)
		add_words(writer, "-C", NULL);
	if (style->ops) {
		add_words(writer, "-O", NULL);
		add_line(writer, "OPS Mode. Output is in operations per second.");
	}
	if (style->cpu) {
		add_words(writer, "-+u", NULL);
		add_line(writer, "CPU utilization Resolution = 0.000 seconds.");
		add_line(writer, "CPU utilization Excel chart enabled");
	}
}

/* ---- the processor, as iozone's options have it ---------------------------- */

static uint64_t size_value(const struct run *run, const char *name, uint64_t otherwise)
{
	const char *value = job_value(run, name);
	uint64_t bytes;

	return value && parse_size(value, 1024, &bytes) ? bytes : otherwise;
}

static void take_processor(struct writer *writer)
{
	struct report_header *header = writer->header;

	if (!header->resolution)
		header->resolution = writer->run->logged ? TICK_S : FIO_TICK_S;
	if (!header->cache_size)
		header->cache_size = size_value(writer->run, "iozone_cache_size", CACHE_SIZE);
	if (!header->cache_line)
		header->cache_line = size_value(writer->run, "iozone_cache_line", CACHE_LINE);
	if (!header->stride)
		header->stride = (unsigned int)size_value(writer->run, "iozone_stride", STRIDE);
}

static void add_processor(struct writer *writer)
{
	const struct report_header *header = writer->header;
	char text[32];

	if (header->stride != STRIDE) {
		snprintf(text, sizeof(text), "%u", header->stride);
		add_words(writer, "-j", text);
	}
	if (header->cache_size != CACHE_SIZE) {
		snprintf(text, sizeof(text), "%" PRIu64, header->cache_size / 1024);
		add_words(writer, "-S", text);
	}
	if (header->cache_line != CACHE_LINE) {
		snprintf(text, sizeof(text), "%" PRIu64, header->cache_line);
		add_words(writer, "-L", text);
	}
}

/* ---- all of it ------------------------------------------------------------- */

const char *measured_by(const struct run *run, struct arena *arena)
{
	const char *fio = *run->fio ? run->fio : "fio";

	if (run->engine)
		return arena_print(arena, "fio-iozone %s with %s", run->engine, fio);
	if (run->output->job_count && job_is_ours(run->output, &run->output->jobs[0]))
		return arena_print(arena, "fio-iozone with %s", fio);
	return fio;
}

static bool keep_lines(struct writer *writer)
{
	struct report_header *header = writer->header;
	const char **lines;

	if (!header->option_lines) {
		lines = arena_take(writer->arena, (writer->line_count + 1) * sizeof(*lines));
		if (!lines)
			return false;
		memcpy(lines, writer->lines, writer->line_count * sizeof(*lines));
		header->option_lines = lines;
		header->option_line_count = writer->line_count;
	}
	if (!header->more_lines && writer->more_line) {
		lines = arena_take(writer->arena, sizeof(*lines));
		if (!lines)
			return false;
		*lines = writer->more_line;
		header->more_lines = lines;
		header->more_line_count = 1;
	}
	return true;
}

int header_of_run(const struct run *run, const struct report_style *style, bool no_retest,
		  struct arena *arena, struct report_header *header)
{
	struct writer writer = {
		.run = run,
		.style = style,
		.arena = arena,
		.header = header,
		.command = "iozone",
		.expressible = true,
	};

	take_sizes(&writer);
	take_processor(&writer);
	add_options(&writer);
	if (run->output->client_server) {
		add_words(&writer, "-+m", "HOSTS");
		add_line(&writer, "Network distribution mode enabled.");
	}
	add_children(&writer);
	add_sizes(&writer);
	add_tests(&writer);
	add_processor(&writer);
	add_style(&writer, no_retest);
	if (!header->began)
		header->began = run->began;
	if (!header->threads)
		header->threads = !strcmp(run->mode, "thread");
	if (!header->measured_by)
		header->measured_by = measured_by(run, arena);
	if (!header->command && writer.expressible)
		header->command = writer.command;
	return writer.command && header->measured_by && keep_lines(&writer) ? 0 : -1;
}
