/* SPDX-License-Identifier: GPL-2.0-only */
/* What the options of a fio job mean, as far as a report needs them. */
#ifndef JOB_OPTIONS_H
#define JOB_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "fio_output.h"

/* Directions of rw=. */
enum job_rw {
	RW_UNKNOWN,
	RW_READ,
	RW_WRITE,
	RW_RANDOM_READ,
	RW_RANDOM_WRITE,
	RW_MIXED,
};

/*
 * A number of bytes as fio reads it ("1g", "4KiB", "0x1000").  kb_base is
 * fio's: 1024, or 1000, with which the units are those of SI and IEC.  False
 * when it is none that has a fixed value ("10%", a range, a formula).
 */
bool parse_size(const char *text, unsigned int kb_base, uint64_t *bytes);

/* A size option of a job; false when it has none or it cannot be told. */
bool job_size(const struct fio_output *output, const struct fio_job *job, const char *name,
	      uint64_t *bytes);

/* A plain decimal option of a job; false likewise. */
bool job_number(const struct fio_output *output, const struct fio_job *job, const char *name,
		uint64_t *number);

/* Is a yes-or-no option of a job on? */
bool job_flag(const struct fio_output *output, const struct fio_job *job, const char *name);

enum job_rw job_rw(const struct fio_output *output, const struct fio_job *job);

/* How many children a job section asks for; 1 when nothing tells. */
unsigned int job_numjobs(const struct fio_output *output, const struct fio_job *job);

/* Was the job run by fio-iozone? */
bool job_is_ours(const struct fio_output *output, const struct fio_job *job);

/*
 * The bytes that the job moves when nothing stops it; false when its options
 * do not tell.
 */
bool job_whole_bytes(const struct fio_output *output, const struct fio_job *job, uint64_t *bytes);

/* Those of a job that the clock may stop before ("runtime="); false likewise. */
bool job_timed_bytes(const struct fio_output *output, const struct fio_job *job, uint64_t *bytes);

/* Do two jobs work on the same files, as far as their options tell? */
bool job_same_files(const struct fio_output *output, const struct fio_job *a,
		    const struct fio_job *b);

#endif
