/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs made by hand: what the readers would have read. */
#ifndef MADE_RUN_H
#define MADE_RUN_H

#include <string.h>

#include "fio_output.h"
#include "run_log_reader.h"

#define MADE_MAX 64
#define MADE_RUN "0123456789abcdef"

/* fio's output and a log, with room for some jobs and lines. */
struct made {
	struct fio_output output;
	struct fio_job jobs[MADE_MAX];
	struct fio_option_value global[8];
	struct fio_option_value options[MADE_MAX][8];
	struct run_log log;
	struct run_log_line lines[MADE_MAX];
	unsigned long long numbers[MADE_MAX];
};

static inline void made_begin(struct made *made)
{
	memset(made, 0, sizeof(*made));
	made->output = (struct fio_output){
		.name = "out.json",
		.version = "fio-3.33",
		.major = 3,
		.minor = 33,
		.documents = 1,
		.jobs = made->jobs,
		.global = { .list = made->global },
	};
	made->log = (struct run_log){
		.name = "run.csv",
		.lines = made->lines,
		.numbers = made->numbers,
	};
}

static inline void made_global(struct made *made, const char *name, const char *value)
{
	made->global[made->output.global.count++] = (struct fio_option_value){ name, value };
}

static inline void made_option(struct fio_job *job, const char *name, const char *value)
{
	job->options.list[job->options.count++] = (struct fio_option_value){ name, value };
}

/* A job that moved bytes in so many ms, in the direction of its name. */
static inline struct fio_job *made_job(struct made *made, unsigned int group, const char *name,
				       const char *rw, uint64_t bytes, uint64_t runtime_ms)
{
	size_t number = made->output.job_count++;
	struct fio_job *job = &made->jobs[number];
	struct fio_direction moved = {
		.present = true,
		.sane = true,
		.bytes = bytes,
		.runtime_ms = runtime_ms,
	};

	*job = (struct fio_job){
		.name = name,
		.group = group,
		.read = { .present = true, .sane = true },
		.write = { .present = true, .sane = true },
		.options = { .list = made->options[number] },
		.line = 10 * (number + 1),
	};
	if (strstr(rw, "read"))
		job->read = moved;
	else
		job->write = moved;
	made_option(job, "rw", rw);
	return job;
}

/*
 * A child that began at 1 s, did all of its records of 1 KiB but those of the
 * tail in so many ms, and left 1 ms later.
 */
static inline struct run_log_line *made_line(struct made *made, unsigned int group,
					     const char *test, unsigned int child,
					     unsigned int children, uint64_t records, uint64_t ms)
{
	struct run_log_line *line = &made->lines[made->log.count];

	*line = (struct run_log_line){
		.run = MADE_RUN,
		.began = 1700000000,
		.fio = "fio-3.33",
		.engine = "1.0",
		.host = "here",
		.group = group,
		.job = test,
		.test = test,
		.child = child,
		.children = children,
		.pid = 100 + child,
		.mode = "process",
		.file = "/mnt/iozone.DUMMY",
		.record = 1024,
		.file_size = 100 * 1024,
		.bytes = records * 1024,
		.records = records,
		.release_ns = 1000000000,
		.start_ns = 1000000000,
		.stop_ns = 1000000000 + ms * 1000000,
		.done_ns = 1001000000 + ms * 1000000,
		.flag_ns = 1000000000 + ms * 1000000,
		.user_ns = 1000000,
		.system_ns = 2000000,
		.wall_ns = ms * 1000000,
		.end = records == 100 ? "finished" : "stopped",
		.message = "",
		.flags = "stonewall",
		.fs_type = "ext4",
		.fs_options = "",
		.fs_mount = "/",
	};
	made->numbers[made->log.count] = made->log.count + 2;
	made->log.count++;
	return line;
}

/* A job of our engine, and the line that goes with it. */
static inline struct run_log_line *made_pair(struct made *made, unsigned int group,
					     const char *test, unsigned int child,
					     unsigned int children, uint64_t records, uint64_t ms)
{
	struct fio_job *job = made_job(made, group, test, strstr(test, "read") ? "read" : "write",
				       records * 1024, ms);

	made_option(job, "iozone_test", test);
	made_option(job, RUN_LOG_RUN_OPTION, MADE_RUN);
	return made_line(made, group, test, child, children, records, ms);
}

#endif
