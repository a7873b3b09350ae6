// SPDX-License-Identifier: GPL-2.0-only
/* The run log's writer: whole lines whatever happens, and nobody's file overwritten. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What the next write(2) of the log shall do. */
static enum { WRITE_WELL, WRITE_INTERRUPTED, WRITE_SHORT, WRITE_AND_DIE } next_write;

static ssize_t faulty_write(int fd, const void *bytes, size_t length)
{
	int how = next_write;

	next_write = WRITE_WELL;
	switch (how) {
	case WRITE_INTERRUPTED:
		errno = EINTR;
		return -1;
	case WRITE_SHORT:
		return write(fd, bytes, length / 2);
	case WRITE_AND_DIE:
		(void)!write(fd, bytes, length / 2);
		raise(SIGKILL);
	}
	return write(fd, bytes, length);
}

#define write faulty_write
#include "log.c"
#undef write

#define LIMIT_S 120

/* ThreadSanitizer does not know that a lock can be taken over from the dead. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define SKIP_WITH_TSAN() skip()
#else
#define SKIP_WITH_TSAN() ((void)0)
#endif

struct place {
	char folder[64];
	char path[128];
};

static int set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	if (!place)
		return -1;
	strcpy(place->folder, "/tmp/log-test-XXXXXX");
	if (!mkdtemp(place->folder))
		return -1;
	snprintf(place->path, sizeof(place->path), "%s/run.csv", place->folder);
	*state = place;
	alarm(LIMIT_S);
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;

	alarm(0);
	unlink(place->path);
	rmdir(place->path);
	if (rmdir(place->folder))
		return -1;
	free(place);
	return 0;
}

static struct log *start(const struct place *place)
{
	char why[200] = "";
	struct log *log = log_start(place->path, why, sizeof(why));

	assert_string_equal(why, "");
	assert_non_null(log);
	return log;
}

static void assert_refused(const struct place *place, const char *reason)
{
	char why[200] = "";

	assert_null(log_start(place->path, why, sizeof(why)));
	assert_string_equal(why, reason);
}

static void put(const struct place *place, const char *text)
{
	FILE *file = fopen(place->path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* The whole file; the caller frees it. */
static char *contents(const struct place *place)
{
	struct stat status;
	FILE *file = fopen(place->path, "r");
	char *text;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	text = calloc(1, (size_t)status.st_size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)status.st_size, file), status.st_size);
	fclose(file);
	return text;
}

static void assert_contains(const struct place *place, const char *expected)
{
	char *text = contents(place);

	if (!strstr(text, expected))
		print_error("not in the log: %s\n", expected);
	assert_non_null(strstr(text, expected));
	free(text);
}

/* Each line but the header has to be one of ours, from beginning to end. */
static unsigned int count_whole_lines(const struct place *place)
{
	char *text = contents(place), *save, *line;
	unsigned int count = 0;

	assert_int_equal(text[strlen(text) - 1], '\n');
	line = strtok_r(text, "\n", &save);
	assert_memory_equal(line, "\"" RUN_LOG_FORMAT "\",", sizeof(RUN_LOG_FORMAT) + 2);
	while ((line = strtok_r(NULL, "\n", &save))) {
		assert_memory_equal(line, "\"run\",", 6);
		assert_string_equal(line + strlen(line) - 6, ",\"end\"");
		count++;
	}
	free(text);
	return count;
}

static struct run_log_line sample(uint64_t child)
{
	return (struct run_log_line){ .run = "run", .child = child, .fs_mount = "end" };
}

/* ---- what is in a line ------------------------------------------------------------ */

static void header_names_the_columns(void **state)
{
	struct log *log = start(*state);

	assert_contains(*state, "\"" RUN_LOG_FORMAT "\",\"began\",\"fio\",");
	assert_contains(*state, ",\"fs_options\",\"fs_mount\"\n");
	assert_int_equal(count_whole_lines(*state), 0);
	log_close(log);
}

static void texts_are_quoted(void **state)
{
	struct log *log = start(*state);
	struct run_log_line line = sample(UINT64_MAX);
	bool written = false;

	line.file = "/a b/c,d/\"e\"\nf";
	line.job = NULL;
	assert_int_equal(log_append(log, &line, &written), 0);
	assert_true(written);
	assert_contains(*state, ",\"/a b/c,d/\"\"e\"\"\nf\",");
	assert_contains(*state, ",18446744073709551615,");
	log_close(log);
}

