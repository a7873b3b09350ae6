// SPDX-License-Identifier: GPL-2.0-only
/* What upsets caches: a purge of the processor's (-p), read-ahead disrupted (-K), many buffers (-m). */
#include <stdlib.h>

#include "careful.h"

/* Every so many records are disrupted, beginning with the first. */
#define DISRUPTED_EVERY 100
#define PAGE 4096
/* iozone's area of buffers. */
#define BUFFERS (16u << 20)

int caches_prepare(struct child *child)
{
	const struct iozone_options *options = child->options;
	struct extras *extras = child->extras;

	if (options->purge) {
		/* iozone never writes to it either: Linux has one page of zeros for all of it. */
		extras->purge = calloc(2, options->cache_size);
		if (!extras->purge)
			return child_fail(child, ENOMEM, 0, "malloc");
	}
	if (options->jitter && posix_memalign((void **)&extras->page, PAGE, PAGE))
		return child_fail(child, ENOMEM, 0, "malloc");
	if (options->multi_buffer && child->part->access == ACCESS_STDIO) {
		extras->buffers = calloc(1, child->record > BUFFERS ? child->record : BUFFERS);
		if (!extras->buffers)
			return child_fail(child, ENOMEM, 0, "malloc");
	}
	return 0;
}

/* Reads lines that share their place in the processor's cache with those of the buffer. */
int purge_cache(struct child *child)
{
	const struct extras *extras = child->extras;
	uint64_t cache = child->options->cache_size;
	size_t line = child->options->cache_line;
	size_t lines = (extras->size < cache ? extras->size : cache) / line;
	const volatile char *at = extras->purge + ((uintptr_t)child->buffer & (cache - 1));

	for (size_t i = 0; i < lines; i++, at += line)
		(void)*at;
	return 0;
}

/* Reads a little elsewhere and comes back.  With O_DIRECT a page is the least. */
static int read_a_little(struct child *child, uint64_t offset)
{
	if (seek_to(child, offset))
		return -1;
	if (read(child->fd, child->extras->page, child->direct ? PAGE : 1) < 0)
		return child_fail(child, errno, offset, "read");
	return 0;
}

int disrupt(struct child *child)
{
	off_t here;

	if (child->next % DISRUPTED_EVERY)
		return 0;
	here = lseek(child->fd, 0, SEEK_CUR);
	if (here < 0)
		return seek_failed(child, child->extras->offset);
	if (read_a_little(child, 0) || read_a_little(child, PAGE))
		return -1;
	return seek_to(child, (uint64_t)here);
}

/* iozone steps on before the first record too, and fills none of its buffers. */
int next_buffer(struct child *child)
{
	struct extras *extras = child->extras;

	extras->in_buffers += child->record;
	if (extras->in_buffers + child->record > BUFFERS)
		extras->in_buffers = 0;
	child->buffer = extras->buffers + extras->in_buffers;
	extras->data = child->buffer;
	return 0;
}
