/* SPDX-License-Identifier: GPL-2.0-only */
/* fio's terse output, versions 2 to 5: a line a job, whatever text stands between. */
#ifndef FIO_TERSE_H
#define FIO_TERSE_H

#include <stdbool.h>
#include <stddef.h>

#include "fio_output.h"

/* The terse lines of a stream so far. */
struct fio_terse;

/* NULL when there is no memory. */
struct fio_terse *fio_terse_new(void);

/* NULL is fine. */
void fio_terse_free(struct fio_terse *terse);

/*
 * A line of the stream, without what ends it; number is for messages.  Lines
 * that are not terse are passed over.  Returns false when there is no memory.
 */
bool fio_terse_line(struct fio_terse *terse, const char *line, size_t length,
		    unsigned long long number);

/* The number of the first terse line that stops short or is spoilt; 0: none. */
unsigned long long fio_terse_torn(const struct fio_terse *terse);

/*
 * The stream has ended.  When there is a job in it, all goes into output but
 * the name and what the text around tells; the caller frees it.  Returns true;
 * or false with output as it was.
 */
bool fio_terse_end(struct fio_terse *terse, struct fio_output *output);

#endif
