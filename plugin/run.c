// SPDX-License-Identifier: GPL-2.0-only
/*
 * The run: groups, logs, and what there is to tell of children that died.
 *
 * fio calls a signal's victim no error.  So when fio's main process exits, the
 * engine looks whose seat was not left, gives those a line in the run log, and
 * turns an exit status of 0 into 1.
 */
#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "fio.h"

#include "extras.h"
#include "host.h"
#include "lifeline.h"
#include "log.h"
#include "run_log.h"
#include "version.h"

struct log_file {
	struct log_file *next;
	const char *path;
	struct log *log;
};

struct run {
	char id[17];
	char host[256];
	uint64_t began;
	pid_t main_process;
	struct group *groups;
	struct log_file *logs;
};

/* Made in fio's main process; its children see it as it was at the fork. */
static struct run *the_run;

void run_each_job(void (*take)(struct job *job))
{
	for (struct group *group = the_run->groups; group; group = group->next)
		for (unsigned int i = 0; i < group->meet->children; i++)
			if (group->jobs[i])
				take(group->jobs[i]);
}

/* ---- the end of the run ------------------------------------------------------ */

/* A line for a child that could not write its own.  SIGALRM: see lifeline.c. */
static void tell_of_the_dead(struct job *job)
{
	struct child *child = &job->child;
	struct seat *seat = &child->meet->seats[child->number];
	int signal = job->td->sig;
	bool interrupted = signal == SIGALRM && job->td->terminate;

	child->counted = atomic_load(&seat->records);
	child->start_ns = atomic_load(&seat->start_ns);
	atomic_store(&seat->pid, job->td->pid);
	child->end = interrupted ? END_INTERRUPTED : END_NONE;
	snprintf(child->failure.what, sizeof(child->failure.what),
		 interrupted ? "not started: the run was told to stop" :
		 signal	     ? "killed by signal %d (%s)" :
			       "ended without a word",
		 signal, strsignal(signal));
	log_err("fio-iozone: %s: child %u of %u: %s: %s\n", job->group->row->name, child->number,
		child->children, child->path, child->failure.what);
	job_log(job);
}

/* Did the child do what it was there for?  One that never came has not. */
static bool did_its_part(struct job *job)
{
	const struct seat *seat = &job->child.meet->seats[job->child.number];
	enum child_end end = atomic_load(&seat->end);

	if (atomic_load(&seat->state) == SEAT_LEFT)
		return end == END_FINISHED || end == END_STOPPED;
	/* Without a pid fio has not started it: there is nothing to be told. */
	if (job->td->pid)
		tell_of_the_dead(job);
	return false;
}

/* A network file system may have said yes too early. */
static bool logs_are_safe(void)
{
	bool safe = true;

	for (struct log_file *file = the_run->logs; file; file = file->next) {
		if (!log_flush(file->log))
			continue;
		log_err("fio-iozone: run log %s: %s\n", file->path, strerror(errno));
		safe = false;
	}
	return safe;
}

static void run_end(int status, void *unused)
{
	bool whole = true;

	(void)unused;
	if (getpid() != the_run->main_process)
		return;
	for (struct group *group = the_run->groups; group; group = group->next)
		for (unsigned int i = 0; i < group->meet->children; i++)
			if (group->jobs[i])
				whole &= did_its_part(group->jobs[i]);
	whole &= logs_are_safe();
	/*
	 * fio counts its failures in the status, of which 256 look like none.  This
	 * skips the exit handlers that were registered before ours: fio's only
	 * detaches memory that goes with the process anyway.
	 */
	if ((status & 0xff) == 0 && (status || !whole)) {
		fflush(NULL);
		_exit(1);
	}
}

static int make_id(char id[17])
{
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -1;
	snprintf(id, 17, "%016" PRIx64, number);
	return 0;
}

int run_begin(void)
{
	struct run *run;

	if (the_run)
		return 0;
	run = calloc(1, sizeof(*run));
	if (!run || make_id(run->id))
		goto fail;
	if (gethostname(run->host, sizeof(run->host) - 1))
		strcpy(run->host, "localhost");
	run->began = (uint64_t)time(NULL);
	run->main_process = getpid();
	if (on_exit(run_end, NULL))
		goto fail;
	the_run = run;
	return lifeline_begin();
fail:
	free(run);
	return -1;
}

const char *run_id(void)
{
	return the_run->id;
}

/* fio has put all jobs together before it sets up the first one. */
static unsigned int jobs_of_group(unsigned int number)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < thread_number; i++)
		count += tnumber_to_td(i)->groupid == number;
	return count;
}

static struct group *group_new(struct thread_data *td)
{
	struct group *group = calloc(1, sizeof(*group));
	unsigned int size;

	if (!group)
		return NULL;
	group->number = td->groupid;
	size = jobs_of_group(td->groupid);
	group->jobs = calloc(size, sizeof(struct job *));
	group->meet = meet_create(size);
	if (!group->jobs || !group->meet) {
		free(group->jobs);
		free(group);
		errno = ENOMEM;
		return NULL;
	}
	group->next = the_run->groups;
	the_run->groups = group;
	return group;
}

struct group *run_group(struct thread_data *td)
{
	struct group *group = the_run->groups;

	while (group && group->number != td->groupid)
		group = group->next;
	return group ? group : group_new(td);
}

