/* SPDX-License-Identifier: GPL-2.0-only */
/* What a function under test says on standard error. */
#ifndef CAUGHT_STDERR_H
#define CAUGHT_STDERR_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct caught_stderr {
	int file, before;
	char text[65536];
};

static inline void catch_stderr(struct caught_stderr *caught)
{
	fflush(stderr);
	caught->file = memfd_create("stderr", MFD_CLOEXEC);
	caught->before = dup(STDERR_FILENO);
	dup2(caught->file, STDERR_FILENO);
}

/* Gives standard error back; what was said is in text. */
static inline const char *release_stderr(struct caught_stderr *caught)
{
	ssize_t length;

	fflush(stderr);
	dup2(caught->before, STDERR_FILENO);
	close(caught->before);
	length = pread(caught->file, caught->text, sizeof(caught->text) - 1, 0);
	caught->text[length > 0 ? length : 0] = '\0';
	close(caught->file);
	return caught->text;
}

#endif
