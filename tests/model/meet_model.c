// SPDX-License-Identifier: GPL-2.0-only
/*
 * Explores all interleavings of the children of a meeting point, with
 * plugin/meet.c itself: each atomic access, futex call and look at the world
 * outside is a step, and any process may take the next one.  At any moment a
 * child may be killed, fio's main process may die or be told to stop, a child
 * may fail to open its file, and the settle phase may fail.
 *
 *	meet_model [-c CHILDREN] [-k KILLS] [-f] [-i] [-m] [-w]
 *
 * -c	how many children (1..4; default 2)
 * -k	how many of them may be killed (default: none)
 * -f	opening a file, and the settle phase, may fail
 * -i	fio may be told to stop, at any moment
 * -m	fio's main process may be killed
 * -w	no wait times out: nothing but a wake-up ends it
 *
 * In every state that can be reached it checks that
 * - a child is released only when all were ready, after one settle phase;
 * - either all that come to an end are released or none is;
 * - a child that is refused finds the reason, and is called dead only when it
 *   is; without a cause nobody is refused;
 * - who sees the stop flag sees its time;
 * - an end can be reached without any more accidents (no deadlock, no livelock).
 * A violation is printed with the steps that lead to it; exit status 1.
 * MEET_C names another meet.c at compile time: one with a mistake to find.
 *
 * Without -w a wait may end at any moment, as may any pause between two steps:
 * so a futex is nothing but a pause there, and who waits always looks out.
 *
 * Two things keep the number of states down and lose none that matters.  A
 * step that nobody can tell from one taken later, such as reading a word that
 * will never change again, is taken at once and alone.  And a child is killed
 * only before a step that others can see, or where it waits for the others:
 * what it has read is lost with it.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CHILDREN_MAX 4
#define MAIN CHILDREN_MAX /* fio's main process, when it is told to stop */
#define PROCESSES (CHILDREN_MAX + 1)
#define STACK_BYTES 8192

/* ---- what stands between meet.c and the world -------------------------------------- */

static long model_futex(long number, uint32_t *word, int operation, ...);
static int model_reason(char *to, const char *format, va_list arguments);
static int model_clock(struct timespec *now);
static void *model_map(size_t bytes);

#define syscall model_futex
#define clock_gettime(clock, now) model_clock(now)
#define vsnprintf(to, size, format, arguments) model_reason(to, format, arguments)
#define mmap(address, bytes, ...) model_map(bytes)
#define munmap(address, bytes) ((void)(bytes))
#ifndef MEET_C
#define MEET_C "../../plugin/meet.c"
#endif
#include MEET_C
#undef syscall
#undef vsnprintf
#undef mmap

/* ---- a state ------------------------------------------------------------------------- */

enum mode {
	MODE_READY,   /* it can take a step */
	MODE_CHOICE,  /* it can take either of two */
	MODE_SETTLED, /* it sleeps on that futex */
	MODE_GATE,
	MODE_DONE,
	MODE_KILLED,
	MODE_REAPED, /* killed, and fio's main process has noted it */
};

enum result { RESULT_NONE, RESULT_RELEASED, RESULT_REFUSED };

/* What a step looks at that is not in the meeting point. */
enum outside { OUTSIDE_NOTHING, OUTSIDE_GONE, OUTSIDE_OVER };

/* What a process' next step will do. */
struct pending {
	const volatile void *word;
	bool writes;
	enum outside outside;
	unsigned int other; /* the child that it asks about */
};

/* The world outside. */
struct world {
	uint8_t mode[PROCESSES];
	uint8_t result[CHILDREN_MAX];
	uint8_t settles; /* settle phases that went well */
	uint8_t kills;
	bool failure; /* some child, or the settle phase, has failed */
	bool told;    /* fio has been told to stop */
	bool main_dead;
};

/* The meeting point, in few bytes. */
struct words {
	uint8_t stop, settled, gate, interrupted, ready, released, flagged;
	uint8_t state[CHILDREN_MAX];
	uint8_t why[CHILDREN_MAX];
};

