// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that live the life of a child at the meeting point, over and over,
 * while fio's main thread looks at them and now and then tells them to stop.
 * Built with -fsanitize=thread (make check-tsan) it is a hunt for data races.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "meet.h"

#define CHILDREN 16
#define CYCLES 300
#define RECORDS 200
#define LIMIT_S 240
#define END_WELL 1
#define END_BADLY 2

/* What goes wrong in a cycle. */
enum trouble { TROUBLE_NONE, TROUBLE_INTERRUPT, TROUBLE_LEAVES, TROUBLE_SETTLE, TROUBLES };

struct cycle {
	struct meet *meet;
	enum trouble trouble;
	_Atomic uint32_t settles;
	unsigned int delay_us;
};

struct child {
	struct cycle *cycle;
	unsigned int number;
	uint64_t counted;
	uint64_t start_ns;
	bool released;
	char why[64];
};

static bool gone(const void *context, unsigned int i)
{
	const struct cycle *cycle = context;

	/* fio's mark for a child that has come to its end. */
	return atomic_load(&cycle->meet->seats[i].state) == SEAT_LEFT;
}

static const char *over(const void *context)
{
	(void)context;
	return NULL;
}

static int settle(void *argument)
{
	struct cycle *cycle = argument;
	const struct meet_world world = { gone, over, cycle };

	atomic_fetch_add(&cycle->settles, 1);
	if (cycle->trouble == TROUBLE_SETTLE)
		return -1;
	return meet_pause(cycle->meet, &world, 100000);
}

static void work(struct child *child)
{
	struct meet *meet = child->cycle->meet;
	struct seat *seat = &meet->seats[child->number];

	child->start_ns = monotonic_ns();
	atomic_store(&seat->start_ns, child->start_ns);
	while (child->counted < RECORDS) {
		if (atomic_load_explicit(&meet->stop, memory_order_relaxed))
			break;
		child->counted++;
		atomic_store(&seat->records, child->counted);
	}
	if (child->counted == RECORDS)
		meet_stop(meet);
}

static bool comes_to_the_release(struct child *child)
{
	struct meet *meet = child->cycle->meet;
	const struct meet_world world = { gone, over, child->cycle };

	meet_enter(meet, child->number, (pid_t)child->number + 1);
	if (meet_settle(meet, child->number, &world, settle, child->cycle))
		return false;
	if (child->cycle->trouble == TROUBLE_LEAVES && child->number == 3)
		return false;
	return !meet_wait(meet, child->number, &world);
}

static void *live(void *argument)
{
	struct child *child = argument;
	struct meet *meet = child->cycle->meet;

	child->released = comes_to_the_release(child);
	if (child->released) {
		work(child);
	} else {
		snprintf(child->why, sizeof(child->why), "%s", meet_why(meet));
		meet_tell(meet);
	}
	meet_leave(meet, child->number, child->released ? END_WELL : END_BADLY);
	return NULL;
}

/* As fio's main thread does, until all have left. */
static uint64_t watch(struct cycle *cycle)
{
	struct meet *meet = cycle->meet;
	uint64_t records = 0;
	unsigned int left;

	usleep(cycle->delay_us);
	if (cycle->trouble == TROUBLE_INTERRUPT)
		meet_interrupt(meet);
	do {
		left = 0;
		for (unsigned int i = 0; i < CHILDREN; i++) {
			left += atomic_load(&meet->seats[i].state) == SEAT_LEFT;
			records += atomic_load(&meet->seats[i].records);
		}
	} while (left < CHILDREN);
	return records;
}

static void check(const struct cycle *cycle, const struct child *children)
{
	const struct meet *meet = cycle->meet;
	bool released = meet_released(meet);

	assert_int_equal(cycle->settles, 1);
	if (cycle->trouble == TROUBLE_NONE)
		assert_true(released);
	if (cycle->trouble == TROUBLE_LEAVES || cycle->trouble == TROUBLE_SETTLE)
		assert_false(released);
	for (unsigned int i = 0; i < CHILDREN; i++) {
		assert_int_equal(children[i].released, released);
		assert_int_equal(meet->seats[i].end, released ? END_WELL : END_BADLY);
		assert_int_equal(meet->seats[i].pid, i + 1);
		if (released)
			assert_true(children[i].start_ns >= meet->release_ns);
		else if (i != 3)
			assert_true(children[i].why[0]);
	}
}

static void run_cycle(unsigned int number)
{
	struct cycle cycle = {
		.meet = meet_create(CHILDREN),
		.trouble = (enum trouble)(number % TROUBLES),
		.delay_us = number * 37 % 1000,
	};
	struct child children[CHILDREN];
	pthread_t threads[CHILDREN];

	assert_non_null(cycle.meet);
	memset(children, 0, sizeof(children));
	for (unsigned int i = 0; i < CHILDREN; i++) {
		children[i].cycle = &cycle;
		children[i].number = meet_join(cycle.meet);
	}
	for (unsigned int i = 0; i < CHILDREN; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, live, &children[i]), 0);
	watch(&cycle);
	for (unsigned int i = 0; i < CHILDREN; i++)
		pthread_join(threads[i], NULL);
	check(&cycle, children);
	meet_destroy(cycle.meet);
}

static void threads_meet_over_and_over(void **state)
{
	(void)state;
	alarm(LIMIT_S);
	for (unsigned int i = 0; i < CYCLES; i++)
		run_cycle(i);
	alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_meet_over_and_over),
	};

	return cmocka_run_group_tests_name("races at the meeting point", tests, NULL, NULL);
}
