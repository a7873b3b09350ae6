/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Single values as fio prints them, in JSON and terse alike: numbers in the C
 * locale, which no program here leaves.
 */
#ifndef FIO_VALUE_H
#define FIO_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fio_output.h"

/*
 * A count, a size or a time: whole and from 0 to INT64_MAX, since fio counts
 * in signed 64 bits.  Other programs that pass fio's output on may write it
 * with a fraction of zero or an exponent.  Returns false, and leaves *number,
 * when it is anything else.
 */
bool fio_number(const char *text, size_t length, uint64_t *number);

/* A percentage, with "%" behind it or without; 0 when it is no finite number. */
double fio_percent(const char *text, size_t length);

/* Sets version, major, minor and patch of output from "fio-3.33-12-gabcdef". */
void fio_version(struct fio_output *output, const char *text, size_t length);

#endif
