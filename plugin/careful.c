// SPDX-License-Identifier: GPL-2.0-only
/*
 * The careful loop: it goes through a list of steps for each record, which is
 * put together once for each child from the order of steps of its test and
 * from what its options ask for.  The orders are iozone's, found by watching
 * it at work: which lock is taken with the clock running, what is done before
 * the stop flag is looked at, and so on.
 */
#include "careful.h"
#include "histogram.h"
#include "latency_log.h"
#include "telemetry.h"

static const _Atomic uint32_t never_stops;

/* ---- steps that belong to nobody else ------------------------------------------ */

static int fill(struct child *child)
{
	const struct extras *extras = child->extras;

	contents_fill(&extras->contents, child->buffer, extras->size,
		      extras->offset / child->record);
	return 0;
}

static __attribute__((cold, noinline)) int wrong_contents(struct child *child,
							  const struct mismatch *mismatch)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "found 0x%02x, expected 0x%02x", mismatch->found,
		 mismatch->expected);
	return child_fail_because(child, EILSEQ, child->extras->offset + mismatch->at, "verify",
				  reason);
}

static int check(struct child *child)
{
	const struct extras *extras = child->extras;
	struct mismatch mismatch;

	if (contents_check(&extras->contents, extras->data, extras->size,
			   extras->offset / child->record, &mismatch))
		return 0;
	return wrong_contents(child, &mismatch);
}

static int start_call(struct child *child)
{
	child->extras->called_ns = monotonic_ns();
	return 0;
}

static int count(struct child *child)
{
	if (!stopped(child->stop))
		child->counted++;
	return 0;
}

/* The clock of a stopped writer covers its computing, in pwrite alone it does not. */
static void stop_compute(struct child *child)
{
	if (child->part->stop == STOP_TAIL && child->part->id != TEST_PWRITE)
		child->excluded_ns = 0;
}

static int seek_home(struct child *child)
{
	return seek_to(child, 0);
}

static int seek_entry(struct child *child)
{
	return seek_to(child, child->extras->offset);
}

static int sized_write(struct child *child)
{
	const struct extras *extras = child->extras;
	ssize_t moved = write(child->fd, child->buffer, extras->size);

	if (likely(moved == (ssize_t)extras->size))
		return 0;
	return moved_wrong(child, moved, extras->size, extras->offset, "write");
}

static int sized_read(struct child *child)
{
	const struct extras *extras = child->extras;
	ssize_t moved = read(child->fd, child->buffer, extras->size);

	if (likely(moved == (ssize_t)extras->size))
		return 0;
	return moved_wrong(child, moved, extras->size, extras->offset, "read");
}

static int pread_there(struct child *child)
{
	uint64_t offset = child->extras->offset;
	ssize_t moved = pread(child->fd, child->buffer, child->record, (off_t)offset);

	if (likely(moved == (ssize_t)child->record))
		return 0;
	return moved_wrong(child, moved, child->record, offset, "pread");
}

/* The same as in the fast loops, as functions. */
static int pwrite_record(struct child *child)
{
	return move_pwrite(child);
}

static int fwrite_record(struct child *child)
{
	return move_fwrite(child);
}

static int fread_record(struct child *child)
{
	return move_fread(child);
}

static int seek_to_shuffled(struct child *child)
{
	return seek_shuffled(child);
}

static int step_back(struct child *child)
{
	return seek_back(child);
}

static int step_stride(struct child *child)
{
	return seek_stride(child);
}

static int skip_stride(struct child *child)
{
	return advance_stride(child);
}

/* ---- the orders --------------------------------------------------------------------- */

enum step_id {
	END,
	LOCK_FILE, /* with the clock running */
	SEEK_LAST,
	RECORD, /* what comes from here on is done for each record */
	DISRUPT,
	SEEK_ENTRY,
	ASK,	       /* where the file stands, for the latency log */
	ASK_AND_START, /* that, and the call's time begins */
	LOCK,
	SEEK,
	FILL,
	FILL_STDIO, /* iozone fills for stdio once, unless records differ */
	COMPUTE,
	FLAG, /* here the stop flag is looked at */
	PURGE,
	BUFFER,
	START,
	START_AGAIN, /* random writers, who do not wait for a lock or fill in this time */
	MOVE,
	CHECK,
	UNLOCK,
	STEP_BACK,
	STEP_STRIDE,
	STEP_HOME,
	COUNT,
	HISTOGRAM,
	RATE,
	LATENCY,
};

#define MOST_STEPS 24