struct state {
	struct world world;
	struct words words;
	uint16_t local[PROCESSES]; /* number of what is on its stack */
};

/* A process between two steps: its stack from the pointer up, registers included. */
struct local {
	struct pending pending;
	size_t bytes;
	uint8_t *stack;
};

struct process {
	uint8_t *pointer; /* into the stack, while another one runs */
	alignas(64) uint8_t stack[STACK_BYTES];
};

static struct {
	unsigned int children, kills;
	bool failures, interrupts, main_dies, wake_ups_only;
} options = { .children = 2 };

static struct process processes[PROCESSES];
static uint8_t *explorer; /* its stack pointer */

/* The state in which the next step is taken, and who takes it. */
static alignas(128) uint8_t memory[sizeof(struct meet) + (CHILDREN_MAX + 1) * sizeof(struct seat)];
static struct meet *const meet = (struct meet *)memory;
static struct world world;
static struct pending pending;
static unsigned int running;
static bool answer;
static const char *violation;

static _Noreturn void die(const char *why)
{
	fprintf(stderr, "meet_model: %s\n", why);
	exit(2);
}

static void violated(const char *what)
{
	if (!violation)
		violation = what;
}

/* ---- from one stack to another -------------------------------------------------------- */

#ifndef __x86_64__
#error "the explorer knows how to go from stack to stack on x86-64 only"
#endif

/* Leaves in *from the pointer to a stack with all that a call keeps, and goes to another one. */
void switch_stack(uint8_t **from, uint8_t *to);

__asm__(".text\n"
	"switch_stack:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n");

/* Six registers, where to begin, and nowhere to return to. */
static void begin_process(unsigned int i, void (*function)(void))
{
	struct process *process = &processes[i];
	uintptr_t begin = (uintptr_t)function;

	memset(process->stack, 0, STACK_BYTES);
	process->pointer = process->stack + STACK_BYTES - 8 * sizeof(begin);
	memcpy(process->pointer + 6 * sizeof(begin), &begin, sizeof(begin));
}

/* ---- steps ------------------------------------------------------------------------------ */

static void yield(enum mode mode)
{
	world.mode[running] = (uint8_t)mode;
	switch_stack(&processes[running].pointer, explorer);
}

/*
 * Words that tell the others nothing; and the last look-out, which is always
 * long ago.
 */
static bool is_private(const volatile void *word)
{
	if (word == &meet->checked_ns || word == &meet->told)
		return true;
	for (unsigned int i = 0; i < options.children; i++)
		if (word == &meet->seats[i].pid || word == &meet->seats[i].end)
			return true;
	return false;
}

void model_step(enum model_access access, const volatile void *word)
{
	if (is_private(word))
		return;
	pending = (struct pending){ .word = word, .writes = access == MODEL_WRITE };
	yield(MODE_READY);
}

static void look_outside(enum outside outside, unsigned int other)
{
	pending = (struct pending){ .outside = outside, .other = other };
	yield(MODE_READY);
}

static bool choose(void)
{
	pending = (struct pending){ .writes = true };
	yield(MODE_CHOICE);
	return answer;
}

static enum mode sleep_mode(const volatile void *word)
{
	return word == &meet->gate ? MODE_GATE : MODE_SETTLED;
}

static void wake(const volatile void *word)
{
	for (unsigned int i = 0; i < options.children; i++)
		if (world.mode[i] == sleep_mode(word))
			world.mode[i] = MODE_READY;
}

static long model_futex(long number, uint32_t *word, int operation, ...)
{
	va_list arguments;
	uint32_t value;

	(void)number;
	if (!options.wake_ups_only || word == &meet->interrupted)
		return 0;
	va_start(arguments, operation);
	value = va_arg(arguments, uint32_t);
	va_end(arguments);
	model_step(MODEL_WRITE, word);
	if (operation == FUTEX_WAKE)
		wake(word);
	else if (*word == value)
		yield(sleep_mode(word));
	return 0;
}

static int model_clock(struct timespec *now)
{
	*now = (struct timespec){ .tv_sec = 1000 };
	return 0;
}

