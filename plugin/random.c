// SPDX-License-Identifier: GPL-2.0-only
/*
 * iozone makes its data with srand() and rand().  Their state belongs to the
 * whole process, and threads would draw from each other's; random_r() with a
 * state of 128 bytes gives the same numbers.
 */
#include "random.h"

#include <stdlib.h>
#include <string.h>

#define STATE_BYTES 128

void random_words(unsigned int seed, uint32_t *words, size_t count)
{
	char state[STATE_BYTES];
	struct random_data data;

	memset(&data, 0, sizeof(data));
	initstate_r(seed, state, sizeof(state), &data);
	for (size_t i = 0; i < count; i++) {
		int32_t drawn;

		random_r(&data, &drawn);
		words[i] = (uint32_t)drawn;
	}
}

uint32_t first_random(unsigned int seed)
{
	uint32_t drawn;

	random_words(seed, &drawn, 1);
	return drawn;
}