static const unsigned char *order_of(enum iozone_test_id id)
{
	static const unsigned char read[MOST_STEPS] = {
		RECORD, DISRUPT, SEEK_ENTRY, ASK,   LOCK,      COMPUTE, FLAG,	 PURGE,
		START,	MOVE,	 CHECK,	     COUNT, HISTOGRAM, RATE,	LATENCY, UNLOCK,
	};
	static const unsigned char orders[TEST_COUNT][MOST_STEPS] = {
		[TEST_WRITE] = {
			RECORD, SEEK_ENTRY, ASK, LOCK, FILL, COMPUTE, FLAG, PURGE, START, MOVE,
			HISTOGRAM, RATE, LATENCY, COUNT, UNLOCK,
		},
		[TEST_REWRITE] = {
			LOCK_FILE, RECORD, SEEK_ENTRY, ASK, LOCK, COMPUTE, FLAG, FILL, PURGE,
			START, MOVE, COUNT, HISTOGRAM, RATE, LATENCY, UNLOCK, STEP_HOME,
		},
		[TEST_REVERSE_READ] = {
			SEEK_LAST, LOCK_FILE, RECORD, LOCK, DISRUPT, COMPUTE, ASK, FLAG, PURGE,
			START, MOVE, CHECK, UNLOCK, STEP_BACK, COUNT, HISTOGRAM, RATE, LATENCY,
		},
		[TEST_STRIDE_READ] = {
			RECORD, DISRUPT, COMPUTE, ASK, LOCK, FLAG, PURGE, START, MOVE, UNLOCK,
			CHECK, STEP_STRIDE, COUNT, HISTOGRAM, RATE, LATENCY,
		},
		[TEST_RANDOM_READ] = {
			LOCK_FILE, RECORD, COMPUTE, FLAG, PURGE, SEEK, LOCK, ASK_AND_START, MOVE,
			UNLOCK, CHECK, COUNT, HISTOGRAM, RATE, LATENCY,
		},
		[TEST_RANDOM_WRITE] = {
			RECORD, COMPUTE, SEEK, ASK_AND_START, LOCK, FILL, FLAG, PURGE,
			START_AGAIN, MOVE, UNLOCK, HISTOGRAM, RATE, LATENCY, COUNT,
		},
		[TEST_PWRITE] = {
			RECORD, LOCK, FILL, COMPUTE, FLAG, PURGE, START, MOVE, UNLOCK, HISTOGRAM,
			RATE, LATENCY, COUNT,
		},
		[TEST_FWRITE] = {
			RECORD, COMPUTE, FLAG, BUFFER, FILL_STDIO, PURGE, START, MOVE, HISTOGRAM,
			RATE, LATENCY, COUNT,
		},
		[TEST_FREAD] = {
			RECORD, COMPUTE, FLAG, BUFFER, PURGE, START, MOVE, CHECK, HISTOGRAM, RATE,
			LATENCY, COUNT,
		},
	};

	if (id == TEST_READ || id == TEST_REREAD || id == TEST_PREAD)
		return read;
	return orders[id];
}

/* ---- which steps a child takes --------------------------------------------------------- */

static step *move_of(const struct child *child)
{
	const struct iozone_options *options = child->options;
	bool writes = child->part->writes;

	if (options->mmap)
		return writes ? mapping_write : mapping_read;
	if (options->async && options->async_nocopy)
		return writes ? async_write_in_place : async_read_in_place;
	if (options->async)
		return writes ? async_write : async_read;
	if (child->part->access == ACCESS_STDIO)
		return writes ? fwrite_record : fread_record;
	if (child->part->access == ACCESS_POSITIONED)
		return writes ? pwrite_record : pread_there;
	return writes ? sized_write : sized_read;
}

/* With a mapping or POSIX AIO every record has its offset, and the file's does not matter. */
static bool has_offsets(const struct child *child)
{
	return child->options->mmap || child->options->async;
}

static bool is_filled(const struct child *child)
{
	return child->extras->contents.kind != CONTENTS_LEFT &&
	       !(child->options->async && child->options->async_nocopy);
}

static bool differs_by_record(const struct child *child)
{
	enum contents_kind kind = child->extras->contents.kind;

	return kind == CONTENTS_WORDS || kind == CONTENTS_DEDUP;
}

/* In telemetry mode iozone fills, and does not check. */
static bool is_checked(const struct child *child)
{
	return child->extras->contents.kind != CONTENTS_LEFT && !child->telemetry;
}

static bool is_timed(const struct child *child)
{
	const struct iozone_options *options = child->options;

	return options->latency_log || options->histogram || options->op_rate;
}

/* iozone's random tests do this for the rate and the histogram too. */
static int ask_and_start(struct child *child)
{
	return latency_log_where(child) || start_call(child) ? -1 : 0;
}

