// SPDX-License-Identifier: GPL-2.0-only
/* The shuffled order, against what iozone 3.489 was seen to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shuffle.h"

static void check_order(const uint32_t *expected, size_t count)
{
	uint32_t *order = shuffled_records(count);

	assert_non_null(order);
	assert_memory_equal(order, expected, count * sizeof(*order));
	free(order);
}

static void as_iozone_does_it(void **state)
{
	static const uint32_t four[] = { 1, 2, 0, 3 };
	static const uint32_t twenty[] = {
		9, 8, 5, 17, 18, 10, 13, 14, 7, 0, 15, 12, 16, 1, 6, 2, 3, 4, 19, 11,
	};

	(void)state;
	check_order(four, 4);
	check_order(twenty, 20);
}

/* Each record once, for counts around the twister's own size too. */
static void every_record_once(void **state)
{
	static const size_t counts[] = { 1, 2, 3, 311, 312, 313, 624, 625, 100000 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint32_t *order = shuffled_records(counts[i]);
		char *seen = calloc(1, counts[i]);

		assert_non_null(order);
		assert_non_null(seen);
		for (size_t j = 0; j < counts[i]; j++) {
			assert_in_range(order[j], 0, counts[i] - 1);
			assert_int_equal(seen[order[j]]++, 0);
		}
		free(order);
		free(seen);
	}
}

static void the_same_each_time(void **state)
{
	uint32_t *first = shuffled_records(1000), *second = shuffled_records(1000);

	(void)state;
	assert_memory_equal(first, second, 1000 * sizeof(*first));
	free(first);
	free(second);
}

static void no_records(void **state)
{
	uint32_t *order = shuffled_records(0);

	(void)state;
	assert_non_null(order);
	free(order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_iozone_does_it),
		cmocka_unit_test(every_record_once),
		cmocka_unit_test(the_same_each_time),
		cmocka_unit_test(no_records),
	};

	return cmocka_run_group_tests_name("shuffle", tests, NULL, NULL);
}
