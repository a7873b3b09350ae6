/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads run logs (include/run_log.h), and believes none of it unchecked. */
#ifndef RUN_LOG_READER_H
#define RUN_LOG_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run_log.h"

struct run_log {
	const char *name; /* path, for messages */
	struct run_log_line *lines;
	unsigned long long *numbers; /* of the lines in the file, from 1 */
	size_t count;
	unsigned long long torn; /* number of a last line cut short; 0: none */
	void *memory;		 /* owns the lists and the texts */
};

/*
 * Reads a run log from fd until its end.  Every line has been checked by
 * itself when it returns: numbers are numbers, times are in order, bytes are
 * whole records.  A last line that was cut short is left out and told in
 * torn.  Returns 0; or -1 after one line on standard error that names file,
 * line and cause.
 */
int run_log_read(int fd, const char *name, struct run_log *log);

void run_log_free(struct run_log *log);

/*
 * Opens a run log that fio's output names: a path which somebody else chose.
 * Nothing but a regular file is opened, and nothing waits.  Returns a file
 * descriptor; or -1 with errno set (EINVAL: not a regular file).
 */
int run_log_open_untrusted(const char *path);

#endif
