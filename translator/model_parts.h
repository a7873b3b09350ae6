/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the model share while it is built. */
#ifndef MODEL_PARTS_H
#define MODEL_PARTS_H

#include "model.h"
#include "arena_text.h"

/* A fio that ran children: the one, or a server of several. */
struct source {
	const char *name; /* for people; NULL when there is one fio only */
	const char *host; /* as fio's output names it */
	unsigned int port;
	const char *run_id; /* NULL until something tells */
};

/* A job of fio's output. */
struct job_ref {
	const struct fio_job *job;
	unsigned int source;
};

/* A line of a run log. */
struct line_ref {
	const struct run_log_line *line;
	const struct run_log *log;
	unsigned long long number;
	unsigned int source;
};

/* The jobs and the lines of one of fio's groups, by source and child. */
struct group_parts {
	unsigned int group;
	const struct job_ref *jobs;
	size_t job_count;
	const struct line_ref *lines;
	size_t line_count;
};

struct builder {
	const struct fio_output *output;
	const struct run_log *logs;
	size_t log_count;
	const struct group_name *names;
	size_t name_count;
	struct run *run;
	struct arena *arena;
	struct source *sources;
	unsigned int source_count;
	size_t missing; /* children without a job and without a line, so far */
	/* False: fio's jobs cannot be told apart by the logs' hosts. */
	bool jobs_have_source;
};

/*
 * Says something about the run on standard error, and keeps it.  file is NULL
 * for fio's output, line 0 for all of it.
 */
void run_note(struct run *run, const char *file, unsigned long long line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Likewise, and the report is not whole. */
void run_lacks(struct run *run, const char *file, unsigned long long line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * The children's room in a test; known is how many of them have a job or a
 * line.  Returns 0, or -1 after saying that there are too many or that memory
 * is short.
 */
int allocate_children(struct builder *builder, struct run_test *test, size_t count, size_t known);

/* The test that a user or the job's iozone_test says; NULL when neither does. */
const struct iozone_test *named_test(const struct builder *builder,
				     const struct group_parts *parts);

/*
 * Fill in a test of a group: from the lines of run logs, or from what fio
 * tells alone.  Return 0, or -1 after saying why there can be no report.
 */
int test_from_log(struct builder *builder, const struct group_parts *parts, struct run_test *test);
int test_from_fio(struct builder *builder, const struct group_parts *parts,
		  const struct run_test *before, size_t before_count, struct run_test *test);

/* What went wrong in the test's children, by their own account and fio's. */
void say_failures(struct builder *builder, struct run_test *test);

#endif
