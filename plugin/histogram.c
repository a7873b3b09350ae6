// SPDX-License-Identifier: GPL-2.0-only
/* The bands and the format of the file are iozone's. */
#include "histogram.h"

#include <inttypes.h>
#include <limits.h>

#include "careful.h"

#define NS_PER_US 1000

struct bucket {
	uint64_t limit_us; /* latencies up to this; the last one takes the rest */
	const char *label;
};

/* A row is a band of the file. */
static const struct bucket bands[][5] = {
	{ { 20, " 20us" }, { 40, " 40us" }, { 60, " 60us" }, { 80, " 80us" }, { 100, "100us" } },
	{ { 200, "200us" },
	  { 400, "400us" },
	  { 600, "600us" },
	  { 800, "800us" },
	  { 1000, "  1ms" } },
	{ { 2000, "  2ms" },
	  { 4000, "  4ms" },
	  { 6000, "  6ms" },
	  { 8000, "  8ms" },
	  { 10000, " 10ms" } },
	{ { 12000, " 12ms" },
	  { 14000, " 14ms" },
	  { 16000, " 16ms" },
	  { 18000, " 18ms" },
	  { 20000, " 20ms" } },
	{ { 40000, " 40ms" }, { 60000, " 60ms" }, { 80000, " 80ms" }, { 100000, "100ms" } },
	{ { 200000, "200ms" },
	  { 400000, "400ms" },
	  { 600000, "600ms" },
	  { 800000, "800ms" },
	  { 1000000, "   1s" } },
	{ { 2000000, "   2s" },
	  { 4000000, "   4s" },
	  { 6000000, "   6s" },
	  { 8000000, "   8s" },
	  { 10000000, "  10s" } },
	/* The labels say 40, 60 and 80 s; this is where iozone puts the limits. */
	{ { 20000000, "  20s" },
	  { 30000000, "  40s" },
	  { 60000000, "  60s" },
	  { 90000000, "  80s" },
	  { 120000000, " 120s" } },
	{ { UINT64_MAX, "120+s" } },
};
#define BANDS (sizeof(bands) / sizeof(bands[0]))
#define BAND (sizeof(bands[0]) / sizeof(bands[0][0]))

void histogram_add(struct histogram *histogram, uint64_t latency_ns)
{
	uint64_t latency_us = latency_ns / NS_PER_US;
	uint64_t *count = histogram->counts;

	for (size_t i = 0; i < BANDS; i++) {
		for (size_t j = 0; j < BAND && bands[i][j].label; j++, count++) {
			if (latency_us > bands[i][j].limit_us)
				continue;
			++*count;
			return;
		}
	}
}

void histogram_write(const struct histogram *histogram, FILE *file, unsigned int child,
		     const char *operation)
{
	const uint64_t *count = histogram->counts;

	fprintf(file, "Child: %u Op: %s\n", child, operation);
	for (size_t i = 0; i < BANDS; i++) {
		fprintf(file, "Band %zu:   ", i + 1);
		for (size_t j = 0; j < BAND && bands[i][j].label; j++)
			fprintf(file, "%s:%-7" PRIu64 " ", bands[i][j].label, *count++);
		fputc('\n', file);
	}
	fputc('\n', file);
}

int histogram_step(struct child *child)
{
	const struct extras *extras = child->extras;
	uint64_t latency_ns = monotonic_ns() - extras->called_ns;
	/* iozone takes the resolution of its clock from it, but not in these tests. */
	bool whole = child->part->id == TEST_WRITE || child->part->access == ACCESS_STDIO;

	if (!whole)
		latency_ns -= latency_ns < NS_PER_US ? latency_ns : NS_PER_US;
	histogram_add(extras->histogram, latency_ns);
	return 0;
}

static const char *operation_of(const struct child *child)
{
	static const char *const operations[TEST_COUNT] = {
		[TEST_WRITE] = "write",
		[TEST_REWRITE] = "Rewrite",
		[TEST_READ] = "Read",
		[TEST_REREAD] = "Reread",
		[TEST_REVERSE_READ] = "Read Backwards",
		[TEST_STRIDE_READ] = "Stride Read",
		[TEST_RANDOM_READ] = "Random Read",
		[TEST_RANDOM_WRITE] = "Random Write",
		[TEST_PWRITE] = "Pwrite",
		[TEST_PREAD] = "Pread",
		[TEST_FWRITE] = "Fwrite",
		[TEST_FREAD] = "Fread",
	};

	return operations[child->part->id];
}

static int save_failed(struct child *child, const char *path)
{
	int error = errno;
	char call[sizeof(child->failure.what) / 2];

	snprintf(call, sizeof(call), "iozone_histogram %.200s", path);
	return child_fail(child, error, 0, call);
}

int histogram_save(struct child *child)
{
	char path[PATH_MAX];
	FILE *file;
	int failed;

	if (snprintf(path, sizeof(path), "%s/Iozone_histogram_child_%u.txt",
		     child->options->histogram, child->number) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return save_failed(child, child->options->histogram);
	}
	file = fopen(path, "ae");
	if (!file)
		return save_failed(child, path);
	histogram_write(child->extras->histogram, file, child->number, operation_of(child));
	failed = ferror(file);
	return fclose(file) || failed ? save_failed(child, path) : 0;
}
