// SPDX-License-Identifier: GPL-2.0-only
/* The stations of a child's life at which its extras have something to do. */
#include "careful.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "dedup.h"
#include "histogram.h"
#include "latency_log.h"
#include "options.h"

#define NS_PER_US 1000ull

/* ---- which test with which options -------------------------------------------- */

static bool has_contents(const struct iozone_options *options)
{
	return options->verify || options->verify_bytes || options->dedup || options->check;
}

bool extras_wanted(const struct child *child)
{
	const struct iozone_options *options = child->options;
	bool stdio = child->part->access == ACCESS_STDIO;

	if (child->telemetry || has_contents(options) || options->compute_ms || options->purge ||
	    options->latency_log || options->histogram || options->op_rate)
		return true;
	/* Files by stdio are never locked, disrupted, mapped or asynchronous. */
	if (stdio)
		return options->multi_buffer;
	return options->mmap || options->async || options->lock || options->record_lock ||
	       options->same_record || (options->jitter && !child->part->writes);
}

static bool is_telemetric(const struct iozone_test *row, const struct iozone_options *options)
{
	switch (row->id) {
	case TEST_WRITE:
	case TEST_REWRITE:
	case TEST_READ:
	case TEST_REREAD:
		return true;
	case TEST_MIXED:
		return options->mix_sequential;
	default:
		return false;
	}
}

static const char *telemetry_conflict(const struct iozone_options *options,
				      const struct iozone_test *row)
{
	if (!is_telemetric(row, options))
		return "telemetry is for write, rewrite, read, reread and sequential mixes";
	if (options->mmap || options->async)
		return "telemetry goes with neither iozone_mmap nor iozone_async";
	/* iozone's own check is silently left out, as by iozone. */
	if (options->verify || options->verify_bytes || options->dedup)
		return "telemetry goes with no data of one's choice";
	if (options->jitter)
		return "telemetry does not go with iozone_jitter";
	if (options->same_record)
		return "telemetry does not go with iozone_same_record";
	return NULL;
}

const char *extras_conflict(const struct iozone_options *options, const struct iozone_test *row)
{
	if (options->mmap && options->async)
		return "iozone_mmap does not go with iozone_async";
	if (row->access == ACCESS_STDIO && (options->mmap || options->async))
		return "stdio neither maps (iozone_mmap) nor is asynchronous (iozone_async)";
	if (options->async_nocopy && !options->async)
		return "iozone_async_nocopy wants iozone_async";
	if (options->dedup && (options->verify || options->verify_bytes))
		return "iozone_dedup's data cannot be checked with iozone_verify";
	if (options->multi_buffer && row->access == ACCESS_STDIO && has_contents(options))
		return "iozone_multi_buffer writes zeros: there is nothing to check";
	if (options->same_record && row->id != TEST_REWRITE)
		return "iozone_same_record is for rewrite";
	if (options->write_telemetry || options->read_telemetry)
		return telemetry_conflict(options, row);
	return NULL;
}

/* ---- before the file is opened --------------------------------------------------- */

/*
 * Each child has a processor, one after the other from the first.  Those of
 * iozone's pread and stdio tests bind themselves to none: they have that of
 * iozone's main process, which is the first.
 */
static int bind_child(struct child *child)
{
	bool inherits = child->part->id == TEST_PREAD || child->part->access == ACCESS_STDIO;
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int cpu;
	cpu_set_t set;
	int error;

	if (!child->options->first_cpu)
		return 0;
	cpu = child->options->first_cpu - 1 + (inherits ? 0 : child->number);
	CPU_ZERO(&set);
	CPU_SET(cpu % (online > 0 ? (unsigned int)online : 1), &set);
	error = pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	return error ? child_fail(child, error, 0, "sched_setaffinity") : 0;
}

/* iozone numbers its data by children in processes, and not in threads. */
static unsigned int data_child(const struct child *child)
{
	return child->thread || child->options->share_file ? 0 : child->number;
}

