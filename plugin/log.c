// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the run log: one write(2) a line, one child at a time.
 *
 * A full disk cuts a line short, and so does a signal that kills its writer.
 * What is left of such a line is taken away again, or the next one would be
 * glued to it.  For that the writers share a lock that survives the death of
 * who holds it, and the size of the lines that are whole.
 */
#include "log.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run_log.h"

#define FILE_MODE 0644
/* Nobody holds the lock for longer than a write takes. */
#define PATIENCE_S 30

/* What the writers share. */
struct guard {
	pthread_mutex_t lock;
	off_t size; /* of the whole lines */
};

struct log {
	int fd;
	struct guard *guard;
};

/* ---- a line ------------------------------------------------------------------- */

struct text {
	char bytes[RUN_LOG_LINE_MAX];
	size_t length;
	bool full;
};

static void put_bytes(struct text *text, const char *bytes, size_t length)
{
	if (length >= sizeof(text->bytes) - text->length) {
		text->full = true;
		return;
	}
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
}

/* What stands between one cell and the next, or ends the line. */
static void put_separator(struct text *text, enum run_log_column column)
{
	put_bytes(text, column + 1 == RUN_LOG_COLUMN_COUNT ? "\n" : ",", 1);
}

static void put_number(struct text *text, uint64_t number)
{
	char digits[24];

	put_bytes(text, digits, (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, number));
}

static void put_text(struct text *text, const char *string)
{
	char *to = text->bytes + text->length;
	size_t room = sizeof(text->bytes) - text->length;
	size_t length = string ? strlen(string) : 0;
	size_t quoted = csv_write(to, room, string ? string : "", length);

	if (quoted >= room)
		text->full = true;
	else
		text->length += quoted;
}

/* ---- one writer at a time -------------------------------------------------------- */

static struct guard *new_guard(void)
{
	struct guard *guard = mmap(NULL, sizeof(*guard), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attributes;

	if (guard == MAP_FAILED)
		return NULL;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&guard->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return guard;
}

static void drop_torn_line(const struct log *log)
{
	(void)!ftruncate(log->fd, log->guard->size);
}

/* Returns 0, or -1 with errno set. */
static int take_lock(const struct log *log)
{
	struct timespec until;
	int error;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_S;
	error = pthread_mutex_timedlock(&log->guard->lock, &until);
	if (error == EOWNERDEAD) {
		error = pthread_mutex_consistent(&log->guard->lock);
		drop_torn_line(log);
	}
	errno = error;
	return error ? -1 : 0;
}

static int write_whole(const struct log *log, const struct text *text)
{
	ssize_t written;
	int error;

	do
		written = write(log->fd, text->bytes, text->length);
	while (written < 0 && errno == EINTR);
	if (written == (ssize_t)text->length) {
		log->guard->size += written;
		return 0;
	}
	error = written < 0 ? errno : ENOSPC;
	drop_torn_line(log);
	errno = error;
	return -1;
}

static int write_line(const struct log *log, const struct text *text, bool *written)
{
	int failed = 0, error;

	if (text->full) {
		errno = EMSGSIZE;
		return -1;
	}
	if (take_lock(log))
		return -1;
	if (!*written)
		failed = write_whole(log, text);
	error = errno;
	*written |= !failed;
	pthread_mutex_unlock(&log->guard->lock);
	errno = error;
	return failed;
}

/* ---- the lines --------------------------------------------------------------------- */

int log_append(struct log *log, const struct run_log_line *line, bool *written)
{
	struct text text = { .length = 0 };

#define PUT_CELL(member, type) \
	put_##type(&text, line->member); \
	put_separator(&text, RUN_LOG_##member);
	RUN_LOG_COLUMNS(PUT_CELL)
#undef PUT_CELL
	return write_line(log, &text, written);
}

static int write_header(const struct log *log)
{
	struct text text = { .length = 0 };
	bool written = false;

#define PUT_NAME(member, type) \
	put_text(&text, RUN_LOG_##member ? #member : RUN_LOG_FORMAT); \
	put_separator(&text, RUN_LOG_##member);
	RUN_LOG_COLUMNS(PUT_NAME)
#undef PUT_NAME
	return write_line(log, &text, &written);
}

/* ---- the file ------------------------------------------------------------------------ */

/* An empty file, or one that begins as a run log of any version does. */
static bool may_be_replaced(int fd)
{
	static const char begin[] = "\"" RUN_LOG_FORMAT_PREFIX;
	char found[sizeof(begin)];
	ssize_t length = pread(fd, found, sizeof(begin) - 1, 0);

	return length == 0 ||
	       (length == sizeof(begin) - 1 && !memcmp(found, begin, sizeof(begin) - 1));
}

/* NULL, or why the file at fd cannot become this run's log. */
static const char *refusal(int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return strerror(errno);
	if (!S_ISREG(status.st_mode))
		return "is not a regular file";
	if (!may_be_replaced(fd))
		return "exists and is not a run log: left as it is";
	/* Some network file systems have no locks: then there is nothing to be asked. */
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return "is in use by another run";
	return NULL;
}

static const char *begin(struct log *log)
{
	const char *reason = refusal(log->fd);

	if (reason)
		return reason;
	log->guard = new_guard();
	if (!log->guard || ftruncate(log->fd, 0) || write_header(log))
		return strerror(errno);
	return NULL;
}

struct log *log_start(const char *path, char *why, size_t why_size)
{
	struct log *log = calloc(1, sizeof(*log));
	const char *reason;

	if (!log) {
		snprintf(why, why_size, "%s", strerror(ENOMEM));
		return NULL;
	}
	log->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
		       FILE_MODE);
	reason = log->fd < 0 ? strerror(errno) : begin(log);
	if (!reason)
		return log;
	snprintf(why, why_size, "%s", reason);
	log_close(log);
	return NULL;
}

int log_flush(const struct log *log)
{
	/* What is no disk needs no flush. */
	return fsync(log->fd) && errno != EINVAL && errno != EROFS ? -1 : 0;
}

void log_close(struct log *log)
{
	if (log->fd >= 0)
		close(log->fd);
	if (log->guard)
		munmap(log->guard, sizeof(*log->guard));
	free(log);
}
