/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fiozone has to know of a list of records (iozone -X, -Y) before a run.
 * The engine reads the list itself, and checks it line by line.
 */
#ifndef RECORD_LIST_H
#define RECORD_LIST_H

#include <stdbool.h>
#include <stdint.h>

struct record_list {
	uint64_t extent; /* bytes from the file's start to the end of the last record */
	bool has_delays; /* a third column: milliseconds of computing */
};

/* Returns 0, or -1 after a line on standard error; option is "-X" or "-Y". */
int record_list_read(const char *path, const char *option, struct record_list *list);

#endif
