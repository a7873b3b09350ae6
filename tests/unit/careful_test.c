// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loops with real files: what is counted when the stop flag goes up, what
 * of the time is left out, which errors are told and where in the file.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "made_child.h"

static int set_up(void **state)
{
	struct made_child *made = calloc(1, sizeof(*made));

	*state = made;
	return made ? made_path(made) : -1;
}

static int tear_down(void **state)
{
	struct made_child *made = *state;

	unlink(made->path);
	free(made);
	return 0;
}

static const enum iozone_test_id by_descriptor[] = {
	TEST_WRITE,	  TEST_REWRITE,	    TEST_READ,	 TEST_REREAD, TEST_REVERSE_READ,
	TEST_STRIDE_READ, TEST_RANDOM_READ, TEST_PWRITE, TEST_PREAD,  TEST_RANDOM_WRITE,
};
#define BY_DESCRIPTOR (sizeof(by_descriptor) / sizeof(by_descriptor[0]))

/* ---- which loop ----------------------------------------------------------------- */

static bool is_careful(enum iozone_test_id test, size_t member, unsigned int value)
{
	struct made_child made;
	bool careful;

	made_child(&made, test);
	memcpy((char *)&made.options + member, &value, sizeof(value));
	careful = choose_loop(&made.child) == careful_loop;
	meet_destroy(made.child.meet);
	return careful;
}

#define IS_CAREFUL(test, member) is_careful(test, offsetof(struct iozone_options, member), 1)

static void who_needs_no_care(void **state)
{
	(void)state;
	for (unsigned int test = 0; test < TEST_COUNT; test++) {
		if (test == TEST_MIXED)
			continue;
		assert_false(IS_CAREFUL(test, flush));
		assert_false(IS_CAREFUL(test, close));
		/* An msync without a mapping is nothing, in iozone too. */
		assert_false(IS_CAREFUL(test, msync));
	}
	assert_false(IS_CAREFUL(TEST_WRITE, jitter));
	assert_false(IS_CAREFUL(TEST_FWRITE, lock));
	assert_false(IS_CAREFUL(TEST_FREAD, record_lock));
	assert_false(IS_CAREFUL(TEST_READ, multi_buffer));
}

static void who_needs_care(void **state)
{
	(void)state;
	for (size_t i = 0; i < BY_DESCRIPTOR; i++) {
		assert_true(IS_CAREFUL(by_descriptor[i], lock));
		assert_true(IS_CAREFUL(by_descriptor[i], record_lock));
		assert_true(IS_CAREFUL(by_descriptor[i], mmap));
		assert_true(IS_CAREFUL(by_descriptor[i], async));
	}
	for (unsigned int test = 0; test < TEST_COUNT; test++) {
		if (test == TEST_MIXED)
			continue;
		assert_true(IS_CAREFUL(test, verify));
		assert_true(IS_CAREFUL(test, check));
		assert_true(IS_CAREFUL(test, compute_ms));
		assert_true(IS_CAREFUL(test, purge));
		assert_true(IS_CAREFUL(test, op_rate));
	}
	assert_true(IS_CAREFUL(TEST_READ, jitter));
	assert_true(IS_CAREFUL(TEST_FWRITE, multi_buffer));
}

static void check_conflict(const struct iozone_options *options, enum iozone_test_id test,
			   const char *word)
{
	const char *conflict = extras_conflict(options, iozone_test_row(test));

	if (!word) {
		assert_null(conflict);
		return;
	}
	assert_non_null(conflict);
	assert_non_null(strstr(conflict, word));
}

static void conflicts(void **state)
{
	struct iozone_options options;

	(void)state;
	made_options(&options);
	check_conflict(&options, TEST_WRITE, NULL);
	options.async_nocopy = 1;
	check_conflict(&options, TEST_WRITE, "iozone_async_nocopy");
	options.async = 4;
	check_conflict(&options, TEST_WRITE, NULL);
	check_conflict(&options, TEST_FREAD, "stdio");
	options.mmap = 1;
	check_conflict(&options, TEST_WRITE, "iozone_mmap");
	options.async = options.async_nocopy = 0;
	check_conflict(&options, TEST_WRITE, NULL);
	check_conflict(&options, TEST_FWRITE, "stdio");
	made_options(&options);
	options.dedup = 51;
	check_conflict(&options, TEST_WRITE, NULL);
	options.verify = 8;
	check_conflict(&options, TEST_WRITE, "iozone_dedup");
	made_options(&options);
	options.multi_buffer = options.verify = 1;
	check_conflict(&options, TEST_FWRITE, "iozone_multi_buffer");
	check_conflict(&options, TEST_WRITE, NULL);
	made_options(&options);
	options.write_telemetry = (char *)"list";
	check_conflict(&options, TEST_WRITE, NULL);
	check_conflict(&options, TEST_PWRITE, "telemetry");
	check_conflict(&options, TEST_MIXED, "telemetry");
	options.mix_sequential = 1;
	check_conflict(&options, TEST_MIXED, NULL);
	options.jitter = 1;
	check_conflict(&options, TEST_WRITE, "iozone_jitter");
}

