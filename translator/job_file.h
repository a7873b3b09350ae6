/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From iozone's command line to runs of fio: which tests, how many children,
 * which files; and the text of each job file.
 */
#ifndef JOB_FILE_H
#define JOB_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "command_line.h"
#include "iozone_tests.h"

/* A test of a run: a group of fio's. */
struct job_group {
	const struct iozone_test *test;
	const char *sets;      /* a line of its own in the job file, or NULL */
	unsigned int settle_s; /* sync and pause before it; 0: none */
	unsigned int column;   /* auto mode: its place in the table's row */
};

#define JOB_NOTES_MAX 4

/* One run of fio. */
struct job_step {
	struct job_group *groups;
	size_t group_count;
	unsigned int children;
	uint64_t size, record; /* bytes; size as asked for, whole records or not */
	unsigned int round;    /* throughput: 0 for the first number of children */
	bool ends_round;       /* the files are removed after it, but for -w */
};

struct job_plan {
	struct job_step *steps;
	size_t step_count;
	/* the files of each round: the first `children` of these */
	const char **files;
	size_t file_count;
	/* what the user asked for and will not get, as iozone has it; for people */
	const char *notes[JOB_NOTES_MAX];
	size_t note_count;
};

/*
 * What is to be done, with texts from line's arena.  Returns 0, or -1 after
 * one line on standard error: nothing to do, records above the size, names
 * that a job file cannot hold.
 */
int job_plan_make(const struct command_line *line, struct job_plan *plan);

/* Steps of auto mode; as job_plan_make(), which calls it. */
int auto_plan_make(const struct command_line *line, struct job_plan *plan);

/* Room for count groups of a step from an arena; -1 after a message. */
int job_step_room(struct arena *arena, struct job_step *step, size_t count);

/*
 * Writes the job file of a step.  engine is the engine's path; log the run
 * log's, NULL for none.  Errors are those of the stream.
 */
void job_write(FILE *out, const struct command_line *line, const struct job_plan *plan,
	       const struct job_step *step, const char *engine, const char *log);

/* Can a job file hold this name or path?  NULL, or why not. */
const char *job_name_trouble(const char *name);

#endif
