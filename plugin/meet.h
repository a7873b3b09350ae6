/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The meeting point of the children of one test: settle, release, stop flag,
 * departure.  It lies in memory that fork shares; nothing of fio is in it.
 */
#ifndef MEET_H
#define MEET_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum seat_state {
	SEAT_EMPTY, /* the child has not come yet */
	SEAT_TAKEN, /* it is there and prepares */
	SEAT_READY, /* it waits for the release, or works */
	SEAT_LEFT,  /* it went, and said how it ended */
};

/* What the others, and fio's main process, can see of a child. */
struct seat {
	_Atomic uint32_t state;
	_Atomic uint32_t end; /* how it ended, in the words of meet_leave's caller */
	_Atomic int32_t pid;
	_Atomic uint64_t start_ns;
	_Atomic uint64_t records; /* finished so far, brought up to date once a turn */
	bool logged;		  /* its line is in the run log, whose lock guards this */
	char why[224];		  /* why this child broke the gate */
};

struct meet {
	/* The stop flag has a cache line of its own: every child reads it for each record. */
	alignas(128) _Atomic uint32_t stop;
	alignas(128) _Atomic uint32_t settled; /* futex: enum settle_state */
	_Atomic uint32_t gate;		       /* futex: enum gate_state, and who broke it */
	_Atomic uint32_t interrupted;	       /* futex: the run was told to stop */
	_Atomic uint32_t told;		       /* somebody has said why the gate is broken */
	_Atomic uint32_t ready;		       /* how many children are ready */
	_Atomic uint64_t checked_ns;	       /* when somebody last looked for the dead */
	_Atomic uint64_t release_ns;
	_Atomic uint64_t flag_ns;
	uint32_t children;   /* how many have to meet */
	uint32_t joined;     /* seats given away, before the first fork */
	struct seat seats[]; /* one more than children: nobody's own */
};

/*
 * How the meeting point learns about the world outside.  Both are called
 * while a child waits, now and then.
 */
struct meet_world {
	/* Will child i of this meeting never come (again)? */
	bool (*gone)(const void *context, unsigned int i);
	/* Why the caller is not to wait any longer, NULL when it may. */
	const char *(*over)(const void *context);
	const void *context;
};

/* CLOCK_MONOTONIC in ns. */
uint64_t monotonic_ns(void);

/* Maps a meeting point for so many children; NULL with errno set. */
struct meet *meet_create(unsigned int children);
void meet_destroy(struct meet *meet);

/* Gives the next seat away, before the first fork; returns its number. */
unsigned int meet_join(struct meet *meet);

/* The child has come. */
void meet_enter(struct meet *meet, unsigned int self, pid_t pid);

/*
 * Runs settle(argument) in one of the children, and returns in all of them
 * when that is done: 0, or -1 when it failed or the gate is broken.
 */
int meet_settle(struct meet *meet, unsigned int self, const struct meet_world *world,
		int (*settle)(void *argument), void *argument);

/*
 * Says "ready", and waits until all children are.  Returns 0 at the release,
 * -1 when there will be none: then meet_why() tells the reason.
 */
int meet_wait(struct meet *meet, unsigned int self, const struct meet_world *world);

/*
 * Breaks the gate, unless it is open: nobody will be released.  The first
 * reason given stays.  Before the first fork self is meet->children.
 */
void meet_break(struct meet *meet, unsigned int self, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Why the gate is broken; "" when it is not. */
const char *meet_why(const struct meet *meet);

/* Raises the stop flag; the first one to do so leaves the time in flag_ns. */
void meet_stop(struct meet *meet);

/*
 * The run is told to stop: nobody will be released any more, who waits gives
 * up, and who works leaves its loop, since the stop flag goes up too.  May be
 * called from a signal handler.
 */
void meet_interrupt(struct meet *meet);
bool meet_interrupted(const struct meet *meet);

/* Sleeps for so long, or until there is no use in it any more: then returns -1. */
int meet_pause(struct meet *meet, const struct meet_world *world, uint64_t duration_ns);

/* True once for each meeting point: the caller is the one to say why it broke. */
bool meet_tell(struct meet *meet);

/* The child goes, and leaves word how it ended.  Before the release that breaks the gate. */
void meet_leave(struct meet *meet, unsigned int self, uint32_t end);

/* Has the release taken place? */
bool meet_released(const struct meet *meet);

#endif