/* ---- the stop flag ------------------------------------------------------------------ */

/* Two records, then somebody raises the flag.  The child is left in *made. */
static enum turn_end stop_after_two(struct made_child *made)
{
	struct child *child = &made->child;

	assert_int_equal(made_start(made), 0);
	assert_int_equal(child->loop(child, 2), TURN_DONE);
	assert_int_equal(child->counted, 2);
	meet_stop(child->meet);
	return child->loop(child, child->count);
}

static void the_flag_ends_the_turn(void **state)
{
	struct made_child *made = *state;

	for (int careful = 0; careful < 2; careful++) {
		for (size_t i = 0; i < BY_DESCRIPTOR; i++) {
			made_child(made, TEST_WRITE);
			assert_int_equal(made_run(made, TEST_WRITE), 0);
			meet_destroy(made->child.meet);
			made_child(made, by_descriptor[i]);
			made->options.lock = (unsigned int)careful;
			assert_int_equal(stop_after_two(made), TURN_STOPPED);
			assert_int_equal(made->child.counted, 2);
			assert_int_equal(made->child.next, 2);
			made_end(made);
		}
	}
}

/* A writer that is stopped goes on, and its file gets whole. */
static void the_tail_is_written(void **state)
{
	static const enum iozone_test_id writers[] = { TEST_WRITE, TEST_PWRITE, TEST_RANDOM_WRITE };
	static const _Atomic uint32_t never;
	struct made_child *made = *state;

	for (int careful = 0; careful < 2; careful++) {
		for (size_t i = 0; i < 3; i++) {
			struct child *child = &made->child;

			assert_int_equal(truncate(made->path, 0), 0);
			made_child(made, writers[i]);
			made->options.verify_bytes = (unsigned int)careful;
			assert_int_equal(stop_after_two(made), TURN_STOPPED);
			child->stop = &never;
			assert_int_equal(child->loop(child, 5), TURN_DONE);
			assert_int_equal(child->loop(child, child->count), TURN_DONE);
			assert_int_equal(child->next, child->count);
			made_end(made);
			made_child(made, TEST_READ);
			made->options.verify_bytes = (unsigned int)careful;
			made->options.check = !careful;
			assert_int_equal(made_run(made, TEST_READ), 0);
			meet_destroy(made->child.meet);
		}
	}
}

static void a_mapping_is_rewritten_to_its_end(void **state)
{
	struct made_child *made = *state;

	made_child(made, TEST_REWRITE);
	made->options.mmap = 1;
	assert_int_equal(stop_after_two(made), TURN_DONE);
	assert_int_equal(made->child.next, CHILD_RECORDS);
	assert_int_equal(made->child.counted, 2);
	made_end(made);
}

/* ---- time that is left out ------------------------------------------------------------- */

static uint64_t excluded_when_stopped(struct made_child *made, enum iozone_test_id test,
				      unsigned int counts)
{
	uint64_t excluded;

	made_child(made, test);
	made->options.compute_ms = 2;
	made->options.compute_counts = counts;
	assert_int_equal(stop_after_two(made), TURN_STOPPED);
	excluded = made->child.excluded_ns;
	made_end(made);
	return excluded;
}

/* Two records, and the one before which the flag was seen: three times 2 ms. */
static void computing_of_stopped_children(void **state)
{
	struct made_child *made = *state;

	made_child(made, TEST_WRITE);
	assert_int_equal(made_run(made, TEST_WRITE), 0);
	meet_destroy(made->child.meet);
	assert_int_equal(excluded_when_stopped(made, TEST_WRITE, 0), 0);
	assert_int_equal(excluded_when_stopped(made, TEST_RANDOM_WRITE, 0), 0);
	assert_in_range(excluded_when_stopped(made, TEST_PWRITE, 0), 6000000, UINT32_MAX);
	assert_int_equal(made_run(made, TEST_WRITE), 0);
	assert_in_range(excluded_when_stopped(made, TEST_REWRITE, 0), 6000000, UINT32_MAX);
	assert_in_range(excluded_when_stopped(made, TEST_READ, 0), 6000000, UINT32_MAX);
	assert_int_equal(excluded_when_stopped(made, TEST_READ, 1), 0);
}

