// SPDX-License-Identifier: GPL-2.0-only
/* What is in records: against bytes that iozone 3.489 has written, and broken in every place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contents.h"
#include "dedup.h"
#include "random.h"

static void pages_are_marked(void **state)
{
	unsigned char record[2 * CONTENTS_PAGE + 5];

	(void)state;
	memset(record, 0, sizeof(record));
	contents_fill(&contents_default, (char *)record, sizeof(record), 3);
	for (size_t i = 0; i < sizeof(record); i++)
		assert_int_equal(record[i], i % CONTENTS_PAGE < CONTENTS_MARK ? 0x5f : 0);
}

static void what_is_left_stays(void **state)
{
	const struct contents contents = { .kind = CONTENTS_LEFT, .byte = 1, .line = 32 };
	struct mismatch mismatch;
	char record[64], before[64];

	(void)state;
	memset(record, 7, sizeof(record));
	memcpy(before, record, sizeof(record));
	contents_fill(&contents, record, sizeof(record), 0);
	assert_memory_equal(record, before, sizeof(record));
	assert_true(contents_check(&contents, record, sizeof(record), 0, &mismatch));
}

/* A record of 100 bytes has three lines of 32; the rest is nobody's. */
static void whole_lines_are_filled(void **state)
{
	const struct contents contents = { .kind = CONTENTS_BYTE, .byte = 7, .line = 32 };
	char record[100];

	(void)state;
	memset(record, 1, sizeof(record));
	contents_fill(&contents, record, sizeof(record), 0);
	for (size_t i = 0; i < sizeof(record); i++)
		assert_int_equal(record[i], i < 96 ? 7 : 1);
}

/* Of a line of 12 bytes iozone fills eight, and goes on behind them. */
static void odd_lines(void **state)
{
	const struct contents contents = { .kind = CONTENTS_BYTE, .byte = 9, .line = 12 };
	char record[36] = { 0 };

	(void)state;
	contents_fill(&contents, record, sizeof(record), 0);
	for (size_t i = 0; i < sizeof(record); i++)
		assert_int_equal(record[i], i < 24 ? 9 : 0);
}

static void words_as_iozone_writes_them(void **state)
{
	static const unsigned char first[] = {
		0x6f, 0x4c, 0xf5, 0x74, 0xf3, 0x72, 0xf1, 0x70, 0x70, 0x4d, 0xf6, 0x75,
		0xf4, 0x73, 0xf2, 0x71, 0x71, 0x4e, 0xf7, 0x76, 0xf5, 0x74, 0xf3, 0x72,
	};
	static const unsigned char fourth_of_child_1[] = {
		0xe5, 0x84, 0xe5, 0x82, 0xe3, 0x80, 0xe1, 0x7e,
		0xe6, 0x85, 0xe6, 0x83, 0xe4, 0x81, 0xe2, 0x7f,
	};
	struct contents contents = { .kind = CONTENTS_WORDS, .line = 32 };
	char record[64];

	(void)state;
	contents_fill(&contents, record, sizeof(record), 0);
	assert_memory_equal(record, first, sizeof(first));
	contents.child = 1;
	contents_fill(&contents, record, sizeof(record), 3);
	assert_memory_equal(record, fourth_of_child_1, sizeof(fourth_of_child_1));
}

/* Every byte that is checked is found when it is wrong, and none of the others. */
static void find_every_byte(const struct contents *contents, size_t size, size_t checked,
			    size_t period, size_t mark)
{
	char *record = calloc(1, size);
	struct mismatch mismatch;

	assert_non_null(record);
	contents_fill(contents, record, size, 5);
	assert_true(contents_check(contents, record, size, 5, &mismatch));
	for (size_t i = 0; i < size; i++) {
		unsigned char right = (unsigned char)record[i];

		record[i] = (char)(right ^ 0x10);
		if (i < checked && i % period < mark) {
			assert_false(contents_check(contents, record, size, 5, &mismatch));
			assert_int_equal(mismatch.at, i);
			assert_int_equal(mismatch.expected, right);
			assert_int_equal(mismatch.found, right ^ 0x10);
		} else {
			assert_true(contents_check(contents, record, size, 5, &mismatch));
		}
		record[i] = (char)right;
	}
	free(record);
}

static void a_wrong_byte_is_found(void **state)
{
	const struct contents bytes = { .kind = CONTENTS_BYTE, .byte = 7, .line = 32 };
	const struct contents words = { .kind = CONTENTS_WORDS, .line = 32, .child = 2 };

	(void)state;
	find_every_byte(&bytes, 1000, 992, 1, 1);
	find_every_byte(&words, 1000, 992, 1, 1);
	find_every_byte(&contents_default, 2 * CONTENTS_PAGE + 5, 2 * CONTENTS_PAGE + 5,
			CONTENTS_PAGE, CONTENTS_MARK);
}