static void a_line_is_written_once(void **state)
{
	struct log *log = start(*state);
	struct run_log_line line = sample(1);
	bool written = false;

	assert_int_equal(log_append(log, &line, &written), 0);
	assert_int_equal(log_append(log, &line, &written), 0);
	assert_int_equal(count_whole_lines(*state), 1);
	log_close(log);
}

static void a_line_too_long_leaves_nothing(void **state)
{
	struct log *log = start(*state);
	struct run_log_line line = sample(1);
	char *path = calloc(1, RUN_LOG_LINE_MAX);
	bool written = false;

	assert_non_null(path);
	memset(path, '"', RUN_LOG_LINE_MAX / 2);
	line.file = path;
	assert_int_equal(log_append(log, &line, &written), -1);
	assert_int_equal(errno, EMSGSIZE);
	assert_false(written);
	assert_int_equal(count_whole_lines(*state), 0);
	free(path);
	log_close(log);
}

/* ---- whose file it is ---------------------------------------------------------------- */

static void an_older_log_gives_way(void **state)
{
	struct log *log;

	put(*state, "\"fio-iozone-log-7\",\"other\"\n\"0123\",5\n");
	log = start(*state);
	assert_int_equal(count_whole_lines(*state), 0);
	log_close(log);
}

static void an_empty_file_is_taken(void **state)
{
	struct log *log;

	put(*state, "");
	log = start(*state);
	assert_int_equal(count_whole_lines(*state), 0);
	log_close(log);
}

static void a_file_of_the_user_stays(void **state)
{
	static const char *const texts[] = { "my thesis", "\"fio-iozone-lo", "\n", "\"" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *text;

		put(*state, texts[i]);
		assert_refused(*state, "exists and is not a run log: left as it is");
		text = contents(*state);
		assert_string_equal(text, texts[i]);
		free(text);
	}
}

static void a_directory_is_refused(void **state)
{
	struct place *place = *state;

	assert_int_equal(mkdir(place->path, 0755), 0);
	assert_refused(place, "Is a directory");
}

static void a_fifo_is_refused(void **state)
{
	struct place *place = *state;

	assert_int_equal(mkfifo(place->path, 0644), 0);
	assert_refused(place, "is not a regular file");
}

static void a_folder_that_is_not_there_is_told(void **state)
{
	struct place place = *(struct place *)*state;

	strcat(place.folder, "/none");
	snprintf(place.path, sizeof(place.path), "%s/run.csv", place.folder);
	assert_refused(&place, "No such file or directory");
}

static void two_runs_at_once(void **state)
{
	struct log *log = start(*state), *next;
	struct run_log_line line = sample(1);
	bool written = false;

	assert_int_equal(log_append(log, &line, &written), 0);
	assert_refused(*state, "is in use by another run");
	assert_int_equal(count_whole_lines(*state), 1);
	log_close(log);
	next = start(*state);
	assert_int_equal(count_whole_lines(*state), 0);
	log_close(next);
}

/* ---- many writers, and those that die ---------------------------------------------------- */

static void wait_for_all(unsigned int *killed)
{
	int status;

	while (wait(&status) > 0) {
		if (WIFSIGNALED(status))
			++*killed;
		else
			assert_int_equal(WEXITSTATUS(status), 0);
	}
}

static bool *shared_marks(size_t count)
{
	bool *marks = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(marks, MAP_FAILED);
	return marks;
}

/* Appends lines until it is killed, or count of them. */
static _Noreturn void write_lines(struct log *log, unsigned int number, unsigned int count,
				  bool *marks)
{
	char path[6000];

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	for (unsigned int i = 0; i < count; i++) {
		struct run_log_line line = sample(number);

		/* Of many sizes: more than a page, too. */
		line.file = path + (i * 97 + number * 31) % sizeof(path);
		if (log_append(log, &line, &marks[i]))
			_exit(1);
	}
	_exit(0);
}

static void many_writers(void **state)
{
	const unsigned int writers = 16, lines = 50;
	bool *marks = shared_marks(writers * lines);
	struct log *log = start(*state);
	unsigned int killed = 0;

	for (unsigned int i = 0; i < writers; i++)
		if (!fork())
			write_lines(log, i, lines, marks + i * lines);
	wait_for_all(&killed);
	assert_int_equal(killed, 0);
	assert_int_equal(count_whole_lines(*state), writers * lines);
	munmap(marks, writers * lines);
	log_close(log);
}