static void computing_of_the_tail(void **state)
{
	struct made_child *made = *state;
	struct child *child = &made->child;
	uint64_t excluded;

	made_child(made, TEST_PWRITE);
	made->options.compute_ms = 1;
	assert_int_equal(stop_after_two(made), TURN_STOPPED);
	excluded = child->excluded_ns;
	child->clock_runs = false;
	atomic_store(&child->meet->stop, 0);
	assert_int_equal(child->loop(child, child->count), TURN_DONE);
	assert_int_equal(child->excluded_ns, excluded);
	made_end(made);
}

static void a_rate_is_held(void **state)
{
	struct made_child *made = *state;
	uint64_t began;

	made_child(made, TEST_WRITE);
	made->options.op_rate = 200;
	assert_int_equal(made_start(made), 0);
	began = monotonic_ns();
	assert_int_equal(made->child.loop(&made->child, 4), TURN_DONE);
	assert_in_range(monotonic_ns() - began, 4 * 5000000, UINT64_MAX);
	assert_int_equal(made->child.excluded_ns, 0);
	made_end(made);
}

/* Another process has the file locked, and lets go of it after a while. */
#define HELD_MS 200

static pid_t hold_lock(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		int fd = open(path, O_RDWR);

		if (fd < 0 || fcntl(fd, F_SETLK, &lock) || write(ready[1], "", 1) != 1)
			_exit(1);
		usleep(HELD_MS * 1000);
		_exit(0);
	}
	close(ready[1]);
	assert_true(pid > 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

/* How long the child waits before its clock and within it. */
static void wait_for_lock(struct made_child *made, uint64_t *before_ns, uint64_t *within_ns)
{
	pid_t holder = hold_lock(made->path);
	uint64_t began = monotonic_ns();
	int status;

	made->options.lock = 1;
	assert_int_equal(made_start(made), 0);
	*before_ns = monotonic_ns() - began;
	began = monotonic_ns();
	assert_int_equal(made->child.loop(&made->child, made->child.count), TURN_DONE);
	*within_ns = monotonic_ns() - began;
	made_end(made);
	assert_int_equal(waitpid(holder, &status, 0), holder);
	assert_int_equal(status, 0);
}

static void the_wait_for_a_lock(void **state)
{
	struct made_child *made = *state;

	made_child(made, TEST_WRITE);
	assert_int_equal(made_run(made, TEST_WRITE), 0);
	meet_destroy(made->child.meet);
	for (size_t i = 0; i < BY_DESCRIPTOR; i++) {
		enum iozone_test_id test = by_descriptor[i];
		bool within = test == TEST_REWRITE || test == TEST_REVERSE_READ ||
			      test == TEST_RANDOM_READ;
		uint64_t before_ns, within_ns;

		/* pwrite empties its file first, lock or no lock. */
		made_child(made, test);
		made->options.recreate = 0;
		wait_for_lock(made, &before_ns, &within_ns);
		assert_in_range(within ? within_ns : before_ns, HELD_MS * 1000000 / 2, UINT64_MAX);
		assert_in_range(within ? before_ns : within_ns, 0, HELD_MS * 1000000 / 2);
	}
}

/* Of four children the third waits twice as long as the second; before write, half more. */
static void children_start_one_after_the_other(void **state)
{
	struct made_child *made = *state;
	uint64_t began = monotonic_ns();

	made_child(made, TEST_READ);
	made->child.number = 2;
	made->options.start_delay_us = 10000;
	atomic_store(&made->child.meet->release_ns, began);
	assert_int_equal(extras_released(&made->child), 0);
	assert_in_range(monotonic_ns() - began, 20000000, UINT64_MAX);
	assert_int_equal(extras_delay_ns(&made->child), 40000000);
	meet_destroy(made->child.meet);

	began = monotonic_ns();
	made_child(made, TEST_WRITE);
	made->child.number = 2;
	made->options.start_delay_us = 10000;
	atomic_store(&made->child.meet->release_ns, began);
	assert_int_equal(extras_released(&made->child), 0);
	assert_in_range(monotonic_ns() - began, 30000000, UINT64_MAX);
	meet_destroy(made->child.meet);
}

/* ---- what goes wrong ----------------------------------------------------------------------- */

static void spoil(const struct made_child *made, off_t at)
{
	int fd = open(made->path, O_RDWR);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, "X", 1, at), 1);
	close(fd);
}

