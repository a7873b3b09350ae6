/* SPDX-License-Identifier: GPL-2.0-only */
/* What the fuzzers of the readers have in common. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What the fuzzer calls, over and over. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must be true whatever the input is. */
#define must(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* A file that holds the input, ready to be read. */
int fuzz_file(const uint8_t *data, size_t size);

/* How many complaints there have been since this was asked last. */
unsigned int fuzz_complaints(void);

/* Reads a string to its end, for the sanitizers; NULL is fine. */
void fuzz_touch(const char *string);

#endif
