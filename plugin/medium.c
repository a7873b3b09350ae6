// SPDX-License-Identifier: GPL-2.0-only
/* How a child's file is opened, flushed and closed: by descriptor or by stdio. */
#include "medium.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MODE 0640

int child_fail_because(struct child *child, int error, uint64_t offset, const char *call,
		       const char *reason)
{
	if (child->failure.error)
		return -1;
	child->failure.error = error ? error : EIO;
	child->failure.offset = offset;
	snprintf(child->failure.what, sizeof(child->failure.what), "%s at offset %llu: %s", call,
		 (unsigned long long)offset, reason);
	return -1;
}

int child_fail(struct child *child, int error, uint64_t offset, const char *call)
{
	return child_fail_because(child, error, offset, call, strerror(error ? error : EIO));
}

int plain_open(struct child *child)
{
	if (child->part->id == TEST_PWRITE && child->options->recreate) {
		int fd = creat(child->path, FILE_MODE);

		if (fd < 0)
			return child_fail(child, errno, 0, "creat");
		close(fd);
	}
	child->fd = open(child->path, child->open_flags, FILE_MODE);
	if (child->fd < 0)
		return child_fail(child, errno, 0, "open");
	return 0;
}

int plain_flush(struct child *child)
{
	if (fsync(child->fd))
		return child_fail(child, errno, 0, "fsync");
	return 0;
}

int plain_close(struct child *child)
{
	int fd = child->fd;

	child->fd = -1;
	if (close(fd))
		return child_fail(child, errno, 0, "close");
	return 0;
}

/* iozone asks where it is, closes, and later opens and goes there again. */
int plain_close_for_stop(struct child *child)
{
	off_t here = lseek(child->fd, 0, SEEK_CUR);

	if (here < 0)
		return child_fail(child, errno, 0, "lseek");
	child->position = (uint64_t)here;
	return plain_close(child);
}

int plain_reopen(struct child *child)
{
	child->fd = open(child->path, child->open_flags, 0);
	if (child->fd < 0)
		return child_fail(child, errno, child->position, "open");
	if (lseek(child->fd, (off_t)child->position, SEEK_SET) < 0)
		return child_fail(child, errno, child->position, "lseek");
	return 0;
}

int plain_finish(struct child *child)
{
	int failed = 0;

	if (child->fd < 0)
		return 0;
	/* A reader's fsync may be refused (a read-only file system): iozone does not look. */
	if (fsync(child->fd) && child->part->writes)
		failed = child_fail(child, errno, 0, "fsync");
	return plain_close(child) || failed ? -1 : 0;
}

static const struct medium plain = {
	.open = plain_open,
	.flush = plain_flush,
	.close = plain_close,
	.finish = plain_finish,
	.close_for_stop = plain_close_for_stop,
	.reopen = plain_reopen,
};

/* stdio with a buffer of a record; with O_DIRECT iozone has it unbuffered. */
static int give_buffer(struct child *child)
{
	child->stdio_buffer = malloc(child->record);
	if (!child->stdio_buffer)
		return child_fail(child, ENOMEM, 0, "malloc");
	setvbuf(child->stream, child->stdio_buffer, child->direct ? _IONBF : _IOFBF, child->record);
	return 0;
}

static int stdio_open_writer(struct child *child)
{
	struct stat status;
	const char *mode = stat(child->path, &status) ? "w+" : "r+";

	child->stream = fopen(child->path, mode);
	if (!child->stream)
		return child_fail(child, errno, 0, "fopen");
	child->fd = fileno(child->stream);
	if (fsync(child->fd))
		return child_fail(child, errno, 0, "fsync");
	return give_buffer(child);
}

static int stdio_open_reader(struct child *child)
{
	int fd;

	child->stream = fopen(child->path, "r");
	if (!child->stream)
		return child_fail(child, errno, 0, "fopen");
	child->fd = fileno(child->stream);
	fd = open(child->path, O_RDONLY);
	if (fd < 0)
		return child_fail(child, errno, 0, "open");
	fsync(fd);
	close(fd);
	return give_buffer(child);
}

static int stdio_flush_writer(struct child *child)
{
	if (fflush(child->stream))
		return child_fail(child, errno, 0, "fflush");
	return plain_flush(child);
}

static int stdio_flush_reader(struct child *child)
{
	if (fflush(child->stream))
		return child_fail(child, errno, 0, "fflush");
	return 0;
}

static int stdio_close(struct child *child)
{
	FILE *stream = child->stream;

	child->stream = NULL;
	child->fd = -1;
	if (fclose(stream))
		return child_fail(child, errno, 0, "fclose");
	return 0;
}

static int stdio_finish_writer(struct child *child)
{
	int failed = 0;

	if (!child->stream)
		return 0;
	if (stdio_flush_writer(child))
		failed = -1;
	return stdio_close(child) || failed ? -1 : 0;
}

static int stdio_finish_reader(struct child *child)
{
	return child->stream ? stdio_close(child) : 0;
}

static const struct medium stdio_writer = {
	.open = stdio_open_writer,
	.flush = stdio_flush_writer,
	.close = stdio_close,
	.finish = stdio_finish_writer,
};

static const struct medium stdio_reader = {
	.open = stdio_open_reader,
	.flush = stdio_flush_reader,
	.close = stdio_close,
	.finish = stdio_finish_reader,
};

const struct medium *choose_medium(const struct child *child)
{
	if (child->part->access == ACCESS_STDIO)
		return child->part->writes ? &stdio_writer : &stdio_reader;
	if (child->options->mmap)
		return &mapping_medium;
	return child->options->async ? &async_medium : &plain;
}
