// SPDX-License-Identifier: GPL-2.0-only
/* The engine's options: one row each, and what fio --enghelp says of it. */
#include "option_table.h"

#include "fio.h"
#include "optgroup.h"

#include "iozone_tests.h"

#define COMMON .category = FIO_OPT_C_ENGINE, .group = FIO_OPT_G_INVALID
#define MEMBER(member) .off1 = offsetof(struct iozone_options, member)

#define TEST_VALUE(test_id, test_name, number_, partner_, writes_, access_, stop_, count_, label_, \
		   ...) \
	{ .ival = test_name, .oval = TEST_##test_id + 1, .help = "iozone's " label_ },

/*
 * For options whose 0 means something: their member is the value plus 1.  Of
 * "-1" fio makes a range, and comes with -1 and with 1.
 */
static int take_plus_one(struct iozone_options *options, const char *name, unsigned int *member,
			 unsigned long long value)
{
	if ((int)value < 0)
		options->negative = name;
	*member = (unsigned int)value + 1;
	return 0;
}

#define PLUS_ONE(member) \
	static int take_##member(void *data, unsigned long long *value) \
	{ \
		struct iozone_options *options = data; \
\
		return take_plus_one(options, "iozone_" #member, &options->member, *value); \
	}

PLUS_ONE(verify)
PLUS_ONE(dedup)
PLUS_ONE(first_cpu)

struct fio_option iozone_option_table[] = {
	{
		.name = "iozone_test",
		.lname = "iozone test",
		.type = FIO_OPT_STR,
		MEMBER(test),
		.help = "Which of iozone's tests the job is",
		.posval = { IOZONE_TESTS(TEST_VALUE) },
		COMMON,
	},
	{
		.name = "iozone_record",
		.lname = "iozone record size",
		.type = FIO_OPT_STR_VAL,
		MEMBER(record),
		.help = "Bytes a record: one call each (iozone -r; default: bs)",
		COMMON,
	},
	{
		.name = "iozone_log",
		.lname = "iozone run log",
		.type = FIO_OPT_STR_STORE,
		MEMBER(log),
		.help = "Path of the run log, from which fio2iozone makes the report",
		COMMON,
	},
	{
		.name = "iozone_stonewall",
		.lname = "iozone stonewall",
		.type = FIO_OPT_BOOL,
		MEMBER(stonewall),
		.def = "1",
		.help = "All stop when the first child finishes (0: iozone -x)",
		COMMON,
	},
	{
		.name = "iozone_flush",
		.lname = "iozone flush",
		.type = FIO_OPT_BOOL,
		MEMBER(flush),
		.def = "0",
		.help = "The child's clock covers an fsync (iozone -e)",
		COMMON,
	},
	{
		.name = "iozone_close",
		.lname = "iozone close",
		.type = FIO_OPT_BOOL,
		MEMBER(close),
		.def = "0",
		.help = "The child's clock covers the close (iozone -c)",
		COMMON,
	},
	{
		.name = "iozone_settle",
		.lname = "iozone settle time",
		.type = FIO_OPT_STR_VAL_TIME,
		MEMBER(settle_us),
		.is_seconds = 1,
		.is_time = 1,
		.def = "2s",
		.help = "sync and pause before the test, 0 for none",
		COMMON,
	},
	{
		.name = "iozone_stride",
		.lname = "iozone stride",
		.type = FIO_OPT_INT,
		MEMBER(stride),
		.def = "17",
		.maxval = INT_MAX,
		.help = "Stride of stride_read in records (iozone -j)",
		COMMON,
	},
	{
		.name = "iozone_mix_read",
		.lname = "iozone share of readers",
		.type = FIO_OPT_INT,
		MEMBER(mix_read),
		.maxval = 100,
		.help = "Per cent of the children of mixed that read (iozone -+p)",
		COMMON,
	},
	{
		.name = "iozone_mix_sequential",
		.lname = "iozone sequential mix",
		.type = FIO_OPT_BOOL,
		MEMBER(mix_sequential),
		.def = "0",
		.help = "The children of mixed go from start to end (iozone -+B)",
		COMMON,
	},
	{
		.name = "iozone_verify",
		.lname = "iozone verify pattern",
		.type = FIO_OPT_INT,
		.cb = take_verify,
		MEMBER(verify),
		.maxval = 255,
		.help = "Write records of this byte, and check what is read (iozone -V)",
		COMMON,
	},
	{
		.name = "iozone_verify_bytes",
		.lname = "iozone verify every byte",
		.type = FIO_OPT_BOOL,
		MEMBER(verify_bytes),
		.def = "0",
		.help = "Records differ, and every byte is checked (iozone -+d)",
		COMMON,
	},
	{
		.name = "iozone_check",
		.lname = "iozone check",
		.type = FIO_OPT_BOOL,
		MEMBER(check),
		.def = "0",
		.help = "Fill and check eight bytes of each page, as iozone does by itself",
		COMMON,
	},
	{
		.name = "iozone_dedup",
		.lname = "iozone dedup share",
		.type = FIO_OPT_INT,
		.cb = take_dedup,
		MEMBER(dedup),
		.maxval = 100,
		.help = "Per cent of each record that is the same in all files (iozone -+w)",
		COMMON,
	},
	{
		.name = "iozone_dedup_within",
		.lname = "iozone dedup within and across",
		.type = FIO_OPT_INT,
		MEMBER(dedup_within),
		.maxval = 100,
		.help = "Per cent of that which is the same in all records too (iozone -+y)",
		COMMON,
	},
	{
		.name = "iozone_dedup_between",
		.lname = "iozone dedup within, not across",
		.type = FIO_OPT_INT,
		MEMBER(dedup_between),
		.maxval = 100,
		.help = "Per cent of that which is the same within its file only (iozone -+C)",
		COMMON,
	},
	{
		.name = "iozone_mmap",
		.lname = "iozone mmap",
		.type = FIO_OPT_BOOL,
		MEMBER(mmap),
		.def = "0",
		.help = "Records are copied to and from a mapping of the file (iozone -B)",
		COMMON,
	},
	{
		.name = "iozone_msync",
		.lname = "iozone msync",
		.type = FIO_OPT_STR,
		MEMBER(msync),
		.def = "none",
		.posval = {
			{ .ival = "none", .oval = MSYNC_NONE, .help = "No msync a record" },
			{ .ival = "async", .oval = MSYNC_ASYNC, .help = "MS_ASYNC (iozone -D)" },
			{ .ival = "sync", .oval = MSYNC_SYNC, .help = "MS_SYNC (iozone -B -G)" },
			{ .ival = "both", .oval = MSYNC_ASYNC | MSYNC_SYNC,
			  .help = "MS_ASYNC, then MS_SYNC (iozone -D -G)" },
		},
		.help = "What follows each record that is written to a mapping",
		COMMON,
	},
	{
		.name = "iozone_madvise",
		.lname = "iozone madvise",
		.type = FIO_OPT_STR,
		MEMBER(madvise),
		.posval = {
			{ .ival = "0", .oval = MADVISE_NORMAL, .help = "MADV_NORMAL" },
			{ .ival = "1", .oval = MADVISE_RANDOM, .help = "MADV_RANDOM" },
			{ .ival = "2", .oval = MADVISE_SEQUENTIAL, .help = "MADV_SEQUENTIAL" },
			{ .ival = "3", .oval = MADVISE_DONTNEED, .help = "MADV_DONTNEED" },
			{ .ival = "4", .oval = MADVISE_WILLNEED, .help = "MADV_WILLNEED" },
		},
		.help = "What the kernel is told of a mapping (iozone -+A)",
		COMMON,
	},
	{
		.name = "iozone_async",
		.lname = "iozone POSIX async depth",
		.type = FIO_OPT_INT,
		MEMBER(async),
		.maxval = 64,
		.help = "Records through POSIX AIO, so many at once (iozone -H)",
		COMMON,
	},
	{
		.name = "iozone_async_nocopy",
		.lname = "iozone POSIX async without copy",
		.type = FIO_OPT_BOOL,
		MEMBER(async_nocopy),
		.def = "0",
		.help = "POSIX AIO straight to and from the caller's buffers (iozone -k)",
		COMMON,
	},
	{
		.name = "iozone_lock",
		.lname = "iozone file lock",
		.type = FIO_OPT_BOOL,
		MEMBER(lock),
		.def = "0",
		.help = "Lock the file while it is read or written (iozone -W)",
		COMMON,
	},
	{
		.name = "iozone_record_lock",
		.lname = "iozone record lock",
		.type = FIO_OPT_BOOL,
		MEMBER(record_lock),
		.def = "0",
		.help = "Lock each record while it is read or written (iozone -+l)",
		COMMON,
	},
	{
		.name = "iozone_compute",
		.lname = "iozone compute time",
		.type = FIO_OPT_INT,
		MEMBER(compute_ms),
		.maxval = 3600000,
		.help = "Milliseconds of computing before each record (iozone -J)",
		COMMON,
	},
	{
		.name = "iozone_compute_counts",
		.lname = "iozone compute time counts",
		.type = FIO_OPT_BOOL,
		MEMBER(compute_counts),
		.def = "0",
		.help = "The child's clock covers the computing (iozone -+J)",
		COMMON,
	},
	{
		.name = "iozone_purge",
		.lname = "iozone purge",
		.type = FIO_OPT_BOOL,
		MEMBER(purge),
		.def = "0",
		.help = "Purge the processor's cache before each record (iozone -p)",
		COMMON,
	},
	{
		.name = "iozone_cache_size",
		.lname = "iozone processor cache size",
		.type = FIO_OPT_STR_VAL,
		MEMBER(cache_size),
		.def = "1m",
		.minval = 4096,
		.maxval = 1 << 30,
		.help = "Size of the processor's cache (iozone -S)",
		COMMON,
	},
	{
		.name = "iozone_cache_line",
		.lname = "iozone processor cache line size",
		.type = FIO_OPT_INT,
		MEMBER(cache_line),
		.def = "32",
		.maxval = 65536,
		.help = "Bytes of a line of the processor's cache (iozone -L)",
		COMMON,
	},
	{
		.name = "iozone_multi_buffer",
		.lname = "iozone multiple buffers",
		.type = FIO_OPT_BOOL,
		MEMBER(multi_buffer),
		.def = "0",
		.help = "Walk through a 16 MiB area of buffers (iozone -m)",
		COMMON,
	},
	{
		.name = "iozone_start_delay",
		.lname = "iozone delay out of the barrier",
		.type = FIO_OPT_STR_VAL_TIME,
		MEMBER(start_delay_us),
		.is_time = 1,
		.maxval = 3600000000,
		.help = "Time between the starts of the children, microseconds (iozone -d)",
		COMMON,
	},
	{
		.name = "iozone_first_cpu",
		.lname = "iozone first processor",
		.type = FIO_OPT_INT,
		.cb = take_first_cpu,
		MEMBER(first_cpu),
		.maxval = INT_MAX,
		.help = "Bind child after child to a processor, from this one on (iozone -P)",
		COMMON,
	},
	{
		.name = "iozone_jitter",
		.lname = "iozone jitter",
		.type = FIO_OPT_BOOL,
		MEMBER(jitter),
		.def = "0",
		.help = "Read elsewhere before every 100th record (iozone -K)",
		COMMON,
	},
	{
		.name = "iozone_same_record",
		.lname = "iozone same record",
		.type = FIO_OPT_BOOL,
		MEMBER(same_record),
		.def = "0",
		.help = "Rewriters write the first record only (record rewrite of iozone's auto mode)",
		COMMON,
	},
	{
		.name = "iozone_latency_log",
		.lname = "iozone offset and latency logs",
		.type = FIO_OPT_STR_STORE,
		MEMBER(latency_log),
		.help = "Directory for iozone's offset/latency files (iozone -Q)",
		COMMON,
	},
	{
		.name = "iozone_histogram",
		.lname = "iozone latency histogram",
		.type = FIO_OPT_STR_STORE,
		MEMBER(histogram),
		.help = "Directory for iozone's latency histogram (iozone -+z)",
		COMMON,
	},
	{
		.name = "iozone_op_rate",
		.lname = "iozone operation rate",
		.type = FIO_OPT_INT,
		MEMBER(op_rate),
		.maxval = INT_MAX,
		.help = "At most so many records a second for each child (iozone -+O)",
		COMMON,
	},
	{
		.name = "iozone_truncate",
		.lname = "iozone truncate",
		.type = FIO_OPT_BOOL,
		MEMBER(truncate),
		.def = "0",
		.help = "Writers of mixed truncate their file (iozone -+F)",
		COMMON,
	},
	{
		.name = "iozone_recreate",
		.lname = "iozone recreate",
		.type = FIO_OPT_BOOL,
		MEMBER(recreate),
		.def = "1",
		.help = "Writers of pwrite create their file anew first (0: iozone -+N)",
		COMMON,
	},
	{
		.name = "iozone_share_file",
		.lname = "iozone shared file",
		.type = FIO_OPT_BOOL,
		MEMBER(share_file),
		.def = "0",
		.help = "All children have one file, and its data (iozone -+V, -+L)",
		COMMON,
	},
	{
		.name = "iozone_write_telemetry",
		.lname = "iozone write telemetry",
		.type = FIO_OPT_STR_STORE,
		MEMBER(write_telemetry),
		.help = "File that lists the records to write: offset, size, ms (iozone -X)",
		COMMON,
	},
	{
		.name = "iozone_read_telemetry",
		.lname = "iozone read telemetry",
		.type = FIO_OPT_STR_STORE,
		MEMBER(read_telemetry),
		.help = "File that lists the records to read: offset, size, ms (iozone -Y)",
		COMMON,
	},
	{
		.name = "iozone_remount",
		.lname = "iozone remount",
		.type = FIO_OPT_STR_STORE,
		MEMBER(remount),
		.help = "Mount point to unmount and mount again before the test (iozone -U)",
		COMMON,
	},
	{
		.name = "iozone_before",
		.lname = "iozone command before the test",
		.type = FIO_OPT_STR_STORE,
		MEMBER(before),
		.help = "Command to run once before the test, outside all clocks",
		COMMON,
	},
	{
		.name = "iozone_mark",
		.lname = "iozone layout mark",
		.type = FIO_OPT_INT,
		MEMBER(mark),
		.def = "1056862",
		.help = "For the engine's own use: shows that options arrive where they should",
		COMMON,
	},
	{ .name = NULL },
};

/*
 * fio lets most negative numbers pass, and they arrive as very large ones.  Of
 * those that it does not, it says so and goes on with the default.
 */
const char *options_out_of_range(const struct iozone_options *options)
{
	for (const struct fio_option *row = iozone_option_table; row->name; row++) {
		unsigned int value;

		if (row->type != FIO_OPT_INT || row->cb || !row->maxval)
			continue;
		memcpy(&value, (const char *)options + row->off1, sizeof(value));
		if (value > row->maxval)
			return row->name;
	}
	if (options->negative)
		return options->negative;
	if (!options->stride)
		return "iozone_stride";
	return options->cache_line ? NULL : "iozone_cache_line";
}