static void *model_map(size_t bytes)
{
	if (bytes > sizeof(memory))
		die("the meeting point is larger than it says");
	memset(memory, 0, sizeof(memory));
	return memory;
}

/* Nobody is called dead who is not. */
static int model_reason(char *to, const char *format, va_list arguments)
{
	if (!strncmp(format, "child %u of %u died", 19) &&
	    world.mode[va_arg(arguments, unsigned int)] < MODE_KILLED)
		violated("a child is called dead that is not");
	model_step(MODEL_WRITE, to);
	to[0] = 1;
	return 0;
}

/* ---- what the children do, as in engine.c -------------------------------------------------- */

static bool model_gone(const void *context, unsigned int i)
{
	(void)context;
	look_outside(OUTSIDE_GONE, i);
	return world.mode[i] == MODE_REAPED;
}

static const char *model_over(const void *context)
{
	(void)context;
	look_outside(OUTSIDE_OVER, 0);
	return world.main_dead || world.told ? "it is over" : NULL;
}

static const struct meet_world outside = { model_gone, model_over, NULL };

static int model_settle(void *argument)
{
	unsigned int self = *(unsigned int *)argument;

	if (options.failures && choose()) {
		world.failure = true;
		if (choose())
			meet_break(meet, self, "settle");
		return -1;
	}
	pending = (struct pending){ .writes = true };
	yield(MODE_READY);
	world.settles++;
	return 0;
}

static bool open_fails(unsigned int self)
{
	if (!options.failures || !choose())
		return false;
	world.failure = true;
	if (choose())
		meet_break(meet, self, "open");
	return true;
}

static bool is_released(unsigned int self)
{
	meet_enter(meet, self, 1);
	if (model_over(NULL))
		meet_interrupt(meet);
	if (meet_settle(meet, self, &outside, model_settle, &self))
		return false;
	if (world.settles != 1)
		violated("a child goes on without the settle phase, or after two");
	return !open_fails(self) && !meet_wait(meet, self, &outside);
}

static void check_release(void)
{
	if (meet->ready != options.children || world.settles != 1 || !meet->release_ns)
		violated("a release before all were ready");
	for (unsigned int i = 0; i < options.children; i++) {
		if (meet->seats[i].state < SEAT_READY)
			violated("a release before all were ready");
		if (world.result[i] == RESULT_REFUSED)
			violated("some are released and some are refused");
	}
}

static void check_refusal(void)
{
	if (!world.failure && !world.told && !world.main_dead && !world.kills)
		violated("a child is refused, and there is no cause");
	for (unsigned int i = 0; i < options.children; i++)
		if (world.result[i] == RESULT_RELEASED)
			violated("some are released and some are refused");
}

static void works(void)
{
	if (!atomic_load(&meet->stop))
		meet_stop(meet);
	else if (!meet->flag_ns && !meet->interrupted)
		violated("the stop flag is up, and its time is not there");
}

static void child(void)
{
	unsigned int self = running;

	if (is_released(self)) {
		world.result[self] = RESULT_RELEASED;
		check_release();
		works();
	} else {
		world.result[self] = RESULT_REFUSED;
		check_refusal();
		meet_tell(meet);
	}
	meet_leave(meet, self, 1);
	if (world.result[self] == RESULT_REFUSED && !meet_why(meet)[0])
		violated("a child leaves without a release, and nobody hears why");
	yield(MODE_DONE);
	abort();
}

/* fio_terminate_threads(): the mark first, then the engine's hook. */
static void main_process(void)
{
	world.told = true;
	meet_interrupt(meet);
	yield(MODE_DONE);
	abort();
}

/* ---- a process between two steps, as a number ------------------------------------------------ */

#define LOCALS_MAX 65535u
#define LOCAL_BUCKETS (1u << 18)

static struct local locals[LOCALS_MAX];
static unsigned int local_count;
static uint16_t local_buckets[LOCAL_BUCKETS]; /* number plus 1 */

