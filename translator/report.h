/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report: figures and a header in, text out.  The writers know nothing of
 * fio's output and of run logs, so whoever has figures can print them.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "figures.h"
#include "version.h"

enum report_format { REPORT_TEXT, REPORT_CSV, REPORT_JSON };

/* Up to 3.420 IOzone says KB, Kbytes, Kbyte; from 3.424 kB, kBytes, kByte. */
enum report_layout { LAYOUT_3489, LAYOUT_3397 };

struct report_style {
	enum report_format format;
	enum report_layout layout;
	bool excel;    /* -R */
	bool children; /* -C */
	bool ops;      /* -O */
	bool cpu;      /* -+u */
	bool verbose;  /* comments after the report's end */
};

/*
 * What stands above the first test.  Zero or NULL leaves a line out.  Lines
 * come without their tab and their newline.
 */
struct report_header {
	bool hidden;			 /* no header at all */
	const char *measured_by;	 /* who measured, "fio-iozone 1.0 with fio-3.33" */
	uint64_t began;			 /* seconds since 1970 */
	const char *const *option_lines; /* what each option says, in the options'
						 * order: "File size set to 4096 kB" */
	size_t option_line_count;
	const char *command;	       /* "iozone -t 2 -s 4m -r 16k" */
	const char *const *more_lines; /* after "Output is in": "Compute time ..." */
	size_t more_line_count;
	double resolution;	  /* of the clock, seconds */
	uint64_t cache_size;	  /* bytes */
	uint64_t cache_line;	  /* bytes */
	unsigned int stride;	  /* records */
	unsigned int least, most; /* of -l and -u, children */
	unsigned int children;	  /* "Throughput test with %u processes" */
	bool threads;		  /* threads, not processes */
	uint64_t file_size;	  /* bytes; the size asked for, whole records or not */
	uint64_t record_size;	  /* bytes */
	bool telemetry;		  /* records are as a list has them: -X */
};

/* The rest of what CSV and JSON tell of a run; any may be NULL or 0. */
struct report_facts {
	const char *fio;    /* "fio-3.33" */
	const char *engine; /* version of fio-iozone; NULL: some other engine */
	const char *run_id;
	bool whole;		  /* nothing is missing from the report */
	const char *const *notes; /* what standard error said */
	size_t note_count;
};

struct report {
	struct report_style style;
	struct report_header header;
	struct report_facts facts;
	const struct figures *figures;
	bool no_retest; /* -+n: -R prints 0.00 for the second of each pair */
};

/* What the report calls 1024 bytes: "kB" or "KB", "ops" with -O. */
const char *report_unit(const struct report_style *style);

/*
 * Writes a report in its style's format.  Returns 0, or -1 when memory was
 * short; errors of the stream are the caller's to look for.
 */
int report_write(FILE *out, const struct report *report);

/* What stands above the first test, as text; for reports of another kind. */
void report_write_header(FILE *out, const struct report *report);

void report_write_text(FILE *out, const struct report *report);
void report_write_csv(FILE *out, const struct report *report);
int report_write_json(FILE *out, const struct report *report);

#endif
