/* SPDX-License-Identifier: GPL-2.0-only */
/* The order in which iozone's random tests visit the records of a file. */
#ifndef SHUFFLE_H
#define SHUFFLE_H

#include <stdint.h>

/*
 * The record numbers 0 .. count-1, each once, in iozone's order, which is the
 * same for every child and every run.  To be given to free(); NULL when there
 * is no memory.  count is at most 2^32.
 */
uint32_t *shuffled_records(uint64_t count);

#endif
