/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run: fio's output and the run logs that belong to it, brought together.
 * Groups of fio's jobs become tests, their jobs become children.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fio_output.h"
#include "iozone_tests.h"
#include "run_log_reader.h"

/* What a user says a group is (--test GROUP=NAME). */
struct group_name {
	unsigned int group;
	const struct iozone_test *test;
};

/* A child of a test.  Without a run log line, or without a job, it is NULL. */
struct run_child {
	unsigned int number; /* in its test, over all hosts */
	const char *host;    /* NULL when there is one host only */
	const struct run_log_line *line;
	const struct fio_job *job;
	const char *failure; /* in words; NULL when it did its part */
	bool interrupted;    /* fio was told to stop */
};

/* How far the times of a test without a run log go. */
enum run_clock {
	CLOCK_RUN_LOG,	 /* ns, by the run log */
	CLOCK_JOB_START, /* ms, job_start and runtimes */
	CLOCK_RUNTIME,	 /* ms, the longest runtime */
};

struct run_test {
	const struct iozone_test *test;
	unsigned int group;
	unsigned int round;
	unsigned int hosts;
	unsigned int children; /* how many there should be */
	bool summed;	       /* no figures of single children: child[0].job sums */
	bool guessed;	       /* which test it is comes from rw and order */
	bool failed;	       /* whatever its children say */
	bool interrupted;
	enum run_clock clock;
	uint64_t record_size;	 /* bytes, 0 when unknown */
	uint64_t file_size;	 /* bytes of whole records a child, 0 when unknown */
	struct run_child *child; /* by number, all of them; one under summed */
	size_t child_count;
};

struct run {
	const struct fio_output *output;
	struct run_test *test; /* in the order in which they ran */
	size_t count;
	unsigned int rounds;
	unsigned int hosts;
	bool logged; /* all tests come from run logs */
	bool whole;  /* nothing is missing from the report */
	/* the run's own facts */
	const char *engine; /* version of fio-iozone; NULL without a run log */
	const char *fio;    /* "fio-3.33"; "" when not told */
	const char *id;	    /* NULL without a run log */
	const char *flags;  /* words, see run_log.h; "" without a run log */
	const char *mode;   /* "process" or "thread" */
	uint64_t began;	    /* seconds since 1970, 0 when not told */
	/* what has been said on standard error */
	const char **notes;
	size_t note_count;
	void *memory;
};

/*
 * Makes a run of fio's output and its logs, which both have to outlive it.
 * What is missing is said on standard error and leaves run->whole false.
 * Returns 0; or -1 when there is nothing to report on, after one line on
 * standard error.
 */
int run_build(const struct fio_output *output, const struct run_log *logs, size_t log_count,
	      const struct group_name *names, size_t name_count, struct run *run);

void run_free(struct run *run);

/* What a job moved in all directions; sane is false when that cannot be told. */
struct fio_direction job_total(const struct fio_job *job);

/* The first test whose sizes are known: those of the header.  NULL: there is none. */
const struct run_test *run_sized_test(const struct run *run);

/* Is a word among the run's flags (see run_log.h)? */
bool run_flag(const struct run *run, const char *word);

#endif
