/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs fio, stands between it and signals, and cleans up behind it. */
#ifndef RUNNER_H
#define RUNNER_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct runner {
	const char *fio;  /* path, or a name to look for in PATH */
	bool progress;	  /* fio's progress on standard error */
	int cpu;	  /* fio's own processor, which jobs inherit; -1: any */
	sigset_t blocked; /* the signals that runner_open() took */
	sigset_t before;  /* the mask before it */
	int signal;	  /* the first that asked to stop, or 0 */
};

/*
 * From here on SIGINT, SIGTERM and SIGHUP end no process at once: they stop a
 * running fio and are kept in runner->signal.
 */
void runner_open(struct runner *runner, const char *fio);

/* Signals are again as they were. */
void runner_close(struct runner *runner);

/* Has a signal come meanwhile?  Then it is in runner->signal. */
bool runner_interrupted(struct runner *runner);

/*
 * Asks fio for its version, such as "fio-3.33".  Returns 0, or -1 after a
 * line on standard error that says what to do.
 */
int runner_version(struct runner *runner, char *version, size_t size);

/*
 * Runs a job file, with fio's JSON going into the file output.  Returns fio's
 * exit status, 128 and more when a signal ended it, or -1 after a message when
 * it could not be started.
 */
int runner_run(struct runner *runner, const char *job, const char *output);

/* ---- where a run keeps its files -------------------------------------------- */

struct work_folder {
	char path[PATH_MAX];
	bool temporary; /* is removed, with all that is in it */
};

/*
 * A folder of its own below $TMPDIR or /tmp; or keep, which is made when it
 * is not there.  Returns 0, or -1 after a message.
 */
int work_folder_open(struct work_folder *folder, const char *keep);

void work_folder_close(struct work_folder *folder);

/* "FOLDER/NAME", or "FOLDER/STEM.NUMBER.EXTENSION" when number is not 0. */
int work_folder_path(const struct work_folder *folder, const char *stem, unsigned int number,
		     const char *extension, char path[PATH_MAX]);

/* ---- the engine ------------------------------------------------------------- */

/*
 * Looks for the engine: the path given, or beside this program, or where it
 * is installed.  Returns 0, or -1 after a message.
 */
int engine_find(const char *given, char path[PATH_MAX]);

#endif
