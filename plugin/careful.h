/* SPDX-License-Identifier: GPL-2.0-only */
/* What the careful loop and its steps share: nobody else's business. */
#ifndef CAREFUL_H
#define CAREFUL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "contents.h"
#include "extras.h"
#include "steps.h"

struct async;
struct histogram;

/* Room for the steps of any test, and the NULL that ends them. */
#define EXTRAS_STEPS 16

struct extras {
	/* The steps of the loop, in their order; see careful.c. */
	step *begin[EXTRAS_STEPS];  /* once, when the clock runs */
	step *before[EXTRAS_STEPS]; /* of a record, before the look at the stop flag */
	step *after[EXTRAS_STEPS];  /* of a record, the call included */
	step *finish[EXTRAS_STEPS]; /* once, while the clock still runs */
	bool begun;
	bool prepared;		       /* the record's first steps are done */
	const _Atomic uint32_t *leave; /* when this is raised the loop is left */

	/* The record under way. */
	uint64_t offset;    /* in the file, bytes */
	size_t size;	    /* bytes */
	const char *data;   /* what has been read */
	uint64_t called_ns; /* when its call began */
	uint64_t told;	    /* where the file stood, for the latency log */
	off_t locked;	    /* where its lock begins */

	struct contents contents;
	FILE *latency_log;
	struct histogram *histogram;
	struct async *async;
	const volatile char *purge; /* as much as the processor's cache twice */
	char *page;		    /* for the readings that disrupt */
	char *buffers;		    /* the area of -m */
	size_t in_buffers;
};

/* Puts the steps together that the child's options ask for. */
void careful_compose(struct child *child);

/* ---- the steps ------------------------------------------------------------------ */

/* lock.c */
bool locks_before_clock(const struct child *child);
int lock_whole(struct child *child);
int unlock_whole(struct child *child);
int lock_record(struct child *child);
int unlock_record(struct child *child);

/* delays.c */
int compute(struct child *child);
int hold_rate(struct child *child);
/* Sleeps until that moment of monotonic_ns(), or until the run is told to stop. */
void sleep_until(const struct child *child, uint64_t when_ns);

/* caches.c */
int purge_cache(struct child *child);
int disrupt(struct child *child);
int next_buffer(struct child *child);
int caches_prepare(struct child *child);

/* mapping.c */
int mapping_write(struct child *child);
int mapping_read(struct child *child);

/* async.c */
struct async *async_new(unsigned int depth, size_t record);
void async_free(struct async *async);
int async_write(struct child *child);
int async_write_in_place(struct child *child);
int async_read(struct child *child);
int async_read_in_place(struct child *child);
/* Waits for all that is under way. */
int async_reap(struct child *child);

#endif