static int prepare_contents(struct child *child)
{
	const struct iozone_options *options = child->options;
	struct contents *contents = &child->extras->contents;
	const struct dedup_shares shares = {
		.across = options->dedup ? options->dedup - 1 : 0,
		.within = options->dedup_within,
		.own = options->dedup_between,
	};

	*contents = (struct contents){
		.byte = CONTENTS_DEFAULT_BYTE,
		.line = options->cache_line,
		.child = data_child(child),
	};
	if (options->dedup) {
		contents->kind = CONTENTS_DEDUP;
		contents->dedup = dedup_new(&shares, child->record, child->count, contents->child);
		return contents->dedup ? 0 : child_fail(child, ENOMEM, 0, "malloc");
	}
	if (options->verify_bytes) {
		contents->kind = CONTENTS_WORDS;
	} else if (options->verify) {
		contents->kind = CONTENTS_BYTE;
		contents->byte = (unsigned char)(options->verify - 1);
	} else if (child->telemetry) {
		contents->kind = CONTENTS_BYTE;
	} else if (options->check) {
		contents->kind = CONTENTS_PAGES;
	}
	return 0;
}

static int prepare_parts(struct child *child)
{
	const struct iozone_options *options = child->options;
	struct extras *extras = child->extras;

	if (prepare_contents(child) || caches_prepare(child))
		return -1;
	if (options->histogram) {
		extras->histogram = calloc(1, sizeof(*extras->histogram));
		if (!extras->histogram)
			return child_fail(child, ENOMEM, 0, "malloc");
	}
	if (options->async) {
		extras->async = async_new(options->async, child->record);
		if (!extras->async)
			return child_fail(child, ENOMEM, 0, "malloc");
	}
	return 0;
}

int extras_prepare(struct child *child)
{
	if (bind_child(child))
		return -1;
	if (!extras_wanted(child))
		return 0;
	child->extras = calloc(1, sizeof(*child->extras));
	if (!child->extras)
		return child_fail(child, ENOMEM, 0, "malloc");
	if (prepare_parts(child))
		return -1;
	careful_compose(child);
	return 0;
}

/* ---- before and after the release --------------------------------------------------- */

int extras_ready(struct child *child)
{
	if (!child->options->latency_log || latency_log_is_late(child))
		return 0;
	return latency_log_open(child);
}

/* iozone's parent waits before each child of its write test, after each of the others. */
static uint64_t own_delay_ns(const struct child *child)
{
	uint64_t before = child->number + (child->row->id == TEST_WRITE);

	return before * child->options->start_delay_us * NS_PER_US;
}

uint64_t extras_delay_ns(const struct child *child)
{
	return child->children * child->options->start_delay_us * NS_PER_US;
}

int extras_released(struct child *child)
{
	const struct iozone_options *options = child->options;

	if (options->start_delay_us)
		sleep_until(child, atomic_load(&child->meet->release_ns) + own_delay_ns(child));
	if (options->lock && child->part->access != ACCESS_STDIO && locks_before_clock(child) &&
	    lock_whole(child))
		return -1;
	if (options->latency_log && latency_log_is_late(child))
		return latency_log_open(child);
	return 0;
}

/* ---- the end --------------------------------------------------------------------------- */

int extras_finish(struct child *child)
{
	struct extras *extras = child->extras;
	int failed = 0;

	if (!extras)
		return 0;
	if (latency_log_close(child))
		failed = -1;
	if (extras->histogram && histogram_save(child))
		failed = -1;
	return failed;
}

void extras_free(struct child *child)
{
	struct extras *extras = child->extras;

	if (!extras)
		return;
	async_free(extras->async);
	dedup_free(extras->contents.dedup);
	if (extras->latency_log)
		fclose(extras->latency_log);
	free(extras->histogram);
	free((void *)(uintptr_t)extras->purge);
	free(extras->page);
	free(extras->buffers);
	free(extras);
	child->extras = NULL;
}
