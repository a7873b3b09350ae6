// SPDX-License-Identifier: GPL-2.0-only
/*
 * iozone's shuffled order, found by watching iozone 3.489 at work: from the
 * last place i down to the second, swap it with place (r mod i + 1), r from
 * the 64-bit Mersenne Twister (M. Matsumoto and T. Nishimura,
 * "Mersenne Twister", MT19937-64, 2004), seeded by array with the constants
 * of iozone's throughput tests.
 */
#include "shuffle.h"

#include <stdlib.h>

#define WORDS 312
#define MIDDLE 156

struct twister {
	uint64_t state[WORDS];
	unsigned int next;
};

static void seed(struct twister *t, uint64_t value)
{
	t->state[0] = value;
	for (unsigned int i = 1; i < WORDS; i++) {
		uint64_t last = t->state[i - 1];

		t->state[i] = 6364136223846793005ull * (last ^ (last >> 62)) + i;
	}
	t->next = WORDS;
}

static void seed_by_array(struct twister *t, const uint64_t *key, unsigned int length)
{
	unsigned int i = 1, j = 0;

	seed(t, 19650218);
	for (unsigned int k = 0; k < WORDS; k++) {
		uint64_t last = t->state[i - 1];

		t->state[i] ^= (last ^ (last >> 62)) * 3935559000370003845ull;
		t->state[i] += key[j] + j;
		if (++i == WORDS) {
			t->state[0] = t->state[WORDS - 1];
			i = 1;
		}
		j = (j + 1) % length;
	}
	for (unsigned int k = 1; k < WORDS; k++) {
		uint64_t last = t->state[i - 1];

		t->state[i] ^= (last ^ (last >> 62)) * 2862933555777941757ull;
		t->state[i] -= i;
		if (++i == WORDS) {
			t->state[0] = t->state[WORDS - 1];
			i = 1;
		}
	}
	t->state[0] = 1ull << 63;
}

static void refill(struct twister *t)
{
	for (unsigned int i = 0; i < WORDS; i++) {
		uint64_t x = (t->state[i] & 0xffffffff80000000ull) |
			     (t->state[(i + 1) % WORDS] & 0x7fffffffull);

		t->state[i] = t->state[(i + MIDDLE) % WORDS] ^ (x >> 1) ^
			      (x & 1 ? 0xb5026f5aa96619e9ull : 0);
	}
	t->next = 0;
}

static uint64_t draw(struct twister *t)
{
	uint64_t x;

	if (t->next == WORDS)
		refill(t);
	x = t->state[t->next++];
	x ^= (x >> 29) & 0x5555555555555555ull;
	x ^= (x << 17) & 0x71d67fffeda60000ull;
	x ^= (x << 37) & 0xfff7eee000000000ull;
	return x ^ (x >> 43);
}

uint32_t *shuffled_records(uint64_t count)
{
	static const uint64_t key[] = { 0x12345, 0x23456, 0x34567, 0x45678 };
	uint32_t *records = malloc((count ? count : 1) * sizeof(*records));
	struct twister twister;

	if (!records)
		return NULL;
	for (uint64_t i = 0; i < count; i++)
		records[i] = (uint32_t)i;
	seed_by_array(&twister, key, sizeof(key) / sizeof(key[0]));
	for (uint64_t i = count; i-- > 1;) {
		uint64_t other = draw(&twister) % (i + 1);
		uint32_t swap = records[other];

		records[other] = records[i];
		records[i] = swap;
	}
	return records;
}
