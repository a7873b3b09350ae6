// SPDX-License-Identifier: GPL-2.0-only
/* Where a child's buffer is, and what is in it before the first record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_child.h"

#define MIB (1u << 20)

static void free_buffer(struct made_child *made)
{
	free(made->child.allocation);
	meet_destroy(made->child.meet);
}

/* How far from a border of the processor's cache, as iozone takes it. */
static size_t place_of(enum iozone_test_id test, unsigned int number, size_t record, size_t cache)
{
	struct made_child made;
	size_t place;

	made_child(&made, test);
	made.child.number = number;
	made.child.record = record;
	made.options.cache_size = cache;
	assert_int_equal(child_buffer(&made.child), 0);
	place = (uintptr_t)made.child.buffer & (cache - 1);
	/* The whole of it must be ours. */
	memset(made.child.buffer, 1, record);
	free_buffer(&made);
	return place;
}

static void writers_have_places_of_their_own(void **state)
{
	static const enum iozone_test_id tests[] = { TEST_WRITE, TEST_RANDOM_WRITE, TEST_PWRITE };

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		assert_int_equal(place_of(tests[i], 0, 16384, MIB), 0);
		assert_int_equal(place_of(tests[i], 1, 16384, MIB), 16384);
		assert_int_equal(place_of(tests[i], 63, 16384, MIB), 63 * 16384);
		assert_int_equal(place_of(tests[i], 64, 16384, MIB), 0);
		/* 85 records of 12 KiB fit in. */
		assert_int_equal(place_of(tests[i], 84, 12288, MIB), 84 * 12288);
		assert_int_equal(place_of(tests[i], 85, 12288, MIB), 0);
		assert_int_equal(place_of(tests[i], 3, MIB, MIB), 0);
		assert_int_equal(place_of(tests[i], 3, 16 * MIB, MIB), 0);
		assert_int_equal(place_of(tests[i], 3, 4096, 8192), 4096);
	}
}

static void the_others_have_one_place(void **state)
{
	static const enum iozone_test_id tests[] = {
		TEST_REWRITE,	  TEST_READ,  TEST_REREAD, TEST_REVERSE_READ, TEST_STRIDE_READ,
		TEST_RANDOM_READ, TEST_PREAD, TEST_FWRITE, TEST_FREAD,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		assert_int_equal(place_of(tests[i], 5, 16384, MIB), 0);
}

/* The byte at a place of a record of which the first of each so many bytes was touched. */
static int expected_byte(size_t at, size_t touched)
{
	return at % 4096 < 8 || (touched && at % touched == 0) ? 0x5f : 0;
}

static void check_bytes(struct made_child *made, size_t touched)
{
	assert_int_equal(child_buffer(&made->child), 0);
	for (size_t i = 0; i < made->child.record; i++)
		assert_int_equal(made->child.buffer[i], expected_byte(i, touched));
	free_buffer(made);
}

static void marks_and_zeros(void **state)
{
	struct made_child made;

	(void)state;
	made_child(&made, TEST_WRITE);
	made.child.record = 12288;
	check_bytes(&made, 0);
	/* Nobody has touched anything before a run's write test. */
	made_child(&made, TEST_REWRITE);
	check_bytes(&made, 0);
}

static void the_touched_lines(void **state)
{
	struct made_child made;

	(void)state;
	made_child(&made, TEST_REWRITE);
	made.child.after_write = true;
	made.child.number = 3;
	check_bytes(&made, 32);
	made_child(&made, TEST_REWRITE);
	made.child.after_write = true;
	made.options.cache_line = 128;
	check_bytes(&made, 128);
	/* Threads have areas that nobody touched. */
	made_child(&made, TEST_REWRITE);
	made.child.after_write = made.child.thread = true;
	check_bytes(&made, 0);
	/* Of the writers, the first one alone is where the lines were touched. */
	made_child(&made, TEST_PWRITE);
	made.child.after_write = true;
	check_bytes(&made, 32);
	made_child(&made, TEST_PWRITE);
	made.child.after_write = true;
	made.child.number = 1;
	check_bytes(&made, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writers_have_places_of_their_own),
		cmocka_unit_test(the_others_have_one_place),
		cmocka_unit_test(marks_and_zeros),
		cmocka_unit_test(the_touched_lines),
	};

	return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
