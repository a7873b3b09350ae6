// SPDX-License-Identifier: GPL-2.0-only
/* Writes the run log: one write(2) a line, so that lines never mix. */
#include "log.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_log.h"

#define FILE_MODE 0644

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

static int write_line(int fd, const struct text *text)
{
	ssize_t written;

	if (text->full) {
		errno = EMSGSIZE;
		return -1;
	}
	written = write(fd, text->bytes, text->length);
	if (written < 0)
		return -1;
	if ((size_t)written != text->length) {
		errno = ENOSPC;
		return -1;
	}
	return 0;
}

int log_append(int fd, const struct run_log_line *line)
{
	struct text text = { .length = 0 };

#define PUT_CELL(member, type)                                                                     \
	put_##type(&text, line->member);                                                           \
	put_separator(&text, RUN_LOG_##member);
	RUN_LOG_COLUMNS(PUT_CELL)
#undef PUT_CELL
	return write_line(fd, &text);
}

static int write_header(int fd)
{
	struct text text = { .length = 0 };

#define PUT_NAME(member, type)                                                                     \
	put_text(&text, RUN_LOG_##member ? #member : RUN_LOG_FORMAT);                              \
	put_separator(&text, RUN_LOG_##member);
	RUN_LOG_COLUMNS(PUT_NAME)
#undef PUT_NAME
	return write_line(fd, &text);
}

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
	if (ftruncate(fd, 0) || write_header(fd))
		return strerror(errno);
	return NULL;
}

int log_start(const char *path, char *why, size_t why_size)
{
	int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
		      FILE_MODE);
	const char *reason;

	if (fd < 0) {
		snprintf(why, why_size, "%s", strerror(errno));
		return -1;
	}
	reason = refusal(fd);
	if (!reason)
		return fd;
	snprintf(why, why_size, "%s", reason);
	close(fd);
	return -1;
}
