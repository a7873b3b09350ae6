// SPDX-License-Identifier: GPL-2.0-only
/* The reader of run logs, with good ones and with all kinds of bad ones. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "caught_stderr.h"
#include "run_log_reader.h"

#define HEADER \
	"\"fio-iozone-log-1\",\"began\",\"fio\",\"engine\",\"host\",\"group\",\"job\",\"test\"," \
	"\"child\",\"children\",\"pid\",\"mode\",\"file\",\"record\",\"file_size\",\"bytes\"," \
	"\"records\",\"tail_bytes\",\"release_ns\",\"start_ns\",\"stop_ns\",\"done_ns\"," \
	"\"flag_ns\",\"excluded_ns\",\"user_ns\",\"system_ns\",\"wall_ns\",\"end\",\"error\"," \
	"\"error_offset\",\"message\",\"flags\",\"memory\",\"fs_type\",\"fs_options\"," \
	"\"fs_mount\"\n"

/* A good line: child 1 of 2 did 3 of 4 records of 1 KiB, then its tail. */
static const struct run_log_line good = {
	.run = "0123456789abcdef",
	.began = 1700000000,
	.fio = "fio-3.33",
	.engine = "1.0",
	.host = "here",
	.group = 2,
	.job = "w",
	.test = "write",
	.child = 1,
	.children = 2,
	.pid = 4711,
	.mode = "process",
	.file = "/mnt/iozone.DUMMY.1",
	.record = 1024,
	.file_size = 4096,
	.bytes = 3072,
	.records = 3,
	.tail_bytes = 1024,
	.release_ns = 1000,
	.start_ns = 1100,
	.stop_ns = 2100,
	.done_ns = 3000,
	.flag_ns = 2000,
	.excluded_ns = 0,
	.user_ns = 10,
	.system_ns = 20,
	.wall_ns = 900,
	.end = "stopped",
	.message = "",
	.flags = "stonewall",
	.memory = 1 << 30,
	.fs_type = "nfs",
	.fs_options = "rw,vers=3",
	.fs_mount = "/mnt",
};

static void print_text(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void print_number(FILE *out, uint64_t number)
{
	fprintf(out, "%" PRIu64, number);
}

/* A log of a header and some lines, as text to be freed. */
static char *log_of(const struct run_log_line *lines, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	fputs(HEADER, out);
	for (size_t i = 0; i < count; i++) {
#define PRINT(member, type) \
	print_##type(out, lines[i].member); \
	putc(RUN_LOG_##member == RUN_LOG_COLUMN_COUNT - 1 ? '\n' : ',', out);
		RUN_LOG_COLUMNS(PRINT)
#undef PRINT
	}
	fclose(out);
	return text;
}

static int file_of(const char *bytes, size_t length)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), length);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Reads bytes as a log; what was said is in caught. */
static int read_bytes(const char *bytes, size_t length, struct run_log *log,
		      struct caught_stderr *caught)
{
	int status, fd = file_of(bytes, length);

	catch_stderr(caught);
	status = run_log_read(fd, "run.csv", log);
	release_stderr(caught);
	close(fd);
	return status;
}

static void expect_good(const char *text, size_t count)
{
	struct caught_stderr caught;
	struct run_log log;

	if (read_bytes(text, strlen(text), &log, &caught))
		fail_msg("%s", caught.text);
	assert_string_equal(caught.text, "");
	assert_int_equal(log.count, count);
	run_log_free(&log);
}

/* One message, which holds the cause and the place. */
static void expect_bad_bytes(const char *text, size_t length, const char *place, const char *cause)
{
	struct caught_stderr caught;
	struct run_log log;

	assert_int_equal(read_bytes(text, length, &log, &caught), -1);
	if (!strstr(caught.text, place) || !strstr(caught.text, cause))
		fail_msg("\"%s\" says not \"%s\" and \"%s\"", caught.text, place, cause);
	assert_ptr_equal(strchr(caught.text, '\n'), caught.text + strlen(caught.text) - 1);
}

static void expect_bad(const char *text, const char *place, const char *cause)
{
	expect_bad_bytes(text, strlen(text), place, cause);
}

/* A log with a second line that is bad. */
static void expect_bad_line(struct run_log_line bad, const char *cause)
{
	struct run_log_line lines[] = { good, bad };
	char *text;

	lines[0].child = 0;
	text = log_of(lines, 2);
	expect_bad(text, "run.csv:3: ", cause);
	free(text);
}

/* ---- good logs -------------------------------------------------------------- */

