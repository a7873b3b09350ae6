// SPDX-License-Identifier: GPL-2.0-only
/* Reads run logs, and believes none of it unchecked. */
#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena.h"
#include "iozone_tests.h"
#include "message.h"
#include "run_log_reader.h"

#define CHUNK 65536
/* fio keeps its jobs in an array of far fewer. */
#define CHILDREN_MAX 65536
#define RUN_ID_LENGTH 16

enum column_type { COLUMN_text, COLUMN_number };

struct column {
	const char *name;
	enum column_type type;
	size_t offset;
};

static const struct column columns[RUN_LOG_COLUMN_COUNT] = {
#define COLUMN(member, type) { #member, COLUMN_##type, offsetof(struct run_log_line, member) },
	RUN_LOG_COLUMNS(COLUMN)
#undef COLUMN
};

struct reader {
	struct run_log *log;
	struct arena *arena;
	size_t allocated;	   /* of log->lines and log->numbers */
	struct run_log_line line;  /* the one that is being read */
	unsigned int column;	   /* the next one of it */
	unsigned long long number; /* of the line in the file where it began */
	unsigned long long here;   /* of the line that is being parsed */
	size_t length;		   /* of the row so far */
	bool has_header;
	bool failed; /* and it has been said */
};

__attribute__((format(printf, 2, 3))) static void fail(struct reader *reader, const char *format,
						       ...)
{
	char text[512];
	va_list arguments;

	if (reader->failed)
		return;
	reader->failed = true;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	complain(reader->log->name, reader->number, "%s", text);
}

static void out_of_memory(struct reader *reader)
{
	fail(reader, "not enough memory for the run log");
}

