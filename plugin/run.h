/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the engine keeps of a run: its id, its groups with their meeting
 * points, its jobs and its logs.  All of it is made in fio's main process
 * before the first fork; the children inherit it.
 */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "child.h"
#include "place.h"

struct thread_data;
struct job;
struct log;

/* A test: the jobs of one of fio's groups. */
struct group {
	struct group *next;
	unsigned int number; /* fio's */
	struct meet *meet;
	struct job **jobs;    /* by their number in the group */
	unsigned int section; /* number of the first job of the section that is set up */
	const struct iozone_test *row;
	const char *remount; /* mount point, or NULL */
	struct place remount_place;
	const char *before; /* command, or NULL */
	uint64_t settle_ns;
};

/* One of fio's jobs: a child of a test. */
struct job {
	struct child child; /* first: the loops' business */
	struct group *group;
	struct thread_data *td;
	struct iozone_options options;
	void *given; /* what the options' texts belong to */
	const char *name;
	pid_t main_process;
	bool struck_out;	/* see lifeline.c */
	struct log *log; /* NULL without one */
	const char *log_path;
	/* Where the file lies. */
	const char *fs_type, *fs_options, *fs_mount;
};

/* Calls take(job) for all jobs of the run; may be called from a signal handler. */
void run_each_job(void (*take)(struct job *job));

/* Starts the run at its first job.  Returns 0, or -1 with errno set. */
int run_begin(void);

/* 16 hexadecimal digits. */
const char *run_id(void);

/* The group of a job, made when it is the first one of it; NULL with errno set. */
struct group *run_group(struct thread_data *td);

/* Does the run have a write test before this group? */
bool run_wrote_before(const struct group *group);

/* Puts a job into its group, and gives it its number.  Returns 0, or -1 with errno set. */
int group_add(struct group *group, struct job *job);

/*
 * The log at path, started when it is the first time that the run hears of
 * it; NULL after putting the reason into why.
 */
struct log *run_log(const char *path, char *why, size_t why_size);

/* Writes the job's line, once.  Returns 0, or -1 after saying what went wrong. */
int job_log(struct job *job);

/* The child's end, in the run log's words. */
const char *end_word(enum child_end end);

#endif