static void line_is_read_whole(void **state)
{
	struct caught_stderr caught;
	struct run_log log;
	char *text = log_of(&good, 1);

	(void)state;
	assert_int_equal(read_bytes(text, strlen(text), &log, &caught), 0);
	assert_int_equal(log.count, 1);
	assert_int_equal(log.numbers[0], 2);
	assert_int_equal(log.torn, 0);
#define SAME_text(a, b) assert_string_equal(a, b)
#define SAME_number(a, b) assert_int_equal(a, b)
#define SAME(member, type) SAME_##type(log.lines[0].member, good.member);
	RUN_LOG_COLUMNS(SAME)
	run_log_free(&log);
	free(text);
}

static void header_alone_is_a_log(void **state)
{
	(void)state;
	expect_good(HEADER, 0);
}

static void odd_texts_stay_as_they_are(void **state)
{
	struct run_log_line line = good;
	struct caught_stderr caught;
	struct run_log log;
	char *text;

	(void)state;
	line.file = " /mnt/a \"b\",\nc \xff\t ";
	line.job = "";
	text = log_of(&line, 1);
	assert_int_equal(read_bytes(text, strlen(text), &log, &caught), 0);
	assert_string_equal(log.lines[0].file, line.file);
	assert_string_equal(log.lines[0].job, "");
	run_log_free(&log);
	free(text);
}

static void line_numbers_count_newlines_in_cells(void **state)
{
	struct run_log_line lines[] = { good, good, good };
	char *text;

	(void)state;
	lines[0].file = "a\nb\nc";
	lines[2].test = "nonsense";
	text = log_of(lines, 3);
	expect_bad(text, "run.csv:6: ", "no such test");
	free(text);
}

static void carriage_returns_and_blank_lines_do_no_harm(void **state)
{
	char *text = log_of(&good, 1), *with = calloc(2, strlen(text) + 64), *to = with;

	(void)state;
	assert_non_null(with);
	for (const char *from = text; *from; from++) {
		if (*from == '\n')
			*to++ = '\r';
		*to++ = *from;
	}
	strcpy(to, "\r\n\n\n");
	expect_good(with, 1);
	free(with);
	free(text);
}

static void many_lines_across_reads(void **state)
{
	enum { COUNT = 3000 };
	struct run_log_line *lines = calloc(COUNT, sizeof(*lines));
	struct caught_stderr caught;
	struct run_log log;
	char *text;

	(void)state;
	assert_non_null(lines);
	for (size_t i = 0; i < COUNT; i++) {
		lines[i] = good;
		lines[i].children = COUNT;
		lines[i].child = i;
	}
	text = log_of(lines, COUNT);
	assert_int_equal(read_bytes(text, strlen(text), &log, &caught), 0);
	assert_int_equal(log.count, COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(log.lines[i].child, i);
		assert_int_equal(log.numbers[i], i + 2);
		assert_string_equal(log.lines[i].fs_options, "rw,vers=3");
	}
	run_log_free(&log);
	free(text);
	free(lines);
}

static void failed_child_needs_no_times(void **state)
{
	struct run_log_line line = good;
	char *text;

	(void)state;
	line.end = "failed";
	line.error = ENOSPC;
	line.start_ns = line.stop_ns = line.done_ns = line.release_ns = 0;
	text = log_of(&line, 1);
	expect_good(text, 1);
	free(text);
}

/* ---- cut short ----------------------------------------------------------------- */

static void torn_last_line_is_told(void **state)
{
	char *text = log_of((struct run_log_line[]){ good, good }, 2);
	size_t second = strlen(HEADER) + (strlen(text) - strlen(HEADER)) / 2;

	(void)state;
	for (size_t length = second + 1; length < strlen(text); length++) {
		struct caught_stderr caught;
		struct run_log log;

		assert_int_equal(read_bytes(text, length, &log, &caught), 0);
		assert_int_equal(log.count, 1);
		assert_int_equal(log.torn, 3);
		run_log_free(&log);
	}
	free(text);
}

static void torn_header_is_no_log(void **state)
{
	(void)state;
	for (size_t length = 1; length < strlen(HEADER); length++)
		expect_bad_bytes(HEADER, length, "run.csv:1: ", "not a run log");
}

static void empty_file_is_no_log(void **state)
{
	(void)state;
	expect_bad("", "run.csv: ", "empty");
	expect_bad("\n\n", "run.csv: ", "empty");
}

/* ---- not a run log --------------------------------------------------------------- */

