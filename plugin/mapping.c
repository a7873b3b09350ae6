// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files as mappings (-B): records are copied to and from memory.  Writers get
 * a file of full size before, all hole but for the last record, and a shared
 * mapping; readers get a private one.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "careful.h"
#include "medium.h"

/* O_DIRECT cannot do with less. */
#define ALIGNMENT 4096

static size_t map_size(const struct child *child)
{
	return child->count * child->record;
}

/* ---- open ---------------------------------------------------------------------- */

static int write_somewhere(struct child *child, const char *record, uint64_t offset)
{
	ssize_t moved = write(child->fd, record, child->record);

	if (moved == (ssize_t)child->record)
		return 0;
	return moved_wrong(child, moved, child->record, offset, "write");
}

/* With O_DIRECT iozone writes the whole file: it takes holes for impossible then. */
static int write_all(struct child *child, const char *record)
{
	for (uint64_t i = 0; i < child->count && !meet_interrupted(child->meet); i++)
		if (write_somewhere(child, record, i * child->record))
			return -1;
	return 0;
}

static int write_last(struct child *child, const char *record)
{
	uint64_t last = (child->count - 1) * child->record;

	return seek_to(child, last) || write_somewhere(child, record, last) ? -1 : 0;
}

static int give_size(struct child *child)
{
	int flags = fcntl(child->fd, F_GETFL);
	void *record;
	int failed;

	if (flags < 0)
		return child_fail(child, errno, 0, "fcntl");
	if (posix_memalign(&record, ALIGNMENT, child->record))
		return child_fail(child, ENOMEM, 0, "malloc");
	memset(record, 0, child->record);
	failed = flags & O_DIRECT ? write_all(child, record) : write_last(child, record);
	free(record);
	return failed ? -1 : seek_to(child, 0);
}

static int advise(struct child *child)
{
	static const int advices[] = {
		MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_DONTNEED, MADV_WILLNEED,
	};

	if (child->options->madvise == MADVISE_NONE)
		return 0;
	if (madvise(child->map, map_size(child), advices[child->options->madvise - 1]))
		return child_fail(child, errno, 0, "madvise");
	return 0;
}

/* To read from a mapping behind the end of its file is to be killed. */
static int check_size(struct child *child)
{
	struct stat status;

	if (fstat(child->fd, &status))
		return child_fail(child, errno, 0, "fstat");
	if (status.st_size >= (off_t)map_size(child))
		return 0;
	return child_fail_because(child, ENODATA, (uint64_t)status.st_size, "mmap", "end of file");
}

static int map_file(struct child *child)
{
	bool writes = child->part->writes;
	void *map = mmap(NULL, map_size(child), writes ? PROT_READ | PROT_WRITE : PROT_READ,
			 writes ? MAP_SHARED : MAP_PRIVATE, child->fd, 0);

	if (map == MAP_FAILED)
		return child_fail(child, errno, 0, "mmap");
	child->map = map;
	return advise(child);
}

static int mapping_open(struct child *child)
{
	if (plain_open(child))
		return -1;
	if ((child->part->writes ? give_size(child) : check_size(child)) || map_file(child)) {
		if (child->map)
			munmap(child->map, map_size(child));
		child->map = NULL;
		plain_close(child);
		return -1;
	}
	return 0;
}

/* ---- flush and close -------------------------------------------------------------- */

static int mapping_flush(struct child *child)
{
	if (msync(child->map, map_size(child), MS_SYNC))
		return child_fail(child, errno, 0, "msync");
	return 0;
}

static int unmap(struct child *child)
{
	char *map = child->map;

	child->map = NULL;
	if (map && munmap(map, map_size(child)))
		return child_fail(child, errno, 0, "munmap");
	return 0;
}

static int mapping_close(struct child *child)
{
	int failed = unmap(child);

	return plain_close(child) || failed ? -1 : 0;
}

static int mapping_finish(struct child *child)
{
	int failed = 0;

	if (!child->map)
		return plain_finish(child);
	if (mapping_flush(child))
		failed = -1;
	return mapping_close(child) || failed ? -1 : 0;
}

const struct medium mapping_medium = {
	.open = mapping_open,
	.flush = mapping_flush,
	.close = mapping_close,
	.finish = mapping_finish,
	.close_for_stop = plain_close_for_stop,
	.reopen = plain_reopen,
};

/* ---- records ------------------------------------------------------------------------ */

/* A record that does not begin at a page is refused by the kernel; iozone does not look. */
static int sync_record(struct child *child, char *start, int flags)
{
	if (!msync(start, child->record, flags) || errno == EINVAL)
		return 0;
	return child_fail(child, errno, child->extras->offset, "msync");
}

int mapping_write(struct child *child)
{
	char *start = child->map + child->extras->offset;

	memcpy(start, child->buffer, child->record);
	if (child->options->msync & MSYNC_ASYNC && sync_record(child, start, MS_ASYNC))
		return -1;
	if (child->options->msync & MSYNC_SYNC && sync_record(child, start, MS_SYNC))
		return -1;
	return 0;
}

int mapping_read(struct child *child)
{
	memcpy(child->buffer, child->map + child->extras->offset, child->record);
	return 0;
}