/* Decimal digits only, and no more than 64 bits. */
static bool parse_number(const char *text, size_t length, uint64_t *number)
{
	uint64_t value = 0;

	if (!length)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned int digit = (unsigned char)text[i] - '0';

		if (digit > 9 || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return true;
}

static void check_format(struct reader *reader, const char *text)
{
	const size_t prefix = strlen(RUN_LOG_FORMAT_PREFIX);
	uint64_t version;

	if (strncmp(text, RUN_LOG_FORMAT_PREFIX, prefix) != 0 ||
	    !parse_number(text + prefix, strlen(text + prefix), &version))
		fail(reader, "not a run log of fio-iozone");
	else if (version > RUN_LOG_VERSION)
		fail(reader,
		     "run log of format %" PRIu64 ", newer than this program understands (%d)",
		     version, RUN_LOG_VERSION);
	else if (version != RUN_LOG_VERSION)
		fail(reader,
		     "run log of format %" PRIu64 ", which this program does not understand",
		     version);
}

static void read_header_cell(struct reader *reader, const char *text, size_t length)
{
	if (reader->column == 0)
		check_format(reader, text);
	else if (reader->column < RUN_LOG_COLUMN_COUNT &&
		 (strlen(text) != length || strcmp(text, columns[reader->column].name) != 0))
		fail(reader, "column %u of the run log is \"%.40s\" where \"%s\" should be",
		     reader->column + 1, text, columns[reader->column].name);
}

static void read_cell(struct reader *reader, const char *text, size_t length)
{
	const struct column *column;

	/* What is too much is told at the end of the line. */
	if (reader->column >= RUN_LOG_COLUMN_COUNT)
		return;
	column = &columns[reader->column];
	if (strlen(text) != length) {
		fail(reader, "column %s holds a NUL byte", column->name);
	} else if (column->type == COLUMN_number) {
		uint64_t *number = (uint64_t *)((char *)&reader->line + column->offset);

		if (!parse_number(text, length, number))
			fail(reader, "column %s is \"%.40s\", which is no number of 64 bits",
			     column->name, text);
	} else {
		const char **cell = (const char **)((char *)&reader->line + column->offset);

		*cell = arena_string(reader->arena, text, length);
		if (!*cell)
			out_of_memory(reader);
	}
}

static void on_cell(void *cell, size_t length, void *data)
{
	struct reader *reader = data;

	if (!reader->failed) {
		if (reader->has_header)
			read_cell(reader, cell ? cell : "", length);
		else
			read_header_cell(reader, cell ? cell : "", length);
	}
	reader->column++;
}

static bool is_run_id(const char *text)
{
	return strlen(text) == RUN_ID_LENGTH && strspn(text, "0123456789abcdef") == RUN_ID_LENGTH;
}

static bool ended(const struct run_log_line *line, const char *how)
{
	return !strcmp(line->end, how);
}

static const char *names_fault(const struct run_log_line *line)
{
	if (!is_run_id(line->run))
		return "the run's id is not 16 hexadecimal digits";
	if (!iozone_test_named(line->test))
		return "there is no such test";
	if (strcmp(line->mode, "process") != 0 && strcmp(line->mode, "thread") != 0)
		return "mode is neither process nor thread";
	if (!ended(line, RUN_LOG_END_FINISHED) && !ended(line, RUN_LOG_END_STOPPED) &&
	    !ended(line, RUN_LOG_END_FAILED) && !ended(line, RUN_LOG_END_KILLED) &&
	    !ended(line, RUN_LOG_END_INTERRUPTED))
		return "the child's end is none that a run log knows";
	return NULL;
}

static bool has_flag(const struct run_log_line *line, const char *word)
{
	const char *flags = line->flags, *found;

	while ((found = strstr(flags, word))) {
		flags = found + strlen(word);
		if ((found == line->flags || found[-1] == ' ') && (!*flags || *flags == ' '))
			return true;
	}
	return false;
}

/*
 * A writer that was stopped has written its file to the end.  The record that
 * was under way at the stop belongs to what follows it.
 */
static const char *tail_fault(const struct run_log_line *line)
{
	const struct iozone_test *row = iozone_test_named(line->test);

	if (!row || row->stop != STOP_TAIL || strcmp(line->end, RUN_LOG_END_STOPPED))
		return NULL;
	if (line->file_size - line->bytes - line->tail_bytes > line->record)
		return "a stopped writer whose file is not whole";
	return NULL;
}

static const char *amounts_fault(const struct run_log_line *line)
{
	if (line->group > INT_MAX)
		return "no fio has so many groups";
	if (line->children > CHILDREN_MAX)
		return "no fio has so many children";
	if (line->child >= line->children)
		return "the child's number is not below the number of children";
	if (!line->record)
		return "a record of 0 bytes";
	/* Under iozone's -X and -Y a list has the sizes: they need not add up to the file. */
	if (has_flag(line, "telemetry"))
		return NULL;
	if (line->file_size % line->record)
		return "the file's size is not a whole number of records";
	if (line->records > line->file_size / line->record)
		return "more records than the file holds";
	if (line->bytes != line->records * line->record)
		return "bytes and records do not agree";
	if (line->tail_bytes > line->file_size - line->bytes)
		return "more bytes after the stop than the file has left";
	return tail_fault(line);
}

static const char *times_fault(const struct run_log_line *line)
{
	/* Under -d the release is that of the last child. */
	if (!line->release_ns || (line->start_ns < line->release_ns && !has_flag(line, "delay")))
		return "the child's clock starts before its release";
	if (line->stop_ns < line->start_ns)
		return "the child's clock stops before it starts";
	if (line->done_ns < line->stop_ns)
		return "the child leaves before its clock stops";
	if (line->excluded_ns > line->stop_ns - line->start_ns)
		return "more time is excluded than there was";
	return NULL;
}

/* What only holds for a child that did its part. */
static const char *success_fault(const struct run_log_line *line)
{
	if (!ended(line, RUN_LOG_END_FINISHED) && !ended(line, RUN_LOG_END_STOPPED))
		return NULL;
	if (line->error)
		return "an error in a child that did not fail";
	if (ended(line, RUN_LOG_END_FINISHED) && line->bytes != line->file_size)
		return "the child has finished, but not all its records";
	return times_fault(line);
}

/* What is wrong with a line by itself; NULL when nothing is. */
static const char *line_fault(const struct run_log_line *line)
{
	const char *fault = names_fault(line);

	if (!fault)
		fault = amounts_fault(line);
	return fault ? fault : success_fault(line);
}

static bool make_room(struct reader *reader)
{
	struct run_log *log = reader->log;
	size_t allocated = reader->allocated ? reader->allocated + reader->allocated / 2 : 64;
	void *memory;

	if (log->count < reader->allocated)
		return true;
	memory = reallocarray(log->lines, allocated, sizeof(*log->lines));
	if (!memory)
		return false;
	log->lines = memory;
	memory = reallocarray(log->numbers, allocated, sizeof(*log->numbers));
	if (!memory)
		return false;
	log->numbers = memory;
	reader->allocated = allocated;
	return true;
}

static void keep_line(struct reader *reader)
{
	struct run_log *log = reader->log;
	const char *fault = line_fault(&reader->line);

	if (fault) {
		fail(reader, "child %" PRIu64 " of group %" PRIu64 ", test \"%.20s\": %s",
		     reader->line.child, reader->line.group, reader->line.test, fault);
	} else if (!make_room(reader)) {
		out_of_memory(reader);
	} else {
		log->lines[log->count] = reader->line;
		log->numbers[log->count++] = reader->number;
	}
}

static void on_line(int terminator, void *data)
{
	struct reader *reader = data;

	(void)terminator;
	if (reader->column != RUN_LOG_COLUMN_COUNT)
		fail(reader, "%u columns where a run log has %d", reader->column,
		     RUN_LOG_COLUMN_COUNT);
	else if (!reader->failed && reader->has_header)
		keep_line(reader);
	reader->has_header = true;
	reader->column = 0;
	reader->length = 0;
	reader->number = reader->here + 1;
}

/* Spaces are part of a cell, wherever they stand. */
static int no_space(unsigned char character)
{
	(void)character;
	return 0;
}

/* Takes what goes on to the end of a line, or to the end of what has been read. */
static void parse_piece(struct reader *reader, struct csv_parser *parser, const char *piece,
			size_t length)
{
	reader->length += length;
	if (reader->length > RUN_LOG_LINE_MAX)
		fail(reader, reader->has_header ? "a line longer than any of a run log" :
						  "not a run log of fio-iozone");
	else if (csv_parse(parser, piece, length, on_cell, on_line, reader) == length)
		return;
	else if (csv_error(parser) == CSV_EPARSE)
		fail(reader, reader->has_header ? "a quote is out of place" :
						  "not a run log of fio-iozone");
	else
		out_of_memory(reader);
}

static bool is_blank(const char *piece, size_t length)
{
	return piece[0] == '\n' || (length == 2 && piece[0] == '\r' && piece[1] == '\n');
}

static void parse_chunk(struct reader *reader, struct csv_parser *parser, const char *chunk,
			size_t length)
{
	while (length && !reader->failed) {
		const char *end = memchr(chunk, '\n', length);
		size_t piece = end ? (size_t)(end - chunk) + 1 : length;

		if (!reader->length && is_blank(chunk, piece))
			reader->number = reader->here + 1;
		else
			parse_piece(reader, parser, chunk, piece);
		if (end)
			reader->here++;
		chunk += piece;
		length -= piece;
	}
}

static void parse_file(struct reader *reader, struct csv_parser *parser, int fd)
{
	static const size_t size = CHUNK;
	char *chunk = malloc(size);
	ssize_t got = 0;

	if (!chunk) {
		out_of_memory(reader);
		return;
	}
	do {
		got = read(fd, chunk, size);
		if (got > 0)
			parse_chunk(reader, parser, chunk, (size_t)got);
		else if (got < 0 && errno != EINTR)
			fail(reader, "cannot be read: %s", strerror(errno));
	} while (got && !reader->failed);
	free(chunk);
}

static void check_end(struct reader *reader)
{
	if (reader->failed)
		return;
	if (!reader->has_header && !reader->length)
		complain(reader->log->name, 0, "empty: not a run log of fio-iozone");
	else if (!reader->has_header)
		fail(reader, "not a run log of fio-iozone");
	else if (reader->length)
		reader->log->torn = reader->number;
	reader->failed = !reader->has_header;
}

int run_log_read(int fd, const char *name, struct run_log *log)
{
	struct arena *arena = arena_new();
	struct reader reader = { .log = log, .arena = arena, .number = 1, .here = 1 };
	struct csv_parser parser;

	*log = (struct run_log){ .name = name, .memory = arena };
	if (!arena || csv_init(&parser, CSV_STRICT | CSV_APPEND_NULL)) {
		out_of_memory(&reader);
		run_log_free(log);
		return -1;
	}
	csv_set_space_func(&parser, no_space);
	parse_file(&reader, &parser, fd);
	csv_free(&parser);
	check_end(&reader);
	if (reader.failed) {
		run_log_free(log);
		return -1;
	}
	return 0;
}

void run_log_free(struct run_log *log)
{
	free(log->lines);
	free(log->numbers);
	arena_free(log->memory);
	*log = (struct run_log){ .name = log->name };
}

int run_log_open_untrusted(const char *path)
{
	struct stat status;
	int fd;

	/* A device may act when it is opened: look first. */
	if (stat(path, &status))
		return -1;
	if (!S_ISREG(status.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	/* It may have been changed for another in between. */
	if (fstat(fd, &status) || !S_ISREG(status.st_mode)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}
