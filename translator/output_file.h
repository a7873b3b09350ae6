/* SPDX-License-Identifier: GPL-2.0-only */
/* Puts a finished text where it belongs: all of it, or an error. */
#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include <stddef.h>

/*
 * Writes all of a text to fd.  Returns 0, or -1 after saying on standard
 * error why it could not; name is for that message.
 */
int output_write(int fd, const char *name, const char *text, size_t length);

/*
 * Makes the text the contents of the file at path: writes it beside path
 * under another name, and renames that.  So path holds what it held before,
 * or all of the text.  What is no regular file (a device, a pipe) is written
 * to.  Returns 0, or -1 after saying why not.
 */
int output_file_replace(const char *path, const char *text, size_t length);

#endif
