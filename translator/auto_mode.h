/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iozone's auto mode: one process, one file, a row of figures for each size
 * of the file and of the record.
 */
#ifndef AUTO_MODE_H
#define AUTO_MODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "command_line.h"
#include "job_file.h"

/* Columns of figures, in the table's order. */
#define AUTO_COLUMNS 17

/* What a test moved, and how long it took; records 0: it was not run. */
struct auto_figure {
	uint64_t bytes, records;
	double seconds;
	double cpu_s, wall_s;
};

struct auto_row {
	uint64_t size, record; /* bytes */
	struct auto_figure figures[AUTO_COLUMNS];
};

/*
 * Prints the rows between the header and the end of the report, the tables of
 * -R included, which come behind the line that says that iozone is complete.
 * Errors are those of the stream.
 */
void auto_table_write(FILE *out, const struct command_line *line, const struct auto_row *rows,
		      size_t count);

/* A figure as the table shows it: kB/s, records/s (-O) or us a record (-N). */
uint64_t auto_figure_value(const struct command_line *line, const struct auto_figure *figure);

#endif
