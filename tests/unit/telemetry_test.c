// SPDX-License-Identifier: GPL-2.0-only
/* Lists of records: good ones, and each way in which a line can be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "telemetry.h"

static char path[] = "/tmp/telemetry-test-XXXXXX";

static int set_up(void **state)
{
	int fd;

	(void)state;
	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

static void write_list(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void a_list(void **state)
{
	struct telemetry *list;
	char why[200];

	(void)state;
	write_list("# offset, size, ms\n\n0 16384\n  32768\t16384 2\r\n16384 8192 0\n \n100 1");
	list = telemetry_read(path, why, sizeof(why));
	assert_non_null(list);
	assert_int_equal(list->count, 4);
	assert_int_equal(list->largest, 16384);
	assert_int_equal(list->extent, 49152);
	assert_int_equal(list->entries[1].offset, 32768);
	assert_int_equal(list->entries[1].size, 16384);
	assert_int_equal(list->entries[3].size, 1);
	/* The second and third say how long, the others do not. */
	assert_int_equal(telemetry_delay_ns(list, 0, 7), 7);
	assert_int_equal(telemetry_delay_ns(list, 1, 7), 2000000);
	assert_int_equal(telemetry_delay_ns(list, 2, 7), 0);
	assert_int_equal(telemetry_bytes(list, 0), 0);
	assert_int_equal(telemetry_bytes(list, 2), 32768);
	assert_int_equal(telemetry_bytes(list, 4), 40961);
	telemetry_free(list);
}

static void many_records(void **state)
{
	struct telemetry *list;
	char why[200];
	FILE *file = fopen(path, "w");

	(void)state;
	assert_non_null(file);
	for (unsigned int i = 0; i < 10000; i++)
		fprintf(file, "%u 1024\n", i * 1024);
	assert_int_equal(fclose(file), 0);
	list = telemetry_read(path, why, sizeof(why));
	assert_non_null(list);
	assert_int_equal(list->count, 10000);
	assert_int_equal(list->entries[9999].offset, 9999 * 1024);
	assert_int_equal(telemetry_bytes(list, 10000), 10240000);
	telemetry_free(list);
}

struct wrong {
	const char *text;
	const char *why; /* after the path */
};

static void lists_that_are_none(void **state)
{
	static const struct wrong wrongs[] = {
		{ "", ": no records in it" },
		{ "# nothing\n\n", ": no records in it" },
		{ "0 4096\n4096\n", ":2: no size in bytes" },
		{ "0 0\n", ":1: no size in bytes" },
		{ "\n\n-1 4096\n", ":3: no offset in bytes" },
		{ "x 4096\n", ":1: no offset in bytes" },
		{ "0x10 4096\n", ":1: no offset in bytes" },
		{ "0 4k\n", ":1: no size in bytes" },
		{ "0 4096 x\n", ":1: no delay in milliseconds" },
		{ "0 4096 3600001\n", ":1: no delay in milliseconds" },
		{ "0 4096 1 1\n", ":1: more than three numbers" },
		{ "9223372036854775807 1\n", ":1: no size in bytes" },
		{ "99999999999999999999 1\n", ":1: no offset in bytes" },
	};
	char why[200], expected[200];

	(void)state;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		write_list(wrongs[i].text);
		assert_null(telemetry_read(path, why, sizeof(why)));
		snprintf(expected, sizeof(expected), "%s%s", path, wrongs[i].why);
		assert_string_equal(why, expected);
	}
}

static void a_line_without_end(void **state)
{
	char text[1000], why[200];

	(void)state;
	memset(text, '1', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	write_list(text);
	assert_null(telemetry_read(path, why, sizeof(why)));
	assert_non_null(strstr(why, ":1: too long"));
}

/* A comment may not hide what follows it when it is cut in two. */
static void a_comment_without_end(void **state)
{
	char text[1000], why[200];

	(void)state;
	memset(text, ' ', sizeof(text) - 1);
	text[0] = '#';
	strcpy(text + sizeof(text) - 20, "0 4096\n");
	write_list(text);
	assert_null(telemetry_read(path, why, sizeof(why)));
	assert_non_null(strstr(why, ":1: too long"));
}

static void no_file(void **state)
{
	char why[200];

	(void)state;
	assert_null(telemetry_read("/nowhere/list", why, sizeof(why)));
	assert_string_equal(why, "/nowhere/list: No such file or directory");
	assert_null(telemetry_read("/tmp", why, sizeof(why)));
	assert_string_equal(why, "/tmp: Is a directory");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_list),
		TEST(many_records),
		TEST(lists_that_are_none),
		TEST(a_line_without_end),
		TEST(a_comment_without_end),
		TEST(no_file),
	};
#undef TEST

	return cmocka_run_group_tests_name("telemetry", tests, NULL, NULL);
}