bool run_wrote_before(const struct group *group)
{
	for (const struct group *other = the_run->groups; other; other = other->next)
		if (other->number < group->number && other->row && other->row->id == TEST_WRITE)
			return true;
	return false;
}

/*
 * fio hands over the jobs of a section in the order 0, n-1, n-2, ... 1; the
 * children shall have the numbers that are in their files' names.
 */
static unsigned int child_number(struct group *group, const struct job *job)
{
	unsigned int seat = meet_join(group->meet);

	if (!job->td->subjob_number)
		group->section = seat;
	return group->section + job->td->subjob_number;
}

int group_add(struct group *group, struct job *job)
{
	unsigned int number = child_number(group, job);

	if (number >= group->meet->children || group->jobs[number]) {
		errno = ENOSPC;
		return -1;
	}
	job->group = group;
	job->child.meet = group->meet;
	job->child.number = number;
	group->jobs[number] = job;
	return 0;
}

struct log *run_log(const char *path, char *why, size_t why_size)
{
	struct log_file *file;

	for (file = the_run->logs; file; file = file->next)
		if (!strcmp(file->path, path))
			return file->log;
	file = calloc(1, sizeof(*file));
	if (!file) {
		snprintf(why, why_size, "%s", strerror(ENOMEM));
		return NULL;
	}
	file->path = path;
	file->log = log_start(path, why, why_size);
	if (!file->log) {
		free(file);
		return NULL;
	}
	file->next = the_run->logs;
	the_run->logs = file;
	return file->log;
}

const char *end_word(enum child_end end)
{
	switch (end) {
	case END_FINISHED:
		return RUN_LOG_END_FINISHED;
	case END_STOPPED:
		return RUN_LOG_END_STOPPED;
	case END_FAILED:
		return RUN_LOG_END_FAILED;
	case END_INTERRUPTED:
		return RUN_LOG_END_INTERRUPTED;
	default:
		return RUN_LOG_END_KILLED;
	}
}

struct flag_word {
	bool on;
	const char *word;
};

static void write_flags(const struct job *job, char *text, size_t size)
{
	const struct iozone_options *o = &job->options;
	const struct flag_word words[] = {
		{ o->stonewall, "stonewall" },
		{ o->flush, "flush" },
		{ o->close, "close" },
		{ job->child.direct, "direct" },
		{ (job->td->o.sync_io & O_SYNC) == O_SYNC, "sync" },
		{ (job->td->o.sync_io & O_SYNC) == O_DSYNC, "dsync" },
		{ o->mmap, "mmap" },
		{ o->async, "async" },
		{ o->lock, "lock" },
		{ o->verify, "verify" },
		{ o->remount, "remount" },
		{ job->child.telemetry, "telemetry" },
		{ o->start_delay_us, "delay" },
	};
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].on)
			length += (size_t)snprintf(text + length, size - length, "%s%s",
						   length ? " " : "", words[i].word);
}

/* What a stopped writer wrote after the record that was under way at the stop, and that one. */
static uint64_t tail_bytes(const struct child *child)
{
	return child_bytes(child, child->next) - child_bytes(child, child->next - child->tail);
}

/* iozone's parent looks at its clock when it has released the last child. */
static uint64_t release_ns(const struct child *child)
{
	if (!meet_released(child->meet))
		return 0;
	return atomic_load(&child->meet->release_ns) + extras_delay_ns(child);
}

int job_log(struct job *job)
{
	struct child *child = &job->child;
	struct meet *meet = child->meet;
	struct seat *seat = &meet->seats[child->number];
	struct run_log_line line;
	char flags[160];

	if (!job->log)
		return 0;
	write_flags(job, flags, sizeof(flags));
	line = (struct run_log_line){
		.run = the_run->id,
		.began = the_run->began,
		.fio = host_version(),
		.engine = FIO_IOZONE_VERSION,
		.host = the_run->host,
		.group = job->group->number,
		.job = job->name,
		.test = job->group->row->name,
		.child = child->number,
		.children = meet->children,
		.pid = (uint64_t)atomic_load(&seat->pid),
		.mode = child->thread ? "thread" : "process",
		.file = child->path,
		.record = child->record,
		.file_size = child_bytes(child, child->count),
		.bytes = child_bytes(child, child->counted),
		.records = child->counted,
		.tail_bytes = tail_bytes(child),
		.release_ns = release_ns(child),
		.start_ns = child->start_ns,
		.stop_ns = child->stop_ns,
		.done_ns = child->done_ns,
		.flag_ns = atomic_load(&meet->flag_ns),
		.excluded_ns = child->excluded_ns,
		.user_ns = child->user_ns,
		.system_ns = child->system_ns,
		.wall_ns = child->wall_ns,
		.end = end_word(child->end),
		.error = (uint64_t)child->failure.error,
		.error_offset = child->failure.offset,
		.message = child->failure.what,
		.flags = flags,
		.memory = main_memory(),
		.fs_type = job->fs_type,
		.fs_options = job->fs_options,
		.fs_mount = job->fs_mount,
	};
	if (!log_append(job->log, &line, &seat->logged))
		return 0;
	log_err("fio-iozone: %s: child %u of %u: run log %s: %s\n", line.test, child->number,
		meet->children, job->log_path, strerror(errno));
	return -1;
}
