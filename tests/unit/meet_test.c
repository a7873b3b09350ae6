// SPDX-License-Identifier: GPL-2.0-only
/* The meeting point, with real threads and real processes that really die. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "meet.h"

#define NS_PER_MS 1000000ull
#define CHILDREN 8
/* No test waits longer: then something hangs. */
#define LIMIT_S 60
/* Exit statuses of a child process. */
#define RELEASED 10
#define REFUSED 11

/* What the children of a test share, and what the test wants of them. */
struct scene {
	struct meet *meet;
	pid_t pids[CHILDREN];
	_Atomic uint32_t gone[CHILDREN];
	_Atomic uint32_t settled; /* how often somebody settled */
	_Atomic uint32_t over;	  /* there is no use in waiting */
	int (*settle)(void *argument);
	uint64_t settle_ns;
};

struct seat_of {
	struct scene *scene;
	unsigned int number;
	int result;
	uint64_t released_ns;
};

static bool gone(const void *context, unsigned int i)
{
	const struct scene *scene = context;

	return i < CHILDREN && atomic_load(&scene->gone[i]);
}

static const char *over(const void *context)
{
	const struct scene *scene = context;

	return atomic_load(&scene->over) ? "it is over" : NULL;
}

static struct meet_world world_of(const struct scene *scene)
{
	return (struct meet_world){ gone, over, scene };
}

static void sleep_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&time, NULL);
}

static int settle_well(void *argument)
{
	struct scene *scene = argument;

	atomic_fetch_add(&scene->settled, 1);
	return 0;
}

