/* SPDX-License-Identifier: GPL-2.0-only */
/* The C library's rand(), for each child its own, and the same as iozone's. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* What rand() would return first after srand(seed): 0 .. RAND_MAX. */
uint32_t first_random(unsigned int seed);

/* The first so many of them. */
void random_words(unsigned int seed, uint32_t *words, size_t count);

#endif