static uint64_t hash(uint64_t value, const void *bytes, size_t length)
{
	const uint8_t *from = bytes;
	uint64_t word;

	for (; length >= 8; from += 8, length -= 8) {
		memcpy(&word, from, 8);
		value = (value ^ word) * 0x9e3779b97f4a7c15ull;
		value ^= value >> 29;
	}
	word = 0;
	memcpy(&word, from, length);
	value = (value ^ word) * 0x9e3779b97f4a7c15ull;
	return value ^ value >> 32;
}

static bool same_local(const struct local *a, const struct local *b)
{
	return a->bytes == b->bytes && !memcmp(a->stack, b->stack, a->bytes);
}

/* What lies below the stack pointer is nobody's. */
static struct local local_of(struct process *process)
{
	struct local local = { .pending = pending, .stack = process->pointer };

	local.bytes = (size_t)(process->stack + STACK_BYTES - local.stack);
	if (local.bytes > STACK_BYTES - 1024)
		die("a stack is too small");
	return local;
}

static uint16_t keep_local(unsigned int i)
{
	struct local local = local_of(&processes[i]);
	uint64_t at = hash(i, local.stack, local.bytes);
	uint8_t *copy;

	for (; local_buckets[at % LOCAL_BUCKETS]; at++)
		if (same_local(&locals[local_buckets[at % LOCAL_BUCKETS] - 1], &local))
			return local_buckets[at % LOCAL_BUCKETS] - 1;
	copy = malloc(local.bytes);
	if (!copy || local_count == LOCALS_MAX)
		die("too many states of a process");
	memcpy(copy, local.stack, local.bytes);
	local.stack = copy;
	locals[local_count] = local;
	local_buckets[at % LOCAL_BUCKETS] = (uint16_t)++local_count;
	return (uint16_t)(local_count - 1);
}

static void restore_local(unsigned int i, uint16_t number)
{
	struct process *process = &processes[i];
	const struct local *local = &locals[number];

	process->pointer = process->stack + STACK_BYTES - local->bytes;
	memcpy(process->pointer, local->stack, local->bytes);
}

/* ---- states as numbers --------------------------------------------------------------------------- */

static void pack(struct state *state)
{
	struct words *words = &state->words;

	memset(state, 0, sizeof(*state));
	state->world = world;
	words->stop = (uint8_t)meet->stop;
	words->settled = (uint8_t)meet->settled;
	words->gate = (uint8_t)meet->gate;
	words->interrupted = (uint8_t)meet->interrupted;
	words->ready = (uint8_t)meet->ready;
	words->released = meet->release_ns != 0;
	words->flagged = meet->flag_ns != 0;
	for (unsigned int i = 0; i < options.children; i++) {
		words->state[i] = (uint8_t)meet->seats[i].state;
		words->why[i] = (uint8_t)meet->seats[i].why[0];
	}
}

static void unpack(const struct state *state)
{
	const struct words *words = &state->words;

	world = state->world;
	meet->stop = words->stop;
	meet->settled = words->settled;
	meet->gate = words->gate;
	meet->interrupted = words->interrupted;
	meet->ready = words->ready;
	meet->checked_ns = 0;
	meet->told = 0;
	meet->release_ns = words->released;
	meet->flag_ns = words->flagged;
	for (unsigned int i = 0; i < options.children; i++) {
		meet->seats[i].state = words->state[i];
		meet->seats[i].why[0] = (char)words->why[i];
		/* Read by nobody but fio's main process. */
		meet->seats[i].pid = 0;
		meet->seats[i].end = 0;
	}
}

/* How a state was come to. */
enum move {
	MOVE_STEP,
	MOVE_YES,
	MOVE_NO,
	MOVE_REAP,
	/* from here on accidents, which need not happen */
	MOVE_KILL,
	MOVE_TELL_MAIN,
	MOVE_KILL_MAIN,
};

struct edge {
	uint32_t from, to;
};

static struct state *states;
static uint32_t *came_from;
static uint8_t *came_by; /* move, process */
static uint32_t state_count, state_room;
static uint32_t *state_buckets; /* number plus 1 */
static uint64_t bucket_count;
static struct edge *edges;
static uint64_t edge_count, edge_room;

