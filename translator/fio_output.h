/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fio printed, read into one shape whatever the format (JSON of any fio
 * since 2.0.10, terse version 2 to 5) and the version.
 */
#ifndef FIO_OUTPUT_H
#define FIO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An option of a job, as the user gave it. */
struct fio_option_value {
	const char *name;
	const char *value; /* "" for a flag without a value */
};

/* A name may be in a list twice, the last one counts: see fio_job_option(). */
struct fio_options {
	struct fio_option_value *list;
	size_t count;
};

/* What a job did in one direction. */
struct fio_direction {
	bool present; /* the output has a section for it */
	bool sane;    /* its figures are numbers that can be true */
	uint64_t bytes;
	uint64_t runtime_ms;
	bool ios_known; /* fio before 2.2.5 and terse do not tell them */
	uint64_t ios;	/* calls, as fio counts them */
};

struct fio_job {
	const char *name;
	const char *host; /* name or address, or a socket's path; NULL but for client/server */
	unsigned int port;
	unsigned int group;
	int error;	  /* errno, 0 when fio saw none, -1 when it cannot be read */
	bool all_clients; /* the sum entry of client/server: never a job */
	bool has_start;
	uint64_t start_ms; /* job_start: ms since 1970, fio 3.36 and later */
	uint64_t elapsed_s;
	double user_cpu; /* per cent */
	double system_cpu;
	struct fio_direction read, write, mixed;
	struct fio_options options; /* own ones only; see fio_job_option() */
	unsigned long long line;    /* where the job stands in the file */
};

/* Global options of one server of several (fio 3.39 and later). */
struct fio_host_options {
	const char *host;
	unsigned int port;
	struct fio_options options;
};

enum fio_format { FIO_JSON, FIO_TERSE };

struct fio_output {
	const char *name; /* of the file, for messages */
	enum fio_format format;
	unsigned int terse_version; /* 2 to 5, 0 for JSON */
	char version[64];	    /* "fio-3.33"; "" when it is not told (terse 2) */
	unsigned int major, minor, patch;
	uint64_t timestamp;	/* seconds since 1970, 0 when it is not told */
	unsigned int documents; /* how many the stream held; the last one counts */
	/*
	 * The line in which the last document, or the last terse line, stops
	 * short; 0 when it is whole.  What is in here is then what came before
	 * it: an earlier state of the run, or some of its jobs.
	 */
	unsigned long long torn;
	bool client_server;
	bool interrupted;    /* the text around says that fio was stopped */
	unsigned int killed; /* jobs that a signal ended, by the text around */
	struct fio_options global;
	struct fio_host_options *host_global;
	size_t host_global_count;
	struct fio_job *jobs; /* none is possible: a server refused the job */
	size_t job_count;
	void *memory; /* owns every string and list above */
};

/*
 * Reads what fio printed from fd until its end.  name is for messages.
 * Returns 0; or -1 when there is nothing in it to report on, after one line
 * on standard error that names file, place and cause.
 */
int fio_output_read(int fd, const char *name, struct fio_output *output);

void fio_output_free(struct fio_output *output);

/*
 * The value of an option of a job: its own, or else the global one of its
 * server, or else the global one; NULL when none has it.
 */
const char *fio_job_option(const struct fio_output *output, const struct fio_job *job,
			   const char *name);

#endif
