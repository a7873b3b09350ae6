/* SPDX-License-Identifier: GPL-2.0-only */
/* The run log's writer; the format is in run_log.h. */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stddef.h>

struct log;
struct run_log_line;

/*
 * Starts a new run log at path: takes hold of it, empties it and writes the
 * header.  Refuses whatever is there and is no run log, and a log that another
 * run has in its hands.  Returns a log that threads and forked children share,
 * or NULL after putting the reason into why.
 */
struct log *log_start(const char *path, char *why, size_t why_size);

/*
 * Appends a line with one write(2), unless *written says that it has been;
 * *written lies in memory that all writers share.  A line that does not fit
 * leaves nothing of itself.  Returns 0, or -1 with errno set: EMSGSIZE for one
 * of more than RUN_LOG_LINE_MAX bytes, ETIMEDOUT when another writer hangs.
 */
int log_append(struct log *log, const struct run_log_line *line, bool *written);

/*
 * Brings to the disk what has been appended: some file systems tell only then
 * that there was no room for it.  Returns 0, or -1 with errno set.
 */
int log_flush(const struct log *log);

/* Lets go of the log and frees it. */
void log_close(struct log *log);

#endif