static void *grown(void *old, size_t bytes)
{
	void *new = realloc(old, bytes);

	if (!new)
		die("no memory");
	return new;
}

static uint64_t bucket_of(const struct state *state)
{
	uint64_t at = hash(0, state, sizeof(*state)) % bucket_count;

	while (state_buckets[at] && memcmp(&states[state_buckets[at] - 1], state, sizeof(*state)))
		at = (at + 1) % bucket_count;
	return at;
}

static void more_room(void)
{
	state_room = state_room ? state_room * 2 : 1 << 16;
	states = grown(states, state_room * sizeof(*states));
	came_from = grown(came_from, state_room * sizeof(*came_from));
	came_by = grown(came_by, state_room);
	free(state_buckets);
	bucket_count = (uint64_t)state_room * 2;
	state_buckets = calloc(bucket_count, sizeof(*state_buckets));
	if (!state_buckets)
		die("no memory");
	for (uint32_t i = 0; i < state_count; i++)
		state_buckets[bucket_of(&states[i])] = i + 1;
}

/* The state's number; a new one is noted with how it was come to. */
static uint32_t keep_state(const struct state *state, uint32_t from, enum move move, unsigned int i)
{
	uint64_t at = bucket_of(state);

	if (state_buckets[at])
		return state_buckets[at] - 1;
	if (state_count == state_room) {
		more_room();
		at = bucket_of(state);
	}
	states[state_count] = *state;
	came_from[state_count] = from;
	came_by[state_count] = (uint8_t)(move << 4 | i);
	state_buckets[at] = ++state_count;
	return state_count - 1;
}

static void keep_edge(uint32_t from, uint32_t to)
{
	if (edge_count == edge_room) {
		edge_room = edge_room ? edge_room * 2 : 1 << 18;
		edges = grown(edges, edge_room * sizeof(*edges));
	}
	edges[edge_count++] = (struct edge){ from, to };
}

/* ---- telling ------------------------------------------------------------------------------------------ */

static const char *const move_words[] = {
	[MOVE_STEP] = "goes on",	[MOVE_YES] = "goes on, yes",
	[MOVE_NO] = "goes on, no",	[MOVE_REAP] = "is waited for",
	[MOVE_KILL] = "is killed",	[MOVE_TELL_MAIN] = "is told to stop",
	[MOVE_KILL_MAIN] = "is killed",
};

static void print_way(uint32_t to)
{
	unsigned int process = came_by[to] & 15;
	const struct words *words = &states[to].words;

	if (!to)
		return;
	print_way(came_from[to]);
	printf("#   %s %u %s: settled %u, ready %u, gate %u, interrupted %u, stop %u\n",
	       process == MAIN ? "main process" : "child", process, move_words[came_by[to] >> 4],
	       words->settled, words->ready, words->gate, words->interrupted, words->stop);
}

static _Noreturn void report(const char *what, uint32_t at)
{
	printf("# %s:\n", what);
	print_way(at);
	exit(1);
}

/* ---- exploring -------------------------------------------------------------------------------------------- */

static void check_reason(void)
{
	if (meet->gate >= GATE_BROKEN && !meet->seats[meet->gate - GATE_BROKEN].why[0])
		violated("the gate is broken, and there is no reason");
}

/* Keeps what has come of the move. */
static void arrive(uint32_t from, const struct state *before, enum move move, unsigned int i,
		   bool stepped)
{
	struct state state;
	uint32_t to;

	check_reason();
	pack(&state);
	memcpy(state.local, before->local, sizeof(state.local));
	if (stepped)
		state.local[i] = keep_local(i);
	if (world.mode[i] >= MODE_DONE)
		state.local[i] = 0;
	to = keep_state(&state, from, move, i);
	if (move < MOVE_KILL)
		keep_edge(from, to);
	if (violation)
		report(violation, to);
}

