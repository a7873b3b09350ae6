// SPDX-License-Identifier: GPL-2.0-only
/*
 * The record loops: for each record the call, the stop flag and the count,
 * and nothing else.  A loop is made from the steps of its test at compile
 * time, so that no record pays for what another test does.  Whatever else
 * iozone can be asked to do with a record is the careful loop's business.
 */
#include <stdio.h>

#include "extras.h"
#include "steps.h"
#include "telemetry.h"

/*
 * A record that was under way when the flag went up is not counted: the flag
 * is looked at before the first record of a turn and after each one.
 */
ALWAYS_INLINE enum turn_end run(struct child *child, uint64_t end, step *before, step *move,
				step *after)
{
	const _Atomic uint32_t *stop = child->stop;

	if (stopped(stop))
		return TURN_STOPPED;
	while (child->next < end) {
		if (before && unlikely(before(child)))
			return TURN_FAILED;
		if (unlikely(move(child)))
			return TURN_FAILED;
		if (after && unlikely(after(child)))
			return TURN_FAILED;
		child->next++;
		if (stopped(stop))
			return TURN_STOPPED;
		child->counted++;
	}
	return TURN_DONE;
}

/* ---- what goes wrong ---------------------------------------------------------- */

__attribute__((cold)) int moved_wrong(struct child *child, ssize_t moved, size_t size,
				      uint64_t offset, const char *call)
{
	int error = errno;
	char reason[96];

	if (moved < 0)
		return child_fail(child, error, offset, call);
	snprintf(reason, sizeof(reason), "%s after %zd of %zu bytes",
		 child->part->writes ? "short" : "end of file", moved, size);
	return child_fail_because(child, child->part->writes ? ENOSPC : ENODATA, offset, call,
				  reason);
}

__attribute__((cold)) int stream_failed(struct child *child, const char *call)
{
	uint64_t offset = record_offset(child);

	if (child->part->writes || ferror(child->stream))
		return child_fail(child, errno, offset, call);
	return child_fail_because(child, ENODATA, offset, call, "end of file");
}

__attribute__((cold)) int seek_failed(struct child *child, uint64_t offset)
{
	return child_fail(child, errno, offset, "lseek");
}

/* ---- the loops ------------------------------------------------------------------ */

int seek_last(struct child *child)
{
	if (likely(lseek(child->fd, -(off_t)child->record, SEEK_END) >= 0))
		return 0;
	return seek_failed(child, record_offset(child));
}

ALWAYS_INLINE int seek_last_once(struct child *child)
{
	return likely(child->next) ? 0 : seek_last(child);
}

#define LOOP(name, before, move, after) \
	static enum turn_end name(struct child *child, uint64_t end) \
	{ \
		return run(child, end, before, move, after); \
	}

LOOP(write_loop, NULL, move_write, NULL)
LOOP(read_loop, NULL, move_read, NULL)
LOOP(reverse_read_loop, seek_last_once, move_read, seek_back)
LOOP(stride_read_loop, NULL, move_read, seek_stride)
LOOP(random_read_loop, seek_shuffled, move_read, NULL)
LOOP(pwrite_loop, NULL, move_pwrite, NULL)
LOOP(pread_loop, NULL, move_pread, NULL)
LOOP(fwrite_loop, NULL, move_fwrite, NULL)
LOOP(fread_loop, NULL, move_fread, NULL)

/*
 * iozone's random writers look at the flag when they have gone to a record's
 * place: one that is stopped takes its time there, and its tail begins there.
 */
static enum turn_end random_write_loop(struct child *child, uint64_t end)
{
	enum turn_end turn;

	if (child->in_place && child->next < end) {
		child->in_place = false;
		if (move_write(child))
			return TURN_FAILED;
		child->next++;
	}
	turn = run(child, end, seek_shuffled, move_write, NULL);
	if (turn != TURN_STOPPED || child->next == child->count)
		return turn;
	child->in_place = true;
	return seek_shuffled(child) ? TURN_FAILED : TURN_STOPPED;
}

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

	return extras_wanted(child) ? careful_loop : loops[child->part->id];
}

uint64_t child_bytes(const struct child *child, uint64_t records)
{
	if (child->telemetry)
		return telemetry_bytes(child->telemetry, records);
	return records * child->record;
}
