/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that the children work on: are they there, can they be, and away. */
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include <stdbool.h>

#include "command_line.h"
#include "job_file.h"

struct test_files {
	const struct job_plan *plan;
	bool *were_there; /* before the run, by the plan's order */
};

/*
 * Looks before anything is started.  Returns 0, or -1 after one line on
 * standard error: a folder is not there or may not be written to, or a file
 * that is to be read is not there or too short.
 */
int test_files_check(struct test_files *files, const struct command_line *line,
		     const struct job_plan *plan);

/* Removes regular files, as iozone does; made_only: none that was there before. */
void test_files_remove(const struct test_files *files, bool made_only);

#endif
