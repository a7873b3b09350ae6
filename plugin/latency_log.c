// SPDX-License-Identifier: GPL-2.0-only
/* The format of the files is iozone's: kB, microseconds, bytes. */
#include "latency_log.h"

#include <inttypes.h>
#include <limits.h>

/* What iozone takes from each latency: the resolution of its clock. */
#define RESOLUTION_NS 1000

static const char *short_name(const struct child *child)
{
	static const char *const names[TEST_COUNT] = {
		[TEST_WRITE] = "wol",
		[TEST_REWRITE] = "rwol",
		[TEST_READ] = "rol",
		[TEST_REREAD] = "rrol",
		[TEST_REVERSE_READ] = "revol",
		[TEST_STRIDE_READ] = "strol",
		[TEST_RANDOM_READ] = "randrol",
		[TEST_RANDOM_WRITE] = "randwol",
		[TEST_PWRITE] = "pwol",
		[TEST_PREAD] = "prol",
		[TEST_FWRITE] = "fwol",
		[TEST_FREAD] = "frol",
	};

	return names[child->part->id];
}

bool latency_log_asks(const struct child *child)
{
	return child->part->id != TEST_PWRITE && child->part->access != ACCESS_STDIO;
}

bool latency_log_is_late(const struct child *child)
{
	return child->part->stop == STOP_TAIL || child->part->access == ACCESS_STDIO;
}

static int log_failed(struct child *child, const char *path)
{
	int error = errno;
	char call[sizeof(child->failure.what) / 2];

	snprintf(call, sizeof(call), "iozone_latency_log %.200s", path);
	return child_fail(child, error, child->extras->offset, call);
}

int latency_log_open(struct child *child)
{
	/* iozone's heading for write has a blank less. */
	const char *gap = child->part->id == TEST_WRITE ? " " : "  ";
	char path[PATH_MAX];
	FILE *log;

	if (snprintf(path, sizeof(path), "%s/Child_%u_%s.dat", child->options->latency_log,
		     child->number, short_name(child)) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return log_failed(child, child->options->latency_log);
	}
	log = fopen(path, "ae");
	if (!log)
		return log_failed(child, path);
	child->extras->latency_log = log;
	fprintf(log, "Offset in kBytes   Latency in microseconds%sTransfer size in bytes\n", gap);
	return 0;
}

int latency_log_close(struct child *child)
{
	FILE *log = child->extras->latency_log;
	int failed;

	if (!log)
		return 0;
	child->extras->latency_log = NULL;
	failed = ferror(log);
	if (fclose(log) || failed)
		return log_failed(child, child->options->latency_log);
	return 0;
}

/*
 * pread does not move the file's offset: iozone learns that it stands at the
 * start, and with -Q reads the first record again and again.
 */
int latency_log_where(struct child *child)
{
	struct extras *extras = child->extras;
	off_t here = lseek(child->fd, 0, SEEK_CUR);

	if (here < 0)
		return seek_failed(child, extras->offset);
	extras->told = (uint64_t)here;
	if (child->part->id == TEST_PREAD)
		extras->offset = extras->told;
	return 0;
}

int latency_log_line(struct child *child)
{
	const struct extras *extras = child->extras;
	uint64_t latency_ns = monotonic_ns() - extras->called_ns;

	latency_ns = latency_ns > RESOLUTION_NS ? latency_ns - RESOLUTION_NS : 0;
	/* An error stays with the stream until it is closed. */
	fprintf(extras->latency_log, "%10" PRIu64 " %10.0f %10zu\n", extras->told / 1024,
		(double)latency_ns / 1000, extras->size);
	return 0;
}
