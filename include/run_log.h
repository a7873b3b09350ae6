/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The run log's format: what the engine writes and the translator reads.
 *
 * A run log is CSV (RFC 4180): a header line, then a line a child a test, in
 * the order in which the children end.  The header's first cell is
 * RUN_LOG_FORMAT, which carries the version; the other cells are the columns'
 * names.  The first cell of every other line is the run's id, the same that
 * the engine puts into fio's output as the job option RUN_LOG_RUN_OPTION.
 * Each line is one write(2).
 */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include <stdint.h>

#define RUN_LOG_VERSION 1
#define RUN_LOG_FORMAT "fio-iozone-log-1"
/* A header that begins so is a run log of some version. */
#define RUN_LOG_FORMAT_PREFIX "fio-iozone-log-"
/* The job option under which fio's output carries the run's id. */
#define RUN_LOG_RUN_OPTION "iozone_run"
/* No line is longer, its end of line included. */
#define RUN_LOG_LINE_MAX 16384

/*
 * RUN_LOG_COLUMN(member, type): type is text, or number (decimal, unsigned
 * 64 bits).  All times are ns of CLOCK_MONOTONIC of the host, 0 when the
 * moment never came.
 *
 * run		id of the run: 16 hexadecimal digits
 * began	when the run began: seconds since 1970
 * fio		version of the fio that loaded the engine, "fio-3.33"
 * engine	version of fio-iozone
 * host		name of the host
 * group	fio's group number (a job section, split by stonewall)
 * job		fio's job name
 * test		name in the table of tests
 * child	number in its group, from 0
 * children	how many children the group has
 * pid		process id, or thread id
 * mode		"process" or "thread"
 * file		path of the child's file
 * record	bytes a record
 * file_size	bytes of the whole records in the file (what a whole pass is)
 * bytes	bytes of the records that were finished before the stop
 * records	that many records
 * tail_bytes	bytes moved after the stop, untimed
 * release_ns	release of all children of the group
 * start_ns	start of the child's clock
 * stop_ns	stop of the child's clock
 * done_ns	the child has closed its file and leaves
 * flag_ns	when the stop flag of the group was raised
 * excluded_ns	time inside start..stop that iozone takes out (-J)
 * user_ns	user time of the child in its loop, the tail included
 * system_ns	system time, likewise
 * wall_ns	wall clock time of the same span
 * end		how it ended, see below
 * error	errno, 0 when there was none
 * error_offset	offset in the file of the call that failed
 * message	what failed, in words; empty when nothing did
 * flags	words separated by spaces: see RUN_LOG_FLAGS below
 * memory	bytes of main memory of the host
 * fs_type	type of the file system of the child's file, "nfs"
 * fs_options	its mount options
 * fs_mount	its mount point
 */
#define RUN_LOG_COLUMNS(RUN_LOG_COLUMN) \
	RUN_LOG_COLUMN(run, text) \
	RUN_LOG_COLUMN(began, number) \
	RUN_LOG_COLUMN(fio, text) \
	RUN_LOG_COLUMN(engine, text) \
	RUN_LOG_COLUMN(host, text) \
	RUN_LOG_COLUMN(group, number) \
	RUN_LOG_COLUMN(job, text) \
	RUN_LOG_COLUMN(test, text) \
	RUN_LOG_COLUMN(child, number) \
	RUN_LOG_COLUMN(children, number) \
	RUN_LOG_COLUMN(pid, number) \
	RUN_LOG_COLUMN(mode, text) \
	RUN_LOG_COLUMN(file, text) \
	RUN_LOG_COLUMN(record, number) \
	RUN_LOG_COLUMN(file_size, number) \
	RUN_LOG_COLUMN(bytes, number) \
	RUN_LOG_COLUMN(records, number) \
	RUN_LOG_COLUMN(tail_bytes, number) \
	RUN_LOG_COLUMN(release_ns, number) \
	RUN_LOG_COLUMN(start_ns, number) \
	RUN_LOG_COLUMN(stop_ns, number) \
	RUN_LOG_COLUMN(done_ns, number) \
	RUN_LOG_COLUMN(flag_ns, number) \
	RUN_LOG_COLUMN(excluded_ns, number) \
	RUN_LOG_COLUMN(user_ns, number) \
	RUN_LOG_COLUMN(system_ns, number) \
	RUN_LOG_COLUMN(wall_ns, number) \
	RUN_LOG_COLUMN(end, text) \
	RUN_LOG_COLUMN(error, number) \
	RUN_LOG_COLUMN(error_offset, number) \
	RUN_LOG_COLUMN(message, text) \
	RUN_LOG_COLUMN(flags, text) \
	RUN_LOG_COLUMN(memory, number) \
	RUN_LOG_COLUMN(fs_type, text) \
	RUN_LOG_COLUMN(fs_options, text) \
	RUN_LOG_COLUMN(fs_mount, text)

enum run_log_column {
#define RUN_LOG_ENUM(member, type) RUN_LOG_##member,
	RUN_LOG_COLUMNS(RUN_LOG_ENUM)
#undef RUN_LOG_ENUM
		RUN_LOG_COLUMN_COUNT
};

typedef const char *run_log_text;
typedef uint64_t run_log_number;

/* A line of the log. */
struct run_log_line {
#define RUN_LOG_MEMBER(member, type) run_log_##type member;
	RUN_LOG_COLUMNS(RUN_LOG_MEMBER)
#undef RUN_LOG_MEMBER
};

/* Values of the column "end". */
#define RUN_LOG_END_FINISHED "finished"	      /* all its records, timed */
#define RUN_LOG_END_STOPPED "stopped"	      /* by the stop flag, as it should */
#define RUN_LOG_END_FAILED "failed"	      /* see error, error_offset, message */
#define RUN_LOG_END_KILLED "killed"	      /* by a signal; written by fio's main process */
#define RUN_LOG_END_INTERRUPTED "interrupted" /* fio was told to stop: Ctrl-C, SIGTERM, runtime */

/*
 * Words of the column "flags", each there when the option was on: stonewall,
 * flush (-e), close (-c), direct (-I), sync (-o), dsync (-+D), mmap (-B),
 * async (-H), lock (-W), verify (-V), remount (-U), telemetry (-X, -Y: records
 * of many sizes, of which the column record has the largest), delay (-d: all
 * but the last child start before release_ns, which is iozone's moment).
 */

#endif
