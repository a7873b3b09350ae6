/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages for people: one line each, on standard error. */
#ifndef MESSAGE_H
#define MESSAGE_H

/*
 * Says what is wrong with a file, "PROGRAM: FILE:LINE: text", or without the
 * line when line is 0, or without both when file is NULL.  The text is one
 * line: control characters in it are printed as '?'.
 */
void complain(const char *file, unsigned long long line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
