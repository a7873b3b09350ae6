// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kinds of data that iozone can write, found by looking into its files.
 * It fills whole lines of the processor's cache only: what a record has beyond
 * its last whole line is neither filled nor checked.
 */
#include "contents.h"

#include <string.h>

#include "dedup.h"
#include "random.h"

#define WORD sizeof(uint64_t)
/* From one word to the next of CONTENTS_WORDS. */
#define WORDS_STEP 0x0101010101010101ull
#define WORDS_FIRST 0x0102030405060708ull

const struct contents contents_default = {
	.kind = CONTENTS_PAGES,
	.byte = CONTENTS_DEFAULT_BYTE,
	.line = CONTENTS_MARK,
};

static uint64_t byte_word(unsigned char byte)
{
	return byte * 0x0101010101010101ull;
}

/* iozone draws a number for each record; it does not know which run wrote it. */
static uint64_t first_word(const struct contents *contents, uint64_t number)
{
	uint64_t drawn = first_random((unsigned int)(contents->child + number));

	return (drawn << 48 | drawn << 32 | drawn << 16 | drawn) + WORDS_FIRST;
}

/* How many words of a record are filled. */
static size_t word_count(const struct contents *contents, size_t size)
{
	return size / contents->line * (contents->line / WORD);
}

static void fill_pages(const struct contents *contents, char *record, size_t size)
{
	for (size_t at = 0; at < size; at += CONTENTS_PAGE) {
		size_t mark = size - at < CONTENTS_MARK ? size - at : CONTENTS_MARK;

		memset(record + at, contents->byte, mark);
	}
}

static void fill_words(char *record, size_t words, uint64_t word, uint64_t step)
{
	for (size_t i = 0; i < words; i++, word += step)
		memcpy(record + i * WORD, &word, WORD);
}

void contents_fill(const struct contents *contents, char *record, size_t size, uint64_t number)
{
	size_t words = word_count(contents, size);

	switch (contents->kind) {
	case CONTENTS_LEFT:
		break;
	case CONTENTS_PAGES:
		fill_pages(contents, record, size);
		break;
	case CONTENTS_BYTE:
		fill_words(record, words, byte_word(contents->byte), 0);
		break;
	case CONTENTS_WORDS:
		fill_words(record, words, first_word(contents, number), WORDS_STEP);
		break;
	case CONTENTS_DEDUP:
		dedup_fill(contents->dedup, record, number);
		break;
	}
}

/* Where in bytes that should be those of expected the first wrong one is. */
static __attribute__((cold, noinline)) bool differs(const char *record, size_t at, size_t size,
						    uint64_t expected, struct mismatch *mismatch)
{
	unsigned char bytes[WORD];

	memcpy(bytes, &expected, WORD);
	for (size_t i = 0; i < WORD && at + i < size; i++) {
		unsigned char found = (unsigned char)record[at + i];

		if (found == bytes[i])
			continue;
		*mismatch = (struct mismatch){ at + i, found, bytes[i] };
		return true;
	}
	return false;
}

static bool check_pages(const struct contents *contents, const char *record, size_t size,
			struct mismatch *mismatch)
{
	uint64_t expected = byte_word(contents->byte);

	for (size_t at = 0; at < size; at += CONTENTS_PAGE) {
		uint64_t word = 0;

		if (size - at >= WORD)
			memcpy(&word, record + at, WORD);
		if (word != expected && differs(record, at, size, expected, mismatch))
			return false;
	}
	return true;
}

static bool check_words(const char *record, size_t words, uint64_t expected, uint64_t step,
			struct mismatch *mismatch)
{
	for (size_t i = 0; i < words; i++, expected += step) {
		uint64_t word;

		memcpy(&word, record + i * WORD, WORD);
		if (__builtin_expect(word == expected, 1))
			continue;
		return !differs(record, i * WORD, words * WORD, expected, mismatch);
	}
	return true;
}

bool contents_check(const struct contents *contents, const char *record, size_t size,
		    uint64_t number, struct mismatch *mismatch)
{
	size_t words = word_count(contents, size);

	switch (contents->kind) {
	case CONTENTS_PAGES:
		return check_pages(contents, record, size, mismatch);
	case CONTENTS_BYTE:
		return check_words(record, words, byte_word(contents->byte), 0, mismatch);
	case CONTENTS_WORDS:
		return check_words(record, words, first_word(contents, number), WORDS_STEP,
				   mismatch);
	default:
		return true;
	}
}
