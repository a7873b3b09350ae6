/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From fio's output to a report, as fio2iozone does it and as fiozone does
 * after a run.
 */
#ifndef TRANSLATE_H
#define TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "model.h"
#include "report.h"

/* Exit statuses. */
enum translate_status {
	TRANSLATE_WHOLE = 0, /* a report of a whole run */
	TRANSLATE_PART = 1,  /* a report, and something is missing from it */
	TRANSLATE_NONE = 2,  /* no report */
};

struct translate_request {
	const char *input;	 /* fio's output; NULL or "-": standard input */
	const char *const *logs; /* --log */
	size_t log_count;
	bool no_log;			/* --no-log */
	const char *output;		/* -o; NULL: standard output */
	const struct group_name *names; /* --test */
	size_t name_count;
	struct report_style style;
	/*
	 * What is set here is printed as it is; what is zero is worked out
	 * from the run.  header.option_lines, when given, replace all lines
	 * that the run's options would bring, file and record size included.
	 */
	struct report_header header;
	/* -+n: 0.00 for the tests left out, under -R; else found out */
	bool no_retest;
};

/*
 * Reads, works out, prints.  The report is written at once, or not at all;
 * all that is to be said besides goes to standard error.
 */
enum translate_status translate(const struct translate_request *request);

#endif
