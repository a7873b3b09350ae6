// SPDX-License-Identifier: GPL-2.0-only
/* Messages for people: always one line, whatever a file wants to be called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "caught_stderr.h"
#include "message.h"

#define expect(said, ...) \
	do { \
		struct caught_stderr caught; \
		catch_stderr(&caught); \
		complain(__VA_ARGS__); \
		assert_string_equal(release_stderr(&caught), said); \
	} while (0)

static void places(void **state)
{
	(void)state;
	expect("message_test: text\n", NULL, 0, "text");
	expect("message_test: text\n", NULL, 3, "text");
	expect("message_test: a file: text 7\n", "a file", 0, "text %d", 7);
	expect("message_test: a file:3: text\n", "a file", 3, "%s", "text");
	expect("message_test: %s:3: %d\n", "%s", 3, "%s", "%d");
}

static void one_line(void **state)
{
	(void)state;
	expect("message_test: a?b:1: c?d?e?\n", "a\nb", 1, "c\rd\x1b%s", "e\x7f");
	expect("message_test: \xc3\xa4: \xc3\xb6\n", "\xc3\xa4", 0, "\xc3\xb6");
}

/* The end is lost, but neither the place nor the line's end. */
static void much_to_say(void **state)
{
	struct caught_stderr caught;
	char *text = malloc(100001);
	const char *said;

	(void)state;
	memset(text, 'x', 100000);
	text[100000] = '\0';
	catch_stderr(&caught);
	complain("file", 12, "%s", text);
	said = release_stderr(&caught);
	assert_int_equal(strncmp(said, "message_test: file:12: xxx", 26), 0);
	assert_int_equal(strchr(said, '\n') - said, strlen(said) - 1);
	assert_true(strlen(said) > 8000 && strlen(said) <= 8192);
	catch_stderr(&caught);
	complain(text, 12, "%s", text);
	said = release_stderr(&caught);
	assert_int_equal(strchr(said, '\n') - said, strlen(said) - 1);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places),
		cmocka_unit_test(one_line),
		cmocka_unit_test(much_to_say),
	};

	return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
