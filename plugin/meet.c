// SPDX-License-Identifier: GPL-2.0-only
/*
 * The meeting point: a settle phase done by one child, a gate that opens for
 * all at once, the stop flag, and the look-out for children that died.
 *
 * Nobody polls: a waiting child sleeps on a futex.  It wakes now and then to
 * see whether one of the others has died, since the dead wake nobody; one
 * child does the looking for all.
 */
#include "meet.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum settle_state { SETTLE_NONE, SETTLE_BUSY, SETTLE_DONE };
/* GATE_BROKEN and more: broken by the child whose number is the rest. */
enum gate_state { GATE_SHUT, GATE_OPEN, GATE_BROKEN };

static const char told_to_stop[] = "the run was told to stop";

#define NS_PER_MS 1000000ull
#define NS_PER_S 1000000000ull

uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t timeout_ns)
{
	struct timespec timeout = {
		.tv_sec = (time_t)(timeout_ns / NS_PER_S),
		.tv_nsec = (long)(timeout_ns % NS_PER_S),
	};

	syscall(SYS_futex, word, FUTEX_WAIT, value, &timeout, NULL, 0);
}

static void futex_wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static size_t meet_bytes(unsigned int children)
{
	return sizeof(struct meet) + (children + 1) * sizeof(struct seat);
}