static void another_records_words_are_wrong(void **state)
{
	const struct contents words = { .kind = CONTENTS_WORDS, .line = 32 };
	struct mismatch mismatch;
	char record[64];

	(void)state;
	contents_fill(&words, record, sizeof(record), 2);
	assert_false(contents_check(&words, record, sizeof(record), 3, &mismatch));
}

/* ---- iozone -+w ------------------------------------------------------------------- */

#define SIZE 12288
#define RECORDS 5

/* Fowler, Noll and Vo's hash (FNV-1a): short, and it notices every byte. */
static uint64_t hash(const char *bytes, size_t size)
{
	uint64_t value = 0xcbf29ce484222325ull;

	for (size_t i = 0; i < size; i++)
		value = (value ^ (unsigned char)bytes[i]) * 0x100000001b3ull;
	return value;
}

struct sample {
	struct dedup_shares shares;
	unsigned int child;
	uint64_t record;
	uint64_t hash; /* of what iozone 3.489 has written */
};

static void dedup_as_iozone_writes_it(void **state)
{
	static const struct sample samples[] = {
		{ { 100, 0, 0 }, 0, 0, 0xae7dc03a090eb65aull },
		{ { 100, 0, 0 }, 2, 3, 0x8bbe1b0d17ba5dc2ull },
		{ { 50, 0, 0 }, 0, 0, 0xae7dc03a090eb65aull },
		{ { 50, 0, 0 }, 1, 0, 0x0ff96b82413863eaull },
		{ { 50, 0, 0 }, 2, 3, 0x8229cc186801b792ull },
		{ { 50, 50, 50 }, 0, 0, 0xcf8a051f942fdda8ull },
		{ { 50, 50, 50 }, 1, 3, 0x4aa60a0068a16448ull },
		{ { 33, 47, 21 }, 0, 3, 0x318878ef6fb602e9ull },
		{ { 33, 47, 21 }, 1, 0, 0x4230d60ba60d2641ull },
		{ { 33, 47, 21 }, 2, 3, 0xcdf1f40f6e6a7a2full },
	};
	char *record = malloc(SIZE);

	(void)state;
	assert_non_null(record);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct dedup *dedup =
			dedup_new(&samples[i].shares, SIZE, RECORDS, samples[i].child);

		assert_non_null(dedup);
		memset(record, 0, SIZE);
		dedup_fill(dedup, record, samples[i].record);
		assert_int_equal(hash(record, SIZE), samples[i].hash);
		dedup_free(dedup);
	}
	free(record);
}

/* Whatever the shares, nothing is written beyond the record. */
static void dedup_keeps_within_the_record(void **state)
{
	static const unsigned int steps[] = { 0, 1, 33, 50, 99, 100 };
	static const size_t sizes[] = { 1, 4, 7, 100, 1000, 4099 };
	enum { COUNT = sizeof(steps) / sizeof(steps[0]), GUARD = 64 };
	char *record = malloc(4099 + GUARD);

	(void)state;
	assert_non_null(record);
	for (size_t i = 0; i < COUNT * COUNT * COUNT * 6; i++) {
		const struct dedup_shares shares = {
			steps[i % COUNT],
			steps[i / COUNT % COUNT],
			steps[i / COUNT / COUNT % COUNT],
		};
		size_t size = sizes[i / COUNT / COUNT / COUNT];
		struct dedup *dedup = dedup_new(&shares, size, 3, 1);

		assert_non_null(dedup);
		memset(record, 0x11, size + GUARD);
		dedup_fill(dedup, record, 2);
		for (size_t j = size; j < size + GUARD; j++)
			assert_int_equal(record[j], 0x11);
		dedup_free(dedup);
	}
	free(record);
}

static void numbers_of_the_c_library(void **state)
{
	static const unsigned int seeds[] = { 0, 1, 2, 0x2719362, 0xffffffff };
	uint32_t words[100];

	(void)state;
	for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
		srand(seeds[i]);
		random_words(seeds[i], words, 100);
		assert_int_equal(first_random(seeds[i]), words[0]);
		for (size_t j = 0; j < 100; j++)
			assert_int_equal(words[j], rand());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_marked),
		cmocka_unit_test(what_is_left_stays),
		cmocka_unit_test(whole_lines_are_filled),
		cmocka_unit_test(odd_lines),
		cmocka_unit_test(words_as_iozone_writes_them),
		cmocka_unit_test(a_wrong_byte_is_found),
		cmocka_unit_test(another_records_words_are_wrong),
		cmocka_unit_test(dedup_as_iozone_writes_it),
		cmocka_unit_test(dedup_keeps_within_the_record),
		cmocka_unit_test(numbers_of_the_c_library),
	};

	return cmocka_run_group_tests_name("contents", tests, NULL, NULL);
}
