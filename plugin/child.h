/* SPDX-License-Identifier: GPL-2.0-only */
/* A child of a test: what it needs while it works, and what it tells at the end. */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "iozone_tests.h"
#include "meet.h"
#include "options.h"

/* How a turn of the record loop came to its end. */
enum turn_end {
	TURN_DONE,    /* all records that were asked for */
	TURN_STOPPED, /* somebody has raised the stop flag */
	TURN_FAILED,  /* child->failure says what */
};

enum child_end {
	END_NONE,
	END_FINISHED,
	END_STOPPED,
	END_FAILED,
	END_INTERRUPTED,
};

struct failure {
	int error;	 /* errno */
	uint64_t offset; /* in the file */
	char what[512];	 /* "write at offset 4096: No space left on device" */
};

struct child;
struct extras;
struct telemetry;

/* Does records child->next .. end-1, one call each. */
typedef enum turn_end record_loop(struct child *child, uint64_t end);

/* How a child's file is opened and shut; see medium.c. */
struct medium {
	int (*open)(struct child *child);
	/* The fsync that -e puts inside the clock. */
	int (*flush)(struct child *child);
	/* The close that -c puts inside the clock. */
	int (*close)(struct child *child);
	/* fsync and close, after the clock, when there is no -c. */
	int (*finish)(struct child *child);
	/* Close and open again at the same place: a stopped writer with -c. */
	int (*close_for_stop)(struct child *child);
	int (*reopen)(struct child *child);
};

struct child {
	/* Read or written once a record. */
	const _Atomic uint32_t *stop;
	uint64_t next; /* the record that comes next */
	char *buffer;
	size_t record;
	int fd;
	const uint32_t *order; /* of the random tests */
	uint64_t position;     /* of the stride test: bytes */
	uint64_t wraps;
	uint64_t count;	       /* records of the whole file */
	FILE *stream;	       /* of the stdio tests */
	bool in_place;	       /* a stopped random writer: the file stands at its next record */
	char *map;	       /* of -B */
	struct extras *extras; /* NULL: a fast loop does it */
	const struct telemetry *telemetry;

	/* Chosen once a job. */
	record_loop *loop;
	const struct medium *medium;
	const struct iozone_test *row;	/* the test */
	const struct iozone_test *part; /* what this child does in it: mixed has two */
	const struct iozone_options *options;
	const char *path;
	unsigned int number;
	unsigned int children;
	int open_flags;
	bool direct;
	bool thread;
	bool after_write; /* a write test comes before in the run */
	struct meet *meet;

	/* What there is to tell. */
	enum child_end end;
	bool clock_runs;
	bool clock_stopped;
	bool opened;
	uint64_t counted; /* records in time */
	uint64_t tail;	  /* records after the stop */
	uint64_t start_ns, stop_ns, done_ns, excluded_ns;
	uint64_t user_ns, system_ns, wall_ns;
	struct failure failure;

	void *allocation; /* holds the buffer */
	char *stdio_buffer;
};

/* Notes that a call failed; the first failure stays.  Returns -1. */
int child_fail(struct child *child, int error, uint64_t offset, const char *call);

/* The same with a reason that errno has no word for. */
int child_fail_because(struct child *child, int error, uint64_t offset, const char *call,
		       const char *reason);

/* Bytes of the first so many records of the child's file. */
uint64_t child_bytes(const struct child *child, uint64_t records);

/* Which loop and medium the child's options ask for. */
record_loop *choose_loop(const struct child *child);
const struct medium *choose_medium(const struct child *child);

/* Allocates the record buffer where iozone has it, and fills it as iozone does. */
int child_buffer(struct child *child);

#endif