static struct scene *new_scene(unsigned int children)
{
	struct scene *scene = mmap(NULL, sizeof(*scene), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(scene, MAP_FAILED);
	scene->meet = meet_create(children);
	assert_non_null(scene->meet);
	for (unsigned int i = 0; i < children; i++)
		assert_int_equal(meet_join(scene->meet), i);
	scene->settle = settle_well;
	alarm(LIMIT_S);
	return scene;
}

static void end_scene(struct scene *scene)
{
	alarm(0);
	meet_destroy(scene->meet);
	munmap(scene, sizeof(*scene));
}

/* What a child does up to the release; 0 or -1. */
static int meets(struct scene *scene, unsigned int number)
{
	struct meet_world world = world_of(scene);

	meet_enter(scene->meet, number, getpid());
	if (meet_settle(scene->meet, number, &world, scene->settle, scene))
		return -1;
	return meet_wait(scene->meet, number, &world);
}

/* ---- threads ------------------------------------------------------------------- */

static void *thread_meets(void *argument)
{
	struct seat_of *self = argument;

	self->result = meets(self->scene, self->number);
	self->released_ns = monotonic_ns();
	meet_leave(self->scene->meet, self->number, 7);
	return NULL;
}

static void start_threads(struct scene *scene, struct seat_of *seats, pthread_t *threads,
			  unsigned int from, unsigned int to)
{
	for (unsigned int i = from; i < to; i++) {
		seats[i] = (struct seat_of){ .scene = scene, .number = i };
		assert_int_equal(pthread_create(&threads[i], NULL, thread_meets, &seats[i]), 0);
	}
}

static void alone(void **state)
{
	struct scene *scene = new_scene(1);

	(void)state;
	assert_false(meet_released(scene->meet));
	assert_int_equal(meets(scene, 0), 0);
	assert_true(meet_released(scene->meet));
	assert_string_equal(meet_why(scene->meet), "");
	assert_int_equal(scene->settled, 1);
	meet_leave(scene->meet, 0, 7);
	assert_int_equal(scene->meet->seats[0].state, SEAT_LEFT);
	assert_int_equal(scene->meet->seats[0].end, 7);
	/* It left after the release: that breaks nothing. */
	assert_true(meet_released(scene->meet));
	end_scene(scene);
}

static void release_of_all_at_once(void **state)
{
	struct scene *scene = new_scene(CHILDREN);
	struct seat_of seats[CHILDREN];
	pthread_t threads[CHILDREN];
	uint64_t before;

	(void)state;
	start_threads(scene, seats, threads, 0, CHILDREN - 1);
	sleep_ms(50);
	assert_false(meet_released(scene->meet));
	before = monotonic_ns();
	start_threads(scene, seats, threads, CHILDREN - 1, CHILDREN);
	for (unsigned int i = 0; i < CHILDREN; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(seats[i].result, 0);
		assert_true(seats[i].released_ns >= scene->meet->release_ns);
	}
	assert_true(scene->meet->release_ns >= before);
	assert_int_equal(scene->settled, 1);
	end_scene(scene);
}

static int settle_slowly(void *argument)
{
	struct scene *scene = argument;
	struct meet_world world = world_of(scene);

	if (meet_pause(scene->meet, &world, scene->settle_ns))
		return -1;
	return settle_well(argument);
}

static void nobody_passes_before_the_settle_phase_is_over(void **state)
{
	struct scene *scene = new_scene(CHILDREN);
	struct seat_of seats[CHILDREN];
	pthread_t threads[CHILDREN];
	uint64_t before = monotonic_ns();

	(void)state;
	scene->settle = settle_slowly;
	scene->settle_ns = 300 * NS_PER_MS;
	start_threads(scene, seats, threads, 0, CHILDREN);
	for (unsigned int i = 0; i < CHILDREN; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(seats[i].result, 0);
	}
	assert_true(scene->meet->release_ns - before >= scene->settle_ns);
	assert_int_equal(scene->settled, 1);
	end_scene(scene);
}

static int settle_badly(void *argument)
{
	struct scene *scene = argument;

	atomic_fetch_add(&scene->settled, 1);
	meet_break(scene->meet, 0, "the settling went wrong: %d", 42);
	return -1;
}

static void a_settle_phase_that_fails_fails_all(void **state)
{
	struct scene *scene = new_scene(CHILDREN);
	struct seat_of seats[CHILDREN];
	pthread_t threads[CHILDREN];

	(void)state;
	scene->settle = settle_badly;
	start_threads(scene, seats, threads, 0, CHILDREN);
	for (unsigned int i = 0; i < CHILDREN; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(seats[i].result, -1);
	}
	assert_string_equal(meet_why(scene->meet), "the settling went wrong: 42");
	assert_int_equal(scene->settled, 1);
	end_scene(scene);
}

static void one_that_leaves_early_breaks_the_gate(void **state)
{
	struct scene *scene = new_scene(CHILDREN);
	struct seat_of seats[CHILDREN];
	pthread_t threads[CHILDREN];

	(void)state;
	start_threads(scene, seats, threads, 1, CHILDREN);
	meet_enter(scene->meet, 0, getpid());
	sleep_ms(20);
	meet_leave(scene->meet, 0, 0);
	for (unsigned int i = 1; i < CHILDREN; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(seats[i].result, -1);
	}
	assert_string_equal(meet_why(scene->meet), "child 0 of 8 gave up before the start");
	end_scene(scene);
}

static void the_first_reason_stays(void **state)
{
	struct scene *scene = new_scene(2);

	(void)state;
	meet_break(scene->meet, 1, "first");
	meet_break(scene->meet, 0, "second");
	meet_break(scene->meet, 2, "third");
	assert_string_equal(meet_why(scene->meet), "first");
	assert_int_equal(meets(scene, 0), -1);
	assert_true(meet_tell(scene->meet));
	assert_false(meet_tell(scene->meet));
	end_scene(scene);
}

static void a_long_reason_is_cut(void **state)
{
	struct scene *scene = new_scene(1);
	char reason[1000];

	(void)state;
	memset(reason, 'x', sizeof(reason) - 1);
	reason[sizeof(reason) - 1] = '\0';
	/* Nobody's own place is the last one: nothing lies behind it. */
	meet_break(scene->meet, 1, "%s", reason);
	assert_int_equal(strlen(meet_why(scene->meet)), sizeof(scene->meet->seats[0].why) - 1);
	end_scene(scene);
}

/* ---- stop flag ------------------------------------------------------------------ */

static void the_first_to_stop_leaves_its_time(void **state)
{
	struct scene *scene = new_scene(1);
	uint64_t first;

	(void)state;
	assert_int_equal(scene->meet->stop, 0);
	meet_stop(scene->meet);
	first = scene->meet->flag_ns;
	assert_int_equal(scene->meet->stop, 1);
	assert_true(first && first <= monotonic_ns());
	sleep_ms(2);
	meet_stop(scene->meet);
	assert_int_equal(scene->meet->flag_ns, first);
	end_scene(scene);
}

/* ---- Ctrl-C ---------------------------------------------------------------------- */

static void an_interrupt_wakes_all(void **state)
{
	struct scene *scene = new_scene(CHILDREN);
	struct seat_of seats[CHILDREN];
	pthread_t threads[CHILDREN];

	(void)state;
	start_threads(scene, seats, threads, 0, CHILDREN - 1);
	sleep_ms(50);
	meet_interrupt(scene->meet);
	for (unsigned int i = 0; i < CHILDREN - 1; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(seats[i].result, -1);
	}
	assert_string_equal(meet_why(scene->meet), "the run was told to stop");
	end_scene(scene);
}

static void nobody_is_released_after_an_interrupt(void **state)
{
	struct scene *scene = new_scene(1);

	(void)state;
	meet_interrupt(scene->meet);
	assert_int_equal(meets(scene, 0), -1);
	assert_false(meet_released(scene->meet));
	end_scene(scene);
}

static void an_interrupt_ends_the_settle_phase(void **state)
{
	struct scene *scene = new_scene(2);
	struct seat_of seats[2];
	pthread_t threads[2];
	uint64_t before = monotonic_ns();

	(void)state;
	scene->settle = settle_slowly;
	scene->settle_ns = 1000 * LIMIT_S * NS_PER_MS;
	start_threads(scene, seats, threads, 0, 2);
	sleep_ms(50);
	meet_interrupt(scene->meet);
	for (unsigned int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(seats[i].result, -1);
	}
	assert_int_equal(scene->settled, 0);
	assert_true(monotonic_ns() - before < 10000 * NS_PER_MS);
	end_scene(scene);
}

static struct scene *signalled;

static void on_signal(int signal)
{
	(void)signal;
	atomic_store(&signalled->over, 1);
}

static void a_signal_ends_the_settle_phase(void **state)
{
	struct scene *scene = new_scene(1);
	struct meet_world world = world_of(scene);
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct sigaction old;

	(void)state;
	signalled = scene;
	sigaction(SIGALRM, &action, &old);
	alarm(1);
	assert_int_equal(meet_pause(scene->meet, &world, 1000 * LIMIT_S * NS_PER_MS), -1);
	sigaction(SIGALRM, &old, NULL);
	end_scene(scene);
}

static void who_waits_looks_whether_there_is_any_use(void **state)
{
	struct scene *scene = new_scene(2);
	struct seat_of seats[2];
	pthread_t threads[2];

	(void)state;
	start_threads(scene, seats, threads, 0, 1);
	sleep_ms(50);
	atomic_store(&scene->over, 1);
	pthread_join(threads[0], NULL);
	assert_int_equal(seats[0].result, -1);
	assert_string_equal(meet_why(scene->meet), "it is over");
	end_scene(scene);
}

/* ---- processes that die ------------------------------------------------------------ */

/* How a child that is to die behaves. */
enum victim { NEVER_COMES, DIES_IN_TAKEN, DIES_SETTLING, DIES_WAITING };

static _Noreturn void be_victim(struct scene *scene, unsigned int number, enum victim victim)
{
	struct meet_world world = world_of(scene);

	if (victim == NEVER_COMES)
		pause();
	meet_enter(scene->meet, number, getpid());
	if (victim == DIES_IN_TAKEN)
		pause();
	meet_settle(scene->meet, number, &world, scene->settle, scene);
	meet_wait(scene->meet, number, &world);
	_exit(99);
}

static void start_process(struct scene *scene, unsigned int number, int victim)
{
	pid_t parent = getpid(), pid;

	pid = fork();
	assert_true(pid >= 0);
	if (pid) {
		scene->pids[number] = pid;
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(99);
	if (victim >= 0)
		be_victim(scene, number, (enum victim)victim);
	_exit(meets(scene, number) ? REFUSED : RELEASED);
}

static void kill_process(struct scene *scene, unsigned int number)
{
	int status;

	kill(scene->pids[number], SIGKILL);
	assert_int_equal(waitpid(scene->pids[number], &status, 0), scene->pids[number]);
	assert_true(WIFSIGNALED(status));
	/* So does fio's main process when it has waited for a child. */
	atomic_store(&scene->gone[number], 1);
}

static int exit_status(struct scene *scene, unsigned int number)
{
	int status;

	assert_int_equal(waitpid(scene->pids[number], &status, 0), scene->pids[number]);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int settle_for_long(void *argument)
{
	struct scene *scene = argument;

	atomic_fetch_add(&scene->settled, 1);
	sleep(LIMIT_S);
	return 0;
}

/* One of the children dies; the others have to hear of it in good time. */
static void dies(enum victim victim, unsigned int number)
{
	struct scene *scene = new_scene(CHILDREN);
	char expected[100];
	uint64_t killed;

	if (victim == DIES_SETTLING)
		scene->settle = settle_for_long;
	start_process(scene, number, victim);
	while (victim == DIES_SETTLING && !atomic_load(&scene->settled))
		sleep_ms(1);
	for (unsigned int i = 0; i < CHILDREN; i++)
		if (i != number)
			start_process(scene, i, -1);
	sleep_ms(50);
	kill_process(scene, number);
	killed = monotonic_ns();
	for (unsigned int i = 0; i < CHILDREN; i++)
		if (i != number)
			assert_int_equal(exit_status(scene, i), REFUSED);
	assert_true(monotonic_ns() - killed < 10000 * NS_PER_MS);
	snprintf(expected, sizeof(expected), "child %u of %u died before the start", number,
		 CHILDREN);
	assert_string_equal(meet_why(scene->meet), expected);
	assert_false(meet_released(scene->meet));
	end_scene(scene);
}

static void one_dies_before_it_comes(void **state)
{
	(void)state;
	dies(NEVER_COMES, 0);
	dies(NEVER_COMES, CHILDREN - 1);
}

static void one_dies_before_it_is_ready(void **state)
{
	(void)state;
	dies(DIES_IN_TAKEN, 3);
}

static void the_one_that_settles_dies(void **state)
{
	(void)state;
	dies(DIES_SETTLING, 2);
}

/*
 * The dead one was ready: with the last child to come all would be.  Either
 * the others hear of its death first, or there is a release: nobody waits.
 */
static void one_dies_while_it_waits(void **state)
{
	struct scene *scene = new_scene(3);
	int first, last;

	(void)state;
	start_process(scene, 0, DIES_WAITING);
	start_process(scene, 1, -1);
	sleep_ms(50);
	kill_process(scene, 0);
	sleep_ms(500);
	start_process(scene, 2, -1);
	first = exit_status(scene, 1);
	last = exit_status(scene, 2);
	assert_int_equal(first, REFUSED);
	assert_int_equal(last, REFUSED);
	assert_string_equal(meet_why(scene->meet), "child 0 of 3 died before the start");
	end_scene(scene);
}

static void all_but_one_die(void **state)
{
	struct scene *scene = new_scene(CHILDREN);

	(void)state;
	for (unsigned int i = 0; i < CHILDREN; i++)
		start_process(scene, i, i == 4 ? -1 : (int)DIES_IN_TAKEN);
	sleep_ms(20);
	for (unsigned int i = 0; i < CHILDREN; i++)
		if (i != 4)
			kill_process(scene, i);
	assert_int_equal(exit_status(scene, 4), REFUSED);
	end_scene(scene);
}

static void many_children_meet(void **state)
{
	const unsigned int many = 300;
	struct scene *scene = new_scene(many);
	pid_t parent = getpid();

	(void)state;
	for (unsigned int i = 0; i < many; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(getppid() != parent || meets(scene, i) ? REFUSED : RELEASED);
		}
	}
	for (unsigned int i = 0; i < many; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), RELEASED);
	}
	assert_int_equal(scene->settled, 1);
	end_scene(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alone),
		cmocka_unit_test(release_of_all_at_once),
		cmocka_unit_test(nobody_passes_before_the_settle_phase_is_over),
		cmocka_unit_test(a_settle_phase_that_fails_fails_all),
		cmocka_unit_test(one_that_leaves_early_breaks_the_gate),
		cmocka_unit_test(the_first_reason_stays),
		cmocka_unit_test(a_long_reason_is_cut),
		cmocka_unit_test(the_first_to_stop_leaves_its_time),
		cmocka_unit_test(an_interrupt_wakes_all),
		cmocka_unit_test(nobody_is_released_after_an_interrupt),
		cmocka_unit_test(an_interrupt_ends_the_settle_phase),
		cmocka_unit_test(a_signal_ends_the_settle_phase),
		cmocka_unit_test(who_waits_looks_whether_there_is_any_use),
		cmocka_unit_test(one_dies_before_it_comes),
		cmocka_unit_test(one_dies_before_it_is_ready),
		cmocka_unit_test(the_one_that_settles_dies),
		cmocka_unit_test(one_dies_while_it_waits),
		cmocka_unit_test(all_but_one_die),
		cmocka_unit_test(many_children_meet),
	};

	return cmocka_run_group_tests_name("meeting point", tests, NULL, NULL);
}