static void other_files_are_no_logs(void **state)
{
	static const char binary[] = "\x7f"
				     "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\"\n,";
	char *zeros = calloc(1, 1 << 20);

	(void)state;
	assert_non_null(zeros);
	expect_bad("root:x:0:0:root:/root:/bin/bash\n", "run.csv:1: ", "not a run log");
	expect_bad("{ \"fio version\" : \"fio-3.33\" }\n", "run.csv:1: ", "not a run log");
	expect_bad("\"fio-iozone-log-x\"\n", "run.csv:1: ", "not a run log");
	expect_bad("fio-iozone-log-\n", "run.csv:1: ", "not a run log");
	expect_bad_bytes(binary, sizeof(binary) - 1, "run.csv:1: ", "not a run log");
	expect_bad_bytes(zeros, 1 << 20, "run.csv:1: ", "not a run log");
	free(zeros);
}

static void newer_format_is_refused(void **state)
{
	(void)state;
	expect_bad("\"fio-iozone-log-2\",\"began\"\n",
		   "run.csv:1: ", "run log of format 2, newer than this program understands (1)");
	expect_bad("fio-iozone-log-18446744073709551615\n", "run.csv:1: ", "newer");
	expect_bad("fio-iozone-log-0\n", "run.csv:1: ", "does not understand");
}

static void columns_have_their_names(void **state)
{
	char *text = strdup(HEADER);

	(void)state;
	memcpy(strstr(text, "\"bytes\""), "\"octet\"", 7);
	expect_bad(text, "run.csv:1: ", "\"octet\" where \"bytes\" should be");
	free(text);
	expect_bad("\"fio-iozone-log-1\",\"began\"\n", "run.csv:1: ", "2 columns");
}

/* ---- bad lines --------------------------------------------------------------------- */

static void columns_are_counted(void **state)
{
	char *text = log_of(&good, 1);

	(void)state;
	text = realloc(text, strlen(text) + 64);
	strcpy(text + strlen(text) - 1, ",1\n");
	expect_bad(text, "run.csv:2: ", "37 columns where a run log has 36");
	free(text);
	expect_bad(HEADER "1,2\n", "run.csv:2: ", "2 columns");
}

static void quotes_have_their_place(void **state)
{
	(void)state;
	expect_bad(HEADER "\"0123\"4,5\n", "run.csv:2: ", "a quote is out of place");
	expect_bad(HEADER "01\"23,5\n", "run.csv:2: ", "a quote is out of place");
}

static void line_has_its_bounds(void **state)
{
	size_t length = strlen(HEADER) + RUN_LOG_LINE_MAX + 10;
	char *text = malloc(length + 1);

	(void)state;
	assert_non_null(text);
	memset(text, 'x', length);
	memcpy(text, HEADER, strlen(HEADER));
	text[length] = '\0';
	expect_bad(text, "run.csv:2: ", "longer than any");
	free(text);
}

/* Puts a text in the place of a number. */
static void expect_bad_number(const char *number)
{
	char *text = log_of(&good, 1), *at = strstr(text, ",1700000000,"), changed[4096];

	assert_non_null(at);
	snprintf(changed, sizeof(changed), "%.*s,%s%s", (int)(at - text), text, number,
		 at + strlen(",1700000000"));
	expect_bad(changed, "run.csv:2: ", "column began is");
	free(text);
}

static void numbers_are_numbers(void **state)
{
	(void)state;
	expect_bad_number("");
	expect_bad_number("-1");
	expect_bad_number("+1");
	expect_bad_number(" 1");
	expect_bad_number("1 ");
	expect_bad_number("0x10");
	expect_bad_number("1e3");
	expect_bad_number("1.0");
	expect_bad_number("nan");
	expect_bad_number("18446744073709551616");
	expect_bad_number("99999999999999999999999999999999999999");
}

static void nul_bytes_are_refused(void **state)
{
	char *text = log_of(&good, 1);
	size_t length = strlen(text);

	(void)state;
	*strstr(text, "here") = '\0';
	expect_bad_bytes(text, length, "run.csv:2: ", "column host holds a NUL byte");
	free(text);
}

static void names_are_known(void **state)
{
	struct run_log_line line = good;

	(void)state;
	line.run = "0123456789ABCDEF";
	expect_bad_line(line, "16 hexadecimal digits");
	line.run = "0123";
	expect_bad_line(line, "16 hexadecimal digits");
	line = good;
	line.test = "writ";
	expect_bad_line(line, "no such test");
	line = good;
	line.mode = "fiber";
	expect_bad_line(line, "mode is neither");
	line = good;
	line.end = "";
	expect_bad_line(line, "the child's end");
}