struct meet *meet_create(unsigned int children)
{
	struct meet *meet = mmap(NULL, meet_bytes(children), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (meet == MAP_FAILED)
		return NULL;
	meet->children = children;
	return meet;
}

void meet_destroy(struct meet *meet)
{
	munmap(meet, meet_bytes(meet->children));
}

unsigned int meet_join(struct meet *meet)
{
	return meet->joined++;
}

void meet_enter(struct meet *meet, unsigned int self, pid_t pid)
{
	atomic_store(&meet->seats[self].pid, pid);
	atomic_store(&meet->seats[self].state, SEAT_TAKEN);
}

bool meet_released(const struct meet *meet)
{
	return atomic_load(&meet->gate) == GATE_OPEN;
}

static bool broken(const struct meet *meet)
{
	return atomic_load(&meet->gate) >= GATE_BROKEN;
}

/*
 * The reason is in place before the gate is broken, each child's in its own
 * seat: whoever dies half way leaves the breaking to the others.
 */
void meet_break(struct meet *meet, unsigned int self, const char *format, ...)
{
	struct seat *seat = &meet->seats[self];
	uint32_t shut = GATE_SHUT;
	va_list arguments;

	if (atomic_load(&meet->gate) != GATE_SHUT)
		return;
	va_start(arguments, format);
	vsnprintf(seat->why, sizeof(seat->why), format, arguments);
	va_end(arguments);
	if (!atomic_compare_exchange_strong(&meet->gate, &shut, GATE_BROKEN + self))
		return;
	futex_wake_all(&meet->gate);
	futex_wake_all(&meet->settled);
}

const char *meet_why(const struct meet *meet)
{
	uint32_t gate = atomic_load(&meet->gate);

	return gate >= GATE_BROKEN ? meet->seats[gate - GATE_BROKEN].why : "";
}

/* Longer with many children, so that their looking out stays cheap. */
static uint64_t look_out_ns(const struct meet *meet)
{
	return 100 * NS_PER_MS + meet->children * NS_PER_MS / 2;
}

/* Looks for a child that will never be ready, once for all who wait. */
static void look_out(struct meet *meet, unsigned int self, const struct meet_world *world)
{
	uint64_t last = atomic_load(&meet->checked_ns);
	uint64_t now = monotonic_ns();

	if (now - last < look_out_ns(meet) / 2 ||
	    !atomic_compare_exchange_strong(&meet->checked_ns, &last, now))
		return;
	for (unsigned int i = 0; i < meet->children; i++) {
		uint32_t state = atomic_load(&meet->seats[i].state);

		if (state != SEAT_LEFT && world->gone(world->context, i))
			meet_break(meet, self, "child %u of %u died before the start", i,
				   meet->children);
	}
}

/* Sleeps until the word changes; false when it is time to give up. */
static bool sleep_on(struct meet *meet, unsigned int self, const struct meet_world *world,
		     _Atomic uint32_t *word, uint32_t value)
{
	const char *over;

	futex_wait(word, value, look_out_ns(meet));
	if (atomic_load(word) != value)
		return true;
	over = meet_interrupted(meet) ? told_to_stop : world->over(world->context);
	if (over)
		meet_break(meet, self, "%s", over);
	else
		look_out(meet, self, world);
	return !broken(meet);
}

int meet_settle(struct meet *meet, unsigned int self, const struct meet_world *world,
		int (*settle)(void *argument), void *argument)
{
	uint32_t state = SETTLE_NONE;
	int failed;

	if (atomic_compare_exchange_strong(&meet->settled, &state, SETTLE_BUSY)) {
		failed = settle(argument);
		if (failed)
			meet_break(meet, self, "child %u of %u could not settle", self,
				   meet->children);
		atomic_store(&meet->settled, SETTLE_DONE);
		futex_wake_all(&meet->settled);
		return failed || broken(meet) ? -1 : 0;
	}
	while (atomic_load(&meet->settled) != SETTLE_DONE)
		if (!sleep_on(meet, self, world, &meet->settled, SETTLE_BUSY))
			return -1;
	return broken(meet) ? -1 : 0;
}

/* The last one to be ready opens the gate. */
static void open_gate(struct meet *meet, unsigned int self)
{
	uint32_t shut = GATE_SHUT;

	if (meet_interrupted(meet)) {
		meet_break(meet, self, "%s", told_to_stop);
		return;
	}
	atomic_store(&meet->release_ns, monotonic_ns());
	if (atomic_compare_exchange_strong(&meet->gate, &shut, GATE_OPEN))
		futex_wake_all(&meet->gate);
}

int meet_wait(struct meet *meet, unsigned int self, const struct meet_world *world)
{
	atomic_store(&meet->seats[self].state, SEAT_READY);
	if (atomic_fetch_add(&meet->ready, 1) + 1 == meet->children)
		open_gate(meet, self);
	while (atomic_load(&meet->gate) == GATE_SHUT)
		if (!sleep_on(meet, self, world, &meet->gate, GATE_SHUT))
			break;
	return meet_released(meet) ? 0 : -1;
}

void meet_stop(struct meet *meet)
{
	uint64_t never = 0;

	atomic_compare_exchange_strong(&meet->flag_ns, &never, monotonic_ns());
	atomic_store(&meet->stop, 1);
}

void meet_interrupt(struct meet *meet)
{
	atomic_store(&meet->interrupted, 1);
	atomic_store(&meet->stop, 1);
	futex_wake_all(&meet->interrupted);
	futex_wake_all(&meet->settled);
	futex_wake_all(&meet->gate);
}

bool meet_interrupted(const struct meet *meet)
{
	return atomic_load(&meet->interrupted);
}

int meet_pause(struct meet *meet, const struct meet_world *world, uint64_t duration_ns)
{
	uint64_t end = monotonic_ns() + duration_ns;

	for (uint64_t now = monotonic_ns(); now < end; now = monotonic_ns()) {
		if (meet_interrupted(meet) || world->over(world->context))
			return -1;
		/* A signal ends the wait, too: the world may be another one after it. */
		futex_wait(&meet->interrupted, 0, end - now);
	}
	return 0;
}

bool meet_tell(struct meet *meet)
{
	return !atomic_exchange(&meet->told, 1);
}

void meet_leave(struct meet *meet, unsigned int self, uint32_t end)
{
	atomic_store(&meet->seats[self].end, end);
	if (meet_interrupted(meet))
		meet_break(meet, self, "%s", told_to_stop);
	else
		meet_break(meet, self, "child %u of %u gave up before the start", self,
			   meet->children);
	atomic_store(&meet->seats[self].state, SEAT_LEFT);
}