static void a_spoilt_byte_is_told(void **state)
{
	static const enum iozone_test_id readers[] = {
		TEST_READ,	  TEST_REREAD, TEST_REVERSE_READ, TEST_STRIDE_READ,
		TEST_RANDOM_READ, TEST_PREAD,  TEST_FREAD,
	};
	struct made_child *made = *state;

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		struct child *child = &made->child;

		made_child(made, TEST_WRITE);
		made->options.verify = 8;
		assert_int_equal(made_run(made, TEST_WRITE), 0);
		assert_int_equal(made_run(made, readers[i]), 0);
		meet_destroy(child->meet);
		spoil(made, 3 * CHILD_RECORD + 777);
		made_child(made, readers[i]);
		made->options.verify = 8;
		made->options.stride = 1;
		assert_int_equal(made_start(made), 0);
		assert_int_equal(child->loop(child, child->count), TURN_FAILED);
		assert_int_equal(child->failure.error, EILSEQ);
		assert_int_equal(child->failure.offset, 3 * CHILD_RECORD + 777);
		assert_string_equal(child->failure.what,
				    "verify at offset 13065: found 0x58, expected 0x07");
		made_end(made);
	}
}

static void a_spoilt_mark_is_told(void **state)
{
	struct made_child *made = *state;

	made_child(made, TEST_WRITE);
	assert_int_equal(made_run(made, TEST_WRITE), 0);
	meet_destroy(made->child.meet);
	/* Beside the marks anything may stand. */
	spoil(made, 4096 + 8);
	made_child(made, TEST_READ);
	made->options.check = 1;
	assert_int_equal(made_run(made, TEST_READ), 0);
	spoil(made, 4096 + 7);
	assert_int_equal(made_run(made, TEST_READ), -1);
	meet_destroy(made->child.meet);
}

struct way {
	unsigned int mmap, async, nocopy;
	const char *what;
};

/* A file that is a record short, read in every way there is. */
static void a_short_file_is_told(void **state)
{
	static const struct way ways[] = {
		{ 0, 0, 0, "read at offset 28672: end of file after 0 of 4096 bytes" },
		{ 0, 2, 0, "aio_read at offset 28672: end of file after 0 of 4096 bytes" },
		{ 0, 2, 1, "aio_read at offset 28672: end of file after 0 of 4096 bytes" },
		{ 1, 0, 0, "mmap at offset 28672: end of file" },
	};
	struct made_child *made = *state;

	made_child(made, TEST_WRITE);
	assert_int_equal(made_run(made, TEST_WRITE), 0);
	meet_destroy(made->child.meet);
	assert_int_equal(truncate(made->path, (CHILD_RECORDS - 1) * CHILD_RECORD), 0);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct child *child = &made->child;

		made_child(made, TEST_READ);
		made->options.mmap = ways[i].mmap;
		made->options.async = ways[i].async;
		made->options.async_nocopy = ways[i].nocopy;
		made->options.purge = 1;
		if (!made_start(made))
			assert_int_equal(child->loop(child, child->count), TURN_FAILED);
		assert_int_equal(child->failure.error, ENODATA);
		assert_string_equal(child->failure.what, ways[i].what);
		made_end(made);
	}
}

static void a_full_device_is_told(void **state)
{
	struct made_child *made = *state;
	struct child *child = &made->child;

	for (unsigned int depth = 0; depth < 3; depth++) {
		made_child(made, TEST_REWRITE);
		child->path = "/dev/full";
		made->options.async = depth;
		made->options.purge = 1;
		assert_int_equal(made_start(made), 0);
		assert_int_equal(child->loop(child, child->count), TURN_FAILED);
		assert_int_equal(child->failure.error, ENOSPC);
		made_end(made);
	}
}

static void no_place_for_logs(void **state)
{
	struct made_child *made = *state;
	struct child *child = &made->child;

	made_child(made, TEST_WRITE);
	made->options.latency_log = (char *)"/nowhere";
	assert_int_equal(made_start(made), -1);
	assert_int_equal(child->failure.error, ENOENT);
	assert_non_null(strstr(child->failure.what, "/nowhere/Child_0_wol.dat"));
	made_end(made);

	made_child(made, TEST_WRITE);
	made->options.histogram = (char *)"/nowhere";
	assert_int_equal(made_start(made), 0);
	assert_int_equal(child->loop(child, child->count), TURN_DONE);
	assert_int_equal(extras_finish(child), -1);
	assert_non_null(strstr(child->failure.what, "/nowhere/Iozone_histogram_child_0.txt"));
	made_end(made);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(who_needs_no_care),
		TEST(who_needs_care),
		TEST(conflicts),
		TEST(the_flag_ends_the_turn),
		TEST(the_tail_is_written),
		TEST(a_mapping_is_rewritten_to_its_end),
		TEST(computing_of_stopped_children),
		TEST(computing_of_the_tail),
		TEST(a_rate_is_held),
		TEST(the_wait_for_a_lock),
		TEST(children_start_one_after_the_other),
		TEST(a_spoilt_byte_is_told),
		TEST(a_spoilt_mark_is_told),
		TEST(a_short_file_is_told),
		TEST(a_full_device_is_told),
		TEST(no_place_for_logs),
	};
#undef TEST

	return cmocka_run_group_tests_name("careful", tests, NULL, NULL);
}