static step *step_of(const struct child *child, enum step_id id)
{
	const struct iozone_options *options = child->options;
	bool offsets = has_offsets(child);

	switch (id) {
	case LOCK_FILE:
		return options->lock ? lock_whole : NULL;
	case SEEK_LAST:
		return offsets ? NULL : seek_last;
	case DISRUPT:
		return options->jitter ? disrupt : NULL;
	case SEEK_ENTRY:
		return child->telemetry ? seek_entry : NULL;
	case ASK:
		return options->latency_log ? latency_log_where : NULL;
	case ASK_AND_START:
		return is_timed(child) ? ask_and_start : NULL;
	case LOCK:
		return options->record_lock ? lock_record : NULL;
	case SEEK:
		return offsets ? NULL : seek_to_shuffled;
	case FILL:
		return is_filled(child) ? fill : NULL;
	case FILL_STDIO:
		return differs_by_record(child) ? fill : NULL;
	case COMPUTE:
		return options->compute_ms || child->telemetry ? compute : NULL;
	case PURGE:
		return options->purge ? purge_cache : NULL;
	case BUFFER:
		return options->multi_buffer ? next_buffer : NULL;
	case START:
		return is_timed(child) ? start_call : NULL;
	case START_AGAIN:
		return options->latency_log || options->histogram ? start_call : NULL;
	case MOVE:
		return move_of(child);
	case CHECK:
		return is_checked(child) ? check : NULL;
	case UNLOCK:
		return options->record_lock ? unlock_record : NULL;
	case STEP_BACK:
		return offsets ? NULL : step_back;
	case STEP_STRIDE:
		return offsets ? skip_stride : step_stride;
	case STEP_HOME:
		return options->same_record && !offsets ? seek_home : NULL;
	case COUNT:
		return count;
	case HISTOGRAM:
		return options->histogram ? histogram_step : NULL;
	case RATE:
		return options->op_rate ? hold_rate : NULL;
	case LATENCY:
		return options->latency_log ? latency_log_line : NULL;
	default:
		return NULL;
	}
}

/* Puts the steps up to a certain one on the list, and returns where that one is. */
static const unsigned char *take_steps(const struct child *child, const unsigned char *order,
				       enum step_id last, step **list)
{
	for (; *order != last; order++) {
		step *next = step_of(child, *order);

		if (next)
			*list++ = next;
	}
	*list = NULL;
	return order;
}

void careful_compose(struct child *child)
{
	const struct iozone_options *options = child->options;
	struct extras *extras = child->extras;
	const unsigned char *order = order_of(child->part->id);
	step **finish = extras->finish;

	order = take_steps(child, order, RECORD, extras->begin);
	order = take_steps(child, order, FLAG, extras->before);
	take_steps(child, order, END, extras->after);
	if (options->lock && child->part->access != ACCESS_STDIO)
		*finish++ = unlock_whole;
	if (options->async)
		*finish++ = async_reap;
	/* A mapping's rewriters go on to the end of their file, timed. */
	if (options->mmap && child->part->id == TEST_REWRITE)
		extras->leave = &never_stops;
}

/* ---- the loop ------------------------------------------------------------------------------ */

static int take(struct child *child, step *const *list)
{
	for (; *list; list++)
		if (unlikely((*list)(child)))
			return -1;
	return 0;
}

static void next_record(struct child *child)
{
	struct extras *extras = child->extras;

	extras->data = child->buffer;
	if (child->telemetry) {
		extras->offset = child->telemetry->entries[child->next].offset;
		extras->size = child->telemetry->entries[child->next].size;
	} else {
		extras->offset = child->options->same_record ? 0 : record_offset(child);
		extras->size = child->record;
	}
	extras->told = child->part->id == TEST_PWRITE ? extras->offset : 0;
}

/* What iozone does once for a record even if it then finds that it is to stop. */
static int prepare(struct child *child)
{
	struct extras *extras = child->extras;

	if (extras->prepared)
		return 0;
	next_record(child);
	extras->prepared = true;
	return take(child, extras->before);
}

/* The stop flag is up.  Writers come back for their tail, the others are done. */
static enum turn_end leave(struct child *child)
{
	stop_compute(child);
	if (child->part->stop != STOP_TAIL && take(child, child->extras->finish))
		return TURN_FAILED;
	return TURN_STOPPED;
}

enum turn_end careful_loop(struct child *child, uint64_t end)
{
	struct extras *extras = child->extras;
	const _Atomic uint32_t *stop = extras->leave ? extras->leave : child->stop;

	if (!extras->begun && take(child, extras->begin))
		return TURN_FAILED;
	extras->begun = true;
	while (child->next < end && !meet_interrupted(child->meet)) {
		if (prepare(child))
			return TURN_FAILED;
		if (stopped(stop))
			return leave(child);
		if (take(child, extras->after))
			return TURN_FAILED;
		extras->prepared = false;
		child->next++;
	}
	if (child->next < end)
		return TURN_STOPPED;
	if (child->next == child->count && take(child, extras->finish))
		return TURN_FAILED;
	return TURN_DONE;
}
