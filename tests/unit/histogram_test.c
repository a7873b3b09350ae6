// SPDX-License-Identifier: GPL-2.0-only
/* The histogram of latencies: its bounds, and the format of iozone's file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "histogram.h"

#define US 1000ull

static unsigned int bucket_of(uint64_t latency_ns)
{
	struct histogram histogram = { { 0 } };
	unsigned int found = HISTOGRAM_BUCKETS;

	histogram_add(&histogram, latency_ns);
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		if (!histogram.counts[i])
			continue;
		assert_int_equal(histogram.counts[i], 1);
		assert_int_equal(found, HISTOGRAM_BUCKETS);
		found = i;
	}
	return found;
}

static void bounds(void **state)
{
	(void)state;
	assert_int_equal(bucket_of(0), 0);
	/* Whole microseconds, and the bound belongs to the lower one. */
	assert_int_equal(bucket_of(20 * US + 999), 0);
	assert_int_equal(bucket_of(21 * US), 1);
	assert_int_equal(bucket_of(100 * US), 4);
	assert_int_equal(bucket_of(101 * US), 5);
	assert_int_equal(bucket_of(1000 * US), 9);
	assert_int_equal(bucket_of(10000 * US), 14);
	assert_int_equal(bucket_of(10001 * US), 15);
	assert_int_equal(bucket_of(20000 * US), 19);
	assert_int_equal(bucket_of(100000 * US), 23);
	assert_int_equal(bucket_of(100001 * US), 24);
	assert_int_equal(bucket_of(1000000 * US), 28);
	assert_int_equal(bucket_of(10000000 * US), 33);
	assert_int_equal(bucket_of(30000000 * US), 35);
	assert_int_equal(bucket_of(120000000 * US), 38);
	assert_int_equal(bucket_of(120000001 * US), 39);
	assert_int_equal(bucket_of(UINT64_MAX), 39);
}

static void the_file(void **state)
{
	static const char expected[] =
		"Child: 3 Op: Rewrite\n"
		"Band 1:    20us:2        40us:0        60us:0        80us:0       100us:0       \n"
		"Band 2:   200us:0       400us:0       600us:0       800us:0         1ms:1       \n"
		"Band 3:     2ms:0         4ms:0         6ms:0         8ms:0        10ms:0       \n"
		"Band 4:    12ms:0        14ms:0        16ms:0        18ms:0        20ms:0       \n"
		"Band 5:    40ms:0        60ms:0        80ms:0       100ms:0       \n"
		"Band 6:   200ms:0       400ms:0       600ms:0       800ms:0          1s:0       \n"
		"Band 7:      2s:0          4s:0          6s:0          8s:0         10s:0       \n"
		"Band 8:     20s:0         40s:0         60s:0         80s:0        120s:0       \n"
		"Band 9:   120+s:12345678 \n"
		"\n";
	struct histogram histogram = { { 0 } };
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	(void)state;
	assert_non_null(file);
	histogram_add(&histogram, 1 * US);
	histogram_add(&histogram, 20 * US);
	histogram_add(&histogram, 900 * US);
	histogram.counts[39] = 12345678;
	histogram_write(&histogram, file, 3, "Rewrite");
	assert_int_equal(fclose(file), 0);
	assert_string_equal(text, expected);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds),
		cmocka_unit_test(the_file),
	};

	return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