/* A writer that dies may leave half a line: the next one takes it away. */
static void writers_that_are_killed(void **state)
{
	const unsigned int rounds = 150, lines = 100000;
	bool *marks = shared_marks(lines);
	struct log *log = start(*state);
	unsigned int killed = 0;

	SKIP_WITH_TSAN();
	for (unsigned int i = 0; i < rounds; i++) {
		struct run_log_line line = sample(i);
		bool written = false;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (!pid)
			write_lines(log, i, lines, marks);
		usleep(i * 13 % 700);
		kill(pid, SIGKILL);
		assert_int_equal(log_append(log, &line, &written), 0);
		wait_for_all(&killed);
		memset(marks, 0, lines);
	}
	assert_int_equal(killed, rounds);
	assert_true(count_whole_lines(*state) >= rounds);
	munmap(marks, lines);
	log_close(log);
}

/* The dead one held the lock, with half a line written. */
static void a_torn_line_is_taken_away(void **state)
{
	struct log *log = start(*state);
	struct run_log_line line = sample(1);
	bool *written = shared_marks(3);
	unsigned int killed = 0;

	SKIP_WITH_TSAN();
	assert_int_equal(log_append(log, &line, &written[0]), 0);
	if (!fork()) {
		next_write = WRITE_AND_DIE;
		log_append(log, &line, &written[1]);
		_exit(0);
	}
	wait_for_all(&killed);
	assert_int_equal(killed, 1);
	assert_false(written[1]);
	assert_int_equal(log_append(log, &line, &written[1]), 0);
	assert_int_equal(count_whole_lines(*state), 2);
	munmap(written, 3);
	log_close(log);
}

static void a_short_write_leaves_nothing(void **state)
{
	struct log *log = start(*state);
	struct run_log_line line = sample(1);
	bool written = false;

	next_write = WRITE_SHORT;
	assert_int_equal(log_append(log, &line, &written), -1);
	assert_int_equal(errno, ENOSPC);
	assert_false(written);
	assert_int_equal(count_whole_lines(*state), 0);
	assert_int_equal(log_append(log, &line, &written), 0);
	assert_int_equal(count_whole_lines(*state), 1);
	log_close(log);
}

static void an_interrupted_write_is_made_again(void **state)
{
	struct log *log = start(*state);
	struct run_log_line line = sample(1);
	bool written = false;

	next_write = WRITE_INTERRUPTED;
	assert_int_equal(log_append(log, &line, &written), 0);
	assert_int_equal(count_whole_lines(*state), 1);
	log_close(log);
}

/* ---- a full disk ---------------------------------------------------------------------------- */

static void a_full_disk_leaves_whole_lines(void **state)
{
	struct place *place = *state;
	struct run_log_line line;
	unsigned int count = 0;
	bool written = false;
	struct log *log;
	char path[1001];

	if (mount("tmpfs", place->folder, "tmpfs", 0, "size=32k"))
		skip();
	log = start(place);
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	for (; count < 100; count++) {
		line = sample(count);
		line.file = path;
		written = false;
		if (log_append(log, &line, &written))
			break;
	}
	assert_int_equal(errno, ENOSPC);
	assert_false(written);
	assert_in_range(count, 20, 40);
	assert_int_equal(count_whole_lines(place), count);
	/* A shorter one still fits, behind a line that is whole. */
	line.file = "";
	assert_int_equal(log_append(log, &line, &written), 0);
	assert_int_equal(count_whole_lines(place), count + 1);
	assert_int_equal(log_flush(log), 0);
	log_close(log);
	assert_int_equal(umount(place->folder), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(header_names_the_columns),
		TEST(texts_are_quoted),
		TEST(a_line_is_written_once),
		TEST(a_line_too_long_leaves_nothing),
		TEST(an_older_log_gives_way),
		TEST(an_empty_file_is_taken),
		TEST(a_file_of_the_user_stays),
		TEST(a_directory_is_refused),
		TEST(a_fifo_is_refused),
		TEST(a_folder_that_is_not_there_is_told),
		TEST(two_runs_at_once),
		TEST(many_writers),
		TEST(writers_that_are_killed),
		TEST(a_torn_line_is_taken_away),
		TEST(a_short_write_leaves_nothing),
		TEST(an_interrupted_write_is_made_again),
		TEST(a_full_disk_leaves_whole_lines),
	};
#undef TEST

	return cmocka_run_group_tests_name("run log writer", tests, NULL, NULL);
}
