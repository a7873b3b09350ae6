// SPDX-License-Identifier: GPL-2.0-only
/*
 * The record loops: for each record the call, the stop flag and the count,
 * and nothing else.  A loop is made from the steps of its test at compile
 * time, so that no record pays for what another test does.
 */
#include "child.h"

#include <errno.h>
#include <unistd.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* A step of a record; returns 0, or -1 after child_fail(). */
typedef int step(struct child *child);

/*
 * A record that was under way when the flag went up is not counted: the flag
 * is looked at before the first record of a turn and after each one.
 */
ALWAYS_INLINE enum turn_end run(struct child *child, uint64_t end, step *before, step *move,
				step *after)
{
	const _Atomic uint32_t *stop = child->stop;

	if (unlikely(atomic_load_explicit(stop, memory_order_relaxed)))
		return TURN_STOPPED;
	while (child->next < end) {
		if (before && unlikely(before(child)))
			return TURN_FAILED;
		if (unlikely(move(child)))
			return TURN_FAILED;
		if (after && unlikely(after(child)))
			return TURN_FAILED;
		child->next++;
		if (unlikely(atomic_load_explicit(stop, memory_order_relaxed)))
			return TURN_STOPPED;
		child->counted++;
	}
	return TURN_DONE;
}

/* Where the record that comes next lies in the file. */
static uint64_t record_offset(const struct child *child)
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

static __attribute__((cold, noinline)) int moved_wrong(struct child *child, ssize_t moved,
						       const char *call)
{
	int error = errno;
	uint64_t offset = record_offset(child);
	char reason[96];

	if (moved < 0)
		return child_fail(child, error, offset, call);
	snprintf(reason, sizeof(reason), "%s after %zd of %zu bytes",
		 child->part->writes ? "short" : "end of file", moved, child->record);
	return child_fail_because(child, child->part->writes ? ENOSPC : ENODATA, offset, call,
				  reason);
}

ALWAYS_INLINE int do_write(struct child *child)
{
	ssize_t moved = write(child->fd, child->buffer, child->record);

	return likely(moved == (ssize_t)child->record) ? 0 : moved_wrong(child, moved, "write");
}

ALWAYS_INLINE int do_read(struct child *child)
{
	ssize_t moved = read(child->fd, child->buffer, child->record);

	return likely(moved == (ssize_t)child->record) ? 0 : moved_wrong(child, moved, "read");
}

ALWAYS_INLINE int do_pwrite(struct child *child)
{
	off_t offset = (off_t)(child->next * child->record);
	ssize_t moved = pwrite(child->fd, child->buffer, child->record, offset);

	return likely(moved == (ssize_t)child->record) ? 0 : moved_wrong(child, moved, "pwrite");
}

ALWAYS_INLINE int do_pread(struct child *child)
{
	off_t offset = (off_t)(child->next * child->record);
	ssize_t moved = pread(child->fd, child->buffer, child->record, offset);

	return likely(moved == (ssize_t)child->record) ? 0 : moved_wrong(child, moved, "pread");
}

ALWAYS_INLINE int do_fwrite(struct child *child)
{
	if (likely(fwrite(child->buffer, child->record, 1, child->stream) == 1))
		return 0;
	return child_fail(child, errno, record_offset(child), "fwrite");
}

ALWAYS_INLINE int do_fread(struct child *child)
{
	if (likely(fread(child->buffer, child->record, 1, child->stream) == 1))
		return 0;
	if (ferror(child->stream))
		return child_fail(child, errno, record_offset(child), "fread");
	return child_fail_because(child, ENODATA, record_offset(child), "fread", "end of file");
}

static __attribute__((cold, noinline)) int seek_failed(struct child *child)
{
	return child_fail(child, errno, record_offset(child), "lseek");
}

ALWAYS_INLINE int seek_to(struct child *child, uint64_t offset)
{
	if (likely(lseek(child->fd, (off_t)offset, SEEK_SET) >= 0))
		return 0;
	return seek_failed(child);
}

ALWAYS_INLINE int seek_shuffled(struct child *child)
{
	return seek_to(child, (uint64_t)child->order[child->next] * child->record);
}

/* iozone starts from the end of the file. */
ALWAYS_INLINE int seek_last(struct child *child)
{
	if (child->next)
		return 0;
	if (likely(lseek(child->fd, -(off_t)child->record, SEEK_END) >= 0))
		return 0;
	return seek_failed(child);
}

/* The step behind the first record fails, in iozone too; there is nothing to do about it. */
ALWAYS_INLINE int seek_back(struct child *child)
{
	(void)!lseek(child->fd, -2 * (off_t)child->record, SEEK_CUR);
	return 0;
}

ALWAYS_INLINE int seek_stride(struct child *child)
{
	uint64_t step = child->options->stride * child->record;
	uint64_t next = child->position + child->record + step;

	if (next < (child->count - 1) * child->record)
		child->position += step;
	else if (child->count > child->options->stride)
		child->position = ++child->wraps % child->count * child->record;
	else
		child->position = 0;
	return seek_to(child, child->position);
}

#define LOOP(name, before, move, after)                                                    \
	static enum turn_end name(struct child *child, uint64_t end)                       \
	{                                                                                  \
		return run(child, end, before, move, after);                               \
	}

LOOP(write_loop, NULL, do_write, NULL)
LOOP(read_loop, NULL, do_read, NULL)
LOOP(reverse_read_loop, seek_last, do_read, seek_back)
LOOP(stride_read_loop, NULL, do_read, seek_stride)
LOOP(random_read_loop, seek_shuffled, do_read, NULL)
LOOP(random_write_loop, seek_shuffled, do_write, NULL)
LOOP(pwrite_loop, NULL, do_pwrite, NULL)
LOOP(pread_loop, NULL, do_pread, NULL)
LOOP(fwrite_loop, NULL, do_fwrite, NULL)
LOOP(fread_loop, NULL, do_fread, NULL)

/* Mixed is not here: each of its children does one of the others. */
record_loop *choose_loop(const struct child *child)
{
	static record_loop *const loops[TEST_COUNT] = {
		[TEST_WRITE] = write_loop,
		[TEST_REWRITE] = write_loop,
		[TEST_READ] = read_loop,
		[TEST_REREAD] = read_loop,
		[TEST_REVERSE_READ] = reverse_read_loop,
		[TEST_STRIDE_READ] = stride_read_loop,
		[TEST_RANDOM_READ] = random_read_loop,
		[TEST_RANDOM_WRITE] = random_write_loop,
		[TEST_PWRITE] = pwrite_loop,
		[TEST_PREAD] = pread_loop,
		[TEST_FWRITE] = fwrite_loop,
		[TEST_FREAD] = fread_loop,
	};

	return loops[child->part->id];
}
