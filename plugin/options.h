/* SPDX-License-Identifier: GPL-2.0-only */
/* The engine's options, as fio's parser leaves them. */
#ifndef OPTIONS_H
#define OPTIONS_H

/* Bits: both is asynchronous, then synchronous. */
enum msync_kind { MSYNC_NONE = 0, MSYNC_ASYNC = 1, MSYNC_SYNC = 2 };

enum madvise_kind {
	MADVISE_NONE,
	MADVISE_NORMAL,
	MADVISE_RANDOM,
	MADVISE_SEQUENTIAL,
	MADVISE_DONTNEED,
	MADVISE_WILLNEED,
};

/* A value that only fio's parser puts there: a host of another layout does not. */
#define OPTIONS_MARK 0x10205eu

struct iozone_options {
	void *pad;	      /* fio takes an option at offset 0 for one that is not there */
	const char *negative; /* name of an option that was given a negative value */
	unsigned int mark;
	unsigned int test; /* enum iozone_test_id, plus 1; 0 when it is not given */
	unsigned long long record;
	char *log;
	unsigned int stonewall;
	unsigned int flush;
	unsigned int close;
	unsigned long long settle_us;
	unsigned int stride;
	unsigned int mix_read;
	unsigned int mix_sequential;
	unsigned int verify; /* the byte, plus 1; 0 is off */
	unsigned int verify_bytes;
	unsigned int check;
	unsigned int dedup; /* per cent, plus 1; 0 is off */
	unsigned int dedup_within;
	unsigned int dedup_between;
	unsigned int mmap;
	unsigned int msync;   /* enum msync_kind */
	unsigned int madvise; /* enum madvise_kind */
	unsigned int async;
	unsigned int async_nocopy;
	unsigned int lock;
	unsigned int record_lock;
	unsigned int compute_ms;
	unsigned int compute_counts;
	unsigned int purge;
	unsigned long long cache_size;
	unsigned int cache_line;
	unsigned int multi_buffer;
	unsigned long long start_delay_us;
	unsigned int first_cpu; /* its number, plus 1; 0 is off */
	unsigned int jitter;
	unsigned int same_record;
	char *latency_log;
	char *histogram;
	unsigned int op_rate;
	unsigned int truncate;
	unsigned int recreate;
	unsigned int share_file;
	char *write_telemetry;
	char *read_telemetry;
	char *remount;
	char *before;
};

#endif