static void amounts_agree(void **state)
{
	struct run_log_line line = good;

	(void)state;
	line.child = 2;
	expect_bad_line(line, "not below the number of children");
	line.children = UINT64_MAX;
	expect_bad_line(line, "so many children");
	line = good;
	line.group = UINT64_MAX;
	expect_bad_line(line, "so many groups");
	line = good;
	line.record = 0;
	expect_bad_line(line, "a record of 0 bytes");
	line = good;
	line.file_size = 4097;
	expect_bad_line(line, "whole number of records");
	line = good;
	line.records = 5;
	line.bytes = 5120;
	expect_bad_line(line, "more records than the file holds");
	line = good;
	line.bytes = 3073;
	expect_bad_line(line, "bytes and records do not agree");
	line = good;
	line.tail_bytes = 1025;
	expect_bad_line(line, "more bytes after the stop");
	line = good;
	line.file_size = line.record = UINT64_MAX;
	line.records = 1;
	line.bytes = 0;
	expect_bad_line(line, "bytes and records do not agree");
}

static void times_are_in_order(void **state)
{
	struct run_log_line line = good;

	(void)state;
	line.release_ns = 0;
	expect_bad_line(line, "before its release");
	line = good;
	line.start_ns = 999;
	expect_bad_line(line, "before its release");
	line = good;
	line.stop_ns = 1099;
	expect_bad_line(line, "stops before it starts");
	line = good;
	line.done_ns = 2099;
	expect_bad_line(line, "leaves before its clock stops");
	line = good;
	line.excluded_ns = 1001;
	expect_bad_line(line, "more time is excluded");
}

static void success_has_no_failure_in_it(void **state)
{
	struct run_log_line line = good;

	(void)state;
	line.error = EIO;
	expect_bad_line(line, "an error in a child that did not fail");
	line = good;
	line.end = "finished";
	expect_bad_line(line, "finished, but not all its records");
}

static void messages_do_not_pass_control_characters_on(void **state)
{
	struct run_log_line line = good;
	struct caught_stderr caught;
	struct run_log log;
	char *text;

	(void)state;
	line.test = "\x1b[31m\nrm";
	text = log_of(&line, 1);
	assert_int_equal(read_bytes(text, strlen(text), &log, &caught), -1);
	assert_null(strchr(caught.text, '\x1b'));
	assert_ptr_equal(strchr(caught.text, '\n'), caught.text + strlen(caught.text) - 1);
	free(text);
}

/* ---- opening ---------------------------------------------------------------------- */

static void only_regular_files_are_opened(void **state)
{
	char folder[] = "/tmp/run_log_reader_test.XXXXXX", path[64];
	int fd;

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(run_log_open_untrusted(folder), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(run_log_open_untrusted("/dev/null"), -1);
	assert_int_equal(errno, EINVAL);
	snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(run_log_open_untrusted(path), -1);
	assert_int_equal(errno, ENOENT);
	/* With nobody at the other end: an open that waits would not come back. */
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(run_log_open_untrusted(path), -1);
	assert_int_equal(errno, EINVAL);
	unlink(path);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	close(fd);
	fd = run_log_open_untrusted(path);
	assert_true(fd >= 0);
	close(fd);
	unlink(path);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_is_read_whole),
		cmocka_unit_test(header_alone_is_a_log),
		cmocka_unit_test(odd_texts_stay_as_they_are),
		cmocka_unit_test(line_numbers_count_newlines_in_cells),
		cmocka_unit_test(carriage_returns_and_blank_lines_do_no_harm),
		cmocka_unit_test(many_lines_across_reads),
		cmocka_unit_test(failed_child_needs_no_times),
		cmocka_unit_test(torn_last_line_is_told),
		cmocka_unit_test(torn_header_is_no_log),
		cmocka_unit_test(empty_file_is_no_log),
		cmocka_unit_test(other_files_are_no_logs),
		cmocka_unit_test(newer_format_is_refused),
		cmocka_unit_test(columns_have_their_names),
		cmocka_unit_test(columns_are_counted),
		cmocka_unit_test(quotes_have_their_place),
		cmocka_unit_test(line_has_its_bounds),
		cmocka_unit_test(numbers_are_numbers),
		cmocka_unit_test(nul_bytes_are_refused),
		cmocka_unit_test(names_are_known),
		cmocka_unit_test(amounts_agree),
		cmocka_unit_test(times_are_in_order),
		cmocka_unit_test(success_has_no_failure_in_it),
		cmocka_unit_test(messages_do_not_pass_control_characters_on),
		cmocka_unit_test(only_regular_files_are_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
