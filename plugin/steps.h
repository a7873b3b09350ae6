/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The steps that records are made of.  The fast loops are composed of them at
 * compile time, the careful loop calls them one by one.
 */
#ifndef STEPS_H
#define STEPS_H

#include <errno.h>
#include <unistd.h>

#include "child.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* A step of a record; returns 0, or -1 after child_fail(). */
typedef int step(struct child *child);

/* Where the record that comes next lies in the file. */
static inline uint64_t record_offset(const struct child *child)
{
	switch (child->part->access) {
	case ACCESS_REVERSE:
		return (child->count - 1 - child->next) * child->record;
	case ACCESS_STRIDE:
		return child->position;
	case ACCESS_SHUFFLED:
		return (uint64_t)child->order[child->next] * child->record;
	default:
		return child->next * child->record;
	}
}

static inline bool stopped(const _Atomic uint32_t *stop)
{
	return unlikely(atomic_load_explicit(stop, memory_order_relaxed));
}

/*
 * Tells of a call that moved something else than size bytes at offset: the
 * error errno, the end of the file, no room.  Returns -1.
 */
int moved_wrong(struct child *child, ssize_t moved, size_t size, uint64_t offset, const char *call);

/* The same for stdio, which knows no number of bytes. */
int stream_failed(struct child *child, const char *call);

int seek_failed(struct child *child, uint64_t offset);

/* ---- to and from the file -------------------------------------------------- */

ALWAYS_INLINE int move_write(struct child *child)
{
	ssize_t moved = write(child->fd, child->buffer, child->record);

	if (likely(moved == (ssize_t)child->record))
		return 0;
	return moved_wrong(child, moved, child->record, record_offset(child), "write");
}

ALWAYS_INLINE int move_read(struct child *child)
{
	ssize_t moved = read(child->fd, child->buffer, child->record);

	if (likely(moved == (ssize_t)child->record))
		return 0;
	return moved_wrong(child, moved, child->record, record_offset(child), "read");
}

ALWAYS_INLINE int move_pwrite(struct child *child)
{
	uint64_t offset = child->next * child->record;
	ssize_t moved = pwrite(child->fd, child->buffer, child->record, (off_t)offset);

	if (likely(moved == (ssize_t)child->record))
		return 0;
	return moved_wrong(child, moved, child->record, offset, "pwrite");
}

ALWAYS_INLINE int move_pread(struct child *child)
{
	uint64_t offset = child->next * child->record;
	ssize_t moved = pread(child->fd, child->buffer, child->record, (off_t)offset);

	if (likely(moved == (ssize_t)child->record))
		return 0;
	return moved_wrong(child, moved, child->record, offset, "pread");
}

ALWAYS_INLINE int move_fwrite(struct child *child)
{
	if (likely(fwrite(child->buffer, child->record, 1, child->stream) == 1))
		return 0;
	return stream_failed(child, "fwrite");
}

ALWAYS_INLINE int move_fread(struct child *child)
{
	if (likely(fread(child->buffer, child->record, 1, child->stream) == 1))
		return 0;
	return stream_failed(child, "fread");
}

/* ---- to the place of the next record ---------------------------------------- */

ALWAYS_INLINE int seek_to(struct child *child, uint64_t offset)
{
	if (likely(lseek(child->fd, (off_t)offset, SEEK_SET) >= 0))
		return 0;
	return seek_failed(child, offset);
}

ALWAYS_INLINE int seek_shuffled(struct child *child)
{
	return seek_to(child, (uint64_t)child->order[child->next] * child->record);
}

/* The step behind the first record fails, in iozone too; there is nothing to do about it. */
ALWAYS_INLINE int seek_back(struct child *child)
{
	(void)!lseek(child->fd, -2 * (off_t)child->record, SEEK_CUR);
	return 0;
}

/* Past the last whole stride iozone begins again, a record further each time. */
ALWAYS_INLINE int advance_stride(struct child *child)
{
	uint64_t step = child->options->stride * child->record;
	uint64_t next = child->position + child->record + step;

	if (next < (child->count - 1) * child->record)
		child->position += step;
	else if (child->count > child->options->stride)
		child->position = ++child->wraps % child->count * child->record;
	else
		child->position = 0;
	return 0;
}

ALWAYS_INLINE int seek_stride(struct child *child)
{
	advance_stride(child);
	return seek_to(child, child->position);
}

/* iozone's reverse readers start from the end of the file. */
int seek_last(struct child *child);

#endif