static void step(uint32_t from, const struct state *before, enum move move, unsigned int i)
{
	unpack(before);
	restore_local(i, before->local[i]);
	answer = move == MOVE_YES;
	running = i;
	switch_stack(&explorer, processes[i].pointer);
	arrive(from, before, move, i, true);
}

static void set_mode(uint32_t from, const struct state *before, enum move move, unsigned int i,
		     enum mode mode)
{
	unpack(before);
	world.mode[i] = (uint8_t)mode;
	world.kills += move == MOVE_KILL;
	world.main_dead |= move == MOVE_KILL_MAIN;
	arrive(from, before, move, i, false);
}

/* Whatever it reads until it comes here again can as well be read before. */
static bool may_die_here(const struct pending *next)
{
	return next->writes || next->word == &meet->settled || next->word == &meet->gate;
}

static void moves_of_child(uint32_t from, const struct state *before, unsigned int i)
{
	const struct local *local = &locals[before->local[i]];

	switch (before->world.mode[i]) {
	case MODE_READY:
		step(from, before, MOVE_STEP, i);
		break;
	case MODE_CHOICE:
		step(from, before, MOVE_YES, i);
		step(from, before, MOVE_NO, i);
		break;
	case MODE_KILLED:
		if (!before->world.main_dead)
			set_mode(from, before, MOVE_REAP, i, MODE_REAPED);
		return;
	case MODE_DONE:
	case MODE_REAPED:
		return;
	}
	if (before->world.kills < options.kills && may_die_here(&local->pending))
		set_mode(from, before, MOVE_KILL, i, MODE_KILLED);
}

static void moves_of_main(uint32_t from, const struct state *before)
{
	if (before->world.main_dead)
		return;
	if (options.interrupts && before->world.mode[MAIN] == MODE_READY)
		step(from, before, before->world.told ? MOVE_STEP : MOVE_TELL_MAIN, MAIN);
	if (options.main_dies)
		set_mode(from, before, MOVE_KILL_MAIN, MAIN, MODE_KILLED);
}

/* Will nobody ever say that child i is gone? */
static bool stays(const struct world *now, unsigned int i)
{
	return now->mode[i] == MODE_DONE ||
	       (now->mode[i] < MODE_DONE && now->kills == options.kills);
}

/* Is a word of the meeting point what it will be for ever? */
static bool is_final(const struct state *state, const volatile void *word)
{
	const struct words *words = &state->words;

	if (word == &meet->settled)
		return words->settled == SETTLE_DONE;
	if (word == &meet->gate)
		return words->gate != GATE_SHUT;
	if (word == &meet->interrupted)
		return words->interrupted || (!options.interrupts && !options.main_dies);
	if (word == &meet->stop)
		return words->stop;
	if (word == &meet->flag_ns)
		return words->flagged;
	for (unsigned int i = 0; i < options.children; i++)
		if (word == &meet->seats[i].state)
			return words->state[i] == SEAT_LEFT;
	return false;
}

/* What others look at only after one more step of the writer's. */
static bool is_preparation(const struct state *state, const volatile void *word, unsigned int self)
{
	return word == &meet->release_ns || word == meet->seats[self].why ||
	       (word == &meet->seats[self].state && state->words.state[self] == SEAT_EMPTY);
}

/* The state of a seat is looked at only to see whether its child may be gone. */
static bool is_seat_that_stays(const struct state *state, const volatile void *word,
			       unsigned int self)
{
	for (unsigned int i = 0; i < options.children; i++)
		if (word == &meet->seats[i].state)
			return i == self || state->world.mode[i] >= MODE_DONE ||
			       stays(&state->world, i);
	return false;
}

/*
 * Is it all the same to the others when child i takes its next step?  What is
 * written to a word that is final is there already, or is not written at all.
 */
