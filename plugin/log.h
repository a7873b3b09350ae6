/* SPDX-License-Identifier: GPL-2.0-only */
/* The run log's writer; the format is in run_log.h. */
#ifndef LOG_H
#define LOG_H

#include <stddef.h>

struct run_log_line;

/*
 * Starts a new run log at path: takes hold of it, empties it and writes the
 * header.  Refuses whatever is there and is no run log, and a log that another
 * run has in its hands.  Returns a descriptor that forked children share, or
 * -1 after putting the reason into why.
 */
int log_start(const char *path, char *why, size_t why_size);

/* Appends a line with one write(2).  Returns 0, or -1 with errno set. */
int log_append(int fd, const struct run_log_line *line);

#endif
