// SPDX-License-Identifier: GPL-2.0-only
/*
 * What iozone 3.489 writes with -+w, to the byte.
 *
 * A record has four parts, each made of 32-bit words:
 *   common	a constant: the same in all records of all files
 *   own	the constant, changed for each child: the same in all its records
 *   shared	noise, changed for each record: the same in all files
 *   unique	noise, changed for each record and child
 * The noise is the same for each record, and is changed by an exclusive or.
 * In the last two parts iozone counts eight bytes for each word of four, so
 * that it is done when half of their bytes are still as they were before.
 */
#include "dedup.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define WORD sizeof(uint32_t)
#define COUNTED_AS 8
#define NOISE_SEED 0x2719362u
/* iozone's -+S and -+W, as they are when nobody gives them. */
#define MANUAL_SEED 1u
#define CONSTANT (0xdeadbeefu + MANUAL_SEED)

struct dedup {
	size_t size;
	size_t own_at, own_words;
	size_t common_words; /* the own ones are made of these */
	size_t shared_words, unique_words;
	uint32_t own; /* what the constant is changed by */
	uint32_t records;
	unsigned int child;
	uint32_t noise[];
};

static size_t rounded_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit;
}

/* The bounds of the parts; iozone's divisions lose a remainder each. */
static void divide(struct dedup *dedup, const struct dedup_shares *shares)
{
	size_t across = dedup->size * shares->across / 100;
	size_t within = across * shares->within / 100;
	size_t own = within * shares->own / 100;
	size_t counted;

	dedup->common_words = rounded_up(within, WORD);
	dedup->own_at = within - own;
	dedup->own_words = rounded_up(own, WORD);
	dedup->shared_words = rounded_up(across - within, COUNTED_AS);
	counted = within + dedup->shared_words * COUNTED_AS;
	if (shares->across < 100 && counted < dedup->size)
		dedup->unique_words = rounded_up(dedup->size - counted, COUNTED_AS);
}

struct dedup *dedup_new(const struct dedup_shares *shares, size_t size, uint64_t records,
			unsigned int child)
{
	size_t words = rounded_up(size, WORD) + 1;
	struct dedup *dedup = calloc(1, sizeof(*dedup) + words * WORD);

	if (!dedup)
		return NULL;
	dedup->size = size;
	dedup->records = (uint32_t)records;
	dedup->child = child;
	dedup->own = first_random(child + 1 + MANUAL_SEED);
	divide(dedup, shares);
	random_words(NOISE_SEED, dedup->noise, words);
	/* iozone writes the constant over its noise. */
	for (size_t i = 0; i < dedup->common_words && i < words; i++)
		dedup->noise[i] = CONSTANT;
	return dedup;
}

void dedup_free(struct dedup *dedup)
{
	free(dedup);
}

/* Words of the noise, changed; the parts need not begin at a whole word.  Returns their end. */
static size_t put_words(const struct dedup *dedup, char *record, size_t at, size_t words,
			uint32_t change)
{
	const char *noise = (const char *)dedup->noise;

	for (size_t end = at + words * WORD; at < end && at + WORD <= dedup->size; at += WORD) {
		uint32_t word;

		memcpy(&word, noise + at, WORD);
		word ^= change;
		memcpy(record + at, &word, WORD);
	}
	return at;
}

void dedup_fill(const struct dedup *dedup, char *record, uint64_t number)
{
	uint32_t record_seed = (uint32_t)number + 1;
	uint32_t all = dedup->records * MANUAL_SEED;
	uint32_t shared = first_random(record_seed + all);
	size_t at;

	put_words(dedup, record, 0, dedup->common_words, 0);
	at = put_words(dedup, record, dedup->own_at, dedup->own_words, dedup->own);
	at = put_words(dedup, record, at, dedup->shared_words, shared);
	if (dedup->unique_words)
		put_words(dedup, record, at, dedup->unique_words,
			  first_random(record_seed + (dedup->child + 1) * all));
}
