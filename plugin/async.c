// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records through POSIX AIO: the C library's threads do the calls.  -H copies
 * each record to or from a block of its own, -k works in the block.
 *
 * Writers have up to depth + 1 records under way.  Readers have one: iozone
 * would read ahead, but no further than sysconf(_SC_AIO_MAX) allows, and that
 * is "no limit", -1, on Linux.
 */
#include <aio.h>
#include <stdlib.h>
#include <string.h>

#include "careful.h"
#include "medium.h"

#define ALIGNMENT 4096

struct request {
	struct aiocb block;
	char *memory;
};

struct async {
	unsigned int size; /* how many requests there are */
	unsigned int oldest;
	unsigned int count; /* of those under way */
	struct request requests[];
};

struct async *async_new(unsigned int depth, size_t record)
{
	unsigned int size = depth + 1;
	struct async *async = calloc(1, sizeof(*async) + size * sizeof(struct request));

	if (!async)
		return NULL;
	async->size = size;
	for (unsigned int i = 0; i < size; i++) {
		void *memory;

		if (posix_memalign(&memory, ALIGNMENT, record)) {
			async_free(async);
			return NULL;
		}
		async->requests[i].memory = memset(memory, 0, record);
		contents_fill(&contents_default, memory, record, 0);
	}
	return async;
}

/* ---- waiting ----------------------------------------------------------------------- */

/* Returns what the call moved, or -1 with errno. */
static ssize_t await(struct request *request)
{
	const struct aiocb *const list[] = { &request->block };
	int error;

	while ((error = aio_error(&request->block)) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	errno = error;
	return error ? -1 : aio_return(&request->block);
}

static struct request *take_oldest(struct async *async)
{
	struct request *request = &async->requests[async->oldest];

	async->oldest = (async->oldest + 1) % async->size;
	async->count--;
	return request;
}

static int reap_oldest(struct child *child)
{
	struct request *request = take_oldest(child->extras->async);
	ssize_t moved = await(request);

	if (moved == (ssize_t)request->block.aio_nbytes)
		return 0;
	return moved_wrong(child, moved, request->block.aio_nbytes,
			   (uint64_t)request->block.aio_offset, "aio_write");
}

int async_reap(struct child *child)
{
	int failed = 0;

	while (child->extras->async->count)
		if (reap_oldest(child))
			failed = -1;
	return failed;
}

/* The kernel may still be busy with the memory of what is under way. */
void async_free(struct async *async)
{
	if (!async)
		return;
	while (async->count)
		await(take_oldest(async));
	for (unsigned int i = 0; i < async->size; i++)
		free(async->requests[i].memory);
	free(async);
}

/* ---- records ------------------------------------------------------------------------- */

static void fill_in(struct request *request, const struct child *child)
{
	request->block = (struct aiocb){
		.aio_fildes = child->fd,
		.aio_offset = (off_t)child->extras->offset,
		.aio_buf = request->memory,
		.aio_nbytes = child->record,
		.aio_sigevent = { .sigev_notify = SIGEV_NONE },
	};
}

/* A request for the next record to write; waits when too many are under way.  NULL: failed. */
static struct request *next_request(struct child *child)
{
	struct async *async = child->extras->async;
	struct request *request;

	if (async->count == async->size && reap_oldest(child))
		return NULL;
	request = &async->requests[(async->oldest + async->count) % async->size];
	fill_in(request, child);
	return request;
}

static int submit_write(struct child *child, struct request *request)
{
	struct async *async = child->extras->async;

	while (aio_write(&request->block)) {
		if (errno != EAGAIN || !async->count)
			return child_fail(child, errno, child->extras->offset, "aio_write");
		if (reap_oldest(child))
			return -1;
	}
	async->count++;
	return 0;
}

int async_write(struct child *child)
{
	struct request *request = next_request(child);

	if (!request)
		return -1;
	memcpy(request->memory, child->buffer, child->record);
	return submit_write(child, request);
}

int async_write_in_place(struct child *child)
{
	struct extras *extras = child->extras;
	struct request *request = next_request(child);

	if (!request)
		return -1;
	contents_fill(&extras->contents, request->memory, child->record,
		      extras->offset / child->record);
	return submit_write(child, request);
}

int async_read_in_place(struct child *child)
{
	struct extras *extras = child->extras;
	struct request *request = &extras->async->requests[0];
	ssize_t moved;

	fill_in(request, child);
	extras->data = request->memory;
	if (aio_read(&request->block))
		return child_fail(child, errno, extras->offset, "aio_read");
	moved = await(request);
	if (moved == (ssize_t)child->record)
		return 0;
	return moved_wrong(child, moved, child->record, extras->offset, "aio_read");
}

int async_read(struct child *child)
{
	if (async_read_in_place(child))
		return -1;
	memcpy(child->buffer, child->extras->data, child->record);
	child->extras->data = child->buffer;
	return 0;
}

/* ---- the file -------------------------------------------------------------------------- */

static int async_close(struct child *child)
{
	int failed = async_reap(child);

	return plain_close(child) || failed ? -1 : 0;
}

static int async_finish(struct child *child)
{
	int failed = async_reap(child);

	return plain_finish(child) || failed ? -1 : 0;
}

/* iozone closes the file under the writes that are still under way; their data would be lost. */
static int async_close_for_stop(struct child *child)
{
	return async_reap(child) || plain_close_for_stop(child) ? -1 : 0;
}

const struct medium async_medium = {
	.open = plain_open,
	.flush = plain_flush,
	.close = async_close,
	.finish = async_finish,
	.close_for_stop = async_close_for_stop,
	.reopen = plain_reopen,
};