static bool any_time(const struct state *state, unsigned int i)
{
	const struct pending *next = &locals[state->local[i]].pending;
	const struct world *now = &state->world;

	if (now->mode[i] != MODE_READY || options.wake_ups_only)
		return false;
	if (next->outside == OUTSIDE_OVER)
		return now->main_dead || now->told || (!options.interrupts && !options.main_dies);
	if (next->outside == OUTSIDE_GONE)
		return next->other == i || now->mode[next->other] == MODE_REAPED ||
		       stays(now, next->other);
	return is_final(state, next->word) ||
	       (next->writes && is_preparation(state, next->word, i)) ||
	       (!next->writes && is_seat_that_stays(state, next->word, i));
}

static void all_moves(uint32_t from)
{
	struct state state = states[from];

	for (unsigned int i = 0; i < options.children; i++)
		if (any_time(&state, i)) {
			step(from, &state, MOVE_STEP, i);
			return;
		}
	for (unsigned int i = 0; i < options.children; i++)
		moves_of_child(from, &state, i);
	moves_of_main(from, &state);
}

static void first_state(void)
{
	struct state state;

	if (meet_create(options.children) != meet)
		die("no meeting point");
	pack(&state);
	for (unsigned int i = 0; i < options.children; i++) {
		begin_process(i, child);
		state.local[i] = keep_local(i);
	}
	begin_process(MAIN, main_process);
	state.local[MAIN] = keep_local(MAIN);
	keep_state(&state, 0, MOVE_STEP, 0);
}

static bool is_end(const struct state *state)
{
	for (unsigned int i = 0; i < options.children; i++)
		if (state->world.mode[i] < MODE_DONE)
			return false;
	return true;
}

/* The edges sorted by where they lead: those to state i are from[start[i]..start[i + 1]-1]. */
static void sort_edges(uint64_t *start, uint32_t *from)
{
	for (uint64_t i = 0; i < edge_count; i++)
		start[edges[i].to + 2]++;
	for (uint64_t i = 2; i < (uint64_t)state_count + 2; i++)
		start[i] += start[i - 1];
	for (uint64_t i = 0; i < edge_count; i++)
		from[start[edges[i].to + 1]++] = edges[i].from;
}

/* From every state an end has to be in reach without one more accident. */
static uint32_t check_ends(void)
{
	uint64_t *start = calloc((uint64_t)state_count + 2, sizeof(*start));
	uint32_t *from = grown(NULL, (edge_count + 1) * sizeof(*from));
	uint32_t *queue = grown(NULL, state_count * sizeof(*queue));
	bool *good = calloc(state_count, 1);
	uint32_t tail = 0, ends;

	if (!start || !good)
		die("no memory");
	sort_edges(start, from);
	for (uint32_t i = 0; i < state_count; i++)
		if (is_end(&states[i])) {
			good[i] = true;
			queue[tail++] = i;
		}
	ends = tail;
	for (uint32_t head = 0; head < tail; head++)
		for (uint64_t i = start[queue[head]]; i < start[queue[head] + 1]; i++)
			if (!good[from[i]]) {
				good[from[i]] = true;
				queue[tail++] = from[i];
			}
	for (uint32_t i = 0; i < state_count; i++)
		if (!good[i])
			report("some children will never come to an end", i);
	free(start);
	free(from);
	free(queue);
	free(good);
	return ends;
}

static void read_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "c:k:fimw")) != -1) {
		switch (option) {
		case 'c':
			options.children = (unsigned int)atoi(optarg);
			break;
		case 'k':
			options.kills = (unsigned int)atoi(optarg);
			break;
		case 'f':
			options.failures = true;
			break;
		case 'i':
			options.interrupts = true;
			break;
		case 'm':
			options.main_dies = true;
			break;
		case 'w':
			options.wake_ups_only = true;
			break;
		default:
			exit(2);
		}
	}
	if (options.children < 1 || options.children > CHILDREN_MAX)
		die("1 to 4 children");
}

int main(int argc, char **argv)
{
	uint32_t ends;

	read_options(argc, argv);
	more_room();
	first_state();
	for (uint32_t i = 0; i < state_count; i++)
		all_moves(i);
	ends = check_ends();
	printf("%u states (%u of a process), %llu steps, %u ends\n", state_count, local_count,
	       (unsigned long long)edge_count, ends);
	return 0;
}
